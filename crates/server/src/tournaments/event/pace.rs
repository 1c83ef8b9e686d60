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

    /// When the program has to act, seen from `now`. Only online events that move by themselves have such a moment.
    pub fn next_due(&self, now: UnixMillis) -> Option<UnixMillis> {
        let rules = &self.regulations;
        if !rules.online {
            return None;
        }
        match self.state {
            EventState::Registration | EventState::CheckIn if rules.pace.automatic => {
                self.starts_at.map(|at| at.max(now))
            }
            EventState::Running if rules.system == System::Arena => {
                Some(UnixMillis(now.0 + ARENA_EVERY))
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
