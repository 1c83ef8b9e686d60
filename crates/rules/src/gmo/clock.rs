//! What a freeze does to clocks: pure arithmetic that a game with any time control can use.
//!
//! Times are milliseconds left. A game whose own clock knows increments or delays uses [`thinking_ms`] and [`charge`];
//! [`FreezeClock`] is the simplest clock that follows the rules, with sudden death and nothing else.

use shakmaty::{ByColor, Color};
use thiserror::Error;

use super::end::End;
use super::play::Played;

/// How long nobody may act after a freezing move, and what it costs the mover.
pub const FREEZE_MS: u64 = 5_000;

/// Why an action came at the wrong time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Untimely {
    /// Too early: the game is frozen (`M_FROZEN`).
    #[error("the game is frozen for another {remaining_ms} ms")]
    Frozen {
        /// How long nobody may act.
        remaining_ms: u64,
    },
    /// Too late: the actor has lost on time and the action does not count.
    #[error("the flag has fallen")]
    FlagFallen,
}

/// The time an actor pays for: what passed since the last event, without a freeze in between.
pub fn thinking_ms(since_last_event_ms: u64, frozen: bool) -> Result<u64, Untimely> {
    let free_after = if frozen { FREEZE_MS } else { 0 };
    let early = || Untimely::Frozen { remaining_ms: free_after - since_last_event_ms };
    since_last_event_ms.checked_sub(free_after).ok_or_else(early)
}

/// What is left after paying; `None` if nothing is, which loses.
pub fn charge(left_ms: u64, spent_ms: u64) -> Option<u64> {
    left_ms.checked_sub(spent_ms).filter(|left| *left > 0)
}

/// Two clocks and whether the last move froze the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreezeClock {
    left_ms: ByColor<u64>,
    frozen: bool,
}

impl FreezeClock {
    /// Both sides with the same time.
    pub fn new(each_ms: u64) -> FreezeClock {
        FreezeClock { left_ms: ByColor { white: each_ms, black: each_ms }, frozen: false }
    }

    /// What a side has left, never below 0.
    pub fn left_ms(&self, color: Color) -> u64 {
        self.left_ms[color]
    }

    /// Charges the actor for the time since the last event, before the action is looked at.
    pub fn arrive(&mut self, actor: Color, since_last_event_ms: u64) -> Result<(), Untimely> {
        let spent = thinking_ms(since_last_event_ms, self.frozen)?;
        self.frozen = false;
        self.pay(actor, spent).ok_or(Untimely::FlagFallen)
    }

    /// Charges the mover for a freeze. A flag that falls by it ends the game, unless the kings have ended it.
    pub fn settle_move(&mut self, mover: Color, played: &Played) -> Option<End> {
        self.frozen = played.freezes;
        let flag = if played.freezes && self.pay(mover, FREEZE_MS).is_none() {
            Some(End::flag(mover))
        } else {
            None
        };
        played.end.or(flag)
    }

    fn pay(&mut self, side: Color, spent_ms: u64) -> Option<()> {
        let left = charge(self.left_ms[side], spent_ms);
        self.left_ms[side] = left.unwrap_or(0);
        left.map(|_| ())
    }
}
