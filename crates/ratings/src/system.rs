//! The choice of a system: one per pool, by name or with every constant.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Context, Elo, Glicko2, Moment, Pool, Score, Standing};

/// How ratings are computed. Written as the name of a preset (`"classic"`) or as a table with `kind`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum System {
    /// Glicko-2.
    Glicko2(Glicko2),
    /// Elo.
    Elo(Elo),
}

impl Default for System {
    fn default() -> Self {
        System::Glicko2(Glicko2::default())
    }
}

/// What one game does to two ratings. Both are computed from the standings before the game.
///
/// A standing from outside may hold anything: it is brought within the bounds of the system first, so no number that
/// comes out is infinite or none.
pub fn rate(
    system: &System,
    white: &Standing,
    black: &Standing,
    score: Score,
    context: &Context,
) -> (Standing, Standing) {
    match system {
        System::Glicko2(glicko2) => glicko2.rate(white, black, score, context.at),
        System::Elo(elo) => elo.rate(white, black, score, context),
    }
}

impl System {
    /// The presets, by name.
    pub const PRESETS: [&str; 5] = ["glicko2", "classic", "elo-club", "elo-fide", "elo-poly"];

    /// The standing of a player without a game: at the player's own figure, if there is one. With Glicko-2 that is only
    /// where the search begins; the deviation says how little it is trusted.
    pub fn newcomer(&self, claimed: Option<f64>) -> Standing {
        match self {
            System::Glicko2(glicko2) => glicko2.newcomer(claimed),
            System::Elo(elo) => elo.newcomer(claimed),
        }
    }

    /// Whether a rating is still uncertain, or has become so by a long rest.
    pub fn is_provisional(&self, standing: &Standing, now: Moment) -> bool {
        match self {
            System::Glicko2(constants) => {
                constants.deviation_at(standing, now) >= constants.provisional_from
            }
            System::Elo(_) => Elo::is_provisional(standing),
        }
    }

    /// Whether a player has a place in the list of the best.
    pub fn is_ranked(&self, standing: &Standing, now: Moment) -> bool {
        match self {
            System::Glicko2(constants) => {
                constants.deviation_at(standing, now) <= constants.ranked_to
            }
            System::Elo(_) => !Elo::is_provisional(standing),
        }
    }
}

/// A name that is no preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rating system called {0:?}; there are {list}", list = System::PRESETS.join(", "))]
pub struct UnknownPreset(pub String);

impl FromStr for System {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<System, UnknownPreset> {
        match name {
            "glicko2" => Ok(System::Glicko2(Glicko2::default())),
            "classic" => Ok(System::Glicko2(Glicko2::classic())),
            "elo-club" => Ok(System::Elo(Elo::club())),
            "elo-fide" => Ok(System::Elo(Elo::fide())),
            "elo-poly" => Ok(System::Elo(Elo::polynomial())),
            other => Err(UnknownPreset(other.into())),
        }
    }
}

/// What an instance chose for a pool.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PoolRules {
    /// How ratings are computed.
    pub system: System,
    /// Whether games against bots count.
    pub includes_bots: bool,
}

/// The choices of an instance: one for all pools, and others for some.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pools {
    /// Where nothing else was chosen.
    pub default: PoolRules,
    /// Pools with rules of their own.
    pub own: BTreeMap<Pool, PoolRules>,
}

impl Pools {
    /// The rules of a pool.
    pub fn rules(&self, pool: &Pool) -> &PoolRules {
        self.own.get(pool).unwrap_or(&self.default)
    }
}
