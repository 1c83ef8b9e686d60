//! Blossoms: odd cycles of tight edges treated as one vertex.

use super::{Edge, Label, Matcher, NO_EDGE};
use crate::matching::wide::Weight;
use crate::matching::{NONE, compact};

impl<W: Weight> Matcher<W> {
    /// The vertices inside a blossom (or the vertex itself).
    pub(super) fn leaves(&self, id: u32) -> Vec<u32> {
        if !self.is_blossom(id) {
            return vec![id];
        }
        let mut leaves = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.is_blossom(id) {
                open.extend(&self.children[id as usize]);
            } else {
                leaves.push(id);
            }
        }
        leaves
    }

    /// Makes a blossom of the cycle closed by the tight edge between two outer vertices.
    pub(super) fn add_blossom(
        &mut self,
        base: u32,
        edge: Edge,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) {
        let (path, cycle) = self.trace_cycle(base, edge);
        let base_child = self.top[base as usize];
        let blossom = self.spare.pop().expect("n vertices never hold more than n/2 blossoms");
        let id = blossom as usize;
        self.base[id] = base;
        self.parent[id] = NONE;
        for &child in &path {
            self.parent[child as usize] = blossom;
        }
        self.label[id] = Label::Outer;
        self.label_edge[id] = self.label_edge[base_child as usize];
        self.dual[id] = W::ZERO;
        self.children[id] = path;
        self.cycle[id] = cycle;
        for leaf in self.leaves(blossom) {
            // Inner vertices have become outer by this.
            if self.label[self.top[leaf as usize] as usize] == Label::Inner {
                self.queue.push(leaf);
            }
            self.top[leaf as usize] = blossom;
        }
        self.gather_best_edges(blossom, weight);
    }

    /// The children of the new blossom in order, beginning with the base's, and the edges
    /// between them.
    fn trace_cycle(&self, base: u32, (one, other): Edge) -> (Vec<u32>, Vec<Edge>) {
        let base_child = self.top[base as usize];
        let mut path = Vec::new();
        let mut cycle = vec![(one, other)];
        let mut child = self.top[one as usize];
        while child != base_child {
            path.push(child);
            let edge = self.label_edge[child as usize];
            cycle.push(edge);
            child = self.top[edge.0 as usize];
        }
        path.push(base_child);
        path.reverse();
        cycle.reverse();
        child = self.top[other as usize];
        while child != base_child {
            path.push(child);
            let (from, to) = self.label_edge[child as usize];
            cycle.push((to, from));
            child = self.top[from as usize];
        }
        (path, cycle)
    }

    /// Collects the least slack edges from a new outer blossom to every other outer one.
    fn gather_best_edges(&mut self, blossom: u32, weight: &impl Fn(usize, usize) -> Option<W>) {
        let mut reached = Vec::new();
        for child in self.children[blossom as usize].clone() {
            if let Some(edges) = self.best_list[child as usize].take() {
                for edge in edges {
                    self.offer_best_edge(blossom, edge, &mut reached, weight);
                }
            } else {
                for leaf in self.leaves(child) {
                    for other in 0..compact(self.size) {
                        self.offer_best_edge(blossom, (leaf, other), &mut reached, weight);
                    }
                }
            }
            self.best_edge[child as usize] = NO_EDGE;
        }
        let mut edges = Vec::with_capacity(reached.len());
        let mut best: Option<(W, Edge)> = None;
        for target in reached {
            let edge = std::mem::replace(&mut self.scratch[target as usize], NO_EDGE);
            let slack = self.scratch_slack[target as usize];
            if best.is_none_or(|(known, _)| slack < known) {
                best = Some((slack, edge));
            }
            edges.push(edge);
        }
        if let Some((slack, (from, to))) = best {
            self.best_edge[blossom as usize] = (from, to);
            self.best_weight[blossom as usize] =
                self.dual[from as usize] + self.dual[to as usize] - slack;
        } else {
            self.best_edge[blossom as usize] = NO_EDGE;
        }
        self.best_list[blossom as usize] = Some(edges);
    }

    /// Keeps an edge out of a blossom if it is the best one to its target so far.
    fn offer_best_edge(
        &mut self,
        blossom: u32,
        (from, to): Edge,
        reached: &mut Vec<u32>,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) {
        let target = self.top[to as usize];
        if target == blossom || self.label[target as usize] != Label::Outer {
            return;
        }
        let Some(slack) = self.slack(from, to, weight) else { return };
        let is_new = self.scratch[target as usize] == NO_EDGE;
        if is_new {
            reached.push(target);
        }
        if is_new || slack < self.scratch_slack[target as usize] {
            self.scratch[target as usize] = (from, to);
            self.scratch_slack[target as usize] = slack;
        }
    }

    /// Opens an outermost blossom; its children become outermost.
    pub(super) fn dissolve(&mut self, blossom: u32) {
        let id = blossom as usize;
        for child in std::mem::take(&mut self.children[id]) {
            self.parent[child as usize] = NONE;
            for leaf in self.leaves(child) {
                self.top[leaf as usize] = child;
            }
        }
        self.cycle[id].clear();
        self.label[id] = Label::Free;
        self.label_edge[id] = NO_EDGE;
        self.best_edge[id] = NO_EDGE;
        self.best_list[id] = None;
        self.spare.push(blossom);
    }

    /// Opens an inner blossom whose dual has come down to zero, in the middle of a search: the
    /// part of its cycle on the way from entry to base stays in the tree.
    pub(super) fn expand_inner(&mut self, blossom: u32) {
        let id = blossom as usize;
        let children = self.children[id].clone();
        let cycle = self.cycle[id].clone();
        let (outside, entry) = self.label_edge[id];
        self.dissolve(blossom);
        let entry_child = self.top[entry as usize];
        let count = children.len();
        let start = children
            .iter()
            .position(|&child| child == entry_child)
            .expect("the entry lies in the blossom");
        // Walk towards the base in the direction in which the number of steps is even.
        let forward = start % 2 == 1;
        let step = |at: usize| if forward { (at + 1) % count } else { (at + count - 1) % count };
        let edge_from = |at: usize| {
            if forward {
                cycle[at]
            } else {
                let (from, to) = cycle[(at + count - 1) % count];
                (to, from)
            }
        };
        let (mut from, mut to) = (outside, entry);
        let mut at = start;
        while at != 0 {
            // The child at `at` is inner, the next one on the way its outer partner.
            let (_, partner_entry) = edge_from(at);
            self.label[to as usize] = Label::Free;
            self.label[partner_entry as usize] = Label::Free;
            self.assign_inner(to, from);
            at = step(at);
            (from, to) = edge_from(at);
            at = step(at);
        }
        // The base child is inner too, but its partner outside is in the tree already.
        let base_child = children[0];
        for id in [to, base_child] {
            self.label[id as usize] = Label::Inner;
            self.label_edge[id as usize] = (from, to);
        }
        self.best_edge[base_child as usize] = NO_EDGE;
        at = step(0);
        while children[at] != entry_child {
            let child = children[at];
            at = step(at);
            if self.label[child as usize] == Label::Outer {
                continue;
            }
            // Off the way: inner only if some outer vertex has reached it meanwhile.
            let reached = self
                .leaves(child)
                .into_iter()
                .find(|&leaf| self.label[leaf as usize] != Label::Free);
            if let Some(leaf) = reached {
                self.label[leaf as usize] = Label::Free;
                let base = self.base[child as usize];
                self.label[self.mate[base as usize] as usize] = Label::Free;
                let from = self.label_edge[leaf as usize].0;
                self.assign_inner(leaf, from);
            }
        }
    }

    /// Turns the matching inside a blossom so that `vertex` becomes its base.
    pub(super) fn rotate(&mut self, blossom: u32, vertex: u32) {
        let id = blossom as usize;
        let mut child = vertex;
        while self.parent[child as usize] != blossom {
            child = self.parent[child as usize];
        }
        if self.is_blossom(child) {
            self.rotate(child, vertex);
        }
        let count = self.children[id].len();
        let start = self.children[id]
            .iter()
            .position(|&other| other == child)
            .expect("a child is among the children");
        let forward = start % 2 == 1;
        let step = |at: usize| if forward { (at + 1) % count } else { (at + count - 1) % count };
        let mut at = start;
        while at != 0 {
            at = step(at);
            let (one, other) = if forward {
                self.cycle[id][at]
            } else {
                let (from, to) = self.cycle[id][(at + count - 1) % count];
                (to, from)
            };
            for (end, at) in [(one, at), (other, step(at))] {
                let child = self.children[id][at];
                if self.is_blossom(child) {
                    self.rotate(child, end);
                }
            }
            at = step(at);
            self.mate[one as usize] = other;
            self.mate[other as usize] = one;
        }
        self.children[id].rotate_left(start);
        self.cycle[id].rotate_left(start);
        self.base[id] = self.base[self.children[id][0] as usize];
    }
}
