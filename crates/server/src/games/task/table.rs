//! A game at one computer: one browser makes the moves of both sides, and what two people would ask each other over
//! the line they have agreed at the table.

use rules::{Act, Actor, Color, Command, Position};
use store::AccountId;

use super::GameTask;
use crate::games::GameError;
use crate::games::wire::GameView;

/// What two people at one computer settle between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableAct {
    /// They agree on a draw.
    Draw,
    /// They agree to take the last move back.
    Takeback,
    /// One of them gives up.
    Resign(Color),
}

impl GameTask {
    /// Whose turn it is at the table: who is to act, or whose army is awaited, White's first.
    pub(super) fn side_at_table(&self) -> Color {
        match self.game.position() {
            Position::Muster(muster) if muster.is_ready(Color::White) => Color::Black,
            Position::Muster(_) => Color::White,
            position => position.side_to_act(),
        }
    }

    /// Why somebody has no side here.
    pub(super) fn not_from_here(&self, account: AccountId) -> GameError {
        let plays = Color::ALL.into_iter().any(|side| self.players[side].id == account);
        if self.terms.host.is_some() && plays {
            GameError::AtOneComputer
        } else {
            GameError::NotYourGame
        }
    }

    /// Does what was settled at the table: the one asks and the other says yes, as anywhere else.
    pub(super) async fn settle_at_table(
        &mut self,
        by: AccountId,
        act: TableAct,
    ) -> Result<GameView, GameError> {
        if self.terms.host != Some(by) {
            return Err(self.not_from_here(by));
        }
        match act {
            TableAct::Resign(side) => self.act_for(side, Act::Resign).await?,
            TableAct::Draw => {
                let side = self.side_at_table();
                // A stop of the server may have come between the two halves.
                if let Some(by) = self.game.offers().draw {
                    self.act_for(by.other(), Act::AcceptDraw).await?;
                } else {
                    self.act_for(side, Act::OfferDraw).await?;
                    self.act_for(side.other(), Act::AcceptDraw).await?;
                }
            }
            TableAct::Takeback => {
                let mover = self.side_at_table().other();
                if let Some((by, _)) = self.game.offers().takeback {
                    self.act_for(by.other(), Act::AcceptTakeback).await?;
                } else {
                    self.act_for(mover, Act::OfferTakeback).await?;
                    self.act_for(mover.other(), Act::AcceptTakeback).await?;
                }
            }
        }
        Ok(self.view(self.side_of(Some(by)), &[]))
    }

    async fn act_for(&mut self, side: Color, act: Act) -> Result<(), GameError> {
        let now = self.house.world.time.now();
        self.act(Command::new(Actor::Player(side), now, act)).await
    }
}
