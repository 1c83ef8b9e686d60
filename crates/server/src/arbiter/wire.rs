//! What an arbiter sees and says.

use rules::{Color, DrawReason, Event, Outcome, WinReason};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::correspondence::wire::{DecisionView, clocks_set};
use crate::games::wire::{GameView, PlayerView, Sides};

/// Something that happened in a game, with its moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LogEntry {
    /// When.
    pub at: i64,
    /// What, by its name in the log: `m` for a move, `draw_offered`, `paused` …
    pub what: String,
    /// The move as people write it, if it was one.
    pub action: Option<String>,
    /// Whether that move took en passant: some languages mark it.
    #[serde(default)]
    pub en_passant: bool,
    /// By whom or to whom, if the log says.
    pub side: Option<Color>,
    /// What the mover had left.
    pub left_ms: Option<i64>,
    /// What an arbiter set both clocks to, if that is what happened.
    #[serde(default)]
    pub clocks: Option<Sides<Option<i64>>>,
    /// Network time that was not charged.
    pub lag_ms: i64,
}

impl From<&Event> for LogEntry {
    fn from(event: &Event) -> Self {
        let written = serde_json::to_value(event).unwrap_or_default();
        let text = |key: &str| written.get(key).and_then(|value| value.as_str());
        let side = match text("by").or_else(|| text("to")) {
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            _ => None,
        };
        let (action, left_ms, lag_ms) = match event {
            Event::Played { action, left, lag, .. } => {
                (Some(action.to_string()), left.map(|left| left.0), lag.0)
            }
            _ => (None, None, 0),
        };
        let what = text("t").unwrap_or_default().to_owned();
        let clocks = clocks_set(event);
        LogEntry {
            at: event.at().0,
            what,
            action,
            en_passant: false,
            side,
            left_ms,
            clocks,
            lag_ms,
        }
    }
}

/// A player came to the board or left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresenceView {
    /// Who.
    pub side: Color,
    /// When.
    pub at: i64,
    /// Whether they came.
    pub is_here: bool,
}

/// What is written about a game for arbiters to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RemarkView {
    /// Its number.
    pub number: i64,
    /// About which game.
    pub game: String,
    /// Who wrote it.
    pub by: PlayerView,
    /// Whether a player calls an arbiter; otherwise it is an arbiter's note.
    pub is_call: bool,
    /// What it says.
    pub text: String,
    /// When.
    pub at: i64,
    /// When an arbiter has seen to it; none for a note, and for a call that waits.
    pub settled_at: Option<i64>,
}

impl From<store::Remark> for RemarkView {
    fn from(remark: store::Remark) -> Self {
        RemarkView {
            number: remark.number,
            game: remark.game.to_string(),
            by: PlayerView::from(&remark.by),
            is_call: remark.kind == store::RemarkKind::Call,
            text: remark.text,
            at: remark.at.0,
            settled_at: remark.settled_at.map(|at| at.0),
        }
    }
}

/// A remark to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewRemark {
    /// What it says, in 3 to 2,000 letters.
    pub text: String,
}

/// A game on the arbiter's desk.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ArbiterGame {
    /// The game as everybody sees it.
    pub game: GameView,
    /// Everything that happened, with times.
    pub log: Vec<LogEntry>,
    /// When the players came and left.
    pub presence: Vec<PresenceView>,
    /// What was decided before.
    pub decisions: Vec<DecisionView>,
    /// What players wrote to the arbiter, and arbiters noted, the oldest first.
    pub remarks: Vec<RemarkView>,
}

/// What an arbiter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RulingKind {
    /// Decides the game, or corrects its result.
    Result,
    /// The game does not count.
    Annul,
    /// A game that had ended goes on; its clocks stand until it is resumed.
    Reopen,
    /// Sets the clocks.
    Clocks,
    /// Stops the game.
    Adjourn,
    /// Lets it go on.
    Resume,
}

/// A result that an arbiter can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RulingResult {
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// Nobody wins.
    Draw,
}

impl RulingResult {
    pub(super) fn outcome(self) -> Outcome {
        let by = WinReason::Arbiter;
        match self {
            RulingResult::White => Outcome::Win { winner: Color::White, by },
            RulingResult::Black => Outcome::Win { winner: Color::Black, by },
            RulingResult::Draw => Outcome::Draw { by: DrawReason::Arbiter },
        }
    }
}

/// A ruling to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewRuling {
    /// What is done.
    pub act: RulingKind,
    /// Why, for the players to read.
    pub reason: String,
    /// The result, if one is given.
    #[serde(default)]
    pub result: Option<RulingResult>,
    /// What both have left, if the clocks are set; none for a side whose clock stays as it is.
    #[serde(default)]
    pub clocks: Option<Sides<Option<i64>>>,
}
