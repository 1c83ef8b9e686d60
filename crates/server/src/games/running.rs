//! The running games: in the order they began, and by who plays in them.

use std::collections::{BTreeSet, HashMap};

use parking_lot::RwLock;
use store::{AccountId, GameId};

use super::seats::Seats;

/// A running game's place in the list: when it began, and its name.
pub(super) type Key = (i64, GameId);

/// The running games.
#[derive(Default)]
pub(super) struct Running(RwLock<Inner>);

#[derive(Default)]
struct Inner {
    /// The public ones, the oldest first.
    games: BTreeSet<Key>,
    by_player: HashMap<AccountId, BTreeSet<Key>>,
    changes: u64,
}

impl Running {
    pub(super) fn insert(&self, key: Key, seats: &Seats) {
        let mut inner = self.0.write();
        inner.changes += 1;
        if !seats.is_private {
            inner.games.insert(key);
        }
        for account in seats.everybody() {
            inner.by_player.entry(account).or_default().insert(key);
        }
    }

    /// Takes a game out; one that is not there is no matter.
    pub(super) fn remove(&self, key: Key, seats: &Seats) {
        let mut inner = self.0.write();
        let mut was_there = inner.games.remove(&key);
        for account in seats.everybody() {
            if let Some(games) = inner.by_player.get_mut(&account) {
                was_there |= games.remove(&key);
                if games.is_empty() {
                    inner.by_player.remove(&account);
                }
            }
        }
        inner.changes += u64::from(was_there);
    }

    /// The newest public ones of those that began before `before`.
    pub(super) fn newest(&self, before: Option<Key>, limit: usize) -> Vec<GameId> {
        let inner = self.0.read();
        let earlier = inner.games.range(..before.unwrap_or((i64::MAX, GameId::from_bits(0))));
        earlier.rev().take(limit).map(|(_, id)| *id).collect()
    }

    /// Those in which somebody plays, or that are played at their computer, private ones too, the newest first.
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
    use rules::ByColor;

    use super::*;

    #[test]
    fn a_game_is_found_by_both_its_players_until_it_ends() {
        let [anna, bert, carl] = [1, 2, 3].map(AccountId::from_bits);
        let [first, second] = [1_u32, 2].map(|n| (i64::from(n), GameId::from_bits(n.into())));
        let seats = |white, black| Seats {
            players: ByColor { white, black },
            is_private: false,
            host: None,
        };
        let (one, two) = (seats(anna, bert), seats(carl, anna));
        let running = Running::default();
        running.insert(first, &one);
        running.insert(second, &two);
        assert_eq!(running.of(anna), [second.1, first.1]);
        assert_eq!(running.of(bert), [first.1]);
        let before = running.changes();
        running.remove(first, &one);
        running.remove(first, &one);
        assert_eq!(running.changes(), before + 1);
        assert_eq!((running.of(anna), running.of(bert)), (vec![second.1], vec![]));
        assert_eq!((running.newest(None, 9), running.count()), (vec![second.1], 1));
    }

    #[test]
    fn a_private_game_is_found_by_its_players_alone() {
        let [anna, bert] = [1, 2].map(AccountId::from_bits);
        let seats =
            Seats { players: ByColor { white: anna, black: bert }, is_private: true, host: None };
        let key = (1, GameId::from_bits(1));
        let running = Running::default();
        running.insert(key, &seats);
        assert_eq!((running.newest(None, 9), running.count()), (vec![], 0));
        assert_eq!(running.of(bert), [key.1]);
        let before = running.changes();
        running.remove(key, &seats);
        assert_eq!((running.of(bert), running.changes()), (vec![], before + 1));
    }
}
