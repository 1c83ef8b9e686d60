//! The compiled walks against the rules taken word by word, for every body there can be.

use std::collections::HashSet;

use rules::gmo::{Genome, GenomeTable, GmoPosition, Promotions, Setup, read_board};
use shakmaty::Color;

/// Distance and whether the step is colouring.
type Step = (i32, bool);

/// The eight different steps, each with a codon.
const STEPS: [(&str, Step); 8] = [
    ("CAA", (0, false)),
    ("CAS", (1, false)),
    ("CAC", (2, false)),
    ("CSA", (3, false)),
    ("CSS", (4, false)),
    ("SAA", (0, true)),
    ("SAS", (1, true)),
    ("SAC", (2, true)),
];

/// All bodies of one to four steps.
fn bodies() -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..4 {
        let upto = all.len();
        for at in from..upto {
            for step in 0..STEPS.len() {
                let mut longer = all[at].clone();
                longer.push(step);
                all.push(longer);
            }
        }
        from = upto;
    }
    all.split_off(1)
}

/// Section 4 and 5 of the rules, literally: a set of visited states, one step at a time.
fn literal_targets(
    body: &[Step],
    origin: (i32, i32),
    occupied: &HashSet<(i32, i32)>,
    (once, nowrap): (bool, bool),
) -> Vec<(i32, i32)> {
    let directions = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let mut targets = Vec::new();
    for turn in [1, 3] {
        for start in 0..4 {
            let (mut x, mut y) = origin;
            let (mut i, mut d) = (0, start);
            let mut visited = HashSet::new();
            loop {
                let (distance, colouring) = body[i];
                x += distance * directions[d].0;
                y += distance * directions[d].1;
                if !nowrap {
                    x = x.rem_euclid(8);
                }
                if !(0..8).contains(&x) || !(0..8).contains(&y) || !visited.insert((x, y, d, i)) {
                    break;
                }
                if colouring {
                    if !targets.contains(&(x, y)) {
                        targets.push((x, y));
                    }
                    if occupied.contains(&(x, y)) {
                        break;
                    }
                }
                i += 1;
                if i == body.len() {
                    i = 0;
                    if once {
                        break;
                    }
                }
                d = (d + turn) % 4;
            }
        }
    }
    targets
}

fn square((x, y): (i32, i32)) -> String {
    shakmaty::Square::new((y * 8 + x).cast_unsigned()).to_string()
}

/// A board with a few pieces, different for each case but the same in each run.
fn some_squares(case: i32) -> HashSet<(i32, i32)> {
    let count = 4 * (case % 3);
    (1..=count).map(|at| (case * 31 + at * 4057) % 64).map(|at| (at % 8, at / 8)).collect()
}

#[test]
fn every_body_walks_as_the_rules_say_word_by_word() {
    let bodies = bodies();
    assert_eq!(bodies.len(), 8 + 64 + 512 + 4096);
    for (body, case) in bodies.iter().zip(0..) {
        for (once, nowrap) in [(false, false), (false, true), (true, false), (true, true)] {
            let codons: String = body.iter().map(|step| STEPS[*step].0).collect();
            let (t1, t2) = (if once { "HAC" } else { "HSH" }, if nowrap { "HAA" } else { "HSH" });
            let dna = format!("AHH{t1}{t2}CHACHACHAHHA{codons}");
            let origin = (case * 13 % 8, case * 7 / 5 % 8);
            let mut occupied = some_squares(case);
            occupied.insert(origin);

            let mut genomes = GenomeTable::new();
            genomes.push(Genome::parse(&dna).unwrap().into()).unwrap();
            let tokens: Vec<String> =
                occupied.iter().map(|at| format!("{}w0", square(*at))).collect();
            let board = read_board(tokens.iter().map(String::as_str)).unwrap();
            let setup =
                Setup { board, genomes, turn: Color::White, ply: 0, promotions: Promotions::NONE };
            let position = GmoPosition::new(setup).unwrap();
            let listed = position.targets(square(origin).parse().unwrap());
            let listed: Vec<String> =
                listed.iter().map(|target| target.square.to_string()).collect();

            let steps: Vec<Step> = body.iter().map(|step| STEPS[*step].1).collect();
            let expected = literal_targets(&steps, origin, &occupied, (once, nowrap));
            let expected: Vec<String> = expected.into_iter().map(square).collect();
            assert_eq!(listed, expected, "{dna} on {} with {tokens:?}", square(origin));
        }
    }
}
