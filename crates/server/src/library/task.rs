//! What lives on: games that end flow in, interrupted imports go on, the index is kept in order.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::Ordering;

use library::Record;
use rules::UnixMillis;
use store::{GameId, Import, ImportState, LibraryGame, LibraryNumber, StoreError};
use tokio::sync::{MutexGuard, broadcast, mpsc, watch};

use super::importing::{Bounds, Incoming, is_passing};
use super::sheets;
use super::{Inner, Library, LibraryError};

/// In what the index differs from the database.
struct Difference {
    /// Games that are not in the index.
    missing: Vec<LibraryNumber>,
    /// Numbers in the index that are no games.
    gone: HashSet<u64>,
    /// How many games are in both.
    shared: usize,
}

/// What the task is asked to do.
pub(super) enum Order {
    /// The file of an import is there whole; it has so many bytes.
    Import(i64, i64),
}

/// Games that are read at once when the index catches up.
const PAGE: i64 = 512;
/// Games that are read at once when some are missing in the index.
const AT_ONCE: usize = 512;
/// How often it is looked whether somebody has left or is called otherwise, and whether something was missed.
const LOOK: i64 = 2_000;
/// How long after trouble with the storage an import tries again.
const AGAIN: i64 = 5_000;
/// A file that has so many times as much left lets a smaller one go first.
const LETS_PAST: i64 = 10;
/// Uploads that did not go on for so long are given up.
const FORGOTTEN: i64 = 24 * HOUR;
const HOUR: i64 = 3_600_000;

/// Starts the two tasks: one for the games that end, one for the files.
pub(super) fn start(
    library: &Library,
    finished: broadcast::Receiver<GameId>,
    orders: mpsc::UnboundedReceiver<Order>,
    ready: watch::Sender<bool>,
) {
    tokio::spawn(keep_up(library.clone(), finished, ready));
    tokio::spawn(import_files(library.clone(), orders));
}

async fn keep_up(
    library: Library,
    mut finished: broadcast::Receiver<GameId>,
    ready: watch::Sender<bool>,
) {
    let time = library.0.world.time.clone();
    while let Err(error) = library.catch_up().await {
        tracing::error!(%error, "the library cannot be brought up to date; trying again");
        time.sleep(AGAIN).await;
    }
    ready.send_replace(true);
    loop {
        let done = tokio::select! {
            ended = finished.recv() => match ended {
                Ok(game) => library.take_in(vec![game]).await,
                Err(broadcast::error::RecvError::Lagged(_)) => library.take_in_missing().await,
                Err(broadcast::error::RecvError::Closed) => return,
            },
            () = time.sleep(LOOK) => match library.tidy().await {
                Ok(()) if library.0.has_missed.swap(false, Ordering::Relaxed) => {
                    library.look_again().await
                }
                done => done,
            },
        };
        if let Err(error) = done {
            tracing::warn!(%error, "the library missed something; it is looked for again in a moment");
            library.note_missed();
        }
    }
}

/// Files that wait to be read, in the order in which they came.
struct Queue {
    orders: mpsc::UnboundedReceiver<Order>,
    waiting: VecDeque<(i64, i64)>,
}

impl Queue {
    async fn next(&mut self) -> Option<i64> {
        if let Some((id, _)) = self.waiting.pop_front() {
            return Some(id);
        }
        self.orders.recv().await.map(|Order::Import(id, _)| id)
    }

    /// The first file that has no more than so many bytes.
    fn next_within(&mut self, most: i64) -> Option<i64> {
        while let Ok(Order::Import(id, bytes)) = self.orders.try_recv() {
            self.waiting.push_back((id, bytes));
        }
        let at = self.waiting.iter().position(|(_, bytes)| *bytes <= most)?;
        self.waiting.remove(at).map(|(id, _)| id)
    }
}

/// One file after the other: an import takes the processor it can get, and two would take twice of it. But a big one
/// does not keep small ones waiting.
async fn import_files(library: Library, orders: mpsc::UnboundedReceiver<Order>) {
    let mut queue = Queue { orders, waiting: VecDeque::new() };
    match library.0.store.open_imports().await {
        Ok(open) => {
            let open = open.into_iter().filter(|import| import.state == ImportState::Running);
            queue.waiting.extend(open.map(|import| (import.id, import.bytes)));
        }
        Err(error) => tracing::error!(%error, "interrupted imports cannot be found"),
    }
    // The index catches up with the database first: a game that comes in meanwhile would be in it twice.
    library.ready().await;
    while let Some(id) = queue.next().await {
        library.run_import(id, Some(&mut queue)).await;
    }
}

/// An import whose file is being read, until this goes.
struct Going<'a>(&'a Library, i64);

impl<'a> Going<'a> {
    fn begin(library: &'a Library, import: i64) -> Going<'a> {
        library.going().push(import);
        Going(library, import)
    }
}

impl Drop for Going<'_> {
    fn drop(&mut self) {
        self.0.going().retain(|import| *import != self.1);
    }
}

