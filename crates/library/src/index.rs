//! The index: segments in a folder, the newest games in memory, and how the one becomes the other.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rules::shakmaty::Chess;

use crate::facts::Facts;
use crate::filter::{Filter, View};
use crate::growing::{Growing, Record};
use crate::query::{Counting, Dead, Explored, Found, Newest, Page, Question, is_dead};
use crate::segment::{Builder, MOST_GAMES, Segment};

/// Games that wait in memory before they become a segment; more while a whole file comes in.
const WAITING: usize = 1_024;
const WAITING_IN_BULK: usize = 65_536;
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
}

#[derive(Default)]
struct State {
    segments: Vec<Held>,
    /// Games that are being written into a segment just now.
    freezing: Option<Arc<Growing>>,
    growing: Growing,
    /// Every game up to this number is in a segment.
    covered: u64,
    next_file: u64,
}

/// Many games, to be asked. Answers never wait for writing; writing waits for writing.
pub struct Index {
    folder: PathBuf,
    state: RwLock<State>,
    /// Held by whoever changes the set of segments.
    tending: Mutex<()>,
}

impl Index {
    /// Opens a folder, or begins one. What cannot be read is left out: the caller sees by the counts that games are
    /// missing, and puts them in again.
    pub fn open(folder: &Path) -> Result<Index, IndexError> {
        fs::create_dir_all(folder)?;
        let mut state = State::default();
        let manifest = fs::read_to_string(folder.join("manifest")).unwrap_or_default();
        let mut lines = manifest.lines();
        let covered = lines.next().and_then(|line| line.parse().ok());
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
        let state = self.read();
        let dead =
            |held: &Held| held.dead.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let in_segments: u64 =
            state.segments.iter().map(|held| held.segment.len() as u64 - dead(held)).sum();
        let size = |held: &Held| fs::metadata(&held.segment.path).map_or(0, |data| data.len());
        let freezing = state.freezing.as_ref().map_or(0, |growing| growing.records.len());
        Counts {
            games: in_segments + (freezing + state.growing.records.len()) as u64,
            segments: state.segments.len(),
            bytes: state.segments.iter().map(size).sum(),
        }
    }

    /// Takes games in. They are found at once; [`Index::tend`] brings them to the disk.
    pub fn add(&self, records: impl IntoIterator<Item = Record>) {
        let mut state = self.write();
        records.into_iter().for_each(|record| state.growing.add(record));
    }

    /// Whether [`Index::tend`] has something to do.
    pub fn is_due(&self, in_bulk: bool) -> bool {
        let state = self.read();
        state.growing.records.len() >= if in_bulk { WAITING_IN_BULK } else { WAITING }
            || alike(&state.segments).is_some()
    }

    /// Does what is due: writes waiting games, merges segments. Takes its time; run it beside everything else.
    pub fn tend(&self, in_bulk: bool) -> Result<(), IndexError> {
        let tending = self.lock();
        if self.read().growing.records.len() >= if in_bulk { WAITING_IN_BULK } else { WAITING } {
            self.freeze(&tending)?;
        }
        while self.merge(&tending)? {}
        Ok(())
    }

    /// Writes all waiting games, however few.
    pub fn flush(&self) -> Result<(), IndexError> {
        let tending = self.lock();
        if !self.read().growing.records.is_empty() {
            self.freeze(&tending)?;
        }
        while self.merge(&tending)? {}
        Ok(())
    }

    fn freeze(&self, _tending: &MutexGuard<'_, ()>) -> Result<(), IndexError> {
        let (frozen, path) = {
            let mut state = self.write();
            let frozen = Arc::new(std::mem::take(&mut state.growing));
            state.freezing = Some(frozen.clone());
            (frozen, self.next_path(&mut state))
        };
        let written = write_sorted(&frozen, &path);
        let mut state = self.write();
        state.freezing = None;
        let segment = match written {
            Ok(segment) => segment,
            Err(error) => {
                // Nothing is lost: the games go back to the others.
                frozen.records.iter().cloned().for_each(|record| state.growing.add(record));
                return Err(error.into());
            }
        };
        let newest = frozen.columns.seq.iter().copied().max().unwrap_or(0);
        state.covered = state.covered.max(newest);
        state.segments.push(Held { segment: Arc::new(segment), dead: Arc::default() });
        self.write_manifest(&state)
    }

    fn merge(&self, _tending: &MutexGuard<'_, ()>) -> Result<bool, IndexError> {
        let (few, path) = {
            let mut state = self.write();
            let Some(few) = alike(&state.segments) else { return Ok(false) };
            (few, self.next_path(&mut state))
        };
        let merged = merge_into(&few, &path)?;
        let is_old = |held: &Held| few.iter().any(|old| old.segment.path == held.segment.path);
        let mut state = self.write();
        state.segments.retain(|held| !is_old(held));
        state.segments.push(Held { segment: Arc::new(merged), dead: Arc::default() });
        self.write_manifest(&state)?;
        drop(state);
        for old in few {
            let _ = fs::remove_file(old.segment.path.with_extension("dead"));
            fs::remove_file(&old.segment.path)?;
        }
        Ok(true)
    }

