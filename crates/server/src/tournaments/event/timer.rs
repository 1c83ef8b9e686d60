//! The timer of the hall: how long a round that is played over the board has run. Games that are played here keep their
//! own time.

use rules::UnixMillis;
use serde::{Deserialize, Serialize};
use store::EventState;
use utoipa::ToSchema;

use super::{Deed, Event, Refused};

/// The most minutes that are added or taken away at once.
const MOST_MINUTES: u32 = 1_440;
/// The most minutes that are added in all.
const MOST_ADDED: i32 = 14_400;

/// How long a round has run. A round without one has not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoundTimer {
    /// Which round.
    pub round: u16,
    /// Since when it runs, Unix milliseconds; none while it stands still.
    pub since: Option<i64>,
    /// How long it had run before, in milliseconds.
    pub ran_ms: i64,
    /// Minutes that were added to those of the regulations.
    pub added_minutes: i32,
}

/// What can be done with the timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimerAct {
    /// The round begins, or goes on.
    Start,
    /// It stands still.
    Pause,
    /// It gets more minutes, or fewer.
    Extend,
    /// It has not begun after all.
    Reset,
}

impl Event {
    /// The timer of the round that is played.
    pub fn round_timer(&self) -> Option<RoundTimer> {
        let last = self.rounds.last()?;
        self.timer.filter(|timer| timer.round == last.number)
    }

    pub(super) fn set_timer(
        &mut self,
        act: TimerAct,
        minutes: i32,
        now: UnixMillis,
    ) -> Result<Deed, Refused> {
        let regulations = &self.regulations;
        let open = self.rounds.last().filter(|round| !round.is_complete());
        let Some(round) = open.map(|round| round.number).filter(|_| !regulations.online) else {
            return Err(Refused::NoTimer);
        };
        if self.state != EventState::Running {
            return Err(Refused::WrongState(self.state));
        }
        let usual = i32::from(regulations.pace.round_minutes);
        let blank = RoundTimer { round, since: None, ran_ms: 0, added_minutes: 0 };
        let mut timer = self.round_timer().unwrap_or(blank);
        let (word, detail) = match act {
            TimerAct::Start if timer.since.is_none() => {
                timer.since = Some(now.0);
                ("timer_started", format!("round {round}"))
            }
            TimerAct::Pause if timer.since.is_some() => {
                timer.ran_ms += now.0 - timer.since.take().unwrap_or(now.0);
                ("timer_paused", format!("round {round}"))
            }
            TimerAct::Reset if timer != blank => {
                timer = blank;
                ("timer_reset", format!("round {round}"))
            }
            TimerAct::Extend
                if usual == 0 || !(1..=MOST_MINUTES).contains(&minutes.unsigned_abs()) =>
            {
                return Err(Refused::NoTimer);
            }
            TimerAct::Extend => {
                // A round may be cut short, but it cannot have ended before it began.
                timer.added_minutes = (timer.added_minutes + minutes).clamp(-usual, MOST_ADDED);
                ("timer_extended", format!("round {round}: {minutes:+} min"))
            }
            TimerAct::Start | TimerAct::Pause | TimerAct::Reset => {
                return Err(Refused::NothingToDo);
            }
        };
        self.timer = Some(timer);
        Ok(Deed::new(word, detail))
    }
}
