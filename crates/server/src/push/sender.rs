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

/// The first wait after a message was not taken; each further one is twice as long …
const FIRST_WAIT: i64 = 30_000;
/// … up to this.
const LONGEST_WAIT: i64 = 3_600_000;
/// After this a message is given up: what it says is old.
const GIVE_UP_AFTER: i64 = 24 * 3_600_000;
/// The outbox is looked at this often even if nobody has rung.
const LOOK_EVERY: i64 = 60_000;
/// Messages on their way at once: a push service that is slow does not hold up the others.
const AT_ONCE: usize = 8;

/// Starts the task.
pub(super) fn start(push: Push, service: PushService) {
    tokio::spawn(async move {
        let time = push.0.world.time.clone();
        loop {
            let rung = push.0.bell.notified();
            let next = match empty(&push.0, &service).await {
                Ok(next) => next,
                Err(error) => {
                    tracing::warn!(%error, "notifications cannot be read or written; trying again");
                    None
                }
            };
            let latest = UnixMillis(time.now().0 + LOOK_EVERY);
            tokio::select! {
                () = rung => {}
                () = time.sleep_until(next.unwrap_or(latest).min(latest)) => {}
            }
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

/// When to try again; never, if it has been tried for too long.
fn next_attempt(waiting: &WaitingPush, now: UnixMillis, wait: Option<i64>) -> Option<UnixMillis> {
    let doublings = u32::try_from(waiting.attempts).unwrap_or(u32::MAX).min(16);
    let grown = (FIRST_WAIT << doublings).min(LONGEST_WAIT);
    let asked = wait.map_or(0, |seconds| seconds.clamp(0, GIVE_UP_AFTER / 1_000) * 1_000);
    let at = now.0 + grown.max(asked);
    (at < waiting.created_at.0 + GIVE_UP_AFTER).then_some(UnixMillis(at))
}
