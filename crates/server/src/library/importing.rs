//! A file comes in: read on a thread of its own, written in batches, each with the mark where to go on.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use library::body::{self, Packer};
use library::intake::{IntakeError, Progress, read_trails};
use library::{Heading, Index, Record, Trail};
use rules::pgn::{Item, Problem, Severity};
use store::{AccountId, Batch, GameId, Import, ImportProblem, Store, StoreError};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

use super::{LibraryError, owner_number};

/// Games of one commit: a few hundredths of a second, which a move that is made meanwhile has to wait.
const GAMES: usize = 1_024;
/// Items of one commit: a file of nothing but problems has batches too.
const ITEMS: usize = 4_096;
/// Bytes of one commit: a game may have megabytes of comments.
const BYTES: usize = 4 << 20;
/// Batches that are read ahead.
const AHEAD: usize = 2;

/// What an import counts in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportSpeed {
    /// Games that are new.
    pub games: u64,
    /// Games that were there.
    pub duplicates: u64,
    /// Games and passages with an error.
    pub bad: u64,
}

/// How much of a file is taken.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes after unpacking.
    pub bytes: u64,
    /// Games its owner may still bring.
    pub games: u64,
    /// Games its owner may have in all, for the message.
    pub games_in_all: u64,
}

/// A batch with the records of its games, in the same order.
#[derive(Default)]
struct Parcel {
    batch: Batch,
    records: Vec<Record>,
    bytes: usize,
}

/// Reads a file from where its import stands, and gives what it brought. `may_go_on` is asked between batches.
pub async fn import_file(
    store: &Store,
    index: &Arc<Index>,
    import: &Import,
    file: &Path,
    bounds: Bounds,
    filing: &Mutex<()>,
    may_go_on: impl Fn() -> Result<(), LibraryError>,
) -> Result<ImportSpeed, LibraryError> {
    let mut incoming = Incoming::open(store, index, import, file, bounds, filing)?;
    while incoming.take_next().await? {
        if let Err(reason) = may_go_on() {
            incoming.stop(reason);
        }
    }
    incoming.finish().await
}

/// A file that comes in, batch by batch.
///
/// Every batch is one transaction with the counts of the import: whenever the process dies, the next start goes on
/// behind the last batch that was kept. `filing` is held from a commit until its games are in the index: whoever
/// compares the two meanwhile would put the games in a second time.
pub(super) struct Incoming<'a> {
    store: &'a Store,
    index: &'a Arc<Index>,
    import: &'a Import,
    filing: &'a Mutex<()>,
    bounds: Bounds,
    inbox: mpsc::Receiver<Parcel>,
    reading: JoinHandle<Result<(), IntakeError>>,
    speed: ImportSpeed,
    bytes_done: i64,
    stopped: Result<(), LibraryError>,
}

impl<'a> Incoming<'a> {
    /// Begins to read on a thread of its own.
    pub(super) fn open(
        store: &'a Store,
        index: &'a Arc<Index>,
        import: &'a Import,
        file: &Path,
        bounds: Bounds,
        filing: &'a Mutex<()>,
    ) -> Result<Incoming<'a>, LibraryError> {
        let (parcels, inbox) = mpsc::channel(AHEAD);
        let opened = File::open(file)?;
        let (most, skip, owner) = (bounds.bytes, import.items, import.account);
        let reading =
            tokio::task::spawn_blocking(move || read(opened, most, skip, owner, &parcels));
        Ok(Incoming {
            store,
            index,
            import,
            filing,
            bounds,
            inbox,
            reading,
            speed: ImportSpeed::default(),
            bytes_done: import.bytes_done,
            stopped: Ok(()),
        })
    }

    /// Takes the next batch in; `false` when there is none or it was stopped.
    pub(super) async fn take_next(&mut self) -> Result<bool, LibraryError> {
        if self.stopped.is_err() {
            return Ok(false);
        }
        let Some(Parcel { mut batch, records, .. }) = self.inbox.recv().await else {
            return Ok(false);
        };
        let Incoming { store, index, import, filing, bounds, speed, .. } = self;
        self.bytes_done = batch.bytes_done;
        speed.bad += batch.problems.len() as u64;
        let room = usize::try_from(bounds.games.saturating_sub(speed.games)).unwrap_or(usize::MAX);
        if batch.games.len() > room {
            self.stopped = Err(LibraryError::Full(bounds.games_in_all));
        }
        batch.games.truncate(room);
        let filed = filing.lock().await;
        let numbers = store.import_batch(import.id, import.account, batch).await?;
        let numbered = numbers.iter().zip(records).filter_map(|(number, mut record)| {
            record.facts.seq = super::sheets::number((*number)?);
            Some(record)
        });
        let fresh: Vec<Record> = numbered.collect();
        speed.games += fresh.len() as u64;
        speed.duplicates += (numbers.len() - fresh.len()) as u64;
        index.add(fresh);
        drop(filed);
        if index.is_due(true) {
            let index = index.clone();
            run_blocking(move || index.tend(true)).await?;
        }
        Ok(true)
    }

    /// Bytes of the file that are not dealt with yet.
    pub(super) fn left(&self) -> i64 {
        self.import.bytes.saturating_sub(self.bytes_done)
    }

    /// Takes no more of it, and says why in the end.
    pub(super) fn stop(&mut self, reason: LibraryError) {
        self.stopped = Err(reason);
    }

    /// Lets go of the file. What came in stays, also if it was stopped or could not be read to its end.
    pub(super) async fn finish(self) -> Result<ImportSpeed, LibraryError> {
        let Incoming { index, inbox, reading, speed, stopped, .. } = self;
        drop(inbox);
        let read = reading.await.map_err(|error| LibraryError::Fault(error.to_string()))?;
        let index = index.clone();
        run_blocking(move || index.flush()).await?;
        stopped?;
        match read {
            Ok(()) => Ok(speed),
            Err(IntakeError::Read(error)) => Err(LibraryError::File(error)),
            Err(other) => Err(LibraryError::BadFile(other.to_string())),
        }
    }
}

