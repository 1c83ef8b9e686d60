//! Schemas: one append-only list, run at start after a backup copy; data of a newer program is refused.

use std::path::Path;

use sqlx::AssertSqlSafe;

use crate::StoreError;
use crate::backup;
use crate::db::{Conn, Place, on_db};
use crate::writer::execute;

/// All migrations in order; the number of one is its place in this list, from 1.
const MIGRATIONS: &[(&str, &str)] =
    &[("foundation", include_str!("migrations/0001_foundation.sql"))];

/// The newest schema this program knows.
pub fn known_schema() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Brings the database to the newest schema. A database that holds data is copied into `backups` first.
pub(crate) async fn migrate(
    place: &Place,
    conn: &mut Conn,
    backups: &Path,
) -> Result<(), StoreError> {
    let known = known_schema();
    let found = found_schema(conn).await?;
    if found > known {
        return Err(StoreError::NewerSchema { found, known });
    }
    if found == known {
        return Ok(());
    }
    if found > 0 {
        let copy = backups.join(format!("before-schema-{known}.db"));
        tracing::info!(copy = %copy.display(), "copying the data before the schema changes");
        backup::copy(place, &copy).await?;
    }
    run_missing(conn, found).await
}

/// Runs the migrations after number `found`.
pub(crate) async fn run_missing(conn: &mut Conn, found: i64) -> Result<(), StoreError> {
    if found == 0 {
        found_schema(conn).await?;
    }
    for (number, (name, text)) in (1..).zip(MIGRATIONS) {
        if number > found {
            run_one(conn, number, name, text).await?;
            tracing::info!(number, name, "schema changed");
        }
    }
    Ok(())
}

/// The schema the data has; 0 for an empty database.
pub(crate) async fn found_schema(conn: &mut Conn) -> Result<i64, StoreError> {
    execute(
        conn,
        "CREATE TABLE IF NOT EXISTS schema_migration (number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL)",
    )
    .await?;
    let (found,): (Option<i64>,) = on_db!(conn, c => {
        sqlx::query_as("SELECT MAX(number) FROM schema_migration").fetch_one(&mut *c).await?
    });
    Ok(found.unwrap_or(0))
}

/// A migration and the note of it are one transaction in both databases.
async fn run_one(conn: &mut Conn, number: i64, name: &str, text: &str) -> Result<(), StoreError> {
    execute(conn, "BEGIN").await?;
    let result = async {
        match conn {
            Conn::Sqlite(c) => {
                sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *c).await.map(drop)?;
            }
            Conn::Postgres(c) => {
                sqlx::raw_sql(AssertSqlSafe(for_postgres(text)))
                    .execute(&mut *c)
                    .await
                    .map(drop)?;
            }
        }
        on_db!(conn, c => {
            sqlx::query("INSERT INTO schema_migration (number, name) VALUES ($1, $2)")
                .bind(number)
                .bind(name)
                .execute(&mut *c)
                .await?;
        });
        Ok(())
    }
    .await;
    execute(conn, if result.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
    result
}

/// The one word the two databases do not share.
fn for_postgres(text: &str) -> String {
    text.replace(" BLOB ", " BYTEA ").replace(" BLOB,", " BYTEA,")
}
