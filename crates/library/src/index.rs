//! The index: segments in a folder, the newest games in memory, and how the one becomes the other.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rules::opening;
use rules::shakmaty::Chess;

use crate::facts::Facts;
use crate::filter::{Filter, View};
use crate::growing::{Begin, Growing, Record};
use crate::query::{Counting, Dead, Explored, Found, Newest, Page, Question, is_dead};
use crate::segment::{
    Builder, MOST_GAMES, Piece, Segment, Shown, Views, WalkedReader, WalkedWriter,
};

/// Games that wait in memory before they become a segment; more while a whole file comes in.
const WAITING: usize = 1_024;
const WAITING_IN_BULK: usize = 65_536;
/// And bytes: a file of endless games must not take all memory. Usual games are counted before they are this long.
const WAITING_BYTES: usize = 96 << 20;
/// So many segments of like size become one.
const FEW: usize = 8;

/// Why the index cannot answer or grow.
#[derive(Debug, thiserror::Error)]
#[error("the index of the library: {0}")]
pub struct IndexError(#[from] io::Error);

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Games that can be found.
    pub games: u64,
    /// Segments on the disk.
    pub segments: usize,
    /// Bytes on the disk.
    pub bytes: u64,
}

/// A segment and what was deleted of it.
#[derive(Clone)]
struct Held {
    segment: Arc<Segment>,
    dead: Arc<Dead>,
    /// What was asked of it lately; others than these when its games change.
    views: Arc<Views>,
    /// Its games with every position, if it was written while a big file came in.
    walked: Option<Arc<fs::File>>,
}

impl Held {
    fn new(segment: Segment, dead: Dead, walked: Option<fs::File>) -> Held {
        let (segment, dead) = (Arc::new(segment), Arc::new(dead));
        Held { segment, dead, views: Arc::default(), walked: walked.map(Arc::new) }
    }

    /// The games that a view shows.
    fn shown(&self, view: &View) -> Arc<Shown> {
        self.views.shown(&self.segment.columns, &self.dead, view)
    }

    fn dead_games(&self) -> usize {
        self.dead.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether most of what it holds is gone.
    fn is_worn(&self) -> bool {
        self.dead_games() * 2 > self.segment.len()
    }

    /// What is dead of it when these games go too; none if it has none of them.
    fn without(&self, gone: &HashSet<u64>) -> Option<Dead> {
        let mut dead = self.dead.to_vec();
        dead.resize(self.segment.len().div_ceil(64), 0);
        for (game, _) in
            self.segment.columns.seq.iter().enumerate().filter(|(_, seq)| gone.contains(seq))
        {
            dead[game / 64] |= 1 << (game % 64);
        }
        (dead.iter().any(|word| *word != 0) && dead != *self.dead).then_some(dead)
    }

    fn delete(&self) -> io::Result<()> {
        let _ = fs::remove_file(self.segment.path.with_extension("dead"));
        fs::remove_file(&self.segment.path)
    }
}

#[derive(Default)]
struct State {
    segments: Vec<Held>,
    /// Games that are being written into a segment just now.
    freezing: Option<Growing>,
    growing: Growing,
    /// Every game up to this number is in a segment.
    covered: u64,
    next_file: u64,
}

impl State {
    fn is_full(&self, in_bulk: bool) -> bool {
        let most = if in_bulk { WAITING_IN_BULK } else { WAITING };
        self.growing.len() >= most || self.growing.bytes() >= WAITING_BYTES
    }
}

/// Many games, to be asked. Answers never wait for writing; writing waits for writing.
///
/// Whoever asks takes what is there just then and lets go of the state; whoever writes has it only for the moment in
/// which what is on the disk already becomes true.
pub struct Index {
    folder: PathBuf,
    state: RwLock<State>,
    /// Held by whoever changes the set of segments.
    tending: Mutex<()>,
}

impl Index {
    /// Opens a folder, or begins one. What cannot be read is left out: the caller sees by the counts that games are
    /// missing, and puts them in again. So it is when the table of openings is another: its numbers are in the segments.
    pub fn open(folder: &Path) -> Result<Index, IndexError> {
        fs::create_dir_all(folder)?;
        let mut state = State::default();
        let manifest = fs::read_to_string(folder.join("manifest")).unwrap_or_default();
        let mut lines = manifest.lines();
        let covered = lines.next().and_then(|line| {
            let (covered, openings) = line.split_once(' ')?;
            covered.parse().ok().filter(|_| openings.parse() == Ok(opening::digest()))
        });
        let names: Vec<&str> = lines.collect();
        let segments: io::Result<Vec<Held>> =
            names.iter().map(|name| open_held(folder, name)).collect();
        if let (Some(covered), Ok(segments)) = (covered, segments) {
            state.covered = covered;
            state.segments = segments;
        }
        let is_known = |name: &str| {
            state
                .segments
                .iter()
                .any(|held| held.segment.path.file_stem() == Path::new(name).file_stem())
        };
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let number = name.split('.').next().and_then(|stem| stem.parse::<u64>().ok());
            if let Some(number) = number {
                state.next_file = state.next_file.max(number + 1);
                if !is_known(&name) {
                    fs::remove_file(entry.path())?;
                }
            }
        }
        Ok(Index { folder: folder.to_owned(), state: RwLock::new(state), tending: Mutex::new(()) })
    }

