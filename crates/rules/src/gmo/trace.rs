//! What a genome does, made visible for people who learn or design: its walks step by step, and a mutation on request.

use shakmaty::Square;

use super::chance::{self, Seed, Stream};
use super::genome::{Genome, Occupant};
use super::targets::{self, Targets};

/// A square on a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// Where the step ends.
    pub square: Square,
    /// Whether a move may end here.
    pub colouring: bool,
}

impl Genome {
    /// The eight walks of a block from an origin on an empty board, in the order of the rules; the piece itself does not
    /// block its way. Empty for a block that gives no moves, or that does not exist.
    pub fn trace(&self, block: usize, origin: Square) -> Vec<Vec<Stop>> {
        self.blocks().get(block).map(|block| block.walk.trace(origin)).unwrap_or_default()
    }

    /// Where a lone white piece could go if just that square were empty, an enemy's or its own: so a block that only
    /// takes shows what it does on an empty board too. To stay where it is counts as a move onto an own piece.
    pub fn reach(&self, origin: Square, occupant: Occupant) -> Targets {
        targets::alone(self, origin, occupant)
    }

    /// The genome with one letter changed by chance, as a move with `MUTATE` would change it; none if twenty attempts
    /// give no valid DNA.
    pub fn mutated(&self, seed: &Seed) -> Option<Genome> {
        chance::draw_mutation(self, &mut Stream::new(seed, 0))
    }
}
