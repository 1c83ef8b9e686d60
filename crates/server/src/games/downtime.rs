//! The server's absences: noticed by signs of life in the store, and credited to games of days.
//!
//! A live game counts from its last event after a restart. In a game of days that would give back days of thinking,
//! so only the time in which the server was away is given back, a minute at most too much.

use rules::clock::Halt;
use rules::{Act, Game, TimeControl, UnixMillis};
use store::{Health, Store, StoreError};

use super::slow::{Outage, Slow};
use crate::world::World;

/// How often the server writes that it is there: what a crash can cost a flag.
const EVERY: i64 = 60_000;
/// Where it writes.
const KEY: &str = "sign_of_life";
/// Where the latest moment is kept from which the calendar was set back, until somebody has looked at it.
const WAS_AT: &str = "calendar_was_at";

/// When the server was last known to be there; none at the first start.
pub(super) async fn last_sign_of_life(store: &Store) -> Result<Option<UnixMillis>, StoreError> {
    moment(store, KEY).await
}

async fn moment(store: &Store, key: &str) -> Result<Option<UnixMillis>, StoreError> {
    let text = store.setting(key).await?;
    Ok(text.and_then(|text| text.parse().ok()).map(UnixMillis))
}

/// How far the calendar is behind what it was at the last sign of life, or at an earlier one about which nobody has
/// been asked yet: another start makes a calendar no better.
pub(super) async fn went_back(
    store: &Store,
    last_sign: Option<UnixMillis>,
    now: UnixMillis,
) -> Result<i64, StoreError> {
    let was_at = moment(store, WAS_AT).await?.max(last_sign);
    match was_at.filter(|was_at| *was_at > now) {
        Some(was_at) => {
            store.set_setting(WAS_AT, was_at.0.to_string()).await?;
            Ok(was_at.0 - now.0)
        }
        None => Ok(0),
    }
}

/// The calendar is right, whatever it was before.
pub(super) async fn trust_calendar(store: &Store) -> Result<(), StoreError> {
    store.set_setting(WAS_AT, "none".to_owned()).await
}

/// Writes from now on, every minute, that the server is there, and notes when the storage is not.
pub(super) fn start_signs_of_life(store: Store, world: World, slow: Slow) {
    let mut health = store.health();
    tokio::spawn(async move {
        let mut last_sign = world.time.now();
        let mut outage = None;
        let mut last_outage: Option<Outage> = None;
        let mut is_due = true;
        loop {
            let now = world.time.now();
            // A store that cannot write is watched elsewhere; the sign comes a minute later.
            if is_due && store.set_setting(KEY, now.0.to_string()).await.is_ok() {
                last_sign = now;
            }
            let now = world.time.now();
            let is_ready = *health.borrow_and_update() == Health::Ready;
            outage = match outage {
                None if is_ready => None,
                None => {
                    // One that follows upon the last is the same.
                    let same = last_outage.filter(|last| last.until == Some(last_sign));
                    let since = same.map_or(last_sign, |last| last.since);
                    let begun = Outage { since, until: None };
                    slow.note_outage(begun);
                    Some(begun)
                }
                Some(begun) if is_ready => {
                    let over = Outage { until: Some(now), ..begun };
                    slow.note_outage(over);
                    last_outage = Some(over);
                    last_sign = now;
                    None
                }
                lasting => lasting,
            };
            tokio::select! {
                () = world.time.sleep(EVERY) => is_due = true,
                changed = health.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    is_due = *health.borrow() == Health::Ready;
                }
            }
        }
    });
}

/// What a game does when the server is back after an absence that began at this moment.
pub(super) fn back(game: &Game, since: Option<UnixMillis>, now: UnixMillis) -> Act {
    match (&game.setup().time, since) {
        // What was stopped in good order has nothing to be given back, unless its moments are ahead of the calendar.
        (TimeControl::Days(_), Some(since))
            if game.paused() != Some(Halt::Server) || since > now =>
        {
            Act::CreditDowntime { since }
        }
        _ => Act::Resume,
    }
}