    /// Every game up to this number is on the disk here; later ones have to be put in again after a start.
    pub fn covered(&self) -> u64 {
        self.read().covered
    }

    /// How much there is.
    pub fn counts(&self) -> Counts {
        let (segments, growing) = self.now();
        let size = |held: &Held| fs::metadata(&held.segment.path).map_or(0, |data| data.len());
        let in_segments: usize =
            segments.iter().map(|held| held.segment.len().saturating_sub(held.dead_games())).sum();
        let in_memory: usize = growing.iter().map(Growing::len).sum();
        Counts {
            games: (in_segments + in_memory) as u64,
            segments: segments.len(),
            bytes: segments.iter().map(size).sum(),
        }
    }

    /// What there is just now, to be asked without keeping anybody from writing.
    fn now(&self) -> (Vec<Held>, [Growing; 2]) {
        let state = self.read();
        let freezing = state.freezing.clone().unwrap_or_default();
        (state.segments.clone(), [freezing, state.growing.clone()])
    }

    /// Takes games in. They are found at once; [`Index::tend`] brings them to the disk.
    pub fn add(&self, records: impl IntoIterator<Item = Record>) {
        let mut state = self.write();
        records.into_iter().for_each(|record| state.growing.add(record));
    }

    /// Whether [`Index::tend`] has something to do.
    pub fn is_due(&self, in_bulk: bool) -> bool {
        let state = self.read();
        state.is_full(in_bulk) || alike(&state.segments).is_some()
    }

    /// Does what is due: writes waiting games, merges segments. Takes its time; run it beside everything else.
    pub fn tend(&self, in_bulk: bool) -> Result<(), IndexError> {
        let tending = self.lock();
        if self.read().is_full(in_bulk) {
            self.freeze(&tending)?;
        }
        while self.merge(&tending)? {}
        Ok(())
    }

    /// Writes all waiting games, however few.
    pub fn flush(&self) -> Result<(), IndexError> {
        let tending = self.lock();
        if self.read().growing.len() > 0 {
            self.freeze(&tending)?;
        }
        while self.merge(&tending)? {}
        Ok(())
    }

    /// Whether there are segments of which most is gone.
    pub fn is_worn(&self) -> bool {
        self.read().segments.iter().any(Held::is_worn)
    }

    /// Writes anew what most is gone of, and leaves games that wait alone.
    pub fn renew(&self) -> Result<(), IndexError> {
        let tending = self.lock();
        while self.is_worn() && self.merge(&tending)? {}
        Ok(())
    }

