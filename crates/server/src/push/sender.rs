//! The task that empties the outbox of notifications. The table is its memory: a restart goes on where it was.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::StreamExt as _;
use rules::UnixMillis;
use sha2::{Digest as _, Sha256};
use store::{StoreError, WaitingPush};

use super::address::Endpoint;
use super::sealing;
use super::service::{Parcel, PushService, Said};
use super::{Inner, Push};
use crate::outbox::{self, Untaken};

/// The longest wait between two attempts.
const LONGEST_WAIT: i64 = 3_600_000;
/// Messages on their way at once: a push service that is slow does not hold up the others.
const AT_ONCE: usize = 8;

/// Starts the task.
pub(super) fn start(push: Push, service: PushService) {
    tokio::spawn(async move {
        let Inner { world, bell, .. } = &*push.0;
        loop {
            let rung = bell.notified();
            let next = empty(&push.0, &service).await;
            outbox::rest("notifications", &world.time, rung, next).await;
        }
    });
}

/// Sends what is due; gives the moment when the next message will be.
async fn empty(inner: &Inner, service: &PushService) -> Result<Option<UnixMillis>, StoreError> {
    loop {
        let due = inner.store.due_pushes(inner.world.time.now(), 64).await?;
        if due.is_empty() {
            return inner.store.next_push_due_at().await;
        }
        let sending = due.into_iter().map(|waiting| send(inner, service, waiting));
        let mut done = futures_util::stream::iter(sending).buffer_unordered(AT_ONCE);
        while let Some(result) = done.next().await {
            result?;
        }
    }
}

async fn send(
    inner: &Inner,
    service: &PushService,
    waiting: WaitingPush,
) -> Result<(), StoreError> {
    let (store, id) = (&inner.store, waiting.id);
    // The host only: the rest of the address is a secret between the browser and us.
    match deliver(inner, service, &waiting).await {
        Said::Taken => store.push_is_done(id).await,
        Said::Gone => store.browser_is_gone(waiting.to.id).await,
        Said::Later(problem, wait) => {
            let now = inner.world.time.now();
            if let Some(at) = next_attempt(&waiting, now, wait) {
                tracing::info!(%id, problem, "a notification must wait");
                store.push_must_wait(id, at).await
            } else {
                tracing::warn!(%id, problem, "a notification is given up");
                store.push_is_done(id).await
            }
        }
        Said::Never(problem) => {
            tracing::warn!(%id, problem, "a notification was refused for good");
            store.push_is_done(id).await
        }
    }
}

async fn deliver(inner: &Inner, service: &PushService, waiting: &WaitingPush) -> Said {
    let Some(key) = &inner.key else { return Said::Never("notifications are off".to_owned()) };
    let endpoint = match Endpoint::parse(&waiting.to.endpoint, inner.allows_local) {
        Ok(endpoint) => endpoint,
        // The settings have changed since.
        Err(problem) => return Said::Never(problem.to_owned()),
    };
    let (chance, to) = (&inner.world.chance, &waiting.to);
    let Some(body) = sealing::seal(chance, &to.public_key, &to.auth, waiting.payload.as_bytes())
    else {
        return Said::Gone;
    };
    let authorization = key.authorization(&endpoint.origin(), inner.world.time.now());
    let topic = topic(&waiting.payload);
    service.deliver(&endpoint, Parcel { body, authorization, topic }).await
}

/// The same message has the same topic: one that is sent twice (the machine stopped between the service's yes and our
/// note of it) takes its own place.
fn topic(payload: &str) -> String {
    let mut text = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(payload));
    text.truncate(32);
    text
}

/// When to try again, if the service asked for so many seconds; never, if it has been tried for too long.
fn next_attempt(waiting: &WaitingPush, now: UnixMillis, wait: Option<i64>) -> Option<UnixMillis> {
    let WaitingPush { attempts, created_at, .. } = *waiting;
    let asked = wait.map_or(0, |seconds| seconds.saturating_mul(1_000));
    Untaken { attempts, created_at, longest_wait: LONGEST_WAIT, asked }.next_attempt(now)
}
