//! SQLite's checkpoints, beside the writer: copying the write-ahead log into the file must not delay a move.

use sqlx::{Connection, SqliteConnection};
use tokio::sync::watch;

use crate::StoreError;
use crate::db::{Conn, Place};

/// Starts the task that checkpoints whenever one is due. PostgreSQL looks after itself.
pub(crate) async fn start(place: &Place, mut due: watch::Receiver<()>) -> Result<(), StoreError> {
    let Conn::Sqlite(mut conn) = (match place {
        Place::Sqlite(_) => place.connect_writer().await?,
        Place::Postgres(_) => return Ok(()),
    }) else {
        return Ok(());
    };
    tokio::spawn(async move {
        while due.changed().await.is_ok() {
            checkpoint(&mut conn).await;
        }
        // The store was closed: leave a tidy file behind.
        checkpoint(&mut conn).await;
        let _ = conn.close().await;
    });
    Ok(())
}

/// Passive: never waits for the writer. When it has copied everything, the writer starts over at the log's beginning.
async fn checkpoint(conn: &mut SqliteConnection) {
    if let Err(error) = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(conn).await {
        tracing::warn!(%error, "checkpoint failed, the next one will try again");
    }
}
