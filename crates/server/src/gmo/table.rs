//! What a player may know of the genomes on a board, beyond their faces.

use rules::gmo::{Genome, GmoPosition, Knowledge};
use rules::position::Fate;
use rules::{Action, Color, Game, Ply, Position};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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
}

/// An army to be handed in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewArmy {
    /// The preset: its code or name, or eight codes joined by `-`.
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

/// The position of a GMO game at a ply, and who knew what then.
pub(super) fn known_at(game: &Game, ply: Ply) -> Option<(GmoPosition, Knowledge)> {
    let Position::Gmo(start) = game.position_at(Ply(0))? else { return None };
    let mut knowledge = Knowledge::at_start(&start);
    let mut position = Position::Gmo(start);
    for (action, index) in game.actions().iter().zip(0..ply.0) {
        let fate = game.fate_at(Ply(index)).unwrap_or(&Fate::NONE);
        let before = position.as_gmo()?.clone();
        position.play_fated(*action, fate).ok()?;
        let after = position.as_gmo()?;
        let genome = fate.dna.as_deref().and_then(|dna| Genome::parse(dna).ok());
        let new = genome.and_then(|genome| after.genomes().find(&genome));
        match (*action, new) {
            (Action::Move { from, .. }, Some(child)) => {
                knowledge.mutate(before.board().get(from)?.genome, child);
            }
            (Action::Promote { at, .. }, _) => {
                let piece = after.board().get(at)?;
                knowledge.promote(piece.owner, piece.genome);
            }
            _ => {}
        }
    }
    let Position::Gmo(position) = position else { return None };
    Some((*position, knowledge))
}

/// The pieces whose genomes this side knows; `also` tells of others that are no secret.
pub(super) fn known_pieces(
    position: &GmoPosition,
    knowledge: &Knowledge,
    side: Option<Color>,
    also: impl Fn(&Genome) -> bool,
) -> KnownGenomes {
    let side = side.map(Into::into);
    let known = position.board().pieces().filter_map(|(square, piece)| {
        let genome = position.genomes().get(piece.genome)?;
        let knows = knowledge.knows(side, position.genomes(), piece.genome) || also(genome);
        knows.then(|| KnownPiece {
            square: square.to_string(),
            code: genome.code(),
            dna: genome.dna().to_owned(),
        })
    });
    KnownGenomes { pieces: known.collect() }
}
