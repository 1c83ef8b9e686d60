//! The end of a line: captures go on until the position is quiet enough to be judged.

use super::order::bring_best;
use super::score::{DECIDED, INFINITE, MAX_PLY, Value};
use super::search::Search;
use super::table::Bound;
use super::world::{Class, Wanted, World};

impl<W: World> Search<'_, W> {
    /// Goes on with moves that change the material until the position is quiet enough to be judged.
    pub(super) fn settle(
        &mut self,
        world: &W,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        deep: usize,
    ) -> Value {
        if self.tick() {
            return 0;
        }
        self.lines[ply].clear();
        if let Some(end) = world.end() {
            return end.value(ply);
        }
        if ply >= MAX_PLY - 1 {
            return world.evaluate();
        }
        let key = self.key(world);
        let known = self.table.find(key);
        if let Some(value) = known.and_then(|entry| entry.decides(ply, alpha, beta)) {
            return value;
        }
        let checked = (1..=3).contains(&deep) && world.in_check();
        let wanted = if checked { Wanted::All } else { Wanted::Noisy };
        let quiet_value = if checked { -INFINITE } else { world.evaluate() };
        let mut best = quiet_value;
        if best >= beta {
            return best;
        }
        let old_alpha = alpha;
        alpha = alpha.max(best);
        let mut list = self.take_list(ply);
        world.moves(wanted, &mut list);
        self.order.rank::<W>(world.side(), ply, known.map_or(0, |entry| entry.best), &mut list);
        let mut best_id = 0;
        let mut searched = 0;
        for next in 0..list.len() {
            bring_best(&mut list, next);
            let ranked = list[next];
            if !checked {
                let hopeless = quiet_value + ranked.gain + 150 <= alpha;
                if ranked.class == Class::Losing || (hopeless && alpha.abs() < DECIDED) {
                    continue;
                }
            }
            let Some(child) = world.after(ranked.m) else { continue };
            searched += 1;
            let value = -self.settle(&child, ply + 1, -beta, -alpha, deep + 1);
            if self.halted {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_id = W::id(ranked.m);
                    self.extend_line(ply, ranked.m);
                }
                if alpha >= beta {
                    break;
                }
            }
        }
        self.give_back(ply, list);
        if self.halted {
            return 0;
        }
        if checked && searched == 0 {
            return world.without_moves().value(ply);
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > old_alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.store(key, ply, 0, best, bound, best_id);
        best
    }
}
