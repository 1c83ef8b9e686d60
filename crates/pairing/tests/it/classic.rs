//! The club Swiss by weights, against brute force and in whole tournaments.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use std::collections::HashSet;

use pairing::classic::{ClassicError, Weights, pair_round};
use pairing::model::{Bye, Entry, PairingNumber, RoundPairing, Tournament};
use pairing::simulate::{Settings, SimulationError, simulate};

fn pair(tournament: &Tournament) -> Result<RoundPairing, ClassicError> {
    pair_round(tournament, &Weights::default())
}

/// Who takes part in the next round.
fn present(tournament: &Tournament) -> Vec<usize> {
    let round = tournament.next_round();
    let is_here = |&place: &usize| {
        tournament.announced_bye(tournament.players[place].number, round).is_none()
    };
    (0..tournament.players.len()).filter(is_here).collect()
}

fn may_meet(tournament: &Tournament, one: usize, other: usize) -> bool {
    let (one, other) = (&tournament.players[one], &tournament.players[other]);
    let met = one.rounds.iter().any(|entry| entry.opponent_met() == Some(other.number));
    let apart = tournament.forbidden.iter().any(|group| {
        group.holds_in(tournament.next_round())
            && group.players.contains(&one.number)
            && group.players.contains(&other.number)
    });
    !met && !apart
}

fn may_have_bye(tournament: &Tournament, place: usize) -> bool {
    let gifts = |entry: &Entry| {
        matches!(
            entry,
            Entry::Bye(Bye::PairingAllocated | Bye::Full) | Entry::Forfeit { won: true, .. }
        )
    };
    !tournament.players[place].rounds.iter().any(gifts)
}

/// Tries everything: whether those left can all be paired.
fn can_be_paired(tournament: &Tournament, left: &[usize], bye_left: bool) -> bool {
    let Some((&first, rest)) = left.split_first() else { return true };
    let without =
        |gone: usize| rest.iter().copied().filter(|&place| place != gone).collect::<Vec<_>>();
    let with_bye =
        bye_left && may_have_bye(tournament, first) && can_be_paired(tournament, rest, false);
    with_bye
        || rest.iter().any(|&other| {
            may_meet(tournament, first, other)
                && can_be_paired(tournament, &without(other), bye_left)
        })
}

/// Checks that nobody is left out or paired against the rules.
fn check(tournament: &Tournament, pairing: &RoundPairing) {
    let place = |number: PairingNumber| {
        tournament.players.iter().position(|player| player.number == number).unwrap()
    };
    let mut seen: Vec<usize> = Vec::new();
    for board in &pairing.boards {
        let (white, black) = (place(board.white), place(board.black));
        assert!(
            may_meet(tournament, white, black),
            "{} and {} may not meet",
            board.white,
            board.black
        );
        seen.extend([white, black]);
    }
    if let Some(bye) = pairing.bye {
        assert!(may_have_bye(tournament, place(bye)), "{bye} has had a bye");
        seen.push(place(bye));
    }
    seen.sort_unstable();
    assert_eq!(seen, present(tournament));
}

#[test]
fn a_pairing_is_found_whenever_one_exists() {
    let mut impossible = 0;
    let mut found = 0;
    for seed in 0..600 {
        let players = 3 + u16::try_from(seed % 8).unwrap();
        let settings = Settings {
            forbidden_groups: u16::from(seed % 3 == 0),
            ..Settings::lively(players, players)
        };
        let mut pair_and_check = |tournament: &Tournament| {
            let left = present(tournament);
            let possible = can_be_paired(tournament, &left, left.len() % 2 == 1);
            let paired = pair(tournament);
            assert_eq!(paired.is_ok(), possible, "seed {seed}, {tournament:?}");
            match &paired {
                Ok(pairing) => {
                    check(tournament, pairing);
                    found += 1;
                }
                Err(error) => {
                    assert_eq!(*error, ClassicError::NoPairing);
                    impossible += 1;
                }
            }
            paired
        };
        match simulate(&settings, seed, &mut pair_and_check) {
            Ok(_) | Err(SimulationError::NotPaired { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
    assert!(
        found > 1000 && impossible > 100,
        "the cases prove nothing: {found} found, {impossible} impossible"
    );
}

#[test]
fn whole_tournaments_are_paired_by_the_rules() {
    for seed in 0..30 {
        let settings = Settings::lively(60, 9);
        let result = simulate(&settings, seed, |tournament| {
            let pairing = pair(tournament)?;
            check(tournament, &pairing);
            Ok::<_, ClassicError>(pairing)
        });
        assert_eq!(result.unwrap().rounds_paired(), 9);
    }
}

#[test]
fn the_order_of_input_makes_no_difference() {
    for seed in 0..30 {
        let settings = Settings { stop_after: Some(4), ..Settings::lively(31, 7) };
        let mut tournament = simulate(&settings, seed, pair).unwrap();
        let expected = pair(&tournament).unwrap();
        tournament.players.reverse();
        tournament.byes.reverse();
        assert_eq!(pair(&tournament).unwrap(), expected);
    }
}

#[test]
fn the_first_round_is_upper_half_against_lower_half() {
    let tournament =
        simulate(&Settings { players: 8, stop_after: Some(0), ..Settings::default() }, 1, pair)
            .unwrap();
    let boards: HashSet<(u16, u16)> = pair(&tournament)
        .unwrap()
        .boards
        .iter()
        .map(|board| (board.white.0.min(board.black.0), board.white.0.max(board.black.0)))
        .collect();
    assert_eq!(boards, HashSet::from([(1, 5), (2, 6), (3, 7), (4, 8)]));
}

#[test]
fn colours_stay_balanced() {
    let tournament =
        simulate(&Settings { players: 60, rounds: 9, ..Settings::default() }, 5, pair).unwrap();
    for player in &tournament.players {
        let balance: i32 = player
            .rounds
            .iter()
            .filter_map(Entry::colour_played)
            .map(|colour| if colour == pairing::Colour::White { 1 } else { -1 })
            .sum();
        assert!(balance.abs() <= 3, "player {}: {balance}", player.number);
    }
}
