//! The built-in engine behind the door of the pool.

use std::time::Duration;

use parking_lot::Mutex;
use rules::Variant;
use tokio::sync::mpsc;
use tokio::task::JoinError;

use super::answer::{Answer, EngineError, Line, Update};
use super::seat::{Finished, Interrupt};
use super::stopwatch::Stopwatch;
use super::task::{Strength, Task};
use super::{EngineInfo, PoolSettings};
use crate::builtin::{self, Best, Control, Limits, Question, Searcher, Stop};

/// The key of the built-in engine.
pub(super) const KEY: &str = "builtin";

pub(super) fn info() -> EngineInfo {
    EngineInfo {
        key: KEY.to_owned(),
        name: "built-in engine".to_owned(),
        variants: vec![Variant::Standard, Variant::Chess960, Variant::Defender, Variant::Gmo],
    }
}

/// A level begins every move without memory, and a small one is quickly empty.
const LEVELS_HASH_MB: usize = 16;

/// Positions of an answer that nobody has time to wait for …
const QUICK_NODES: u64 = 3_000;
/// … how long it may take on a machine in trouble …
const QUICK: Duration = Duration::from_millis(200);
/// … and the memory for it.
const QUICK_HASH_MB: usize = 1;

/// Engines that rest between two questions, with their memory: those that analyse, and those that play by levels.
#[derive(Debug)]
pub(super) struct OwnEngines {
    full: Stall,
    levels: Stall,
}

#[derive(Debug)]
struct Stall {
    hash_mb: usize,
    idle: Mutex<Vec<Searcher>>,
}

/// Ends a search when whoever waits for it is gone, also with the whole runtime.
struct StopWithMe(Stop);

impl Drop for StopWithMe {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl OwnEngines {
    pub(super) fn new(hash_mb: usize) -> OwnEngines {
        let stall = |hash_mb| Stall { hash_mb, idle: Mutex::default() };
        OwnEngines { full: stall(hash_mb), levels: stall(hash_mb.min(LEVELS_HASH_MB)) }
    }

    fn stall(&self, strength: Strength) -> &Stall {
        match strength {
            Strength::Full => &self.full,
            Strength::Level(_) => &self.levels,
        }
    }

    /// Searches on a thread that may take its time.
    pub(super) async fn search(
        &self,
        task: &Task,
        settings: &PoolSettings,
        lines: &mpsc::Sender<Update>,
        interrupt: &mut Interrupt,
    ) -> Result<Finished, EngineError> {
        let stop = Stop::new();
        let guard = StopWithMe(stop.clone());
        let stall = self.stall(task.strength);
        let rested = stall.idle.lock().pop();
        let hash_mb = stall.hash_mb;
        let most = task.limits.most.map_or(settings.longest, |most| most.min(settings.longest));
        let limits = Limits { most: Some(most), ..task.limits };
        let (task, lines) = (task.clone(), lines.clone());
        let mut thinking = tokio::task::spawn_blocking(move || {
            let mut searcher = rested.unwrap_or_else(|| Searcher::new(hash_mb));
            let answer = think(&mut searcher, &task, limits, &stop, &lines);
            (searcher, answer)
        });
        let why = tokio::select! {
            done = &mut thinking => return stall.rest(done),
            why = interrupt.comes() => why,
        };
        drop(guard);
        stall.rest(thinking.await)?;
        Ok(Finished::Interrupted(why))
    }
}

/// Looks at a few positions and answers. It takes no seat: nobody notices so little.
pub(super) async fn answer_at_once(task: Task) -> Result<Answer, EngineError> {
    let nodes = task.limits.nodes.map_or(QUICK_NODES, |nodes| nodes.min(QUICK_NODES));
    let limits = Limits { nodes: Some(nodes), most: Some(QUICK), ..task.limits };
    let thinking = tokio::task::spawn_blocking(move || {
        // Nobody hears its lines.
        let (lines, _) = mpsc::channel(1);
        think(&mut Searcher::new(QUICK_HASH_MB), &task, limits, &Stop::new(), &lines)
    });
    thinking.await.map_err(|error| panicked(&error))
}

fn panicked(error: &JoinError) -> EngineError {
    tracing::error!(%error, "the built-in engine has panicked");
    EngineError::Crashed
}

impl Stall {
    fn rest(&self, done: Result<(Searcher, Answer), JoinError>) -> Result<Finished, EngineError> {
        let (searcher, answer) = done.map_err(|error| panicked(&error))?;
        self.idle.lock().push(searcher);
        Ok(Finished::Answer(answer))
    }
}

fn think(
    searcher: &mut Searcher,
    task: &Task,
    limits: Limits,
    stop: &Stop,
    told: &mpsc::Sender<Update>,
) -> Answer {
    let watch = Stopwatch::start();
    let elapsed = || watch.elapsed();
    let control = Control { stop, elapsed: &elapsed };
    let question = Question {
        position: task.situation.position(),
        history: task.situation.before(),
        limits,
        lines: task.lines,
        seed: task.seed,
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut tell = |found: &builtin::Line| {
        let line = line_of(found, watch);
        let _ = told.try_send(Update::Line(line.clone()));
        keep(&mut lines, line);
    };
    let best = match task.strength {
        Strength::Full => searcher.search(&question, control, &mut tell),
        Strength::Level(level) => {
            let best = searcher.play(level, &question, task.seed, control);
            if let Some(best) = &best {
                tell(&as_line(best));
            }
            best
        }
    };
    Answer { engine: KEY.to_owned(), best: best.map(|best| best.action), lines }
}

fn as_line(best: &Best) -> builtin::Line {
    let Best { score, ref pv, depth, nodes, .. } = *best;
    builtin::Line { rank: 1, depth, score, nodes, pv: pv.clone() }
}

fn line_of(found: &builtin::Line, watch: Stopwatch) -> Line {
    let time = watch.elapsed();
    let speed = u128::from(found.nodes) * 1_000_000 / time.as_micros().max(1);
    Line {
        rank: found.rank,
        depth: found.depth,
        score: found.score,
        nodes: found.nodes,
        speed: u64::try_from(speed).unwrap_or(u64::MAX),
        time,
        moves: found.pv.clone(),
    }
}

/// Keeps the last line of each rank, in order.
pub(crate) fn keep(lines: &mut Vec<Line>, line: Line) {
    match lines.binary_search_by_key(&line.rank, |kept| kept.rank) {
        Ok(at) => lines[at] = line,
        Err(at) => lines.insert(at, line),
    }
}
