//! Counting colour preferences: how many must go unmet, and which pairs can then occur.

use super::seat::{Seat, Strength};
use crate::matching::bits::Bits;
use crate::model::Colour;

/// What matters of a player for the colour criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Class {
    wants: Option<Colour>,
    strength: Strength,
}

impl Class {
    /// The number of classes.
    const COUNT: usize = 7;
    const ALL: [Class; Class::COUNT] = {
        const fn class(wants: Colour, strength: Strength) -> Class {
            Class { wants: Some(wants), strength }
        }
        [
            Class { wants: None, strength: Strength::None },
            class(Colour::White, Strength::Mild),
            class(Colour::White, Strength::Strong),
            class(Colour::White, Strength::Absolute),
            class(Colour::Black, Strength::Mild),
            class(Colour::Black, Strength::Strong),
            class(Colour::Black, Strength::Absolute),
        ]
    };

    pub(super) fn of(seat: &Seat) -> Class {
        Class { wants: seat.wants, strength: seat.strength }
    }

    pub(super) fn index(self) -> usize {
        let strength = match self.strength {
            Strength::None => return 0,
            Strength::Mild => 1,
            Strength::Strong => 2,
            Strength::Absolute => 3,
        };
        if self.wants == Some(Colour::Black) { strength + 3 } else { strength }
    }

    fn is_mild(self) -> bool {
        self.strength == Strength::Mild
    }
}

/// The preferences of a bracket.
///
/// If more players want one colour than there are others to give it up for them, the surplus
/// must meet among themselves, and everybody else must meet one of the majority: any other
/// pair would cost one more preference (C12). Of the surplus pairs as many as possible should
/// contain a player who does not mind much (C13).
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    /// The colour wanted by too many.
    majority: Option<Colour>,
    /// Whether there are too few mild players in the majority for all surplus pairs, so that
    /// every one of them is needed there, and only one per pair.
    mild_are_short: bool,
}

impl Tally {
    /// Counts the players; the one left over, if any, is like a player without preference.
    pub(super) fn new<'a>(
        players: impl Iterator<Item = &'a Seat> + Clone,
        one_left_over: bool,
    ) -> Tally {
        let count = |colour| players.clone().filter(|seat| seat.wants == colour).count();
        let (white, black) = (count(Some(Colour::White)), count(Some(Colour::Black)));
        let others = count(None) + usize::from(one_left_over);
        let (majority, surplus) = if white > black + others {
            (Colour::White, white - black - others)
        } else if black > white + others {
            (Colour::Black, black - white - others)
        } else {
            return Tally { majority: None, mild_are_short: false };
        };
        let mild = players
            .filter(|seat| seat.wants == Some(majority) && seat.strength == Strength::Mild)
            .count();
        Tally { majority: Some(majority), mild_are_short: mild < surplus / 2 }
    }

    /// Whether two classes can meet in a pairing that reaches the bound.
    fn allows(self, one: Class, other: Class) -> bool {
        let Some(majority) = self.majority else {
            return one.wants != other.wants || one.wants.is_none();
        };
        let in_majority = |class: Class| class.wants == Some(majority);
        match (in_majority(one), in_majority(other)) {
            (false, false) => false,
            (true, true) if self.mild_are_short => {
                !(one.is_mild() && other.is_mild())
                    && (one.strength != Strength::Absolute || other.strength != Strength::Absolute)
            }
            (true, true) => one.is_mild() || other.is_mild(),
            (true, false) => !(self.mild_are_short && one.is_mild()),
            (false, true) => !(self.mild_are_short && other.is_mild()),
        }
    }

    /// Whether one of a class can be the one left over.
    pub(super) fn spares(self, class: Class) -> bool {
        self.majority.is_none()
            || self.allows(class, Class { wants: None, strength: Strength::None })
    }

    /// For every class the members that can be met.
    pub(super) fn masks(self, size: usize, members: &[usize], seats: &[Seat]) -> Vec<Bits> {
        let mut by_class = vec![Bits::new(size); Class::COUNT];
        for &member in members {
            by_class[Class::of(&seats[member]).index()].insert(member);
        }
        let mask = |class: Class| {
            let mut mask = Bits::new(size);
            for other in Class::ALL.into_iter().filter(|&other| self.allows(class, other)) {
                for (word, more) in mask.words_mut().iter_mut().zip(by_class[other.index()].words())
                {
                    *word |= more;
                }
            }
            mask
        };
        Class::ALL.into_iter().map(mask).collect()
    }
}
