//! The reader of tournament files against damaged files: the fuzz target with a fixed seed.
//!
//! `cargo fuzz` can run the same function, [`pairing::trf::fuzz_target`], for as long as one likes.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use pairing::simulate::Random;
use pairing::trf;

/// Bytes that mean something somewhere in a file.
const TELLING: &[u8] = b"0123456789wb-+=WDLHFZU .,\r\n\t\xC3\xA9\xFF\x00#X";

fn place(random: &mut Random, length: usize) -> usize {
    usize::try_from(random.below(u64::try_from(length).unwrap())).unwrap()
}

/// Damages a file in one of the ways in which files get damaged.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = place(random, bytes.len());
    let until = (at + place(random, 40)).min(bytes.len());
    match random.below(7) {
        0 => bytes[at] = TELLING[place(random, TELLING.len())],
        1 => bytes.insert(at, TELLING[place(random, TELLING.len())]),
        2 => drop(bytes.drain(at..until)),
        3 => bytes.truncate(at),
        4 => {
            let part = bytes[at..until].to_vec();
            let to = place(random, bytes.len());
            bytes.splice(to..to, part);
        }
        5 => {
            let to = place(random, bytes.len());
            bytes.swap(at, to);
        }
        _ => bytes[at] = u8::try_from(random.below(256)).unwrap(),
    }
}

#[test]
fn damaged_files_are_read_or_refused_but_never_break_the_reader() {
    let mut random = Random::new(20_260_301);
    let corpus: Vec<Vec<u8>> = crate::cases::trf_files()
        .into_iter()
        .map(|(_, bytes)| bytes)
        .filter(|bytes| bytes.len() < 6_000)
        .collect();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = corpus[place(&mut random, corpus.len())].clone();
        for _ in 0..=random.below(6) {
            damage(&mut bytes, &mut random);
        }
        trf::fuzz_target(&bytes);
        match trf::read(&bytes) {
            Ok(_) => read += 1,
            Err(error) => {
                refused += 1;
                assert!(error.line > 0 && error.column > 0, "{error}");
            }
        }
    }
    assert!(
        read > 2_000 && refused > 2_000,
        "the damage is of the wrong size: {read} read, {refused} refused"
    );
}

#[test]
fn noise_does_not_break_the_reader() {
    let mut random = Random::new(9);
    for _ in 0..2_000 {
        let length = place(&mut random, 300);
        let noise: Vec<u8> =
            (0..length).map(|_| TELLING[place(&mut random, TELLING.len())]).collect();
        trf::fuzz_target(&noise);
        trf::fuzz_target(&[b"001    1 ".as_slice(), &noise].concat());
    }
}
