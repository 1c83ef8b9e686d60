//! When a game was played. The only calendar ratings need is "which year" and "how many days since".

use serde::{Deserialize, Serialize};

const MILLIS_A_DAY: i64 = 86_400_000;

/// A moment in Unix milliseconds.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    /// Days from an earlier moment to this one, with fractions; 0 if that moment is not earlier.
    #[allow(clippy::cast_precision_loss, reason = "spans of centuries fit a double exactly")]
    pub fn days_since(self, earlier: Moment) -> f64 {
        self.0.saturating_sub(earlier.0).max(0) as f64 / MILLIS_A_DAY as f64
    }

    /// The year of the Gregorian calendar, in UTC.
    pub fn year(self) -> i64 {
        // Counted from 1 March of year 0, so that a leap day is the last of its year; 400 years are 146,097 days.
        let days = self.0.div_euclid(MILLIS_A_DAY) + 719_468;
        let era = days.div_euclid(146_097);
        let day = days.rem_euclid(146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day_of_year = day - (365 * year + year / 4 - year / 100);
        // The 306 days from March to December belong to the year they are counted in.
        era * 400 + year + i64::from(day_of_year >= 306)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: i64, year: i64) {
        assert_eq!(Moment(seconds * 1_000).year(), year, "{seconds}");
    }

    #[test]
    fn the_year_changes_at_midnight_of_the_first_of_january() {
        check(0, 1970);
        check(-1, 1969);
        check(951_782_400, 2000); // 29 February 2000
        check(978_307_199, 2000);
        check(978_307_200, 2001);
        check(1_767_225_599, 2025);
        check(1_767_225_600, 2026);
        check(4_107_542_399, 2100); // 28 February 2100, a year without leap day
        check(-62_135_596_800, 1);
        check(-62_135_596_801, 0);
    }

    #[test]
    fn time_never_runs_backwards() {
        let day = Moment(86_400_000);
        assert!((day.days_since(Moment(0)) - 1.0).abs() < f64::EPSILON);
        assert!(Moment(0).days_since(day).abs() < f64::EPSILON);
        assert!(Moment(i64::MAX).days_since(Moment(i64::MIN)).is_finite());
    }

    #[test]
    fn the_ends_of_time_have_a_year() {
        assert!(Moment(i64::MAX).year() > 290_000_000);
        assert!(Moment(i64::MIN).year() < -290_000_000);
    }
}
