//! The alternating tree: how one single vertex finds another.

use super::{Edge, Label, Matcher, NO_EDGE};
use crate::matching::wide::Weight;
use crate::matching::{NONE, compact};

/// What limits the next change of the duals.
enum Limit {
    /// An edge from the tree to a vertex outside, or between two outer vertices, becomes tight.
    Edge(Edge),
    /// The dual of an inner blossom reaches zero.
    Blossom(u32),
}

impl<W: Weight> Matcher<W> {
    /// Grows a tree from a single vertex until an augmenting path is found and used. False if
    /// there is none, which means that no perfect matching exists.
    pub(super) fn grow_tree(
        &mut self,
        root: u32,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> bool {
        self.label.fill(Label::Free);
        self.label_edge.fill(NO_EDGE);
        self.best_edge.fill(NO_EDGE);
        self.best_list.fill(None);
        self.queue.clear();
        self.assign_outer(root, NO_EDGE);
        loop {
            while let Some(vertex) = self.queue.pop() {
                if self.scan(vertex, weight) {
                    self.shed_empty_blossoms();
                    return true;
                }
            }
            let Some((delta, limit)) = self.next_limit() else { return false };
            self.change_duals(delta);
            match limit {
                Limit::Edge(edge) => {
                    if self.use_tight(edge, weight) {
                        self.shed_empty_blossoms();
                        return true;
                    }
                }
                Limit::Blossom(blossom) => self.expand_inner(blossom),
            }
        }
    }

    fn assign_outer(&mut self, vertex: u32, edge: Edge) {
        let top = self.top[vertex as usize];
        for id in [vertex, top] {
            self.label[id as usize] = Label::Outer;
            self.label_edge[id as usize] = edge;
            self.best_edge[id as usize] = NO_EDGE;
        }
        if self.is_blossom(top) {
            let leaves = self.leaves(top);
            self.queue.extend(leaves);
        } else {
            self.queue.push(top);
        }
    }

    /// Labels the blossom of `vertex` inner, reached from `from`, and its partner outer.
    pub(super) fn assign_inner(&mut self, vertex: u32, from: u32) {
        let top = self.top[vertex as usize];
        for id in [vertex, top] {
            self.label[id as usize] = Label::Inner;
            self.label_edge[id as usize] = (from, vertex);
            self.best_edge[id as usize] = NO_EDGE;
        }
        let base = self.base[top as usize];
        let mate = self.mate[base as usize];
        self.assign_outer(mate, (base, mate));
    }

    /// Looks at all edges of a new outer vertex. True if that completed an augmenting path.
    fn scan(&mut self, vertex: u32, weight: &impl Fn(usize, usize) -> Option<W>) -> bool {
        for other in 0..compact(self.size) {
            let (own, theirs) = (self.top[vertex as usize], self.top[other as usize]);
            if own == theirs {
                continue;
            }
            let Some(slack) = self.slack(vertex, other, weight) else { continue };
            if slack == W::ZERO {
                if self.use_tight((vertex, other), weight) {
                    return true;
                }
            } else if self.label[theirs as usize] == Label::Outer {
                self.note_edge(own, (vertex, other), slack);
            } else if self.label[other as usize] == Label::Free {
                self.note_edge(other, (vertex, other), slack);
            }
        }
        false
    }

    fn note_edge(&mut self, at: u32, edge: Edge, slack: W) {
        let index = at as usize;
        if self.best_edge[index] == NO_EDGE || slack < self.best_slack(index) {
            self.best_edge[index] = edge;
            self.best_weight[index] =
                self.dual[edge.0 as usize] + self.dual[edge.1 as usize] - slack;
        }
    }

    /// Uses a tight edge from an outer vertex. True if that completed an augmenting path.
    fn use_tight(
        &mut self,
        (vertex, other): Edge,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> bool {
        let theirs = self.top[other as usize];
        if self.top[vertex as usize] == theirs {
            return false;
        }
        match self.label[theirs as usize] {
            Label::Free => {
                if self.mate[self.base[theirs as usize] as usize] == NONE {
                    self.augment((vertex, other));
                    return true;
                }
                self.assign_inner(other, vertex);
            }
            Label::Outer | Label::Crumb => {
                let base = self.common_base(vertex, other);
                self.add_blossom(base, (vertex, other), weight);
            }
            Label::Inner => {
                if self.label[other as usize] == Label::Free {
                    self.label[other as usize] = Label::Inner;
                    self.label_edge[other as usize] = (vertex, other);
                }
            }
        }
        false
    }

    /// The base of the blossom closest to both vertices on their ways to the root.
    fn common_base(&mut self, one: u32, other: u32) -> u32 {
        let mut path = Vec::new();
        let mut ways = [one, other];
        let mut turn = 0;
        let base = loop {
            let top = self.top[ways[turn] as usize];
            if self.label[top as usize] == Label::Crumb {
                break self.base[top as usize];
            }
            path.push(top);
            self.label[top as usize] = Label::Crumb;
            let edge = self.label_edge[top as usize];
            ways[turn] = if edge == NO_EDGE {
                NONE
            } else {
                let inner = self.top[edge.0 as usize];
                self.label_edge[inner as usize].0
            };
            if ways[1 - turn] != NONE {
                turn = 1 - turn;
            }
        };
        for top in path {
            self.label[top as usize] = Label::Outer;
        }
        base
    }

    /// Turns the path root … `vertex` - `other` around.
    fn augment(&mut self, (vertex, other): Edge) {
        let theirs = self.top[other as usize];
        if self.is_blossom(theirs) {
            self.rotate(theirs, other);
        }
        self.mate[other as usize] = vertex;
        let (mut outer, mut partner) = (vertex, other);
        loop {
            let top = self.top[outer as usize];
            if self.is_blossom(top) {
                self.rotate(top, outer);
            }
            self.mate[outer as usize] = partner;
            let edge = self.label_edge[top as usize];
            if edge == NO_EDGE {
                return;
            }
            let inner_top = self.top[edge.0 as usize];
            let (next_outer, entry) = self.label_edge[inner_top as usize];
            if self.is_blossom(inner_top) {
                self.rotate(inner_top, entry);
            }
            self.mate[entry as usize] = next_outer;
            (outer, partner) = (next_outer, entry);
        }
    }

    /// How far the duals can move, and what stops them there.
    fn next_limit(&self) -> Option<(W, Limit)> {
        let mut limit: Option<(W, Limit)> = None;
        let mut offer = |delta: W, what: Limit| {
            if limit.as_ref().is_none_or(|(known, _)| delta < *known) {
                limit = Some((delta, what));
            }
        };
        for id in 0..self.parent.len() {
            let is_vertex = id < self.size;
            let edge = self.best_edge[id];
            if is_vertex && edge != NO_EDGE && self.label[self.top[id] as usize] == Label::Free {
                offer(self.best_slack(id), Limit::Edge(edge));
            } else if self.parent[id] != NONE {
                // Only outermost blossoms count.
            } else if self.label[id] == Label::Outer && edge != NO_EDGE {
                offer(self.best_slack(id).half(), Limit::Edge(edge));
            } else if !is_vertex && self.label[id] == Label::Inner {
                offer(self.dual[id], Limit::Blossom(compact(id)));
            }
        }
        limit
    }

    fn change_duals(&mut self, delta: W) {
        for vertex in 0..self.size {
            match self.label[self.top[vertex] as usize] {
                Label::Outer => self.dual[vertex] = self.dual[vertex] - delta,
                Label::Inner => self.dual[vertex] = self.dual[vertex] + delta,
                Label::Free | Label::Crumb => {}
            }
        }
        for id in self.size..self.parent.len() {
            if self.parent[id] == NONE {
                match self.label[id] {
                    Label::Outer => self.dual[id] = self.dual[id] + delta,
                    Label::Inner => self.dual[id] = self.dual[id] - delta,
                    Label::Free | Label::Crumb => {}
                }
            }
        }
    }

    /// Opens blossoms that have no dual: they would only slow down the next search.
    fn shed_empty_blossoms(&mut self) {
        let mut open: Vec<u32> = (compact(self.size)..compact(self.parent.len())).collect();
        while let Some(id) = open.pop() {
            let at = id as usize;
            if self.parent[at] == NONE && !self.children[at].is_empty() && self.dual[at] == W::ZERO
            {
                let children = self.children[at].clone();
                self.dissolve(id);
                open.extend(children.into_iter().filter(|&child| self.is_blossom(child)));
            }
        }
    }
}
