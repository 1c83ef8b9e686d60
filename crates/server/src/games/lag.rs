//! Credit for the network: time that a move spent on the line is not charged to its player, within a quota.

use rules::Millis;

/// What a single move can be credited at most.
const MOST: i64 = 500;
/// What a player may have saved up.
const FULL: i64 = 2_000;
/// What a move earns.
const EARNED: i64 = 100;

/// A player's quota: a bad line is helped for a while, a made-up one gains next to nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LagQuota(i64);

impl LagQuota {
    pub(crate) fn new() -> LagQuota {
        LagQuota(FULL / 2)
    }

    /// The credit for a move over a line with this round trip.
    pub(crate) fn credit(&mut self, round_trip: Millis) -> Millis {
        let credit = round_trip.0.clamp(0, MOST).min(self.0);
        self.0 = (self.0 - credit + EARNED).min(FULL);
        Millis(credit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credits(round_trip: i64, moves: usize) -> Vec<i64> {
        let mut quota = LagQuota::new();
        (0..moves).map(|_| quota.credit(Millis(round_trip)).0).collect()
    }

    #[test]
    fn an_ordinary_line_is_credited_in_full_for_ever() {
        assert!(credits(80, 200).iter().all(|credit| *credit == 80));
    }

    #[test]
    fn a_very_slow_line_is_credited_up_to_the_quota() {
        let credits = credits(5_000, 100);
        assert_eq!(credits[0], 500);
        assert!(credits.iter().sum::<i64>() <= 1_000 + 100 * 100);
    }

    #[test]
    fn a_line_faster_than_time_earns_nothing() {
        assert_eq!(credits(-50, 3), [0, 0, 0]);
    }
}
