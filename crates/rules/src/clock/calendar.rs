//! The calendar of correspondence: weekends that do not count, and years with their leave.
//!
//! All of it is UTC: two players in two countries need one answer to "is it Saturday?".

use crate::units::{Millis, UnixMillis};

const DAY: i64 = 86_400_000;
const WEEK: i64 = 7 * DAY;
/// The part of a week that counts if weekends are free.
const WORK: i64 = 5 * DAY;
/// The first Monday after the epoch, which was a Thursday.
const MONDAY: i64 = 4 * DAY;

/// The time between two moments that counts; never negative.
pub(super) fn counted(from: UnixMillis, to: UnixMillis, weekends_free: bool) -> Millis {
    if to <= from {
        return Millis::ZERO;
    }
    if weekends_free {
        Millis(worked_until(to.0).saturating_sub(worked_until(from.0)))
    } else {
        to.since(from)
    }
}

/// The moment at which this much time that counts has passed. If that is when a weekend begins, the weekend is not
/// waited for: the flag falls on Friday night.
pub(super) fn after(from: UnixMillis, span: Millis, weekends_free: bool) -> UnixMillis {
    if !weekends_free {
        return from.plus(span);
    }
    if span <= Millis::ZERO {
        return from.plus(span);
    }
    let worked = worked_until(from.0).saturating_add(span.0);
    // A whole number of working weeks ends on Friday night, not on the Monday after.
    let (weeks, rest) = ((worked - 1).div_euclid(WORK), (worked - 1).rem_euclid(WORK) + 1);
    UnixMillis(MONDAY.saturating_add(weeks.saturating_mul(WEEK)).saturating_add(rest))
}

/// Working time between the first Monday and a moment.
fn worked_until(at: i64) -> i64 {
    let since = at.saturating_sub(MONDAY);
    let (weeks, rest) = (since.div_euclid(WEEK), since.rem_euclid(WEEK));
    weeks * WORK + rest.min(WORK)
}

/// The calendar year of a moment.
pub(super) fn year_of(at: UnixMillis) -> i64 {
    // From the count of days to the date by the rules of the Gregorian calendar, whose cycle of 400 years begins in
    // March so that the leap day is the last of its year.
    let days = at.0.div_euclid(DAY) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    // The year that began in March ends after 306 days of it, at New Year.
    era * 400 + year + i64::from(day_of_year >= 306)
}

/// When a year begins.
pub(super) fn year_begins(year: i64) -> UnixMillis {
    let before = year - 1;
    let days =
        before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    UnixMillis((days - 719_162).saturating_mul(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Monday, 16 November 2026, 00:00.
    const START: i64 = 1_794_787_200_000;

    fn check(from: i64, span: i64, days_later: i64) {
        let from = UnixMillis(START + from * DAY / 2);
        let end = after(from, Millis(span * DAY), true);
        assert_eq!(end, UnixMillis(from.0 + days_later * DAY / 2), "{span} days from {from:?}");
        assert_eq!(counted(from, end, true), Millis(span * DAY));
        assert_eq!(after(from, Millis(span * DAY), false).since(from), Millis(span * DAY));
    }

    #[test]
    fn days_end_on_friday_night_or_skip_the_weekend() {
        // Half days since Monday; days of time; half days until the flag.
        check(0, 1, 2);
        check(0, 5, 10);
        check(0, 6, 16);
        check(9, 1, 6);
        check(10, 1, 6);
        check(12, 1, 4);
        check(13, 3, 7);
        check(8, 10, 28);
    }

    #[test]
    fn a_weekend_counts_nothing() {
        let (saturday, monday) = (UnixMillis(START + 5 * DAY), UnixMillis(START + 7 * DAY));
        assert_eq!(counted(saturday, monday, true), Millis::ZERO);
        assert_eq!(counted(saturday, monday, false), Millis(2 * DAY));
        assert_eq!(counted(monday, saturday, false), Millis::ZERO, "time does not run back");
    }

    #[test]
    fn every_year_begins_where_the_last_one_ends() {
        for year in 1_600..2_600 {
            let begins = year_begins(year);
            assert_eq!(year_of(begins), year);
            assert_eq!(year_of(UnixMillis(begins.0 - 1)), year - 1);
            let days = year_begins(year + 1).since(begins).0 / DAY;
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            assert_eq!(days, 365 + i64::from(is_leap), "{year}");
        }
        assert_eq!(year_begins(1970), UnixMillis(0));
        assert_eq!(year_begins(2026), UnixMillis(1_767_225_600_000));
    }
}
