//! Those who wait for the same.
//!
//! Of two players the one who came later has the smaller range, so it alone decides when they reach each other: when it
//! comes, and whenever its range grows. Nothing else makes a new pair. So a player who was looked at and found nobody
//! is *settled* and costs nothing until a later one's range reaches it; then it is looked at again. Settled players
//! stand far apart, or they would have been paired: whoever comes wakes only a few.
//!
//! To find the closest one that reaches back without walking past thousands that do not, players stand in one row for
//! each size of range, ordered by rating: one look to both sides in each row is enough.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeBounds;

use rules::{Millis, UnixMillis};
use store::AccountId;

use super::{Entry, QueueSettings, Work};

/// A place in the order of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) since: UnixMillis,
    /// Decides between those who came in the same millisecond.
    pub(super) number: u64,
}

impl Place {
    const FIRST: Place = Place { since: UnixMillis(i64::MIN), number: 0 };
    const LAST: Place = Place { since: UnixMillis(i64::MAX), number: u64::MAX };
}

/// A place in the order of ratings, the longest waiting first among equals. Wide, so that sums cannot overflow.
type Spot = (i64, Place);

/// Somebody who waits.
#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) player: AccountId,
    pub(super) color_balance: i32,
    rating: i64,
    /// How often the range has grown; it stands in the row of this number.
    steps: u32,
    avoids: Vec<AccountId>,
}

impl From<Entry> for Waiter {
    fn from(entry: Entry) -> Waiter {
        let Entry { player, rating, color_balance, mut avoids } = entry;
        avoids.sort_unstable();
        Waiter { player, color_balance, rating: i64::from(rating), steps: 0, avoids }
    }
}

impl Waiter {
    fn may_meet(&self, other: &Waiter) -> bool {
        let avoids = |one: &Waiter, other: &Waiter| one.avoids.binary_search(&other.player).is_ok();
        self.player != other.player && !avoids(self, other) && !avoids(other, self)
    }
}

/// Those who wait for the same.
#[derive(Debug, Default)]
pub(super) struct Pool {
    waiters: BTreeMap<Place, Waiter>,
    rows: BTreeMap<u32, BTreeSet<Spot>>,
    /// To be looked at, longest waiting first.
    unsettled: BTreeSet<Place>,
    /// Looked at, without anybody to play. Everybody is either here or there.
    settled: BTreeSet<Spot>,
    /// When each range grows next.
    growth: BTreeSet<(UnixMillis, Place)>,
}

impl Pool {
    pub(super) fn len(&self) -> usize {
        self.waiters.len()
    }

    pub(super) fn next_growth(&self) -> Option<UnixMillis> {
        self.growth.first().map(|(at, _)| *at)
    }

    pub(super) fn has_work(&self, now: UnixMillis) -> bool {
        !self.unsettled.is_empty() || self.next_growth().is_some_and(|at| at <= now)
    }

    pub(super) fn join(&mut self, settings: &QueueSettings, place: Place, waiter: Waiter) {
        let rating = waiter.rating;
        let reach = i64::from(settings.range(0));
        self.rows.entry(0).or_default().insert((rating, place));
        self.growth.insert((next_growth(settings, place, 0), place));
        self.unsettled.insert(place);
        self.waiters.insert(place, waiter);
        self.wake(place, (rating - reach, Place::FIRST)..=(rating + reach, Place::LAST));
    }

    pub(super) fn remove(&mut self, settings: &QueueSettings, place: Place) -> Option<Waiter> {
        let waiter = self.waiters.remove(&place)?;
        self.leave_row(waiter.steps, (waiter.rating, place));
        self.growth.remove(&(next_growth(settings, place, waiter.steps), place));
        if !self.unsettled.remove(&place) {
            self.settled.remove(&(waiter.rating, place));
        }
        Some(waiter)
    }

    /// Makes pairs until all are settled or the work is done.
    pub(super) fn tick(
        &mut self,
        settings: &QueueSettings,
        now: UnixMillis,
        work: &mut Work,
    ) -> Vec<[Waiter; 2]> {
        let mut pairs = Vec::new();
        while !work.is_done() && self.grow_one(settings, now) {
            work.spend();
        }
        while !work.is_done()
            && let Some(place) = self.unsettled.first().copied()
        {
            work.spend();
            match self.find_opponent(settings, place, work) {
                Some(other) => pairs.extend(self.take_pair(settings, place, other)),
                None => self.settle(place),
            }
        }
        pairs
    }

