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
}
