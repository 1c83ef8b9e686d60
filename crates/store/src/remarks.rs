//! What players write to the arbiter about their games, and what arbiters note for each other.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::on_db;
use crate::games::parse_id;
use crate::{AccountId, GameId, Store, StoreError};

/// Most calls in one list.
const LIST: i64 = 200;

/// What a remark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemarkKind {
    /// A player calls an arbiter.
    Call,
    /// An arbiter notes something.
    Note,
}

impl RemarkKind {
    /// As it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            RemarkKind::Call => "call",
            RemarkKind::Note => "note",
        }
    }
}

/// A remark as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Its number, from 1.
    pub number: i64,
    /// About which game.
    pub game: GameId,
    /// Who wrote it.
    pub by: Account,
    /// What it is.
    pub kind: RemarkKind,
    /// What it says.
    pub text: String,
    /// When.
    pub at: UnixMillis,
    /// When an arbiter has seen to it.
    pub settled_at: Option<UnixMillis>,
}

#[derive(sqlx::FromRow)]
struct Row {
    number: i64,
    game_id: String,
    id: String,
    account_kind: String,
    name: String,
    kind: String,
    text: String,
    at: i64,
    settled_at: Option<i64>,
}

impl TryFrom<Row> for Remark {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Remark, StoreError> {
        let kind = if row.kind == "call" { RemarkKind::Call } else { RemarkKind::Note };
        Ok(Remark {
            number: row.number,
            game: parse_id(&row.game_id)?,
            by: Account::from_columns(&row.id, &row.account_kind, row.name)?,
            kind,
            text: row.text,
            at: UnixMillis(row.at),
            settled_at: row.settled_at.map(UnixMillis),
        })
    }
}

/// Reads [`Row`]s; a condition follows.
macro_rules! select_remarks {
    ($condition:literal) => {
        concat!(
            "
            SELECT remark.number, remark.game_id, account.id, account.kind AS account_kind, account.name, remark.kind,
                   remark.text, remark.at, remark.settled_at
            FROM remark
            JOIN account ON account.id = remark.account_id
            WHERE ",
            $condition
        )
    };
}

impl Store {
    /// Writes a remark down. `Conflict` if it is a call and an earlier one of the same player still waits.
    pub async fn add_remark(
        &self,
        game: GameId,
        by: AccountId,
        kind: RemarkKind,
        text: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO remark (number, game_id, account_id, kind, text, at)
            SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, $4, $5 FROM remark";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(game.as_str())
                            .bind(by.as_str())
                            .bind(kind.as_str())
                            .bind(text)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// The remarks about a game, the oldest first.
    pub async fn remarks_about(&self, game: GameId) -> Result<Vec<Remark>, StoreError> {
        const SQL: &str = select_remarks!("remark.game_id = $1 ORDER BY remark.number");
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(Remark::try_from).collect()
    }

    /// The calls that wait for an arbiter, the oldest first.
    pub async fn open_calls(&self) -> Result<Vec<Remark>, StoreError> {
        const SQL: &str = select_remarks!(
            "remark.kind = 'call' AND remark.settled_at IS NULL ORDER BY remark.number LIMIT $1"
        );
        let rows: Vec<Row> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).bind(LIST).fetch_all(pool).await?);
        rows.into_iter().map(Remark::try_from).collect()
    }

    /// Notes that an arbiter has seen to the calls about a game.
    pub async fn settle_calls(&self, game: GameId, now: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE remark SET settled_at = $2
            WHERE game_id = $1 AND kind = 'call' AND settled_at IS NULL";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL).bind(game.as_str()).bind(now.0).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }
}
