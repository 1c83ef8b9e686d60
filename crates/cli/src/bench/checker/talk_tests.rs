//! Histories with offers, talk and ratings, and one fault each.

use std::collections::BTreeMap;

use rules::{Color, WinReason};

use super::*;

const WON: Outcome = Outcome::Win { winner: Color::White, by: WinReason::Resign };

fn line(number: i64, text: &str) -> Line {
    Line { number, text: text.to_owned() }
}

fn step(before: i64, after: i64) -> RatingStep {
    RatingStep { before, after }
}

fn state(version: u32) -> State {
    let clocks = Clocks { white: 60_000, black: 50_000 };
    State {
        version,
        actions: vec![],
        ended: None,
        clocks,
        is_offered: version == 3,
        chat: if version == 3 { vec![line(1, "hello")] } else { vec![] },
        since_start_ms: 300,
    }
}

/// A line, an offer, a kill, an end that counts: everything as promised. Then a second game.
fn good() -> Vec<GameHistory> {
    let white = vec![
        Note::State(state(0)),
        Note::Said { text: "hello".to_owned() },
        Note::Heard(line(1, "hello")),
        Note::Offered,
        Note::Changed { version: 1, what: What::DrawOffered },
        Note::Cut,
        Note::State(state(3)),
        Note::Changed { version: 4, what: What::Ended(WON) },
        Note::Rated([step(1500, 1600), step(1500, 1400)]),
    ];
    let black = vec![
        Note::State(state(0)),
        Note::Heard(line(1, "hello")),
        Note::Changed { version: 1, what: What::DrawOffered },
        Note::Cut,
        Note::State(state(3)),
        Note::Changed { version: 4, what: What::Ended(WON) },
        Note::Rated([step(1500, 1600), step(1500, 1400)]),
    ];
    let last = FinalGame {
        version: 4,
        ended: Some(WON),
        chat: vec![line(1, "hello")],
        ratings: Some([step(1500, 1600), step(1500, 1400)]),
        ..FinalGame::default()
    };
    let first = GameHistory {
        id: "abcdefgh".to_owned(),
        table: 7,
        seats: [white, black],
        watchers: Vec::new(),
        last: Some(last),
    };
    let last = FinalGame {
        version: 1,
        ended: Some(WON),
        ratings: Some([step(1600, 1650), step(1400, 1350)]),
        ..FinalGame::default()
    };
    let second = GameHistory {
        id: "bcdefghi".to_owned(),
        table: 7,
        last: Some(last),
        ..GameHistory::default()
    };
    vec![first, second]
}

fn players() -> BTreeMap<usize, [FinalPlayer; 2]> {
    let player = |rating| FinalPlayer { rating, games: 2 };
    BTreeMap::from([(7, [player(1650), player(1350)])])
}

/// Spoils the good histories and checks the counts of lost, ghosts, order and rating errors.
fn check_spoiled(
    spoil: impl FnOnce(&mut [GameHistory], &mut [FinalPlayer; 2]),
    expected: (u64, u64, u64, u64),
) {
    let (mut games, mut players) = (good(), players());
    spoil(&mut games, players.get_mut(&7).unwrap());
    let found = check(&games, &players);
    let counts = (found.lost, found.ghosts, found.order_errors, found.rating_errors);
    assert_eq!(counts, expected, "{:?}", found.faults);
    assert_eq!(found.is_good(), expected == (0, 0, 0, 0));
}

fn final_game(games: &mut [GameHistory], number: usize) -> &mut FinalGame {
    games[number].last.as_mut().unwrap()
}

fn state_after_kill(games: &mut [GameHistory], seat: usize) -> &mut State {
    let states = games[0].seats[seat].iter_mut().filter_map(|note| match note {
        Note::State(state) => Some(state),
        _ => None,
    });
    states.last().unwrap()
}

#[test]
fn a_faultless_history_passes_and_all_of_it_was_looked_at() {
    check_spoiled(|_, _| (), (0, 0, 0, 0));
    let verdict = check(&good(), &players());
    assert_eq!((verdict.lines, verdict.offers, verdict.ratings), (1, 2, 4));
}

#[test]
fn a_line_that_was_heard_and_is_gone_is_lost() {
    check_spoiled(|games, _| final_game(games, 0).chat.clear(), (1, 0, 0, 0));
}

#[test]
fn a_line_that_changed_is_lost_and_what_it_became_a_ghost() {
    check_spoiled(|games, _| final_game(games, 0).chat[0].text = "bye".to_owned(), (1, 1, 0, 0));
}

#[test]
fn a_line_that_is_there_twice_is_a_ghost() {
    check_spoiled(|games, _| final_game(games, 0).chat.push(line(2, "hello")), (0, 1, 0, 0));
}

#[test]
fn a_line_that_nobody_said_is_a_ghost() {
    let spoil = |games: &mut [GameHistory], _: &mut _| {
        games[0].seats[0].retain(|note| !matches!(note, Note::Said { .. }));
    };
    check_spoiled(spoil, (0, 1, 0, 0));
}

#[test]
fn two_who_heard_different_lines_under_one_number_are_an_order_error() {
    let spoil = |games: &mut [GameHistory], _: &mut _| {
        games[0].seats[1][1] = Note::Heard(line(1, "other"));
    };
    check_spoiled(spoil, (0, 0, 1, 0));
}

#[test]
fn an_offer_that_a_kill_took_away_is_lost() {
    check_spoiled(|games, _| state_after_kill(games, 1).is_offered = false, (1, 0, 0, 0));
}

#[test]
fn an_offer_that_nobody_made_is_a_ghost() {
    let spoil = |games: &mut [GameHistory], _: &mut _| {
        games[0].seats[0].retain(|note| !matches!(note, Note::Offered));
    };
    check_spoiled(spoil, (0, 2, 0, 0));
}

#[test]
fn an_offer_and_an_end_under_one_version_are_an_order_error() {
    let spoil = |games: &mut [GameHistory], _: &mut _| {
        games[0].seats[1][5] = Note::Changed { version: 4, what: What::Other };
    };
    check_spoiled(spoil, (0, 0, 1, 0));
}

#[test]
fn a_game_that_counted_for_nobody_is_a_rating_error() {
    let spoil = |games: &mut [GameHistory], players: &mut [FinalPlayer; 2]| {
        final_game(games, 1).ratings = None;
        *players = [FinalPlayer { rating: 1600, games: 1 }, FinalPlayer { rating: 1400, games: 1 }];
    };
    check_spoiled(spoil, (0, 0, 0, 1));
}

#[test]
fn a_game_that_counted_twice_is_a_rating_error() {
    check_spoiled(|_, players| players[0].games = 3, (0, 0, 0, 1));
    check_spoiled(|_, players| players[1].rating = 1300, (0, 0, 0, 1));
}

#[test]
fn a_change_that_does_not_begin_where_the_last_ended_is_a_rating_error() {
    let spoil = |games: &mut [GameHistory], _: &mut _| {
        final_game(games, 1).ratings = Some([step(1500, 1650), step(1400, 1350)]);
    };
    check_spoiled(spoil, (0, 0, 0, 1));
}

#[test]
fn a_change_that_was_told_otherwise_is_a_rating_error() {
    let spoil = |games: &mut [GameHistory], _: &mut _| {
        games[0].seats[1][6] = Note::Rated([step(1500, 1601), step(1500, 1400)]);
    };
    check_spoiled(spoil, (0, 0, 0, 1));
}
