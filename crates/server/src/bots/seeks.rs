//! Bots that accept open seeks, where the owner wants it: casual games with a clock that nobody else has accepted.

use crate::lobby::Lobby;
use crate::world::World;

/// How often it is looked, in milliseconds.
const EVERY: i64 = 2_000;

/// Looks after the seeks for as long as the server runs. `wait` is what people have to accept one, in milliseconds.
pub(super) fn start(lobby: Lobby, world: World, wait: i64) {
    tokio::spawn(async move {
        loop {
            world.time.sleep(EVERY).await;
            lobby.let_bots_accept_seeks(wait).await;
        }
    });
}
