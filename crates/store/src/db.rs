//! The two databases behind one face, and the macros that run one text on either.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, PgConnection, PgPool, SqliteConnection, SqlitePool};

use crate::StoreError;

/// One of the two databases, by what is open: pools for reading, a connection for writing.
pub(crate) enum Db<S, P> {
    Sqlite(S),
    Postgres(P),
}

/// The readers.
pub(crate) type Pool = Db<SqlitePool, PgPool>;
/// A single connection: the writer's.
pub(crate) type Conn = Db<SqliteConnection, PgConnection>;

/// Runs the same expression on whichever database is open; the compiler checks it for both.
macro_rules! on_db {
    ($db:expr, $open:ident => $body:expr) => {
        match $db {
            $crate::db::Db::Sqlite($open) => $body,
            $crate::db::Db::Postgres($open) => $body,
        }
    };
}
pub(crate) use on_db;

/// Has the store's writer run one statement with these values; gives how many rows it changed.
macro_rules! write_one {
    ($store:expr, $sql:expr $(, $value:expr)* $(,)?) => {
        $store
            .writer
            .run(move |conn| {
                Box::pin(async move {
                    let done = $crate::db::on_db!(conn, c => {
                        sqlx::query($sql)$(.bind($value))*.execute(&mut *c).await?.rows_affected()
                    });
                    Ok(done)
                })
            })
            .await
    };
}
pub(crate) use write_one;

/// Where the data is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file of the embedded database.
    Sqlite(PathBuf),
    /// The address of a PostgreSQL database, `postgres://…`.
    Postgres(String),
}

/// The text names neither a file nor a PostgreSQL address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a database is `sqlite` or an address that begins with `postgres://`, not {0:?}")]
pub struct UnknownPlace(String);

impl UnknownPlace {
    /// As much of the text as can be no password: it may be an address in which a letter is wrong.
    fn new(text: &str) -> UnknownPlace {
        UnknownPlace(match text.find([':', '@', '=']) {
            Some(end) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        })
    }
}

impl Place {
    /// Reads the setting `database`: `sqlite` means the file `rookery.db` in the data directory.
    pub fn parse(text: &str, data: &Path) -> Result<Place, UnknownPlace> {
        match text {
            "sqlite" => Ok(Place::Sqlite(data.join("rookery.db"))),
            _ if text.starts_with("postgres://") || text.starts_with("postgresql://") => {
                Ok(Place::Postgres(text.to_owned()))
            }
            _ => Err(UnknownPlace::new(text)),
        }
    }

    pub(crate) async fn connect_writer(&self) -> Result<Conn, StoreError> {
        Ok(match self {
            Place::Sqlite(file) => {
                let options = sqlite_options(file).statement_cache_capacity(256);
                // Games of a file go all over the index that finds duplicates: with the usual 2 MB of pages most of
                // them would be read again, and written more than once in one commit.
                Db::Sqlite(options.pragma("cache_size", "-32768").connect().await?)
            }
            Place::Postgres(url) => {
                let options = postgres_options(url)?;
                Db::Postgres(answered(async { Ok(options.connect().await?) }).await?)
            }
        })
    }

    /// A connection that changes nothing, not even the file's way of keeping its log: for looking through data.
    pub(crate) async fn connect_read_only(&self) -> Result<Conn, StoreError> {
        Ok(match self {
            Place::Sqlite(file) => {
                let options = SqliteConnectOptions::new().filename(file).read_only(true);
                Db::Sqlite(options.busy_timeout(Duration::from_secs(5)).connect().await?)
            }
            Place::Postgres(_) => self.connect_writer().await?,
        })
    }

    pub(crate) async fn connect_readers(&self) -> Result<Pool, StoreError> {
        Ok(match self {
            Place::Sqlite(file) => Db::Sqlite(
                SqlitePoolOptions::new()
                    .max_connections(4)
                    // A file does not hang up: to ask each time whether it is still there would double the way.
                    .test_before_acquire(false)
                    .idle_timeout(Some(Duration::from_mins(1)))
                    .connect_with(sqlite_options(file).read_only(true))
                    .await?,
            ),
            Place::Postgres(url) => Db::Postgres(
                PgPoolOptions::new()
                    .max_connections(8)
                    .acquire_timeout(Duration::from_secs(5))
                    .connect_with(postgres_options(url)?)
                    .await?,
            ),
        })
    }
}

/// How long PostgreSQL may take for a connection, a statement or a commit of the writer. A machine that is gone, or one
/// that is stopped, says nothing at all, and whoever moves would wait as long as the system lets a line be silent.
const SILENCE: Duration = Duration::from_secs(10);

/// What the database answers; [`StoreError::Away`] if it says nothing.
pub(crate) async fn answered<T>(
    asking: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    answered_within(SILENCE, asking).await
}

/// The same for what takes longer.
pub(crate) async fn answered_within<T>(
    limit: Duration,
    asking: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    tokio::time::timeout(limit, asking).await.unwrap_or_else(|_| Err(silent(limit)))
}

pub(crate) fn silent(since: Duration) -> StoreError {
    StoreError::Away(format!("the database has said nothing for {} seconds", since.as_secs()))
}

/// A session of PostgreSQL: its process, and when that began.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    process: i32,
    began: String,
}

impl Session {
    /// The session of an open connection; SQLite has none.
    pub(crate) async fn of(conn: &mut Conn) -> Result<Option<Session>, StoreError> {
        const SQL: &str = "
            SELECT pid, CAST(backend_start AS TEXT) FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        let Conn::Postgres(c) = conn else { return Ok(None) };
        let (process, began): (i32, String) = sqlx::query_as(SQL).fetch_one(&mut *c).await?;
        Ok(Some(Session { process, began }))
    }

    /// Ends a session whose connection was lost, and waits until it has ended. It may have a write of ours in its hands:
    /// until then nobody knows whether that is kept.
    pub(crate) async fn end(&self, conn: &mut Conn) -> Result<(), StoreError> {
        const SQL: &str = "
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE pid = $1 AND CAST(backend_start AS TEXT) = $2";
        let Conn::Postgres(c) = conn else { return Ok(()) };
        let ended: Option<(bool,)> = sqlx::query_as(SQL)
            .bind(self.process)
            .bind(&self.began)
            .fetch_optional(&mut *c)
            .await?;
        match ended {
            Some((false,)) => {
                Err(StoreError::Away("an older session has not ended yet".to_owned()))
            }
            _ => Ok(()),
        }
    }
}

fn sqlite_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        // The writer's commits must not pay for checkpoints: `checkpoint` runs them beside it.
        .pragma("wal_autocheckpoint", "0")
        .pragma("journal_size_limit", "67108864")
}

fn postgres_options(url: &str) -> Result<PgConnectOptions, StoreError> {
    Ok(PgConnectOptions::from_str(url)?
        .application_name("rookery")
        .options([("synchronous_commit", "on")]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_read_is_refused_without_its_password() {
        for (text, shown) in [
            ("postgre://club:secret@db/club", "\"postgre…\""),
            ("club:secret@db", "\"club…\""),
            ("password=secret host=db", "\"password…\""),
            ("data/club.db", "\"data/club.db\""),
        ] {
            let error = Place::parse(text, Path::new("data")).unwrap_err().to_string();
            assert!(error.ends_with(shown) && !error.contains("secret"), "{error}");
        }
    }
}