impl Library {
    /// Brings the index to the state of the database.
    async fn catch_up(&self) -> Result<(), LibraryError> {
        let covered = LibraryNumber(i64::try_from(self.0.index.covered()).unwrap_or(i64::MAX));
        let (stored, _) = self.0.store.count_library_games(covered).await?;
        let known = self.0.index.counts().games;
        let mut after = covered;
        if u64::try_from(stored) != Ok(known) && !self.add_missing(covered).await? {
            tracing::info!(stored, known, "the index of the library is built again");
            self.ask(library::Index::clear).await?;
            after = LibraryNumber(0);
        }
        self.add_after(after).await?;
        self.take_in_missing().await
    }

    /// Puts those stored games up to a number into the index that are not there, if that is all that is different.
    ///
    /// So it is when a game cannot be read: it will be missing at every start, which is no reason to read all others.
    async fn add_missing(&self, up_to: LibraryNumber) -> Result<bool, LibraryError> {
        let Difference { missing, gone, shared } = self.compare(up_to).await?;
        if !gone.is_empty() || missing.len() > shared {
            return Ok(false);
        }
        self.add_stored(&missing).await?;
        Ok(true)
    }

    /// In what the index differs from the database, as far as a number.
    async fn compare(&self, up_to: LibraryNumber) -> Result<Difference, LibraryError> {
        let stored = self.0.store.library_numbers().await?;
        let mut known: HashSet<u64> = self.ask(|index| Ok(index.numbers())).await?;
        let stored = stored.into_iter().filter(|number| *number <= up_to);
        let (there, missing): (Vec<LibraryNumber>, Vec<LibraryNumber>) =
            stored.partition(|number| known.remove(&sheets::number(*number)));
        Ok(Difference { missing, gone: known, shared: there.len() })
    }

    async fn add_stored(&self, missing: &[LibraryNumber]) -> Result<(), LibraryError> {
        tracing::info!(missing = missing.len(), "games are missing in the index of the library");
        for numbers in missing.chunks(AT_ONCE) {
            let records = self.records_of(self.0.store.load_library_games(numbers).await?).await?;
            self.ask(move |index| {
                index.add(records);
                if index.is_due(true) { index.tend(true) } else { Ok(()) }
            })
            .await?;
        }
        Ok(())
    }

    /// Puts every stored game behind a number into the index.
    async fn add_after(&self, mut after: LibraryNumber) -> Result<(), LibraryError> {
        loop {
            let page = self.0.store.library_games_after(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.number;
            let records = self.records_of(page).await?;
            self.ask(move |index| {
                index.add(records);
                if index.is_due(true) { index.tend(true) } else { Ok(()) }
            })
            .await?;
        }
    }

    /// Finished games that did not flow in, because the process ended before.
    async fn take_in_missing(&self) -> Result<(), LibraryError> {
        loop {
            let missing = self.0.store.games_missing_in_library(PAGE).await?;
            if missing.is_empty() {
                return Ok(());
            }
            self.take_in(missing).await?;
        }
    }

    /// After trouble: finished games that are not in the database's library, and whatever the index has less or more
    /// than it.
    async fn look_again(&self) -> Result<(), LibraryError> {
        self.take_in_missing().await?;
        let _filing = self.filing().await;
        let Difference { missing, gone, .. } = self.compare(LibraryNumber(i64::MAX)).await?;
        if !gone.is_empty() {
            self.ask(move |index| index.remove(&gone)).await?;
        }
        if !missing.is_empty() {
            self.add_stored(&missing).await?;
        }
        Ok(())
    }

    /// Something may be in the database and not in the index, or the other way round: the two are compared soon.
    pub(super) fn note_missed(&self) {
        self.0.has_missed.store(true, Ordering::Relaxed);
    }

    /// Hands on what came of a write. If nobody knows whether it was kept, the index may be behind the database.
    pub(crate) fn watch<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        if matches!(done, Err(StoreError::Unknown(_))) {
            self.note_missed();
        }
        done
    }

    /// Takes finished games into the database and the index.
    async fn take_in(&self, games: Vec<GameId>) -> Result<(), LibraryError> {
        let _filing = self.filing().await;
        let numbers = self.0.store.add_played_games(games).await?;
        self.index_games(&numbers).await
    }

