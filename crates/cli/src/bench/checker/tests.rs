//! Histories with one fault each: a checker that cannot fail would be worth nothing.

use rules::{Color, WinReason};

use super::*;

const WON: Outcome = Outcome::Win { winner: Color::White, by: WinReason::Resign };

fn mv(text: &str) -> MoveText {
    MoveText::new(text).unwrap()
}

fn clocks(white: i64, black: i64) -> Clocks {
    Clocks { white, black }
}

fn sent(ply: u32, action: &str) -> Note {
    Note::Sent { ply, action: mv(action) }
}

/// A move told with White at 60 s and Black at 50 s.
fn played(version: u32, ply: u32, action: &str) -> Note {
    Note::Played { version, ply, action: mv(action), clocks: clocks(60_000, 50_000) }
}

fn state(version: u32, actions: &str) -> State {
    State {
        version,
        actions: actions.split_whitespace().map(mv).collect(),
        ended: None,
        clocks: clocks(60_000, 50_000),
        since_start_ms: 300,
        is_offered: false,
        chat: vec![],
    }
}

/// Two moves, a kill, the third move sent twice, and an end: everything as promised.
fn good() -> GameHistory {
    GameHistory {
        id: "abcdefgh".to_owned(),
        seats: [
            vec![
                Note::State(state(0, "")),
                sent(0, "e2e4"),
                played(1, 1, "e2e4"),
                played(2, 2, "e7e5"),
                sent(2, "g1f3"),
                Note::Cut,
                Note::State(state(3, "e2e4 e7e5")),
                sent(2, "g1f3"),
                played(4, 3, "g1f3"),
                Note::Changed { version: 5, what: What::Ended(WON) },
            ],
            vec![
                Note::State(state(0, "")),
                played(1, 1, "e2e4"),
                sent(1, "e7e5"),
                played(2, 2, "e7e5"),
                Note::Cut,
                Note::State(state(3, "e2e4 e7e5")),
                played(4, 3, "g1f3"),
                Note::Changed { version: 5, what: What::Ended(WON) },
            ],
        ],
        last: Some(FinalGame {
            version: 5,
            actions: state(5, "e2e4 e7e5 g1f3").actions,
            ended: Some(WON),
            ..FinalGame::default()
        }),
        ..GameHistory::default()
    }
}

/// Spoils the good history and checks the counts of lost, ghosts, order errors and the clock error.
fn check_spoiled(spoil: impl FnOnce(&mut GameHistory), expected: (u64, u64, u64, i64)) {
    let mut game = good();
    spoil(&mut game);
    let found = check(&[good(), game], &BTreeMap::new());
    let counts = (found.lost, found.ghosts, found.order_errors, found.clock_error_ms);
    assert_eq!(counts, expected, "{:?}", found.faults);
    assert_eq!(found.is_good(), expected == (0, 0, 0, 0) || expected.3 == 50);
}

fn state_after_kill(game: &mut GameHistory, seat: usize) -> &mut State {
    let states = game.seats[seat].iter_mut().filter_map(|note| match note {
        Note::State(state) => Some(state),
        _ => None,
    });
    states.last().unwrap()
}

#[test]
fn a_faultless_history_passes_and_its_clocks_were_looked_at() {
    check_spoiled(|_| (), (0, 0, 0, 0));
    let verdict = check(&[good()], &BTreeMap::new());
    assert_eq!((verdict.moves, verdict.clocks_compared), (3, 2));
}

#[test]
fn a_move_that_was_told_and_is_gone_is_lost() {
    let spoil = |game: &mut GameHistory| {
        game.last.as_mut().unwrap().actions.pop();
    };
    check_spoiled(spoil, (1, 0, 0, 0));
}

#[test]
fn a_move_that_became_another_is_lost_and_the_other_a_ghost() {
    let spoil = |game: &mut GameHistory| game.last.as_mut().unwrap().actions[1] = mv("c7c5");
    check_spoiled(spoil, (1, 1, 0, 0));
}

#[test]
fn a_game_that_the_server_does_not_know_any_more_is_lost_whole() {
    check_spoiled(|game| game.last = None, (4, 0, 0, 0));
}

#[test]
fn a_result_that_was_told_and_is_gone_is_lost() {
    check_spoiled(|game| game.last.as_mut().unwrap().ended = None, (1, 0, 0, 0));
}

#[test]
fn a_result_that_became_another_is_lost() {
    let lost = Outcome::Win { winner: Color::Black, by: WinReason::Resign };
    check_spoiled(|game| game.last.as_mut().unwrap().ended = Some(lost), (1, 0, 0, 0));
}

#[test]
fn a_move_that_nobody_sent_is_a_ghost() {
    let spoil = |game: &mut GameHistory| {
        game.seats[1].retain(|note| !matches!(note, Note::Sent { .. }));
    };
    check_spoiled(spoil, (0, 1, 0, 0));
}

#[test]
fn a_move_that_the_other_side_sent_is_a_ghost() {
    let spoil = |game: &mut GameHistory| {
        game.seats[1].retain(|note| !matches!(note, Note::Sent { .. }));
        game.seats[0].push(sent(1, "e7e5"));
    };
    check_spoiled(spoil, (0, 1, 0, 0));
}

#[test]
fn a_move_that_its_sender_never_learned_of_is_a_ghost() {
    let spoil = |game: &mut GameHistory| {
        game.seats[1].push(sent(3, "b8c6"));
        game.last.as_mut().unwrap().actions.push(mv("b8c6"));
    };
    check_spoiled(spoil, (0, 1, 0, 0));
}

