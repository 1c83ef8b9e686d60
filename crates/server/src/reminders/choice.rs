//! What somebody wants to be told, and how.

use rules::UnixMillis;
use serde::{Deserialize, Serialize};
use store::ReminderKind;
use utoipa::ToSchema;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// Changes of a clock that are remembered: two a year, for ten years.
const MOST_SHIFTS: usize = 20;

/// What comes by one way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = RemindersWanted)]
#[allow(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Wanted {
    /// It is their move in a slow game.
    #[serde(rename = "move")]
    pub your_move: bool,
    /// Their time runs out.
    pub low_time: bool,
    /// Somebody invites them.
    pub invitation: bool,
    /// A slow game of theirs is over.
    pub result: bool,
}

impl Wanted {
    fn wants(self, kind: ReminderKind) -> bool {
        match kind {
            ReminderKind::Move => self.your_move,
            ReminderKind::Low => self.low_time,
            ReminderKind::Invitation => self.invitation,
            ReminderKind::Result => self.result,
        }
    }
}

/// A moment from which on a clock shows another hour: the beginning or the end of summer time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockShift {
    /// From when on, in Unix milliseconds.
    pub at: i64,
    /// How far the clock is ahead of UTC then, in minutes.
    pub utc_offset_minutes: i16,
}

/// What somebody wants to be told, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ReminderChoice)]
pub struct Choice {
    /// What comes by mail.
    pub mail: Wanted,
    /// What their browsers show.
    pub push: Wanted,
    /// Whether one mail a day lists all their games.
    pub digest: bool,
    /// At which hour of their day it is written, 0 to 23.
    pub digest_hour: u8,
    /// How far their clock is ahead of UTC, in minutes.
    pub utc_offset_minutes: i16,
    /// When that changes, in order. Their browser knows the years to come, so that the server needs no table of the
    /// world's zones; after the last one nothing changes any more.
    pub clock_shifts: Vec<ClockShift>,
}

impl Default for Choice {
    /// No mail that nobody has asked for. A browser has been asked by the time it can be told anything.
    fn default() -> Self {
        Choice {
            mail: Wanted::default(),
            push: Wanted { your_move: true, low_time: true, invitation: true, result: true },
            digest: false,
            digest_hour: 8,
            utc_offset_minutes: 0,
            clock_shifts: Vec::new(),
        }
    }
}

impl Choice {
    /// Whether hour and offsets make sense.
    pub(super) fn is_sound(&self) -> bool {
        let shifts = self.clock_shifts.iter().map(|shift| shift.utc_offset_minutes);
        let mut offsets = shifts.chain([self.utc_offset_minutes]);
        self.digest_hour < 24
            && self.clock_shifts.len() <= MOST_SHIFTS
            && self.clock_shifts.is_sorted_by(|one, next| one.at < next.at)
            && offsets.all(|offset| (-14 * 60..=14 * 60).contains(&offset))
    }

    /// How far their clock is ahead of UTC at a moment, in milliseconds.
    fn offset_at(&self, moment: i64) -> i64 {
        let shift = self.clock_shifts.iter().rev().find(|shift| shift.at <= moment);
        let minutes = shift.map_or(self.utc_offset_minutes, |shift| shift.utc_offset_minutes);
        i64::from(minutes) * 60_000
    }

    /// Whether this is wanted by any way.
    pub(super) fn wants(&self, kind: ReminderKind) -> bool {
        self.by_mail(kind) || self.by_push(kind)
    }

    /// Whether this is wanted by mail.
    pub(super) fn by_mail(&self, kind: ReminderKind) -> bool {
        self.mail.wants(kind)
    }

    /// Whether browsers are to show this.
    pub(super) fn by_push(&self, kind: ReminderKind) -> bool {
        self.push.wants(kind)
    }

    /// The same without any mail.
    pub(super) fn without_mail(self) -> Choice {
        Choice { mail: Wanted::default(), digest: false, ..self }
    }

    /// When the next daily letter is due after a moment, if it is wanted.
    pub(super) fn next_digest(&self, now: UnixMillis) -> Option<UnixMillis> {
        let today = (now.0 + self.offset_at(now.0)).div_euclid(DAY);
        // Not a step of 24 hours: the night in between may be shorter or longer.
        let mut days = (today..).map(|day| self.digest_on(day));
        let next = days.find(|at| *at > now.0).filter(|_| self.digest);
        next.map(UnixMillis)
    }

