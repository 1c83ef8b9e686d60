//! Backups: a backup is always one SQLite file, whatever database it was taken from, so it restores into either.

use std::path::Path;

use rules::{Game, Outcome};
use sqlx::{AssertSqlSafe, Connection, Row};

use crate::db::{Conn, Place, on_db};
use crate::games::{self, StoredGame};
use crate::migrate;
use crate::writer::{execute, ping};
use crate::{Store, StoreError};

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Int,
    Float,
    Bytes,
}
use Kind::{Bytes, Float, Int, Text};

/// Every table with its columns, parents before children. A test compares this with the migrations.
const TABLES: &[(&str, &[(&str, Kind)])] = &[
    ("schema_migration", &[("number", Int), ("name", Text)]),
    ("account", &[("id", Text), ("kind", Text), ("name", Text), ("created_at", Int)]),
    ("account_role", &[("account_id", Text), ("role", Text), ("granted_at", Int)]),
    (
        "session",
        &[
            ("token_hash", Bytes),
            ("account_id", Text),
            ("created_at", Int),
            ("expires_at", Int),
            ("device", Text),
            ("address", Text),
            ("last_used_at", Int),
            ("proved_at", Int),
        ],
    ),
    (
        "challenge",
        &[
            ("id", Text),
            ("kind", Text),
            ("challenger_id", Text),
            ("asked_id", Text),
            ("color", Text),
            ("setup", Text),
            ("rated", Int),
            ("lowest_rating", Int),
            ("highest_rating", Int),
            ("state", Text),
            ("reason", Text),
            ("rematch_of", Text),
            ("created_at", Int),
            ("expires_at", Int),
            ("private", Int),
        ],
    ),
    (
        "game",
        &[
            ("id", Text),
            ("setup", Text),
            ("white_id", Text),
            ("black_id", Text),
            ("state", Text),
            ("outcome", Text),
            ("position", Text),
            ("ply", Int),
            ("created_at", Int),
            ("ended_at", Int),
            ("log", Bytes),
            ("log_version", Int),
            ("rated", Int),
            ("pool", Text),
            ("white_rating", Int),
            ("black_rating", Int),
            ("opening", Text),
            ("private", Int),
            ("white_provisional", Int),
            ("black_provisional", Int),
        ],
    ),
    (
        "rating",
        &[
            ("account_id", Text),
            ("pool", Text),
            ("rating", Float),
            ("deviation", Float),
            ("volatility", Float),
            ("peak", Float),
            ("games", Int),
            ("wins", Int),
            ("draws", Int),
            ("losses", Int),
            ("last_game", Int),
        ],
    ),
    (
        "rating_change",
        &[
            ("game_id", Text),
            ("account_id", Text),
            ("pool", Text),
            ("at", Int),
            ("rating_before", Float),
            ("deviation_before", Float),
            ("volatility_before", Float),
            ("rating_after", Float),
            ("deviation_after", Float),
            ("volatility_after", Float),
        ],
    ),
    (
        "defender_attempt",
        &[
            ("game_id", Text),
            ("position_id", Text),
            ("account_id", Text),
            ("level", Int),
            ("engine", Text),
            ("state", Text),
            ("points", Int),
            ("moves", Int),
            ("ended_at", Int),
        ],
    ),
    (
        "chat_line",
        &[
            ("game_id", Text),
            ("number", Int),
            ("room", Text),
            ("account_id", Text),
            ("text", Text),
            ("at", Int),
        ],
    ),
    ("invitation", &[("challenge_id", Text), ("message", Text)]),
    (
        "conditional",
        &[
            ("game_id", Text),
            ("account_id", Text),
            ("ply", Int),
            ("lines", Text),
            ("changed_at", Int),
        ],
    ),
    ("game_note", &[("game_id", Text), ("account_id", Text), ("text", Text), ("changed_at", Int)]),
    ("chat_seen", &[("game_id", Text), ("account_id", Text), ("number", Int)]),
    ("put_away", &[("account_id", Text), ("item", Text), ("at", Int)]),
    ("presence", &[("game_id", Text), ("account_id", Text), ("at", Int), ("is_here", Int)]),
    (
        "decision",
        &[
            ("number", Int),
            ("game_id", Text),
            ("arbiter_id", Text),
            ("at", Int),
            ("act", Text),
            ("reason", Text),
            ("outcome_before", Text),
            ("outcome_after", Text),
        ],
    ),
    ("mute", &[("account_id", Text), ("muted_id", Text), ("at", Int)]),
    (
        "gmo_text",
        &[
            ("kind", Text),
            ("sha", Text),
            ("prefix", Text),
            ("code", Text),
            ("text", Text),
            ("created_at", Int),
        ],
    ),
    (
        "gmo_keeper",
        &[
            ("account_id", Text),
            ("kind", Text),
            ("sha", Text),
            ("name", Text),
            ("published", Int),
            ("by_code", Int),
            ("kept_at", Int),
        ],
    ),
    ("journal", &[("seq", Int), ("game_id", Text), ("version", Int), ("body", Text)]),
    ("setting", &[("key", Text), ("value", Text)]),
    (
        "player",
        &[
            ("account_id", Text),
            ("name_key", Text),
            ("email", Text),
            ("email_key", Text),
            ("email_verified_at", Int),
            ("password", Text),
            ("must_change_password", Int),
            ("state", Text),
            ("is_bot", Int),
            ("group_name", Text),
            ("initial_rating", Int),
            ("preferences", Text),
            ("totp_seed", Bytes),
            ("totp_confirmed_at", Int),
            ("totp_last_step", Int),
            ("created_at", Int),
            ("changed_at", Int),
            ("current_login_at", Int),
            ("last_login_at", Int),
        ],
    ),
    (
        "one_time_token",
        &[
            ("token_hash", Bytes),
            ("purpose", Text),
            ("account_id", Text),
            ("email", Text),
            ("created_at", Int),
            ("expires_at", Int),
        ],
    ),
    ("recovery_code", &[("account_id", Text), ("code_hash", Bytes)]),
    (
        "mail",
        &[
            ("id", Text),
            ("recipient", Text),
            ("subject", Text),
            ("plain", Text),
            ("html", Text),
            ("state", Text),
            ("attempts", Int),
            ("due_at", Int),
            ("problem", Text),
            ("created_at", Int),
        ],
    ),
    (
        "audit",
        &[
            ("seq", Int),
            ("at", Int),
            ("actor_id", Text),
            ("act", Text),
            ("subject_id", Text),
            ("detail", Text),
        ],
    ),
    (
        "invite",
        &[
            ("id", Text),
            ("token_hash", Bytes),
            ("made_by", Text),
            ("uses_left", Int),
            ("created_at", Int),
            ("expires_at", Int),
        ],
    ),
    (
        "api_token",
        &[
            ("id", Text),
            ("account_id", Text),
            ("name", Text),
            ("token_hash", Bytes),
            ("scopes", Text),
            ("created_at", Int),
            ("expires_at", Int),
            ("used_at", Int),
        ],
    ),
    (
        "study",
        &[
            ("id", Text),
            ("owner_id", Text),
            ("name", Text),
            ("variant", Text),
            ("pgn", Text),
            ("version", Int),
            ("created_at", Int),
            ("changed_at", Int),
        ],
    ),
    (
        "evaluation",
        &[
            ("position", Bytes),
            ("engine", Text),
            ("lines", Int),
            ("nodes", Int),
            ("depth", Int),
            ("found", Text),
            ("used_at", Int),
        ],
    ),
    (
        "report",
        &[
            ("game_id", Text),
            ("asked_by", Text),
            ("bulk", Int),
            ("state", Text),
            ("nodes", Int),
            ("asked_at", Int),
            ("finished_at", Int),
            ("result", Text),
            ("problem", Text),
        ],
    ),
    (
        "event",
        &[
            ("id", Text),
            ("name", Text),
            ("name_key", Text),
            ("state", Text),
            ("visibility", Text),
            ("owner_id", Text),
            ("starts_at", Int),
            ("settings", Text),
            ("version", Int),
            ("due_at", Int),
            ("table_key", Text),
            ("created_at", Int),
            ("changed_at", Int),
        ],
    ),
    (
        "event_player",
        &[
            ("event_id", Text),
            ("number", Int),
            ("account_id", Text),
            ("name", Text),
            ("seed", Int),
            ("state", Text),
            ("details", Text),
            ("entered_at", Int),
        ],
    ),
    ("event_round", &[("event_id", Text), ("round", Int), ("published_at", Int)]),
    (
        "event_board",
        &[
            ("event_id", Text),
            ("round", Int),
            ("board", Int),
            ("game_id", Text),
            ("result", Text),
            ("white_report", Text),
            ("black_report", Text),
        ],
    ),
    (
        "event_seat",
        &[
            ("event_id", Text),
            ("round", Int),
            ("player", Int),
            ("board", Int),
            ("color", Text),
            ("bye", Text),
        ],
    ),
    (
        "event_action",
        &[
            ("event_id", Text),
            ("version", Int),
            ("at", Int),
            ("actor_id", Text),
            ("act", Text),
            ("detail", Text),
            ("undo", Text),
        ],
    ),
    (
        "event_chat_line",
        &[("event_id", Text), ("number", Int), ("account_id", Text), ("text", Text), ("at", Int)],
    ),
    ("service", &[("id", Text), ("name", Text)]),
    (
        "service_account",
        &[
            ("id", Int),
            ("service_id", Text),
            ("name_key", Text),
            ("name", Text),
            ("account_id", Text),
        ],
    ),
    (
        "import_job",
        &[
            ("id", Int),
            ("account_id", Text),
            ("file_name", Text),
            ("state", Text),
            ("bytes", Int),
            ("bytes_done", Int),
            ("items", Int),
            ("games", Int),
            ("duplicates", Int),
            ("bad", Int),
            ("problem", Text),
            ("created_at", Int),
            ("ended_at", Int),
        ],
    ),
    ("import_problem", &[("job_id", Int), ("number", Int), ("line", Int), ("reason", Text)]),
    (
        "library_game",
        &[
            ("seq", Int),
            ("service_id", Text),
            ("external_id", Text),
            ("game_id", Text),
            ("white_account_id", Int),
            ("black_account_id", Int),
            ("importer_id", Text),
            ("import_id", Int),
            ("digest", Int),
            ("body", Bytes),
        ],
    ),
    ("library_number", &[("id", Int), ("next", Int)]),
];

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

