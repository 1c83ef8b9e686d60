//! Judging commands: what would happen, or why not.

mod acting;
mod agreements;

use super::{Act, Actor, Command, Event, Game, Refusal, Variant};
use crate::clock::Halt;
use crate::gmo::Seed;
use crate::outcome::{AbortReason, DrawReason, Outcome, WinReason};
use crate::units::{ByColor, Color, Millis, UnixMillis};

type Verdict = Result<Vec<Event>, Refusal>;

impl Game {
    /// Judges a command. Changes nothing; the events become true when they are applied.
    ///
    /// A player who acts after his flag has fallen has lost: the answer is the end of the game, without the act.
    pub fn decide(&self, command: &Command) -> Verdict {
        let at = command.at;
        match (&command.act, command.by) {
            (Act::SetResult(outcome), Actor::Arbiter) => {
                return Ok(vec![Event::Ended { outcome: *outcome, at }]);
            }
            (Act::Reopen(seed), Actor::Arbiter) => return self.reopen(*seed, at),
            (act, by) if self.outcome.is_some() => return Err(self.refuse_after_end(act, by)),
            _ => {}
        }
        match command.by {
            Actor::Player(side) => {
                if let Some(end) = self.late(side, at, command.lag) {
                    return Ok(vec![Event::Ended { outcome: end, at }]);
                }
                self.decide_for_player(side, command)
            }
            Actor::Arbiter => self.decide_for_arbiter(&command.act, at),
            Actor::Server => self.decide_for_server(&command.act, at),
        }
    }

    fn decide_for_player(&self, side: Color, command: &Command) -> Verdict {
        let at = command.at;
        match &command.act {
            Act::Play { ply, action } => self.play(side, *ply, action, command),
            Act::Promote { ply, at: square, dna } => {
                self.promote(side, *ply, *square, dna, command)
            }
            Act::HandIn(army) => self.hand_in(side, army, at),
            Act::Resign => ended(Outcome::Win { winner: side.other(), by: WinReason::Resign }, at),
            Act::OfferDraw => self.offer_draw(side, at),
            Act::AcceptDraw => {
                self.expect_draw_offer(side)?;
                ended(Outcome::Draw { by: DrawReason::Agreement }, at)
            }
            Act::DeclineDraw => {
                self.expect_draw_offer(side)?;
                Ok(vec![Event::DrawDeclined { by: side, at }])
            }
            Act::ClaimDraw { intending } => self.claim_draw(side, intending.as_deref(), at),
            Act::OfferTakeback => self.offer_takeback(side, at),
            Act::AcceptTakeback => {
                let to = self.expect_takeback_offer(side)?;
                Ok(vec![Event::TakenBack { to, left: self.lefts_at(to), at }])
            }
            Act::DeclineTakeback => {
                self.expect_takeback_offer(side)?;
                Ok(vec![Event::TakebackDeclined { by: side, at }])
            }
            Act::OfferAdjournment => self.offer_adjournment(side, at),
            Act::AcceptAdjournment => self.accept_adjournment(side, at),
            Act::DeclineAdjournment => {
                self.expect_adjournment_offer(side)?;
                Ok(vec![Event::AdjournmentDeclined { by: side, at }])
            }
            Act::Abort if !self.setup.rules.abort => Err(Refusal::AgainstRules),
            Act::Abort if self.both_have_acted() => Err(Refusal::TooLateToAbort),
            Act::Abort => ended(Outcome::Aborted { by: AbortReason::Player }, at),
            Act::AddTime { to, time } => self.give_time(side, *to, *time, at),
            Act::CheckFlag => self.check_flag(at),
            Act::ClaimAbandonment { gone, claim } => {
                self.claim_abandonment(side, *gone, *claim, at)
            }
            Act::TakeLeave => self.take_leave(side, at),
            Act::EndLeave => self.end_leave(side, at),
            Act::Berserk { .. }
            | Act::Pause(_)
            | Act::Resume
            | Act::CreditDowntime { .. }
            | Act::EndPause(_)
            | Act::SetResult(_)
            | Act::SetClocks(_)
            | Act::Reopen(_) => Err(Refusal::NotAllowed),
        }
    }

