//! GMO chess behind the common position type.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use shakmaty::Square;

use super::{Action, Dests, Done, Illegal};
use crate::gmo::{
    DrawBy, End, Genome, GenomeIndex, GmoPosition, Luck, Move, PromotionError, Seed, WinBy,
};
use crate::outcome::{DrawReason, Outcome, WinReason};

/// What an action of GMO has besides its text, written into the log so that it replays without the seed.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fate {
    /// Where chance made the piece land, if not on its target.
    #[serde(
        rename = "to",
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_square",
        deserialize_with = "read_square"
    )]
    pub landing: Option<Square>,
    /// The DNA the piece mutated to, or the pawn was promoted to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dna: Option<Box<str>>,
}

impl Fate {
    /// Nothing but the action itself.
    pub const NONE: Fate = Fate { landing: None, dna: None };

    /// Whether there is nothing but the action itself.
    pub fn is_none(&self) -> bool {
        *self == Fate::NONE
    }
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands a reference"
)]
fn write_square<S: serde::Serializer>(square: &Option<Square>, out: S) -> Result<S::Ok, S::Error> {
    match square {
        Some(square) => out.collect_str(square),
        None => out.serialize_none(),
    }
}

fn read_square<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Square>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}

/// The move an action means.
fn chosen(action: Action) -> Option<Move> {
    match action {
        Action::Move { from, to, promotion: None } => Some(Move { origin: from, target: to }),
        _ => None,
    }
}

/// Whether the actor may do this.
pub(crate) fn check(
    position: &GmoPosition,
    actor: shakmaty::Color,
    action: Action,
) -> Result<(), Illegal> {
    if let Action::Promote { at, genome } = action {
        position.check_promotion(actor, at)?;
        let listed = position.genomes().get(GenomeIndex(genome));
        return listed.map(|_| ()).ok_or(Illegal::Promotion(PromotionError::UnknownGenome));
    }
    let chosen = chosen(action).ok_or(Illegal::Move)?;
    position.check_move(actor, chosen)?;
    Ok(())
}

/// What chance does to an action of the side to move.
pub(crate) fn roll(position: &GmoPosition, action: Action, seed: &Seed) -> Result<Fate, Illegal> {
    let Some(chosen) = chosen(action) else { return Ok(Fate::NONE) };
    let luck = position.roll(chosen, seed)?;
    Ok(Fate { landing: luck.landing, dna: luck.mutation.map(|genome| genome.dna().into()) })
}

/// Plays an action with what its log tells of it.
pub(crate) fn play(
    position: &mut GmoPosition,
    action: Action,
    fate: &Fate,
) -> Result<Done, Illegal> {
    let unknown = Illegal::Promotion(PromotionError::UnknownGenome);
    let genome = fate.dna.as_deref().map(Genome::parse).transpose().map_err(|_| unknown)?;
    let genome = genome.map(Arc::new);
    if let Action::Promote { at, genome: index } = action {
        let index = GenomeIndex(index);
        match genome {
            // The DNA counts; the number must be the one it gets.
            Some(genome) if next_index(position, &genome) != index => return Err(unknown),
            Some(genome) => {
                position.promote(at, genome)?;
            }
            None => position.promote_listed(at, index)?,
        }
        return Ok(Done { action, passes: 0, freezes: false });
    }
    let chosen = chosen(action).ok_or(Illegal::Move)?;
    let luck = Luck { landing: fate.landing, mutation: genome };
    let freezes = position.play(chosen, &luck)?.freezes;
    Ok(Done { action, passes: 0, freezes })
}

/// The number a genome has in the game's table, or gets when it comes in.
pub(crate) fn next_index(position: &GmoPosition, genome: &Genome) -> GenomeIndex {
    let new = || GenomeIndex(u16::try_from(position.genomes().len()).unwrap_or(u16::MAX));
    position.genomes().find(genome).unwrap_or_else(new)
}

/// Legal moves, or the promotions to genomes of the game's own table.
pub(crate) fn actions(position: &GmoPosition) -> Vec<Action> {
    if let Some(at) = position.promotions().next() {
        return position
            .genomes()
            .iter()
            .map(|(genome, _)| Action::Promote { at, genome: genome.0 })
            .collect();
    }
    let mut actions = Vec::with_capacity(64);
    for (from, targets) in position.legal_moves() {
        actions.extend(targets.iter().map(|target| Action::step(from, target.square)));
    }
    actions
}

/// Legal targets by origin.
pub(crate) fn dests(position: &GmoPosition) -> Dests {
    let mut dests = Dests::default();
    for (from, targets) in position.legal_moves() {
        targets.iter().for_each(|target| dests.add(from, target.square));
    }
    dests
}

/// The end on the board.
pub(crate) fn outcome(position: &GmoPosition) -> Option<Outcome> {
    Some(match position.end()? {
        End::Win { winner, by } => {
            let by = match by {
                WinBy::King => WinReason::King,
                WinBy::NoMoves => WinReason::NoMoves,
                WinBy::Time => WinReason::Time,
            };
            Outcome::Win { winner: winner.into(), by }
        }
        End::Draw { by } => Outcome::Draw {
            by: match by {
                DrawBy::BothKings => DrawReason::BothKings,
                DrawBy::Repetition => DrawReason::Repetition,
                DrawBy::PlyLimit => DrawReason::PlyLimit,
            },
        },
    })
}
