//! Standard chess, Chess960 and Defender's phase two, as the search sees them.

mod captures;
mod evaluate;
mod exchange;
mod squares;

use rules::shakmaty::zobrist::{Zobrist64, ZobristValue as _};
use rules::shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, File, FromSetup as _, Move, Position as _,
    PositionError, Role, Setup, Square,
};

use super::score::{End, Value};
use super::world::{Class, Ranked, Wanted, World};

/// A legal position with what the search asks for again and again.
#[derive(Debug, Clone)]
pub(super) struct Board {
    chess: Chess,
    key: u64,
    /// The file that counts in the key because a pawn may be taken en passant on it.
    ep_file: Option<File>,
    checked: bool,
}

impl Board {
    pub(super) fn new(chess: Chess) -> Board {
        let key = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let ep_file = chess.legal_ep_square().map(Square::file);
        let checked = chess.is_check();
        Board { chess, key, ep_file, checked }
    }
}

impl World for Board {
    type Move = Move;

    fn key(&self) -> u64 {
        self.key
    }

    fn side(&self) -> usize {
        usize::from(self.chess.turn().is_black())
    }

    fn end(&self) -> Option<End> {
        let few = self.chess.board().occupied().count() <= 4;
        let drawn = (few && self.chess.is_insufficient_material())
            // A mate on the hundredth ply counts, so a side in check is asked for its moves first.
            || (self.chess.halfmoves() >= 100
                && !(self.checked && self.chess.legal_moves().is_empty()));
        drawn.then_some(End::Draw)
    }

    fn without_moves(&self) -> End {
        if self.checked { End::Loss } else { End::Draw }
    }

    fn in_check(&self) -> bool {
        self.checked
    }

    fn reversible(&self) -> usize {
        self.chess.halfmoves() as usize
    }

    fn moves(&self, wanted: Wanted, into: &mut Vec<Ranked<Move>>) {
        match wanted {
            Wanted::All => into.extend(self.chess.legal_moves().iter().map(|&m| self.ranked(m))),
            Wanted::Noisy => captures::generate(&self.chess, |m| into.push(self.ranked(m))),
        }
    }

    fn id(m: Move) -> u16 {
        let (from, to) = (m.from().unwrap_or(m.to()), m.to());
        let promotion = m.promotion().map_or(0, |role| role as u32 - 1);
        let id = from.to_u32() | to.to_u32() << 6 | promotion << 12;
        u16::try_from(id + 1).unwrap_or(0)
    }

    fn after(&self, m: Move) -> Option<Board> {
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let (board, turn) = (chess.board(), chess.turn());
        let king = board.king_of(!turn)?;
        if board.attacks_to(king, turn, board.occupied()).any() {
            return None;
        }
        let Move::Normal { role, from, capture, to, promotion } = m else {
            return Some(Board::new(chess));
        };
        let piece =
            |square, role: Role, color| Zobrist64::zobrist_for_piece(square, role.of(color));
        let mut key = Zobrist64(self.key)
            ^ Zobrist64::zobrist_for_white_turn()
            ^ piece(from, role, !turn)
            ^ piece(to, promotion.unwrap_or(role), !turn);
        if let Some(capture) = capture {
            key ^= piece(to, capture, turn);
        }
        if self.chess.castles().castling_rights() != chess.castles().castling_rights() {
            key ^= castling_key(&self.chess) ^ castling_key(&chess);
        }
        let ep_file = chess.legal_ep_square().map(Square::file);
        for file in self.ep_file.into_iter().chain(ep_file) {
            key ^= Zobrist64::zobrist_for_en_passant_file(file);
        }
        let checked = chess.is_check();
        Some(Board { chess, key: key.0, ep_file, checked })
    }

    /// Only with two pieces or more besides the king: with pawns and a piece alone zugzwang is common.
    fn pass(&self) -> Option<Board> {
        let board = self.chess.board();
        let pieces = self.chess.us() & !board.pawns() & !board.kings();
        if self.checked || pieces.count() < 2 {
            return None;
        }
        let mode = self.chess.castles().mode();
        let mut setup: Setup = self.chess.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        let chess = Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .ok()?;
        Some(Board::new(chess))
    }

