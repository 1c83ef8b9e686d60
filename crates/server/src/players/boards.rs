//! The lists of the best. Computed for all pools at once, kept for half a minute: who is ranked depends on the moment,
//! so no index can answer it, and a rank is a question about everybody.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use ratings::{Moment, Pool, System};
use rules::UnixMillis;
use store::{Account, AccountId, Leader};

use super::{BOARDS_LIVE, Players, PlayersError, standing_of};

/// One line of a list.
#[derive(Debug, Clone)]
pub(crate) struct Ranked {
    pub(crate) rank: u32,
    pub(crate) account: Account,
    pub(crate) rating: f64,
    pub(crate) games: i64,
}

/// The lists as they were at a moment.
pub(crate) struct Snapshot {
    made_at: UnixMillis,
    pools: BTreeMap<String, Vec<Ranked>>,
    ranks: HashMap<(String, AccountId), u32>,
}

/// The newest lists. One at a time makes new ones; the others wait for it.
#[derive(Default)]
pub(super) struct Boards(tokio::sync::Mutex<Option<Arc<Snapshot>>>);

impl Snapshot {
    /// The pools in which somebody is ranked, each with its list.
    pub(crate) fn pools(&self) -> impl Iterator<Item = (&str, &[Ranked])> {
        self.pools.iter().map(|(pool, ranked)| (pool.as_str(), ranked.as_slice()))
    }

    /// The list of a pool; empty if nobody is ranked.
    pub(crate) fn pool(&self, pool: &str) -> &[Ranked] {
        self.pools.get(pool).map_or(&[], Vec::as_slice)
    }

    /// Somebody's place in a pool.
    pub(crate) fn rank(&self, pool: &str, account: AccountId) -> Option<u32> {
        self.ranks.get(&(pool.to_owned(), account)).copied()
    }
}

impl Players {
    /// The lists of the best, at most half a minute old.
    pub(crate) async fn boards(&self) -> Result<Arc<Snapshot>, PlayersError> {
        let mut newest = self.0.boards.0.lock().await;
        let now = self.now();
        let fresh = newest.as_ref().filter(|made| now.since(made.made_at) < BOARDS_LIVE);
        if let Some(fresh) = fresh {
            return Ok(fresh.clone());
        }
        let leaders = self.0.store.leaders(self.most_deviation()).await?;
        let made = Arc::new(self.ranked(leaders, now));
        *newest = Some(made.clone());
        Ok(made)
    }

    /// The greatest deviation with which somebody may be ranked in any pool. Elo knows none.
    fn most_deviation(&self) -> f64 {
        let pools = &self.0.pools;
        let rules = pools.own.values().chain([&pools.default]);
        rules
            .map(|rules| match rules.system {
                System::Glicko2(constants) => constants.ranked_to,
                System::Elo(_) => f64::MAX,
            })
            .fold(0.0, f64::max)
    }

    /// Sorts out who is ranked; the strongest of a pool come first already.
    fn ranked(&self, leaders: Vec<Leader>, now: UnixMillis) -> Snapshot {
        let mut snapshot = Snapshot { made_at: now, pools: BTreeMap::new(), ranks: HashMap::new() };
        for Leader { account, standing } in leaders {
            let Ok(pool) = standing.pool.parse::<Pool>() else { continue };
            let system = &self.0.pools.rules(&pool).system;
            if !system.is_ranked(&standing_of(&standing), Moment(now.0)) {
                continue;
            }
            let list = snapshot.pools.entry(standing.pool.clone()).or_default();
            let rank = u32::try_from(list.len() + 1).unwrap_or(u32::MAX);
            snapshot.ranks.insert((standing.pool, account.id), rank);
            list.push(Ranked { rank, account, rating: standing.rating, games: standing.games });
        }
        snapshot
    }
}
