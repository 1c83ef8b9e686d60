//! Who wins if both sides keep taking on one square.

use rules::shakmaty::attacks::{bishop_attacks, rook_attacks};
use rules::shakmaty::{Bitboard, Board, Move, Role};

use super::super::score::Value;

/// What a piece is worth in an exchange.
pub(super) const fn worth(role: Role) -> Value {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 10_000,
    }
}

/// Whether a capture loses material when the other side takes back as long as it pays.
pub(super) fn loses(board: &Board, m: Move) -> bool {
    let (Some(from), to) = (m.from(), m.to()) else { return false };
    let Some(mover) = board.color_at(from) else { return false };
    // What the next capture must win for its side to have gained.
    let mut stake = worth(m.role()) - m.capture().map_or(0, worth);
    if stake <= 0 {
        return false;
    }
    let mut occupied = board.occupied() & !Bitboard::from(from);
    let (diagonal, straight) = (board.bishops_and_queens(), board.rooks_and_queens());
    let both = board.attacks_to(to, mover, occupied) | board.attacks_to(to, !mover, occupied);
    let mut attackers = both & occupied;
    let mut side = mover;
    let mut pays = true;
    loop {
        side = !side;
        let own = attackers & board.by_color(side);
        let cheapest = Role::ALL.into_iter().find(|&role| (own & board.by_role(role)).any());
        let Some(role) = cheapest else { break };
        let Some(square) = (own & board.by_role(role)).first() else { break };
        // A king takes last, and only what is not defended.
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            break;
        }
        pays = !pays;
        stake = worth(role) - stake;
        if role == Role::King || stake < Value::from(pays) {
            break;
        }
        occupied.discard(square);
        // Whoever stood behind the one that took comes into play.
        attackers |=
            bishop_attacks(to, occupied) & diagonal | rook_attacks(to, occupied) & straight;
        attackers &= occupied;
    }
    !pays
}

#[cfg(test)]
mod tests {
    use rules::shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};

    use super::*;

    #[test]
    fn exchanges_are_counted_to_their_end() {
        let check = |fen: &str, text: &str, expected: bool| {
            let chess: Chess =
                fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let m = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            assert_eq!(loses(chess.board(), m), expected, "{text} in {fen}");
        };
        check("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", false);
        check("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", true);
        check("4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", true);
        check("4k3/8/3p4/4p3/3P4/8/8/K3R3 w - - 0 1", "d4e5", false);
        check("4k3/8/8/3p4/8/4N3/8/K7 w - - 0 1", "e3d5", false);
        // The rook behind the rook takes part.
        check("4k3/8/3r4/8/3p4/8/3R4/K2R4 w - - 0 1", "d2d4", false);
        check("4k3/8/3r4/8/3p4/8/3R4/K7 w - - 0 1", "d2d4", true);
        check("3rk3/3r4/3p4/8/8/3R4/3R4/K7 w - - 0 1", "d3d6", true);
    }
}
