//! What must hold for every round of every event.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(clippy::needless_range_loop, reason = "rows and columns of matrices have numbers")]

use std::collections::{BTreeMap, BTreeSet};

use crate::dutch_support::{Dice, random};
use pairing::dutch::{self, PairingError, Round};
use pairing::{Bye, Colour, Entry, PairingNumber, Player, Tournament};

const PRIME: u64 = 2_147_483_647;

/// The present players with what the absolute criteria ask.
struct Facts {
    numbers: Vec<PairingNumber>,
    may_meet: Vec<Vec<bool>>,
    may_bye: Vec<bool>,
}

/// The colour a player must get, by the games so far.
fn must_have(player: &Player) -> Option<Colour> {
    let colours: Vec<Colour> = player.rounds.iter().filter_map(Entry::colour_played).collect();
    let whites = colours.iter().filter(|&&colour| colour == Colour::White).count();
    let blacks = colours.len() - whites;
    match colours[..] {
        _ if whites > blacks + 1 => Some(Colour::Black),
        _ if blacks > whites + 1 => Some(Colour::White),
        [.., before, last] if before == last => Some(last.other()),
        _ => None,
    }
}

impl Facts {
    fn new(tournament: &Tournament) -> Facts {
        let round = tournament.next_round();
        let present: Vec<&Player> = tournament
            .players
            .iter()
            .filter(|player| tournament.announced_bye(player.number, round).is_none())
            .collect();
        let scoring = &tournament.scoring;
        let is_topscorer = |player: &Player| {
            let score =
                tournament.score(player) + tournament.fictitious_points(player.number, round);
            tournament.total_rounds == Some(round.0)
                && score * 2 > scoring.win * i32::from(round.0 - 1)
        };
        let forbidden: BTreeSet<(PairingNumber, PairingNumber)> = tournament
            .forbidden
            .iter()
            .flat_map(|group| {
                group
                    .players
                    .iter()
                    .flat_map(|one| group.players.iter().map(|other| (*one, *other)))
            })
            .collect();
        let may_meet = |one: &Player, other: &Player| {
            let met = one.rounds.iter().any(|entry| entry.opponent_met() == Some(other.number));
            let clash = must_have(one).is_some() && must_have(one) == must_have(other);
            one.number != other.number
                && !met
                && !forbidden.contains(&(one.number, other.number))
                && (!clash || is_topscorer(one) || is_topscorer(other))
        };
        let gift = |entry: &Entry| !entry.is_played() && scoring.points(entry) >= scoring.win;
        let had_bye = |entry: &Entry| *entry == Entry::Bye(Bye::PairingAllocated) || gift(entry);
        Facts {
            numbers: present.iter().map(|player| player.number).collect(),
            may_meet: present
                .iter()
                .map(|one| present.iter().map(|other| may_meet(one, other)).collect())
                .collect(),
            may_bye: present.iter().map(|player| !player.rounds.iter().any(had_bye)).collect(),
        }
    }

    /// Everybody once, and no absolute criterion broken.
    fn is_legal(&self, round: &Round) -> bool {
        let place =
            |number: PairingNumber| self.numbers.iter().position(|own| *own == number).unwrap();
        let mut seen: Vec<PairingNumber> =
            round.pairs.iter().flat_map(|pair| [pair.white, pair.black]).chain(round.bye).collect();
        seen.sort_unstable();
        let mut expected = self.numbers.clone();
        expected.sort_unstable();
        seen == expected
            && round.pairs.iter().all(|pair| self.may_meet[place(pair.white)][place(pair.black)])
            && round.bye.is_none_or(|bye| self.may_bye[place(bye)])
    }

    /// Whether a perfect matching exists: the random skew-symmetric matrix of Tutte is regular
    /// modulo a large prime. A wrong "no" has a chance of one in millions, a "yes" is certain.
    fn has_matching(&self, dice: &mut Dice) -> bool {
        let real = self.numbers.len();
        let size = real.next_multiple_of(2);
        let joined = |one: usize, other: usize| {
            if other == real { self.may_bye[one] } else { self.may_meet[one][other] }
        };
        let mut matrix = vec![vec![0_u64; size]; size];
        for one in 0..size {
            for other in one + 1..size {
                if joined(one, other) {
                    let value = 1 + dice.below(2_000_000_000) as u64;
                    matrix[one][other] = value;
                    matrix[other][one] = PRIME - value;
                }
            }
        }
        is_regular(matrix)
    }
}

fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut square, mut result) = (base, 1);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        exponent /= 2;
    }
    result
}

fn is_regular(mut matrix: Vec<Vec<u64>>) -> bool {
    let size = matrix.len();
    for column in 0..size {
        let Some(pivot) = (column..size).find(|&row| matrix[row][column] != 0) else {
            return false;
        };
        matrix.swap(column, pivot);
        let inverse = power(matrix[column][column], PRIME - 2);
        for row in column + 1..size {
            let factor = matrix[row][column] * inverse % PRIME;
            if factor != 0 {
                for index in column..size {
                    let subtracted = factor * matrix[column][index] % PRIME;
                    matrix[row][index] = (matrix[row][index] + PRIME - subtracted) % PRIME;
                }
            }
        }
    }
    true
}

#[track_caller]
fn check(seeds: std::ops::Range<u64>, largest: usize) {
    let mut outcomes = BTreeMap::new();
    for seed in seeds {
        let tournament = random(seed, largest);
        let facts = Facts::new(&tournament);
        let found = match dutch::pair(&tournament) {
            Ok(round) => {
                assert!(facts.is_legal(&round), "seed {seed} of up to {largest}");
                true
            }
            Err(PairingError::Impossible) => {
                let matching = facts.has_matching(&mut Dice::new(seed));
                assert!(!matching, "seed {seed} of up to {largest}: a pairing exists");
                false
            }
            Err(PairingError::NobodyPresent) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        *outcomes.entry(found).or_insert(0) += 1;
    }
    assert!(
        outcomes.contains_key(&true) && outcomes.contains_key(&false),
        "both ends occur: {outcomes:?}"
    );
}

#[test]
fn small_rounds_are_legal_and_found_whenever_one_exists() {
    check(50_000..58_000, 14);
}

#[test]
fn large_rounds_are_legal_and_found_whenever_one_exists() {
    check(60_000..61_500, 80);
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    for seed in 70_000..72_000 {
        let tournament = random(seed, 40);
        let mut dice = Dice::new(seed + 1);
        let mut shuffled = tournament.clone();
        for index in (1..shuffled.players.len()).rev() {
            shuffled.players.swap(index, dice.below(index + 1));
        }
        shuffled.byes.reverse();
        shuffled.forbidden.reverse();
        assert_eq!(dutch::pair(&tournament), dutch::pair(&shuffled), "seed {seed}");
    }
}
