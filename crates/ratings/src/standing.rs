//! Where a player stands in a pool, and what a game says about two of them.

use serde::{Deserialize, Serialize};

use crate::Moment;

/// A player's place in one pool.
///
/// One shape for all systems, so that an instance can change its mind and recompute. Stored exactly as computed;
/// people see [`Standing::shown`]. Whoever stores it as JSON needs the feature `float_roundtrip` of `serde_json`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The rating.
    pub rating: f64,
    /// How far the true strength may be away, as of the last game. Elo does not use it: 0.
    pub deviation: f64,
    /// How much the strength wavers. Elo does not use it: 0.
    pub volatility: f64,
    /// Rated games so far.
    pub games: u32,
    /// The highest rating ever reached.
    pub peak: f64,
    /// When the last rated game ended.
    pub last_game: Option<Moment>,
}

impl Standing {
    /// The rating as people see it.
    #[allow(clippy::cast_possible_truncation, reason = "`as` saturates; no real rating is near")]
    pub fn shown(&self) -> i32 {
        self.rating.round() as i32
    }

    /// The standing after one more game.
    pub(crate) fn after_game(self, rating: f64, at: Moment) -> Standing {
        // A game that ended earlier but is counted later does not make the last one younger.
        let last_game = Some(self.last_game.map_or(at, |last| last.max(at)));
        let games = self.games.saturating_add(1);
        Standing { rating, games, peak: self.peak.max(rating), last_game, ..self }
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
    /// Black won.
    BlackWins,
}

impl Score {
    /// White's part of the point; Black has the rest.
    pub fn for_white(self) -> f64 {
        match self {
            Score::WhiteWins => 1.0,
            Score::Draw => 0.5,
            Score::BlackWins => 0.0,
        }
    }

    /// The same game with colours exchanged.
    #[must_use]
    pub fn mirrored(self) -> Score {
        match self {
            Score::WhiteWins => Score::BlackWins,
            Score::Draw => Score::Draw,
            Score::BlackWins => Score::WhiteWins,
        }
    }
}

/// What a system may have to know beside the standings.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// When the game ended.
    pub at: Moment,
    /// White's year of birth, where known: FIDE's K depends on it.
    #[serde(default)]
    pub white_born: Option<i32>,
    /// Black's year of birth.
    #[serde(default)]
    pub black_born: Option<i32>,
}

/// A number from outside, made safe: within the bounds, and `otherwise` if it is no number at all.
pub(crate) fn bounded(number: f64, least: f64, most: f64, otherwise: f64) -> f64 {
    if number.is_finite() { number.max(least).min(most) } else { otherwise }
}
