//! When the next move is due: at a steady rate, or at once.

use server::world::{Sleep, Time};

/// The pace of one table.
pub(super) struct Pace {
    time: Time,
    /// Microseconds from move to move; none for as fast as it goes.
    interval: Option<u64>,
    due: u64,
}

impl Pace {
    /// The tables begin one after the other, so that their moves are spread evenly.
    pub(super) fn new(time: Time, per_second: f64, table: usize, tables: usize) -> Pace {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a duration between a microsecond and an hour"
        )]
        let interval =
            (per_second > 0.0).then(|| (1e6 / per_second).clamp(1.0, 3.6e9).round() as u64);
        let first = interval.unwrap_or(0) * table as u64 / tables.max(1) as u64;
        let due = time.micros() + first;
        Pace { time, interval, due }
    }

    /// How long to wait for the next move; none if it is due.
    pub(super) fn wait(&self) -> Option<Sleep> {
        let now = self.time.micros();
        let left = self.interval.map_or(0, |_| self.due.saturating_sub(now));
        // The clocks count milliseconds: what is left of the last one is not worth a wait.
        let millis = i64::try_from(left / 1_000).unwrap_or(i64::MAX);
        (millis > 0).then(|| self.time.sleep(millis))
    }

    /// A move was made. Who is late does not hurry afterwards.
    pub(super) fn moved(&mut self) {
        if let Some(interval) = self.interval {
            self.due = (self.due + interval).max(self.time.micros());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use server::world::World;

    #[test]
    fn moves_come_at_the_rate_and_a_late_one_is_not_caught_up() {
        let (world, hand) = World::simulated(1);
        let mut pace = Pace::new(world.time, 10.0, 1, 2);
        assert!(pace.wait().is_some(), "the second of two tables begins half an interval later");
        hand.advance(50);
        assert!(pace.wait().is_none());
        pace.moved();
        hand.advance(99);
        assert!(pace.wait().is_some());
        hand.advance(500);
        assert!(pace.wait().is_none());
        pace.moved();
        pace.moved();
        assert!(pace.wait().is_some());
    }

    #[test]
    fn without_a_rate_the_next_move_is_always_due() {
        let (world, _hand) = World::simulated(1);
        let mut pace = Pace::new(world.time, 0.0, 7, 9);
        pace.moved();
        assert!(pace.wait().is_none());
    }
}