    fn take_pair(
        &mut self,
        settings: &QueueSettings,
        one: Place,
        other: Place,
    ) -> Option<[Waiter; 2]> {
        Some([self.remove(settings, one)?, self.remove(settings, other)?])
    }

    fn settle(&mut self, place: Place) {
        self.unsettled.remove(&place);
        if let Some(waiter) = self.waiters.get(&place) {
            self.settled.insert((waiter.rating, place));
        }
    }

    /// Looks again at those who have waited longer than `newer` and stand in this part of the order of ratings.
    fn wake(&mut self, newer: Place, spots: impl RangeBounds<Spot>) {
        let woken: Vec<Spot> =
            self.settled.range(spots).filter(|(_, place)| *place < newer).copied().collect();
        for spot in woken {
            self.settled.remove(&spot);
            self.unsettled.insert(spot.1);
        }
    }

    /// Lets the range grow that is due first; false if none is due.
    fn grow_one(&mut self, settings: &QueueSettings, now: UnixMillis) -> bool {
        let Some(&(at, place)) = self.growth.first().filter(|(at, _)| *at <= now) else {
            return false;
        };
        self.growth.remove(&(at, place));
        let Some(waiter) = self.waiters.get_mut(&place) else { return true };
        let (rating, old_steps) = (waiter.rating, waiter.steps);
        let steps = settings.steps(now.since(place.since));
        if steps <= old_steps {
            return true; // The number of steps has come to its end; so has the growth.
        }
        waiter.steps = steps;
        self.leave_row(old_steps, (rating, place));
        self.rows.entry(steps).or_default().insert((rating, place));
        self.growth.insert((next_growth(settings, place, steps), place));

        // Only who stands between the old border and the new one can be a new opponent.
        let old = i64::from(settings.range(old_steps));
        let new = i64::from(settings.range(steps));
        self.wake(place, (rating - new, Place::FIRST)..(rating - old, Place::FIRST));
        self.wake(place, (rating + old + 1, Place::FIRST)..=(rating + new, Place::LAST));
        true
    }

    fn leave_row(&mut self, steps: u32, spot: Spot) {
        if let Some(row) = self.rows.get_mut(&steps) {
            row.remove(&spot);
            if row.is_empty() {
                self.rows.remove(&steps);
            }
        }
    }

    /// The closest one that reaches back; of equally close ones the one who has waited longest.
    fn find_opponent(
        &self,
        settings: &QueueSettings,
        place: Place,
        work: &mut Work,
    ) -> Option<Place> {
        let waiter = self.waiters.get(&place)?;
        let mut best: Option<(i64, Place)> = None;
        // Rows of wider ranges hold only those who came earlier, and they have been looked at.
        for (steps, row) in self.rows.range(..=waiter.steps) {
            let reach = i64::from(settings.range(*steps));
            let reach = best.map_or(reach, |(distance, _)| reach.min(distance));
            for spot in self.closest_in_row(row, waiter, reach, work).into_iter().flatten() {
                let found = ((spot.0 - waiter.rating).abs(), spot.1);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
        }
        best.map(|(_, place)| place)
    }

    /// The closest ones above (or equal) and below.
    fn closest_in_row(
        &self,
        row: &BTreeSet<Spot>,
        waiter: &Waiter,
        reach: i64,
        work: &mut Work,
    ) -> [Option<Spot>; 2] {
        let rating = waiter.rating;
        let mut suits = |spot: &Spot| {
            work.spend();
            self.waiters.get(&spot.1).is_some_and(|other| waiter.may_meet(other))
        };
        let above = (rating, Place::FIRST)..=(rating + reach, Place::LAST);
        let above = row.range(above).copied().find(&mut suits);
        let below = (rating - reach, Place::FIRST)..(rating, Place::FIRST);
        let below = row.range(below).rev().copied().find(&mut suits);
        // Coming from above we met the newest of that rating first.
        let below = below.and_then(|spot| row.range((spot.0, Place::FIRST)..).copied().find(suits));
        [above, below]
    }
}

fn next_growth(settings: &QueueSettings, place: Place, steps: u32) -> UnixMillis {
    let intervals = i64::from(steps) + 1;
    place.since.plus(Millis(settings.interval().0.saturating_mul(intervals)))
}
