//! What the search must know of a variant.

use super::score::{End, Value};

/// Which moves are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of them.
    All,
    /// Only those that change the balance of material at once.
    Noisy,
}

/// What a move looks like before it is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Wins material, or exchanges it evenly.
    Noisy,
    /// Neither wins nor loses anything at once.
    Quiet,
    /// Loses material at once, or is likely to.
    Losing,
}

/// A move with the place it has among the others: the highest rank is tried first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked<M> {
    pub(super) m: M,
    pub(super) class: Class,
    pub(super) rank: i32,
    /// What it wins at once, in centipawns.
    pub(super) gain: Value,
}

/// A position of one variant, as the search sees it.
pub(super) trait World: Clone {
    type Move: Copy + PartialEq;

    /// Identity for repetition: the same number as [`rules::Position::hash`].
    fn key(&self) -> u64;

    /// 0 for the side that began the game, 1 for the other.
    fn side(&self) -> usize;

    /// The end that is there without looking for moves.
    fn end(&self) -> Option<End>;

    /// The end of a side that has no moves.
    fn without_moves(&self) -> End;

    /// Whether the side to act must do something about its king.
    fn in_check(&self) -> bool;

    /// How many plies back a repetition of this position can lie.
    fn reversible(&self) -> usize;

    /// Adds the moves; those of [`Wanted::Noisy`] may be illegal, which [`World::after`] finds out.
    fn moves(&self, wanted: Wanted, into: &mut Vec<Ranked<Self::Move>>);

    /// A number from 1 that names the move among those of its position.
    fn id(m: Self::Move) -> u16;

    /// The position after a move; `None` if the move turns out to be illegal.
    fn after(&self, m: Self::Move) -> Option<Self>;

    /// The positions chance may bring about if the move is played; none if chance has no part in it.
    fn chances(&self, _m: Self::Move) -> Vec<Self> {
        Vec::new()
    }

    /// The position with the other side to move, where having to move is no disadvantage.
    fn pass(&self) -> Option<Self>;

    /// How good the position is for the side to act, without looking ahead.
    fn evaluate(&self) -> Value;
}
