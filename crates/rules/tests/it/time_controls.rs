//! Bronstein, delay, stages, odds, and days.

use rules::clock::{Bank, Bonus, DayTime, Halt, SideTime, Stage};
use rules::{Act, ByColor, Color, Millis, Refusal, TimeControl};

use crate::table::{Table, live};

const DAY: i64 = 86_400_000;

fn with_bonus(bonus: Bonus) -> TimeControl {
    TimeControl::Live(ByColor::same(Some(SideTime::single(Millis::seconds(60), bonus))))
}

/// What White has after thinking this long for the first move.
fn after_thinking(time: TimeControl, ms: i64) -> i64 {
    let mut table = Table::fide(time);
    table.wait(ms).play("e2e4");
    table.left(Color::White)
}

#[test]
fn each_bonus_works_as_its_inventor_wanted() {
    let (fischer, bronstein) = (Bonus::Fischer(Millis(5_000)), Bonus::Bronstein(Millis(5_000)));
    let delay = Bonus::Delay(Millis(5_000));
    let check = |bonus, thinks, left| {
        assert_eq!(after_thinking(with_bonus(bonus), thinks), left, "{bonus:?}");
    };
    check(Bonus::None, 3_000, 57_000);
    check(fischer, 3_000, 62_000);
    check(fischer, 9_000, 56_000);
    check(bronstein, 3_000, 60_000);
    check(bronstein, 9_000, 56_000);
    check(delay, 3_000, 60_000);
    check(delay, 9_000, 56_000);
}

#[test]
fn a_delay_moves_the_deadline_and_bronstein_does_not() {
    let deadline = |bonus| {
        let table = Table::fide(with_bonus(bonus));
        table.game.next_deadline().unwrap().since(table.now)
    };
    assert_eq!(deadline(Bonus::Delay(Millis(5_000))), Millis(65_000));
    assert_eq!(deadline(Bonus::Bronstein(Millis(5_000))), Millis(60_000));
    assert_eq!(deadline(Bonus::Fischer(Millis(5_000))), Millis(60_000));
}

#[test]
fn a_pause_does_not_renew_the_delay() {
    let mut table = Table::fide(with_bonus(Bonus::Delay(Millis(5_000))));
    table.wait(4_000).server(Act::Pause(Halt::Server)).unwrap();
    table.wait(9_000).server(Act::Resume).unwrap();
    table.wait(4_000);
    assert_eq!(table.left(Color::White), 57_000);
}

#[test]
fn a_new_stage_brings_its_time_with_the_move_that_completes_the_old_one() {
    let stage = |moves, seconds| Stage {
        moves,
        time: Millis::seconds(seconds),
        bonus: Bonus::Fischer(Millis(1_000)),
    };
    let side = SideTime { stages: vec![stage(Some(2), 60), stage(None, 30)] };
    let mut table = Table::fide(TimeControl::Live(ByColor::same(Some(side))));
    table.wait(10_000).play("g1f3 g8f6");
    assert_eq!(table.left(Color::White), 51_000);
    table.play("f3g1 f6g8");
    assert_eq!(table.left(Color::White), 82_000);
    table.play("g1f3");
    assert_eq!(table.left(Color::White), 83_000);
}

#[test]
fn sides_can_have_different_times_or_none() {
    let white = SideTime::single(Millis::seconds(300), Bonus::None);
    let mut table = Table::fide(TimeControl::Live(ByColor { white: Some(white), black: None }));
    table.wait(1_000).play("e2e4");
    assert_eq!(table.left(Color::White), 299_000);
    assert_eq!(table.game.left(Color::Black, table.now), None);
    assert_eq!(table.game.next_deadline(), None);
    table.wait(999_999).play("e7e5").wait(1_000);
    assert_eq!(table.left(Color::White), 298_000);
    assert_eq!(table.game.clocks().running(table.now), Some(Color::White));
}

fn days(bank: Option<Bank>, leave: i64) -> TimeControl {
    TimeControl::Days(DayTime {
        per_move: Millis(3 * DAY),
        bank,
        leave: Millis(leave * DAY),
        weekends_free: false,
    })
}

