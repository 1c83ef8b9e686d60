//! Chess clocks as values: who is thinking since when, and what each side has left.
//!
//! A clock never asks for the time: every question carries its moment. What is stored is what a side had when it
//! began to think, so a display, a flag and a recovery all compute from the same two numbers.

mod calendar;
mod control;
mod leave;

use serde::{Deserialize, Serialize};

pub use control::{Bank, Bonus, DayTime, LONGEST, SideTime, Stage, TimeControl, TimeControlError};

use crate::units::{ByColor, Color, Millis, UnixMillis};
use calendar::{after, counted};
use leave::Leave;

/// Why the clocks stand although somebody is to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Halt {
    /// The server cannot keep what is played: nobody may act.
    Server,
    /// The arbiter stopped the game: nobody may act.
    Arbiter,
    /// Both players agreed to stop for a while: nobody may act.
    Players,
    /// A weekend of a correspondence game: acting is allowed, the time is free.
    Weekend,
}

impl Halt {
    /// Whether a player may act all the same.
    pub fn allows_play(self) -> bool {
        self == Halt::Weekend
    }
}

/// The side whose thinking is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Thinking {
    side: Color,
    /// From here on time is counted; may lie ahead after a freeze.
    since: UnixMillis,
    /// Thinking for this same move before `since`: before a pause or a leave.
    used: Millis,
    /// False before the clocks start: the time counts only for the first-move deadline.
    counted: bool,
}

/// The clocks of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clocks {
    left: ByColor<Option<Millis>>,
    made: ByColor<u32>,
    thinking: Option<Thinking>,
    halt: Option<Halt>,
    leave: ByColor<Leave>,
    /// Whether Saturdays and Sundays are not charged.
    weekends_free: bool,
    /// Who has given up what moves earn or spare.
    bare: ByColor<bool>,
}

/// An action that stops the own clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Press {
    /// When it arrived.
    pub at: UnixMillis,
    /// Time the network took, taken off the thinking time.
    pub lag: Millis,
    /// Charged before the bonus is earned: the freeze of GMO.
    pub fine: Millis,
    /// Whether it counts as a move towards the next stage; promotions of GMO do not.
    pub is_move: bool,
}

/// The flag of the side that is thinking has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagFallen {
    /// Whose flag.
    pub loser: Color,
}

impl Clocks {
    /// Full clocks that stand.
    pub fn new(control: &TimeControl) -> Clocks {
        let (leave, weekends_free) = match control {
            TimeControl::Days(days) => (days.leave, days.weekends_free),
            TimeControl::Unlimited | TimeControl::Live(_) => (Millis::ZERO, false),
        };
        Clocks {
            left: ByColor::new_with(|side| control.initial(side)),
            made: ByColor::default(),
            thinking: None,
            halt: None,
            leave: ByColor::same(Leave::new(leave)),
            weekends_free,
            bare: ByColor::same(false),
        }
    }

    /// What the next move of a side earns or spares.
    fn bonus(&self, control: &TimeControl, side: Color) -> Bonus {
        if self.bare[side] { Bonus::None } else { control.bonus(side, self.made[side]) }
    }

    /// What a side has on its clock at a moment, never below zero; none if it has no clock.
    pub fn left(&self, control: &TimeControl, side: Color, at: UnixMillis) -> Option<Millis> {
        let left = self.left[side]?;
        let charge = match self.thinking {
            Some(thinking) if thinking.side == side && thinking.counted => {
                self.spent(at).minus(self.bonus(control, side).delay()).at_least_zero()
            }
            _ => Millis::ZERO,
        };
        Some(left.minus(charge).at_least_zero())
    }

    /// What the last event set for a side: what it had when it began to think.
    pub fn set_to(&self, side: Color) -> Option<Millis> {
        self.left[side]
    }

    /// The side whose clock really runs: not paused, not on leave, clocks started.
    pub fn running(&self, at: UnixMillis) -> Option<Color> {
        let thinking = self.thinking.filter(|t| t.counted && self.left[t.side].is_some())?;
        let away = self.is_away(thinking.side, at);
        (self.halt.is_none() && !away).then_some(thinking.side)
    }

