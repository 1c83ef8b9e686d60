//! Each parser of foreign text gets arbitrary and mutated bytes for a few seconds, the same ones in every run.
//!
//! `ROOKERY_FUZZ_SEED` gives other bytes, `ROOKERY_FUZZ_ROUNDS` (default 1) more of them. A failure prints its input
//! as a Rust literal; put it into the corpus under `tests/data/fuzz`, where it is tried in every later run. For hours
//! instead of seconds there is cargo-fuzz: see `fuzz/` of the repository.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod targets;

use std::path::PathBuf;
use targets::TARGETS;

/// Words that take the parsers further than chance would.
const WORDS: [&str; 62] = [
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\"",
    "\\",
    "\\\"",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "$",
    "*",
    ".",
    "...",
    "!?",
    "+",
    "#",
    "=",
    "-",
    "--",
    "x",
    "@",
    "/",
    ",",
    ":",
    "1-0",
    "0-1",
    "1/2-1/2",
    "1.",
    "O-O",
    "0-0-0",
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "exd5",
    "e8=Q",
    "e7e8q",
    "♘f3",
    "Sf3",
    "e.p.",
    "[Event \"",
    "[FEN \"",
    "[Variant \"ChessDefender\"]\n",
    "[%clk 0:01:02]",
    "[%eval #-3]",
    "[%csl Ge4]",
    "N@c2",
    "K@g1",
    "20/22",
    "K/K",
    "KQkq",
    "AHHHSHH",
    "HHA",
    "\u{feff}",
    "\u{0}",
];

/// Small, fast, and the same everywhere: splitmix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end.max(1)).expect("lengths are small");
        usize::try_from(self.next() % end).expect("less than a length")
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[7]
    }
}

/// Prints the input if the check panics.
struct Witness<'a>(&'a str, &'a [u8]);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("target {}: b\"{}\"", self.0, self.1.escape_ascii());
        }
    }
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz").join(name);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{name} has a corpus");
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => default,
    }
}

/// Some bytes: now and then arbitrary ones, mostly a corpus entry with a few changes.
fn make_input(chance: &mut Chance, corpus: &[Vec<u8>]) -> Vec<u8> {
    if chance.below(16) == 0 {
        let length = chance.below(200);
        return (0..length).map(|_| chance.byte()).collect();
    }
    let mut input = corpus[chance.below(corpus.len())].clone();
    // One change often leaves something good, many seldom do.
    let changes = if chance.below(2) == 0 { 1 } else { chance.below(6) };
    for _ in 0..changes {
        let at = chance.below(input.len() + 1);
        let end = at + chance.below((input.len() - at).min(40) + 1);
        match chance.below(9) {
            0 if at < input.len() => input[at] = chance.byte(),
            1 if at < input.len() => input[at] ^= 1 << chance.below(8),
            2 => drop(input.drain(at..end)),
            // Bytes from the same text mostly keep its alphabet.
            6 | 7 if at < input.len() => input[at] = input[chance.below(input.len())],
            8 if at < input.len() => {
                let other = chance.below(input.len());
                input.swap(at, other);
            }
            3 => {
                let part = input[at..end].to_vec();
                let to = chance.below(input.len() + 1);
                input.splice(to..to, part);
            }
            4 => {
                let other = &corpus[chance.below(corpus.len())];
                let from = chance.below(other.len() + 1);
                let upto = (from + chance.below(120)).min(other.len());
                input.splice(at..end, other[from..upto].iter().copied());
            }
            _ => {
                let word = WORDS[chance.below(WORDS.len())];
                input.splice(at..at, word.bytes());
            }
        }
    }
    input.truncate(4096);
    input
}

/// Tries the corpus, then `inputs` more.
fn check(name: &str, inputs: u64) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let try_input = |input: &[u8]| {
        let _witness = Witness(name, input);
        target(input)
    };
    let corpus = corpus(name);
    for input in &corpus {
        try_input(input);
    }
    let mut chance = Chance(number("ROOKERY_FUZZ_SEED", 1783));
    let inputs = inputs * number("ROOKERY_FUZZ_ROUNDS", 1);
    let good = (0..inputs).filter(|_| try_input(&make_input(&mut chance, &corpus))).count() as u64;
    // Bytes that are all refused at once would test little.
    assert!(good * 50 > inputs, "{name}: only {good} of {inputs} inputs were good");
}

#[test]
fn any_bytes_may_come_as_fen() {
    check("fen", 250_000);
}

#[test]
fn any_bytes_may_come_as_san() {
    check("san", 500_000);
}

#[test]
fn any_bytes_may_come_as_uci() {
    check("uci", 700_000);
}

#[test]
fn any_bytes_may_come_as_pgn() {
    check("pgn", 50_000);
}

#[test]
fn any_bytes_may_come_as_dna() {
    check("dna", 120_000);
}

#[test]
fn any_bytes_may_come_as_defender_fen() {
    check("defender_fen", 400_000);
}
