//! Why something was not analysed.

use rules::pgn::{StartError, WriteError};
use rules::{Illegal, SetupError};
use store::StoreError;

use crate::games::GameError;

/// Why something was not analysed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AnalysisError {
    /// The position stands on a board at which the asker plays without engines.
    #[error(
        "this position stands on a board where you play without engines: no help until that game is over"
    )]
    FairPlay,
    /// The first position makes no sense.
    #[error("the position cannot be played from: {0}")]
    Start(String),
    /// A move of the line is not legal.
    #[error("move {number} of the line, “{text}”, is not possible: {why}")]
    Move {
        /// Which, from 1.
        number: usize,
        /// As it was sent.
        text: String,
        /// Why.
        why: Illegal,
    },
    /// The line is too long.
    #[error("a line may have {0} moves at most")]
    TooLong(usize),
    /// A part of a tree cannot be played.
    #[error("the tree holds a move that cannot be played: “{0}”")]
    Tree(String),
    /// The text is no game.
    #[error("no game was found in this text")]
    NoGame,
    /// The game cannot be shown as a tree.
    #[error("a game of this variant cannot be told as a tree of moves")]
    NoTree,
    /// A name makes no sense.
    #[error("a study needs a name of 1 to 100 characters")]
    BadName,
    /// Too much is kept already.
    #[error("you keep {0} studies already: throw one away first")]
    TooManyStudies(u32),
    /// There is no such study, or it is somebody else's.
    #[error("you have no such study")]
    UnknownStudy,
    /// The study has changed since it was read.
    #[error("this study was changed in another window: load it again")]
    StudyChanged,
    /// A game that runs is not reported on.
    #[error("the game is still running: a report is for finished games")]
    StillRunning,
    /// There is nothing to report.
    #[error("there are too few moves in this game for a report")]
    NothingToReport,
    /// No such report waits, or somebody else asked for it.
    #[error("no report of this game waits for you")]
    NoReport,
    /// Too many wait already.
    #[error("{0} reports of yours wait already: let them finish first")]
    TooManyReports(u32),
    /// Nobody can be asked.
    #[error("no engine of this club can look at this position")]
    NoEngine,
    /// Too many ask at the same time.
    #[error("too many people ask the engine at the moment: try again in a minute")]
    Busy,
    /// The engine did not answer.
    #[error("{0}")]
    Engine(String),
    /// A game could not be read.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AnalysisError {
    /// The reason for programs.
    pub fn code(&self) -> &'static str {
        match self {
            AnalysisError::FairPlay => "fair_play",
            AnalysisError::Start(_) => "bad_position",
            AnalysisError::Move { .. } => "illegal_move",
            AnalysisError::TooLong(_) => "line_too_long",
            AnalysisError::Tree(_) => "bad_tree",
            AnalysisError::NoGame => "no_game",
            AnalysisError::NoTree => "no_tree",
            AnalysisError::BadName => "bad_name",
            AnalysisError::TooManyStudies(_) => "too_many_studies",
            AnalysisError::UnknownStudy => "unknown_study",
            AnalysisError::StudyChanged => "study_changed",
            AnalysisError::StillRunning => "still_running",
            AnalysisError::NothingToReport => "nothing_to_report",
            AnalysisError::NoReport => "no_report",
            AnalysisError::TooManyReports(_) => "too_many_reports",
            AnalysisError::NoEngine => "no_engine",
            AnalysisError::Busy => "engine_busy",
            AnalysisError::Engine(_) => "engine_failed",
            AnalysisError::Game(error) => error.code(),
            AnalysisError::Store(_) => "storage",
        }
    }
}

impl From<SetupError> for AnalysisError {
    fn from(error: SetupError) -> AnalysisError {
        AnalysisError::Start(error.to_string())
    }
}

impl From<StartError> for AnalysisError {
    fn from(error: StartError) -> AnalysisError {
        match error {
            StartError::Variant(_) => AnalysisError::NoTree,
            StartError::Position(why) => AnalysisError::Start(why),
        }
    }
}

impl From<WriteError> for AnalysisError {
    fn from(error: WriteError) -> AnalysisError {
        match error {
            WriteError::Start(error) => error.into(),
            WriteError::Illegal { ply } => AnalysisError::Tree(format!("entry {ply}")),
        }
    }
}
