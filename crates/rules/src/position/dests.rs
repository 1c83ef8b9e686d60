//! Legal targets grouped by origin, as boards on a screen want them.

use serde::ser::{Serialize, SerializeMap, Serializer};
use shakmaty::{Bitboard, Square};

/// For every origin the squares its piece may go to. JSON: `{"e2":"e3e4","g1":"f3h3"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dests([Bitboard; 64]);

impl Default for Dests {
    fn default() -> Dests {
        Dests([Bitboard::EMPTY; 64])
    }
}

impl Dests {
    /// Notes a target.
    pub(crate) fn add(&mut self, from: Square, to: Square) {
        self.0[from.to_usize()].add(to);
    }

    /// Origins with at least one target, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Bitboard)> + '_ {
        Square::ALL.into_iter().zip(self.0).filter(|(_, targets)| targets.any())
    }

    /// The targets of one origin.
    pub fn of(&self, from: Square) -> Bitboard {
        self.0[from.to_usize()]
    }
}

impl Serialize for Dests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut text = String::with_capacity(64);
        for (from, targets) in self.iter() {
            text.clear();
            targets.into_iter().for_each(|to| to.append_to_string(&mut text));
            map.serialize_entry(&format_args!("{from}"), &text)?;
        }
        map.end()
    }
}