    fn freeze(&self, _tending: &MutexGuard<'_, ()>) -> Result<(), IndexError> {
        let (frozen, path, is_bulk) = {
            let mut state = self.write();
            let is_bulk = state.is_full(true);
            let frozen = std::mem::take(&mut state.growing);
            state.freezing = Some(frozen.clone());
            (frozen, self.next_path(&mut state), is_bulk)
        };
        let written = self.write_frozen(&frozen, &path, is_bulk);
        let mut state = self.write();
        state.freezing = None;
        match written {
            Ok((segments, covered)) => {
                (state.segments, state.covered) = (segments, covered);
                Ok(())
            }
            Err(error) => {
                // Nothing is lost: the games go back to the others.
                frozen.records().cloned().for_each(|record| state.growing.add(record));
                Err(error)
            }
        }
    }

    /// Writes a segment and the list with it; gives that list, and up to where everything is in it.
    fn write_frozen(
        &self,
        frozen: &Growing,
        path: &Path,
        is_bulk: bool,
    ) -> Result<(Vec<Held>, u64), IndexError> {
        let (segment, walked) = write_sorted(frozen, path, is_bulk.then_some(&self.folder))?;
        let newest = frozen.records().map(|record| record.facts.seq).max().unwrap_or(0);
        let (mut segments, covered) = self.listed();
        segments.push(Held::new(segment, Dead::new(), walked));
        let covered = covered.max(newest);
        self.write_manifest(covered, &segments)?;
        Ok((segments, covered))
    }

    fn merge(&self, _tending: &MutexGuard<'_, ()>) -> Result<bool, IndexError> {
        let (few, path) = {
            let mut state = self.write();
            let Some(few) = alike(&state.segments) else { return Ok(false) };
            (few, self.next_path(&mut state))
        };
        let merged = merge_into(&few, &path)?;
        let is_old = |held: &Held| few.iter().any(|old| old.segment.path == held.segment.path);
        let (mut segments, covered) = self.listed();
        segments.retain(|held| !is_old(held));
        segments.push(Held::new(merged, Dead::new(), None));
        self.write_manifest(covered, &segments)?;
        self.write().segments = segments;
        few.iter().try_for_each(Held::delete)?;
        Ok(true)
    }

    /// Leaves games out from now on. A segment of which nothing is left goes at once.
    pub fn remove(&self, gone: &HashSet<u64>) -> Result<(), IndexError> {
        let _tending = self.lock();
        let (segments, covered) = self.listed();
        let (mut kept, mut empty) = (Vec::with_capacity(segments.len()), Vec::new());
        for held in segments {
            let Some(dead) = held.without(gone) else {
                kept.push(held);
                continue;
            };
            let held = Held { dead: Arc::new(dead), views: Arc::default(), ..held };
            if held.dead_games() == held.segment.len() {
                empty.push(held);
                continue;
            }
            let bytes: Vec<u8> = held.dead.iter().flat_map(|word| word.to_le_bytes()).collect();
            write_durably(&held.segment.path.with_extension("dead"), &bytes)?;
            kept.push(held);
        }
        if !empty.is_empty() {
            self.write_manifest(covered, &kept)?;
        }
        {
            let mut state = self.write();
            state.segments = kept;
            let growing = std::mem::take(&mut state.growing);
            state.growing = growing.without(|seq| gone.contains(&seq));
        }
        Ok(empty.iter().try_for_each(Held::delete)?)
    }

    /// The numbers of all games that can be found.
    pub fn numbers(&self) -> HashSet<u64> {
        let mut numbers = HashSet::new();
        let (segments, growing) = self.now();
        for held in &segments {
            let seqs = held.segment.columns.seq.iter().enumerate();
            numbers
                .extend(seqs.filter(|(game, _)| !is_dead(&held.dead, *game)).map(|(_, seq)| seq));
        }
        numbers.extend(growing.iter().flat_map(Growing::records).map(|record| record.facts.seq));
        numbers
    }

    /// Forgets everything, to begin again.
    pub fn clear(&self) -> Result<(), IndexError> {
        let _tending = self.lock();
        self.write_manifest(0, &[])?;
        let old = {
            let mut state = self.write();
            state.growing = Growing::default();
            state.covered = 0;
            std::mem::take(&mut state.segments)
        };
        Ok(old.iter().try_for_each(Held::delete)?)
    }

