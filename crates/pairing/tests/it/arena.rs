//! Arena pairing: neighbours meet, nobody at once again.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use pairing::arena::{ArenaError, Waiting, pair_waiting};
use pairing::model::{Colour, PairingNumber};
use pairing::simulate::Random;

fn waiting(player: u16, score: u32, last: Option<u16>) -> Waiting {
    Waiting {
        player: PairingNumber(player),
        score,
        rating: 1500,
        last_opponent: last.map(PairingNumber),
        colour_difference: 0,
        last_colour: None,
    }
}

/// The pairs, lower number first.
fn pairs(players: &[Waiting]) -> Vec<(u16, u16)> {
    let boards = pair_waiting(players).unwrap().boards;
    boards
        .iter()
        .map(|board| (board.white.0.min(board.black.0), board.white.0.max(board.black.0)))
        .collect()
}

#[test]
fn neighbours_in_rank_meet() {
    let players =
        [waiting(1, 3, None), waiting(2, 9, None), waiting(3, 4, None), waiting(4, 8, None)];
    assert_eq!(pairs(&players), [(2, 4), (1, 3)]);
}

#[test]
fn the_last_opponent_is_avoided() {
    let players =
        [waiting(1, 4, Some(2)), waiting(2, 3, Some(1)), waiting(3, 2, None), waiting(4, 1, None)];
    assert_eq!(pairs(&players), [(1, 3), (2, 4)]);
    assert_eq!(pairs(&players[..2]), []);
}

#[test]
fn the_lowest_of_an_odd_number_waits() {
    let players = [waiting(1, 4, None), waiting(2, 3, None), waiting(3, 2, None)];
    assert_eq!(pairs(&players), [(1, 2)]);
}

#[test]
fn others_move_so_that_nobody_waits_needlessly() {
    // The nearest first would leave 3 and 4, who have just played.
    let players =
        [waiting(1, 9, None), waiting(2, 8, None), waiting(3, 7, Some(4)), waiting(4, 6, Some(3))];
    assert_eq!(pairs(&players).len(), 2);
}

#[test]
fn white_goes_to_who_had_it_less_often() {
    let used = Waiting { colour_difference: 1, ..waiting(1, 9, None) };
    let board = pair_waiting(&[used, waiting(2, 8, None)]).unwrap().boards[0];
    assert_eq!(board.white, PairingNumber(2));
    let last = Waiting { last_colour: Some(Colour::White), ..waiting(1, 9, None) };
    let board = pair_waiting(&[last, waiting(2, 8, None)]).unwrap().boards[0];
    assert_eq!(board.white, PairingNumber(2));
}

/// The most pairs possible, by trying everything.
fn most_pairs(players: &[Waiting]) -> usize {
    let Some((first, rest)) = players.split_first() else { return 0 };
    let may_meet = |other: &Waiting| {
        first.last_opponent != Some(other.player) && other.last_opponent != Some(first.player)
    };
    let with = |other: &Waiting| {
        let left: Vec<Waiting> =
            rest.iter().filter(|player| player.player != other.player).copied().collect();
        1 + most_pairs(&left)
    };
    rest.iter().filter(|other| may_meet(other)).map(with).max().unwrap_or(0).max(most_pairs(rest))
}

#[test]
fn as_many_as_possible_are_paired() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let count = random.between(2, 8);
        let players: Vec<Waiting> = (1..=count)
            .map(|player| {
                let last = random.between(0, count);
                waiting(
                    player,
                    u32::from(random.between(0, 9)),
                    (last > 0 && last != player).then_some(last),
                )
            })
            .collect();
        assert_eq!(pairs(&players).len(), most_pairs(&players), "{players:?}");
    }
}

#[test]
fn the_limit_is_stated() {
    let players: Vec<Waiting> = (1..=10_001).map(|player| waiting(player, 0, None)).collect();
    assert_eq!(pair_waiting(&players), Err(ArenaError::TooMany(10_001)));
}
