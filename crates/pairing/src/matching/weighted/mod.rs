//! The heaviest perfect matching of a dense graph, kept heaviest while weights change.
//!
//! Edmonds' primal-dual method, one alternating tree at a time: a tree grows from one single
//! vertex until it reaches another. Growing from one vertex only has a price in elegance but
//! lets duals be arbitrary, and so a changed vertex can be taken out and put back with one or
//! two trees instead of a new start.
//!
//! Weights are not stored: whoever calls gives a function of two vertices. They must be even
//! numbers, so that halves of slacks stay whole; `None` means that the two cannot be joined.
//! A matching "as heavy as possible, not everybody need be matched" is asked for by joining
//! vertices that cannot meet with weight zero.

mod blossom;
mod search;

use super::wide::Weight;
use super::{NONE, compact};

/// Where a vertex or blossom stands in the tree that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    /// Not reached.
    Free,
    /// At even distance from the root.
    Outer,
    /// At odd distance from the root.
    Inner,
    /// Outer, and seen on the walk back to the root.
    Crumb,
}

/// An edge with a direction.
type Edge = (u32, u32);
const NO_EDGE: Edge = (NONE, NONE);

/// A matching with the duals that prove it the heaviest.
///
/// Numbers below `size` are vertices, the rest blossoms.
#[derive(Debug, Clone)]
pub struct Matcher<W> {
    size: usize,
    mate: Vec<u32>,
    dual: Vec<W>,
    /// The blossom directly around a vertex or blossom.
    parent: Vec<u32>,
    /// The outermost blossom around a vertex, or the vertex itself.
    top: Vec<u32>,
    base: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// Edge `i` leads from child `i` to child `i + 1`.
    cycle: Vec<Vec<Edge>>,
    spare: Vec<u32>,
    label: Vec<Label>,
    label_edge: Vec<Edge>,
    best_edge: Vec<Edge>,
    /// The weights of the best edges.
    best_weight: Vec<W>,
    best_list: Vec<Option<Vec<Edge>>>,
    queue: Vec<u32>,
    scratch: Vec<Edge>,
    scratch_slack: Vec<W>,
}

impl<W: Weight> Matcher<W> {
    /// A matching of so many vertices, all single. An odd number cannot be matched.
    pub fn new(size: usize) -> Matcher<W> {
        let all = size + size / 2 + 1;
        Matcher {
            size,
            mate: vec![NONE; size],
            dual: vec![W::ZERO; all],
            parent: vec![NONE; all],
            top: (0..compact(size)).collect(),
            base: (0..compact(all)).collect(),
            children: vec![Vec::new(); all],
            cycle: vec![Vec::new(); all],
            spare: (compact(size)..compact(all)).rev().collect(),
            label: vec![Label::Free; all],
            label_edge: vec![NO_EDGE; all],
            best_edge: vec![NO_EDGE; all],
            best_weight: vec![W::ZERO; all],
            best_list: vec![None; all],
            queue: Vec::new(),
            scratch: vec![NO_EDGE; all],
            scratch_slack: vec![W::ZERO; all],
        }
    }

    /// Whom a vertex is matched with.
    pub fn mate(&self, vertex: usize) -> usize {
        self.mate[vertex] as usize
    }

    /// Finds the heaviest perfect matching from nothing. Says whether there is any.
    pub fn solve(&mut self, weight: &impl Fn(usize, usize) -> Option<W>) -> bool {
        for vertex in 0..self.size {
            let heaviest = (0..self.size)
                .filter(|&other| other != vertex)
                .filter_map(|other| weight(vertex, other));
            self.dual[vertex] = heaviest.max().unwrap_or(W::ZERO).half();
        }
        self.match_greedily(weight);
        self.match_all(weight)
    }