    /// What the games did in a position.
    pub fn explore(
        &self,
        position: &Chess,
        view: &View,
        filter: &Filter,
    ) -> Result<Explored, IndexError> {
        let question = Question::new(view, filter, Some(position));
        let mut counting = Counting::default();
        let (segments, growing) = self.now();
        for held in &segments {
            question.explore_segment(&held.segment, &held.shown(view), &mut counting)?;
        }
        for chunk in growing.iter().flat_map(Growing::chunks) {
            question.explore_chunk(chunk, &mut counting);
        }
        Ok(counting.finish())
    }

    /// Games by their facts, newest first; with a position only those that were in it.
    pub fn list(
        &self,
        position: Option<&Chess>,
        view: &View,
        filter: &Filter,
        before: Option<Found>,
        limit: usize,
    ) -> Result<Page, IndexError> {
        let mut newest = Newest::new(before, limit);
        let question = Question::new(view, filter, position);
        let (segments, growing) = self.now();
        for held in &segments {
            let shown = held.shown(view);
            question.each_in_segment(&held.segment, &shown, |c, game| newest.take(c, game))?;
        }
        for chunk in growing.iter().flat_map(Growing::chunks) {
            question.each_in_chunk(chunk, |columns, game| newest.take(columns, game));
        }
        Ok(newest.finish())
    }

    /// Hands over the facts of every game that is wanted, in no order.
    pub fn each(
        &self,
        view: &View,
        filter: &Filter,
        mut take: impl FnMut(Facts),
    ) -> Result<(), IndexError> {
        let question = Question::new(view, filter, None);
        let (segments, growing) = self.now();
        for held in &segments {
            let shown = held.shown(view);
            question.each_in_segment(&held.segment, &shown, |columns, game| {
                take(columns.facts(game));
            })?;
        }
        for chunk in growing.iter().flat_map(Growing::chunks) {
            question.each_in_chunk(chunk, |columns, game| take(columns.facts(game)));
        }
        Ok(())
    }

    fn next_path(&self, state: &mut State) -> PathBuf {
        state.next_file += 1;
        self.folder.join(format!("{}.games", state.next_file))
    }

    /// The segments and up to where they hold everything. Nobody but the one who tends changes them.
    fn listed(&self) -> (Vec<Held>, u64) {
        let state = self.read();
        (state.segments.clone(), state.covered)
    }

    fn write_manifest(&self, covered: u64, segments: &[Held]) -> Result<(), IndexError> {
        let mut text = format!("{covered} {}\n", opening::digest());
        for held in segments {
            let name = held.segment.path.file_name().unwrap_or_default();
            text.push_str(&name.to_string_lossy());
            text.push('\n');
        }
        Ok(write_durably(&self.folder.join("manifest"), text.as_bytes())?)
    }