    /// When the letter of one of their days is due. Each day has one such moment, whenever it is asked for: of an hour
    /// that the clock shows twice it is the first.
    fn digest_on(&self, day: i64) -> i64 {
        let shown = day * DAY + i64::from(self.digest_hour) * HOUR;
        let by_yesterday = shown - self.offset_at(shown - DAY);
        shown - self.offset_at(by_yesterday)
    }

    /// As it is stored.
    pub(super) fn to_stored(&self) -> String {
        serde_json::to_string(self).expect("choices are plain data")
    }

    /// As it was stored. What a later version does not know any more is not wanted.
    pub(crate) fn from_stored(text: &str) -> Choice {
        serde_json::from_str(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hour: u8, offset: i16, now_hours: i64, expected_hours: i64) {
        let choice = Choice {
            digest: true,
            digest_hour: hour,
            utc_offset_minutes: offset,
            ..Choice::default()
        };
        let next = choice.next_digest(UnixMillis(now_hours * HOUR));
        assert_eq!(next, Some(UnixMillis(expected_hours * HOUR)), "{hour} h, {offset} min");
    }

    #[test]
    fn the_daily_letter_comes_at_the_hour_of_its_reader() {
        check(8, 0, 7, 8);
        check(8, 0, 8, 32);
        check(8, 120, 5, 6);
        check(8, 120, 6, 30);
        check(1, 120, 20, 23);
        check(20, -300, 0, 1);
        check(20, -300, 1, 25);
        assert_eq!(Choice::default().next_digest(UnixMillis(0)), None);
    }

    /// The letters of some days in a row, in hours since the first midnight of UTC.
    fn letters(hour: u8, shift_hour: i64, before: i16, after: i16) -> Vec<i64> {
        let shift = ClockShift { at: shift_hour * HOUR, utc_offset_minutes: after };
        let choice = Choice {
            digest: true,
            digest_hour: hour,
            utc_offset_minutes: before,
            clock_shifts: vec![shift],
            ..Choice::default()
        };
        let next = |now: &UnixMillis| choice.next_digest(*now);
        let all = std::iter::successors(next(&UnixMillis(0)), next).take(4);
        all.map(|at| at.0 / HOUR).collect()
    }

    #[test]
    fn the_daily_letter_keeps_its_hour_when_summer_time_begins_and_ends() {
        // In the night before the third day, at one o'clock of UTC.
        assert_eq!(letters(8, 49, 60, 120), [7, 31, 54, 78]);
        assert_eq!(letters(8, 49, 120, 60), [6, 30, 55, 79]);
        // At the very hour that is left out, and at one that comes twice: still one letter a day.
        assert_eq!(letters(2, 49, 60, 120), [1, 25, 48, 72]);
        assert_eq!(letters(2, 49, 120, 60), [24, 48, 73, 97]);
        // Asked between the two hours that look alike, the letter of that day is not due again.
        let shift = ClockShift { at: 49 * HOUR, utc_offset_minutes: 60 };
        let choice = Choice {
            digest: true,
            digest_hour: 2,
            utc_offset_minutes: 120,
            clock_shifts: vec![shift],
            ..Choice::default()
        };
        let late = UnixMillis(49 * HOUR + 1);
        assert_eq!(choice.next_digest(late), Some(UnixMillis(73 * HOUR)));
    }

    #[test]
    fn what_was_stored_is_read_again() {
        let choice = Choice { digest: true, digest_hour: 21, ..Choice::default() };
        assert_eq!(Choice::from_stored(&choice.to_stored()), choice);
        assert_eq!(Choice::from_stored("{}"), Choice::default());
        assert!(!Choice { digest_hour: 24, ..choice.clone() }.is_sound());
        assert!(!Choice { utc_offset_minutes: 841, ..choice.clone() }.is_sound());
        let shift = |at, utc_offset_minutes| ClockShift { at, utc_offset_minutes };
        for (shifts, is_sound) in [
            (vec![shift(1, 60), shift(2, 120)], true),
            (vec![shift(2, 60), shift(1, 120)], false),
            (vec![shift(1, 900)], false),
            ((0..21).map(|at| shift(at, 0)).collect(), false),
        ] {
            let choice = Choice { clock_shifts: shifts, ..choice.clone() };
            assert_eq!(choice.is_sound(), is_sound, "{choice:?}");
        }
    }
}