#[test]
fn one_unacknowledged_move_may_come_back_from_a_kill() {
    let spoil = |game: &mut GameHistory| {
        for seat in 0..2 {
            *state_after_kill(game, seat) = state(4, "e2e4 e7e5 g1f3");
            game.seats[seat].retain(|note| !matches!(note, Note::Played { ply: 3, .. }));
        }
    };
    check_spoiled(spoil, (0, 0, 0, 0));
}

#[test]
fn two_unacknowledged_moves_may_not() {
    let spoil = |game: &mut GameHistory| {
        for seat in &mut game.seats {
            seat.retain(|note| !matches!(note, Note::Played { ply: 2 | 3, .. }));
        }
        for seat in 0..2 {
            *state_after_kill(game, seat) = state(4, "e2e4 e7e5 g1f3");
        }
    };
    check_spoiled(spoil, (0, 1, 0, 0));
}

#[test]
fn a_gap_is_an_order_error() {
    check_spoiled(|game| drop(game.seats[0].remove(2)), (0, 0, 1, 0));
}

#[test]
fn a_double_is_an_order_error() {
    let spoil = |game: &mut GameHistory| game.seats[1].insert(2, played(1, 1, "e2e4"));
    check_spoiled(spoil, (0, 0, 1, 0));
}

#[test]
fn an_event_before_the_first_state_is_an_order_error() {
    check_spoiled(|game| drop(game.seats[1].remove(0)), (0, 0, 1, 0));
}

#[test]
fn a_state_that_goes_back_is_an_order_error() {
    let spoil = |game: &mut GameHistory| {
        *state_after_kill(game, 0) = state(1, "e2e4");
        game.seats[0].insert(8, played(2, 2, "e7e5"));
        game.seats[0].insert(9, Note::Changed { version: 3, what: What::Other });
    };
    check_spoiled(spoil, (0, 0, 1, 0));
}

#[test]
fn two_clients_that_saw_different_moves_are_an_order_error() {
    let spoil = |game: &mut GameHistory| {
        game.seats[1].retain(|note| !matches!(note, Note::Played { ply: 3, .. }));
        game.seats[1].insert(6, played(4, 3, "d2d4"));
    };
    check_spoiled(spoil, (0, 0, 2, 0));
}

#[test]
fn a_server_that_ends_before_its_clients_is_an_order_error() {
    check_spoiled(|game| game.last.as_mut().unwrap().version = 4, (0, 0, 2, 0));
}

#[test]
fn downtime_that_was_charged_is_a_clock_error() {
    // White is to move: its clock may have run for the 300 ms since the server's start, and no longer.
    let charged = |ms| move |game: &mut GameHistory| state_after_kill(game, 0).clocks.white -= ms;
    check_spoiled(charged(300), (0, 0, 0, 0));
    check_spoiled(charged(350), (0, 0, 0, 50));
    check_spoiled(charged(1_300), (0, 0, 0, 1_000));
}

#[test]
fn a_clock_that_should_stand_and_moved_is_a_clock_error() {
    check_spoiled(|game| state_after_kill(game, 0).clocks.black -= 80, (0, 0, 0, 80));
    check_spoiled(|game| state_after_kill(game, 1).clocks.black += 80, (0, 0, 0, 80));
    check_spoiled(|game| state_after_kill(game, 1).clocks.white += 80, (0, 0, 0, 80));
}

/// The same with two who looked on: one over the kill, one only at the beginning.
fn watched() -> GameHistory {
    GameHistory {
        watchers: vec![
            vec![
                Note::State(state(1, "e2e4")),
                played(2, 2, "e7e5"),
                Note::State(state(3, "e2e4 e7e5")),
                played(4, 3, "g1f3"),
            ],
            vec![Note::State(state(0, "")), played(1, 1, "e2e4")],
        ],
        ..good()
    }
}

#[test]
fn watchers_who_saw_a_part_of_the_one_order_find_nothing_to_object() {
    let verdict = check(&[watched()], &BTreeMap::new());
    assert!(verdict.is_good(), "{:?}", verdict.faults);
    assert_eq!(verdict.watched, 6);
}

#[test]
fn a_watcher_who_sees_something_else_than_the_players_finds_an_error_of_order() {
    let check_watcher = |spoil: fn(&mut Vec<Note>), errors: u64| {
        let mut game = watched();
        spoil(&mut game.watchers[0]);
        let found = check(&[game], &BTreeMap::new());
        assert_eq!(found.order_errors, errors, "{:?}", found.faults);
        assert!(!found.is_good());
    };
    // Another move stands under its version and under its ply.
    check_watcher(|notes| notes[1] = played(2, 2, "c7c5"), 2);
    check_watcher(|notes| drop(notes.remove(2)), 1);
    check_watcher(|notes| notes.push(played(4, 3, "g1f3")), 1);
    check_watcher(|notes| notes.push(Note::Changed { version: 5, what: What::Other }), 1);
}

#[test]
fn a_move_that_only_a_watcher_was_told_and_that_is_gone_is_lost() {
    let mut game = watched();
    game.watchers[0].push(Note::Changed { version: 5, what: What::Other });
    game.watchers[0].push(played(6, 4, "b8c6"));
    let found = check(&[game], &BTreeMap::new());
    assert_eq!(found.lost, 1, "{:?}", found.faults);
}

#[test]
fn a_move_that_no_player_learned_of_is_a_ghost_though_a_watcher_saw_it() {
    let mut game = watched();
    for seat in &mut game.seats {
        seat.retain(|note| !matches!(note, Note::Played { ply: 3, .. }));
    }
    assert_eq!(check(&[game], &BTreeMap::new()).ghosts, 1);
}
