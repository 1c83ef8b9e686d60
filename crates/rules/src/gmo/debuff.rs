//! The nine debuffs: the price a genome pays for keeping what it moves.

use std::fmt;

/// One handicap of a genome; it acts on all its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Debuff {
    /// `HAS`: only targets in front of the origin.
    Forward,
    /// `HAC`: each walk runs through its body once.
    Once,
    /// `HAA`: the side edges are not joined.
    NoWrap,
    /// `HCA`: only targets of the other square colour.
    OtherColour,
    /// `HCS`: only targets of the origin's square colour.
    SameColour,
    /// `HSS`: occupied targets only next to the origin.
    NearCapture,
    /// `HSC`: after the move nobody may act for five seconds, and the mover pays them.
    Freeze,
    /// `HCC`: one letter of the moving piece's DNA changes by chance.
    Mutate,
    /// `HSA`: the piece lands on a chance square next to the target.
    Deviate,
}

impl Debuff {
    /// All debuffs, in the order of the rules.
    pub const ALL: [Debuff; 9] = [
        Debuff::Forward,
        Debuff::Once,
        Debuff::NoWrap,
        Debuff::OtherColour,
        Debuff::SameColour,
        Debuff::NearCapture,
        Debuff::Freeze,
        Debuff::Mutate,
        Debuff::Deviate,
    ];

    /// The codon that stands for this debuff.
    pub const fn codon(self) -> &'static str {
        match self {
            Debuff::Forward => "HAS",
            Debuff::Once => "HAC",
            Debuff::NoWrap => "HAA",
            Debuff::OtherColour => "HCA",
            Debuff::SameColour => "HCS",
            Debuff::NearCapture => "HSS",
            Debuff::Freeze => "HSC",
            Debuff::Mutate => "HCC",
            Debuff::Deviate => "HSA",
        }
    }

    /// The stable name, as in the rules and in test vectors.
    pub const fn name(self) -> &'static str {
        match self {
            Debuff::Forward => "FORWARD",
            Debuff::Once => "ONCE",
            Debuff::NoWrap => "NOWRAP",
            Debuff::OtherColour => "OTHERCOLOUR",
            Debuff::SameColour => "SAMECOLOUR",
            Debuff::NearCapture => "NEARCAPTURE",
            Debuff::Freeze => "FREEZE",
            Debuff::Mutate => "MUTATE",
            Debuff::Deviate => "DEVIATE",
        }
    }

    /// What it does, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Debuff::Forward => "only targets further forward than the origin",
            Debuff::Once => "each walk runs through its steps once",
            Debuff::NoWrap => "the side edges of the board are not joined",
            Debuff::OtherColour => "only targets of the other square colour",
            Debuff::SameColour => "only targets of the same square colour",
            Debuff::NearCapture => "occupied targets only next to the origin",
            Debuff::Freeze => "the game freezes for 5 seconds, paid by the mover",
            Debuff::Mutate => "one letter of the piece's DNA changes at random",
            Debuff::Deviate => "the piece lands at random beside its target",
        }
    }

    /// The debuff of a codon, if it is one.
    pub(super) fn from_codon(codon: [u8; 3]) -> Option<Debuff> {
        Some(match &codon {
            b"HAS" => Debuff::Forward,
            b"HAC" => Debuff::Once,
            b"HAA" => Debuff::NoWrap,
            b"HCA" => Debuff::OtherColour,
            b"HCS" => Debuff::SameColour,
            b"HSS" => Debuff::NearCapture,
            b"HSC" => Debuff::Freeze,
            b"HCC" => Debuff::Mutate,
            b"HSA" => Debuff::Deviate,
            _ => return None,
        })
    }
}

impl fmt::Display for Debuff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The debuffs of a genome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Debuffs(u16);

impl Debuffs {
    /// Whether the genome has this debuff.
    pub const fn has(self, debuff: Debuff) -> bool {
        self.0 & (1 << debuff as u8) != 0
    }

    /// Whether the genome has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The debuffs, in the order of the rules.
    pub fn iter(self) -> impl Iterator<Item = Debuff> {
        Debuff::ALL.into_iter().filter(move |debuff| self.has(*debuff))
    }

    /// Adds a debuff; false if it was there already.
    pub(super) fn insert(&mut self, debuff: Debuff) -> bool {
        let fresh = !self.has(debuff);
        self.0 |= 1 << debuff as u8;
        fresh
    }
}
