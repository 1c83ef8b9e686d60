//! In small events the pairing is the best of all there are.

use crate::dutch_support::brute::{Field, opponents};
use crate::dutch_support::random;
use pairing::dutch::{self, PairingError};

#[track_caller]
fn check(seeds: std::ops::Range<u64>, largest: usize) {
    let mut impossible = 0;
    for seed in seeds {
        let tournament = random(seed, largest);
        let best = Field::new(&tournament).best();
        match dutch::pair(&tournament) {
            Ok(round) => {
                assert_eq!(Some(opponents(&round)), best, "seed {seed} of up to {largest}");
            }
            Err(PairingError::NobodyPresent) => {}
            Err(PairingError::Impossible) => {
                assert_eq!(best, None, "seed {seed} of up to {largest}");
                impossible += 1;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(impossible > 0, "the seeds should contain events without a legal pairing");
}

#[test]
fn no_pairing_of_up_to_seven_players_is_better() {
    check(1..6_000, 7);
}

#[test]
fn no_pairing_of_up_to_ten_players_is_better() {
    check(10_000..11_200, 10);
}
