//! Glicko-2 and Elo: what a game does to two ratings.
//!
//! An instance chooses one [`System`] per [`Pool`]; [`rate`] is the same call for all of them. Everything here is
//! values in, values out: the moment of the game comes with it, nothing is read, drawn or kept. Writing a rating
//! exactly once, together with the result, is the business of whoever stores the game.

mod eligibility;
mod elo;
mod glicko2;
mod ledger;
mod moment;
mod performance;
mod pool;
mod standing;
mod system;
mod titles;
mod written;

pub use eligibility::{Conditions, Unrated, check_eligible};
pub use elo::{DifferenceCap, Elo, Exemption, Expectation, KFactor};
pub use glicko2::Glicko2;
pub use ledger::{Change, Ledger, Played};
pub use moment::Moment;
pub use performance::{performance, rating_difference};
pub use pool::{BadPool, Pool, Speed, Venue};
pub use standing::{Context, Score, Standing};
pub use system::{PoolRules, Pools, System, UnknownPreset, rate};
pub use titles::{TitleClass, TitleClasses};
pub use written::BadSystem;
