//! What may be placed where, as a shelf beside the board wants it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use shakmaty::{Bitboard, Role};

use crate::defender::{Placing, SHELF};

/// For every piece of the shelf the squares it may be placed on, and whether placing may be finished.
///
/// JSON: `{"P":"a2b2","N":"","B":"","R":"","Q":"","K":"","--":true}`; an empty list is a piece that cannot be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    squares: [(Role, Bitboard); 6],
    may_finish: bool,
}

impl Shelf {
    pub(crate) fn of(placing: &Placing) -> Shelf {
        let [pawn, knight, bishop, rook, queen] = SHELF;
        let squares = [pawn, knight, bishop, rook, queen, Role::King]
            .map(|role| (role, placing.squares_for(role)));
        Shelf { squares, may_finish: placing.may_finish() }
    }

    /// Pieces with their squares, cheapest first, the king last.
    pub fn iter(&self) -> impl Iterator<Item = (Role, Bitboard)> + '_ {
        self.squares.iter().copied()
    }

    /// Whether the remaining points may be given up.
    pub fn may_finish(&self) -> bool {
        self.may_finish
    }
}

impl Serialize for Shelf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(7))?;
        let mut text = String::with_capacity(64);
        for (role, squares) in self.iter() {
            text.clear();
            squares.into_iter().for_each(|square| square.append_to_string(&mut text));
            map.serialize_entry(&role.upper_char(), &text)?;
        }
        map.serialize_entry("--", &self.may_finish)?;
        map.end()
    }
}
