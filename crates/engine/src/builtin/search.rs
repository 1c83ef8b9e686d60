//! The tree search: alpha-beta with a table, for any [`World`].

use super::limits::{Control, Limits};
use super::order::{Order, bring_best};
use super::score::{DECIDED, INFINITE, MATE, MAX_PLY, Value, plies};
use super::table::{Bound, Table};
use super::world::{Class, Ranked, Wanted, World};

/// What a move by chance may be worth at most: a mean of mates and pawns must stay a number of pawns.
const LUCK: Value = 2_000;
/// The clock is asked once in so many positions.
const CLOCK_EVERY: u64 = 1_024;

/// What one search keeps while it runs.
pub(super) struct Search<'a, W: World> {
    pub(super) table: &'a mut Table,
    salt: u64,
    control: Control<'a>,
    limits: Limits,
    pub(super) nodes: u64,
    pub(super) halted: bool,
    /// Keys of the game so far and of the line being looked at.
    pub(super) path: Vec<u64>,
    game_plies: usize,
    lists: Vec<Vec<Ranked<W::Move>>>,
    /// The best line found at each ply.
    pub(super) lines: Vec<Vec<W::Move>>,
    pub(super) order: Order,
    reductions: Vec<[i32; 64]>,
}

impl<'a, W: World> Search<'a, W> {
    /// `history` holds the keys of the game so far, without that of the root; `salt` keeps the variants apart.
    pub(super) fn new(
        table: &'a mut Table,
        salt: u64,
        control: Control<'a>,
        limits: Limits,
        history: &[u64],
    ) -> Search<'a, W> {
        table.grow_older();
        Search {
            table,
            salt,
            control,
            limits,
            nodes: 0,
            halted: false,
            path: history.to_vec(),
            game_plies: history.len(),
            lists: (0..=MAX_PLY).map(|_| Vec::new()).collect(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            order: Order::new(),
            reductions: reductions(),
        }
    }

    /// Counts a position; true if the search has to end.
    pub(super) fn tick(&mut self) -> bool {
        if self.halted {
            return true;
        }
        self.nodes += 1;
        let is_late = || self.limits.most.is_some_and(|most| (self.control.elapsed)() >= most);
        self.halted = self.control.stop.is_stopped()
            || self.limits.nodes.is_some_and(|most| self.nodes > most)
            || (self.nodes.is_multiple_of(CLOCK_EVERY) && is_late());
        self.halted
    }

    /// Whether somebody's clock runs while this is thought over.
    pub(super) fn is_timed(&self) -> bool {
        self.limits.most.is_some() || self.limits.enough.is_some()
    }

    pub(super) fn key(&self, world: &W) -> u64 {
        world.key() ^ self.salt
    }

    pub(super) fn take_list(&mut self, ply: usize) -> Vec<Ranked<W::Move>> {
        let mut list = std::mem::take(&mut self.lists[ply.min(MAX_PLY)]);
        list.clear();
        list
    }

    pub(super) fn give_back(&mut self, ply: usize, list: Vec<Ranked<W::Move>>) {
        self.lists[ply.min(MAX_PLY)] = list;
    }

