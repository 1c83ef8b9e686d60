//! Positions as the index knows them: by a number of 64 bits, the same that names openings.

use rules::shakmaty::zobrist::{Zobrist64, ZobristValue as _};
use rules::shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, Move, Position, Role, Square,
};

/// The number of a position: pieces, turn, castling rights, and en passant where it can be played.
pub type Hash = u64;

/// The number of a position that changes move by move.
///
/// Kept along a game: shakmaty does that too, but counts anew after every move of a king and every double step of a
/// pawn, which is a third of all moves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Number {
    /// The number without en passant.
    plain: Zobrist64,
    /// The castling rights, and the part of the number that stands for them.
    rights: Bitboard,
    castling: Zobrist64,
}

impl Number {
    /// The number of a position, to be kept from here on.
    pub(crate) fn of(position: &Chess) -> (Number, Hash) {
        let hash: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
        let plain = hash ^ en_passant_part(position);
        let rights = position.castles().castling_rights();
        (Number { plain, rights, castling: castling_part(position) }, hash.0)
    }

    /// A move is played in the position. It has to be legal.
    #[inline]
    pub(crate) fn play(&mut self, before: &Chess, played: Move) {
        let turn = before.turn();
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
    }

    /// The number of the position to which the move has led.
    #[inline]
    pub(crate) fn reach(&mut self, after: &Chess) -> Hash {
        let rights = after.castles().castling_rights();
        if rights != self.rights {
            let castling = castling_part(after);
            self.plain ^= self.castling ^ castling;
            (self.rights, self.castling) = (rights, castling);
        }
        (self.plain ^ en_passant_part(after)).0
    }
}

/// A game that is walked along, with the number of every position.
#[derive(Debug, Clone)]
pub struct Walk {
    position: Chess,
    number: Number,
    hash: Hash,
}

impl Walk {
    /// At the beginning.
    pub fn new(position: Chess) -> Walk {
        let (number, hash) = Number::of(&position);
        Walk { position, number, hash }
    }

    /// One move on. It has to be legal.
    pub fn play(&mut self, played: Move) {
        self.number.play(&self.position, played);
        self.position.play_unchecked(played);
        self.hash = self.number.reach(&self.position);
    }

    /// Where it stands.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The number of where it stands.
    pub fn hash(&self) -> Hash {
        self.hash
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
