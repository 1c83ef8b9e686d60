//! Which moves are tried first: what proved good elsewhere in the tree.

use super::score::MAX_PLY;
use super::world::{Class, Ranked, World};

/// The move the table remembers.
const BEST: i32 = 1 << 30;
/// Moves that win material.
const NOISY: i32 = 1 << 26;
/// Quiet moves that refuted a sister position.
const KILLER: i32 = 1 << 24;
/// No history goes beyond this.
const MOST_HISTORY: i32 = 1 << 14;
/// Origins times targets.
const PATHS: usize = 4096;

/// What quiet moves have done so far.
#[derive(Debug)]
pub(super) struct Order {
    killers: [[u16; 2]; MAX_PLY],
    history: [Vec<i32>; 2],
}

impl Order {
    pub(super) fn new() -> Order {
        Order { killers: [[0; 2]; MAX_PLY], history: [vec![0; PATHS], vec![0; PATHS]] }
    }

    /// Puts into each rank what is known besides the move itself.
    pub(super) fn rank<W: World>(
        &self,
        side: usize,
        ply: usize,
        best: u16,
        moves: &mut [Ranked<W::Move>],
    ) {
        let killers = self.killers[ply.min(MAX_PLY - 1)];
        for ranked in moves {
            let id = W::id(ranked.m);
            ranked.rank += match ranked.class {
                _ if id == best => BEST,
                Class::Noisy => NOISY,
                Class::Losing => -NOISY,
                Class::Quiet if id == killers[0] => KILLER + 1,
                Class::Quiet if id == killers[1] => KILLER,
                Class::Quiet => self.history[side][path(id)],
            };
        }
    }

    /// What the history says of a quiet move, from about -16,000 to 16,000.
    pub(super) fn history(&self, side: usize, id: u16) -> i32 {
        self.history[side][path(id)]
    }

    /// A quiet move refuted its position; those tried before it did not.
    pub(super) fn reward(&mut self, side: usize, ply: usize, depth: i32, id: u16, tried: &[u16]) {
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != id {
            *killers = [id, killers[0]];
        }
        let bonus = (depth * depth * 4).min(1_600);
        adjust(&mut self.history[side][path(id)], bonus);
        for &failed in tried {
            adjust(&mut self.history[side][path(failed)], -bonus);
        }
    }
}

/// Moves towards the bonus, ever slower near the bounds.
fn adjust(history: &mut i32, bonus: i32) {
    *history += bonus - *history * bonus.abs() / MOST_HISTORY;
}

/// Promotions share the place of their origin and target.
fn path(id: u16) -> usize {
    usize::from(id.wrapping_sub(1)) % PATHS
}

/// Brings the highest-ranked move at or after `next` to that place.
pub(super) fn bring_best<M>(moves: &mut [Ranked<M>], next: usize) {
    let best = (next..moves.len())
        .reduce(|best, other| if moves[other].rank > moves[best].rank { other } else { best });
    if let Some(best) = best {
        moves.swap(next, best);
    }
}