    /// Whether the position stood before: once since the root, or twice before it.
    fn is_repeated(&self, world: &W) -> bool {
        let reversible = world.reversible();
        // Where passing is a move, two plies are enough to be back.
        if reversible < 2 {
            return false;
        }
        let key = world.key();
        let first = self.path.len().saturating_sub(reversible);
        let mut before = 0;
        for at in (first..self.path.len()).rev() {
            if self.path[at] == key {
                before += 1;
                if at >= self.game_plies || before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The value of a position, searched to a depth, as far as it lies between alpha and beta.
    pub(super) fn descend(
        &mut self,
        world: &W,
        depth: i32,
        ply: usize,
        alpha: Value,
        beta: Value,
        may_pass: bool,
    ) -> Value {
        // Where the king is in danger the search goes on, but not for ever.
        let checked = (depth > 0 || ply < MAX_PLY / 2) && world.in_check();
        let depth = if checked { depth.max(0) + 1 } else { depth };
        if depth <= 0 {
            return self.settle(world, ply, alpha, beta, 0);
        }
        if self.tick() {
            return 0;
        }
        self.lines[ply].clear();
        if let Some(end) = world.end() {
            return end.value(ply);
        }
        if self.is_repeated(world) {
            return 0;
        }
        if ply >= MAX_PLY - 1 {
            return world.evaluate();
        }
        // Nothing beats a mate that was found nearer to the root.
        let (alpha, beta) = (alpha.max(plies(ply) - MATE), beta.min(MATE - plies(ply) - 1));
        if alpha >= beta {
            return alpha;
        }

        let on_line = beta - alpha > 1;
        let key = self.key(world);
        let known = self.table.find(key);
        let useful = known.filter(|entry| !on_line && entry.depth() >= depth);
        if let Some(value) = useful.and_then(|entry| entry.decides(ply, alpha, beta)) {
            return value;
        }
        let best_known = known.map_or(0, |entry| entry.best);
        let quiet_value = if checked { -INFINITE } else { world.evaluate() };
        let may_prune = !on_line && !checked && beta.abs() < DECIDED;
        let mut node = Node {
            key,
            depth,
            ply,
            alpha,
            beta,
            checked,
            on_line,
            may_prune,
            quiet_value,
            best_known,
        };
        if may_prune && let Some(value) = self.cut_short(world, &node, may_pass) {
            return value;
        }
        if best_known == 0 && depth >= 5 {
            node.depth -= 1;
        }
        self.try_moves(world, node)
    }

    /// A position so good that it will stay above beta whatever is played.
    fn cut_short(&mut self, world: &W, node: &Node, may_pass: bool) -> Option<Value> {
        let &Node { depth, ply, beta, quiet_value, .. } = node;
        if depth <= 6 && quiet_value - 85 * depth >= beta {
            return Some(quiet_value);
        }
        if !may_pass || depth < 3 || quiet_value < beta {
            return None;
        }
        // If it is good enough even when nothing is played, it is good enough.
        let passed = world.pass()?;
        let reduced = depth - 3 - depth / 4 - ((quiet_value - beta) / 200).min(3);
        self.path.push(world.key());
        let value = -self.descend(&passed, reduced, ply + 1, -beta, -beta + 1, false);
        self.path.pop();
        if self.halted || value < beta {
            return None;
        }
        // A mate behind a move that was not played is none.
        Some(if value >= DECIDED { beta } else { value })
    }

    fn try_moves(&mut self, world: &W, mut node: Node) -> Value {
        let Node { key, depth, ply, beta, checked, on_line, best_known, .. } = node;
        let mut list = self.take_list(ply);
        world.moves(Wanted::All, &mut list);
        let side = world.side();
        self.order.rank::<W>(side, ply, best_known, &mut list);
        self.path.push(world.key());

        let mut best = -INFINITE;
        let mut best_id = 0;
        let mut bound = Bound::Upper;
        let mut tried = [0; 64];
        let mut quiets = 0;
        let mut searched: usize = 0;
        for next in 0..list.len() {
            bring_best(&mut list, next);
            let ranked = list[next];
            let id = W::id(ranked.m);
            let is_quiet = ranked.class == Class::Quiet;
            if searched > 0 && best > -DECIDED && id != best_known && node.skips(&ranked, quiets) {
                continue;
            }
            let Some(child) = world.after(ranked.m) else { continue };
            searched += 1;
            let value = match world.chances(ranked.m) {
                chances if !chances.is_empty() => self.mean(&chances, depth - 2, ply + 1),
                _ if searched == 1 => {
                    -self.descend(&child, depth - 1, ply + 1, -beta, -node.alpha, true)
                }
                _ => {
                    let reduction = if depth >= 3 && ranked.class != Class::Noisy && !checked {
                        let history = if is_quiet { self.order.history(side, id) } else { 0 };
                        self.reduction(depth, searched, on_line, history)
                    } else {
                        0
                    };
                    self.probe(&child, depth - 1, reduction, ply + 1, node.alpha, beta)
                }
            };
            if self.halted {
                break;
            }
            if value > best {
                best = value;
                best_id = id;
                if value > node.alpha {
                    node.alpha = value;
                    bound = Bound::Exact;
                    self.extend_line(ply, ranked.m);
                }
            }
            if node.alpha >= beta {
                bound = Bound::Lower;
                if is_quiet {
                    let before = &tried[..quiets.min(tried.len())];
                    self.order.reward(side, ply, depth, id, before);
                }
                break;
            }
            if is_quiet {
                if let Some(slot) = tried.get_mut(quiets) {
                    *slot = id;
                }
                quiets += 1;
            }
        }
        self.path.pop();
        self.give_back(ply, list);
        if self.halted {
            return 0;
        }
        if searched == 0 {
            return world.without_moves().value(ply);
        }
        let best_id = if bound == Bound::Upper { 0 } else { best_id };
        self.table.store(key, ply, depth, best, bound, best_id);
        best
    }

    /// A narrow search that expects the move not to be better than alpha, repeated in full if it is.
    pub(super) fn probe(
        &mut self,
        child: &W,
        depth: i32,
        reduction: i32,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let mut value = -self.descend(child, depth - reduction, ply, -alpha - 1, -alpha, true);
        if value > alpha && reduction > 0 {
            value = -self.descend(child, depth, ply, -alpha - 1, -alpha, true);
        }
        if value > alpha && value < beta {
            value = -self.descend(child, depth, ply, -beta, -alpha, true);
        }
        value
    }

    /// What a move is worth on average if chance decides where it leads.
    pub(super) fn mean(&mut self, chances: &[W], depth: i32, ply: usize) -> Value {
        let sum: Value = chances
            .iter()
            .map(|child| -self.descend(child, depth, ply, -INFINITE, INFINITE, false))
            .map(|value| value.clamp(-LUCK, LUCK))
            .sum();
        self.lines[ply].clear();
        sum / plies(chances.len()).max(1)
    }

    fn reduction(&self, depth: i32, searched: usize, on_line: bool, history: i32) -> i32 {
        let row = usize::try_from(depth).unwrap_or(0).min(self.reductions.len() - 1);
        let usual = self.reductions[row][searched.min(63)];
        (usual - i32::from(on_line) - history / 5_000).clamp(0, depth - 1)
    }

    pub(super) fn extend_line(&mut self, ply: usize, m: W::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0]);
    }
}

/// A position being searched.
struct Node {
    key: u64,
    depth: i32,
    ply: usize,
    alpha: Value,
    beta: Value,
    checked: bool,
    /// Whether it lies on the line that is expected to be played: the window is open.
    on_line: bool,
    may_prune: bool,
    /// The value at one look.
    quiet_value: Value,
    /// The move the table remembers.
    best_known: u16,
}

impl Node {
    /// Whether a move near the leaves is too unlikely to matter; some other move was searched already.
    fn skips<M>(&self, ranked: &Ranked<M>, quiets: usize) -> bool {
        if !self.may_prune || self.depth > 5 || ranked.class == Class::Noisy {
            return false;
        }
        let margin = 120 + 90 * self.depth;
        let is_hopeless = self.quiet_value + ranked.gain.max(0) + margin <= self.alpha;
        let is_late = ranked.class == Class::Quiet && quiets >= lateness(self.depth);
        let is_losing = ranked.class == Class::Losing && self.depth <= 3;
        is_hopeless || is_late || is_losing
    }
}

/// How many quiet moves are tried near the leaves before the rest is left out.
fn lateness(depth: i32) -> usize {
    usize::try_from(4 + depth * depth * 2).unwrap_or(usize::MAX)
}

/// How much shallower the n-th move is searched at first, by depth.
fn reductions() -> Vec<[i32; 64]> {
    let reduction = |depth: u32, number: u32| {
        let product = f64::from(depth.max(1)).ln() * f64::from(number.max(1)).ln();
        #[expect(clippy::cast_possible_truncation, reason = "at most 12")]
        let whole = (0.5 + product / 2.3) as i32;
        if number < 3 { 0 } else { whole }
    };
    let row = |depth| {
        let mut row = [0; 64];
        for (cell, number) in row.iter_mut().zip(0..) {
            *cell = reduction(depth, number);
        }
        row
    };
    (0..64).map(row).collect()
}
