//! What players ask of each other: draws, takebacks, time, leave, and the claim of an abandoned game.

use super::{Verdict, ended};
use crate::clock::Halt;
use crate::game::{AbandonmentClaim, Event, Game, Refusal, Variant};
use crate::outcome::{DrawReason, Outcome, WinReason};
use crate::units::{Color, Millis, Ply, UnixMillis};

impl Game {
    pub(super) fn offer_draw(&self, side: Color, at: UnixMillis) -> Verdict {
        if self.offers.draw == Some(side.other()) {
            return ended(Outcome::Draw { by: DrawReason::Agreement }, at);
        }
        let from = self.setup.rules.draw_from;
        if self.ply() < from || !self.both_have_acted() {
            return Err(Refusal::TooEarly { from });
        }
        self.expect_fresh(self.offers.last_draw[side])?;
        Ok(vec![Event::DrawOffered { by: side, at }])
    }

    /// One offer for one move: not again before the side has moved.
    pub(super) fn expect_fresh(&self, last: Option<Ply>) -> Result<(), Refusal> {
        match last {
            Some(last) if self.ply().0 < last.0 + 2 => Err(Refusal::AlreadyOffered),
            _ => Ok(()),
        }
    }

    pub(super) fn expect_draw_offer(&self, side: Color) -> Result<(), Refusal> {
        if self.offers.draw == Some(side.other()) { Ok(()) } else { Err(Refusal::NoOffer) }
    }

    pub(super) fn expect_takeback_offer(&self, side: Color) -> Result<Ply, Refusal> {
        match self.offers.takeback {
            Some((by, to)) if by == side.other() => Ok(to),
            _ => Err(Refusal::NoOffer),
        }
    }

    pub(super) fn offer_takeback(&self, side: Color, at: UnixMillis) -> Verdict {
        if !self.setup.rules.takeback {
            return Err(Refusal::AgainstRules);
        }
        // A piece of GMO that has shown what chance did to it cannot be put back.
        if self.setup.variant == Variant::Gmo {
            return Err(Refusal::AgainstRules);
        }
        let back = if side == self.position.side_to_act() { 2 } else { 1 };
        let to = self.ply().0.checked_sub(back).ok_or(Refusal::NothingToTakeBack)?;
        // Placed pieces stay (decision D23).
        if self.setup.variant == Variant::Defender
            && self.battle_began().is_none_or(|began| Ply(to) < began)
        {
            return Err(Refusal::NothingToTakeBack);
        }
        self.expect_fresh(self.offers.last_takeback[side])?;
        Ok(vec![Event::TakebackOffered { by: side, to: Ply(to), at }])
    }

    /// Where players may take back they may also stop for a while; elsewhere that is the arbiter's.
    pub(super) fn offer_adjournment(&self, side: Color, at: UnixMillis) -> Verdict {
        if self.offers.adjournment == Some(side.other()) {
            return self.accept_adjournment(side, at);
        }
        match self.paused() {
            Some(Halt::Players) if self.offers.adjournment == Some(side) => {
                return Err(Refusal::AlreadyOffered);
            }
            Some(Halt::Players) => {}
            Some(_) => return Err(Refusal::Paused),
            None if !self.setup.rules.takeback || self.is_mustering() => {
                return Err(Refusal::AgainstRules);
            }
            None => self.expect_fresh(self.offers.last_adjournment[side])?,
        }
        Ok(vec![Event::AdjournmentOffered { by: side, at }])
    }

    pub(super) fn accept_adjournment(&self, side: Color, at: UnixMillis) -> Verdict {
        self.expect_adjournment_offer(side)?;
        match self.paused() {
            Some(Halt::Players) => Ok(vec![Event::Resumed { at }]),
            Some(_) => Err(Refusal::Paused),
            None => Ok(vec![Event::Paused { why: Halt::Players, at }]),
        }
    }

    pub(super) fn expect_adjournment_offer(&self, side: Color) -> Result<(), Refusal> {
        if self.offers.adjournment == Some(side.other()) { Ok(()) } else { Err(Refusal::NoOffer) }
    }

    pub(super) fn give_time(
        &self,
        side: Color,
        to: Color,
        time: Millis,
        at: UnixMillis,
    ) -> Verdict {
        if !self.setup.rules.give_time || to == side || time <= Millis::ZERO {
            return Err(Refusal::AgainstRules);
        }
        self.clocks.set_to(to).ok_or(Refusal::NoClock)?;
        Ok(vec![Event::TimeAdded { to, time, at }])
    }

    pub(super) fn berserk(&self, by: Color, at: UnixMillis) -> Verdict {
        let left = self.left(by, at).filter(|_| self.setup.time.is_live());
        let left = left.ok_or(Refusal::NoClock)?;
        if self.clocks.moves_made(by) > 0 {
            return Err(Refusal::AgainstRules);
        }
        Ok(vec![Event::Berserked { by, time: Millis(left.0 / 2), at }])
    }

    pub(super) fn claim_abandonment(
        &self,
        side: Color,
        gone: Millis,
        claim: AbandonmentClaim,
        at: UnixMillis,
    ) -> Verdict {
        let after = self.setup.rules.abandonment.ok_or(Refusal::AgainstRules)?;
        if self.paused().is_some_and(|halt| !halt.allows_play()) {
            // Nobody has to be there while nobody may act.
            return Err(Refusal::Paused);
        }
        // A game that has not really begun is aborted, not won.
        let begun = self.both_have_acted();
        if side == self.position.side_to_act() || gone < after || !begun {
            return Err(Refusal::NotAbandoned { after });
        }
        let outcome = match claim {
            AbandonmentClaim::Draw => Outcome::Draw { by: DrawReason::Abandonment },
            AbandonmentClaim::Win => self.lost_by(side.other(), WinReason::Abandonment),
        };
        ended(outcome, at)
    }

    pub(super) fn take_leave(&self, side: Color, at: UnixMillis) -> Verdict {
        match self.clocks.leave(side, at) {
            (left, None) if left > Millis::ZERO => Ok(vec![Event::LeaveTaken { by: side, at }]),
            // The last leave was used up, and a new year has brought a new one.
            (left, Some(_)) if left > Millis::ZERO && !self.clocks.is_away(side, at) => {
                Ok(vec![Event::LeaveEnded { by: side, at }, Event::LeaveTaken { by: side, at }])
            }
            _ => Err(Refusal::NoLeave),
        }
    }

    pub(super) fn end_leave(&self, side: Color, at: UnixMillis) -> Verdict {
        match self.clocks.leave(side, at) {
            (_, Some(_)) => Ok(vec![Event::LeaveEnded { by: side, at }]),
            _ => Err(Refusal::NotOnLeave),
        }
    }
}
