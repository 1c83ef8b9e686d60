//! Closing the sockets of people who were signed out by somebody else: `rookery admin` beside the running server.
//!
//! The audit log is the message: it is written in the same transaction as the sign-out, by whichever process.

use store::{Store, StoreError};

use crate::live::Live;
use crate::world::World;

/// How often the log is looked at: a sign-out takes effect on open sockets within 5 seconds.
const EVERY: i64 = 2_000;

/// Starts looking.
pub(super) fn start(store: Store, world: World, live: Live) {
    tokio::spawn(async move {
        let mut seen = None;
        loop {
            match look(&store, &live, seen).await {
                Ok(newest) => seen = Some(newest),
                Err(error) => tracing::debug!(%error, "the audit log could not be read"),
            }
            world.time.sleep(EVERY).await;
        }
    });
}

/// Closes the sockets of those who were signed out since line `seen`; gives the newest line.
async fn look(store: &Store, live: &Live, seen: Option<i64>) -> Result<i64, StoreError> {
    let newest = store.newest_audit().await?;
    if let Some(seen) = seen.filter(|seen| *seen < newest) {
        for account in store.who_was_signed_out(seen, newest).await? {
            live.close_account(account);
        }
    }
    Ok(newest)
}
