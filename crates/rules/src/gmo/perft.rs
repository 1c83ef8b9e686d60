//! Counting move sequences, to compare with other programs.

use std::sync::Arc;

use super::chance::Luck;
use super::play::Move;
use super::position::GmoPosition;

/// How many sequences of `depth` moves there are; finished games are not continued.
///
/// Chance is left out: a deviating piece lands on its target and nothing mutates. A promotion costs no depth and may
/// be to any genome of the table.
pub fn perft(position: &GmoPosition, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.end().is_some() {
        return 0;
    }
    if let Some(square) = position.promotions().next() {
        let promoted = position.genomes().iter().map(|(_, genome)| {
            let mut next = position.clone();
            next.promote(square, Arc::clone(genome)).map_or(0, |_| perft(&next, depth))
        });
        return promoted.sum();
    }
    if depth == 1 {
        return position.count_moves(position.turn()) as u64;
    }
    divide(position, depth).map(|(_, count)| count).sum()
}

/// The same count for each move of a position in which a move is due; depth 1 at least.
pub fn divide(position: &GmoPosition, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    position.legal_moves().flat_map(move |(origin, targets)| {
        let counts = targets.iter().map(|target| {
            let chosen = Move { origin, target: target.square };
            let mut next = position.clone();
            let played = next.carry_out(chosen, *target, &Luck::NONE);
            (chosen, played.map_or(0, |_| perft(&next, depth.saturating_sub(1))))
        });
        counts.collect::<Vec<_>>()
    })
}
