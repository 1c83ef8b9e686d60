//! How good a position of chess is, at one look.

use rules::shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use rules::shakmaty::{Bitboard, Board, Chess, Color, Position as _, Role, Square};

use super::super::score::Value;
use super::front_fill;
use super::squares::{SQUARES, Taper, row, taper};

/// What having the move is worth.
const TEMPO: Value = 12;
/// The weight of all pieces at the start of a game of standard chess.
const FULL_BOARD: Value = 24;

/// By rank as the pawn's side sees it.
const PASSED: [Taper; 8] = [
    taper(0, 0),
    taper(2, 8),
    taper(4, 14),
    taper(8, 30),
    taper(24, 58),
    taper(52, 105),
    taper(85, 160),
    taper(0, 0),
];

/// The value for the side to move.
pub(super) fn evaluate(chess: &Chess) -> Value {
    let board = chess.board();
    let white = Side::look(board, Color::White);
    let black = Side::look(board, Color::Black);
    let balance = white.total(board, &black) - black.total(board, &white);
    let phase = (white.weight + black.weight).min(FULL_BOARD);
    let value = (balance.middle * phase + balance.end * (FULL_BOARD - phase)) / FULL_BOARD;
    let value = endgame(board, value, &white, &black);
    let value = if chess.turn().is_white() { value } else { -value };
    // A long march without pawn moves or captures comes to nothing in the end.
    let patience = 220 - Value::try_from(chess.halfmoves().min(110)).unwrap_or(0);
    value * patience / 220 + TEMPO
}

/// What can be seen of one side's pieces.
struct Side {
    color: Color,
    king: Option<Square>,
    score: Taper,
    /// Pieces count for the phase of the game: 1 for a minor piece, 2 for a rook, 4 for a queen.
    weight: Value,
    pawn_attacks: Bitboard,
    /// How many pieces look at the squares around the other king, and how hard.
    hunters: Value,
    pressure: Value,
}

impl Side {
    fn look(board: &Board, color: Color) -> Side {
        let own = board.by_color(color);
        let mut side = Side {
            color,
            king: board.king_of(color),
            score: Taper::default(),
            weight: 0,
            pawn_attacks: attacked_by_pawns(color, own & board.pawns()),
            hunters: 0,
            pressure: 0,
        };
        side.look_at_pieces(board);
        side.look_at_pawns(board);
        side.look_at_king(board);
        if (own & board.bishops() & Bitboard::LIGHT_SQUARES).any()
            && (own & board.bishops() & Bitboard::DARK_SQUARES).any()
        {
            side.score += taper(26, 44);
        }
        side
    }

    fn place(&mut self, role: Role, square: Square) {
        let seen = if self.color.is_white() { square } else { square.flip_vertical() };
        self.score += SQUARES[row(role)][seen.to_usize()];
    }

    fn look_at_pieces(&mut self, board: &Board) {
        let own = board.by_color(self.color);
        let occupied = board.occupied();
        let enemy_pawns = board.pawns() & board.by_color(!self.color);
        let own_pawns = board.pawns() & own;
        let free = !own & !attacked_by_pawns(!self.color, enemy_pawns);
        let ring = board.king_of(!self.color).map_or(Bitboard::EMPTY, king_attacks);
        for square in own & board.knights() {
            self.place(Role::Knight, square);
            self.weight += 1;
            let reach = knight_attacks(square);
            self.score += taper(5, 5) * (count(reach & free) - 4);
            self.hunt(reach & ring, 2);
        }
        for square in own & board.bishops() {
            self.place(Role::Bishop, square);
            self.weight += 1;
            let reach = bishop_attacks(square, occupied);
            self.score += taper(5, 5) * (count(reach & free) - 6);
            self.hunt(reach & ring, 2);
        }
        for square in own & board.rooks() {
            self.place(Role::Rook, square);
            self.weight += 2;
            let reach = rook_attacks(square, occupied);
            self.score += taper(2, 4) * (count(reach & free) - 7);
            self.hunt(reach & ring, 3);
            let file = Bitboard::from(square.file());
            if (file & own_pawns).is_empty() {
                let open = (file & enemy_pawns).is_empty();
                self.score += if open { taper(26, 12) } else { taper(12, 8) };
            }
        }
        for square in own & board.queens() {
            self.place(Role::Queen, square);
            self.weight += 4;
            let reach = queen_attacks(square, occupied);
            self.score += taper(1, 3) * (count(reach & free) - 13);
            self.hunt(reach & ring, 5);
        }
    }

    fn hunt(&mut self, hits: Bitboard, force: Value) {
        if hits.any() {
            self.hunters += 1;
            self.pressure += force * count(hits);
        }
    }

    fn look_at_pawns(&mut self, board: &Board) {
        let own = board.by_color(self.color) & board.pawns();
        let enemy = board.by_color(!self.color) & board.pawns();
        let ahead = front_fill(self.color, own);
        self.score -= taper(9, 20) * count(own & ahead);
        let files = front_fill(Color::White, own) | front_fill(Color::Black, own) | own;
        let neighbours = beside(files);
        self.score -= taper(11, 13) * count(own & !neighbours);
        self.score += taper(7, 6) * count(own & self.pawn_attacks);
        // Behind an own pawn nothing is passed, nor where an enemy pawn stands before it or guards its way.
        let guarded = front_fill(!self.color, enemy);
        let stopped = guarded | beside(guarded) | front_fill(!self.color, own);
        for square in own {
            self.place(Role::Pawn, square);
        }
        for square in own & !stopped {
            self.look_at_passed(board, square);
        }
    }

