//! House rules as data: what `online` and `fide` games allow.

use serde::{Deserialize, Serialize};

use crate::units::{Millis, Ply};

/// What a game allows besides its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RuleSet {
    /// How threefold repetition and fifty moves become draws. Fivefold and seventy-five always do by themselves.
    pub draws: DrawsBy,
    /// When a live clock starts.
    pub clock_start: ClockStart,
    /// Time for each side's first move of a live game; the game is aborted when it is over.
    pub first_move: Option<Millis>,
    /// GMO: time for both armies; the game is aborted when it is over. Logs from before it was counted wait for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muster: Option<Millis>,
    /// Whether a player may abort before both have acted.
    pub abort: bool,
    /// Draws may be offered and agreed from this ply on.
    pub draw_from: Ply,
    /// Whether a player may give time to the other.
    pub give_time: bool,
    /// Whether moves may be taken back by agreement.
    pub takeback: bool,
    /// How long the side to act must be away before the other may claim the game; none: never.
    pub abandonment: Option<Millis>,
}

/// How a draw that the position allows comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawsBy {
    /// The side to move must claim it.
    Claim,
    /// It is a draw at once.
    Itself,
}

/// When a live clock starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockStart {
    /// White's clock runs from the start.
    AtOnce,
    /// White's clock runs from Black's first move on; first moves earn no increment.
    AfterFirstMoves,
}

impl RuleSet {
    /// As the public servers play.
    pub fn online() -> RuleSet {
        RuleSet {
            draws: DrawsBy::Itself,
            clock_start: ClockStart::AfterFirstMoves,
            first_move: Some(Millis::seconds(30)),
            muster: None,
            abort: true,
            draw_from: Ply(2),
            give_time: true,
            takeback: true,
            abandonment: Some(Millis::seconds(60)),
        }
    }

    /// As over the board: the clock runs at once, draws are claimed, nothing is given or taken back.
    pub fn fide() -> RuleSet {
        RuleSet {
            draws: DrawsBy::Claim,
            clock_start: ClockStart::AtOnce,
            first_move: None,
            muster: None,
            abort: false,
            draw_from: Ply(2),
            give_time: false,
            takeback: false,
            abandonment: None,
        }
    }
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::online()
    }
}
