//! Speed of GMO chess: moves a piece, reading a genome, carrying out a move.
//!
//! Numbers are per item: divan's `items` counter gives pieces, genomes or moves a second.
#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use flate2::read::GzDecoder;
use rules::gmo::{
    DEFAULT_PRESET, Genome, GenomeTable, GmoPosition, Luck, Move, Promotions, Setup, known_genomes,
    known_start, perft, read_board,
};
use serde_json::Value;
use shakmaty::Color;

fn main() {
    divan::main();
}

fn records(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gmo").join(name);
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap())
}

fn position(record: &Value) -> GmoPosition {
    let mut genomes = GenomeTable::new();
    for dna in texts(&record["g"]) {
        genomes.push(Genome::parse(dna).unwrap().into());
    }
    let board = read_board(texts(&record["p"])).unwrap();
    GmoPosition::new(Setup {
        board,
        genomes,
        turn: Color::White,
        ply: 0,
        promotions: Promotions::NONE,
    })
    .unwrap()
}

/// Lists all moves of all pieces of both sides.
fn list_all(position: &GmoPosition) -> usize {
    position.board().pieces().map(|(square, _)| black_box(position.targets(square)).len()).sum()
}

fn pieces(positions: &[GmoPosition]) -> usize {
    positions.iter().map(|position| position.board().occupied().count()).sum()
}

#[divan::bench]
fn targets_of_a_start_array(bencher: Bencher) {
    let start = known_start(DEFAULT_PRESET);
    bencher
        .counter(ItemsCount::new(start.board().occupied().count()))
        .bench(|| list_all(black_box(&start)));
}

#[divan::bench]
fn targets_on_random_boards(bencher: Bencher) {
    let boards: Vec<GmoPosition> = records("moves.jsonl.gz").iter().map(position).collect();
    bencher
        .counter(ItemsCount::new(pieces(&boards)))
        .bench(|| boards.iter().map(|board| list_all(black_box(board))).sum::<usize>());
}

#[divan::bench]
fn reading_known_genomes(bencher: Bencher) {
    let dna: Vec<&str> = known_genomes().iter().map(|known| known.genome.dna()).collect();
    bencher.counter(ItemsCount::new(dna.len())).bench(|| {
        dna.iter().filter(|dna| black_box(Genome::parse(black_box(dna))).is_ok()).count()
    });
}

#[divan::bench]
fn reading_genomes_of_the_vectors(bencher: Bencher) {
    let records = records("moves.jsonl.gz");
    let dna: Vec<&str> = records.iter().flat_map(|record| texts(&record["g"])).collect();
    bencher.counter(ItemsCount::new(dna.len())).bench(|| {
        dna.iter().filter(|dna| black_box(Genome::parse(black_box(dna))).is_ok()).count()
    });
}

#[divan::bench]
fn hash_of_a_genome(bencher: Bencher) {
    let queen = Genome::parse(known_genomes()[4].genome.dna()).unwrap();
    bencher.bench(|| black_box(&queen).sha());
}

#[divan::bench]
fn playing_a_move(bencher: Bencher) {
    let start = known_start(DEFAULT_PRESET);
    let chosen: Move = "e2e3".parse().unwrap();
    bencher.bench(|| {
        let mut next = black_box(&start).clone();
        next.play(chosen, &Luck::NONE).unwrap();
        next.hash()
    });
}

#[divan::bench]
fn perft_3_of_the_start_array(bencher: Bencher) {
    let start = known_start(DEFAULT_PRESET);
    bencher.counter(ItemsCount::new(7_069_u32)).bench(|| perft(black_box(&start), 3));
}
