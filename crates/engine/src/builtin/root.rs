//! Iterative deepening: the moves of the root, searched ever deeper, in one or several lines.

use super::score::{DECIDED, INFINITE, MATE, Value};
use super::search::Search;
use super::world::{Wanted, World};

/// The deepest search that is begun.
const DEEPEST: u8 = 64;

/// A move of the root with what is known of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove<M> {
    pub(super) value: Value,
    /// The move and what is expected to follow.
    pub(super) line: Vec<M>,
}

/// What a search found, best move first.
pub(super) struct Found<M> {
    pub(super) moves: Vec<RootMove<M>>,
    /// The depth that was searched completely.
    pub(super) depth: u8,
}

/// One line of a depth that was just completed.
pub(super) struct Progress<'a, M> {
    /// 1 for the best.
    pub(super) rank: usize,
    pub(super) depth: u8,
    pub(super) nodes: u64,
    pub(super) found: &'a RootMove<M>,
}

impl<W: World> Search<'_, W> {
    /// Searches until a limit is reached; the first `lines` moves have true values, the rest only bounds.
    ///
    /// Stopped before anything was searched it still gives the moves, in the order they look good at first sight.
    pub(super) fn deepen(
        &mut self,
        world: &W,
        lines: usize,
        deepest: Option<u8>,
        is_enough: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Progress<'_, W::Move>),
    ) -> Found<W::Move> {
        let mut moves = self.root_moves(world);
        let lines = lines.clamp(1, moves.len().max(1));
        let mut completed = 0;
        // A forced move is worth no time.
        let forced = moves.len() == 1 && self.is_timed();
        let deepest = if forced { 1 } else { deepest.unwrap_or(DEEPEST).clamp(1, DEEPEST) };
        for depth in 1..=deepest {
            if moves.is_empty() {
                break;
            }
            for line in 0..lines {
                self.search_line(world, &mut moves[line..], i32::from(depth));
                if self.halted {
                    break;
                }
            }
            if self.halted {
                break;
            }
            completed = depth;
            // A later line may turn out better than an earlier one seemed.
            moves[..lines].sort_by_key(|found| std::cmp::Reverse(found.value));
            for (rank, found) in moves.iter().take(lines).enumerate() {
                tell(Progress { rank: rank + 1, depth, nodes: self.nodes, found });
            }
            let decided = moves[..lines].iter().all(|found| found.value.abs() >= DECIDED);
            let near = Value::from(depth) >= 2 * (MATE - moves[0].value.abs());
            if is_enough() || (decided && near) {
                break;
            }
        }
        Found { moves, depth: completed }
    }

    fn root_moves(&mut self, world: &W) -> Vec<RootMove<W::Move>> {
        let mut list = Vec::new();
        world.moves(Wanted::All, &mut list);
        self.order.rank::<W>(world.side(), 0, 0, &mut list);
        list.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
        let value = world.evaluate();
        let legal = list.into_iter().filter(|ranked| world.after(ranked.m).is_some());
        legal.map(|ranked| RootMove { value, line: vec![ranked.m] }).collect()
    }

    /// Searches these moves to a depth and puts them in order; near the last value first.
    fn search_line(&mut self, world: &W, moves: &mut [RootMove<W::Move>], depth: i32) {
        let expected = moves[0].value;
        let mut width = if depth >= 5 && expected.abs() < DECIDED { 30 } else { INFINITE };
        loop {
            let (low, high) = ((expected - width).max(-INFINITE), (expected + width).min(INFINITE));
            self.search_root(world, moves, depth, low, high);
            moves.sort_by_key(|found| std::cmp::Reverse(found.value));
            let value = moves[0].value;
            if self.halted || (value > low && value < high) || width >= INFINITE {
                return;
            }
            width = if width > 400 { INFINITE } else { width * 4 };
        }
    }

    /// One pass over the moves; on a halt those not reached keep their order behind the rest.
    fn search_root(
        &mut self,
        world: &W,
        moves: &mut [RootMove<W::Move>],
        depth: i32,
        low: Value,
        high: Value,
    ) {
        let mut alpha = low;
        self.path.push(world.key());
        let before: Vec<Value> = moves.iter().map(|found| found.value).collect();
        for found in moves.iter_mut() {
            found.value = -INFINITE;
        }
        for next in 0..moves.len() {
            let m = moves[next].line[0];
            let Some(child) = world.after(m) else { continue };
            let chances = world.chances(m);
            self.lines[1].clear();
            let value = if !chances.is_empty() {
                self.mean(&chances, depth - 2, 1)
            } else if next == 0 {
                -self.descend(&child, depth - 1, 1, -high, -alpha, true)
            } else {
                let reduction = i32::from(depth >= 4 && next >= 6);
                self.probe(&child, depth - 1, reduction, 1, alpha, high)
            };
            if self.halted {
                // Nothing of this depth is known: the last one counts. Else the best so far stays in front.
                if next == 0 {
                    for (found, value) in moves.iter_mut().zip(before) {
                        found.value = value;
                    }
                }
                break;
            }
            if next == 0 || value > alpha {
                self.extend_line(0, m);
                moves[next].line.clone_from(&self.lines[0]);
                moves[next].value = value;
                alpha = alpha.max(value);
            }
            if alpha >= high {
                break;
            }
        }
        self.path.pop();
    }

    /// The values of all moves at one depth, each searched by itself; those not reached before a halt are the worst.
    pub(super) fn judge_all(&mut self, world: &W, depth: u8) -> Vec<RootMove<W::Move>> {
        let mut moves = self.root_moves(world);
        let depth = i32::from(depth);
        self.path.push(world.key());
        for found in &mut moves {
            let m = found.line[0];
            let chances = world.chances(m);
            let value = match world.after(m) {
                Some(child) if chances.is_empty() => {
                    -self.descend(&child, depth - 1, 1, -INFINITE, INFINITE, true)
                }
                _ => self.mean(&chances, depth - 2, 1),
            };
            found.value = if self.halted { -INFINITE } else { value };
        }
        self.path.pop();
        moves.sort_by_key(|found| std::cmp::Reverse(found.value));
        moves
    }
}
