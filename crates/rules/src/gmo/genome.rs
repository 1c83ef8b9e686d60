//! A genome: DNA that was read once, checked, and compiled into walk tables.

use std::fmt;

use sha2::{Digest, Sha256};

use super::code::Sha;
use super::debuff::{Debuff, Debuffs};
use super::error::{GenomeError, GenomeFault};
use super::parse;
use super::walk::Walk;

/// Most bytes a DNA text may have, white space included.
pub const MAX_INPUT_BYTES: usize = 4096;
/// Most letters a DNA may have.
pub const MAX_LETTERS: usize = 498;
/// Most steps of one block.
pub(super) const MAX_STEPS: usize = 4;

/// What a piece is: an ordered list of blocks and the debuffs of them all.
///
/// Two genomes are equal if their DNA is.
#[derive(Clone)]
pub struct Genome {
    pub(super) dna: Box<str>,
    pub(super) blocks: Box<[Block]>,
    pub(super) debuffs: Debuffs,
}

impl Genome {
    /// Reads a DNA text; white space is ignored.
    pub fn parse(text: &str) -> Result<Genome, GenomeError> {
        check_input_length(text.len())?;
        parse::genome(text)
    }

    /// Reads bytes as they came from outside; what is not UTF-8 is not DNA.
    pub fn from_bytes(bytes: &[u8]) -> Result<Genome, GenomeError> {
        check_input_length(bytes.len())?;
        parse::genome(&String::from_utf8_lossy(bytes))
    }

    /// The canonical DNA: upper case, no white space.
    pub fn dna(&self) -> &str {
        &self.dna
    }

    /// The blocks in DNA order, 1 to 20.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The debuffs collected from all blocks.
    pub fn debuffs(&self) -> Debuffs {
        self.debuffs
    }

    /// Whether the genome has this debuff.
    pub fn has(&self, debuff: Debuff) -> bool {
        self.debuffs.has(debuff)
    }

    /// SHA-256 of the canonical DNA, the primary key in a store; computed anew at each call.
    pub fn sha(&self) -> Sha {
        Sha(Sha256::digest(self.dna.as_bytes()).into())
    }

    /// The six-digit code this genome has if it is the first with this prefix.
    pub fn code(&self) -> String {
        self.sha().prefix(6)
    }
}

fn check_input_length(bytes: usize) -> Result<(), GenomeError> {
    if bytes > MAX_INPUT_BYTES {
        Err(GenomeError { fault: GenomeFault::InputTooLong, at: 0 })
    } else {
        Ok(())
    }
}

impl PartialEq for Genome {
    fn eq(&self, other: &Genome) -> bool {
        self.dna == other.dna
    }
}

impl Eq for Genome {}

impl fmt::Debug for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Genome({})", self.dna)
    }
}

impl fmt::Display for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.dna)
    }
}

/// One block: who owns what afterwards, what happens, and how the piece walks.
#[derive(Debug, Clone)]
pub struct Block {
    /// Who owns the content of the origin afterwards (T1).
    pub origin_owner: Heir,
    /// Who owns the content of the landing square afterwards (T2).
    pub landing_owner: Heir,
    /// What happens by the [`Occupant`] of the landing square (O1, O2, O3); `None` is "not allowed".
    pub effects: [Option<Effect>; 3],
    pub(super) steps: [Step; MAX_STEPS],
    pub(super) len: u8,
    pub(super) walk: Walk,
}

impl Block {
    /// The steps of the body, one to four.
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// The effect on a landing square with this occupant, `None` if such a move is not allowed.
    pub fn effect(&self, occupant: Occupant) -> Option<Effect> {
        self.effects[occupant as usize]
    }
}

/// Who inherits a square's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heir {
    /// The side that moved; costs a debuff.
    Mover,
    /// The enemy of the side that moved (`HSH`).
    Enemy,
}

/// What stands on a square, seen from the side that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Occupant {
    /// A piece of the mover, the moving piece itself included.
    Own,
    /// A piece of the enemy.
    Enemy,
    /// Nothing.
    Empty,
}

/// What the two squares of a move hold afterwards (`xHy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// What the origin holds.
    pub origin: Content,
    /// What the landing square holds.
    pub landing: Content,
}

/// What is put on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A copy of the moving piece (`A`).
    Mover,
    /// A copy of what stood on the landing square (`S`); nothing if that was empty.
    Other,
    /// Nothing (`C`).
    Empty,
}

impl Content {
    /// The letter of the alphabet that stands for this content.
    pub const fn letter(self) -> char {
        match self {
            Content::Mover => 'A',
            Content::Other => 'S',
            Content::Empty => 'C',
        }
    }
}

/// One step of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// How many squares, 0 to 4.
    pub distance: u8,
    /// Whether a move to the square reached is possible.
    pub colouring: bool,
}

impl fmt::Display for Step {
    /// The distance, with a star if the step is colouring.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.distance, if self.colouring { "*" } else { "" })
    }
}
