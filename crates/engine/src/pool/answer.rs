//! What an engine says.

use std::time::Duration;

use rules::Action;

use crate::builtin::Score;

/// What happens to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// All seats are taken, and so many questions come first.
    Waiting {
        /// How many.
        ahead: usize,
    },
    /// What the engine has found so far.
    Line(Line),
    /// The answer: the last word.
    Done(Answer),
    /// There will be no answer: the last word.
    Failed(EngineError),
}

/// What an engine has found at some depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// 1 for the best line.
    pub rank: u8,
    /// Plies searched.
    pub depth: u8,
    /// For the side to act.
    pub score: Score,
    /// Positions looked at so far.
    pub nodes: u64,
    /// Positions a second.
    pub speed: u64,
    /// Since the engine began.
    pub time: Duration,
    /// The legal moves both sides are expected to make. At least one.
    pub moves: Vec<Action>,
}

/// What an engine would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The key of the engine that answered.
    pub engine: String,
    /// What it would do: a legal action. None if it was stopped before it knew.
    pub best: Option<Action>,
    /// The last line of each rank, best first; empty where an engine only plays.
    pub lines: Vec<Line>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The key is wrong.
    #[error("there is no engine {0:?} here")]
    Unknown(String),
    /// It does not know this game.
    #[error("the engine {0:?} does not know this game")]
    Unsuitable(String),
    /// The position leaves nothing to do.
    #[error("the game is over in this position")]
    NothingToDo,
    /// Too many wait already.
    #[error("too many questions wait for the engines; ask again later")]
    QueueFull,
    /// The program cannot be run.
    #[error("the engine cannot be started: {0}")]
    Start(String),
    /// It ended by itself.
    #[error("the engine has crashed")]
    Crashed,
    /// It did not answer in time.
    #[error("the engine did not answer in time")]
    Hung,
    /// It said more than anybody can read.
    #[error("the engine said too much")]
    Flooded,
    /// It said something that is no answer.
    #[error("the engine answered with nonsense: {0}")]
    Nonsense(String),
    /// It failed several times in a row and is left alone for a while.
    #[error("the engine has failed too often and rests for a while")]
    Resting,
    /// The house was closed.
    #[error("the engines have been switched off")]
    Closed,
}
