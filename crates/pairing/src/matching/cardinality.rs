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
    mate: Vec<u32>,
    /// The search forest: the vertex before an inner vertex.
    before: Vec<u32>,
    /// The base of the blossom a vertex lies in.
    base: Vec<u32>,
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
            base: vec![NONE; size],
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
            if free.contains(vertex) && let Some(other) = self.first_joined(vertex, &free) {
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
            self.base[vertex] = compact(vertex);
            self.before[vertex] = NONE;
        }
        self.queue.clear();
        self.make_outer(root);
        let mut head = 0;
        while head < self.queue.len() {
            let vertex = self.queue[head] as usize;
            head += 1;
            for index in 0..self.unseen.words().len() {
                let row = self.graph.row(vertex)[index];
                for other in (Members { word: row & self.outer.words()[index], index }) {
                    if self.base[other] != self.base[vertex] {
                        self.shrink(vertex, other);
                    }
                }
                // Taken anew each time: whoever is reached takes the partner along.
                while let Some(other) = (Members { word: row & self.unseen.words()[index], index }).next() {
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

    /// Two outer vertices are joined: the odd cycle through them becomes one blossom.
    fn shrink(&mut self, one: usize, other: usize) {
        let top = self.common_base(one, other);
        let mut inside = Vec::new();
        self.mark_path(one, other, top, &mut inside);
        self.mark_path(other, one, top, &mut inside);
        for vertex in self.members.iter().collect::<Vec<_>>() {
            if inside.contains(&self.base[vertex]) {
                self.base[vertex] = top;
                if !self.outer.contains(vertex) {
                    self.make_outer(vertex);
                }
            }
        }
    }

    /// Notes the bases on the way down to the common one, and turns the tree edges around so
    /// that a path can go either way through the blossom.
    fn mark_path(&mut self, mut vertex: usize, mut child: usize, top: u32, inside: &mut Vec<u32>) {
        while self.base[vertex] != top {
            let mate = self.mate[vertex] as usize;
            inside.extend([self.base[vertex], self.base[mate]]);
            self.before[vertex] = compact(child);
            child = mate;
            vertex = self.before[mate] as usize;
        }
    }

    fn common_base(&self, one: usize, other: usize) -> u32 {
        let mut seen = Vec::new();
        let mut vertex = one;
        loop {
            let base = self.base[vertex];
            seen.push(base);
            let mate = self.mate[base as usize];
            if mate == NONE {
                break;
            }
            vertex = self.before[mate as usize] as usize;
        }
        let mut vertex = other;
        while !seen.contains(&self.base[vertex]) {
            vertex = self.before[self.mate[self.base[vertex] as usize] as usize] as usize;
        }
        self.base[vertex]
    }
}
