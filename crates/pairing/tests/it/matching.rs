//! Matchings against an exponential count that cannot be wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(clippy::needless_range_loop, reason = "symmetric matrices are filled from both sides")]
#![allow(clippy::option_option, reason = "not yet known, known to be impossible, known")]

use pairing::matching::bits::{BitGraph, Bits};
use pairing::matching::cardinality::Cardinality;
use pairing::matching::weighted::Matcher;
use pairing::matching::wide::{Weight, Wide};

/// A small source of repeatable disorder.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

type Matrix = Vec<Vec<Option<i64>>>;

fn random_matrix(dice: &mut Dice, size: usize, top: u64, holes: u64) -> Matrix {
    let mut matrix = vec![vec![None; size]; size];
    for one in 0..size {
        for other in 0..one {
            if dice.below(100) >= holes {
                let weight = Some(2 * i64::try_from(dice.below(top)).unwrap());
                matrix[one][other] = weight;
                matrix[other][one] = weight;
            }
        }
    }
    matrix
}

/// The heaviest perfect matching of the vertices not in `done`, by trying everything.
fn heaviest(matrix: &Matrix, done: u32, memory: &mut [Option<Option<i64>>]) -> Option<i64> {
    let size = matrix.len();
    if done.count_ones() as usize == size {
        return Some(0);
    }
    if let Some(known) = memory[done as usize] {
        return known;
    }
    let one = (!done).trailing_zeros() as usize;
    let best = (one + 1..size)
        .filter(|&other| done >> other & 1 == 0)
        .filter_map(|other| {
            let rest = heaviest(matrix, done | 1 << one | 1 << other, memory)?;
            Some(matrix[one][other]? + rest)
        })
        .max();
    memory[done as usize] = Some(best);
    best
}

fn truth(matrix: &Matrix) -> Option<i64> {
    heaviest(matrix, 0, &mut vec![None; 1 << matrix.len()])
}

fn total<W>(matcher: &Matcher<W>, matrix: &Matrix) -> i64
where
    W: Weight,
{
    let mates = (0..matrix.len()).map(|vertex| (vertex, matcher.mate(vertex)));
    mates.map(|(one, other)| matrix[one][other].expect("matched over an edge")).sum::<i64>() / 2
}

#[track_caller]
fn check_changes(seed: u64, size: usize, top: u64, holes: u64) {
    let mut dice = Dice(seed);
    let mut matrix = random_matrix(&mut dice, size, top, holes);
    let mut matcher = Matcher::<i64>::new(size);
    let found = matcher.solve(&|one, other| matrix[one][other]);
    assert_eq!(found.then(|| total(&matcher, &matrix)), truth(&matrix), "seed {seed}");
    if !found {
        return;
    }
    for _ in 0..6 {
        let vertex = usize::try_from(dice.below(size as u64)).unwrap();
        for other in 0..size {
            if matrix[vertex][other].is_some() && dice.below(3) > 0 {
                let weight = Some(2 * i64::try_from(dice.below(top)).unwrap());
                matrix[vertex][other] = weight;
                matrix[other][vertex] = weight;
            }
        }
        assert!(matcher.reweigh(vertex, &|one, other| matrix[one][other]), "seed {seed}");
        assert_eq!(Some(total(&matcher, &matrix)), truth(&matrix), "seed {seed}");
    }
}

#[test]
fn the_heaviest_matching_is_found_and_kept_while_weights_change() {
    for seed in 1..3_000 {
        let size = 2 * (1 + usize::try_from(seed % 6).unwrap());
        check_changes(seed, size, [2, 3, 10, 1_000][usize::try_from(seed % 4).unwrap()], seed % 50);
    }
}

#[test]
fn wide_weights_give_the_same_matching_weight_as_narrow_ones() {
    for seed in 1..300 {
        let mut dice = Dice(seed);
        let matrix = random_matrix(&mut dice, 10, 50, 10);
        let mut matcher = Matcher::<Wide<4>>::new(10);
        let found = matcher.solve(&|one, other| {
            matrix[one][other].map(|weight| Wide::shifted(weight.unsigned_abs(), 150))
        });
        assert_eq!(found.then(|| total(&matcher, &matrix)), truth(&matrix), "seed {seed}");
    }
}

#[test]
fn an_edge_is_tight_if_some_heaviest_matching_uses_it() {
    for seed in 1..500 {
        let mut dice = Dice(seed);
        let matrix = random_matrix(&mut dice, 8, 4, 20);
        let weight = |one: usize, other: usize| matrix[one][other];
        let mut matcher = Matcher::<i64>::new(8);
        if !matcher.solve(&weight) {
            continue;
        }
        for one in 0..8 {
            for other in 0..one {
                let Some(own) = matrix[one][other] else { continue };
                let rest = heaviest(&matrix, 1 << one | 1 << other, &mut vec![None; 256]);
                let used = rest.is_some_and(|rest| Some(rest + own) == truth(&matrix));
                assert!(!used || matcher.is_tight(one, other, &weight), "seed {seed}");
            }
        }
    }
}

fn random_graph(dice: &mut Dice, size: usize, holes: u64) -> (BitGraph, Matrix) {
    let mut graph = BitGraph::complete(size);
    let mut matrix = vec![vec![None; size]; size];
    for one in 0..size {
        for other in 0..one {
            if dice.below(100) < holes {
                graph.part(one, other);
            } else {
                matrix[one][other] = Some(0);
                matrix[other][one] = Some(0);
            }
        }
    }
    (graph, matrix)
}

#[test]
fn the_largest_matching_is_perfect_whenever_a_perfect_one_exists() {
    for seed in 1..4_000 {
        let mut dice = Dice(seed);
        let size = 2 * (1 + usize::try_from(seed % 6).unwrap());
        let (graph, matrix) = random_graph(&mut dice, size, 30 + seed % 65);
        let single = Cardinality::new(&graph, Bits::of(size, 0..size)).grow(&[]);
        assert_eq!(single.is_empty(), truth(&matrix).is_some(), "seed {seed}");
    }
}

#[test]
fn whoever_can_be_the_single_one_is_known() {
    for seed in 1..1_500 {
        let mut dice = Dice(seed);
        let size = 3 + 2 * usize::try_from(seed % 5).unwrap();
        let (graph, matrix) = random_graph(&mut dice, size, 20 + seed % 60);
        let mut matching = Cardinality::new(&graph, Bits::of(size, 0..size));
        let single = matching.grow(&[]);
        let [root] = single[..] else { continue };
        let able = matching.exchangeable(root);
        for vertex in 0..size {
            let rest = heaviest(&matrix, 1 << vertex, &mut vec![None; 1 << size]);
            assert_eq!(able.contains(vertex), rest.is_some(), "seed {seed}, vertex {vertex}");
        }
    }
}
