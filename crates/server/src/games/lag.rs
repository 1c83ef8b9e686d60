//! Credit for the network: time that a move spent on the line is not charged to its player, within a quota.

use std::time::Duration;

use rules::Millis;

/// What a move earns of a game's estimated time: in a game of a minute a tenth of a second.
const PART: i64 = 600;
/// What it earns in the quickest and the slowest game.
const LEAST_EARNED: i64 = 25;
const MOST_EARNED: i64 = 250;
/// In what a move earns: what a single move can be credited at most, and what a player may have saved up.
const MOST: i64 = 5;
const FULL: i64 = 20;

/// A player's quota: a bad line is helped for a while, a made-up one gains next to nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LagQuota {
    saved: i64,
    earned: i64,
}

impl LagQuota {
    /// The quota of a game that takes about this long for a player; none for one without a clock.
    pub(crate) fn new(whole: Option<Duration>) -> LagQuota {
        let whole =
            whole.map_or(i64::MAX, |whole| i64::try_from(whole.as_millis()).unwrap_or(i64::MAX));
        let earned = (whole / PART).clamp(LEAST_EARNED, MOST_EARNED);
        LagQuota { saved: earned * FULL / 2, earned }
    }

    /// What a move over a line with this round trip is credited now.
    pub(crate) fn outlook(&self, round_trip: Millis) -> Millis {
        Millis(round_trip.0.clamp(0, self.earned * MOST).min(self.saved))
    }

    /// A move was made and credited this much. One that is refused costs nothing and earns nothing.
    pub(crate) fn take(&mut self, credit: Millis) {
        self.saved = (self.saved - credit.0 + self.earned).min(self.earned * FULL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credits(round_trip: i64, moves: usize) -> Vec<i64> {
        let mut quota = LagQuota::new(Some(Duration::from_mins(1)));
        let one = |_| {
            let credit = quota.outlook(Millis(round_trip));
            quota.take(credit);
            credit.0
        };
        (0..moves).map(one).collect()
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

    #[test]
    fn quick_games_are_credited_less_than_slow_ones() {
        let most =
            |seconds| LagQuota::new(Some(Duration::from_secs(seconds))).outlook(Millis(60_000)).0;
        assert_eq!([15, 60, 180, 3_600].map(most), [125, 500, 1_250, 1_250]);
        assert_eq!(LagQuota::new(None).outlook(Millis(60_000)), Millis(1_250));
    }
}
