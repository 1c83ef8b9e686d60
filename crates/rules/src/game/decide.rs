//! Judging commands: what would happen, or why not.

use super::{
    AbandonmentClaim, Act, Actor, Command, DrawsBy, Event, Game, Refusal, Variant,
    earlier_occurrences,
};
use crate::defender::DefenderError;
use crate::outcome::{AbortReason, DrawReason, Outcome, WinReason};
use crate::position::{Done, Illegal, Position};
use crate::units::{ByColor, Color, Millis, Ply, UnixMillis};

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
            (Act::Reopen, Actor::Arbiter) => return self.reopen(at),
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
            Act::Play { ply, action } => self.play(side, *ply, action, at, command.lag),
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
            Act::Pause(_) | Act::Resume | Act::SetResult(_) | Act::SetClocks(_) | Act::Reopen => {
                Err(Refusal::NotAllowed)
            }
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
            Act::Abort => ended(Outcome::Aborted { by: AbortReason::Arbiter }, at),
            Act::CheckFlag => self.check_flag(at),
            Act::Pause(why) => Ok(vec![Event::Paused { why, at }]),
            Act::Resume => Ok(vec![Event::Resumed { at }]),
            _ => Err(Refusal::NotAllowed),
        }
    }

    fn decide_for_server(&self, act: &Act, at: UnixMillis) -> Verdict {
        match *act {
            Act::CheckFlag => self.check_flag(at),
            Act::Abort => ended(Outcome::Aborted { by: AbortReason::Server }, at),
            Act::Pause(why) => Ok(vec![Event::Paused { why, at }]),
            Act::Resume => Ok(vec![Event::Resumed { at }]),
            Act::EndLeave => {
                let away =
                    Color::ALL.into_iter().find(|&side| self.clocks.leave(side, at).1.is_some());
                away.map(|by| vec![Event::LeaveEnded { by, at }]).ok_or(Refusal::NotOnLeave)
            }
            _ => Err(Refusal::NotAllowed),
        }
    }

    fn play(&self, side: Color, ply: Ply, text: &str, at: UnixMillis, lag: Millis) -> Verdict {
        let now = self.ply();
        if ply < now {
            return Err(Refusal::StalePly { sent: ply, now });
        }
        if ply > now {
            return Err(Refusal::FuturePly { sent: ply, now });
        }
        if self.paused().is_some_and(|halt| !halt.allows_play()) {
            return Err(Refusal::Paused);
        }
        self.expect_turn(side)?;
        let (done, after) = self.try_action(text)?;
        let Ok(left) = self.clocks.press(&self.setup.time, at, lag, Millis::ZERO) else {
            return ended(self.time_out(side), at);
        };
        let Done { action, passes } = done;
        let played = Event::Played { action, at, left, lag: lag.at_least_zero(), passes };
        Ok(match self.judge(&after) {
            Some(outcome) => vec![played, Event::Ended { outcome, at }],
            None => vec![played],
        })
    }

    fn try_action(&self, text: &str) -> Result<(Done, Position), Illegal> {
        let action = self.position.read_action(text)?;
        let mut after = self.position.clone();
        let done = after.play(action)?;
        Ok((done, after))
    }

    fn expect_turn(&self, side: Color) -> Result<(), Refusal> {
        match self.setup.variant {
            _ if side == self.position.side_to_act() => Ok(()),
            Variant::Defender => Err(Illegal::Defender(DefenderError::NotYourTurn).into()),
            _ => Err(Refusal::NotYourTurn),
        }
    }

    /// Defender reports the end of the game as the last of its reasons.
    fn refuse_after_end(&self, act: &Act, by: Actor) -> Refusal {
        let (Act::Play { action, .. }, Actor::Player(side), Variant::Defender) =
            (act, by, self.setup.variant)
        else {
            return Refusal::GameOver;
        };
        let tried = self.expect_turn(side).and_then(|()| Ok(self.try_action(action)?));
        match tried {
            Err(refusal @ Refusal::Illegal(Illegal::Defender(_))) => refusal,
            _ => Illegal::Defender(DefenderError::GameOver).into(),
        }
    }

    /// The end that a new position brings by itself.
    fn judge(&self, after: &Position) -> Option<Outcome> {
        if let Some(outcome) = after.outcome() {
            return Some(outcome);
        }
        let halfmoves = after.halfmoves();
        let occurred = 1 + earlier_occurrences(after.hash(), &self.hashes, halfmoves);
        let by_itself = self.draws_by() == DrawsBy::Itself;
        let by = match (halfmoves, occurred) {
            (150.., _) => DrawReason::SeventyFive,
            (_, 5..) => DrawReason::Fivefold,
            (100.., _) if by_itself => DrawReason::Fifty,
            (_, 3..) if by_itself => DrawReason::Threefold,
            _ => return None,
        };
        Some(Outcome::Draw { by })
    }

    /// How draws come about: the specs of Defender and GMO want a claim.
    fn draws_by(&self) -> DrawsBy {
        if self.setup.variant.is_chess() { self.setup.rules.draws } else { DrawsBy::Claim }
    }

    fn claim_draw(&self, side: Color, intending: Option<&str>, at: UnixMillis) -> Verdict {
        self.expect_turn(side)?;
        let (halfmoves, occurred) = match intending {
            None => (self.position.halfmoves(), self.occurrences()),
            Some(text) => {
                let (_, after) = self.try_action(text)?;
                let halfmoves = after.halfmoves();
                (halfmoves, 1 + earlier_occurrences(after.hash(), &self.hashes, halfmoves))
            }
        };
        match (halfmoves, occurred) {
            (_, 3..) => ended(Outcome::Draw { by: DrawReason::Threefold }, at),
            (100.., _) => ended(Outcome::Draw { by: DrawReason::Fifty }, at),
            _ => Err(Refusal::NothingToClaim),
        }
    }

    fn offer_draw(&self, side: Color, at: UnixMillis) -> Verdict {
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
    fn expect_fresh(&self, last: Option<Ply>) -> Result<(), Refusal> {
        match last {
            Some(last) if self.ply().0 < last.0 + 2 => Err(Refusal::AlreadyOffered),
            _ => Ok(()),
        }
    }

    fn expect_draw_offer(&self, side: Color) -> Result<(), Refusal> {
        if self.offers.draw == Some(side.other()) { Ok(()) } else { Err(Refusal::NoOffer) }
    }

    fn expect_takeback_offer(&self, side: Color) -> Result<Ply, Refusal> {
        match self.offers.takeback {
            Some((by, to)) if by == side.other() => Ok(to),
            _ => Err(Refusal::NoOffer),
        }
    }

    fn offer_takeback(&self, side: Color, at: UnixMillis) -> Verdict {
        if !self.setup.rules.takeback {
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

    fn give_time(&self, side: Color, to: Color, time: Millis, at: UnixMillis) -> Verdict {
        if !self.setup.rules.give_time || to == side || time <= Millis::ZERO {
            return Err(Refusal::AgainstRules);
        }
        self.clocks.set_to(to).ok_or(Refusal::NoClock)?;
        Ok(vec![Event::TimeAdded { to, time, at }])
    }

    fn claim_abandonment(
        &self,
        side: Color,
        gone: Millis,
        claim: AbandonmentClaim,
        at: UnixMillis,
    ) -> Verdict {
        let after = self.setup.rules.abandonment.ok_or(Refusal::AgainstRules)?;
        if side == self.position.side_to_act() || gone < after {
            return Err(Refusal::NotAbandoned { after });
        }
        let outcome = match claim {
            AbandonmentClaim::Draw => Outcome::Draw { by: DrawReason::Abandonment },
            AbandonmentClaim::Win => self.lost_by(side.other(), WinReason::Abandonment),
        };
        ended(outcome, at)
    }

    fn take_leave(&self, side: Color, at: UnixMillis) -> Verdict {
        match self.clocks.leave(side, at) {
            (left, None) if left > Millis::ZERO => Ok(vec![Event::LeaveTaken { by: side, at }]),
            _ => Err(Refusal::NoLeave),
        }
    }

    fn end_leave(&self, side: Color, at: UnixMillis) -> Verdict {
        match self.clocks.leave(side, at) {
            (_, Some(_)) => Ok(vec![Event::LeaveEnded { by: side, at }]),
            _ => Err(Refusal::NotOnLeave),
        }
    }

    fn check_flag(&self, at: UnixMillis) -> Verdict {
        if let Some(fallen) = self.clocks.flag_fallen(&self.setup.time, at) {
            return ended(self.time_out(fallen.loser), at);
        }
        if self.first_move_deadline().is_some_and(|deadline| at >= deadline) {
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

    fn reopen(&self, at: UnixMillis) -> Verdict {
        if self.outcome.is_none() {
            return Err(Refusal::NotOver);
        }
        if self.position.outcome().is_some() {
            return Err(Refusal::PositionIsOver);
        }
        Ok(vec![Event::Reopened { at }])
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every arm of a decision is a verdict")]
fn ended(outcome: Outcome, at: UnixMillis) -> Verdict {
    Ok(vec![Event::Ended { outcome, at }])
}
