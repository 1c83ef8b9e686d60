//! Counting sequences of actions: the usual proof that a move generator is right.

use shakmaty::Position as _;

use super::{Action, Position};
use crate::defender::Defender;

/// Number of sequences of `depth` actions. Sequences that end the game earlier are not counted; automatic passes are
/// no actions.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count(position),
        _ => {
            let mut sum = 0;
            each_child(position, |_, child| sum += perft(&child, depth - 1));
            sum
        }
    }
}

/// The number below each first action, in the order of generation.
pub fn divide(position: &Position, depth: u32) -> Vec<(Action, u64)> {
    position
        .actions()
        .into_iter()
        .filter_map(|action| {
            let mut child = position.clone();
            child.play(action).ok()?;
            Some((action, perft(&child, depth.saturating_sub(1))))
        })
        .collect()
}

fn count(position: &Position) -> u64 {
    let count = match position {
        Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
            chess.legal_moves().len()
        }
        Position::Defender(Defender::Placing(placing)) => placing.count(),
    };
    count as u64
}

fn each_child(position: &Position, mut visit: impl FnMut(&Position, Position)) {
    match position {
        Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
            for m in chess.legal_moves() {
                let mut child = position.clone();
                child.play_move(m);
                visit(position, child);
            }
        }
        Position::Defender(Defender::Placing(placing)) => {
            for action in placing.actions() {
                let mut child = position.clone();
                if child.play(action).is_ok() {
                    visit(position, child);
                }
            }
        }
    }
}