async fn run_blocking(
    work: impl FnOnce() -> Result<(), library::IndexError> + Send + 'static,
) -> Result<(), LibraryError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| LibraryError::Fault(error.to_string()))??)
}

/// Reads the file and sends parcels, until it ends or nobody wants them any more.
fn read(
    file: File,
    most: u64,
    skip: i64,
    owner: AccountId,
    parcels: &mpsc::Sender<Parcel>,
) -> Result<(), IntakeError> {
    let mut packer = Packer::default();
    let mut parcel = Parcel::default();
    let progress = Progress::default();
    let mut seen = 0;
    let send = |parcel: &mut Parcel| {
        let mut full = std::mem::take(parcel);
        full.batch.bytes_done = i64::try_from(progress.bytes()).unwrap_or(i64::MAX);
        match parcels.blocking_send(full) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let read = read_trails(file, most, &progress, &mut |item, trail| {
        seen += 1;
        if seen <= skip {
            return ControlFlow::Continue(());
        }
        parcel.take(item, trail, owner, &mut packer);
        if parcel.is_full() { send(&mut parcel) } else { ControlFlow::Continue(()) }
    });
    // What came before the place where a file breaks off is kept like the rest.
    let _ = send(&mut parcel);
    read
}

impl Parcel {
    fn is_full(&self) -> bool {
        self.records.len() >= GAMES
            || self.bytes >= BYTES
            || usize::try_from(self.batch.items).is_ok_and(|items| items >= ITEMS)
    }

    /// Takes a game that is good; one with an error is noted with its line and left out.
    fn take(&mut self, item: Item, trail: &Trail, owner: AccountId, packer: &mut Packer) {
        self.batch.items += 1;
        let read = match item {
            Item::Stray(problem) => return self.note(&problem),
            Item::Game(read) => read,
        };
        if let Some(error) = read.error() {
            self.note(error);
            return;
        }
        if read.game.line.nodes.is_empty() && read.game.tags.is_empty() {
            return;
        }
        let heading = Heading::of(&read.game.tags);
        let mut record = Record::along(&read.game, &heading, trail);
        let Some(packed) = packer.pack_with(&read.game, &record) else { return };
        record.facts.owner = owner_number(owner);
        self.bytes += packed.len() + record.bytes();
        if let Some(game) = game_here(read.game.tags.get("Site")) {
            self.batch.here.push((self.batch.games.len(), game));
        }
        self.batch.games.push((body::digest_along(&read.game, &heading, trail), packed));
        self.records.push(record);
    }

    fn note(&mut self, problem: &Problem) {
        if problem.severity() == Severity::Remark {
            return;
        }
        let reason = problem.kind.to_string();
        let line = i64::try_from(problem.place.line).unwrap_or(i64::MAX);
        self.batch
            .problems
            .push(ImportProblem { line, reason: reason.chars().take(300).collect() });
    }
}

/// The game of this club that a game may be by its tag, which is what an export writes: an address that ends in its id.
/// Other sites have such ids too; whoever brings the file has hardly played a game of that very id here.
fn game_here(site: Option<&str>) -> Option<GameId> {
    site?.rsplit_once('/')?.1.parse().ok()
}

/// Whether an import may be tried again later, because only the storage was away.
pub(super) fn is_passing(error: &LibraryError) -> bool {
    matches!(error, LibraryError::Store(StoreError::Away(_) | StoreError::Unknown(_)))
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;

    /// The parcels of a file with so many games, each with these moves.
    fn parcels(games: usize, moves: &str) -> Vec<Parcel> {
        let mut parcels = vec![Parcel::default()];
        let mut packer = Packer::default();
        let game = |round| format!("[Round \"{round}\"]\n\n{moves} *\n\n");
        let mut file = tempfile::tempfile().expect("a file");
        let text: String = (0..games).map(game).collect();
        file.write_all(text.as_bytes()).and_then(|()| file.rewind()).expect("a disk with room");
        read_trails(file, u64::MAX, &Progress::default(), &mut |item, trail| {
            let last = parcels.last_mut().expect("there is one");
            last.take(item, trail, AccountId::from_bits(1), &mut packer);
            if last.is_full() {
                parcels.push(Parcel::default());
            }
            ControlFlow::Continue(())
        })
        .expect("it is text");
        parcels
    }

    #[test]
    fn a_parcel_of_long_games_is_full_before_one_of_short_games() {
        assert_eq!(parcels(GAMES + 1, "1. e4 e5").len(), 2);
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(2_500);
        let parcels = parcels(60, &long);
        assert!(parcels.len() > 1, "sixty games of ten thousand plies are too much for one commit");
        for parcel in &parcels {
            assert!(parcel.bytes < BYTES + (1 << 20), "{} bytes", parcel.bytes);
        }
        assert_eq!(parcels.iter().map(|parcel| parcel.records.len()).sum::<usize>(), 60);
    }
}
