//! Perft through our position type against plain shakmaty, in one run.

use divan::{Bencher, black_box};
use rules::defender::CASUAL_START;
use rules::shakmaty::{CastlingMode, Chess, fen::Fen};
use rules::{Position, perft};

fn main() {
    divan::main();
}

const MIDDLE_GAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[divan::bench(args = [(START, 4), (MIDDLE_GAME, 3)])]
fn ours(bencher: Bencher, (fen, depth): (&str, u32)) {
    let position = Position::from_fen(fen).expect("a FEN");
    bencher.bench_local(|| perft(black_box(&position), depth));
}

#[divan::bench(args = [(START, 4), (MIDDLE_GAME, 3)])]
fn shakmaty(bencher: Bencher, (fen, depth): (&str, u32)) {
    let fen: Fen = fen.parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    bencher.bench_local(|| rules::shakmaty::perft(black_box(&position), depth));
}

#[divan::bench]
fn defender_first_slot(bencher: Bencher) {
    let position = Position::from_fen_defender(CASUAL_START).expect("a FEN");
    bencher.bench_local(|| black_box(&position).actions());
}
