//! Questions to one set of games, and how the answers of several sets come together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io;

use rules::shakmaty::Chess;

use crate::columns::Columns;
use crate::filter::{Filter, Sieve, View};
use crate::growing::{Chunk, Record};
use crate::moves::{Next, Packed};
use crate::position::Hash;
use crate::segment::{Segment, Shown, Sought, TagReader};
use crate::tally::Tally;

/// What the games did in a position. A game counts once, with the move it played at its first visit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explored {
    /// All games that were there.
    pub total: Tally,
    /// By the move they went on with, the most frequent first.
    pub moves: Vec<MoveFound>,
    /// Games that ended there.
    pub ended: Tally,
}

/// A move and the games that played it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveFound {
    /// The move.
    pub played: Packed,
    /// The games.
    pub tally: Tally,
}

/// A game that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// When it was played, in minutes since 1970.
    pub played: i32,
    /// Its number in the database.
    pub seq: u64,
}

/// Some of the games that were found, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    /// The games of this page.
    pub games: Vec<Found>,
    /// How many there are on all pages.
    pub total: u64,
}

/// The games that are left out because they were deleted.
pub(crate) type Dead = Vec<u64>;

pub(crate) fn is_dead(dead: &Dead, game: usize) -> bool {
    dead.get(game / 64).is_some_and(|word| word >> (game % 64) & 1 == 1)
}

/// Moves and their games, while they are counted.
#[derive(Default)]
pub(crate) struct Counting(BTreeMap<Next, Tally>);

impl Counting {
    fn add(&mut self, next: Next, tally: &Tally) {
        if tally.games > 0 {
            self.0.entry(next).or_default().join(tally);
        }
    }

    pub(crate) fn finish(self) -> Explored {
        let mut explored = Explored::default();
        for (next, tally) in self.0 {
            explored.total.join(&tally);
            match next {
                Next::Move(played) => explored.moves.push(MoveFound { played, tally }),
                Next::End => explored.ended = tally,
            }
        }
        explored.moves.sort_by_key(|found| Reverse(found.tally.games));
        explored
    }
}

/// One question, asked of every set of games in turn.
pub(crate) struct Question<'q> {
    pub(crate) view: &'q View,
    pub(crate) filter: &'q Filter,
    pub(crate) sought: Option<Sought>,
}

impl<'q> Question<'q> {
    pub(crate) fn new(view: &'q View, filter: &'q Filter, position: Option<&Chess>) -> Self {
        Question { view, filter, sought: position.map(Sought::new) }
    }

    fn has_tags(&self, record: &Record) -> bool {
        self.filter.tags.iter().all(|tag| record.tags.contains(tag))
    }

    fn hash(&self) -> Option<Hash> {
        self.sought.as_ref().map(|sought| sought.hash)
    }

    pub(crate) fn explore_segment(
        &self,
        segment: &Segment,
        shown: &Shown,
        counting: &mut Counting,
    ) -> io::Result<()> {
        let Some(sought) = self.sought.as_ref().filter(|_| !shown.is_empty()) else {
            return Ok(());
        };
        let sieve = Sieve::new(&segment.columns, self.filter);
        let mut tags = TagReader::new(segment, &self.filter.tags);
        for (played, begin, end) in segment.visits(sought, shown)?.ranges {
            let (begin, end) = (begin as usize, end as usize);
            if sieve.is_open() {
                counting.add(played, &shown.sum(&segment.columns, begin, end));
                continue;
            }
            let mut tally = Tally::default();
            for game in shown.games(begin, end) {
                if sieve.accepts(game) && tags.are_in(game)? {
                    segment.columns.count_into(game, &mut tally);
                }
            }
            counting.add(played, &tally);
        }
        Ok(())
    }

    pub(crate) fn explore_chunk(&self, chunk: &Chunk, counting: &mut Counting) {
        let Some(hash) = self.hash() else { return };
        let columns = chunk.columns();
        let sieve = Sieve::new(columns, self.filter);
        for (game, played) in chunk.visits(hash) {
            if self.is_wanted(chunk, &sieve, game) {
                let mut tally = Tally::default();
                columns.count_into(game, &mut tally);
                counting.add(played, &tally);
            }
        }
    }

    fn is_wanted(&self, chunk: &Chunk, sieve: &Sieve<'_>, game: usize) -> bool {
        self.view.shows(chunk.columns(), game)
            && sieve.accepts(game)
            && self.has_tags(&chunk.records[game])
    }

    /// Hands over every game of a segment that is wanted.
    pub(crate) fn each_in_segment(
        &self,
        segment: &Segment,
        shown: &Shown,
        mut take: impl FnMut(&Columns, usize),
    ) -> io::Result<()> {
        if shown.is_empty() {
            return Ok(());
        }
        let sieve = Sieve::new(&segment.columns, self.filter);
        let mut tags = TagReader::new(segment, &self.filter.tags);
        let mut consider = |game: usize| {
            if sieve.accepts(game) && tags.are_in(game)? {
                take(&segment.columns, game);
            }
            Ok(())
        };
        match &self.sought {
            None => shown.games(0, segment.len()).try_for_each(consider),
            Some(sought) => {
                let visits = segment.visits(sought, shown)?;
                let mut ranges = visits.ranges.into_iter();
                ranges.try_for_each(|(_, begin, end)| {
                    shown.games(begin as usize, end as usize).try_for_each(&mut consider)
                })
            }
        }
    }

    /// The same for games in memory.
    pub(crate) fn each_in_chunk(&self, chunk: &Chunk, mut take: impl FnMut(&Columns, usize)) {
        let columns = chunk.columns();
        let sieve = Sieve::new(columns, self.filter);
        let mut consider = |game: usize| {
            if self.is_wanted(chunk, &sieve, game) {
                take(columns, game);
            }
        };
        match self.hash() {
            None => (0..chunk.records.len()).for_each(consider),
            Some(hash) => chunk.visits(hash).for_each(|(game, _)| consider(game)),
        }
    }
}

/// Keeps the newest games before a mark, however many come by.
pub(crate) struct Newest {
    heap: BinaryHeap<Reverse<Found>>,
    before: Option<Found>,
    limit: usize,
    total: u64,
}

impl Newest {
    pub(crate) fn new(before: Option<Found>, limit: usize) -> Newest {
        Newest { heap: BinaryHeap::with_capacity(limit + 1), before, limit, total: 0 }
    }

    pub(crate) fn take(&mut self, columns: &Columns, game: usize) {
        self.total += 1;
        let found = Found { played: columns.played[game], seq: columns.seq.get(game) };
        if self.before.is_some_and(|before| found >= before) {
            return;
        }
        if self.heap.len() == self.limit {
            match self.heap.peek() {
                Some(Reverse(oldest)) if *oldest < found => drop(self.heap.pop()),
                _ => return,
            }
        }
        self.heap.push(Reverse(found));
    }

    pub(crate) fn finish(self) -> Page {
        let games = self.heap.into_sorted_vec().into_iter().map(|Reverse(found)| found).collect();
        Page { games, total: self.total }
    }
}
