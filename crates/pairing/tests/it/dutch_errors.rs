//! What cannot be paired is refused with a reason.

use crate::dutch_support::{CALM, Dice, play_rounds, start};
use pairing::dutch::{PairingError, pair};
use pairing::{AnnouncedBye, Bye, PairingNumber, Player, Tournament};

fn event(players: u16, rounds: u16) -> Tournament {
    start(&mut Dice::new(1), players, rounds, CALM)
}

#[track_caller]
fn check(tournament: &Tournament, expected: &PairingError) {
    assert_eq!(pair(tournament).as_ref(), Err(expected));
}

#[test]
fn a_fourth_round_of_four_players_is_impossible() {
    let mut tournament = event(4, 9);
    play_rounds(&mut Dice::new(1), &mut tournament, 3, CALM);
    check(&tournament, &PairingError::Impossible);
}

#[test]
fn there_is_no_round_after_the_last() {
    let mut tournament = event(8, 2);
    play_rounds(&mut Dice::new(1), &mut tournament, 2, CALM);
    check(&tournament, &PairingError::AllRoundsPaired { rounds: 2 });
}

#[test]
fn an_empty_hall_cannot_be_paired() {
    let mut tournament = event(3, 2);
    let round = tournament.next_round();
    let bye = |player: &Player| AnnouncedBye { round, player: player.number, bye: Bye::Half };
    tournament.byes = tournament.players.iter().map(bye).collect();
    check(&tournament, &PairingError::NobodyPresent);
}

#[test]
fn the_first_round_needs_the_initial_colour() {
    let mut tournament = event(6, 3);
    tournament.initial_colour = None;
    check(&tournament, &PairingError::NoInitialColour);
}

#[test]
fn more_than_ten_thousand_players_are_too_many() {
    check(&event(10_001, 9), &PairingError::TooLarge { players: 10_001 });
}

#[test]
fn a_number_given_twice_makes_no_sense() {
    let mut tournament = event(4, 3);
    tournament.players[3].number = PairingNumber(1);
    assert!(matches!(pair(&tournament), Err(PairingError::Nonsense(_))));
}

#[test]
fn ten_thousand_players_are_paired() {
    let round = pair(&event(10_000, 9)).unwrap();
    let natural = |(index, pair): (usize, &pairing::dutch::Pair)| {
        let (one, other) = (pair.white.min(pair.black), pair.white.max(pair.black));
        usize::from(one.0) == index + 1 && other.0 == one.0 + 5_000
    };
    assert!(round.pairs.len() == 5_000 && round.pairs.iter().enumerate().all(natural));
}
