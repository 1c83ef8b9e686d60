//! Somebody's games: the last one for the account page, all of them to take along.

use rules::{Outcome, UnixMillis};

use crate::db::on_db;
use crate::games::parse_id;
use crate::{AccountId, GameId, Store, StoreError};

/// How somebody's last game ended.
#[derive(Debug, Clone, PartialEq)]
pub struct LastGame {
    /// The game.
    pub id: GameId,
    /// Its final position.
    pub position: String,
    /// How it ended.
    pub outcome: Outcome,
    /// When it ended.
    pub ended_at: UnixMillis,
    /// Who played White.
    pub white: AccountId,
}

impl Store {
    /// The game that somebody finished last.
    pub async fn last_game_of(&self, id: AccountId) -> Result<Option<LastGame>, StoreError> {
        const SQL: &str = "
            SELECT id, position, outcome, ended_at, white_id FROM game
            WHERE state = 'finished' AND (white_id = $1 OR black_id = $1)
            ORDER BY ended_at DESC, id LIMIT 1";
        let row: Option<(String, String, String, i64, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_optional(pool).await?
        });
        row.map(|(id, position, outcome, ended_at, white)| {
            Ok(LastGame {
                id: parse_id(&id)?,
                position,
                outcome: serde_json::from_str(&outcome)?,
                ended_at: UnixMillis(ended_at),
                white: parse_id(&white)?,
            })
        })
        .transpose()
    }

    /// All games somebody played or plays, oldest first.
    pub async fn games_of(&self, id: AccountId) -> Result<Vec<GameId>, StoreError> {
        const SQL: &str = "
            SELECT id FROM game WHERE white_id = $1 OR black_id = $1 ORDER BY created_at, id";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(|(id,)| parse_id(&id)).collect()
    }
}