    fn decide_for_arbiter(&self, act: &Act, at: UnixMillis) -> Verdict {
        match *act {
            Act::AddTime { to, time } if self.clocks.set_to(to).is_some() => {
                Ok(vec![Event::TimeAdded { to, time, at }])
            }
            Act::SetClocks(left) if self.has_clocks_of(left) => {
                Ok(vec![Event::ClocksSet { left, at }])
            }
            Act::AddTime { .. } | Act::SetClocks(_) => Err(Refusal::NoClock),
            Act::Berserk { by } => self.berserk(by, at),
            Act::Abort => ended(Outcome::Aborted { by: AbortReason::Arbiter }, at),
            Act::CheckFlag => self.check_flag(at),
            Act::Pause(why) => Ok(vec![Event::Paused { why, at }]),
            // It would give back what the side to act has thought.
            Act::Resume if self.paused().is_none() => Err(Refusal::NotPaused),
            Act::Resume => Ok(vec![Event::Resumed { at }]),
            _ => Err(Refusal::NotAllowed),
        }
    }

    fn decide_for_server(&self, act: &Act, at: UnixMillis) -> Verdict {
        match *act {
            Act::CheckFlag => self.check_flag(at),
            Act::Abort => ended(Outcome::Aborted { by: AbortReason::Server }, at),
            // The server's own pause ends with its absence.
            Act::CreditDowntime { since } if self.paused() == Some(Halt::Server) => {
                Ok(vec![Event::Resumed { at }, Event::DowntimeCredited { since, at }])
            }
            Act::Pause(_) | Act::CreditDowntime { .. } if self.paused().is_some() => {
                Err(Refusal::Paused)
            }
            Act::Pause(why) => Ok(vec![Event::Paused { why, at }]),
            Act::EndPause(why) if self.paused() == Some(why) => Ok(vec![Event::Resumed { at }]),
            Act::EndPause(_) => Err(Refusal::NotPaused),
            // A restart must not end the arbiter's pause or a weekend; nothing is charged in them anyway.
            Act::Resume if self.paused().is_some_and(|halt| halt != Halt::Server) => {
                Err(Refusal::Paused)
            }
            Act::Resume => Ok(vec![Event::Resumed { at }]),
            Act::CreditDowntime { since } => Ok(vec![Event::DowntimeCredited { since, at }]),
            Act::EndLeave => {
                let away =
                    Color::ALL.into_iter().find(|&side| self.clocks.leave(side, at).1.is_some());
                away.map(|by| vec![Event::LeaveEnded { by, at }]).ok_or(Refusal::NotOnLeave)
            }
            _ => Err(Refusal::NotAllowed),
        }
    }

    fn check_flag(&self, at: UnixMillis) -> Verdict {
        if let Some(fallen) = self.clocks.flag_fallen(&self.setup.time, at) {
            return ended(self.time_out(fallen.loser), at);
        }
        let waited = self.muster_deadline().or(self.first_move_deadline());
        if waited.is_some_and(|deadline| at >= deadline) {
            return ended(Outcome::Aborted { by: AbortReason::NoFirstMove }, at);
        }
        Err(Refusal::FlagNotFallen)
    }

    /// The end for a player who comes too late, network time taken off.
    fn late(&self, side: Color, at: UnixMillis, lag: Millis) -> Option<Outcome> {
        let credited = UnixMillis(at.0.saturating_sub(lag.at_least_zero().0));
        let fallen = self.clocks.flag_fallen(&self.setup.time, credited)?;
        (fallen.loser == side).then(|| self.time_out(side))
    }

    fn time_out(&self, loser: Color) -> Outcome {
        self.lost_by(loser, WinReason::Time)
    }

    fn lost_by(&self, loser: Color, by: WinReason) -> Outcome {
        let winner = loser.other();
        if self.position.can_mate(winner) {
            Outcome::Win { winner, by }
        } else {
            Outcome::Draw { by: DrawReason::CannotMate }
        }
    }

    fn has_clocks_of(&self, left: ByColor<Option<Millis>>) -> bool {
        Color::ALL.into_iter().all(|side| {
            left[side].is_some() == self.clocks.set_to(side).is_some()
                && left[side].is_none_or(|l| l >= Millis::ZERO)
        })
    }

    fn reopen(&self, seed: Option<Seed>, at: UnixMillis) -> Verdict {
        if self.outcome.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.position.outcome().is_some() {
            return Err(Refusal::PositionIsOver);
        }
        let seed = seed.filter(|_| self.setup.variant == Variant::Gmo);
        Ok(vec![Event::Reopened { seed, at }])
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every arm of a decision is a verdict")]
fn ended(outcome: Outcome, at: UnixMillis) -> Verdict {
    Ok(vec![Event::Ended { outcome, at }])
}
