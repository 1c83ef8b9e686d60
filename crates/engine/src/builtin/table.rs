//! The transposition table: what was found out about positions, by their keys.

use super::score::{DECIDED, Value, plies};

/// The other side's [`DECIDED`].
const LOST: Value = -DECIDED;

/// What a stored value says of the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bound {
    /// The true value is at most this.
    #[default]
    Upper,
    /// The true value is at least this.
    Lower,
    /// It is the true value.
    Exact,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Entry {
    key: u64,
    value: i16,
    /// The best move's identity; 0 is none.
    pub(super) best: u16,
    depth: i8,
    bound: Bound,
    age: u8,
}

impl Entry {
    pub(super) fn depth(&self) -> i32 {
        i32::from(self.depth)
    }

    /// The value, if it settles the question a window asks.
    pub(super) fn decides(&self, ply: usize, alpha: Value, beta: Value) -> Option<Value> {
        let value = self.value(ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        decides.then_some(value)
    }

    /// The value as seen from a node so many plies from the root.
    fn value(&self, ply: usize) -> Value {
        let value = Value::from(self.value);
        match value {
            DECIDED.. => value - plies(ply),
            ..=LOST => value + plies(ply),
            _ => value,
        }
    }
}

/// A table of fixed size; newer and deeper knowledge replaces the rest.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    age: u8,
}

impl Table {
    /// A table of about so many megabytes, at least one.
    pub(super) fn new(megabytes: usize) -> Table {
        let wanted = megabytes.max(1) * 1024 * 1024 / size_of::<Entry>();
        let size = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Table { entries: vec![Entry::default(); size], age: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
        self.age = 0;
    }

    /// A new search begins: what is there may be replaced.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    fn slot(&self, key: u64) -> usize {
        // The low bits choose the slot; the length is a power of two, so the mask always lies within.
        usize::try_from(key & (self.entries.len() as u64 - 1)).unwrap_or(0)
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.slot(key)];
        (entry.key == key && key != 0).then_some(entry)
    }

    pub(super) fn store(
        &mut self,
        key: u64,
        ply: usize,
        depth: i32,
        value: Value,
        bound: Bound,
        best: u16,
    ) {
        let slot = self.slot(key);
        let old = self.entries[slot];
        let is_same = old.key == key;
        let is_worth_more = old.age == self.age && old.depth() > depth + 2;
        if is_worth_more && (!is_same || bound != Bound::Exact) {
            return;
        }
        let value = match value {
            DECIDED.. => value + plies(ply),
            ..=LOST => value - plies(ply),
            _ => value,
        };
        let best = if best == 0 && is_same { old.best } else { best };
        self.entries[slot] = Entry {
            key,
            value: i16::try_from(value).unwrap_or_default(),
            best,
            depth: i8::try_from(depth).unwrap_or(i8::MAX),
            bound,
            age: self.age,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::MATE;
    use super::*;

    #[test]
    fn a_mate_is_as_far_away_as_it_is_from_where_it_is_asked_for() {
        let mut table = Table::new(1);
        table.store(77, 4, 3, MATE - 7, Bound::Exact, 9);
        let entry = table.find(77).unwrap();
        assert_eq!(entry.value(4), MATE - 7);
        assert_eq!(entry.value(6), MATE - 9);
        assert_eq!(table.find(78), None);
    }

    #[test]
    fn deeper_knowledge_of_this_search_stays() {
        let mut table = Table::new(1);
        let other = 5 + table.entries.len() as u64;
        table.store(5, 0, 9, 100, Bound::Lower, 1);
        table.store(other, 0, 2, 50, Bound::Exact, 2);
        assert_eq!(table.find(other), None);
        table.grow_older();
        table.store(other, 0, 2, 50, Bound::Exact, 2);
        assert_eq!(table.find(other).map(|entry| entry.best), Some(2));
    }
}
