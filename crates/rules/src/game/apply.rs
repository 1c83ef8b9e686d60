//! Events change the game.

use super::{Corrupt, Event, Game, Offers};
use crate::position::Action;
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
                self.clocks.pause(crate::clock::Halt::Arbiter, at);
                return Ok(());
            }
            _ if self.outcome.is_some() => return Err(misplaced),
            Event::Reopened { .. } => return Err(misplaced),
            Event::Played { action, at, left, .. } => return self.apply_action(action, at, left),
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
        action: Action,
        at: UnixMillis,
        left: Option<Millis>,
    ) -> Result<(), Corrupt> {
        let side = self.position.side_to_act();
        let played =
            self.position.play(action).map_err(|_| Corrupt::Illegal { ply: self.ply(), action })?;
        self.actions.push(played);
        self.hashes.push(self.position.hash());
        if !self.setup.time.is_unlimited() {
            self.lefts.push(left.unwrap_or(Millis::ZERO));
        }
        self.clocks.pressed(side, left);
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
        if to >= self.ply() {
            return Err(Corrupt::Takeback { ply: self.ply(), to });
        }
        self.position = self.setup.position()?;
        self.actions.truncate(to.index());
        self.hashes.truncate(to.index() + 1);
        self.lefts.truncate(to.index());
        let mut made = ByColor::<u32>::default();
        for &action in &self.actions {
            made[self.position.side_to_act()] += 1;
            self.position
                .play(action)
                .expect("what was legal when it was recorded is legal when it is replayed");
        }
        self.clocks.set_moves_made(made);
        self.clocks.set(left, at);
        self.offers = Offers::default();
        self.begin_turn(at);
        Ok(())
    }

    /// The clocks as they stood when the game was at this ply.
    pub(super) fn lefts_at(&self, ply: Ply) -> ByColor<Option<Millis>> {
        let mut left = ByColor::new_with(|side| self.setup.time.initial(side));
        let first = if self.actions.len().is_multiple_of(2) {
            self.position.side_to_act()
        } else {
            self.position.side_to_act().other()
        };
        for (index, &after) in self.lefts.iter().enumerate().take(ply.index()) {
            let side: Color = if index.is_multiple_of(2) { first } else { first.other() };
            left[side] = left[side].map(|_| after);
        }
        left
    }
}
