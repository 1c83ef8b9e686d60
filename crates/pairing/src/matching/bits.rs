//! Sets of small numbers and graphs, as bits.

const WORD: usize = 64;

/// A set of numbers below a fixed size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `size`.
    pub fn new(size: usize) -> Bits {
        Bits { words: vec![0; size.div_ceil(WORD)] }
    }

    /// The set of these numbers.
    pub fn of(size: usize, members: impl IntoIterator<Item = usize>) -> Bits {
        let mut bits = Bits::new(size);
        members.into_iter().for_each(|member| bits.insert(member));
        bits
    }

    /// Whether `member` is in the set.
    pub fn contains(&self, member: usize) -> bool {
        self.words[member / WORD] >> (member % WORD) & 1 == 1
    }

    /// Adds a member.
    pub fn insert(&mut self, member: usize) {
        self.words[member / WORD] |= 1 << (member % WORD);
    }

    /// Takes a member out.
    pub fn remove(&mut self, member: usize) {
        self.words[member / WORD] &= !(1 << (member % WORD));
    }

    /// The words, 64 members each, the lowest first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, to be changed.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| Members { word, index })
    }
}

impl Bits {
    /// The last member for which something holds.
    pub fn last_where(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let words = self.words.iter().enumerate().rev();
        words
            .flat_map(|(index, &word)| {
                Members { word, index }.collect::<Vec<_>>().into_iter().rev()
            })
            .find(|&member| holds(member))
    }
}

/// The members of one word of a set.
#[derive(Debug, Clone)]
pub struct Members {
    /// What is left of the word.
    pub word: u64,
    /// Which word of the set it is.
    pub index: usize,
}

impl Iterator for Members {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.word == 0 {
            return None;
        }
        let member = self.index * WORD + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(member)
    }
}

/// An undirected graph without loops: one row of bits for every vertex.
#[derive(Debug, Clone)]
pub struct BitGraph {
    size: usize,
    stride: usize,
    rows: Vec<u64>,
}

impl BitGraph {
    /// The graph in which everybody is joined to everybody else.
    pub fn complete(size: usize) -> BitGraph {
        let stride = size.div_ceil(WORD);
        let mut graph = BitGraph { size, stride, rows: vec![u64::MAX; stride * size] };
        let spare = stride * WORD - size;
        for vertex in 0..size {
            if let Some(last) = graph.rows[vertex * stride..(vertex + 1) * stride].last_mut() {
                *last >>= spare;
            }
            graph.remove_one_way(vertex, vertex);
        }
        graph
    }

    /// The number of vertices.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether two vertices are joined.
    pub fn joined(&self, one: usize, other: usize) -> bool {
        self.rows[one * self.stride + other / WORD] >> (other % WORD) & 1 == 1
    }

    /// Parts two vertices.
    pub fn part(&mut self, one: usize, other: usize) {
        self.remove_one_way(one, other);
        self.remove_one_way(other, one);
    }

    /// Parts a vertex from all of a set; the caller does the same from the other side.
    pub fn part_one_way(&mut self, vertex: usize, set: &Bits) {
        let row = &mut self.rows[vertex * self.stride..(vertex + 1) * self.stride];
        for (word, mask) in row.iter_mut().zip(set.words()) {
            *word &= !mask;
        }
    }

    /// The neighbours of a vertex, as words.
    pub fn row(&self, vertex: usize) -> &[u64] {
        &self.rows[vertex * self.stride..(vertex + 1) * self.stride]
    }

    fn remove_one_way(&mut self, one: usize, other: usize) {
        self.rows[one * self.stride + other / WORD] &= !(1 << (other % WORD));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_its_members_in_order() {
        let bits = Bits::of(200, [130, 3, 64, 63]);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [3, 63, 64, 130]);
    }

    #[test]
    fn a_complete_graph_joins_all_but_nobody_to_himself() {
        let mut graph = BitGraph::complete(70);
        assert!(graph.joined(0, 69) && !graph.joined(5, 5));
        assert_eq!(graph.row(3).iter().map(|word| word.count_ones()).sum::<u32>(), 69);
        graph.part(0, 69);
        assert!(!graph.joined(0, 69) && !graph.joined(69, 0));
    }
}
