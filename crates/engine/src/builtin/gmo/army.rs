//! The kinds of pieces of one game, and the workshop that makes and keeps them.

use std::collections::HashMap;
use std::sync::Arc;

use rules::gmo::{Genome, GenomeIndex, GmoPosition};

use super::super::score::Value;
use super::kind::Kind;

/// Most genomes the workshop keeps; a game of known pieces has six.
const MOST_KEPT: usize = 128;
/// The first genomes of a table are those of the start arrays; pawns are promoted to these or to what is on the board.
const CANDIDATES: usize = 24;

/// Kinds made once for each DNA.
#[derive(Debug, Default)]
pub(in super::super) struct Workshop {
    kinds: HashMap<Box<str>, Arc<Kind>>,
}

impl Workshop {
    fn make(&mut self, genome: &Genome) -> Arc<Kind> {
        if let Some(kind) = self.kinds.get(genome.dna()) {
            return Arc::clone(kind);
        }
        if self.kinds.len() >= MOST_KEPT {
            self.kinds.clear();
        }
        let kind = Arc::new(Kind::new(genome));
        self.kinds.insert(genome.dna().into(), Arc::clone(&kind));
        kind
    }

    /// The kinds a position needs.
    pub(in super::super) fn equip(&mut self, position: &GmoPosition) -> Army {
        let genomes = position.genomes();
        let on_board = position.board().pieces().map(|(_, piece)| piece.genome);
        let listed = genomes.iter().take(CANDIDATES).map(|(index, _)| index);
        let mut army = Army { kinds: Vec::new(), numbers: Vec::new(), best: 0, salt: 0 };
        for index in listed.chain(on_board) {
            let Some(genome) = genomes.get(index) else { continue };
            let number = genomes.find(genome).unwrap_or(index);
            if army.numbers.contains(&number) {
                continue;
            }
            army.numbers.push(number);
            army.kinds.push(self.make(genome));
            if army.numbers.len() <= CANDIDATES {
                let bytes = genome.dna().bytes();
                army.salt = bytes.fold(army.salt, |salt, byte| {
                    (salt ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
                });
            }
        }
        let worth = |kind: &Arc<Kind>| kind.worth.piece;
        army.best = (0..army.kinds.len()).max_by_key(|&at| worth(&army.kinds[at])).unwrap_or(0);
        army
    }
}

/// The kinds of one position, with the numbers their genomes have in the game.
#[derive(Debug)]
pub(in super::super) struct Army {
    pub(super) kinds: Vec<Arc<Kind>>,
    numbers: Vec<GenomeIndex>,
    /// What a pawn is best promoted to.
    pub(super) best: usize,
    /// Keeps games with other genomes apart in the table.
    pub(in super::super) salt: u64,
}

impl Army {
    /// The place of a genome in this army.
    pub(super) fn place(&self, position: &GmoPosition, index: GenomeIndex) -> Option<usize> {
        let number = position.genomes().find(position.genomes().get(index)?)?;
        self.numbers.iter().position(|&known| known == number)
    }

    /// The number of a kind's genome in the game.
    pub(in super::super) fn number(&self, place: usize) -> GenomeIndex {
        self.numbers[place]
    }

    /// The number of the genome a pawn is best promoted to.
    pub(in super::super) fn best_number(&self) -> GenomeIndex {
        self.numbers[self.best]
    }

    /// What a kind is worth.
    pub(in super::super) fn worth(&self, place: usize) -> Value {
        self.kinds[place].worth.piece
    }

    /// The places of all kinds.
    pub(in super::super) fn places(&self) -> std::ops::Range<usize> {
        0..self.kinds.len()
    }
}
