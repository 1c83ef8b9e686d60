//! Days for a move, as the outside writes them.

use rules::clock::{Bank, DayTime};
use rules::{Millis, TimeControl};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire::BadTimeControl;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The time of a correspondence game, the same for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayTimeView {
    /// Time for every move; with a bank, what every move adds to it. An hour to 60 days.
    pub per_move_ms: i64,
    /// What a bank of time holds at the start; none if every move has its own time.
    #[serde(default)]
    pub bank_ms: Option<i64>,
    /// What the bank can hold at most, up to 180 days; as much as at the start if not said.
    #[serde(default)]
    pub cap_ms: Option<i64>,
    /// Days of leave each side may take in a calendar year, up to 90.
    #[serde(default)]
    pub leave_days: u32,
    /// Whether Saturdays and Sundays (UTC) are not charged.
    #[serde(default)]
    pub weekends_free: bool,
}

impl DayTimeView {
    /// The rules' form, if the times make sense.
    pub(super) fn to_rules(self) -> Result<TimeControl, BadTimeControl> {
        let cap = self.cap_ms.or(self.bank_ms);
        let bank = self
            .bank_ms
            .zip(cap)
            .map(|(start, cap)| Bank { start: Millis(start), cap: Millis(cap) });
        let fits = (HOUR..=60 * DAY).contains(&self.per_move_ms)
            && self.leave_days <= 90
            && bank.is_none_or(|bank| bank.start.0 >= HOUR && bank.cap.0 <= 180 * DAY);
        if !fits {
            return Err(BadTimeControl);
        }
        Ok(TimeControl::Days(DayTime {
            per_move: Millis(self.per_move_ms),
            bank,
            leave: Millis::days(i64::from(self.leave_days)),
            weekends_free: self.weekends_free,
        }))
    }
}

impl From<&DayTime> for DayTimeView {
    fn from(time: &DayTime) -> Self {
        DayTimeView {
            per_move_ms: time.per_move.0,
            bank_ms: time.bank.map(|bank| bank.start.0),
            cap_ms: time.bank.map(|bank| bank.cap.0),
            leave_days: u32::try_from(time.leave.0 / DAY).unwrap_or(0),
            weekends_free: time.weekends_free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(per_move_ms: i64, bank_ms: Option<i64>, cap_ms: Option<i64>, fits: bool) {
        let view =
            DayTimeView { per_move_ms, bank_ms, cap_ms, leave_days: 30, weekends_free: true };
        let control = view.to_rules().and_then(|time| time.check().map_err(|_| BadTimeControl));
        assert_eq!(control.is_ok(), fits, "{view:?}");
        if let Ok(TimeControl::Days(days)) = view.to_rules() {
            let cap_ms = cap_ms.or(bank_ms);
            assert_eq!(DayTimeView::from(&days), DayTimeView { cap_ms, ..view });
        }
    }

    #[test]
    fn days_are_between_an_hour_and_two_months() {
        check(3 * DAY, None, None, true);
        check(HOUR, None, None, true);
        check(HOUR - 1, None, None, false);
        check(61 * DAY, None, None, false);
        check(DAY, Some(10 * DAY), Some(20 * DAY), true);
        check(DAY, Some(10 * DAY), None, true);
        check(DAY, Some(20 * DAY), Some(10 * DAY), false);
        check(DAY, Some(20 * DAY), Some(181 * DAY), false);
    }
}