    // A panic elsewhere leaves whole values behind: every change is a push or a swap.
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.tending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open_held(folder: &Path, name: &str) -> io::Result<Held> {
    let segment = Segment::open(&folder.join(name))?;
    let dead = match fs::read(segment.path.with_extension("dead")) {
        Ok(bytes) => {
            let words =
                bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
            words.collect()
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Dead::new(),
        Err(error) => return Err(error),
    };
    Ok(Held::new(segment, dead, None))
}

/// One that is worn, or else segments of like size, if there are enough of them to be worth merging.
fn alike(segments: &[Held]) -> Option<Vec<Held>> {
    if let Some(worn) = segments.iter().find(|held| held.is_worn()) {
        return Some(vec![worn.clone()]);
    }
    let class = |held: &Held| held.segment.len().max(1).ilog2() / 3;
    (0..8).find_map(|wanted| {
        let few: Vec<Held> =
            segments.iter().filter(|held| class(held) == wanted).cloned().collect();
        let games: usize = few.iter().map(|held| held.segment.len()).sum();
        (few.len() >= FEW && games <= MOST_GAMES).then_some(few)
    })
}

/// Writes a segment; with a folder to put it, also what is known of its games' positions.
fn write_sorted(
    growing: &Growing,
    path: &Path,
    aside: Option<&PathBuf>,
) -> io::Result<(Segment, Option<fs::File>)> {
    // Most games are told apart by their first moves: those lie side by side while they are sorted.
    let mut order: Vec<(Begin, &Record)> =
        growing.records().map(|record| (record.begin(), record)).collect();
    order.sort_unstable_by(|(begin, a), (other, b)| {
        begin.cmp(other).then_with(|| a.order().cmp(&b.order()))
    });
    let mut builder = Builder::new(path)?;
    let mut walked = aside.map(|folder| WalkedWriter::new(folder)).transpose()?;
    for (_, record) in order {
        if let Some(walked) = &mut walked {
            walked.add(record)?;
        }
        builder.add(Cow::Borrowed(record))?;
    }
    builder.finish()?;
    let walked = walked.map(WalkedWriter::finish).transpose()?;
    Ok((Segment::open(path)?, walked))
}

fn merge_into(few: &[Held], path: &Path) -> io::Result<Segment> {
    let mut builder = Builder::new(path)?;
    let mut sources = few.iter().map(Source::new).collect::<io::Result<Vec<_>>>()?;
    for source in &mut sources {
        source.advance()?;
    }
    loop {
        let heads = sources.iter().enumerate();
        let heads = heads.filter_map(|(at, source)| Some((source.head.as_ref()?.order(), at)));
        let first = heads.min().map(|(_, at)| at);
        let Some(first) = first.and_then(|at| sources.get_mut(at)) else { break };
        if let Some(record) = first.head.take() {
            builder.add(Cow::Owned(record))?;
        }
        first.advance()?;
    }
    builder.finish()?;
    Segment::open(path)
}

/// The games of a segment one by one.
struct Source<'h> {
    held: &'h Held,
    piece: Piece,
    walked: Option<WalkedReader>,
    next: u32,
    head: Option<Record>,
}

impl<'h> Source<'h> {
    fn new(held: &'h Held) -> io::Result<Source<'h>> {
        let walked = held.walked.as_deref().map(WalkedReader::new).transpose()?;
        Ok(Source { held, piece: Piece::default(), walked, next: 0, head: None })
    }

    fn advance(&mut self) -> io::Result<()> {
        self.head = None;
        while (self.next as usize) < self.held.segment.len() {
            let game = self.next;
            self.next += 1;
            let segment = &self.held.segment;
            let record = segment.record(game, &mut self.piece, self.walked.as_mut())?;
            if !is_dead(&self.held.dead, game as usize) {
                self.head = Some(record);
                break;
            }
        }
        Ok(())
    }
}

/// A file that is there whole or not at all.
fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use rules::pgn::{Item, Limits, read_games};

    use super::*;

    fn held(folder: &Path, name: &str, text: &str) -> Held {
        let mut growing = Growing::default();
        for item in read_games(text.as_bytes(), Limits::default()) {
            let Item::Game(read) = item else { panic!("games alone: {text}") };
            growing.add(Record::of(&read.game));
        }
        let aside = folder.to_owned();
        let (segment, walked) =
            write_sorted(&growing, &folder.join(name), Some(&aside)).expect("a segment");
        // The first game of each is gone.
        Held::new(segment, vec![1], walked)
    }

    #[test]
    fn games_noted_on_the_way_make_the_same_segment_as_games_played_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let set_up = "[FEN \"8/8/8/8/k2p3Q/8/2P5/4K3 w - - 0 1\"]\n\n1. c4 Kb4 2. Kd2 *\n\n";
        let one = "1. e4 e5 2. Nf3 *\n\n1. d4 d5 2. c4 1-0\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n";
        let other = "1. a3 *\n\n1. e4 c5 2. Nf3 d6 0-1\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *\n\n";
        let noted = [
            held(folder.path(), "1.games", &format!("{one}{set_up}")),
            held(folder.path(), "2.games", other),
        ];
        let played = noted.clone().map(|held| Held { walked: None, ..held });
        let [first, second] = ["3.games", "4.games"].map(|name| folder.path().join(name));
        let merged = merge_into(&noted, &first).expect("a segment");
        merge_into(&played, &second).expect("a segment");
        assert_eq!(merged.len(), 5);
        assert_eq!(fs::read(first).expect("a file"), fs::read(second).expect("a file"));
    }
}
