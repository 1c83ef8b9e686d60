//! What the engine is asked, and what it says.

use rules::{Action, Position};

use super::limits::Limits;
use super::score::Score;

/// Most lines that can be asked for.
pub const MOST_LINES: u8 = 5;

/// What the engine is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The position to find a move for.
    pub position: &'a Position,
    /// [`Position::hash`] of the positions before it, oldest first.
    pub history: &'a [u64],
    /// When to answer.
    pub limits: Limits,
    /// How many different first moves are wanted with their true values, 1 to [`MOST_LINES`].
    pub lines: u8,
    /// What chance is drawn from where it has a part: the placing of Defender.
    pub seed: u64,
}

impl<'a> Question<'a> {
    /// The best move, nothing known of the game before.
    pub fn new(position: &'a Position, limits: Limits) -> Question<'a> {
        Question { position, history: &[], limits, lines: 1, seed: 0 }
    }
}

/// What the engine has found at some depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// 1 for the best line.
    pub rank: u8,
    /// Plies searched completely.
    pub depth: u8,
    /// For the side to act.
    pub score: Score,
    /// Positions looked at so far.
    pub nodes: u64,
    /// The moves both sides are expected to make.
    pub pv: Vec<Action>,
}

/// The engine's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Best {
    /// What it would do.
    pub action: Action,
    /// For the side to act.
    pub score: Score,
    /// The moves both sides are expected to make, this one first.
    pub pv: Vec<Action>,
    /// Plies searched completely; 0 if it was stopped before that.
    pub depth: u8,
    /// Positions looked at.
    pub nodes: u64,
}
