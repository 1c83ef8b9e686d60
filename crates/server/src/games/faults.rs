//! Games whose tasks failed not long ago: one that fails again at once is not rebuilt without a pause.

use std::collections::HashMap;

use parking_lot::Mutex;
use rules::UnixMillis;
use store::GameId;

/// A task that has lived for so long has got over its fault.
const WELL_AFTER: i64 = 60_000;

/// How often each game has failed in a row, and when it did last.
#[derive(Default)]
pub(super) struct Faults {
    of: Mutex<HashMap<GameId, (usize, UnixMillis)>>,
    /// How many tasks a test lets fail as soon as they live.
    #[cfg(test)]
    pub(super) strikes: std::sync::atomic::AtomicU32,
}

impl Faults {
    /// Notes that a game's task failed. Gives how often it has failed shortly before.
    pub(super) fn note(&self, game: GameId, now: UnixMillis) -> usize {
        let mut of = self.of.lock();
        of.retain(|_, (_, last)| now.0 - last.0 < WELL_AFTER);
        let before = of.get(&game).map_or(0, |(times, _)| *times);
        of.insert(game, (before + 1, now));
        before
    }

    #[cfg(test)]
    pub(super) fn strike(&self) {
        use std::sync::atomic::Ordering::SeqCst;
        let struck = self.strikes.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        assert!(struck.is_err(), "a test lets this task fail");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use ratings::Pools;
    use rules::{ByColor, RuleSet, Setup, TimeControl};
    use store::{Account, AccountId, AccountKind, NewGame, Place, Store, TokenHash};
    use tempfile::TempDir;

    use super::super::{Games, Metrics};
    use super::*;
    use crate::accounts::InstanceKey;
    use crate::config::GamesConfig;
    use crate::gmo::LookKey;
    use crate::world::{Chance, SimulatedTime, World};

    /// A club that has begun a game, in its store alone.
    struct Scene {
        games: Games,
        store: Store,
        metrics: Metrics,
        hand: SimulatedTime,
        new: NewGame,
        players: ByColor<Account>,
        _folder: TempDir,
    }

    async fn scene() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let (world, hand) = World::simulated(1);
        let place = Place::Sqlite(folder.path().join("rookery.db"));
        let store = Store::open(place, folder.path()).await.unwrap();
        let metrics = Metrics::default();
        let looks = LookKey::of_instance(&InstanceKey::draw(&Chance::from_seed(1)));
        let (pools, config) = (Pools::default(), GamesConfig::default());
        let games = Games::start(store.clone(), world, metrics.clone(), pools, &config, looks)
            .await
            .unwrap();
        let players = ByColor { white: guest(&store, 1).await, black: guest(&store, 2).await };
        let setup = Setup::standard(TimeControl::Unlimited, RuleSet::online());
        let new = NewGame {
            id: GameId::from_bits(1),
            position: setup.position().unwrap().0.fen(),
            setup,
            players: players.as_ref().map(|player| player.id),
            rated: false,
            pool: None,
            ratings: ByColor::same(None),
            provisional: ByColor::same(false),
            private: false,
            created_at: hand.now(),
        };
        store.begin_game(new.clone()).await.unwrap();
        Scene { games, store, metrics, hand, new, players, _folder: folder }
    }

    async fn guest(store: &Store, n: u8) -> Account {
        let (id, name) = (AccountId::from_bits(n.into()), format!("Guest {n}"));
        let account = Account { id, kind: AccountKind::Guest, name };
        let token = TokenHash([n; 32]);
        store.create_account(account.clone(), token, UnixMillis(0), UnixMillis(1)).await.unwrap();
        account
    }

    async fn wait_until(is_so: impl Fn() -> bool) {
        let waiting = async {
            while !is_so() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap();
    }

    #[tokio::test]
    async fn a_task_that_fails_again_and_again_is_rebuilt_with_longer_and_longer_pauses() {
        let Scene { games, store, metrics, hand, new, .. } = &scene().await;
        let game = new.id;
        games.0.faults.strikes.store(3, Ordering::SeqCst);
        games.open(game).await.unwrap();
        // The first time it is rebuilt at once; then time has to pass.
        wait_until(|| metrics.rebuilt.get() == 2).await;
        hand.advance(99);
        store.probe().await.unwrap();
        assert_eq!((metrics.rebuilt.get(), games.alive(game).is_some()), (2, false));
        hand.advance(1);
        wait_until(|| metrics.rebuilt.get() == 3).await;
        hand.advance(999);
        store.probe().await.unwrap();
        assert_eq!((metrics.rebuilt.get(), games.alive(game).is_some()), (3, false));
        hand.advance(1);
        wait_until(|| games.alive(game).is_some()).await;
        assert!(games.snapshot(game).await.is_ok(), "it lives, and nothing was lost");
    }

    #[tokio::test]
    async fn a_game_that_somebody_opens_before_it_is_begun_has_one_task() {
        let Scene { games, new, players, .. } = &scene().await;
        let id = new.id;
        let opened = games.open(id).await.unwrap();
        let begun = games.begin(new.clone(), players.clone()).await.unwrap();
        assert!(opened.post.same_channel(&begun.post));
        // What an older task puts away when it ends is not the way to a newer one.
        let older = std::sync::Arc::new(*begun.seats);
        games.put_away(id, &older, || panic!("it is another's"));
        assert!(games.alive(id).is_some());
    }

    #[test]
    fn faults_in_a_row_are_counted_and_old_ones_forgotten() {
        let (faults, now) = (Faults::default(), UnixMillis(1_000_000));
        let (one, other) = (GameId::from_bits(1), GameId::from_bits(2));
        assert_eq!((faults.note(one, now), faults.note(one, now)), (0, 1));
        assert_eq!(faults.note(other, now), 0);
        assert_eq!(faults.note(one, UnixMillis(now.0 + WELL_AFTER)), 0);
    }
}
