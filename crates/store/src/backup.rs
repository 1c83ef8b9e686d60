//! Backups: a backup is always one SQLite file, whatever database it was taken from, so it restores into either.

mod tables;

use std::path::{Path, PathBuf};

use rules::{Game, Outcome};
use sqlx::{AssertSqlSafe, Connection, Row};

use crate::db::{Conn, Place, on_db};
use crate::games::{self, StoredGame};
use crate::migrate;
use crate::writer::{execute, ping};
use crate::{Store, StoreError};
use tables::Kind::{self, Bytes, Float, Int, Text};
use tables::TABLES;

/// What a look through all stored games found.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Report {
    /// The schema of the data.
    pub schema: i64,
    /// How many games there are.
    pub games: usize,
    /// How many of them are running.
    pub running: usize,
    /// How many events their logs hold.
    pub events: usize,
    /// What is wrong, one sentence each; empty is good.
    pub problems: Vec<String>,
}

/// Takes a backup of a running or stopped instance into `file`, which must not exist yet, and looks through it.
///
/// It holds everything acknowledged before the call, and is consistent: one moment of the database.
pub async fn backup(place: &Place, file: &Path) -> Result<Report, StoreError> {
    copy(place, file).await?;
    verify(file).await
}

/// Puts a backup into an empty place after looking through it. Data that is there already is never overwritten, and
/// [what is left of a database](in_the_way) counts as data.
pub async fn restore(file: &Path, place: &Place) -> Result<Report, StoreError> {
    let report = verify(file).await?;
    if !report.problems.is_empty() {
        return Ok(report);
    }
    match place {
        Place::Sqlite(target) => {
            refuse_existing(target)?;
            copy(&Place::Sqlite(file.to_owned()), target).await?;
        }
        Place::Postgres(_) => {
            let mut target = place.connect_writer().await?;
            let found = migrate::found_schema(&mut target).await?;
            if found > report.schema || !is_empty(&mut target).await? {
                return Err(StoreError::Conflict);
            }
            copy_into_postgres(file, &mut target, found).await?;
        }
    }
    Ok(report)
}

/// Opens a backup and checks everything that can be checked: the file, its references, every game replayed.
pub async fn verify(file: &Path) -> Result<Report, StoreError> {
    if !file.is_file() {
        return Err(StoreError::NotFound);
    }
    check_place(&Place::Sqlite(file.to_owned())).await
}

/// The same for an instance's own data, for `rookery doctor`.
pub(crate) async fn check_place(place: &Place) -> Result<Report, StoreError> {
    let mut conn = place.connect_read_only().await?;
    ping(&mut conn).await?;
    let mut report =
        Report { schema: migrate::found_schema(&mut conn).await?, ..Report::default() };
    if report.schema > migrate::known_schema() {
        return Err(StoreError::NewerSchema {
            found: report.schema,
            known: migrate::known_schema(),
        });
    }
    if report.schema == 0 {
        report.problems.push("there is no Rookery data in it".to_owned());
        return Ok(report);
    }
    if let Conn::Sqlite(c) = &mut conn {
        let rows: Vec<(String,)> =
            sqlx::query_as("PRAGMA integrity_check").fetch_all(&mut *c).await?;
        report.problems.extend(rows.into_iter().map(|(text,)| text).filter(|text| text != "ok"));
        let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut *c).await?.len();
        if broken > 0 {
            report.problems.push(format!("{broken} references point nowhere"));
        }
    }
    check_games(&mut conn, &mut report).await?;
    Ok(report)
}

/// Rebuilds every game from its log and compares it with its row.
async fn check_games(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    for (game, outcome, position) in games::all_games(conn).await? {
        report.games += 1;
        report.running += usize::from(matches!(outcome, Ok(None)));
        match game {
            Ok(game) => {
                report.events += game.events.len();
                report.problems.extend(check_game(&game, outcome, &position));
            }
            Err(error) => report.problems.push(error.to_string()),
        }
    }
    Ok(())
}

fn check_game(
    game: &StoredGame,
    outcome: Result<Option<Outcome>, StoreError>,
    position: &str,
) -> Option<String> {
    let id = game.id;
    let rebuilt = match Game::rebuild(game.setup.clone(), game.created_at, &game.events) {
        Ok(rebuilt) => rebuilt,
        Err(error) => return Some(format!("game {id} cannot be replayed: {error}")),
    };
    match outcome {
        Err(error) => Some(format!("game {id}: {error}")),
        Ok(outcome) if rebuilt.outcome() != outcome.as_ref() => {
            Some(format!("game {id} has another result in its row than in its log"))
        }
        Ok(Some(_)) if rebuilt.position().fen() != position => {
            Some(format!("game {id} has another final position in its row than in its log"))
        }
        Ok(_) => None,
    }
}

