//! Where the opening ends and the endgame begins.

use rules::shakmaty::{Board, Color, Rank};
use rules::{Ply, Position};

/// A part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Pieces are still being brought out.
    Opening,
    /// The struggle.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

/// With so many pieces or fewer the opening is over, pawns and kings not counted.
const MIDDLEGAME_PIECES: usize = 10;
/// With so many pieces or fewer it is an endgame.
const ENDGAME_PIECES: usize = 6;
/// A back rank with fewer own men has brought its pieces out.
const SETTLED_MEN: usize = 4;

impl Phase {
    /// What the board alone says.
    pub fn of(board: &Board) -> Phase {
        let pieces = (board.occupied() & !board.pawns() & !board.kings()).count();
        let is_sparse = |color, rank: Rank| (board.by_color(color) & rank).count() < SETTLED_MEN;
        let is_out = is_sparse(Color::White, Rank::First) || is_sparse(Color::Black, Rank::Eighth);
        if pieces <= ENDGAME_PIECES {
            Phase::Endgame
        } else if pieces <= MIDDLEGAME_PIECES || is_out {
            Phase::Middlegame
        } else {
            Phase::Opening
        }
    }

    /// What the position alone says: pieces that are being placed are an opening, GMO chess is a struggle at once.
    pub fn of_position(position: &Position) -> Phase {
        match (position.as_chess(), position.board()) {
            (Some(_), Some(board)) => Phase::of(board),
            (None, Some(_)) => Phase::Opening,
            (_, None) => Phase::Middlegame,
        }
    }
}

/// Where the phases of a game begin; those it did not reach have no beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Division {
    /// The first ply whose position is no opening any more.
    pub middlegame: Option<Ply>,
    /// The first ply whose position is an endgame.
    pub endgame: Option<Ply>,
}

impl Division {
    /// The phase of a ply.
    pub fn phase(&self, ply: Ply) -> Phase {
        let has_begun = |start: Option<Ply>| start.is_some_and(|start| ply >= start);
        match () {
            () if has_begun(self.endgame) => Phase::Endgame,
            () if has_begun(self.middlegame) => Phase::Middlegame,
            () => Phase::Opening,
        }
    }
}

/// Divides a game by its positions, the start first. A phase once left does not come back.
pub fn divide<'a>(boards: impl IntoIterator<Item = &'a Board>) -> Division {
    let mut division = Division::default();
    for (board, ply) in boards.into_iter().zip(0..) {
        let phase = Phase::of(board);
        if phase >= Phase::Middlegame {
            division.middlegame.get_or_insert(Ply(ply));
        }
        if phase == Phase::Endgame {
            division.endgame.get_or_insert(Ply(ply));
        }
    }
    division
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        Board::from_ascii_board_fen(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_board_tells_the_phase() {
        let check = |text, expected| assert_eq!(Phase::of(&board(text)), expected, "{text}");
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Phase::Opening);
        check("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R", Phase::Opening);
        check("r4rk1/ppqbbppp/2n1pn2/3p4/3P4/2NBPN2/PPQB1PPP/R4RK1", Phase::Middlegame);
        check("r2q1rk1/ppp2ppp/2n5/3p4/3P4/2N5/PPP2PPP/R2Q1RK1", Phase::Middlegame);
        check("4r1k1/ppp2ppp/2n5/3p4/3P4/2N5/PPP2PPP/R3R1K1", Phase::Endgame);
        check("4k3/8/8/8/8/8/8/4K3", Phase::Endgame);
    }

    #[test]
    fn a_phase_once_left_does_not_come_back() {
        let start = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let end = board("4k3/8/8/8/8/8/8/4K3");
        let division = divide([&start, &start, &end, &start]);
        let expected = Division { middlegame: Some(Ply(2)), endgame: Some(Ply(2)) };
        assert_eq!(division, expected);
        assert_eq!(division.phase(Ply(1)), Phase::Opening);
        assert_eq!(division.phase(Ply(3)), Phase::Endgame);
        assert_eq!(divide([]), Division::default());
    }
}
