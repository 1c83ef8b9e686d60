//! Perft through our position type against plain shakmaty, in one run, and the first slot of Defender.

use std::time::{Duration, Instant};

use divan::{Bencher, black_box};
use rules::defender::CASUAL_START;
use rules::shakmaty::{CastlingMode, Chess, fen::Fen};
use rules::{Position, perft};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLE_GAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// How often each side of a ratio is timed; the best time counts, since others use the machine too.
const ROUNDS: u32 = 300;

#[expect(clippy::print_stdout, reason = "a ratio is what this program is for")]
fn main() {
    for (fen, depth) in [(START, 4), (MIDDLE_GAME, 3)] {
        println!(
            "perft({depth}) ours / shakmaty: {:.3} of its speed, {fen}",
            speed_ratio(fen, depth)
        );
    }
    divan::main();
}

/// Our speed as a part of shakmaty's, both timed in turn.
fn speed_ratio(fen: &str, depth: u32) -> f64 {
    let ours = Position::from_fen(fen).expect("a FEN");
    let theirs = chess(fen);
    let (mut our_time, mut their_time) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        our_time = our_time.min(time(|| perft(black_box(&ours), depth)));
        their_time = their_time.min(time(|| rules::shakmaty::perft(black_box(&theirs), depth)));
    }
    their_time.as_secs_f64() / our_time.as_secs_f64()
}

#[expect(clippy::disallowed_methods, reason = "a bench is about real time")]
fn time(work: impl Fn() -> u64) -> Duration {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed()
}

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

#[divan::bench(args = [(START, 4), (MIDDLE_GAME, 3)])]
fn ours(bencher: Bencher, (fen, depth): (&str, u32)) {
    let position = Position::from_fen(fen).expect("a FEN");
    bencher.bench_local(|| perft(black_box(&position), depth));
}

#[divan::bench(args = [(START, 4), (MIDDLE_GAME, 3)])]
fn shakmaty(bencher: Bencher, (fen, depth): (&str, u32)) {
    let position = chess(fen);
    bencher.bench_local(|| rules::shakmaty::perft(black_box(&position), depth));
}

#[divan::bench]
fn defender_first_slot(bencher: Bencher) {
    let position = Position::from_fen_defender(CASUAL_START).expect("a FEN");
    bencher.bench_local(|| black_box(&position).actions());
}
