//! Positions as the index knows them: by a number of 64 bits, the same that names openings.

use rules::shakmaty::zobrist::{Zobrist64, ZobristValue as _};
use rules::shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Move, Position, Role, Square};

/// The number of a position: pieces, turn, castling rights, and en passant where it can be played.
pub type Hash = u64;

/// A game that is walked along, with the number of every position.
///
/// The number is kept move by move: shakmaty does that too, but counts anew after every move of a king and every double
/// step of a pawn, which is a third of all moves.
#[derive(Debug, Clone)]
pub struct Walk {
    position: Chess,
    /// The number without en passant.
    plain: Zobrist64,
    /// The part of it that stands for the castling rights.
    castling: Zobrist64,
    hash: Zobrist64,
}

impl Walk {
    /// At the beginning.
    pub fn new(position: Chess) -> Walk {
        let hash = position.zobrist_hash(EnPassantMode::Legal);
        let plain = hash ^ en_passant_part(&position);
        let castling = castling_part(&position);
        Walk { position, plain, castling, hash }
    }

    /// One move on. It has to be legal.
    pub fn play(&mut self, played: Move) {
        let turn = self.position.turn();
        let rights = self.position.castles().castling_rights();
        let mut change = Zobrist64::zobrist_for_white_turn();
        let mut toggle = |square: Square, role: Role, color: Color| {
            change ^= Zobrist64::zobrist_for_piece(square, role.of(color));
        };
        match played {
            Move::Normal { role, from, capture, to, promotion } => {
                toggle(from, role, turn);
                toggle(to, promotion.unwrap_or(role), turn);
                if let Some(captured) = capture {
                    toggle(to, captured, !turn);
                }
            }
            Move::EnPassant { from, to } => {
                toggle(from, Role::Pawn, turn);
                toggle(to, Role::Pawn, turn);
                toggle(Square::from_coords(to.file(), from.rank()), Role::Pawn, !turn);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                toggle(king, Role::King, turn);
                toggle(rook, Role::Rook, turn);
                toggle(Square::from_coords(side.king_to_file(), king.rank()), Role::King, turn);
                toggle(Square::from_coords(side.rook_to_file(), king.rank()), Role::Rook, turn);
            }
            Move::Put { role, to } => toggle(to, role, turn),
        }
        self.plain ^= change;
        self.position.play_unchecked(played);
        if self.position.castles().castling_rights() != rights {
            let castling = castling_part(&self.position);
            self.plain ^= self.castling ^ castling;
            self.castling = castling;
        }
        self.hash = self.plain ^ en_passant_part(&self.position);
    }

    /// Where it stands.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The number of where it stands.
    pub fn hash(&self) -> Hash {
        self.hash.0
    }
}

fn castling_part(position: &Chess) -> Zobrist64 {
    let castles = position.castles();
    let mut part = Zobrist64::default();
    for color in Color::ALL {
        for side in CastlingSide::ALL.into_iter().filter(|side| castles.has(color, *side)) {
            part ^= Zobrist64::zobrist_for_castling_right(color, side);
        }
    }
    part
}

fn en_passant_part(position: &Chess) -> Zobrist64 {
    let square = position.legal_ep_square();
    square.map_or(Zobrist64::default(), |to| Zobrist64::zobrist_for_en_passant_file(to.file()))
}

/// The number of one position.
pub fn hash_of(position: &Chess) -> Hash {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

#[cfg(test)]
mod tests {
    use rules::pgn::{Board, Item, Limits, Step, read_games};

    use super::*;

    fn check(text: &str) {
        let read = read_games(text.as_bytes(), Limits::default());
        let Some(Item::Game(read)) = read.into_iter().next() else { panic!("a game: {text}") };
        assert_eq!(read.error(), None, "{text}");
        let Ok(Board::Chess(start)) = read.game.start() else { panic!("chess: {text}") };
        let mut walk = Walk::new(start);
        assert_eq!(walk.hash(), hash_of(walk.position()));
        for (ply, step) in read.game.steps().enumerate() {
            let Step::Move(played) = step else { panic!("moves alone: {text}") };
            walk.play(played);
            assert_eq!(walk.hash(), hash_of(walk.position()), "after ply {} of {text}", ply + 1);
        }
    }

    #[test]
    fn the_number_kept_along_a_game_is_that_of_its_positions() {
        check(
            "1. e4 a6 2. e5 d5 3. exd6 exd6 4. Nf3 Nf6 5. Bc4 Be7 6. O-O Nc6 7. Re1 Bf5 8. d4 Qd7 9. a4 O-O-O *",
        );
        check("1. e4 d5 2. exd5 c6 3. dxc6 e6 4. cxb7 Nd7 5. bxa8=N Nb6 6. Nxb6 axb6 7. Ke2 *");
        check("1. a4 h5 2. a5 b5 3. axb6 h4 4. bxc7 h3 5. cxb8=Q hxg2 6. Qxa8 gxh1=Q 7. Qxa7 *");
        // A step of two squares that can be answered en passant only by giving the king away.
        check("[FEN \"8/8/8/8/k2p3Q/8/2P5/4K3 w - - 0 1\"]\n\n1. c4 Kb4 2. Kd2 *");
        check("[FEN \"8/8/8/8/3p4/8/2P5/k3K3 w - - 0 1\"]\n\n1. c4 dxc3 2. Kd1 *");
        check(
            "[Variant \"Chess960\"]\n[FEN \"bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1\"]\n\n\
               1. Nf3 Nf6 2. Nd3 Nd6 3. O-O O-O-O 4. Nde5 a6 *",
        );
    }
}
