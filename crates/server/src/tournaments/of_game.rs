//! From a game to the event it is played in.

use std::sync::Arc;

use store::{EventVisibility, GameId};

use super::event::Event;
use super::{Rights, TournamentError, Tournaments};
use crate::accounts::Visitor;

impl Tournaments {
    /// The event a game belongs to, if there is one and the visitor may know of it.
    ///
    /// An unlisted event is found by those who were told of it; its games are no way to it for strangers.
    pub async fn event_for(
        &self,
        game: GameId,
        visitor: &Visitor,
    ) -> Result<Option<Arc<Event>>, TournamentError> {
        // Whoever may not know of the game is told nothing of its event either.
        self.0.games.open_for(game, visitor).await?;
        let running = self.0.of_game.lock().get(&game).copied();
        let id = match running {
            Some(id) => Some(id),
            None => self.0.store.event_of_game(game).await?,
        };
        let Some(id) = id else { return Ok(None) };
        let event = match self.show(id, visitor).await {
            Ok(event) => event,
            Err(TournamentError::Unknown) => return Ok(None),
            Err(error) => return Err(error),
        };
        let plays = visitor.account_id().is_some_and(|account| event.player_of(account).is_some());
        let is_told = event.visibility == EventVisibility::Public
            || plays
            || Rights::in_event(visitor, &event).results;
        Ok(is_told.then_some(event))
    }

    /// Whether somebody is an arbiter of the event that a game belongs to.
    pub async fn is_arbiter_of(
        &self,
        game: GameId,
        visitor: &Visitor,
    ) -> Result<bool, TournamentError> {
        let Some(id) = self.0.store.event_of_game(game).await? else { return Ok(false) };
        Ok(Rights::in_event(visitor, &*self.load(id).await?).results)
    }
}
