//! Games that are in no segment yet: held in memory, looked through one by one.

use crate::columns::Columns;
use crate::facts::Facts;
use crate::moves::{Next, Packed};
use crate::position::Hash;
use crate::tag::TagNumber;

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

/// Games in memory with their columns.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    pub(crate) records: Vec<Record>,
    pub(crate) columns: Columns,
}

impl Growing {
    pub(crate) fn add(&mut self, record: Record) {
        self.columns.push(&record.facts);
        self.records.push(record);
    }

    /// Leaves out the games that are gone.
    pub(crate) fn without(self, is_gone: impl Fn(u64) -> bool) -> Growing {
        let mut left = Growing::default();
        let kept = self.records.into_iter().filter(|record| !is_gone(record.facts.seq));
        kept.for_each(|record| left.add(record));
        left
    }
}
