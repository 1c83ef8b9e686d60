//! The public list of a pool: everybody with a rating, with place and results.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::on_db;
use crate::profiles::{PoolStanding, escaped, is_member};
use crate::{Store, StoreError};

/// Which lines of the list to read.
#[derive(Debug, Clone, Default)]
pub struct RatingQuery {
    /// The pool.
    pub pool: String,
    /// A part of the name; empty for all.
    pub name: String,
    /// The least rating.
    pub from: Option<f64>,
    /// Ratings from here on are not wanted.
    pub below: Option<f64>,
    /// Only who has played a rated game since.
    pub active_since: Option<UnixMillis>,
    /// Lines to pass over.
    pub after: u32,
    /// Lines to read.
    pub limit: u32,
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedPlayer {
    /// The place among all of the pool.
    pub place: i64,
    /// Who.
    pub account: Account,
    /// How strong, and by which results.
    pub standing: PoolStanding,
}

#[derive(sqlx::FromRow)]
struct Row {
    place: i64,
    id: String,
    kind: String,
    name: String,
    #[sqlx(flatten)]
    standing: PoolStanding,
}

impl Store {
    /// Players of a pool by rating, the strongest first.
    pub async fn rating_list(&self, ask: &RatingQuery) -> Result<Vec<RatedPlayer>, StoreError> {
        const SQL: &str = concat!(
            "SELECT place, id, kind, name, pool, rating, deviation, volatility, peak, games, wins, draws, losses,
                    last_game
             FROM (
                SELECT ROW_NUMBER() OVER (ORDER BY rating.rating DESC, account.id) AS place,
                       account.id, account.kind, account.name, rating.pool, rating.rating, rating.deviation,
                       rating.volatility, rating.peak, rating.games, rating.wins, rating.draws, rating.losses,
                       rating.last_game
                FROM rating JOIN account ON account.id = rating.account_id
                WHERE rating.pool = $1 AND ",
            is_member!(),
            ") AS listed
             WHERE lower(name) LIKE $2 ESCAPE '!' AND rating >= $3 AND rating < $4
                AND COALESCE(last_game, 0) >= $5
             ORDER BY place LIMIT $6 OFFSET $7"
        );
        let pattern = format!("%{}%", escaped(&ask.name.to_lowercase()));
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(&ask.pool)
                .bind(&pattern)
                .bind(ask.from.unwrap_or(f64::MIN))
                .bind(ask.below.unwrap_or(f64::MAX))
                .bind(ask.active_since.map_or(0, |at| at.0))
                .bind(i64::from(ask.limit))
                .bind(i64::from(ask.after))
                .fetch_all(pool)
                .await?
        });
        rows.into_iter()
            .map(|Row { place, id, kind, name, standing }| {
                let account = Account::from_columns(&id, &kind, name)?;
                Ok(RatedPlayer { place, account, standing })
            })
            .collect()
    }

    /// The pools in which anybody has a rating, the most players first.
    pub async fn rated_pools(&self) -> Result<Vec<String>, StoreError> {
        const SQL: &str =
            "SELECT pool FROM rating GROUP BY pool ORDER BY COUNT(*) DESC, pool LIMIT 200";
        let rows: Vec<(String,)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        Ok(rows.into_iter().map(|(pool,)| pool).collect())
    }
}
