//! The running games: in the order they began, and by who plays in them.

use std::collections::{BTreeSet, HashMap};

use parking_lot::RwLock;
use rules::{ByColor, Color};
use store::{AccountId, GameId};

/// A running game's place in the list: when it began, and its name.
pub(super) type Key = (i64, GameId);

/// The running games.
#[derive(Default)]
pub(super) struct Running(RwLock<Inner>);

#[derive(Default)]
struct Inner {
    /// The oldest first.
    games: BTreeSet<Key>,
    by_player: HashMap<AccountId, BTreeSet<Key>>,
    changes: u64,
}

impl Running {
    pub(super) fn insert(&self, key: Key, players: ByColor<AccountId>) {
        let mut inner = self.0.write();
        inner.changes += u64::from(inner.games.insert(key));
        for side in Color::ALL {
            inner.by_player.entry(players[side]).or_default().insert(key);
        }
    }

    /// Takes a game out; one that is not there is no matter.
    pub(super) fn remove(&self, key: Key, players: ByColor<AccountId>) {
        let mut inner = self.0.write();
        inner.changes += u64::from(inner.games.remove(&key));
        for side in Color::ALL {
            if let Some(games) = inner.by_player.get_mut(&players[side]) {
                games.remove(&key);
                if games.is_empty() {
                    inner.by_player.remove(&players[side]);
                }
            }
        }
    }

    /// The newest of those that began before `before`.
    pub(super) fn newest(&self, before: Option<Key>, limit: usize) -> Vec<GameId> {
        let inner = self.0.read();
        let earlier = inner.games.range(..before.unwrap_or((i64::MAX, GameId::from_bits(0))));
        earlier.rev().take(limit).map(|(_, id)| *id).collect()
    }

    /// Those in which somebody plays, the newest first.
    pub(super) fn of(&self, account: AccountId) -> Vec<GameId> {
        let inner = self.0.read();
        let games = inner.by_player.get(&account).into_iter().flatten();
        games.rev().map(|(_, id)| *id).collect()
    }

    pub(super) fn count(&self) -> usize {
        self.0.read().games.len()
    }

    /// A number that grows whenever a game begins or ends.
    pub(super) fn changes(&self) -> u64 {
        self.0.read().changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_by_both_its_players_until_it_ends() {
        let [anna, bert, carl] = [1, 2, 3].map(AccountId::from_bits);
        let [first, second] = [1_u32, 2].map(|n| (i64::from(n), GameId::from_bits(n.into())));
        let (one, two) =
            (ByColor { white: anna, black: bert }, ByColor { white: carl, black: anna });
        let running = Running::default();
        running.insert(first, one);
        running.insert(second, two);
        assert_eq!(running.of(anna), [second.1, first.1]);
        assert_eq!(running.of(bert), [first.1]);
        let before = running.changes();
        running.remove(first, one);
        running.remove(first, one);
        assert_eq!(running.changes(), before + 1);
        assert_eq!((running.of(anna), running.of(bert)), (vec![second.1], vec![]));
        assert_eq!((running.newest(None, 9), running.count()), (vec![second.1], 1));
    }
}
