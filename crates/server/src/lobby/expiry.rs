//! Ends what nobody wants any more: challenges whose time is over, seeks whose makers have left.

use std::sync::Arc;

use rules::UnixMillis;
use tokio::sync::Notify;

use super::hall::Hall;

/// How often absent makers of seeks are looked for while there are seeks for live games.
const EVERY: i64 = 1_000;
/// How often those who left long ago are forgotten, and the longest sleep.
const TIDY: i64 = 60_000;

/// Starts the task. It is woken when a challenge is made, for that may be the next to end.
pub(super) fn start(hall: Arc<Hall>) -> Arc<Notify> {
    let made = Arc::new(Notify::new());
    tokio::spawn(run(hall, Arc::downgrade(&made)));
    made
}

async fn run(hall: Arc<Hall>, made: std::sync::Weak<Notify>) {
    let time = hall.world.time.clone();
    loop {
        let next = expire(&hall).await;
        // The lobby is gone when nobody could wake us any more.
        let Some(made) = made.upgrade() else { return };
        tokio::select! {
            () = time.sleep_until(next) => {}
            () = made.notified() => {}
        }
    }
}

/// Ends what is due; when to look again.
async fn expire(hall: &Hall) -> UnixMillis {
    let now = hall.world.time.now();
    hall.presence.tidy(now);
    let grace = i64::from(hall.config.seek_grace_seconds) * 1_000;
    let abandoned = hall.seeks.abandoned(&hall.presence, now, grace);
    let longest = UnixMillis(now.0 + if hall.seeks.has_live() { EVERY } else { TIDY });
    let soon = UnixMillis(now.0 + EVERY);
    match hall.store.next_challenge_expiry().await {
        Ok(next) if abandoned.is_empty() && next.is_none_or(|at| at > now) => {
            return next.map_or(longest, |at| at.min(longest));
        }
        Ok(_) => {}
        Err(_) => return soon,
    }
    match hall.store.expire_challenges(now, abandoned.clone()).await {
        Ok(ended) => {
            for id in ended {
                hall.tell_change(id).await;
            }
            for id in abandoned {
                hall.seeks.remove(id);
            }
            soon
        }
        // The store is in trouble and everybody knows: nothing was ended, so nothing is told.
        Err(_) => soon,
    }
}
