//! Hands for tests that must bring about what the public face never does. Compiled for tests only.

use crate::db::{Conn, on_db};
use crate::migrate::run_missing;
use crate::{Place, Store, StoreError};

impl Store {
    /// Makes an empty database of an older schema.
    pub async fn make_older_for_test(place: &Place, schema: i64) -> Result<(), StoreError> {
        let mut conn = place.connect_writer().await?;
        run_missing(&mut conn, 0, schema).await
    }

    /// Lets the file of the embedded database grow to this many pages only, like a disk that is full.
    pub async fn limit_pages_for_test(&self, pages: u32) -> Result<(), StoreError> {
        let sql = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if let Conn::Sqlite(c) = conn {
                        sqlx::query(sql).execute(&mut *c).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Notes a schema that this program does not know.
    pub async fn note_schema_for_test(&self, number: i64) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query("INSERT INTO schema_migration (number, name) VALUES ($1, 'future')")
                            .bind(number)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Gives somebody a rating, as if games had been played.
    pub async fn set_rating_for_test(
        &self,
        account: crate::AccountId,
        pool: &'static str,
        rating: f64,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses)
            VALUES ($1, $2, $3, 60, 0.06, $3, 30, 10, 10, 10)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL).bind(account.as_str()).bind(pool).bind(rating).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Lets somebody mute another.
    pub async fn mute_for_test(
        &self,
        account: crate::AccountId,
        muted: crate::AccountId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO mute (account_id, muted_id, at) VALUES ($1, $2, 0)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL).bind(account.as_str()).bind(muted.as_str()).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }
}
