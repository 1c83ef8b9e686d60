//! What a player may know of the genomes on a board, beyond their faces.

use rules::gmo::{GenomeIndex, GmoPosition};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::lab::debuffs;
use super::lab_wire::DebuffView;

/// Which position of a game.
#[derive(Debug, Default, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AtPly {
    /// How many plies were played; all of them if this is left out.
    pub ply: Option<u32>,
}

/// Where the pieces of both sides could go.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TargetsView {
    /// In groups by origin: `e2e3e4 g1f3h3`.
    pub targets: String,
}

/// The genomes on a board that the one who asks may read.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct KnownGenomes {
    /// One for each piece whose genome is known.
    pub pieces: Vec<KnownPiece>,
}

/// A piece whose genome is known.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct KnownPiece {
    /// Where it stands.
    pub square: String,
    /// Its code: what its DNA has if it is the first with these digits.
    pub code: String,
    /// Its DNA.
    pub dna: String,
    /// Its handicaps; none are told where nothing is to be explained.
    pub debuffs: Vec<DebuffView>,
}

/// An army to be handed in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewArmy {
    /// The preset: its code or name, eight codes joined by `-`, or at one computer the key of one's own.
    pub preset: String,
    /// The squares of the own pieces that are kings.
    pub kings: Vec<String>,
}

/// A promotion to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewPromotion {
    /// The game's ply.
    pub ply: u32,
    /// Where the pawn stands.
    pub square: String,
    /// The code of a genome, or a built-in name.
    pub code: String,
}

/// The pieces whose genomes may be told.
pub(super) fn known_pieces(
    position: &GmoPosition,
    may_tell: impl Fn(GenomeIndex) -> bool,
    explains: bool,
) -> KnownGenomes {
    let known = position.board().pieces().filter_map(|(square, piece)| {
        let genome = position.genomes().get(piece.genome)?;
        may_tell(piece.genome).then(|| KnownPiece {
            square: square.to_string(),
            code: genome.code(),
            dna: genome.dna().to_owned(),
            debuffs: if explains { debuffs(genome) } else { Vec::new() },
        })
    });
    KnownGenomes { pieces: known.collect() }
}
