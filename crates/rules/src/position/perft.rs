//! Counting sequences of actions: the usual proof that a move generator is right.

use shakmaty::{Chess, Position as _};

use super::{Action, Position};
use crate::defender::Defender;
use crate::gmo;

/// Number of sequences of `depth` actions.
///
/// Sequences that end the game earlier are not counted; automatic passes are no actions. In GMO chance is left out
/// and a promotion costs no depth.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position {
        Position::Chess(chess) => chess_perft(chess, depth, Position::Chess),
        Position::Defender(Defender::Battle(chess)) => {
            chess_perft(chess, depth, |child| Position::Defender(Defender::Battle(child)))
        }
        Position::Defender(Defender::Placing(placing)) if depth == 1 => placing.count() as u64,
        Position::Defender(Defender::Placing(placing)) => {
            placing.actions().into_iter().map(|action| below(position, action, depth)).sum()
        }
        Position::Gmo(position) => gmo::perft(position, depth),
        Position::Muster(_) => 0,
    }
}

fn chess_perft(chess: &Chess, depth: u32, wrap: impl Fn(Chess) -> Position) -> u64 {
    let moves = chess.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = |&m| {
        let mut child = wrap(chess.clone());
        child.play_move(m);
        perft(&child, depth - 1)
    };
    moves.iter().map(below).sum()
}

fn below(position: &Position, action: Action, depth: u32) -> u64 {
    let mut child = position.clone();
    child.play(action).map_or(0, |_| perft(&child, depth.saturating_sub(1)))
}

/// The number below each first action, in the order of generation; `depth` is 1 at least.
pub fn divide(position: &Position, depth: u32) -> Vec<(Action, u64)> {
    match position {
        Position::Gmo(gmo) if gmo.promotions().is_empty() => gmo::divide(gmo, depth.max(1))
            .map(|(chosen, nodes)| (Action::step(chosen.origin, chosen.target), nodes))
            .collect(),
        _ => position
            .actions()
            .into_iter()
            .map(|action| (action, below(position, action, depth)))
            .collect(),
    }
}
