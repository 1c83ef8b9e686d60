//! Which finished games count.

use serde::{Deserialize, Serialize};

/// What about a finished game decides whether it is rated.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "five independent facts about a game")]
pub struct Conditions {
    /// It was to be rated: both sides knew.
    pub is_rated: bool,
    /// It was aborted.
    pub is_aborted: bool,
    /// A side is a bot.
    pub has_bot: bool,
    /// The sides had different times or rules.
    pub is_unequal: bool,
    /// A side gave pieces or moves ahead.
    pub is_odds: bool,
}

/// Why a game does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unrated {
    /// Agreed so.
    #[error("a casual game is not rated")]
    Casual,
    /// There is no result.
    #[error("an aborted game is not rated")]
    Aborted,
    /// Bots have no place in this pool.
    #[error("a game against a bot is not rated here")]
    Bot,
    /// It says little about strength.
    #[error("a game under unequal conditions is not rated")]
    Unequal,
    /// It says little about strength.
    #[error("a game at odds is not rated")]
    Odds,
}

/// Whether a finished game counts in a pool that includes bots or does not.
pub fn check_eligible(game: &Conditions, includes_bots: bool) -> Result<(), Unrated> {
    match game {
        Conditions { is_rated: false, .. } => Err(Unrated::Casual),
        Conditions { is_aborted: true, .. } => Err(Unrated::Aborted),
        Conditions { has_bot: true, .. } if !includes_bots => Err(Unrated::Bot),
        Conditions { is_unequal: true, .. } => Err(Unrated::Unequal),
        Conditions { is_odds: true, .. } => Err(Unrated::Odds),
        _ => Ok(()),
    }
}
