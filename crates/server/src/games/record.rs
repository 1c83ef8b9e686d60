//! The record of a game as somebody may have it: whole, or as far as watchers have seen it.

use rules::{Event, Game, Millis, UnixMillis};
use store::{GameId, Sight, StoreError, StoredGame};

use super::seats::Seats;
use super::{GameError, Games};
use crate::gmo::lent::{Origins, Table};

impl Games {
    /// A stored game for somebody; unknown if they may not know of it. Of a running game, watchers get what they have
    /// seen.
    pub async fn record(
        &self,
        id: GameId,
        sight: impl Into<Sight>,
    ) -> Result<StoredGame, GameError> {
        let sight = sight.into();
        let house = &self.0.house;
        let mut stored = house.store.load_game(id).await.map_err(|error| match error {
            StoreError::NotFound => GameError::Unknown,
            other => GameError::Store(other),
        })?;
        let seats = Seats::new(&stored.players, stored.private, stored.host);
        if !self.is_shown(id, &seats, sight).await? {
            return Err(GameError::Unknown);
        }
        if !seats.include(sight.account()) && !is_over(&stored.events) {
            let seen = seen_events(&stored.events, house.watch_delay, house.world.time.now());
            stored.events.truncate(seen);
        }
        Ok(stored)
    }

    /// A game for somebody who wants to look into it: to try moves, to ask an engine.
    ///
    /// This is the only way to an analysis of a game. Whoever may try out what hidden genomes do in positions of their own
    /// choice knows them, so a game of GMO opens only when they are revealed, to its players too, and only to those who may
    /// read what was lent for it.
    pub async fn opened(&self, id: GameId, sight: impl Into<Sight>) -> Result<Game, GameError> {
        let sight = sight.into();
        let stored = self.record(id, sight).await?;
        let players = stored.players.as_ref().map(|player| player.id);
        let table = Table { players, host: stored.host };
        let game = Game::rebuild(stored.setup, stored.created_at, &stored.events)
            .map_err(|error| GameError::Fault(format!("its log cannot be replayed: {error}")))?;
        let origins = Origins::at(&game, game.ply());
        let is_open = match origins.filter(|_| !game.has_secrets()) {
            Some(origins) => {
                origins.is_open_to(sight.account(), &table, &self.0.house.store).await?
            }
            None => !game.has_secrets(),
        };
        if is_open { Ok(game) } else { Err(GameError::Hidden) }
    }
}

/// How many of these events are old enough for watchers.
pub(super) fn seen_events(events: &[Event], delay: Millis, now: UnixMillis) -> usize {
    let is_new = |event: &Event| event.at().0 + delay.0 > now.0;
    if delay.0 == 0 { events.len() } else { events.iter().position(is_new).unwrap_or(events.len()) }
}

fn is_over(events: &[Event]) -> bool {
    let mut turns = events.iter().rev();
    let last = turns.find(|event| matches!(event, Event::Ended { .. } | Event::Reopened { .. }));
    matches!(last, Some(Event::Ended { .. }))
}
