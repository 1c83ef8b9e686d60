//! When an event moves on by itself.

use rules::UnixMillis;
use store::EventState;

use super::{Event, System};

/// How often an arena looks who waits.
pub(crate) const ARENA_EVERY: i64 = 2_000;

impl Event {
    /// Whether there is no further round.
    pub fn is_over(&self) -> bool {
        match self.regulations.system {
            System::Knockout => self.is_knockout_over(),
            System::Arena => self.ends_at.is_some(),
            _ => {
                self.is_complete()
                    && self.total_rounds().is_some_and(|total| self.next_round() > total)
            }
        }
    }

    /// Whether it would end now if nobody had opened it again.
    fn has_come_to_its_end(&self, now: UnixMillis) -> bool {
        match self.regulations.system {
            System::Arena => self.is_complete() && self.ends_at.is_some_and(|at| at <= now),
            _ => self.is_over(),
        }
    }

    /// When the program has to act, seen from `now`. Only online events that move by themselves have such a moment.
    pub fn next_due(&self, now: UnixMillis) -> Option<UnixMillis> {
        let rules = &self.regulations;
        if !rules.online || self.stuck.is_some() {
            return None;
        }
        match self.state {
            EventState::Registration | EventState::CheckIn if rules.pace.automatic => {
                self.starts_at.map(|at| at.max(now))
            }
            EventState::Running if self.reopened && self.has_come_to_its_end(now) => None,
            // A wave is not put off by every game that ends: in a large arena one always does.
            EventState::Running if rules.system == System::Arena => {
                Some(self.due_at.unwrap_or(UnixMillis(now.0 + ARENA_EVERY)))
            }
            EventState::Running if rules.pace.automatic && self.is_complete() => {
                let pause = i64::from(rules.pace.pause_seconds) * 1_000;
                if self.rounds.is_empty() || self.is_over() {
                    return Some(now);
                }
                // What is on its way already is not put off by somebody who enters.
                Some(self.due_at.unwrap_or(UnixMillis(now.0 + pause)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{AccountId, EventId};

    use super::*;
    use crate::tournaments::event::Regulations;

    #[test]
    fn games_that_end_do_not_put_off_the_next_wave_of_an_arena() {
        let (id, owner) = (EventId::from_bits(1), AccountId::from_bits(1));
        let regulations =
            Regulations { system: System::Arena, online: true, ..Regulations::default() };
        let blank = Event::blank(id, owner, String::new(), UnixMillis(0));
        let mut event = Event { state: EventState::Running, regulations, ..blank };
        assert_eq!(event.next_due(UnixMillis(500)), Some(UnixMillis(2_500)));
        event.due_at = Some(UnixMillis(2_500));
        for now in [1_000, 2_400, 2_600] {
            assert_eq!(event.next_due(UnixMillis(now)), Some(UnixMillis(2_500)));
        }
    }
}
