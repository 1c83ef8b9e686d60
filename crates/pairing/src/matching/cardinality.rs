//! The largest matching of a graph (Edmonds): can all of these be paired?
//!
//! Pairing graphs are nearly complete, so a greedy start leaves very few vertices single and
//! the search for an augmenting path is short.

use super::bits::{BitGraph, Bits, Members};
use super::{NONE, compact};

/// A matching of some vertices of a graph that grows until it is as large as it can be.
#[derive(Debug, Clone)]
pub struct Cardinality<'a> {
    graph: &'a BitGraph,
    /// Who takes part.
    members: Bits,
    count: usize,
    mate: Vec<u32>,
    /// The search forest: the vertex before an inner vertex.
    before: Vec<u32>,
    /// Leads from a vertex to the base of the blossom it lies in.
    link: Vec<u32>,
    /// The number of the last walk that came by a base.
    walked: Vec<u32>,
    walk: u32,
    outer: Bits,
    /// Members that are neither outer nor inner yet.
    unseen: Bits,
    queue: Vec<u32>,
}

impl<'a> Cardinality<'a> {
    /// Nobody is matched yet; only `members` may ever be.
    pub fn new(graph: &'a BitGraph, members: Bits) -> Cardinality<'a> {
        let size = graph.size();
        Cardinality {
            graph,
            mate: vec![NONE; size],
            before: vec![NONE; size],
            link: vec![NONE; size],
            walked: vec![0; size],
            walk: 0,
            count: members.iter().count(),
            outer: Bits::new(size),
            unseen: Bits::new(size),
            queue: Vec::new(),
            members,
        }
    }

    /// Whom a vertex is matched with.
    pub fn mate(&self, vertex: usize) -> Option<usize> {
        (self.mate[vertex] != NONE).then(|| self.mate[vertex] as usize)
    }

    /// Matches as many of the members as possible, the ones in `first` with precedence, and
    /// gives those that stay single. Who is matched once stays matched.
    pub fn grow(&mut self, first: &[usize]) -> Vec<usize> {
        let order: Vec<usize> = first.iter().copied().chain(self.members.iter()).collect();
        let mut free = self.members.clone();
        for vertex in self.members.iter() {
            if self.mate[vertex] != NONE {
                free.remove(vertex);
            }
        }
        for &vertex in &order {
            if free.contains(vertex)
                && let Some(other) = self.first_joined(vertex, &free)
            {
                self.join(vertex, other);
                free.remove(vertex);
                free.remove(other);
            }
        }
        let mut single = Vec::new();
        for &vertex in &order {
            if self.mate[vertex] == NONE && !single.contains(&vertex) && !self.augment(vertex) {
                single.push(vertex);
            }
        }
        single.retain(|&vertex| self.mate[vertex] == NONE);
        single
    }

    /// All vertices that some largest matching leaves single instead of `root`, itself included.
    pub fn exchangeable(&mut self, root: usize) -> Bits {
        let found = self.search(root);
        debug_assert!(found.is_none(), "the matching is already the largest");
        self.outer.clone()
    }

    fn join(&mut self, one: usize, other: usize) {
        self.mate[one] = compact(other);
        self.mate[other] = compact(one);
    }

    /// The first vertex of the set joined to this one.
    fn first_joined(&self, vertex: usize, set: &Bits) -> Option<usize> {
        let words = self.graph.row(vertex).iter().zip(set.words());
        words.enumerate().find_map(|(index, (row, set))| Members { word: row & set, index }.next())
    }

    /// Looks for an augmenting path from a single vertex and uses it.
    fn augment(&mut self, root: usize) -> bool {
        let Some(end) = self.search(root) else { return false };
        let mut vertex = compact(end);
        while vertex != NONE {
            let before = self.before[vertex as usize];
            let next = self.mate[before as usize];
            self.mate[vertex as usize] = before;
            self.mate[before as usize] = vertex;
            vertex = next;
        }
        true
    }

    /// Grows an alternating tree from `root`; gives the single vertex at the end of a path.
    fn search(&mut self, root: usize) -> Option<usize> {
        self.outer = Bits::new(self.graph.size());
        self.unseen = self.members.clone();
        for vertex in self.members.iter() {
            self.link[vertex] = compact(vertex);
            self.before[vertex] = NONE;
        }
        self.queue.clear();
        self.make_outer(root);
        let mut head = 0;
        // Once everybody is outer there is nothing left to learn.
        while head < self.queue.len() && self.queue.len() < self.count {
            let vertex = self.queue[head] as usize;
            head += 1;
            for index in 0..self.unseen.words().len() {
                let row = self.graph.row(vertex)[index];
                for other in (Members { word: row & self.outer.words()[index], index }) {
                    if self.base(other) != self.base(vertex) {
                        self.shrink(vertex, other);
                    }
                }
                // Taken anew each time: whoever is reached takes the partner along.
                while let Some(other) =
                    (Members { word: row & self.unseen.words()[index], index }).next()
                {
                    self.unseen.remove(other);
                    self.before[other] = compact(vertex);
                    if self.mate[other] == NONE {
                        return Some(other);
                    }
                    self.make_outer(self.mate[other] as usize);
                }
            }
        }
        None
    }

    fn make_outer(&mut self, vertex: usize) {
        self.outer.insert(vertex);
        self.unseen.remove(vertex);
        self.queue.push(compact(vertex));
    }

    /// The base of the blossom a vertex lies in.
    fn base(&mut self, vertex: usize) -> usize {
        let mut at = vertex;
        while self.link[at] as usize != at {
            let above = self.link[at] as usize;
            self.link[at] = self.link[above];
            at = above;
        }
        at
    }

    /// Two outer vertices are joined: the odd cycle through them becomes one blossom.
    fn shrink(&mut self, one: usize, other: usize) {
        let top = self.common_base(one, other);
        self.fold_path(one, other, top);
        self.fold_path(other, one, top);
    }

    /// Puts the way down to the common base into one blossom, and turns the tree edges around
    /// so that a path can go either way through it.
    fn fold_path(&mut self, mut vertex: usize, mut child: usize, top: usize) {
        while self.base(vertex) != top {
            let mate = self.mate[vertex] as usize;
            self.before[vertex] = compact(child);
            if !self.outer.contains(mate) {
                self.make_outer(mate);
            }
            for inside in [vertex, mate] {
                if self.base(inside) == inside {
                    self.link[inside] = compact(top);
                }
            }
            child = mate;
            vertex = self.before[mate] as usize;
        }
    }

    /// The nearest base on both ways to the root, found by walking them in turn.
    fn common_base(&mut self, one: usize, other: usize) -> usize {
        self.walk += 1;
        let mut ways = [Some(self.base(one)), Some(self.base(other))];
        for turn in [0, 1].into_iter().cycle() {
            let Some(at) = ways[turn] else { continue };
            if self.walked[at] == self.walk {
                return at;
            }
            self.walked[at] = self.walk;
            let mate = self.mate[at];
            ways[turn] = (mate != NONE).then(|| self.base(self.before[mate as usize] as usize));
        }
        unreachable!("both ways end at the root")
    }
}
