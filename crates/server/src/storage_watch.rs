//! Watches over the store: tells everybody when it cannot write, and finds out when it can again.

use store::{Health, Store};

use crate::live::Live;
use crate::world::World;

/// How often a store in trouble is tried.
const TRY_EVERY: i64 = 1_000;

/// Starts the watch.
pub(crate) fn start(store: Store, world: World, live: Live) {
    tokio::spawn(async move {
        let mut health = store.health();
        loop {
            let now = health.borrow_and_update().clone();
            match now {
                Health::Ready => {
                    if health.changed().await.is_err() {
                        return;
                    }
                }
                Health::Away(_) => {
                    live.notify("storage", "The server cannot write to its disk. Moves are refused and clocks stand until it can.");
                    loop {
                        world.time.sleep(TRY_EVERY).await;
                        if store.probe().await.is_ok() {
                            break;
                        }
                    }
                    tracing::info!("storage is back");
                    live.call_off("storage_back", "The server can write again. Play goes on.");
                }
                Health::Stopped(_) => {
                    live.notify("storage", "The server's disk has failed. Nothing is accepted until its owner has looked at it.");
                    return;
                }
            }
        }
    });
}