impl Store {
    /// Looks through the data of an instance: the file, its references, every game replayed.
    pub async fn check(place: &Place) -> Result<Report, StoreError> {
        check_place(place).await
    }
}

/// Copies the data of a place into a new SQLite file.
pub(crate) async fn copy(place: &Place, file: &Path) -> Result<(), StoreError> {
    refuse_existing(file)?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::Away(error.to_string()))?;
    }
    // Written beside its name and renamed when complete, so that a file with this name is always a whole backup.
    let half = new_half(file).map_err(|error| StoreError::Away(error.to_string()))?;
    let written = write_half(place, &half).await.and_then(|()| {
        refuse_existing(file)?;
        sync_and_rename(&half, file).map_err(|error| StoreError::Away(error.to_string()))
    });
    if written.is_err() {
        // Most likely the disk is full: half a backup is no use to anybody.
        for left in in_the_way(&half) {
            let _ = std::fs::remove_file(left);
        }
    }
    written
}

/// A new empty file beside `file`, for what is not complete yet. Whatever else lies there is not ours to remove: it may be
/// another backup on its way.
fn new_half(file: &Path) -> std::io::Result<PathBuf> {
    for number in 1_u32.. {
        let half = with_ending(
            file,
            &if number == 1 { ".part".to_owned() } else { format!(".part{number}") },
        );
        match std::fs::File::create_new(&half) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|_| half),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

async fn write_half(place: &Place, half: &Path) -> Result<(), StoreError> {
    match place.connect_read_only().await? {
        Conn::Sqlite(mut conn) => {
            let name = half.to_string_lossy().into_owned();
            sqlx::query("VACUUM INTO $1").bind(name).execute(&mut conn).await?;
            conn.close().await?;
        }
        Conn::Postgres(conn) => copy_from_postgres(Conn::Postgres(conn), half).await?,
    }
    Ok(())
}

/// What keeps a database from being written as `file`: a file of that name, and what SQLite keeps beside one. It would
/// take a log that was left there for the new file's own, and play it into it at the next start.
pub fn in_the_way(file: &Path) -> Vec<PathBuf> {
    let names = ["", "-wal", "-shm", "-journal"].map(|ending| with_ending(file, ending));
    names.into_iter().filter(|file| file.exists()).collect()
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn refuse_existing(file: &Path) -> Result<(), StoreError> {
    if in_the_way(file).is_empty() { Ok(()) } else { Err(StoreError::Conflict) }
}

fn sync_and_rename(half: &Path, file: &Path) -> std::io::Result<()> {
    std::fs::File::open(half)?.sync_all()?;
    std::fs::rename(half, file)?;
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => std::fs::File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

async fn copy_from_postgres(mut from: Conn, file: &Path) -> Result<(), StoreError> {
    let target = Place::Sqlite(file.to_owned());
    let mut to = target.connect_writer().await?;
    // The copy has the schema of what is copied: the copy before a migration is of the older one.
    let schema = migrate::found_schema(&mut from).await?;
    migrate::run_missing(&mut to, 0, schema).await?;
    // One snapshot for all tables.
    execute(&mut from, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    copy_tables(&mut from, &mut to).await?;
    execute(&mut from, "COMMIT").await?;
    if let Conn::Sqlite(mut c) = to {
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut c).await?;
        c.close().await?;
    }
    Ok(())
}

/// Whether nobody has anything in this database. A restoring that was cut off leaves its tables behind, but no rows: all
/// of them are one transaction.
async fn is_empty(conn: &mut Conn) -> Result<bool, StoreError> {
    for table in ["account", "game", "library_game"] {
        if present_columns(conn, table).await?.is_empty() {
            continue;
        }
        let any = format!(
            "SELECT CAST(COUNT(*) AS BIGINT) FROM (SELECT 1 FROM {table} LIMIT 1) AS found"
        );
        let (found,): (i64,) =
            on_db!(&mut *conn, c => sqlx::query_as(AssertSqlSafe(any)).fetch_one(&mut *c).await?);
        if found > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `found` is the schema that is there already, none of whose tables has rows.
async fn copy_into_postgres(file: &Path, to: &mut Conn, found: i64) -> Result<(), StoreError> {
    let mut from = Place::Sqlite(file.to_owned()).connect_read_only().await?;
    // An older backup is brought up to date when the server opens it.
    let schema = migrate::found_schema(&mut from).await?;
    migrate::run_missing(to, found, schema).await?;
    copy_tables(&mut from, to).await
}

async fn copy_tables(from: &mut Conn, to: &mut Conn) -> Result<(), StoreError> {
    execute(to, "BEGIN").await?;
    // What migrations have put there comes with the copy. Children go before their parents.
    for (table, _) in TABLES.iter().rev() {
        if !present_columns(to, table).await?.is_empty() {
            let clear = format!("DELETE FROM {table}");
            on_db!(&mut *to, c => {
                sqlx::query(AssertSqlSafe(clear)).execute(&mut *c).await?;
            });
        }
    }
    for (table, columns) in TABLES {
        let present = present_columns(to, table).await?;
        let columns: Vec<_> =
            columns.iter().copied().filter(|(name, _)| present.iter().any(|p| p == name)).collect();
        if !columns.is_empty() {
            copy_table(from, to, table, &columns).await?;
        }
    }
    execute(to, "COMMIT").await
}

/// The columns a table has in this database: none if an older schema does not know it yet.
async fn present_columns(conn: &mut Conn, table: &str) -> Result<Vec<String>, StoreError> {
    const SQLITE: &str = "SELECT name FROM pragma_table_info($1)";
    const POSTGRES: &str = "
        SELECT CAST(column_name AS TEXT) FROM information_schema.columns
        WHERE table_name = $1 AND table_schema = current_schema()";
    let rows: Vec<(String,)> = match conn {
        Conn::Sqlite(c) => sqlx::query_as(SQLITE).bind(table).fetch_all(&mut *c).await?,
        Conn::Postgres(c) => sqlx::query_as(POSTGRES).bind(table).fetch_all(&mut *c).await?,
    };
    Ok(rows.into_iter().map(|(name,)| name).collect())
}

/// A value on its way from one database to another.
enum Value {
    Text(Option<String>),
    Int(Option<i64>),
    Float(Option<f64>),
    Bytes(Option<Vec<u8>>),
}

async fn copy_table(
    from: &mut Conn,
    to: &mut Conn,
    table: &str,
    columns: &[(&str, Kind)],
) -> Result<(), StoreError> {
    let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let marks = (1..=columns.len()).map(|n| format!("${n}")).collect::<Vec<_>>().join(", ");
    let select = format!("SELECT {names} FROM {table}");
    let insert = format!("INSERT INTO {table} ({names}) VALUES ({marks})");
    let rows: Vec<Vec<Value>> = on_db!(from, c => {
        let rows = sqlx::query(AssertSqlSafe(select)).fetch_all(&mut *c).await?;
        rows.iter()
            .map(|row| {
                columns
                    .iter()
                    .map(|(name, kind)| {
                        Ok(match kind {
                            Text => Value::Text(row.try_get(*name)?),
                            Int => Value::Int(row.try_get(*name)?),
                            Float => Value::Float(row.try_get(*name)?),
                            Bytes => Value::Bytes(row.try_get(*name)?),
                        })
                    })
                    .collect::<Result<Vec<_>, sqlx::Error>>()
            })
            .collect::<Result<_, _>>()?
    });
    for row in rows {
        on_db!(to, c => {
            let mut query = sqlx::query(AssertSqlSafe(insert.as_str()));
            for value in row {
                query = match value {
                    Value::Text(text) => query.bind(text),
                    Value::Int(number) => query.bind(number),
                    Value::Float(number) => query.bind(number),
                    Value::Bytes(bytes) => query.bind(bytes),
                };
            }
            query.execute(&mut *c).await?;
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_table_and_column_of_the_schema_is_in_a_backup() {
        const COLUMNS: &str = "
            SELECT tables.name, columns.name
            FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table'";
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(folder.path().join("empty.db"));
        let mut conn = place.connect_writer().await.unwrap();
        migrate::run_missing(&mut conn, 0, migrate::known_schema()).await.unwrap();
        let Conn::Sqlite(conn) = &mut conn else { unreachable!("a file is SQLite") };
        let mut in_schema: Vec<(String, String)> =
            sqlx::query_as(COLUMNS).fetch_all(conn).await.unwrap();
        let columns = |(table, columns): &(&str, &[(&str, Kind)])| {
            let table = (*table).to_owned();
            let names = columns.iter().map(|(name, _)| (*name).to_owned());
            names.map(|name| (table.clone(), name)).collect::<Vec<_>>()
        };
        let mut in_backup: Vec<_> = TABLES.iter().flat_map(columns).collect();
        in_schema.sort();
        in_backup.sort();
        assert_eq!(in_backup, in_schema);
    }
}
