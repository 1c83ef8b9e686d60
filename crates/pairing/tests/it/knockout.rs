//! Knockout: brackets of every small size, played to the end.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use pairing::knockout::{Bracket, KnockoutError, MatchId, Regulations, Seeding};
use pairing::model::{Colour, GameResult, PairingNumber};

const FIRST: MatchId = MatchId { round: 1, number: 1 };

fn bracket(players: usize, regulations: Regulations) -> Bracket {
    Bracket::new(players, regulations).unwrap()
}

/// Plays all matches; the lower number always wins.
fn play(bracket: &mut Bracket) -> usize {
    let mut decided = 0;
    loop {
        let ready: Vec<_> =
            bracket.ready().map(|of_round| (of_round.id, of_round.players)).collect();
        if ready.is_empty() {
            return decided;
        }
        for (id, players) in ready {
            bracket.decide(id, players.into_iter().flatten().min().unwrap()).unwrap();
            decided += 1;
        }
    }
}

#[test]
fn n_players_need_n_minus_one_decided_matches() {
    for players in 2..=130 {
        for seeding in [Seeding::Standard, Seeding::Halves] {
            for third_place in [false, true] {
                let mut bracket = bracket(
                    players,
                    Regulations { seeding, third_place, ..Regulations::default() },
                );
                let extra = usize::from(third_place && players >= 4);
                assert_eq!(
                    play(&mut bracket),
                    players - 1 + extra,
                    "{players} players, {seeding:?}"
                );
                assert_eq!(bracket.champion(), Some(PairingNumber(1)));
            }
        }
    }
}

#[test]
fn the_two_strongest_meet_in_the_final() {
    for players in 2..=130 {
        let mut bracket = bracket(players, Regulations::default());
        play(&mut bracket);
        let last = bracket.rounds.last().unwrap().first().unwrap();
        assert_eq!(last.loser(), Some(PairingNumber(2)), "{players} players");
    }
}

#[test]
fn the_losers_of_the_semifinals_play_for_the_third_place() {
    let mut bracket = bracket(8, Regulations { third_place: true, ..Regulations::default() });
    play(&mut bracket);
    assert_eq!(bracket.third(), Some(PairingNumber(3)));
}

#[test]
fn a_match_ends_when_it_cannot_be_lost_any_more() {
    let mut bracket = bracket(2, Regulations { games: 4, ..Regulations::default() });
    for colour in [Colour::White, Colour::Black, Colour::White] {
        assert_eq!(bracket.champion(), None);
        let board = bracket.get(FIRST).unwrap().next_board().unwrap();
        assert_eq!(board.white == PairingNumber(1), colour == Colour::White, "colours alternate");
        let white = if colour == Colour::White { GameResult::Win } else { GameResult::Draw };
        bracket.record_game(FIRST, white).unwrap();
    }
    assert_eq!(bracket.get(FIRST).unwrap().score(), [5, 1]);
    assert_eq!(bracket.champion(), Some(PairingNumber(1)));
    assert_eq!(bracket.record_game(FIRST, GameResult::Draw), Err(KnockoutError::Decided(FIRST)));
}

#[test]
fn a_tied_match_waits_for_a_decision() {
    let mut bracket = bracket(2, Regulations { games: 2, ..Regulations::default() });
    bracket.record_game(FIRST, GameResult::Win).unwrap();
    bracket.record_game(FIRST, GameResult::Win).unwrap();
    assert_eq!(bracket.champion(), None);
    assert_eq!(bracket.record_game(FIRST, GameResult::Win), Err(KnockoutError::GamesPlayed(FIRST)));
    bracket.decide(FIRST, PairingNumber(2)).unwrap();
    assert_eq!(bracket.champion(), Some(PairingNumber(2)));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let new = |players| Bracket::new(players, Regulations::default()).map(|_| ());
    assert_eq!(new(1), Err(KnockoutError::TooFew(1)));
    assert_eq!(new(10_001), Err(KnockoutError::TooMany(10_001)));
    assert_eq!(new(10_000), Ok(()));
    let mut bracket = bracket(4, Regulations::default());
    let last = MatchId { round: 2, number: 1 };
    assert_eq!(bracket.decide(last, PairingNumber(1)), Err(KnockoutError::NotReady(last)));
    let (nobody, missing) = (PairingNumber(3), MatchId { round: 0, number: 1 });
    assert_eq!(bracket.decide(FIRST, nobody), Err(KnockoutError::NotPlaying(FIRST, nobody)));
    assert_eq!(bracket.decide(missing, nobody), Err(KnockoutError::NoMatch(missing)));
}
