//! When an event moves on by itself.

use rules::UnixMillis;
use store::EventState;

use super::{Command, Event, Standstill, System};

/// How often an arena looks who waits.
pub(crate) const ARENA_EVERY: i64 = 2_000;
/// Why an event stands still whose last round was taken back.
pub(super) const TAKEN_BACK: &str = "round_taken_back";
/// Why one does whose start had passed before anybody could wait for it.
const START_PASSED: &str = "start_passed";

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

    /// Whether it goes on waiting for the director after a command. Whatever is done may be what an event waits for;
    /// but whoever has taken a round back does so with several things in mind, and says by publishing that all are done.
    pub fn stays_stuck_after(&self, command: &Command) -> bool {
        let Some(why) = self.stuck.as_ref().map(|why| why.code.as_str()) else { return false };
        match command {
            Command::Publish { .. } | Command::PublishAll { .. } | Command::Move { .. } => false,
            Command::Describe { regulations, starts_at, .. } => {
                let waits_for_time = why == START_PASSED && *starts_at == self.starts_at;
                regulations.pace.automatic && (why == TAKEN_BACK || waits_for_time)
            }
            Command::PutBack { to, .. } => self.stays_stuck_after(to),
            _ => [TAKEN_BACK, START_PASSED].contains(&why),
        }
    }

    /// An event that begins by itself waits for the director if its start has passed already when it comes to be
    /// waited for: with registration opened late, or by mistake, nobody wants it to begin at once.
    pub fn wait_if_start_has_passed(&mut self, before: &Event, now: UnixMillis) {
        let waits = |event: &Event| {
            matches!(event.state, EventState::Registration | EventState::CheckIn)
                && event.regulations.online
                && event.regulations.pace.automatic
        };
        let is_new =
            !waits(before) || before.starts_at != self.starts_at || before.state != self.state;
        if waits(self) && is_new && self.starts_at.is_some_and(|at| at <= now) {
            let reason = "its start has passed".to_owned();
            self.stuck = Some(Standstill { code: START_PASSED.to_owned(), reason });
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