#[test]
fn days_per_move_start_anew_with_every_move() {
    let mut table = Table::online(days(None, 0));
    assert_eq!(table.left(Color::White), 3 * DAY);
    table.wait(2 * DAY);
    assert_eq!(table.left(Color::White), DAY);
    table.play("e2e4").wait(DAY).play("e7e5");
    assert_eq!(table.left(Color::White), 3 * DAY);
    table.wait(3 * DAY).server(Act::CheckFlag).unwrap();
    assert_eq!(table.outcome().and_then(|end| end.winner()), Some(Color::Black));
}

#[test]
fn a_bank_saves_time_up_to_its_cap() {
    let mut table =
        Table::online(days(Some(Bank { start: Millis(10 * DAY), cap: Millis(12 * DAY) }), 0));
    table.wait(4 * DAY).play("e2e4");
    assert_eq!(table.left(Color::White), 9 * DAY);
    table.wait(DAY / 2).play("e7e5");
    assert_eq!(table.left(Color::Black), 12 * DAY, "the cap");
}

#[test]
fn leave_stops_the_own_clock_until_it_is_used_up() {
    let mut table = Table::online(days(None, 5));
    table.wait(DAY);
    table.player(Color::White, Act::TakeLeave).unwrap();
    assert_eq!(table.player(Color::White, Act::TakeLeave), Err(Refusal::NoLeave));
    table.wait(4 * DAY);
    assert_eq!(table.left(Color::White), 2 * DAY);
    assert_eq!(table.game.clocks().running(table.now), None);
    assert_eq!(table.game.next_deadline().unwrap().since(table.now), Millis(3 * DAY));
    table.player(Color::White, Act::EndLeave).unwrap();
    assert_eq!(table.game.clocks().leave(Color::White, table.now).0, Millis(DAY));
    table.wait(DAY);
    assert_eq!(table.left(Color::White), DAY);
    table.player(Color::White, Act::TakeLeave).unwrap();
    table.wait(2 * DAY);
    assert_eq!(
        table.server(Act::CheckFlag).map(|events| events.len()),
        Ok(1),
        "leave and time are both used up"
    );
}

#[test]
fn a_move_can_be_made_on_leave_and_the_other_clock_runs() {
    let mut table = Table::online(days(None, 5));
    table.player(Color::White, Act::TakeLeave).unwrap();
    table.wait(DAY).play("e2e4").wait(DAY);
    assert_eq!(table.left(Color::Black), 2 * DAY);
    assert_eq!(table.player(Color::Black, Act::EndLeave), Err(Refusal::NotOnLeave));
    table.server(Act::EndLeave).unwrap();
    assert_eq!(table.game.clocks().leave(Color::White, table.now), (Millis(3 * DAY), None));
}

#[test]
fn a_free_weekend_costs_nothing_and_allows_moves() {
    let mut table = Table::online(days(None, 0));
    table.wait(DAY).server(Act::Pause(Halt::Weekend)).unwrap();
    table.wait(2 * DAY);
    assert_eq!(table.left(Color::White), 2 * DAY);
    table.play("e2e4").wait(DAY);
    assert_eq!(table.left(Color::Black), 3 * DAY, "the weekend goes on");
    assert_eq!(table.server(Act::Resume), Err(Refusal::Paused), "a restart does not end a weekend");
    assert_eq!(table.server(Act::Pause(Halt::Server)), Err(Refusal::Paused));
    assert_eq!(table.server(Act::EndPause(Halt::Arbiter)), Err(Refusal::NotPaused));
    table.server(Act::EndPause(Halt::Weekend)).unwrap();
    table.wait(DAY);
    assert_eq!(table.left(Color::Black), 2 * DAY);
}

#[test]
fn the_first_move_deadline_is_for_live_games() {
    assert!(Table::online(live(600, 0)).game.next_deadline().is_some());
    let table = Table::online(days(None, 0));
    assert_eq!(table.game.next_deadline().unwrap().since(table.now), Millis(3 * DAY));
}
