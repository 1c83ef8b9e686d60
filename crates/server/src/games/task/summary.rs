//! What a game's row says besides its log, and what its end does to ratings.

use axum::extract::ws::Utf8Bytes;
use rules::{ByColor, Color, UnixMillis};
use store::{RatedGame, RatingChange, Summary};

use super::GameTask;
use crate::games::house;
use crate::games::render::{opening, rating_views};
use crate::live::wire::ServerMsg;

impl GameTask {
    /// What the game's row says now, and how a game that is over counts.
    pub(super) fn summary(&self, at: UnixMillis) -> Summary {
        let game = &self.ahead;
        let rated = game.outcome().and_then(house::score).zip(self.terms.pool.clone());
        let rated = rated.filter(|_| self.terms.rated).map(|(score, pool)| {
            let system = self.house.pools.rules(&pool).system;
            let players = ByColor {
                white: self.players[Color::White].id,
                black: self.players[Color::Black].id,
            };
            Box::new(RatedGame { pool, system, players, score, at })
        });
        Summary {
            outcome: game.outcome().copied(),
            position: game.position().fen(),
            ply: game.ply(),
            ended_at: game.outcome().map(|_| at),
            opening: game.outcome().and_then(|_| opening(game)),
            rated,
            decision: None,
        }
    }

    pub(super) fn tell_ratings(&mut self, changes: &ByColor<RatingChange>) {
        let Some(pool) = &self.terms.pool else { return };
        let system = &self.house.pools.rules(pool).system;
        let ratings = rating_views(system, changes, self.house.world.time.now());
        let frame = ServerMsg::Rated { game: self.id, ratings: ratings.clone() };
        let frame = Utf8Bytes::from(frame.to_json());
        self.listeners.iter().for_each(|listener| listener.outbox.push(frame.clone()));
        self.ratings = Some(ratings);
    }
}
