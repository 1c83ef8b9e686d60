//! Pools: ratings that may be compared with each other.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How fast a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Below 3 minutes.
    Bullet,
    /// Below 8 minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// 25 minutes and more.
    Classical,
    /// Days per move.
    Correspondence,
}

impl Speed {
    /// All speeds, from fast to slow.
    pub const ALL: [Speed; 5] =
        [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical, Speed::Correspondence];

    /// Moves a game is thought to have.
    const MOVES: u32 = 40;

    /// The time one side is thought to need: the base and forty increments.
    pub fn estimated(base: Duration, increment: Duration) -> Duration {
        base.saturating_add(increment.saturating_mul(Speed::MOVES))
    }

    /// The speed of a clock that is not counted in days.
    pub fn of_clock(base: Duration, increment: Duration) -> Speed {
        let estimated = Speed::estimated(base, increment);
        let below = |seconds| estimated < Duration::from_secs(seconds);
        match () {
            () if below(180) => Speed::Bullet,
            () if below(480) => Speed::Blitz,
            () if below(1_500) => Speed::Rapid,
            () => Speed::Classical,
        }
    }

    /// Its name in keys.
    pub fn name(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }
}

/// Where a game is played. Over-the-board events have pools of their own.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Venue {
    /// On this server.
    #[default]
    Online,
    /// At a real board.
    Board,
}

/// A pool. Written `standard/blitz`, or `board/standard/classical` over the board.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pool {
    venue: Venue,
    variant: String,
    speed: Speed,
}

/// Why a text names no pool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPool {
    /// A name that would not survive being written and read.
    #[error("a variant's name is one or more of a-z, 0-9 and '-', not {0:?}")]
    Variant(String),
    /// Not one of the five.
    #[error("there is no speed called {0:?}")]
    Speed(String),
    /// Neither two nor three parts.
    #[error("a pool is written like standard/blitz or board/standard/classical, not {0:?}")]
    Shape(String),
}

impl Pool {
    /// The pool of a variant at a speed.
    pub fn new(venue: Venue, variant: &str, speed: Speed) -> Result<Pool, BadPool> {
        let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if variant.is_empty() || !variant.chars().all(is_letter) {
            return Err(BadPool::Variant(variant.into()));
        }
        Ok(Pool { venue, variant: variant.into(), speed })
    }

    /// Where it is played.
    pub fn venue(&self) -> Venue {
        self.venue
    }

    /// The variant.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The speed.
    pub fn speed(&self) -> Speed {
        self.speed
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let venue = match self.venue {
            Venue::Online => "",
            Venue::Board => "board/",
        };
        write!(f, "{venue}{}/{}", self.variant, self.speed.name())
    }
}

impl FromStr for Pool {
    type Err = BadPool;

    fn from_str(text: &str) -> Result<Pool, BadPool> {
        let parts: Vec<&str> = text.split('/').collect();
        let (venue, variant, speed) = match parts[..] {
            [variant, speed] => (Venue::Online, variant, speed),
            ["board", variant, speed] => (Venue::Board, variant, speed),
            _ => return Err(BadPool::Shape(text.into())),
        };
        let found = Speed::ALL.into_iter().find(|known| known.name() == speed);
        Pool::new(venue, variant, found.ok_or_else(|| BadPool::Speed(speed.into()))?)
    }
}

impl TryFrom<String> for Pool {
    type Error = BadPool;

    fn try_from(text: String) -> Result<Pool, BadPool> {
        text.parse()
    }
}

impl From<Pool> for String {
    fn from(pool: Pool) -> String {
        pool.to_string()
    }
}