    fn look_at_passed(&mut self, board: &Board, square: Square) {
        let rank = self.color.relative_rank(square.rank()).to_usize();
        let step = if self.color.is_white() { 8 } else { -8 };
        let Some(next) = square.offset(step) else { return };
        let Taper { middle, end } = PASSED[rank];
        let is_blocked = board.occupied().contains(next);
        self.score += if is_blocked { taper(middle / 2, end / 2) } else { taper(middle, end) };
        let distance = |color| {
            board.king_of(color).map_or(0, |king| Value::try_from(king.distance(next)).unwrap_or(0))
        };
        let near = distance(!self.color) * 5 - distance(self.color) * 3;
        self.score += taper(0, near * Value::try_from(rank).unwrap_or(0) / 3);
    }

    fn look_at_king(&mut self, board: &Board) {
        let Some(king) = self.king else { return };
        self.place(Role::King, king);
        let own_pawns = board.by_color(self.color) & board.pawns();
        let here = Bitboard::from(king);
        let front = front_fill(self.color, here | beside(here));
        let near = front & (king_attacks(king) | Bitboard::from(king));
        let next_rank = if self.color.is_white() { near.0 << 8 } else { near.0 >> 8 };
        let next = Bitboard(next_rank) & front;
        self.score += taper(13, 0) * count(own_pawns & near);
        self.score += taper(6, 0) * count(own_pawns & next & !near);
        let open_files = [Some(king.file()), king.file().offset(1), king.file().offset(-1)]
            .into_iter()
            .flatten()
            .filter(|&file| (Bitboard::from(file) & own_pawns).is_empty());
        self.score -= taper(14, 0) * Value::try_from(open_files.count()).unwrap_or(0);
    }

    /// With what the other side's king has to fear.
    fn total(&self, board: &Board, other: &Side) -> Taper {
        let mut score = self.score;
        if self.hunters >= 2 {
            let queens = board.by_color(self.color) & board.queens();
            let force = if queens.any() { 3 } else { 1 };
            score += taper((self.pressure * self.pressure * force / 12).min(450), self.pressure);
        }
        // Pieces attacked by pawns will have to go.
        let prey = board.by_color(other.color) & !board.pawns() & !board.kings();
        score += taper(22, 26) * count(self.pawn_attacks & prey);
        score
    }
}

/// What the pieces left say beyond the sum of their parts.
fn endgame(board: &Board, value: Value, white: &Side, black: &Side) -> Value {
    let (strong, weak) = if value >= 0 { (white, black) } else { (black, white) };
    let strong_men = board.by_color(strong.color);
    let has_pawns = (strong_men & board.pawns()).any();
    let advantage = strong.weight - weak.weight;
    if !has_pawns && strong.weight <= 4 && advantage <= 1 {
        // A piece more without pawns rarely wins.
        return if strong.weight <= 1 { value / 16 } else { value / 4 };
    }
    let weak_men = board.by_color(weak.color);
    if weak_men.count() == 1 && strong.weight >= 2 {
        return value + drive(strong, weak) * value.signum();
    }
    value
}

/// A bare king is driven to the edge by coming near.
fn drive(strong: &Side, weak: &Side) -> Value {
    let (Some(hunter), Some(prey)) = (strong.king, weak.king) else { return 0 };
    let outward = |line: usize| if line < 4 { 3 - line } else { line - 4 };
    let edge = outward(prey.file().to_usize()) + outward(prey.rank().to_usize());
    let near = 14 - hunter.distance(prey).min(14);
    Value::try_from(edge).unwrap_or(0) * 20 + Value::try_from(near).unwrap_or(0) * 10
}

fn count(squares: Bitboard) -> Value {
    Value::try_from(squares.count()).unwrap_or(0)
}

/// The squares left and right of these.
fn beside(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    Bitboard((squares.0 << 1) & NOT_A | (squares.0 >> 1) & NOT_H)
}

fn attacked_by_pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = if color.is_white() { pawns.0 << 8 } else { pawns.0 >> 8 };
    beside(Bitboard(ahead))
}

#[cfg(test)]
mod tests {
    use rules::shakmaty::fen::Fen;
    use rules::shakmaty::{CastlingMode, EnPassantMode, FromSetup as _};

    use super::*;

    fn read(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    /// The same position with the colours exchanged.
    fn mirrored(chess: &Chess) -> Chess {
        let mut setup = chess.to_setup(EnPassantMode::Legal);
        setup.mirror();
        Chess::from_setup(setup, CastlingMode::Standard).unwrap()
    }

    #[test]
    fn both_colours_are_judged_alike() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 7 30",
            "8/5k2/8/8/3P4/8/2K5/7R w - - 0 1",
            "6k1/8/8/8/8/8/R7/K7 b - - 0 1",
        ] {
            let chess = read(fen);
            assert_eq!(evaluate(&chess), evaluate(&mirrored(&chess)), "{fen}");
        }
    }

    #[test]
    fn what_people_know_of_chess_counts() {
        let check = |better: &str, worse: &str| {
            let (better, worse) = (read(better), read(worse));
            assert!(evaluate(&better) > evaluate(&worse) + 10);
        };
        // A knight in the centre; a passed pawn near its goal; a rook on an open file; a sheltered king.
        check("4k3/pppp4/8/8/4N3/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1");
        check("4k3/8/P7/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/P7/4K2R w - - 0 1");
        check(
            "3rk3/ppp2ppp/8/8/8/8/PPP2PPP/3RK3 w - - 0 1",
            "3rk3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w - - 0 1",
        );
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w kq - 0 1",
            "rnbqkbnr/pppppppp/8/8/5K2/8/PPPPPPPP/RNBQ1R2 w kq - 0 1",
        );
        // A minor piece alone wins nothing.
        check("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
    }
}
