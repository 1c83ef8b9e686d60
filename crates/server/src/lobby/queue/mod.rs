//! Quick pairing: who waits for a game of some kind, and who plays whom.
//!
//! The search range of a player grows with every full interval of waiting. A pair is made when each is within the
//! other's range; who has waited longest is served first, with the closest rating, and of equally close ones with the
//! one who has waited longest. No socket, clock or lot is in here: the moment and the chance are arguments.
//!
//! A tick does a bounded amount of work and says whether there is more, so a hundred thousand who come at once do not
//! stall the lobby.

mod pool;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rules::{ByColor, Millis, TimeControl, UnixMillis, Variant};
use serde::{Deserialize, Serialize};
use store::AccountId;

use pool::{Place, Pool, Waiter};

/// How the queue pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueueSettings {
    /// The search range of somebody who has just come, in rating points.
    pub initial_range: u32,
    /// What every full interval of waiting adds to it.
    pub range_step: u32,
    /// The interval, in milliseconds.
    pub interval_ms: u32,
    /// How much one tick may do; one unit is about a microsecond.
    pub work_per_tick: u32,
}

impl Default for QueueSettings {
    fn default() -> Self {
        QueueSettings { initial_range: 50, range_step: 50, interval_ms: 5_000, work_per_tick: 500 }
    }
}

impl QueueSettings {
    /// The search range after this time.
    pub fn range_after(&self, waited: Millis) -> u32 {
        self.range(self.steps(waited))
    }

    /// How often the range has grown after this time.
    fn steps(&self, waited: Millis) -> u32 {
        u32::try_from(waited.0.max(0) / self.interval().0).unwrap_or(u32::MAX)
    }

    fn range(&self, steps: u32) -> u32 {
        self.initial_range.saturating_add(self.range_step.saturating_mul(steps))
    }

    fn interval(&self) -> Millis {
        Millis(i64::from(self.interval_ms.max(1)))
    }
}

/// What is waited for. Only players of the same mode are paired.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mode {
    /// The game.
    pub variant: Variant,
    /// Its time control.
    pub time: TimeControl,
    /// Whether it counts.
    pub is_rated: bool,
}

/// Somebody who wants to play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub player: AccountId,
    /// The rating in the pool of the mode, as people see it.
    pub rating: i32,
    /// Games with White less games with Black.
    pub color_balance: i32,
    /// Whom this player will not meet; one side's wish is enough. Keep it short: they are walked past one by one.
    pub avoids: Vec<AccountId>,
}

/// A game to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// What they waited for.
    pub mode: Arc<Mode>,
    /// Who plays whom.
    pub players: ByColor<AccountId>,
}

/// What one tick did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tick {
    /// The games to be made, longest waiting first within a mode.
    pub pairings: Vec<Pairing>,
    /// Whether work was left over: tick again soon, others first.
    pub has_more: bool,
}

/// What a player who waits is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingView {
    /// How long already.
    pub waited: Millis,
    /// How far the search reaches now.
    pub range: u32,
    /// Players of the same mode, this one included.
    pub players: usize,
}

/// Everybody who waits. A player waits in one place at most, so nobody is paired twice.
#[derive(Debug, Default)]
pub struct Queue {
    settings: QueueSettings,
    numbers: HashMap<Arc<Mode>, PoolNumber>,
    // By number and not by hash, so that the same arrivals give the same games.
    pools: BTreeMap<PoolNumber, (Arc<Mode>, Pool)>,
    players: HashMap<AccountId, (PoolNumber, Place)>,
    arrivals: u64,
    pools_made: u64,
    /// Where the next tick begins: a crowded pool must not starve the others.
    turn: PoolNumber,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PoolNumber(u64);

impl Queue {
    /// An empty queue.
    pub fn new(settings: QueueSettings) -> Queue {
        Queue { settings, ..Queue::default() }
    }

