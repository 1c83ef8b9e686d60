//! Watches over the store: tells everybody when it cannot write, and finds out when it can again.

use store::{Health, Store};
use tokio::sync::watch;

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
                    tokio::select! {
                        () = comes_back(&store, &world) => {
                            tracing::info!("storage is back");
                            live.call_off("storage_back", "The server can write again. Play goes on.");
                        }
                        // Nobody shall wait for what will not come.
                        () = fails(store.health()) => {}
                    }
                }
                Health::Stopped(_) => {
                    live.notify("storage_failed", "The server's storage has failed. Nothing is accepted until its owner has seen to it.");
                    return;
                }
            }
        }
    });
}

async fn comes_back(store: &Store, world: &World) {
    loop {
        world.time.sleep(TRY_EVERY).await;
        if store.probe().await.is_ok() {
            return;
        }
    }
}

/// Waits until nothing will be written any more, without holding on to the channel's lock.
async fn fails(mut health: watch::Receiver<Health>) {
    let is_over = |health: &Health| matches!(health, Health::Stopped(_));
    let _ = health.wait_for(is_over).await.map(drop);
}