    /// How long the running clock still waits before it counts down, with a simple delay: for displays.
    pub fn delay_left(&self, control: &TimeControl, at: UnixMillis) -> Millis {
        let Some(side) = self.running(at) else { return Millis::ZERO };
        self.bonus(control, side).delay().minus(self.spent(at)).at_least_zero()
    }

    /// The moment from which the running clock counts, for displays.
    pub fn running_since(&self) -> Option<UnixMillis> {
        self.thinking.filter(|t| t.counted && self.halt.is_none()).map(|t| self.counts_from(t))
    }

    /// Why the clocks stand, if they were stopped.
    pub fn halt(&self) -> Option<Halt> {
        self.halt
    }

    /// Since when the side to act is to act, clock or not.
    pub fn thinking_since(&self) -> Option<UnixMillis> {
        self.thinking.filter(|_| self.halt.is_none()).map(|t| t.since)
    }

    /// Actions a side has made.
    pub fn moves_made(&self, side: Color) -> u32 {
        self.made[side]
    }

    /// Leave a side still has this year, and since when it is away.
    pub fn leave(&self, side: Color, at: UnixMillis) -> (Millis, Option<UnixMillis>) {
        (self.leave[side].left(at), self.leave[side].since())
    }

    /// Whether a side is on leave at this moment: a leave that is used up has ended.
    pub fn is_away(&self, side: Color, at: UnixMillis) -> bool {
        self.leave[side].ends().is_some_and(|end| at < end)
    }

    /// From when on the thinking side's time is counted: not during its leave.
    fn counts_from(&self, thinking: Thinking) -> UnixMillis {
        self.leave[thinking.side].ends().map_or(thinking.since, |end| end.max(thinking.since))
    }

    /// Thinking time of the side to act for this move so far.
    pub fn spent(&self, at: UnixMillis) -> Millis {
        let Some(thinking) = self.thinking else { return Millis::ZERO };
        if self.halt.is_some() {
            return thinking.used;
        }
        thinking.used.plus(counted(self.counts_from(thinking), at, self.weekends_free))
    }

    /// When the flag of the running clock falls.
    pub fn deadline(&self, control: &TimeControl) -> Option<UnixMillis> {
        let thinking = self.thinking.filter(|t| t.counted && self.halt.is_none())?;
        let left = self.left[thinking.side]?;
        self.thought_for(left.plus(self.bonus(control, thinking.side).delay()))
    }

    /// When whoever is waited for will have thought this long, clock or not; none while time stands.
    pub fn thought_for(&self, span: Millis) -> Option<UnixMillis> {
        let thinking = self.thinking.filter(|_| self.halt.is_none())?;
        let rest = span.minus(thinking.used);
        Some(after(self.counts_from(thinking), rest, self.weekends_free))
    }

    /// Whether the flag of the side to act has fallen.
    pub fn flag_fallen(&self, control: &TimeControl, at: UnixMillis) -> Option<FlagFallen> {
        let loser = self.thinking?.side;
        self.deadline(control)
            .is_some_and(|deadline| at >= deadline)
            .then_some(FlagFallen { loser })
    }

    /// What the thinking side has after acting now, bonus included.
    ///
    /// An action that arrives with no time left is late even if it would give mate, and a bonus is earned only by an
    /// action in time.
    pub fn press(&self, control: &TimeControl, press: Press) -> Result<Option<Millis>, FlagFallen> {
        let Some(thinking) = self.thinking else { return Ok(None) };
        let side = thinking.side;
        let Some(left) = self.left[side] else { return Ok(None) };
        if !thinking.counted {
            return Ok(Some(left));
        }
        let used = self.spent(press.at).minus(press.lag.at_least_zero()).at_least_zero();
        let bonus = self.bonus(control, side);
        let charge = used.minus(bonus.delay()).at_least_zero();
        let rest = left.minus(charge).minus(press.fine);
        if rest <= Millis::ZERO {
            return Err(FlagFallen { loser: side });
        }
        let rest = rest.plus(bonus.earned(used));
        Ok(Some(control.after_action(side, self.made[side], press.is_move, rest)))
    }

