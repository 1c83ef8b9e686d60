//! Events change the game.

use super::{Corrupt, Event, Game, Offers};
use crate::clock::Halt;
use crate::position::{Action, Army, Done, Fate, Position};
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
            }
            Event::Reopened { seed, at } if self.outcome.is_some() => {
                self.outcome = None;
                self.seed = seed.or(self.seed);
                self.begin_turn(at);
                self.clocks.pause(Halt::Arbiter, at);
            }
            _ if self.outcome.is_some() => return Err(misplaced),
            Event::Reopened { .. } => return Err(misplaced),
            Event::Played { action, at, left, lag, passes, ref fate } => {
                self.lag[self.position.side_to_act()] = lag;
                return self.apply_action(action, passes, fate.as_deref(), left, at);
            }
            Event::HandedIn { by, ref army, at } => return self.take_army(by, army, at),
            Event::Started { at } => return self.start(at),
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
            Event::AdjournmentOffered { by, .. } => {
                self.offers.adjournment = Some(by);
                self.offers.last_adjournment[by] = Some(self.ply());
            }
            Event::AdjournmentDeclined { .. } => self.offers.adjournment = None,
            Event::TimeAdded { to, time, .. } => {
                let mut change = ByColor::same(Millis::ZERO);
                change[to] = time;
                self.note_adjustment(change);
                self.clocks.add(to, time);
            }
            Event::Berserked { by, time, .. } => self.clocks.lay_bare(by, time),
            Event::Paused { why, at } => {
                self.offers.adjournment = None;
                self.clocks.pause(why, at);
            }
            Event::Resumed { at } => {
                if self.paused() == Some(Halt::Players) {
                    self.offers.adjournment = None;
                }
                self.clocks.resume(at);
            }
            Event::DowntimeCredited { since, at } => self.clocks.credit(since, at),
            Event::LeaveTaken { by, at } => self.clocks.take_leave(by, at),
            Event::LeaveEnded { by, at } => self.clocks.end_leave(by, at),
            Event::ClocksSet { left, at } => {
                let had = self.lefts(at);
                self.note_adjustment(ByColor::new_with(|side| {
                    let change = left[side].zip(had[side]).map(|(left, had)| left.minus(had));
                    change.unwrap_or(Millis::ZERO)
                }));
                self.clocks.set(left, at);
            }
        }
        Ok(())
    }

    fn apply_action(
        &mut self,
        action: Action,
        passes: u8,
        fate: Option<&Fate>,
        left: Option<Millis>,
        at: UnixMillis,
    ) -> Result<(), Corrupt> {
        let side = self.position.side_to_act();
        let illegal = Corrupt::Illegal { ply: self.ply(), action };
        let freezes = match self.position.play_fated(action, fate.unwrap_or(&Fate::NONE)) {
            Ok(done) if done == (Done { action, passes, ..done }) => done.freezes,
            _ => return Err(illegal),
        };
        self.keep_fate(fate);
        self.note_action(action, left);
        self.clocks.pressed(side, !matches!(action, Action::Promote { .. }), left);
        self.note_passes(passes);
        if self.offers.draw == Some(side.other()) {
            self.offers.draw = None;
        }
        self.offers.takeback = None;
        self.offers.adjournment = None;
        self.begin_turn(at.plus(self.freeze(freezes)));
        Ok(())
    }

    fn take_army(&mut self, by: Color, army: &Army, at: UnixMillis) -> Result<(), Corrupt> {
        let misplaced = Corrupt::Misplaced { ply: self.ply() };
        let Position::Muster(muster) = &mut self.position else { return Err(misplaced) };
        muster.hand_in(by, army, self.setup.gmo.into()).map_err(|_| misplaced)?;
        if !muster.is_ready(by.other()) {
            // From now on it is the other's leave that the game waits for.
            self.clocks.wait_for(by.other(), at);
        }
        Ok(())
    }

    fn start(&mut self, at: UnixMillis) -> Result<(), Corrupt> {
        let start =
            if let Position::Muster(muster) = &self.position { muster.start() } else { None };
        let start = start.ok_or(Corrupt::Misplaced { ply: self.ply() })?;
        self.position = Position::Gmo(Box::new(start));
        self.hashes = vec![self.position.hash()];
        self.keep_gmo_start();
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
        self.keep_adjustments(to);
        self.clocks.set_moves_made(made);
        self.clocks.set(left, at);
        self.offers = Offers::default();
        self.begin_turn(at);
        Ok(())
    }
}
