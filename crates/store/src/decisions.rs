//! What arbiters decided about games: written together with what it changes, and never removed.

use rules::{Outcome, UnixMillis};

use crate::accounts::Account;
use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::{AccountId, GameId, Store, StoreError};

/// Most decisions in one list.
const LIST: i64 = 200;

/// A decision about to be made.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// Who decides.
    pub arbiter: AccountId,
    /// What is done, in a word.
    pub act: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: UnixMillis,
    /// The result before it; none while the game runs.
    pub before: Option<Outcome>,
    /// The result after it.
    pub after: Option<Outcome>,
    /// How the game's pool computes, if ratings are to be counted again.
    pub recount: Option<(ratings::Pool, ratings::System)>,
}

/// A decision as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Its number, from 1.
    pub number: i64,
    /// About which game.
    pub game: GameId,
    /// Who decided.
    pub arbiter: Account,
    /// What was done, in a word.
    pub act: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: UnixMillis,
    /// The result before it.
    pub before: Option<Outcome>,
    /// The result after it.
    pub after: Option<Outcome>,
}

#[derive(sqlx::FromRow)]
struct Row {
    number: i64,
    game_id: String,
    id: String,
    kind: String,
    name: String,
    act: String,
    reason: String,
    at: i64,
    outcome_before: Option<String>,
    outcome_after: Option<String>,
}

impl TryFrom<Row> for Decision {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Decision, StoreError> {
        let outcome = |text: Option<String>| {
            text.map(|text| serde_json::from_str(&text)).transpose().map_err(StoreError::from)
        };
        Ok(Decision {
            number: row.number,
            game: parse_id(&row.game_id)?,
            arbiter: Account::from_columns(&row.id, &row.kind, row.name)?,
            act: row.act,
            reason: row.reason,
            at: UnixMillis(row.at),
            before: outcome(row.outcome_before)?,
            after: outcome(row.outcome_after)?,
        })
    }
}

/// Reads [`Row`]s; a condition follows.
macro_rules! select_decisions {
    ($condition:literal) => {
        concat!(
            "
            SELECT decision.number, decision.game_id, account.id, account.kind, account.name, decision.act,
                   decision.reason, decision.at, decision.outcome_before, decision.outcome_after
            FROM decision
            JOIN account ON account.id = decision.arbiter_id
            JOIN game ON game.id = decision.game_id
            WHERE ",
            $condition
        )
    };
}

impl Store {
    /// The decisions about a game, the oldest first.
    pub async fn decisions_about(&self, game: GameId) -> Result<Vec<Decision>, StoreError> {
        const SQL: &str = select_decisions!("decision.game_id = $1 ORDER BY decision.number");
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(Decision::try_from).collect()
    }

    /// The last decisions of all, the newest first.
    pub async fn last_decisions(&self) -> Result<Vec<Decision>, StoreError> {
        const SQL: &str = select_decisions!("1 = 1 ORDER BY decision.number DESC LIMIT $1");
        let rows: Vec<Row> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).bind(LIST).fetch_all(pool).await?);
        rows.into_iter().map(Decision::try_from).collect()
    }

    /// Decisions about somebody's games since a moment that they have not put away, the newest first.
    pub async fn decisions_for(
        &self,
        account: AccountId,
        since: UnixMillis,
    ) -> Result<Vec<Decision>, StoreError> {
        const SQL: &str = select_decisions!(
            "(game.white_id = $1 OR game.black_id = $1) AND decision.at >= $2
                AND NOT EXISTS (SELECT 1 FROM put_away WHERE put_away.account_id = $1
                    AND put_away.item = 'decision:' || CAST(decision.number AS TEXT))
            ORDER BY decision.number DESC LIMIT $3"
        );
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(account.as_str())
                .bind(since.0)
                .bind(LIST)
                .fetch_all(pool)
                .await?
        });
        rows.into_iter().map(Decision::try_from).collect()
    }
}

/// Writes a decision down, inside the transaction of what it changes.
pub(crate) async fn insert(
    conn: &mut Conn,
    game: GameId,
    decision: &NewDecision,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO decision (number, game_id, arbiter_id, at, act, reason, outcome_before, outcome_after)
        SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM decision";
    let text = |outcome: Option<Outcome>| outcome.map(|it| serde_json::to_string(&it)).transpose();
    let (before, after) = (text(decision.before)?, text(decision.after)?);
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(game.as_str())
            .bind(decision.arbiter.as_str())
            .bind(decision.at.0)
            .bind(&decision.act)
            .bind(&decision.reason)
            .bind(before)
            .bind(after)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