    /// How far an edge is from being usable in some heaviest matching; zero means it may be
    /// in one, more means it is in none.
    pub fn is_tight(
        &self,
        one: usize,
        other: usize,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> bool {
        if self.top[one] == self.top[other] {
            return self.inside_slack(one, other, weight) == Some(W::ZERO);
        }
        self.slack(compact(one), compact(other), weight) == Some(W::ZERO)
    }

    /// Matches `one` with `other`, and their mates with each other, if that is as heavy and can
    /// be seen at once.
    pub fn swap(
        &mut self,
        one: usize,
        other: usize,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> bool {
        let mates = (self.mate(one), self.mate(other));
        let is_outermost = |vertex: usize| self.top[vertex] == compact(vertex);
        let possible = [one, other, mates.0, mates.1].into_iter().all(is_outermost)
            && self.is_tight(one, other, weight)
            && self.is_tight(mates.0, mates.1, weight);
        if possible {
            for (one, other) in [(one, other), mates] {
                self.mate[one] = compact(other);
                self.mate[other] = compact(one);
            }
        }
        possible
    }

    /// The weights of edges at `vertex` have changed: makes the matching heaviest again.
    pub fn reweigh(&mut self, vertex: usize, weight: &impl Fn(usize, usize) -> Option<W>) -> bool {
        self.detach(vertex);
        let others = (0..self.size).filter(|&other| other != vertex);
        let needed = others.filter_map(|other| Some(weight(vertex, other)? - self.dual[other]));
        self.dual[vertex] = needed.max().unwrap_or(W::ZERO);
        self.match_all(weight)
    }

    /// Edges of these vertices may not be used any more or have lost weight: makes the matching
    /// heaviest again.
    pub fn restrict(
        &mut self,
        vertices: &[usize],
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> bool {
        for &vertex in vertices {
            self.release(vertex);
            let mate = self.mate[vertex];
            if mate != NONE && self.slack(compact(vertex), mate, weight) != Some(W::ZERO) {
                self.separate(compact(vertex));
            }
        }
        self.match_all(weight)
    }

    /// All weights have changed, and `shift` (by vertex) has been chosen so that duals moved by
    /// it are large enough for the new weights: makes the matching heaviest again.
    pub fn reweigh_all(
        &mut self,
        shift: impl Fn(usize) -> W,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> bool {
        for vertex in 0..self.size {
            self.release(vertex);
        }
        for vertex in 0..self.size {
            self.dual[vertex] = self.dual[vertex] + shift(vertex);
        }
        for vertex in 0..compact(self.size) {
            let mate = self.mate[vertex as usize];
            if mate != NONE && self.slack(vertex, mate, weight) != Some(W::ZERO) {
                self.separate(vertex);
            }
        }
        self.match_greedily(weight);
        self.match_all(weight)
    }

    /// Joins single vertices over tight edges as long as that is possible at once.
    fn match_greedily(&mut self, weight: &impl Fn(usize, usize) -> Option<W>) {
        for vertex in 0..compact(self.size) {
            if self.mate[vertex as usize] != NONE {
                continue;
            }
            let single = |other: &u32| *other != vertex && self.mate[*other as usize] == NONE;
            let tight = |other: &u32| self.slack(vertex, *other, weight) == Some(W::ZERO);
            let partner = (0..compact(self.size)).filter(single).find(tight);
            if let Some(other) = partner {
                self.mate[vertex as usize] = other;
                self.mate[other as usize] = vertex;
            }
        }
    }

    fn match_all(&mut self, weight: &impl Fn(usize, usize) -> Option<W>) -> bool {
        (0..compact(self.size))
            .all(|vertex| self.mate[vertex as usize] != NONE || self.grow_tree(vertex, weight))
    }

    /// Takes a vertex out of all blossoms and out of its match.
    fn detach(&mut self, vertex: usize) {
        self.release(vertex);
        if self.mate[vertex] != NONE {
            self.separate(compact(vertex));
        }
    }

    /// Opens the blossoms around a vertex. A blossom's dual goes to its vertices: edges inside
    /// stay as tight as they were, the match that leads out of it is lost.
    fn release(&mut self, vertex: usize) {
        while self.top[vertex] != compact(vertex) {
            let blossom = self.top[vertex];
            let dual = self.dual[blossom as usize];
            if dual > W::ZERO {
                let base = self.base[blossom as usize];
                if self.mate[base as usize] != NONE {
                    self.separate(base);
                }
                for leaf in self.leaves(blossom) {
                    self.dual[leaf as usize] = self.dual[leaf as usize] + dual;
                }
            }
            self.dissolve(blossom);
        }
    }

    fn separate(&mut self, vertex: u32) {
        let mate = self.mate[vertex as usize];
        self.mate[vertex as usize] = NONE;
        self.mate[mate as usize] = NONE;
    }

    fn is_blossom(&self, id: u32) -> bool {
        id as usize >= self.size
    }

    fn slack(
        &self,
        one: u32,
        other: u32,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> Option<W> {
        let (one, other) = (one as usize, other as usize);
        weight(one, other).map(|weight| self.dual[one] + self.dual[other] - weight)
    }

    /// The slack of the best edge noted at a vertex or blossom.
    fn best_slack(&self, at: usize) -> W {
        let (one, other) = self.best_edge[at];
        self.dual[one as usize] + self.dual[other as usize] - self.best_weight[at]
    }

    /// The slack of an edge whose ends lie in the same blossom.
    fn inside_slack(
        &self,
        one: usize,
        other: usize,
        weight: &impl Fn(usize, usize) -> Option<W>,
    ) -> Option<W> {
        let mut slack = self.slack(compact(one), compact(other), weight)?;
        let mut around = Vec::new();
        let mut blossom = self.parent[one];
        while blossom != NONE {
            around.push(blossom);
            blossom = self.parent[blossom as usize];
        }
        let mut blossom = self.parent[other];
        while blossom != NONE {
            if around.contains(&blossom) {
                let dual = self.dual[blossom as usize];
                slack = slack + dual + dual;
            }
            blossom = self.parent[blossom as usize];
        }
        Some(slack)
    }
}
