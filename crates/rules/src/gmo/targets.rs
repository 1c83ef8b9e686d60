//! The list of possible targets of a piece, in the normative order.

use std::ops::{ControlFlow, Deref};

use shakmaty::{Bitboard, Color, Rank, Square, attacks};

use super::board::{Board, Piece};
use super::debuff::Debuff;
use super::genome::{Block, Genome, Occupant};
use super::walk::Field;

/// A square a piece can go to, and the block of its genome that decides what happens there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The square.
    pub square: Square,
    /// The number of the block, from 0.
    pub block: u8,
}

/// The targets of one piece; a list on the stack, since no square is listed twice.
#[derive(Clone)]
pub struct Targets {
    list: [Target; 64],
    len: usize,
}

impl Targets {
    pub(super) fn new() -> Targets {
        Targets { list: [Target { square: Square::A1, block: 0 }; 64], len: 0 }
    }
}

impl Deref for Targets {
    type Target = [Target];

    fn deref(&self) -> &[Target] {
        &self.list[..self.len]
    }
}

impl<'a> IntoIterator for &'a Targets {
    type Item = &'a Target;
    type IntoIter = std::slice::Iter<'a, Target>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::fmt::Debug for Targets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// All targets of a piece on this board, whoever is to move.
pub(super) fn all(board: &Board, genome: &Genome, piece: Piece, origin: Square) -> Targets {
    let mut targets = Targets::new();
    let _: ControlFlow<()> = visit(board, genome, piece, origin, |target| {
        targets.list[targets.len] = target;
        targets.len += 1;
        ControlFlow::Continue(())
    });
    targets
}

/// The targets of a lone white piece if each square, one at a time, had this occupant. The origin is always its own.
pub(super) fn alone(genome: &Genome, origin: Square, occupant: Occupant) -> Targets {
    let itself = Bitboard::from_square(origin);
    let (there, filled) = match occupant {
        Occupant::Own => (Bitboard::FULL, Bitboard::FULL),
        Occupant::Enemy => (!itself, Bitboard::FULL),
        Occupant::Empty => (!itself, itself),
    };
    let wanted = there & admitted(genome, Color::White, origin, filled);
    let (mut targets, mut seen) = (Targets::new(), Bitboard::EMPTY);
    for (block, number) in genome.blocks().iter().zip(0..) {
        if block.effect(occupant).is_none() {
            continue;
        }
        let field = Field { occupied: itself, wanted };
        let _: ControlFlow<()> = block.walk.scan(origin, field, &mut seen, |square| {
            targets.list[targets.len] = Target { square, block: number };
            targets.len += 1;
            ControlFlow::Continue(())
        });
    }
    targets
}

/// Whether a piece can move at all.
pub(super) fn any(board: &Board, genome: &Genome, piece: Piece, origin: Square) -> bool {
    visit(board, genome, piece, origin, |_| ControlFlow::Break(())).is_break()
}

/// How many targets a piece has.
pub(super) fn count(board: &Board, genome: &Genome, piece: Piece, origin: Square) -> usize {
    let mut count = 0;
    let _: ControlFlow<()> = visit(board, genome, piece, origin, |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}

/// Tells each target once, in the order of the rules.
///
/// The filters of the debuffs depend on origin, target and occupation only, so they are one mask, laid before the walk.
fn visit<B>(
    board: &Board,
    genome: &Genome,
    piece: Piece,
    origin: Square,
    mut tell: impl FnMut(Target) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let occupied = board.occupied();
    let admitted = admitted(genome, piece.owner, origin, occupied);
    let mut seen = Bitboard::EMPTY;
    for (block, number) in genome.blocks().iter().zip(0..) {
        let field = Field { occupied, wanted: allowed(block, board, piece.owner) & admitted };
        block
            .walk
            .scan(origin, field, &mut seen, |square| tell(Target { square, block: number }))?;
    }
    ControlFlow::Continue(())
}

/// The squares whose occupant the block can deal with.
pub(super) fn allowed(block: &Block, board: &Board, mover: Color) -> Bitboard {
    let squares = |occupant, squares| {
        if block.effect(occupant).is_some() { squares } else { Bitboard::EMPTY }
    };
    squares(Occupant::Own, board.owned(mover))
        | squares(Occupant::Enemy, board.owned(mover.other()))
        | squares(Occupant::Empty, !board.occupied())
}

/// The squares the debuffs leave as targets.
fn admitted(genome: &Genome, mover: Color, origin: Square, occupied: Bitboard) -> Bitboard {
    let mut squares = Bitboard::FULL;
    if genome.debuffs().is_empty() {
        return squares;
    }
    let own_colour =
        if origin.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    if genome.has(Debuff::Forward) {
        squares &= in_front(mover, origin.rank());
    }
    if genome.has(Debuff::OtherColour) {
        squares &= !own_colour;
    }
    if genome.has(Debuff::SameColour) {
        squares &= own_colour;
    }
    if genome.has(Debuff::NearCapture) {
        squares &= !occupied | attacks::king_attacks(origin) | Bitboard::from_square(origin);
    }
    squares
}

/// The ranks strictly ahead of a rank, as this side sees it.
fn in_front(mover: Color, rank: Rank) -> Bitboard {
    let shift = u32::from(rank) * 8;
    match mover {
        Color::White => Bitboard((u64::MAX << shift) << 8),
        Color::Black => Bitboard(!(u64::MAX << shift)),
    }
}