    /// Leaves games out from now on.
    pub fn remove(&self, gone: &HashSet<u64>) -> Result<(), IndexError> {
        let _tending = self.lock();
        let mut state = self.write();
        let growing = std::mem::take(&mut state.growing);
        state.growing = growing.without(|seq| gone.contains(&seq));
        for held in &mut state.segments {
            let seqs = held.segment.columns.seq.iter().enumerate();
            let games: Vec<usize> =
                seqs.filter(|(_, seq)| gone.contains(seq)).map(|(game, _)| game).collect();
            if games.is_empty() {
                continue;
            }
            let dead = Arc::make_mut(&mut held.dead);
            dead.resize(held.segment.len().div_ceil(64), 0);
            for game in games {
                dead[game / 64] |= 1 << (game % 64);
            }
            let bytes: Vec<u8> = dead.iter().flat_map(|word| word.to_le_bytes()).collect();
            write_durably(&held.segment.path.with_extension("dead"), &bytes)?;
        }
        Ok(())
    }

    /// The numbers of all games that can be found.
    pub fn numbers(&self) -> HashSet<u64> {
        let mut numbers = HashSet::new();
        let state = self.read();
        for held in &state.segments {
            let seqs = held.segment.columns.seq.iter().enumerate();
            numbers
                .extend(seqs.filter(|(game, _)| !is_dead(&held.dead, *game)).map(|(_, seq)| *seq));
        }
        for growing in state.freezing.as_deref().into_iter().chain([&state.growing]) {
            numbers.extend(&growing.columns.seq);
        }
        numbers
    }

    /// Forgets everything, to begin again.
    pub fn clear(&self) -> Result<(), IndexError> {
        let _tending = self.lock();
        let mut state = self.write();
        let old = std::mem::take(&mut state.segments);
        state.growing = Growing::default();
        state.covered = 0;
        self.write_manifest(&state)?;
        for held in old {
            let _ = fs::remove_file(held.segment.path.with_extension("dead"));
            fs::remove_file(&held.segment.path)?;
        }
        Ok(())
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
        let state = self.read();
        for held in &state.segments {
            question.explore_segment(&held.segment, &held.dead, &mut counting)?;
        }
        for growing in state.freezing.as_deref().into_iter().chain([&state.growing]) {
            question.explore_growing(growing, &mut counting);
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
        let state = self.read();
        for held in &state.segments {
            question.each_in_segment(&held.segment, &held.dead, |c, game| newest.take(c, game))?;
        }
        for growing in state.freezing.as_deref().into_iter().chain([&state.growing]) {
            question.each_growing(growing, |columns, game| newest.take(columns, game));
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
        let state = self.read();
        for held in &state.segments {
            question.each_in_segment(&held.segment, &held.dead, |columns, game| {
                take(columns.facts(game));
            })?;
        }
        for growing in state.freezing.as_deref().into_iter().chain([&state.growing]) {
            question.each_growing(growing, |columns, game| take(columns.facts(game)));
        }
        Ok(())
    }

    fn next_path(&self, state: &mut State) -> PathBuf {
        state.next_file += 1;
        self.folder.join(format!("{}.games", state.next_file))
    }

    fn write_manifest(&self, state: &State) -> Result<(), IndexError> {
        let mut text = format!("{}\n", state.covered);
        for held in &state.segments {
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
    Ok(Held { segment: Arc::new(segment), dead: Arc::new(dead) })
}

/// Segments of like size, if there are enough of them to be worth merging.
fn alike(segments: &[Held]) -> Option<Vec<Held>> {
    let class = |held: &Held| held.segment.len().max(1).ilog2() / 3;
    (0..8).find_map(|wanted| {
        let few: Vec<Held> =
            segments.iter().filter(|held| class(held) == wanted).cloned().collect();
        let games: usize = few.iter().map(|held| held.segment.len()).sum();
        (few.len() >= FEW && games <= MOST_GAMES).then_some(few)
    })
}

fn write_sorted(growing: &Growing, path: &Path) -> io::Result<Segment> {
    let mut order: Vec<&Record> = growing.records.iter().collect();
    order.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
    let mut builder = Builder::new(path)?;
    order.into_iter().try_for_each(|record| builder.add(Cow::Borrowed(record)))?;
    builder.finish()?;
    Segment::open(path)
}

fn merge_into(few: &[Held], path: &Path) -> io::Result<Segment> {
    let mut builder = Builder::new(path)?;
    let mut sources: Vec<Source<'_>> =
        few.iter().map(|held| Source { held, next: 0, head: None }).collect();
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
    next: u32,
    head: Option<Record>,
}

impl Source<'_> {
    fn advance(&mut self) -> io::Result<()> {
        self.head = None;
        while (self.next as usize) < self.held.segment.len() {
            let game = self.next;
            self.next += 1;
            if !is_dead(&self.held.dead, game as usize) {
                self.head = Some(self.held.segment.record(game)?);
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
