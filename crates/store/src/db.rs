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

impl Place {
    /// Reads the setting `database`: `sqlite` means the file `rookery.db` in the data directory.
    pub fn parse(text: &str, data: &Path) -> Result<Place, UnknownPlace> {
        match text {
            "sqlite" => Ok(Place::Sqlite(data.join("rookery.db"))),
            _ if text.starts_with("postgres://") || text.starts_with("postgresql://") => {
                Ok(Place::Postgres(text.to_owned()))
            }
            _ => Err(UnknownPlace(text.to_owned())),
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
            Place::Postgres(url) => Db::Postgres(postgres_options(url)?.connect().await?),
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
