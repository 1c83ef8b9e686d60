//! Events change the game.

use super::{Corrupt, Event, Game, Offers};
use crate::clock::Halt;
use crate::position::Done;
use crate::units::{ByColor, Color, Millis, Ply, UnixMillis};

impl Game {
    /// Takes over what happened. Fails only on a log that no game can have written.
    pub fn apply(&mut self, event: &Event) -> Result<(), Corrupt> {
        let misplaced = Corrupt::Misplaced { ply: self.ply() };
        match *event {
            Event::Ended { outcome, at } => {
                if self.outcome.is_none() {
                    self.clocks.stop(&self.setup.time, at);
                    self.offers = Offers::default();
                }
                self.outcome = Some(outcome);
                return Ok(());
            }
            Event::Reopened { at } if self.outcome.is_some() => {
                self.outcome = None;
                self.begin_turn(at);
                self.clocks.pause(Halt::Arbiter, at);
                return Ok(());
            }
            _ if self.outcome.is_some() => return Err(misplaced),
            Event::Reopened { .. } => return Err(misplaced),
            Event::Played { action, at, left, passes, .. } => {
                return self.apply_action(Done { action, passes }, at, left);
            }
            Event::TakenBack { to, left, at } => return self.go_back(to, left, at),
            Event::DrawOffered { by, .. } => {
                self.offers.draw = Some(by);
                self.offers.last_draw[by] = Some(self.ply());
            }
            Event::DrawDeclined { .. } => self.offers.draw = None,
            Event::TakebackOffered { by, to, .. } => {
                self.offers.takeback = Some((by, to));
                self.offers.last_takeback[by] = Some(self.ply());
            }
            Event::TakebackDeclined { .. } => self.offers.takeback = None,
            Event::TimeAdded { to, time, .. } => self.clocks.add(to, time),
            Event::Paused { why, at } => self.clocks.pause(why, at),
            Event::Resumed { at } => self.clocks.resume(at),
            Event::LeaveTaken { by, at } => self.clocks.take_leave(by, at),
            Event::LeaveEnded { by, at } => self.clocks.end_leave(by, at),
            Event::ClocksSet { left, at } => self.clocks.set(left, at),
        }
        Ok(())
    }

    fn apply_action(
        &mut self,
        done: Done,
        at: UnixMillis,
        left: Option<Millis>,
    ) -> Result<(), Corrupt> {
        let side = self.position.side_to_act();
        let illegal = Corrupt::Illegal { ply: self.ply(), action: done.action };
        if self.position.play(done.action) != Ok(done) {
            return Err(illegal);
        }
        self.actions.push(done.action);
        self.hashes.push(self.position.hash());
        if !self.setup.time.is_unlimited() {
            self.lefts.push(left.unwrap_or(Millis::ZERO));
        }
        self.clocks.pressed(side, left);
        self.note_passes(done.passes);
        if self.offers.draw == Some(side.other()) {
            self.offers.draw = None;
        }
        self.offers.takeback = None;
        self.begin_turn(at);
        Ok(())
    }

    fn go_back(
        &mut self,
        to: Ply,
        left: ByColor<Option<Millis>>,
        at: UnixMillis,
    ) -> Result<(), Corrupt> {
        let impossible = Corrupt::Takeback { ply: self.ply(), to };
        let (position, made) = self.replay(to).filter(|_| to < self.ply()).ok_or(impossible)?;
        self.position = position;
        self.actions.truncate(to.index());
        self.hashes.truncate(to.index() + 1);
        self.lefts.truncate(to.index());
        self.clocks.set_moves_made(made);
        self.clocks.set(left, at);
        self.offers = Offers::default();
        self.begin_turn(at);
        Ok(())
    }

    /// The clocks as they stood when the game was at this ply.
    pub(super) fn lefts_at(&self, ply: Ply) -> ByColor<Option<Millis>> {
        let mut left = ByColor::new_with(|side| self.setup.time.initial(side));
        let first = self.first_side(self.actions.len());
        for (index, &after) in self.lefts.iter().enumerate().take(ply.index()) {
            let side: Color = if index.is_multiple_of(2) { first } else { first.other() };
            left[side] = left[side].map(|_| after);
        }
        left
    }
}
