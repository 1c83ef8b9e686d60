//! How games call the bots, and what the house has decided about them.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use store::{Account, GameId};
use tokio::sync::Notify;

use super::profile;
use crate::config::BotsConfig;

/// Rung by a game in which a bot may have something to do. Cheap to clone.
///
/// A game that rings twice before anybody came is noted once, so what waits is bounded by the number of games.
#[derive(Clone, Default)]
pub struct Bell(Arc<Inner>);

#[derive(Default)]
struct Inner {
    due: Mutex<HashSet<GameId>>,
    rung: Notify,
    /// None: nobody answers.
    rule: Mutex<Option<(BotsConfig, Arc<Vec<Account>>)>>,
}

impl Bell {
    /// Calls the bots to a game.
    pub fn ring(&self, game: GameId) {
        self.0.due.lock().insert(game);
        self.0.rung.notify_one();
    }

    /// Waits until a game has called; gives all that have.
    pub(super) async fn called(&self) -> HashSet<GameId> {
        loop {
            let due = std::mem::take(&mut *self.0.due.lock());
            if !due.is_empty() {
                return due;
            }
            self.0.rung.notified().await;
        }
    }

    /// From now on these answer, by these rules.
    pub(super) fn open(&self, rule: BotsConfig, bots: Arc<Vec<Account>>) {
        *self.0.rule.lock() = Some((rule, bots));
    }

    /// Whether there are bots to play with.
    pub fn is_answered(&self) -> bool {
        self.0.rule.lock().is_some()
    }

    /// Whether games against bots may count.
    pub fn may_be_rated(&self) -> bool {
        self.0.rule.lock().as_ref().is_some_and(|(rule, _)| rule.rated)
    }

    /// How many milliseconds somebody in quick pairing waits for people before a bot may come; none if none comes.
    pub fn queue_wait(&self) -> Option<i64> {
        let rule = self.0.rule.lock();
        let seconds = rule.as_ref().map_or(0, |(rule, _)| rule.queue_seconds);
        (seconds > 0).then(|| i64::from(seconds) * 1_000)
    }

    /// The bots, the one first that is said to be nearest to this strength.
    pub fn nearest(&self, rating: i64) -> Vec<Account> {
        let rule = self.0.rule.lock();
        let mut bots = rule.as_ref().map_or_else(Vec::new, |(_, bots)| bots.to_vec());
        bots.sort_by_key(|bot| {
            super::level_of(bot.id)
                .map_or(i64::MAX, |level| (profile::nominal_rating(level) - rating).abs())
        });
        bots
    }
}
