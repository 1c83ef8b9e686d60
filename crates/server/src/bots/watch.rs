//! The task that answers the bell: one brain for each game that calls, and never two for one game.

use std::collections::HashMap;

use engine::pool::Pool;
use store::{GameId, Store};
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

use super::brain::Brain;
use crate::games::Games;
use crate::world::World;

pub(super) fn start(games: Games, store: Store, world: World, engines: Pool) {
    let task =
        WatchTask { games, store, world, engines, calls: HashMap::new(), brains: JoinSet::new() };
    tokio::spawn(task.run());
}

struct WatchTask {
    games: Games,
    store: Store,
    world: World,
    engines: Pool,
    /// How often each game has called while its brain is there, and the task of that brain.
    calls: HashMap<GameId, (watch::Sender<u64>, Id)>,
    /// Gives the game, and the number of the last call that was looked at.
    brains: JoinSet<(GameId, u64)>,
}

impl WatchTask {
    async fn run(mut self) {
        let bell = self.games.bell().clone();
        loop {
            tokio::select! {
                called = bell.called() => called.into_iter().for_each(|game| self.call(game)),
                Some(left) = self.brains.join_next() => match left {
                    Ok((game, heard)) => self.leave(game, heard),
                    Err(error) => self.lose(&error),
                },
            }
        }
    }

    fn call(&mut self, game: GameId) {
        match self.calls.get(&game) {
            Some((calls, _)) => calls.send_modify(|calls| *calls += 1),
            None => self.send(game),
        }
    }

    fn send(&mut self, game: GameId) {
        let (calls, called) = watch::channel(0);
        let (games, world, engines) =
            (self.games.clone(), self.world.clone(), self.engines.clone());
        let store = self.store.clone();
        let brain = Brain { game, games, store, world, engines, called };
        let brain = self.brains.spawn(async move { (game, brain.live().await) });
        self.calls.insert(game, (calls, brain.id()));
    }

    /// A brain has nothing more to do, unless the game has called again meanwhile.
    fn leave(&mut self, game: GameId, heard: u64) {
        let calls = self.calls.remove(&game);
        if calls.is_some_and(|(calls, _)| *calls.borrow() > heard) {
            self.send(game);
        }
    }

    /// A brain has panicked. It is not sent again before the game calls: it would panic again.
    fn lose(&mut self, error: &JoinError) {
        tracing::error!(%error, "a bot has lost its mind");
        self.calls.retain(|_, (_, brain)| *brain != error.id());
    }
}
