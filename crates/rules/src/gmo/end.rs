//! How a game of GMO chess ends by its own rules.
//!
//! Resignation, agreement and abort belong to every game and are not here. Repetition needs the history and is counted
//! by whoever keeps it, with [`super::GmoPosition::hash`]; the numbers are here.

use shakmaty::Color;

use super::board::Board;

/// After so many moves the game is drawn.
pub const MAX_PLIES: u32 = 1000;
/// The occurrence of a position that lets a player claim a draw.
pub const CLAIMABLE_OCCURRENCE: usize = 3;
/// The occurrence of a position that ends the game by itself.
pub const FINAL_OCCURRENCE: usize = 5;

/// How the game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// One side has won.
    Win {
        /// Who.
        winner: Color,
        /// How.
        by: WinBy,
    },
    /// Nobody has won.
    Draw {
        /// How.
        by: DrawBy,
    },
}

/// Why a side has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WinBy {
    /// The other side has a king less than before the move.
    King,
    /// The other side is to move and cannot.
    NoMoves,
    /// The other side's clock has run out.
    Time,
}

/// Why the game is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DrawBy {
    /// One move cost both sides a king.
    BothKings,
    /// The same position for the fifth time, or claimed at the third.
    Repetition,
    /// [`MAX_PLIES`] were played.
    PlyLimit,
}

impl End {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            End::Win { winner, .. } => Some(winner),
            End::Draw { .. } => None,
        }
    }

    /// The stable name of the reason.
    pub const fn reason(self) -> &'static str {
        match self {
            End::Win { by: WinBy::King, .. } => "king",
            End::Win { by: WinBy::NoMoves, .. } => "no_moves",
            End::Win { by: WinBy::Time, .. } => "time",
            End::Draw { by: DrawBy::BothKings } => "both_kings",
            End::Draw { by: DrawBy::Repetition } => "repetition",
            End::Draw { by: DrawBy::PlyLimit } => "ply_limit",
        }
    }

    /// The end of a side whose flag fell; material does not matter.
    pub const fn flag(loser: Color) -> End {
        End::Win { winner: loser.other(), by: WinBy::Time }
    }

    /// The end of a side that is to move and cannot.
    pub(super) const fn stuck(loser: Color) -> End {
        End::Win { winner: loser.other(), by: WinBy::NoMoves }
    }
}

/// The number of kings of both sides, to be compared before and after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KingCount {
    white: usize,
    black: usize,
}

impl KingCount {
    pub(super) fn of(board: &Board) -> KingCount {
        KingCount { white: board.kings(Color::White), black: board.kings(Color::Black) }
    }

    /// The end a move brings, given the count after it: only a loss counts, a gain is no event.
    pub(super) fn end_after(self, after: KingCount) -> Option<End> {
        match (after.white < self.white, after.black < self.black) {
            (true, true) => Some(End::Draw { by: DrawBy::BothKings }),
            (true, false) => Some(End::Win { winner: Color::Black, by: WinBy::King }),
            (false, true) => Some(End::Win { winner: Color::White, by: WinBy::King }),
            (false, false) => None,
        }
    }
}
