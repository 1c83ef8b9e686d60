//! Leave of one side: a budget for every calendar year, used up while the side is away.
//!
//! A side is here or away. An absence ends when the side comes back or when the budget is used up, whichever is
//! earlier; at New Year there is a new budget, and an absence that reaches it goes on with that one.

use super::calendar::{year_begins, year_of};
use crate::units::{Millis, UnixMillis};

/// Budgets that an absence can use one after the other. Whoever has the whole year off is back some day.
const MOST_YEARS: i64 = 50;

/// Leave of one side.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leave {
    /// For every year.
    budget: Millis,
    /// Used of the budget of `year`.
    used: Millis,
    year: i64,
    /// Since when the side is away.
    since: Option<UnixMillis>,
}

impl Leave {
    /// A side that is here, with this much leave in a year.
    pub(super) fn new(budget: Millis) -> Leave {
        Leave { budget, ..Leave::default() }
    }

    /// Since when the side is away, also if its leave is used up meanwhile.
    pub(super) fn since(&self) -> Option<UnixMillis> {
        self.since
    }

    /// When a leave under way ends by itself.
    pub(super) fn ends(&self) -> Option<UnixMillis> {
        let since = self.since?;
        let first = year_of(since);
        let mut from = since;
        for year in first..first + MOST_YEARS {
            let end = from.plus(self.budget_of(year));
            let new_year = year_begins(year + 1);
            // At New Year itself the next budget takes over.
            if end < new_year {
                return Some(end);
            }
            from = new_year;
        }
        Some(from)
    }

    /// What is left of the budget of this moment's year.
    pub(super) fn left(&self, at: UnixMillis) -> Millis {
        self.ended(at).budget_of(year_of(at))
    }

    /// The side goes away.
    pub(super) fn take(&mut self, at: UnixMillis) {
        *self = Leave { since: Some(at), ..self.ended(at) };
    }

    /// The side comes back.
    pub(super) fn end(&mut self, at: UnixMillis) {
        *self = self.ended(at);
    }

    /// What has not been used of a year's budget before the absence under way.
    fn budget_of(&self, year: i64) -> Millis {
        let used = if year == self.year { self.used } else { Millis::ZERO };
        self.budget.minus(used).at_least_zero()
    }

    /// The same after coming back at this moment.
    fn ended(&self, at: UnixMillis) -> Leave {
        let (Some(since), Some(ends)) = (self.since, self.ends()) else { return *self };
        let back = at.min(ends).max(since);
        let year = year_of(back);
        let from = since.max(year_begins(year));
        let before = if year == self.year { self.used } else { Millis::ZERO };
        Leave { used: before.plus(back.since(from)), year, since: None, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW_YEAR: UnixMillis = UnixMillis(1_767_225_600_000);

    fn day(number: i64) -> UnixMillis {
        NEW_YEAR.plus(Millis::days(number))
    }

    fn check(leave: &Leave, at: i64, left: i64) {
        assert_eq!(leave.left(day(at)), Millis::days(left), "on day {at}");
    }

    #[test]
    fn the_budget_of_a_year_is_used_once() {
        let mut leave = Leave::new(Millis::days(30));
        leave.take(day(10));
        check(&leave, 15, 25);
        assert_eq!(leave.ends(), Some(day(40)));
        leave.end(day(20));
        check(&leave, 20, 20);
        leave.take(day(100));
        assert_eq!(leave.ends(), Some(day(120)));
        leave.end(day(200));
        check(&leave, 200, 0);
        check(&leave, 365, 30);
    }

    #[test]
    fn an_absence_over_new_year_uses_both_budgets() {
        let mut leave = Leave::new(Millis::days(30));
        leave.take(day(-20));
        assert_eq!(leave.ends(), Some(day(30)));
        check(&leave, -1, 11);
        check(&leave, 10, 20);
        leave.end(day(10));
        check(&leave, 10, 20);
        leave.take(day(-20 + 365));
        assert_eq!(leave.ends(), Some(day(365 + 30)), "20 days of the old year are all it needs");
    }

    #[test]
    fn leave_that_is_used_up_does_not_begin_again_at_new_year() {
        let mut leave = Leave::new(Millis::days(5));
        leave.take(day(-60));
        assert_eq!(leave.ends(), Some(day(-55)));
        leave.end(day(40));
        check(&leave, 40, 5);
    }

    #[test]
    fn no_leave_ends_at_once() {
        let mut leave = Leave::new(Millis::ZERO);
        leave.take(day(3));
        assert_eq!(leave.ends(), Some(day(3)));
        check(&leave, 9, 0);
    }
}
