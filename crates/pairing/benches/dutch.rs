//! How long one round takes: typical events, and the worst ones we can think of.

#[path = "../tests/it/dutch_support/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod dutch_support;

use divan::{Bencher, black_box};
use dutch_support::{CALM, Dice, Habits, WILD, announce, play_rounds, start};
use pairing::Tournament;
use pairing::dutch::{self, Effort};

fn main() {
    divan::main();
}

/// An event of so many players that is about to pair this round.
fn event(players: u16, round: u16, rounds: u16, habits: Habits) -> Tournament {
    let mut dice = Dice::new(u64::from(players) + 7);
    let mut tournament = start(&mut dice, players, rounds, habits);
    play_rounds(&mut dice, &mut tournament, round - 1, habits);
    announce(&mut dice, &mut tournament, habits);
    tournament
}

#[divan::bench(args = [100, 300, 301, 1_000, 1_001, 3_000, 3_001])]
fn round_5_of_a_typical_event(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = event(players, 5, 9, CALM);
    bencher.bench(|| dutch::pair(black_box(&tournament)));
}

#[divan::bench(args = [100, 300, 301, 1_000, 1_001, 3_000, 3_001])]
fn the_last_of_11_rounds(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = event(players, 11, 11, CALM);
    bencher.bench(|| dutch::pair(black_box(&tournament)));
}

#[divan::bench(args = [100, 300, 1_000, 3_000])]
fn round_7_with_byes_forfeits_and_forbidden_pairs(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = event(players, 7, 9, WILD);
    bencher.bench(|| dutch::pair(black_box(&tournament)));
}

/// Many rounds against few players: hardly anybody is left to meet.
#[divan::bench(args = [(20, 17), (40, 30), (60, 45), (100, 70)])]
fn many_rounds_of_few_players(bencher: Bencher<'_, '_>, (players, round): (u16, u16)) {
    let tournament = event(players, round, players - 1, CALM);
    bencher.bench(|| dutch::pair(black_box(&tournament)));
}

/// Everybody draws: one score group with all conflicts in it.
#[divan::bench(args = [100, 300, 1_000, 3_000])]
fn round_8_with_one_score_and_many_forbidden_pairs(bencher: Bencher<'_, '_>, players: u16) {
    let habits = Habits { draws: 100, forbidden: 200, ..CALM };
    let tournament = event(players, 8, 11, habits);
    bencher.bench(|| dutch::pair(black_box(&tournament)));
}

/// Almost everybody draws: one huge bracket beside tiny ones.
#[divan::bench(args = [100, 300, 1_000])]
fn round_6_with_nearly_one_score(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = event(players, 6, 11, Habits { draws: 95, ..CALM });
    bencher.bench(|| dutch::pair(black_box(&tournament)));
}

/// The same without the quick way: what a bracket costs when shortcuts fail.
#[divan::bench(args = [100, 300])]
fn round_6_with_nearly_one_score_by_weights(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = event(players, 6, 11, Habits { draws: 95, ..CALM });
    bencher.bench(|| dutch::pair_with(black_box(&tournament), Effort::Weights));
}

#[divan::bench(args = [100, 300, 1_000])]
fn explaining_round_5_of_a_typical_event(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = event(players, 5, 9, CALM);
    bencher.bench(|| dutch::explain(black_box(&tournament)));
}
