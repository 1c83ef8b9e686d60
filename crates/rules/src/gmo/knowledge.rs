//! Who may see which genome while the game goes on.
//!
//! DNA and code are shown of known genomes only: built-in and published ones, those of the own preset, and those chosen
//! for promotion. Conversion and copying tell nothing. A mutated genome is known to those who knew its parent.

use std::collections::BTreeSet;

use shakmaty::{ByColor, Color};

use super::board::{GenomeIndex, GenomeTable};
use super::known::known_genomes;
use super::position::GmoPosition;

/// The genomes each player knows; spectators know what both know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knowledge {
    known: ByColor<BTreeSet<GenomeIndex>>,
}

impl Knowledge {
    /// What the players know when the start array is shown: their own pieces.
    pub fn at_start(position: &GmoPosition) -> Knowledge {
        let mut known: ByColor<BTreeSet<GenomeIndex>> = ByColor::default();
        for (_, piece) in position.board().pieces() {
            known[piece.owner].insert(piece.genome);
        }
        Knowledge { known }
    }

    /// A genome everybody may see, because its owner published it.
    pub fn publish(&mut self, genome: GenomeIndex) {
        for color in Color::ALL {
            self.known[color].insert(genome);
        }
    }

    /// A player chose this genome for promotion.
    pub fn promote(&mut self, owner: Color, genome: GenomeIndex) {
        self.known[owner].insert(genome);
    }

    /// A piece's genome became another.
    pub fn mutate(&mut self, parent: GenomeIndex, child: GenomeIndex) {
        for known in &mut self.known {
            if known.contains(&parent) {
                known.insert(child);
            }
        }
    }

    /// Whether a player may see the DNA of this genome; without a player, whether spectators may.
    pub fn knows(&self, viewer: Option<Color>, genomes: &GenomeTable, genome: GenomeIndex) -> bool {
        let has = |color| self.known[color].contains(&genome);
        let built_in = genomes.get(genome).is_some_and(|genome| is_built_in(genome.dna()));
        built_in || viewer.map_or(has(Color::White) && has(Color::Black), has)
    }
}

fn is_built_in(dna: &str) -> bool {
    known_genomes().iter().any(|known| known.genome.dna() == dna)
}
