//! What an engine is asked, and on whose behalf.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{mpsc, oneshot};

use super::answer::Update;
use super::situation::Situation;
use crate::builtin::{Level, Limits, MOST_LINES};

/// What an engine is asked.
#[derive(Debug, Clone)]
pub struct Task {
    /// The position and how it came about.
    pub situation: Situation,
    /// How many different first moves are wanted, 1 to [`MOST_LINES`].
    pub lines: u8,
    /// When to answer, besides the pool's own limit of time.
    pub limits: Limits,
    /// How well to play.
    pub strength: Strength,
    /// Who shall answer.
    pub engine: Choice,
    /// What chance is drawn from where it has a part: in the play of the weaker levels.
    pub seed: u64,
}

impl Task {
    /// The best move, by whoever is usual.
    pub fn new(situation: Situation, limits: Limits) -> Task {
        let (strength, engine) = (Strength::Full, Choice::Any);
        Task { situation, lines: 1, limits, strength, engine, seed: 0 }
    }

    /// The same with so many lines, at most [`MOST_LINES`].
    #[must_use]
    pub fn with_lines(self, lines: u8) -> Task {
        Task { lines: lines.clamp(1, MOST_LINES), ..self }
    }

    /// The same asked of somebody else.
    #[must_use]
    pub fn by(self, engine: Choice) -> Task {
        Task { engine, ..self }
    }
}

/// How well an engine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// As well as it can.
    Full,
    /// As an opponent of this level; the level's own limits hold besides those of the task.
    Level(Level),
}

/// Who shall answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The first installed engine that knows the game and does not fail; the built-in one if there is none.
    Any,
    /// The built-in one.
    Builtin,
    /// The installed engine of this key.
    Named(String),
}

/// Who goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Somebody waits for a move, and a clock runs.
    Play,
    /// Somebody looks at a board.
    Analysis,
    /// Nobody waits.
    Background,
}

/// Lines that wait for a reader at most; a reader that is slower misses some.
const LINES_KEPT: usize = 128;

/// A question on its way through the house.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) task: Task,
    pub(super) priority: Priority,
    pub(super) lines: mpsc::Sender<Update>,
    end: oneshot::Sender<Update>,
    /// What the ticket was last told about its place.
    pub(super) told: Option<usize>,
}

impl Job {
    pub(super) fn new(
        task: Task,
        priority: Priority,
    ) -> (Job, mpsc::Receiver<Update>, oneshot::Receiver<Update>) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (lines, lines_told) = mpsc::channel(LINES_KEPT);
        let (end, end_told) = oneshot::channel();
        (Job { number, task, priority, lines, end, told: None }, lines_told, end_told)
    }

    /// Tells the last word. Whoever does not listen any more misses it.
    pub(super) fn end(self, update: Update) {
        let _ = self.end.send(update);
    }
}
