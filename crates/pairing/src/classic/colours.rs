//! Which colour fits whom.

use crate::model::{Colour, Entry, Player};

/// The colours a player has had.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct History {
    /// Whites less blacks.
    difference: i32,
    last: Option<Colour>,
}

impl History {
    pub(super) fn of(player: &Player) -> History {
        player.rounds.iter().filter_map(Entry::colour_played).fold(
            History::default(),
            |history, colour| {
                let step = if colour == Colour::White { 1 } else { -1 };
                History { difference: history.difference + step, last: Some(colour) }
            },
        )
    }

    /// How badly a colour fits: two for each game it puts the balance out, one if it comes again.
    fn strain(self, colour: Colour) -> u32 {
        let surplus = if colour == Colour::White { self.difference } else { -self.difference };
        2 * surplus.max(0).unsigned_abs() + u32::from(self.last == Some(colour))
    }

    /// How badly the two fit, with the better distribution of colours.
    pub(super) fn clash(self, other: History) -> u32 {
        self.strain_with(other, Colour::White).min(self.strain_with(other, Colour::Black))
    }

    fn strain_with(self, other: History, colour: Colour) -> u32 {
        self.strain(colour) + other.strain(colour.other())
    }

    /// The colour of the higher-ranked player against a lower-ranked one.
    pub(super) fn colour_against(self, other: History, otherwise: Colour) -> Colour {
        let (white, black) =
            (self.strain_with(other, Colour::White), self.strain_with(other, Colour::Black));
        match white.cmp(&black) {
            std::cmp::Ordering::Less => Colour::White,
            std::cmp::Ordering::Greater => Colour::Black,
            // Both would be served alike: the higher-ranked changes colours.
            std::cmp::Ordering::Equal => self.last.map_or(otherwise, Colour::other),
        }
    }
}