    /// Lets a player wait. Who waits for the same already keeps the place; who waits for something else gives it up.
    pub fn join(&mut self, mode: &Mode, entry: Entry, now: UnixMillis) {
        if let Some((at, _)) = self.players.get(&entry.player) {
            if self.pools.get(at).is_some_and(|(other, _)| **other == *mode) {
                return;
            }
            self.leave(entry.player);
        }
        let number = self.pool_number(mode);
        let place = Place { since: now, number: self.arrivals };
        self.arrivals += 1;
        self.players.insert(entry.player, (number, place));
        let (_, pool) = self.pools.get_mut(&number).expect("a pool that has a number is there");
        pool.join(&self.settings, place, Waiter::from(entry));
    }

    /// The player waits no more; whether there was anything to leave.
    pub fn leave(&mut self, player: AccountId) -> bool {
        let Some((number, place)) = self.players.remove(&player) else { return false };
        if let Some((_, pool)) = self.pools.get_mut(&number) {
            pool.remove(&self.settings, place);
        }
        self.close_if_empty(number);
        true
    }

    /// What a player who waits is shown.
    pub fn view(&self, player: AccountId, now: UnixMillis) -> Option<WaitingView> {
        let (number, place) = self.players.get(&player)?;
        let (_, pool) = self.pools.get(number)?;
        let waited = Millis(now.since(place.since).0.max(0));
        Some(WaitingView { waited, range: self.settings.range_after(waited), players: pool.len() })
    }

    /// Everybody in all modes.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// When the next range grows: until then a tick finds nothing new, unless somebody joins.
    pub fn next_growth(&self) -> Option<UnixMillis> {
        self.pools.values().filter_map(|(_, pool)| pool.next_growth()).min()
    }

    /// Makes pairs, as many as the work for one tick allows. Where history does not give the colours, `is_first_white`
    /// does, once for each pair.
    pub fn tick(&mut self, now: UnixMillis, mut is_first_white: impl FnMut() -> bool) -> Tick {
        let mut work = Work { left: self.settings.work_per_tick.max(1) };
        let mut tick = Tick::default();
        let others = self.pools.range(self.turn..).chain(self.pools.range(..self.turn));
        let numbers: Vec<PoolNumber> =
            others.filter(|(_, (_, pool))| pool.has_work(now)).map(|(number, _)| *number).collect();
        for number in numbers {
            self.turn = number;
            if work.is_done() {
                tick.has_more = true;
                break;
            }
            let Some((mode, pool)) = self.pools.get_mut(&number) else { continue };
            for pair in pool.tick(&self.settings, now, &mut work) {
                for one in &pair {
                    self.players.remove(&one.player);
                }
                let players = seat(pair, &mut is_first_white);
                tick.pairings.push(Pairing { mode: mode.clone(), players });
            }
            tick.has_more = pool.has_work(now);
            self.close_if_empty(number);
            self.turn = PoolNumber(number.0 + 1);
        }
        tick
    }

    fn pool_number(&mut self, mode: &Mode) -> PoolNumber {
        if let Some(number) = self.numbers.get(mode) {
            return *number;
        }
        let number = PoolNumber(self.pools_made);
        self.pools_made += 1;
        let mode = Arc::new(mode.clone());
        self.numbers.insert(mode.clone(), number);
        self.pools.insert(number, (mode, Pool::default()));
        number
    }

    fn close_if_empty(&mut self, number: PoolNumber) {
        if self.pools.get(&number).is_some_and(|(_, pool)| pool.len() == 0)
            && let Some((mode, _)) = self.pools.remove(&number)
        {
            self.numbers.remove(&mode);
        }
    }
}

/// Who has had White less often has it now.
fn seat(pair: [Waiter; 2], is_first_white: &mut impl FnMut() -> bool) -> ByColor<AccountId> {
    let [first, second] = pair;
    let is_white = match first.color_balance.cmp(&second.color_balance) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => is_first_white(),
    };
    let (white, black) = if is_white { (first, second) } else { (second, first) };
    ByColor { white: white.player, black: black.player }
}

/// What a tick may still do.
#[derive(Debug)]
struct Work {
    left: u32,
}

impl Work {
    fn spend(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }
}