/// Puts a backup into an empty place after looking through it. Data that is there already is never overwritten.
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
            if migrate::found_schema(&mut target).await? > 0 {
                return Err(StoreError::Conflict);
            }
            copy_into_postgres(file, &mut target).await?;
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
    let half = file.with_extension("part");
    let _ = std::fs::remove_file(&half);
    match place.connect_read_only().await? {
        Conn::Sqlite(mut conn) => {
            let name = half.to_string_lossy().into_owned();
            sqlx::query("VACUUM INTO $1").bind(name).execute(&mut conn).await?;
            conn.close().await?;
        }
        Conn::Postgres(conn) => copy_from_postgres(Conn::Postgres(conn), &half).await?,
    }
    sync_and_rename(&half, file).map_err(|error| StoreError::Away(error.to_string()))
}

fn refuse_existing(file: &Path) -> Result<(), StoreError> {
    if file.exists() { Err(StoreError::Conflict) } else { Ok(()) }
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

async fn copy_into_postgres(file: &Path, to: &mut Conn) -> Result<(), StoreError> {
    let mut from = Place::Sqlite(file.to_owned()).connect_read_only().await?;
    // An older backup is brought up to date when the server opens it.
    let schema = migrate::found_schema(&mut from).await?;
    migrate::run_missing(to, 0, schema).await?;
    copy_tables(&mut from, to).await
}

async fn copy_tables(from: &mut Conn, to: &mut Conn) -> Result<(), StoreError> {
    execute(to, "BEGIN").await?;
    execute(to, "DELETE FROM schema_migration").await?;
    // What a migration has put there comes with the copy.
    for (table, delete) in
        [("service", "DELETE FROM service"), ("library_number", "DELETE FROM library_number")]
    {
        if !present_columns(to, table).await?.is_empty() {
            execute(to, delete).await?;
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
