//! Move generation proved by counting.

use rules::shakmaty::{CastlingMode, Chess, fen::Fen};
use rules::{Position, divide, perft};

/// The usual six positions at depth 5, the small one at 6.
const USUAL: [(&str, u32, u64); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
];

/// Whether everything is to be counted, which takes minutes.
fn full() -> bool {
    std::env::var_os("ROOKERY_PERFT_FULL").is_some()
}

#[test]
fn the_usual_six_positions_have_their_numbers() {
    for (fen, depth, nodes) in USUAL {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(perft(&position, depth), nodes, "{fen} at depth {depth}");
    }
    if full() {
        assert_eq!(perft(&Position::standard(), 6), 119_060_324);
    }
}

#[test]
fn the_749_positions_of_the_table_have_their_numbers() {
    let table = include_str!("../data/perft.tsv");
    let mut rows = 0;
    for (row, line) in table.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let read = if fields[1] == "1" { Position::from_fen_chess960 } else { Position::from_fen };
        let position = read(fields[0]).unwrap();
        // Depth 4 of every position is a billion nodes: a sample, unless all is asked for.
        let deepest = if full() || row % 25 == 0 { 4 } else { 3 };
        for depth in 1..=deepest {
            let nodes: u64 = fields[1 + depth].parse().unwrap();
            let depth = u32::try_from(depth).unwrap();
            assert_eq!(perft(&position, depth), nodes, "{line} at depth {depth}");
        }
        rows += 1;
    }
    assert_eq!(rows, 749);
}

#[test]
fn division_adds_up() {
    let position = Position::standard();
    let parts = divide(&position, 3);
    assert_eq!(parts.len(), 20);
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
    assert_eq!(perft(&position, 0), 1);
}

#[test]
fn the_960_starts_are_different_and_playable() {
    let mut seen = std::collections::HashSet::new();
    for number in 0..960 {
        let start = Position::Chess(rules::position::chess960_start(number).unwrap());
        assert!(Position::from_fen_chess960(&start.fen()).is_ok(), "{}", start.fen());
        assert!(perft(&start, 1) >= 18);
        seen.insert(start.fen());
    }
    assert_eq!(seen.len(), 960);
    assert_eq!(rules::position::chess960_start(960), None);
    let standard: Chess = Fen::default().into_position(CastlingMode::Chess960).unwrap();
    assert_eq!(rules::position::chess960_start(518), Some(standard));
}
