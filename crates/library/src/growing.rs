//! Games that are in no segment yet: held in memory, found by the positions they went through.

use std::sync::{Arc, OnceLock};

use crate::columns::Columns;
use crate::facts::Facts;
use crate::moves::{Next, Packed};
use crate::position::Hash;
use crate::tag::TagNumber;

/// The kind of start and the first sixteen moves, as numbers that have the order of games; no move is zero.
pub(crate) type Begin = (u8, [u128; 2]);

/// A game as the index takes it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What is known of it.
    pub facts: Facts,
    /// The numbers of its tags.
    pub tags: Box<[TagNumber]>,
    /// The position it begins with: empty for the usual one, a FEN otherwise, none if it has no positions of chess.
    pub start: Option<Box<str>>,
    /// The moves.
    pub moves: Vec<Packed>,
    /// The same moves in their short form, one after the other.
    pub short: Vec<u8>,
    /// The number of every position, the first included.
    pub hashes: Vec<Hash>,
}

impl Record {
    /// The order of games in a segment.
    pub(crate) fn order(&self) -> (Option<&str>, &[Packed]) {
        (self.start.as_deref(), &self.moves)
    }

    /// What comes first in the order of games. Two that differ in it differ so in [`Record::order`].
    pub(crate) fn begin(&self) -> Begin {
        let kind = match self.start.as_deref() {
            None => 0,
            Some("") => 1,
            // These are told apart by the start before any move.
            Some(_) => return (2, [0; 2]),
        };
        let eight = |from: usize| {
            let moves = (from..from + 8).map(|at| self.moves.get(at).map_or(0, |packed| packed.0));
            moves.fold(0, |sum, packed| sum << 16 | u128::from(packed))
        };
        (kind, [eight(0), eight(8)])
    }

    /// Roughly how much memory it takes.
    pub fn bytes(&self) -> usize {
        let names: usize = self.facts.names.iter().map(String::len).sum();
        let tags = self.tags.len() * size_of::<TagNumber>();
        let start = self.start.as_deref().map_or(0, str::len);
        let moves = self.moves.capacity() * size_of::<Packed>() + self.short.capacity();
        let hashes = self.hashes.capacity() * size_of::<Hash>();
        size_of::<Record>() + names + tags + start + moves + hashes
    }

    /// How many positions from the first on two games share.
    pub(crate) fn shared(&self, other: &Record) -> usize {
        if self.start.is_none() || self.start != other.start {
            return 0;
        }
        1 + self.moves.iter().zip(&other.moves).take_while(|(a, b)| a == b).count()
    }

    /// How the game went on when the position was there for the first time.
    pub(crate) fn visit(&self, hash: Hash) -> Option<Next> {
        let at = self.hashes.iter().position(|known| *known == hash)?;
        Some(Next::of(self.moves.get(at)))
    }
}

/// Games of a chunk. The place of a game in it takes what is left of a word beside the first bits of a position.
const CHUNK: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 8;

/// Some games in memory. What questions need of them is made when the first one comes: while a file comes in, mostly
/// nobody asks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Chunk {
    pub(crate) records: Vec<Record>,
    columns: OnceLock<Columns>,
    /// The first 24 bits of every position of every game with the game's place, sorted.
    positions: OnceLock<Vec<u32>>,
}

impl Chunk {
    fn add(&mut self, record: Record) {
        self.records.push(record);
        self.columns.take();
        self.positions.take();
    }

    pub(crate) fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| {
            let mut columns = Columns::default();
            self.records.iter().for_each(|record| columns.push(&record.facts));
            columns
        })
    }

    fn positions(&self) -> &[u32] {
        self.positions.get_or_init(|| {
            let games = self.records.iter().zip(0..);
            let mut positions: Vec<u32> = games
                .flat_map(|(record, game)| {
                    record.hashes.iter().map(move |hash| begin_of(*hash) | game)
                })
                .collect();
            positions.sort_unstable();
            positions.dedup();
            positions
        })
    }

    /// The games that were in a position, and how each went on from there.
    pub(crate) fn visits(&self, hash: Hash) -> impl Iterator<Item = (usize, Next)> {
        let positions = self.positions();
        let begin = begin_of(hash);
        let first = positions.partition_point(|position| *position < begin);
        positions[first..]
            .iter()
            .map_while(move |position| position.checked_sub(begin))
            .map_while(|place| usize::try_from(place).ok().filter(|game| *game < CHUNK))
            .filter_map(move |game| Some((game, self.records[game].visit(hash)?)))
    }
}

/// The first bits of a position's number, with room for the place of a game.
fn begin_of(hash: Hash) -> u32 {
    u32::try_from(hash >> (32 + PLACE_BITS)).unwrap_or(0) << PLACE_BITS
}

/// Games in memory. Cheap to clone: whoever asks takes what is there just then.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growing {
    chunks: Vec<Arc<Chunk>>,
    len: usize,
    bytes: usize,
}

impl Growing {
    pub(crate) fn add(&mut self, record: Record) {
        self.len += 1;
        self.bytes += record.bytes();
        match self.chunks.last_mut() {
            Some(last) if last.records.len() < CHUNK => Arc::make_mut(last).add(record),
            _ => {
                let mut chunk = Chunk::default();
                chunk.add(record);
                self.chunks.push(Arc::new(chunk));
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Roughly how much memory the games take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter().map(Arc::as_ref)
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = &Record> {
        self.chunks().flat_map(|chunk| &chunk.records)
    }

    /// Leaves out the games that are gone.
    pub(crate) fn without(self, is_gone: impl Fn(u64) -> bool) -> Growing {
        if !self.records().any(|record| is_gone(record.facts.seq)) {
            return self;
        }
        let mut left = Growing::default();
        for chunk in self.chunks {
            let records = Arc::unwrap_or_clone(chunk).records.into_iter();
            records.filter(|record| !is_gone(record.facts.seq)).for_each(|kept| left.add(kept));
        }
        left
    }
}
