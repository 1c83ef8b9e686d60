//! What is said at the boards.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::{on_db, write_one};
use crate::{GameId, Store, StoreError};

/// Who hears a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatRoom {
    /// The two who play.
    Players,
    /// Those who look on.
    Watchers,
}

impl ChatRoom {
    fn as_str(self) -> &'static str {
        match self {
            ChatRoom::Players => "players",
            ChatRoom::Watchers => "watchers",
        }
    }
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatLine {
    /// Its number in the game, from 1.
    pub number: i64,
    /// Where it was said.
    pub room: ChatRoom,
    /// By whom.
    pub by: Account,
    /// What.
    pub text: String,
    /// When.
    pub at: UnixMillis,
}

impl Store {
    /// Remembers a line. `Conflict` if the game has a line of this number.
    pub async fn add_chat_line(&self, game: GameId, line: ChatLine) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO chat_line (game_id, number, room, account_id, text, at)
            VALUES ($1, $2, $3, $4, $5, $6)";
        write_one!(
            self,
            SQL,
            game.as_str(),
            line.number,
            line.room.as_str(),
            line.by.id.as_str(),
            line.text,
            line.at.0,
        )
        .map(drop)
    }

    /// The last lines of both rooms of a game, at most so many of each, the oldest first.
    pub async fn load_chat(&self, game: GameId, most: usize) -> Result<Vec<ChatLine>, StoreError> {
        let mut lines = self.load_room(game, ChatRoom::Players, most).await?;
        lines.extend(self.load_room(game, ChatRoom::Watchers, most).await?);
        lines.sort_by_key(|line| line.number);
        Ok(lines)
    }

    async fn load_room(
        &self,
        game: GameId,
        room: ChatRoom,
        most: usize,
    ) -> Result<Vec<ChatLine>, StoreError> {
        const SQL: &str = "
            SELECT line.number, account.id, account.kind, account.name, line.text, line.at
            FROM chat_line AS line JOIN account ON account.id = line.account_id
            WHERE line.game_id = $1 AND line.room = $2
            ORDER BY line.number DESC
            LIMIT $3";
        type Row = (i64, String, String, String, String, i64);
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows: Vec<Row> = on_db!(&*self.readers, db => {
            sqlx::query_as(SQL)
                .bind(game.as_str())
                .bind(room.as_str())
                .bind(most)
                .fetch_all(db)
                .await?
        });
        rows.into_iter()
            .map(|(number, id, kind, name, text, at)| {
                let by = Account::from_columns(&id, &kind, name)?;
                Ok(ChatLine { number, room, by, text, at: UnixMillis(at) })
            })
            .collect()
    }
}
