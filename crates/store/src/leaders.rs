//! The best of each pool.

use crate::accounts::Account;
use crate::db::on_db;
use crate::profiles::{PoolStanding, is_member};
use crate::{Store, StoreError};

/// Somebody's place among others.
#[derive(Debug, Clone, PartialEq)]
pub struct Leader {
    /// Who.
    pub account: Account,
    /// How strong.
    pub standing: PoolStanding,
}

#[derive(sqlx::FromRow)]
struct LeaderRow {
    id: String,
    kind: String,
    name: String,
    #[sqlx(flatten)]
    standing: PoolStanding,
}

impl Store {
    /// Everybody with a rating that is at least this certain, pool by pool, the strongest first.
    ///
    /// A deviation only grows while somebody rests: who is beyond the limit here cannot be within it later.
    pub async fn leaders(&self, most_deviation: f64) -> Result<Vec<Leader>, StoreError> {
        const SQL: &str = concat!(
            "SELECT account.id, account.kind, account.name, rating.pool, rating.rating, rating.deviation,
                    rating.volatility, rating.peak, rating.games, rating.wins, rating.draws, rating.losses,
                    rating.last_game
             FROM rating JOIN account ON account.id = rating.account_id
             WHERE rating.deviation <= $1 AND ",
            is_member!(),
            " ORDER BY rating.pool, rating.rating DESC, account.id"
        );
        let rows: Vec<LeaderRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(most_deviation).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(|LeaderRow { id, kind, name, standing }| {
                Ok(Leader { account: Account::from_columns(&id, &kind, name)?, standing })
            })
            .collect()
    }
}
