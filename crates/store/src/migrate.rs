//! Schemas: one append-only list, run at start after a backup copy; data of a newer program is refused.

use std::path::{Path, PathBuf};

use sqlx::AssertSqlSafe;

use crate::StoreError;
use crate::backup;
use crate::db::{Conn, Place, on_db};
use crate::writer::execute;

/// All migrations in order; the number of one is its place in this list, from 1.
const MIGRATIONS: &[(&str, &str)] = &[
    ("foundation", include_str!("migrations/0001_foundation.sql")),
    ("journal in order", include_str!("migrations/0002_journal_in_order.sql")),
    ("accounts", include_str!("migrations/0003_accounts.sql")),
    ("office", include_str!("migrations/0004_office.sql")),
    ("play", include_str!("migrations/0005_play.sql")),
    ("open challenges", include_str!("migrations/0006_open_challenges.sql")),
    ("private games", include_str!("migrations/0007_private_games.sql")),
    ("analysis", include_str!("migrations/0008_analysis.sql")),
    ("events", include_str!("migrations/0009_events.sql")),
    ("library", include_str!("migrations/0010_library.sql")),
    ("correspondence", include_str!("migrations/0011_correspondence.sql")),
    ("gmo", include_str!("migrations/0012_gmo.sql")),
    ("defender attempts", include_str!("migrations/0013_defender_attempts.sql")),
    ("one computer", include_str!("migrations/0014_one_computer.sql")),
    ("reminders", include_str!("migrations/0015_reminders.sql")),
    ("connected accounts", include_str!("migrations/0016_connections.sql")),
    ("library's search", include_str!("migrations/0017_library_more.sql")),
    ("variants", include_str!("migrations/0018_variants_more.sql")),
    ("engines", include_str!("migrations/0019_engines_more.sql")),
    ("library's bundles", include_str!("migrations/0020_library_bundles.sql")),
    ("skipped games", include_str!("migrations/0021_skipped_games.sql")),
    ("remarks", include_str!("migrations/0022_remarks.sql")),
    ("library's tidying", include_str!("migrations/0023_library_tidy.sql")),
    ("wishes for reports", include_str!("migrations/0024_report_wishes.sql")),
];

/// The newest schema this program knows.
pub fn known_schema() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// The schema of the data in a place; 0 if there is none.
pub async fn schema_of(place: &Place) -> Result<i64, StoreError> {
    found_schema(&mut place.connect_read_only().await?).await
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
        let copy = free_name(backups, known);
        tracing::info!(copy = %copy.display(), "copying the data before the schema changes");
        backup::copy(place, &copy).await?;
    }
    run_missing(conn, found, known).await
}

/// A start that failed after its copy was made leaves it there; the next one makes another.
fn free_name(backups: &Path, schema: i64) -> PathBuf {
    let name = |n: u32| backups.join(format!("before-schema-{schema}-{n}.db"));
    let mut number = 1;
    while name(number).exists() {
        number += 1;
    }
    name(number)
}

/// Runs the migrations after number `found`, up to number `last`.
pub(crate) async fn run_missing(conn: &mut Conn, found: i64, last: i64) -> Result<(), StoreError> {
    if found == 0 {
        // A first start that was cut off may have come exactly this far.
        let table = "CREATE TABLE IF NOT EXISTS schema_migration (number BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL)";
        execute(conn, table).await?;
    }
    for (number, (name, text)) in (1..).zip(MIGRATIONS) {
        if number > found && number <= last {
            run_one(conn, number, name, text).await?;
            tracing::info!(number, name, "schema changed");
        }
    }
    Ok(())
}

