//! What somebody wants to be told, and how.

use rules::UnixMillis;
use serde::{Deserialize, Serialize};
use store::ReminderKind;
use utoipa::ToSchema;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

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

/// What somebody wants to be told, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
        }
    }
}

impl Choice {
    /// Whether hour and offset make sense.
    pub(super) fn is_sound(&self) -> bool {
        self.digest_hour < 24 && (-14 * 60..=14 * 60).contains(&self.utc_offset_minutes)
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
        let offset = i64::from(self.utc_offset_minutes) * 60_000;
        let midnight = (now.0 + offset).div_euclid(DAY) * DAY - offset;
        let today = midnight + i64::from(self.digest_hour) * HOUR;
        let next = if today > now.0 { today } else { today + DAY };
        self.digest.then_some(UnixMillis(next))
    }

    /// As it is stored.
    pub(super) fn to_stored(self) -> String {
        serde_json::to_string(&self).expect("choices are plain data")
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

    #[test]
    fn what_was_stored_is_read_again() {
        let choice = Choice { digest: true, digest_hour: 21, ..Choice::default() };
        assert_eq!(Choice::from_stored(&choice.to_stored()), choice);
        assert_eq!(Choice::from_stored("{}"), Choice::default());
        assert!(!Choice { digest_hour: 24, ..choice }.is_sound());
        assert!(!Choice { utc_offset_minutes: 841, ..choice }.is_sound());
    }
}