    /// Takes over what a side has after its action.
    pub(crate) fn pressed(&mut self, side: Color, is_move: bool, left: Option<Millis>) {
        self.made[side] += u32::from(is_move);
        self.left[side] = left;
        self.thinking = None;
    }

    /// A side begins to think. `counted` is false as long as the clocks have not started.
    pub(crate) fn begin(&mut self, side: Color, since: UnixMillis, counted: bool) {
        self.thinking = Some(Thinking { side, since, used: Millis::ZERO, counted });
    }

    /// Another side is waited for, and what was waited already counts.
    pub(crate) fn wait_for(&mut self, side: Color, at: UnixMillis) {
        self.bank_thinking(at);
        if let Some(thinking) = &mut self.thinking {
            thinking.side = side;
        }
    }

    /// Nobody thinks any more; the side to act keeps what it had at this moment.
    pub(crate) fn stop(&mut self, control: &TimeControl, at: UnixMillis) {
        self.left = ByColor::new_with(|side| self.left(control, side, at));
        self.thinking = None;
        self.halt = None;
    }

    /// Stops the clocks for a while.
    pub(crate) fn pause(&mut self, halt: Halt, at: UnixMillis) {
        self.bank_thinking(at);
        self.halt = Some(halt);
    }

    /// Lets the clocks go on, counting from this moment. What passed since the last event is not charged.
    pub(crate) fn resume(&mut self, at: UnixMillis) {
        self.halt = None;
        if let Some(thinking) = &mut self.thinking {
            // A freeze that is still ahead stays ahead.
            thinking.since = thinking.since.max(at);
        }
    }

    /// Nobody pays for the time from `since` to `at`, in which the server was away; what was used before stays used.
    ///
    /// If `since` is the later of the two, the calendar has been set back meanwhile. Then counting begins at `at`, even
    /// for whoever began to think at a moment that is now ahead: no flag would fall until the calendar is there again.
    pub(crate) fn credit(&mut self, since: UnixMillis, at: UnixMillis) {
        self.bank_thinking(since.min(at));
        if let Some(thinking) = &mut self.thinking {
            thinking.since = if since > at { at } else { thinking.since.max(at) };
        }
    }

    /// A side goes on leave.
    pub(crate) fn take_leave(&mut self, side: Color, at: UnixMillis) {
        self.bank_thinking(at);
        self.leave[side].take(at);
    }

    /// A side comes back from leave.
    pub(crate) fn end_leave(&mut self, side: Color, at: UnixMillis) {
        self.bank_thinking(at);
        self.leave[side].end(at);
    }

    /// Gives a side time, or takes it (negative).
    pub(crate) fn add(&mut self, side: Color, time: Millis) {
        self.left[side] = self.left[side].map(|left| left.plus(time).at_least_zero());
    }

    /// A side gives time away, and whatever its moves would earn or spare.
    pub(crate) fn lay_bare(&mut self, side: Color, time: Millis) {
        self.add(side, Millis::ZERO.minus(time));
        self.bare[side] = true;
    }

    /// Sets both clocks; the side to act counts from this moment.
    pub(crate) fn set(&mut self, left: ByColor<Option<Millis>>, at: UnixMillis) {
        self.left = left;
        if let Some(thinking) = &mut self.thinking {
            thinking.used = Millis::ZERO;
            thinking.since = at;
        }
    }

    /// Sets the moves made on the clock, after a takeback.
    pub(crate) fn set_moves_made(&mut self, made: ByColor<u32>) {
        self.made = made;
    }

    /// Keeps the thinking so far, to count anew from this moment.
    fn bank_thinking(&mut self, at: UnixMillis) {
        let used = self.spent(at);
        if let Some(thinking) = &mut self.thinking {
            thinking.used = used;
            thinking.since = thinking.since.max(at);
        }
    }
}
