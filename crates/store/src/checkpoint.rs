//! SQLite's checkpoints, beside the writer: copying the write-ahead log into the file must not delay a move.
//!
//! A checkpoint beside a busy writer copies nearly everything but never all, and only when all is copied does the log
//! start over. So when the log has grown long, the writer is asked to copy the little that is left itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::{Connection, SqliteConnection};
use tokio::sync::watch;

use crate::StoreError;
use crate::db::{Conn, Place};

/// Pages in the log (of 4 kB) from which on the writer finishes a checkpoint itself: 64 MB.
const LONG: i64 = 16_384;

/// Asks the writer to finish a checkpoint.
pub(crate) type LogIsLong = Arc<AtomicBool>;

/// Starts the task that checkpoints whenever one is due. PostgreSQL looks after itself.
pub(crate) async fn start(
    place: &Place,
    mut due: watch::Receiver<()>,
    long: LogIsLong,
) -> Result<(), StoreError> {
    let Conn::Sqlite(mut conn) = (match place {
        Place::Sqlite(_) => place.connect_writer().await?,
        Place::Postgres(_) => return Ok(()),
    }) else {
        return Ok(());
    };
    tokio::spawn(async move {
        while due.changed().await.is_ok() {
            if checkpoint(&mut conn).await.is_some_and(|left| left > LONG) {
                long.store(true, Ordering::Relaxed);
            }
        }
        // The store was closed: leave a tidy file behind.
        checkpoint(&mut conn).await;
        let _ = conn.close().await;
    });
    Ok(())
}

/// Passive: never waits for the writer. When it has copied everything, the writer starts over at the log's beginning.
/// Gives the length of a log that is not copied whole.
pub(crate) async fn checkpoint(conn: &mut SqliteConnection) -> Option<i64> {
    let done: Result<(i64, i64, i64), _> =
        sqlx::query_as("PRAGMA wal_checkpoint(PASSIVE)").fetch_one(conn).await;
    match done {
        Ok((_, pages, copied)) => (pages != copied).then_some(pages),
        Err(error) => {
            tracing::warn!(%error, "checkpoint failed, the next one will try again");
            None
        }
    }
}