    /// Keeps everybody else from filing: held from a commit until its games are in the index, so that nobody who
    /// compares the two in between files them a second time.
    pub(crate) async fn filing(&self) -> MutexGuard<'_, ()> {
        self.0.filing.lock().await
    }

    /// Takes games into the index that have just come into the database.
    pub(crate) async fn index_games(&self, numbers: &[LibraryNumber]) -> Result<(), LibraryError> {
        if numbers.is_empty() {
            return Ok(());
        }
        let done = self.read_and_index(numbers).await;
        if done.is_err() {
            self.note_missed();
        }
        done
    }

    async fn read_and_index(&self, numbers: &[LibraryNumber]) -> Result<(), LibraryError> {
        let records = self.records_of(self.0.store.load_library_games(numbers).await?).await?;
        // While a file comes in, whoever reads it tends the index: what lies there in heaps would be cut small here,
        // and the file would wait for it.
        let is_bulk = !self.going().is_empty();
        self.ask(move |index| {
            index.add(records);
            if !is_bulk && index.is_due(false) { index.tend(false) } else { Ok(()) }
        })
        .await
    }

    /// The imports whose files are being read: one, or a small one that goes past a big one.
    pub(super) fn going(&self) -> parking_lot::MutexGuard<'_, Vec<i64>> {
        self.0.going.lock()
    }

    /// Stored games as the index takes them in.
    async fn records_of(&self, stored: Vec<LibraryGame>) -> Result<Vec<Record>, LibraryError> {
        let shown = sheets::show_all(&self.0.store, &self.0.site, stored).await?;
        Ok(shown.iter().map(sheets::Shown::record).collect())
    }

    /// When somebody has left, the games of their files go; when somebody is called otherwise, the games they played
    /// get new numbers. Some at a time: whoever plays or files a game meanwhile waits for one part of it at most.
    async fn tidy(&self) -> Result<(), LibraryError> {
        // What many games are gone of is written anew here: whoever removed them need not wait for it.
        if self.0.index.is_worn() {
            self.ask(library::Index::renew).await?;
        }
        loop {
            let _filing = self.filing().await;
            let done = self.0.store.tidy_library().await?;
            self.forget(done.gone).await?;
            self.index_games(&done.fresh).await?;
            if !done.is_more {
                return Ok(());
            }
        }
    }

    async fn run_import(&self, id: i64, mut queue: Option<&mut Queue>) {
        let store = &self.0.store;
        let going = Going::begin(self, id);
        loop {
            let import = match store.load_import(id).await {
                Ok(import) if import.state == ImportState::Running => import,
                Ok(_) | Err(StoreError::NotFound) => break,
                Err(error) => {
                    tracing::warn!(%error, "an import waits for the storage");
                    self.0.world.time.sleep(AGAIN).await;
                    continue;
                }
            };
            let (state, problem) = match self.import(&import, queue.as_deref_mut()).await {
                Ok(()) => (ImportState::Done, String::new()),
                // Its owner has stopped it meanwhile.
                Err(LibraryError::Store(StoreError::Conflict)) => break,
                Err(error) if is_passing(&error) => {
                    // A batch whose answer is lost may be in the database, and is not in the index.
                    self.note_missed();
                    self.0.world.time.sleep(AGAIN).await;
                    continue;
                }
                Err(error) => {
                    tracing::info!(%error, import = id, "an import failed");
                    (ImportState::Failed, error.to_string())
                }
            };
            match store.end_import(id, state, problem, self.now()).await {
                Ok(()) => break,
                Err(error) => {
                    tracing::warn!(%error, "an import waits for the storage");
                    self.0.world.time.sleep(AGAIN).await;
                }
            }
        }
        drop(going);
        let _ = tokio::fs::remove_file(self.spooled(id)).await;
    }

    async fn import(
        &self,
        import: &Import,
        mut queue: Option<&mut Queue>,
    ) -> Result<(), LibraryError> {
        let file = self.spooled(import.id);
        let Inner { store, index, world, filing, config, .. } = &*self.0;
        let there = store.count_imported_games(import.account).await?;
        let bounds = Bounds {
            bytes: config.unpacked_bytes,
            games: config.games_per_person.saturating_sub(u64::try_from(there).unwrap_or(0)),
            games_in_all: config.games_per_person,
        };
        let mut last = world.time.now().0 + i64::from(config.import_hours) * HOUR;
        let mut incoming = Incoming::open(store, index, import, &file, bounds, filing)?;
        while incoming.take_next().await? {
            if world.time.now().0 >= last {
                incoming.stop(LibraryError::TooSlow(config.import_hours));
            } else if let Some(queue) = &mut queue {
                last += self.let_past(queue, incoming.left() / LETS_PAST).await;
            }
        }
        incoming.finish().await.map(drop)
    }

    /// Reads the files of at most so many bytes that wait behind a big one, and gives how long that took.
    async fn let_past(&self, queue: &mut Queue, most: i64) -> i64 {
        let begin = self.now().0;
        while let Some(id) = queue.next_within(most) {
            Box::pin(self.run_import(id, None)).await;
        }
        self.now().0 - begin
    }

    pub(super) fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    /// Gives up uploads that nobody goes on with.
    pub(super) async fn give_up_old_uploads(&self) -> Result<(), LibraryError> {
        let now = self.now();
        for import in self.0.store.open_imports().await? {
            if import.state == ImportState::Uploading && now.0 - import.created_at.0 > FORGOTTEN {
                self.0
                    .store
                    .end_import(import.id, ImportState::Cancelled, String::new(), now)
                    .await?;
                let _ = tokio::fs::remove_file(self.spooled(import.id)).await;
            }
        }
        Ok(())
    }
}
