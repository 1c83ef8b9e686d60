//! What stands on the boards of running games that count, for those who watch over fair play; and news for a game's room.

use axum::extract::ws::Utf8Bytes;
use rules::{Game, Position, Variant};
use store::{AccountId, GameId};

use super::Games;
use super::task::Mail;

/// What stands on the board of a running game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// In which game.
    pub game: GameId,
    /// Which game it is.
    pub variant: Variant,
    /// The position.
    pub position: Position,
    /// The number of plies.
    pub ply: u32,
}

impl Standing {
    pub(super) fn of(id: GameId, game: &Game) -> Standing {
        Standing {
            game: id,
            variant: game.setup().variant,
            position: game.position().clone(),
            ply: game.ply().0,
        }
    }
}

impl Games {
    /// What stands on the boards where somebody plays without engines now: for rating, for a place among the best at a
    /// prepared position, or because both said so.
    pub async fn rated_standings_of(&self, account: AccountId) -> Vec<Standing> {
        let mut found = Vec::new();
        for id in self.running_of(account) {
            if let Ok(Some(standing)) =
                self.ask(id, account.into(), |reply| Mail::Standing { reply }).await
            {
                found.push(standing);
            }
        }
        found
    }

    /// Tells whoever looks at a game something that is no part of its log. Nobody hears it if nobody looks.
    pub async fn tell(&self, id: GameId, frame: Utf8Bytes) {
        if let Some(handle) = self.alive(id) {
            let _ = handle.post.send(Mail::Tell(frame)).await;
        }
    }
}
