//! Captures and promotions alone, for the end of a line: finding all legal moves to keep a few would take longer.

use rules::shakmaty::attacks::{attacks, pawn_attacks};
use rules::shakmaty::{Bitboard, Chess, Color, Move, Piece, Position as _, Rank, Role, Square};

/// Tells captures and promotions to a queen; some may leave the king in check, and en passant is left out.
pub(super) fn generate(chess: &Chess, mut tell: impl FnMut(Move)) {
    let (board, turn) = (chess.board(), chess.turn());
    let (us, them, occupied) = (chess.us(), chess.them() & !board.kings(), board.occupied());
    let mut moves = |role: Role, from: Square, targets: Bitboard| {
        for to in targets {
            tell(Move::Normal { role, from, capture: board.role_at(to), to, promotion: None });
        }
    };
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
        for from in us & board.by_role(role) {
            let piece = Piece { color: turn, role };
            moves(role, from, attacks(from, piece, occupied) & them);
        }
    }
    let (last, before_last) = match turn {
        Color::White => (Rank::Eighth, Rank::Seventh),
        Color::Black => (Rank::First, Rank::Second),
    };
    let pawns = us & board.pawns();
    for from in pawns & !Bitboard::from(before_last) {
        moves(Role::Pawn, from, pawn_attacks(turn, from) & them);
    }
    for from in pawns & before_last {
        let ahead = Bitboard::from(Square::from_coords(from.file(), last)) & !occupied;
        for to in (pawn_attacks(turn, from) & them) | ahead {
            let capture = board.role_at(to);
            tell(Move::Normal {
                role: Role::Pawn,
                from,
                capture,
                to,
                promotion: Some(Role::Queen),
            });
        }
    }
}
