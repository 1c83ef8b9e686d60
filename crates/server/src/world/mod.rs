//! Time and chance: the only place where the server asks what time it is, waits, or draws a number.
//!
//! Everything else is handed a [`World`], so that a whole server can run under simulated time with a seed.

mod chance;
mod time;

pub use chance::Chance;
pub use time::{SimulatedTime, Sleep, Time};

/// What comes from outside: the time and the dice. Cheap to clone.
#[derive(Clone)]
pub struct World {
    /// The clocks.
    pub time: Time,
    /// The dice.
    pub chance: Chance,
}

impl World {
    /// The real one.
    pub fn real() -> World {
        World { time: Time::real(), chance: Chance::from_system() }
    }

    /// One that a test holds in its hand: time stands still until it is moved, chance follows the seed.
    pub fn simulated(seed: u64) -> (World, SimulatedTime) {
        let hand = SimulatedTime::new();
        (World { time: Time::Simulated(hand.clone()), chance: Chance::from_seed(seed) }, hand)
    }
}
