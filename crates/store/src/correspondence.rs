//! What belongs to slow games: conditional moves, private notes, what was read, who was at the board, and inboxes.

use std::collections::HashMap;

use rules::{Ply, UnixMillis};

use crate::challenge_words::Columns;
use crate::challenges::{Challenge, select_challenges};
use crate::db::on_db;
use crate::games::parse_id;
use crate::{AccountId, GameId, Store, StoreError};

/// Conditional moves of one player in one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditional {
    /// The ply from which the lines begin, with the other side to move.
    pub ply: Ply,
    /// The lines: the other's move, the own answer, and so on.
    pub lines: Vec<Vec<String>>,
}

/// A player came to the board or left it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    /// Who.
    pub account: AccountId,
    /// When.
    pub at: UnixMillis,
    /// Whether they came.
    pub is_here: bool,
}

/// Most answers in one inbox.
const LIST: i64 = 100;
/// How often somebody came or left is kept for a game at most.
const MOST_PRESENCES: i64 = 2_000;

impl Store {
    /// What was written with an invitation, if anything.
    pub async fn invitation(&self, challenge: GameId) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT message FROM invitation WHERE challenge_id = $1";
        let row: Option<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(challenge.as_str()).fetch_optional(pool).await?
        });
        Ok(row.map(|(message,)| message))
    }

    /// Somebody's own invitations that came to nothing since a moment and were not put away, the newest first.
    pub async fn unanswered_invitations(
        &self,
        challenger: AccountId,
        since: UnixMillis,
    ) -> Result<Vec<Challenge>, StoreError> {
        const SQL: &str = select_challenges!(
            "challenge.challenger_id = $1 AND challenge.kind = 'direct' AND challenge.created_at >= $2
                AND challenge.state IN ('declined', 'expired')
                AND NOT EXISTS (SELECT 1 FROM put_away WHERE put_away.account_id = $1
                    AND put_away.item = 'challenge:' || challenge.id)
            ORDER BY challenge.created_at DESC, challenge.id LIMIT $3"
        );
        let rows: Vec<Columns> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(challenger.as_str())
                .bind(since.0)
                .bind(LIST)
                .fetch_all(pool)
                .await?
        });
        rows.into_iter().map(Challenge::try_from).collect()
    }

    /// Puts something away from somebody's inbox.
    pub async fn put_away(
        &self,
        account: AccountId,
        item: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO put_away (account_id, item, at) VALUES ($1, $2, $3)
            ON CONFLICT (account_id, item) DO NOTHING";
        self.write(SQL, vec![account.to_string().into(), item.into(), now.0.into()]).await
    }

    /// Sets somebody's conditional moves in a game; without lines they are removed.
    pub async fn set_conditional(
        &self,
        game: GameId,
        account: AccountId,
        conditional: &Conditional,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SET: &str = "
            INSERT INTO conditional (game_id, account_id, ply, lines, changed_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (game_id, account_id) DO UPDATE SET
                ply = excluded.ply, lines = excluded.lines, changed_at = excluded.changed_at";
        const REMOVE: &str = "DELETE FROM conditional WHERE game_id = $1 AND account_id = $2";
        let mut values = vec![game.to_string().into(), account.to_string().into()];
        if conditional.lines.is_empty() {
            return self.write(REMOVE, values).await;
        }
        let lines: Vec<String> = conditional.lines.iter().map(|line| line.join(" ")).collect();
        values.extend([i64::from(conditional.ply.0).into(), lines.join("\n").into(), now.0.into()]);
        self.write(SET, values).await
    }

    /// Somebody's conditional moves in a game.
    pub async fn conditional(
        &self,
        game: GameId,
        account: AccountId,
    ) -> Result<Option<Conditional>, StoreError> {
        const SQL: &str =
            "SELECT ply, lines FROM conditional WHERE game_id = $1 AND account_id = $2";
        let row: Option<(i64, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).bind(account.as_str()).fetch_optional(pool).await?
        });
        row.map(|(ply, lines)| {
            let ply =
                u32::try_from(ply).map_err(|_| StoreError::Damaged(format!("{ply} is no ply")))?;
            let moves = |line: &str| line.split(' ').map(str::to_owned).collect();
            Ok(Conditional { ply: Ply(ply), lines: lines.lines().map(moves).collect() })
        })
        .transpose()
    }

    /// Sets somebody's note about a game; an empty one is removed.
    pub async fn set_note(
        &self,
        game: GameId,
        account: AccountId,
        text: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SET: &str = "
            INSERT INTO game_note (game_id, account_id, text, changed_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (game_id, account_id) DO UPDATE SET
                text = excluded.text, changed_at = excluded.changed_at";
        const REMOVE: &str = "DELETE FROM game_note WHERE game_id = $1 AND account_id = $2";
        let mut values = vec![game.to_string().into(), account.to_string().into()];
        if text.is_empty() {
            return self.write(REMOVE, values).await;
        }
        values.extend([text.into(), now.0.into()]);
        self.write(SET, values).await
    }

    /// Somebody's note about a game; empty if there is none.
    pub async fn note(&self, game: GameId, account: AccountId) -> Result<String, StoreError> {
        const SQL: &str = "SELECT text FROM game_note WHERE game_id = $1 AND account_id = $2";
        let row: Option<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).bind(account.as_str()).fetch_optional(pool).await?
        });
        Ok(row.map(|(text,)| text).unwrap_or_default())
    }

    /// Notes up to which line somebody has read what was said at a board.
    pub async fn set_chat_seen(
        &self,
        game: GameId,
        account: AccountId,
        number: i64,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO chat_seen (game_id, account_id, number) VALUES ($1, $2, $3)
            ON CONFLICT (game_id, account_id) DO UPDATE SET number = excluded.number
            WHERE chat_seen.number < excluded.number";
        let values = vec![game.to_string().into(), account.to_string().into(), number.into()];
        self.write(SQL, values).await
    }

    /// How many lines the other player said in somebody's running games that they have not read. Whom they do not want
    /// to hear they are not told of either.
    pub async fn unread_chat(
        &self,
        account: AccountId,
    ) -> Result<HashMap<GameId, i64>, StoreError> {
        const SQL: &str = "
            SELECT line.game_id, COUNT(*)
            FROM game
            JOIN chat_line AS line ON line.game_id = game.id
            LEFT JOIN chat_seen ON chat_seen.game_id = game.id AND chat_seen.account_id = $1
            WHERE (game.white_id = $1 OR game.black_id = $1) AND game.state = 'running'
                AND line.room = 'players' AND line.account_id <> $1
                AND line.number > COALESCE(chat_seen.number, 0)
                AND NOT EXISTS (
                    SELECT 1 FROM mute WHERE mute.account_id = $1 AND mute.muted_id = line.account_id)
            GROUP BY line.game_id";
        let rows: Vec<(String, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(|(game, lines)| Ok((parse_id(&game)?, lines))).collect()
    }

    /// Notes that a player came to the board or left it. Only the last of these are kept for a game: a page on a bad
    /// line comes and goes for months.
    pub async fn note_presence(&self, game: GameId, presence: Presence) -> Result<(), StoreError> {
        const SQL: &str =
            "INSERT INTO presence (game_id, account_id, at, is_here) VALUES ($1, $2, $3, $4)";
        const OLD: &str = "
            DELETE FROM presence WHERE game_id = $1 AND at < (
                SELECT at FROM presence WHERE game_id = $1 ORDER BY at DESC LIMIT 1 OFFSET $2)";
        let Presence { account, at, is_here } = presence;
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(game.as_str())
                            .bind(account.as_str())
                            .bind(at.0)
                            .bind(i64::from(is_here))
                            .execute(&mut *c)
                            .await?;
                        sqlx::query(OLD)
                            .bind(game.as_str())
                            .bind(MOST_PRESENCES - 1)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// When the players of a game came and left last, the oldest first.
    pub async fn presences(&self, game: GameId) -> Result<Vec<Presence>, StoreError> {
        const SQL: &str = "
            SELECT account_id, at, is_here FROM (
                SELECT account_id, at, is_here FROM presence WHERE game_id = $1
                ORDER BY at DESC, is_here DESC LIMIT $2) AS last
            ORDER BY at, is_here";
        let rows: Vec<(String, i64, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).bind(MOST_PRESENCES).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(|(account, at, is_here)| {
                let account = parse_id(&account)?;
                Ok(Presence { account, at: UnixMillis(at), is_here: is_here != 0 })
            })
            .collect()
    }

    /// One statement with its values, in the writer's turn.
    async fn write(&self, sql: &'static str, values: Vec<Value>) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        let mut query = sqlx::query(sql);
                        for value in values {
                            query = match value {
                                Value::Text(text) => query.bind(text),
                                Value::Int(number) => query.bind(number),
                            };
                        }
                        query.execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }
}

/// A value of a statement.
enum Value {
    Text(String),
    Int(i64),
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}