    fn evaluate(&self) -> Value {
        evaluate::evaluate(&self.chess)
    }
}

impl Board {
    /// A move with what it takes: the dearest piece by the cheapest first.
    fn ranked(&self, m: Move) -> Ranked<Move> {
        let taken = m.capture().map_or(0, exchange::worth);
        let promoted = m.promotion().map_or(0, |role| exchange::worth(role) - 100);
        let gain = taken + promoted;
        let is_under = m.promotion().is_some_and(|role| role != Role::Queen);
        if is_under {
            return Ranked { m, class: Class::Losing, rank: 0, gain };
        }
        if gain == 0 {
            return Ranked { m, class: Class::Quiet, rank: 0, gain };
        }
        let own = exchange::worth(m.role());
        let loses =
            taken < own && m.promotion().is_none() && exchange::loses(self.chess.board(), m);
        let class = if loses { Class::Losing } else { Class::Noisy };
        Ranked { m, class, rank: gain * 16 - own, gain }
    }
}

/// What the rights to castle add to a key.
fn castling_key(chess: &Chess) -> Zobrist64 {
    let castles = chess.castles();
    let rights =
        Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.map(|side| (color, side)));
    rights
        .filter(|&(color, side)| castles.has(color, side))
        .fold(Zobrist64(0), |key, (color, side)| {
            key ^ Zobrist64::zobrist_for_castling_right(color, side)
        })
}

/// The squares in front of these, up to the end of the board, as one colour sees it.
fn front_fill(color: Color, squares: Bitboard) -> Bitboard {
    let mut bits = squares.0;
    if color.is_white() {
        bits |= bits << 8;
        bits |= bits << 16;
        bits |= bits << 32;
        Bitboard(bits << 8)
    } else {
        bits |= bits >> 8;
        bits |= bits >> 16;
        bits |= bits >> 32;
        Bitboard(bits >> 8)
    }
}

#[cfg(test)]
mod tests {
    use rules::Position;

    use super::super::random::Random;
    use super::*;

    /// Plays by chance and compares every key with that of the rules, and the captures with the legal ones.
    fn check(start: &Position, random: &mut Random) {
        let mut position = start.clone();
        let mut board = Board::new(position.as_chess().unwrap().clone());
        for _ in 0..120 {
            assert_eq!(board.key(), position.hash(), "{}", position.fen());
            let legal = board.chess.legal_moves();
            let mut noisy = Vec::new();
            board.moves(Wanted::Noisy, &mut noisy);
            let mut found: Vec<u16> = noisy
                .iter()
                .filter(|ranked| board.after(ranked.m).is_some())
                .map(|ranked| Board::id(ranked.m))
                .collect();
            let is_noisy = |m: &&Move| {
                let under = m.promotion().is_some_and(|role| role != Role::Queen);
                !under && !m.is_en_passant() && (m.is_capture() || m.is_promotion())
            };
            let mut expected: Vec<u16> =
                legal.iter().filter(is_noisy).map(|&m| Board::id(m)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{}", position.fen());
            let actions = position.actions();
            if actions.is_empty() {
                return;
            }
            let chosen = random.below(actions.len());
            board = board.after(legal[chosen]).unwrap();
            position.play(actions[chosen]).unwrap();
        }
    }

    #[test]
    fn keys_and_captures_are_those_of_the_rules() {
        let mut random = Random::new(3, 3);
        let chess960 = |number| Position::Chess(rules::position::chess960_start(number).unwrap());
        for game in 0..60 {
            check(&Position::standard(), &mut random);
            check(&chess960(game * 16), &mut random);
        }
        let pawns = Position::from_fen("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1").unwrap();
        for _ in 0..60 {
            check(&pawns, &mut random);
        }
    }
}
