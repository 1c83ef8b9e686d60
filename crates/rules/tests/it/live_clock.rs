//! Live clocks in a game: who pays, who is late, what a restart costs (nothing).

use rules::clock::Halt;
use rules::{
    AbortReason, Act, Actor, Color, Command, DrawReason, Millis, Outcome, Refusal, RuleSet, Setup,
    TimeControl, WinReason,
};

use crate::table::{START, Table, live, play};

#[test]
fn online_clocks_start_with_blacks_first_move() {
    let mut table = Table::online(live(60, 2));
    table.wait(5_000).play("e2e4").wait(5_000).play("e7e5");
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (60_000, 60_000));
    table.wait(3_000);
    assert_eq!(table.left(Color::White), 57_000);
    let since = table.game.clocks().running_since().unwrap();
    assert_eq!(table.now.since(since), Millis(3_000));
    assert_eq!(table.game.lefts(table.now).black, Some(Millis(60_000)));
    table.play("g1f3");
    assert_eq!(table.left(Color::White), 59_000);
}

#[test]
fn fide_clocks_start_at_once() {
    let mut table = Table::fide(live(60, 2));
    table.wait(5_000);
    assert_eq!(table.left(Color::White), 55_000);
    table.play("e2e4");
    assert_eq!(table.left(Color::White), 57_000);
    assert_eq!(table.game.next_deadline(), Some(START.plus(Millis(65_000))));
}

#[test]
fn who_goes_berserk_has_half_the_time_and_earns_nothing() {
    let berserk = |by| Act::Berserk { by };
    let mut table = Table::fide(live(60, 2));
    assert_eq!(table.player(Color::White, berserk(Color::White)), Err(Refusal::NotAllowed));
    table.arbiter(berserk(Color::White)).unwrap();
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (30_000, 60_000));
    table.wait(5_000).play("e2e4").wait(5_000).play("e7e5");
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (25_000, 57_000));
    assert_eq!(table.arbiter(berserk(Color::Black)), Err(Refusal::AgainstRules), "too late");
    let mut without = Table::fide(TimeControl::Unlimited);
    assert_eq!(without.arbiter(berserk(Color::White)), Err(Refusal::NoClock));
}

#[test]
fn a_late_move_is_late_even_if_it_mates() {
    let mut table = Table::fide(live(10, 0));
    table.play("f2f3 e7e5 g2g4").wait(10_000).play("d8h4");
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::White, by: WinReason::Time }));
    assert_eq!(table.game.ply().0, 3);
    assert_eq!(table.left(Color::Black), 0);
}

#[test]
fn lag_credit_saves_a_move_that_was_made_in_time() {
    let mut table = Table::fide(live(10, 0));
    table.wait(10_100);
    let mut command = Command::new(Actor::Player(Color::White), table.now, play(0, "e2e4"));
    command.lag = Millis(200);
    table.send(&command).unwrap();
    assert_eq!(table.outcome(), None);
    assert_eq!(table.left(Color::White), 100);
}

#[test]
fn the_flag_falls_when_the_deadline_is_reached_and_not_before() {
    let mut table = Table::fide(live(10, 0));
    table.wait(9_999);
    assert_eq!(table.server(Act::CheckFlag), Err(Refusal::FlagNotFallen));
    table.wait(1);
    table.server(Act::CheckFlag).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::Black, by: WinReason::Time }));
}

#[test]
fn time_against_a_side_that_cannot_mate_is_a_draw() {
    let check = |fen: &str, expected: Outcome| {
        let mut table = Table::new(Setup {
            start: Some(fen.into()),
            ..Setup::standard(live(10, 0), RuleSet::fide())
        });
        table.wait(10_000).server(Act::CheckFlag).unwrap();
        assert_eq!(table.outcome(), Some(expected), "{fen}");
    };
    let draw = Outcome::Draw { by: DrawReason::CannotMate };
    let loss = Outcome::Win { winner: Color::Black, by: WinReason::Time };
    check("k7/8/8/8/8/8/7Q/K7 w - - 0 1", draw);
    check("kn6/8/8/8/8/8/7Q/K7 w - - 0 1", draw);
    check("kn6/8/8/8/8/8/7P/K7 w - - 0 1", loss);
    check("kp6/8/8/8/8/8/8/K7 w - - 0 1".replace("kp6/8", "k7/p7").as_str(), loss);
}

#[test]
fn a_first_move_that_does_not_come_aborts_the_game() {
    let mut table = Table::online(live(600, 0));
    assert_eq!(table.game.next_deadline(), Some(START.plus(Millis(30_000))));
    table.wait(20_000).play("e2e4").wait(29_999);
    assert_eq!(table.server(Act::CheckFlag), Err(Refusal::FlagNotFallen));
    table.wait(1).server(Act::CheckFlag).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Aborted { by: AbortReason::NoFirstMove }));
}

#[test]
fn a_restart_gives_back_what_the_side_had_after_the_last_move() {
    let mut table = Table::online(live(60, 0));
    table.play("e2e4 e7e5").wait(7_000);
    assert_eq!(table.left(Color::White), 53_000);
    table.wait(3_600_000).server(Act::Resume).unwrap();
    assert_eq!(table.left(Color::White), 60_000);
    table.wait(1_000);
    assert_eq!(table.left(Color::White), 59_000);
}

#[test]
fn a_pause_keeps_what_the_side_had_and_refuses_moves() {
    let mut table = Table::online(live(60, 0));
    table.play("e2e4 e7e5").wait(7_000).server(Act::Pause(Halt::Server)).unwrap();
    table.wait(100_000);
    assert_eq!(table.left(Color::White), 53_000);
    assert_eq!(table.game.next_deadline(), None);
    assert_eq!(table.try_play("g1f3"), Err(Refusal::Paused));
    table.server(Act::Resume).unwrap();
    table.wait(3_000).play("g1f3");
    assert_eq!(table.left(Color::White), 50_000);
}

#[test]
fn a_game_without_clock_has_no_deadline() {
    let table = Table::online(TimeControl::Unlimited);
    assert_eq!(table.game.next_deadline(), None);
    assert_eq!(table.game.left(Color::White, table.now), None);
}
