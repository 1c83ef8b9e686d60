//! What the outside sees of a report.

use engine::report as numbers;
use serde::{Deserialize, Serialize};
use store::{BulkProgress, ReportState};
use utoipa::ToSchema;

use super::super::lines::EvalView;
use super::super::wire::OpeningView;

/// The report of a game, or how far it has got.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportView {
    /// How it stands.
    pub state: ReportStateView,
    /// How many reports come first, while it waits.
    pub ahead: u32,
    /// Positions that are done.
    pub done: u32,
    /// Positions there are.
    pub total: u32,
    /// Why it failed.
    pub problem: Option<String>,
    /// Whether the one who asks has asked for it, and may call it off.
    pub is_mine: bool,
    /// The report, once it is there.
    pub report: Option<Box<GameReport>>,
}

/// How a report stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportStateView {
    /// Nobody has asked for it.
    None,
    /// It waits for an engine.
    Waiting,
    /// An engine is at it.
    Running,
    /// It was put off.
    Paused,
    /// It is there.
    Done,
    /// It could not be made.
    Failed,
}

impl From<ReportState> for ReportStateView {
    fn from(state: ReportState) -> ReportStateView {
        match state {
            ReportState::Waiting => ReportStateView::Waiting,
            ReportState::Paused => ReportStateView::Paused,
            ReportState::Done => ReportStateView::Done,
            ReportState::Failed => ReportStateView::Failed,
        }
    }
}

/// The report of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameReport {
    /// Who looked at it.
    pub engine: String,
    /// Positions the engine looked at for each move.
    pub nodes: u64,
    /// The opening, as far as it has a name; its `ply` is the last move of the book.
    pub opening: Option<OpeningView>,
    /// The first ply whose position is no opening any more.
    pub middlegame: Option<u32>,
    /// The first ply whose position is an endgame.
    pub endgame: Option<u32>,
    /// How good the first position is.
    pub start: EvalView,
    /// White's chance to win there, in percent.
    pub start_win: f64,
    /// Every move.
    pub moves: Vec<MoveReport>,
    /// White's numbers.
    pub white: SideReport,
    /// Black's.
    pub black: SideReport,
}

/// What is said of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MoveReport {
    /// The ply after it.
    pub ply: u32,
    /// As people write it.
    pub san: String,
    /// How good the position is after it.
    pub score: EvalView,
    /// White's chance to win after it, in percent.
    pub win: f64,
    /// How exact it was, 0 to 100.
    pub accuracy: f64,
    /// What was wrong with it.
    pub judgement: Option<JudgementView>,
    /// The part of the game.
    pub phase: PhaseView,
    /// The time it took.
    pub spent_ms: Option<i64>,
    /// What was better, where something was wrong: as engines write it.
    pub better_uci: Vec<String>,
    /// The same as people write it.
    pub better_san: Vec<String>,
}

/// What was wrong with a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgementView {
    /// Something better was there.
    Inaccuracy,
    /// It costs much.
    Mistake,
    /// It costs the game, or gives it away.
    Blunder,
}

impl From<numbers::Judgement> for JudgementView {
    fn from(judgement: numbers::Judgement) -> JudgementView {
        match judgement {
            numbers::Judgement::Inaccuracy => JudgementView::Inaccuracy,
            numbers::Judgement::Mistake => JudgementView::Mistake,
            numbers::Judgement::Blunder => JudgementView::Blunder,
        }
    }
}

/// A part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    /// Pieces are still being brought out.
    Opening,
    /// The struggle.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

impl From<numbers::Phase> for PhaseView {
    fn from(phase: numbers::Phase) -> PhaseView {
        match phase {
            numbers::Phase::Opening => PhaseView::Opening,
            numbers::Phase::Middlegame => PhaseView::Middlegame,
            numbers::Phase::Endgame => PhaseView::Endgame,
        }
    }
}

/// The numbers of one player.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SideReport {
    /// How exactly they played, 0 to 100; none without a move.
    pub accuracy: Option<f64>,
    /// The average centipawn loss.
    pub acpl: Option<u32>,
    /// How many moves were inaccurate.
    pub inaccuracies: u32,
    /// How many were mistakes.
    pub mistakes: u32,
    /// How many were blunders.
    pub blunders: u32,
    /// The time they took.
    pub spent_ms: Option<i64>,
    /// The opening.
    pub opening: PhaseReport,
    /// The middlegame.
    pub middlegame: PhaseReport,
    /// The endgame.
    pub endgame: PhaseReport,
}

/// The numbers of one player in one part of the game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PhaseReport {
    /// Own moves.
    pub moves: u32,
    /// The mean accuracy of them.
    pub accuracy: Option<f64>,
    /// The time they took.
    pub spent_ms: Option<i64>,
}

/// How far the reports of somebody's whole history have got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BulkView {
    /// Games that wait for an engine.
    pub waiting: u32,
    /// Games that were put off.
    pub paused: u32,
    /// Games that are done.
    pub done: u32,
    /// Games that could not be reported on.
    pub failed: u32,
    /// How many games may wait at once; the rest can be asked for when they are done.
    pub most: u32,
}

impl BulkView {
    pub(super) fn new(progress: BulkProgress, most: u32) -> BulkView {
        let BulkProgress { waiting, paused, done, failed } = progress;
        BulkView { waiting, paused, done, failed, most }
    }
}

/// Whether the reports of a whole history are to go on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct BulkChange {
    /// To be put off.
    pub paused: bool,
}