/// The schema the data has; 0 for an empty database.
pub(crate) async fn found_schema(conn: &mut Conn) -> Result<i64, StoreError> {
    const SQL: &str = "SELECT MAX(number) FROM schema_migration";
    let found: Result<(Option<i64>,), sqlx::Error> =
        on_db!(conn, c => sqlx::query_as(SQL).fetch_one(&mut *c).await);
    match found {
        Ok((found,)) => Ok(found.unwrap_or(0)),
        Err(sqlx::Error::Database(error)) if is_missing_table(&*error) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// PostgreSQL has a code for it, SQLite only words.
fn is_missing_table(error: &dyn sqlx::error::DatabaseError) -> bool {
    error.code().as_deref() == Some("42P01") || error.message().starts_with("no such table")
}

/// A migration and the note of it are one transaction in both databases.
async fn run_one(conn: &mut Conn, number: i64, name: &str, text: &str) -> Result<(), StoreError> {
    execute(conn, "BEGIN").await?;
    let result = async {
        match conn {
            Conn::Sqlite(c) => {
                sqlx::raw_sql(AssertSqlSafe(for_one(text, SQLITE)))
                    .execute(&mut *c)
                    .await
                    .map(drop)?;
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

/// The lines of a migration before what only one of the databases is told: rarely, where they cannot say the same.
const SQLITE: &str = "-- sqlite:";
const POSTGRES: &str = "-- postgres:";

/// The text without what is for the other database.
fn for_one(text: &str, name: &str) -> String {
    let mut is_told = true;
    let mut told = String::with_capacity(text.len());
    for line in text.lines() {
        if [SQLITE, POSTGRES].contains(&line) {
            is_told = line == name;
        } else if is_told {
            told.push_str(line);
            told.push('\n');
        }
    }
    told
}

/// The words the two databases do not share: bytes, and the number of a row.
fn for_postgres(text: &str) -> String {
    let text = for_one(text, POSTGRES);
    text.replace(" BLOB ", " BYTEA ")
        .replace(" BLOB,", " BYTEA,")
        .replace(" INTEGER NOT NULL PRIMARY KEY", " BIGINT NOT NULL PRIMARY KEY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_table_that_is_made_anew_keeps_its_rows_and_what_refers_to_them() {
        // The last schema in which `library_game` did not ask where its players sat.
        const BEFORE: i64 = 22;
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(folder.path().join("older.db"));
        let mut conn = place.connect_writer().await.unwrap();
        run_missing(&mut conn, 0, BEFORE).await.unwrap();
        for sql in [
            "INSERT INTO account (id, kind, name, created_at) VALUES ('annaanna', 'guest', 'Anna', 1)",
            "INSERT INTO import_job (id, account_id, file_name, state, bytes, bytes_done, items, games, duplicates, bad,
                                     problem, created_at, ended_at)
             VALUES (7, 'annaanna', 'x', 'done', 1, 1, 1, 1, 0, 0, '', 1, 1)",
            "INSERT INTO library_game (seq, importer_id, import_id, digest, body) VALUES (5, 'annaanna', 7, 9, x'01')",
            "INSERT INTO library_game (seq, service_id, external_id, digest, body) VALUES (6, 'lichess', 'x', 9, x'01')",
            "INSERT INTO report (subject, library_game_id, bulk, state, nodes, asked_at)
             VALUES ('#5', 5, 0, 'waiting', 1, 1)",
        ] {
            execute(&mut conn, sql).await.unwrap();
        }
        run_missing(&mut conn, BEFORE, known_schema()).await.unwrap();
        let Conn::Sqlite(conn) = &mut conn else { unreachable!("a file is SQLite") };
        let kept: Vec<(i64, i64)> = sqlx::query_as(
            "SELECT library_game.seq, library_game.digest FROM library_game
             JOIN report ON report.library_game_id = library_game.seq",
        )
        .fetch_all(&mut *conn)
        .await
        .unwrap();
        assert_eq!(kept, [(5, 9)]);
        let (next,): (i64,) =
            sqlx::query_as("SELECT next FROM import_number").fetch_one(&mut *conn).await.unwrap();
        assert_eq!(next, 8);
        sqlx::query("DELETE FROM library_game WHERE seq = 5").execute(&mut *conn).await.unwrap();
        let (reports,): (i64,) =
            sqlx::query_as("SELECT COUNT(*) FROM report").fetch_one(&mut *conn).await.unwrap();
        assert_eq!(reports, 0, "a report goes with its game");
    }

    #[test]
    fn each_database_is_told_its_own_part() {
        let text = "a;\n-- sqlite:\nb;\n-- postgres:\nc;\n";
        assert_eq!((&*for_one(text, SQLITE), &*for_one(text, POSTGRES)), ("a;\nb;\n", "a;\nc;\n"));
    }
}
