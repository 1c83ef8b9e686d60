//! What a slow game does by itself: the answers its players have planned.

use rules::{Act, Actor, Color, Command, UnixMillis};
use store::AccountId;

use super::GameTask;
use crate::games::plan::{self, PlanView};
use crate::games::slow::{News, What};
use crate::games::{GameError, plan::PlanError};

/// Plans that could not be read are read again after this long.
const READ_AGAIN: i64 = 10_000;

impl GameTask {
    /// Plays what the side to act has planned for this, and what the other has planned for that.
    pub(super) async fn answer_by_plan(&mut self) {
        while let Some((side, action)) = self.planned_reply().await {
            let act = Act::Play { ply: self.game.ply(), action };
            let now = self.house.world.time.now();
            if let Err(error) = self.act(Command::new(Actor::Player(side), now, act)).await {
                // What cannot be written now is found again when the store is back.
                tracing::warn!(game = %self.id, %error, "a conditional move was not made");
                return;
            }
        }
    }

    async fn planned_reply(&mut self) -> Option<(Color, String)> {
        let side = self.game.to_act().filter(|_| plan::is_possible(&self.game))?;
        // A move declines what is offered with the one before it: the answer waits until its author has been asked.
        if plan::is_asked(&self.game, side) {
            return None;
        }
        let plan = match self.house.store.conditional(self.id, self.players[side].id).await {
            Ok(plan) => plan?,
            Err(error) => {
                tracing::warn!(game = %self.id, %error, "conditional moves cannot be read");
                self.answer_at = Some(UnixMillis(self.house.world.time.now().0 + READ_AGAIN));
                return None;
            }
        };
        plan::reply(&plan, self.game.actions()).map(|reply| (side, reply.to_owned()))
    }

    /// Keeps somebody's conditional moves, durable when it returns.
    pub(super) async fn set_plan(
        &mut self,
        account: AccountId,
        lines: &[Vec<String>],
    ) -> Result<PlanView, GameError> {
        let side = self.side_of(Some(account)).ok_or(GameError::NotYourGame)?;
        let plan = plan::check(&self.game, side, lines)?;
        let now = self.house.world.time.now();
        self.house.store.set_conditional(self.id, account, &plan, now).await?;
        Ok(plan::view(&self.game, side, Some(&plan)))
    }

    /// Somebody's own conditional moves.
    pub(super) async fn plan_of(&self, account: AccountId) -> Result<PlanView, GameError> {
        let side = self.side_of(Some(account)).ok_or(GameError::NotYourGame)?;
        if !plan::is_possible(&self.game) {
            return Err(PlanError::NotHere.into());
        }
        let plan = self.house.store.conditional(self.id, account).await?;
        Ok(plan::view(&self.game, side, plan.as_ref()))
    }

    /// Tells inboxes and reminders what happened in a slow game, and of every decision.
    pub(super) fn ring(&self, what: What) {
        if self.game.setup().time.is_live() && what != What::Decided {
            return;
        }
        let players = self.players.as_ref().map(|player| player.id);
        self.house.slow.ring(News { game: self.id, players, what });
    }
}
