//! When a search ends: its limits, the handle that stops it, and the time that comes in from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How far a search may go; what is not set does not limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Plies of the main search.
    pub depth: Option<u8>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// When this has passed no deeper search begins.
    pub enough: Option<Duration>,
    /// When this has passed the search ends where it is.
    pub most: Option<Duration>,
}

impl Limits {
    /// To this depth.
    pub fn depth(depth: u8) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// So many positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So long and no longer.
    pub fn time(most: Duration) -> Limits {
        Limits { most: Some(most), ..Limits::default() }
    }

    /// A share of what the clock shows that lasts for the whole game.
    ///
    /// Something is always kept back for the way of the move to the clock.
    pub fn from_clock(left: Duration, increment: Duration) -> Limits {
        const KEPT_BACK: Duration = Duration::from_millis(50);
        let usable = left.saturating_sub(KEPT_BACK).max(Duration::from_millis(1));
        let share = usable / 30 + increment * 3 / 4;
        let most = (share * 3).min(usable / 3).max(Duration::from_millis(1));
        Limits { enough: Some((share / 2).min(most)), most: Some(most), ..Limits::default() }
    }
}

/// A handle that ends a search from another thread, at the next position it looks at.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A handle that has not been used.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends every search that looks at this handle, also those that begin later.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a search knows of the world outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Ends the search.
    pub stop: &'a Stop,
    /// The time since the search was asked for; this crate reads no clock.
    pub elapsed: &'a dyn Fn() -> Duration,
}

impl<'a> Control<'a> {
    /// For searches without limits of time.
    pub fn untimed(stop: &'a Stop) -> Control<'a> {
        Control { stop, elapsed: &|| Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_clock_never_exceeds_what_is_left() {
        for left in [0, 1, 30, 60, 200, 1_000, 60_000, 600_000] {
            for increment in [0, 1_000, 30_000] {
                let limits = Limits::from_clock(
                    Duration::from_millis(left),
                    Duration::from_millis(increment),
                );
                let (enough, most) = (limits.enough.unwrap(), limits.most.unwrap());
                assert!(enough <= most, "{left}+{increment}: {enough:?} {most:?}");
                assert!(most <= Duration::from_millis((left / 3).max(1)), "{left}: {most:?}");
            }
        }
    }
}
