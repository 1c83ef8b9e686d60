//! Games of days: an arbiter who looks at the clock every minute comes to the same numbers.

use rules::clock::{Bank, DayTime};
use rules::{
    Act, Actor, ByColor, Color, Command, Event, Game, Millis, Refusal, RuleSet, Setup, TimeControl,
    UnixMillis,
};

use crate::chance::Chance;
use crate::table::Table;

const MINUTE: i64 = 60_000;
const DAY: i64 = 1_440 * MINUTE;
/// Saturday, 26 December 2026: weekends and a New Year are near.
const START: UnixMillis = UnixMillis(1_798_243_200_000);
const NEW_YEAR: UnixMillis = UnixMillis(1_798_761_600_000);

/// The bookkeeping with pencil and paper, minute by minute.
struct Ledger {
    time: DayTime,
    /// All time ever given to a side, less what a full bank could not take.
    given: ByColor<i64>,
    used: ByColor<i64>,
    leave_used: ByColor<i64>,
    away: ByColor<bool>,
    is_down: bool,
    to_move: Color,
    now: UnixMillis,
}

impl Ledger {
    fn new(time: DayTime) -> Ledger {
        let first = time.bank.map_or(time.per_move.0, |bank| bank.start.0);
        Ledger {
            time,
            given: ByColor::same(first),
            used: ByColor::default(),
            leave_used: ByColor::default(),
            away: ByColor::default(),
            is_down: false,
            to_move: Color::White,
            now: START,
        }
    }

    fn left(&self, side: Color) -> i64 {
        self.given[side] - self.used[side]
    }

    /// One minute; true if the flag has fallen.
    fn tick(&mut self) -> bool {
        if self.now == NEW_YEAR {
            self.leave_used = ByColor::default();
        }
        let is_weekend = (self.now.0 / DAY + 3) % 7 >= 5;
        let is_free = is_weekend && self.time.weekends_free;
        let mut charges = !self.is_down && !is_free;
        for side in Color::ALL {
            if self.away[side] && self.leave_used[side] < self.time.leave.0 {
                self.leave_used[side] += MINUTE;
                charges &= side != self.to_move;
            } else {
                self.away[side] = false;
            }
        }
        self.used[self.to_move] += i64::from(charges) * MINUTE;
        self.now = self.now.plus(Millis(MINUTE));
        self.left(self.to_move) <= 0
    }

    /// Minutes one after the other; false if the flag fell meanwhile.
    fn pass(&mut self, minutes: i64) -> bool {
        (0..minutes).all(|_| !self.tick())
    }

    fn moved(&mut self) {
        let side = self.to_move;
        let left = self.left(side);
        self.given[side] += match self.time.bank {
            None => self.time.per_move.0 - left,
            Some(bank) => self.time.per_move.0.min(bank.cap.0 - left),
        };
        self.to_move = side.other();
    }
}

fn day_time(chance: &mut Chance) -> DayTime {
    let span = |chance: &mut Chance, days: i64| Millis(MINUTE + chance.ms(days * 1_440) * MINUTE);
    let per_move = span(chance, 4);
    let bank = chance.one_in(2).then(|| {
        let start = span(chance, 10);
        Bank { start, cap: start.plus(Millis(chance.ms(7_200) * MINUTE)) }
    });
    let leave = if chance.one_in(2) { span(chance, 9) } else { Millis::ZERO };
    DayTime { per_move, bank, leave, weekends_free: chance.one_in(2) }
}

fn send(game: &mut Game, by: Actor, at: UnixMillis, act: Act) -> Result<Vec<Event>, Refusal> {
    let events = game.decide(&Command::new(by, at, act))?;
    for event in &events {
        game.apply(event).expect("decided");
    }
    Ok(events)
}

const MOVES: [&str; 8] = ["g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8"];

fn check(case: u64) {
    let mut chance = Chance::new(case);
    let time = day_time(&mut chance);
    let mut ledger = Ledger::new(time);
    let rules = RuleSet { draws: rules::DrawsBy::Claim, ..RuleSet::fide() };
    let setup = Setup::standard(TimeControl::Days(time), rules);
    let mut game = Game::new(setup, START).expect("playable");
    let mut played = 0;
    for _ in 0..60 {
        let most = if chance.one_in(3) { 2_880 } else { 300 };
        let minutes = chance.ms(most);
        let deadline = game.next_deadline().expect("a clock runs");
        if !ledger.pass(minutes) {
            assert_eq!(deadline, ledger.now, "case {case}: not a minute early or late");
            let before = UnixMillis(deadline.0 - 1);
            let early = game.decide(&Command::new(Actor::Server, before, Act::CheckFlag));
            assert_eq!(early, Err(Refusal::FlagNotFallen), "case {case}");
            send(&mut game, Actor::Server, deadline, Act::CheckFlag).expect("the flag has fallen");
            assert_eq!(game.left(ledger.to_move, ledger.now), Some(Millis::ZERO));
            return;
        }
        let (now, side) = (ledger.now, *chance.pick(&Color::ALL));
        match chance.below(5) {
            0 => {
                let taken = send(&mut game, Actor::Player(side), now, Act::TakeLeave);
                let can = ledger.leave_left(side) && !ledger.away[side];
                assert_eq!(taken.is_ok(), can, "case {case}: {taken:?}");
                ledger.away[side] |= can;
            }
            1 => {
                // Whoever used up the leave may still say that they are back.
                let back = send(&mut game, Actor::Player(side), now, Act::EndLeave);
                assert!(back.is_ok() || !ledger.away[side], "case {case}");
                ledger.away[side] = false;
            }
            2 => {
                ledger.is_down = true;
                let _ = ledger.pass(chance.ms(4_000));
                ledger.is_down = false;
                let credit = Act::CreditDowntime { since: now };
                send(&mut game, Actor::Server, ledger.now, credit).expect("credited");
            }
            _ => {
                let action = MOVES[played % MOVES.len()];
                if played == 2 * MOVES.len() {
                    return;
                }
                let act = Act::Play { ply: game.ply(), action: action.into() };
                send(&mut game, Actor::Player(ledger.to_move), now, act).expect("in time");
                ledger.moved();
                played += 1;
            }
        }
        for side in Color::ALL {
            let left = game.left(side, ledger.now).expect("a clock").0;
            assert_eq!(left, ledger.left(side), "case {case}, {side}");
        }
    }
}

impl Ledger {
    fn leave_left(&self, side: Color) -> bool {
        let renewed = self.now == NEW_YEAR;
        self.time.leave.0 > 0 && (renewed || self.leave_used[side] < self.time.leave.0)
    }
}

#[test]
fn what_was_given_is_left_or_used_in_2_000_games_of_days() {
    (0..2_000).for_each(check);
}

#[test]
fn downtime_is_credited_and_what_was_used_before_it_is_not() {
    let mut table = Table::online(TimeControl::days(3));
    let since = table.wait(DAY).now;
    table.wait(DAY).server(Act::CreditDowntime { since }).unwrap();
    assert_eq!(table.left(Color::White), 2 * DAY);
    table.wait(DAY);
    assert_eq!(table.left(Color::White), DAY);
    table.arbiter(Act::Pause(rules::clock::Halt::Arbiter)).unwrap();
    assert_eq!(table.server(Act::CreditDowntime { since }), Err(Refusal::Paused));
}

#[test]
fn a_calendar_that_is_set_back_stops_no_clock() {
    let mut table = Table::online(TimeControl::days(3));
    let before = table.wait(DAY).now;
    table.wait(-100 * DAY).server(Act::CreditDowntime { since: before }).unwrap();
    assert_eq!(table.left(Color::White), 3 * DAY);
    table.wait(DAY);
    assert_eq!(table.left(Color::White), 2 * DAY);
    let stopped = table.now;
    table.server(Act::Pause(rules::clock::Halt::Server)).unwrap();
    table.wait(-100 * DAY).server(Act::CreditDowntime { since: stopped }).unwrap();
    table.wait(DAY);
    assert_eq!(
        table.left(Color::White),
        DAY,
        "what was used before a stop in good order stays used"
    );
}

#[test]
fn a_free_weekend_is_skipped_and_moves_are_welcome_in_it() {
    let TimeControl::Days(three) = TimeControl::days(3) else { unreachable!("days") };
    let mut table = Table::online(TimeControl::Days(DayTime { weekends_free: true, ..three }));
    // Tuesday, 14 November 2023, 22:13:20: the third day ends on Friday at that time.
    table.wait(2 * DAY).play("e2e4");
    let flag = table.game.next_deadline().unwrap();
    assert_eq!(flag.since(table.now), Millis(5 * DAY));
    table.wait(2 * DAY).play("e7e5");
    assert_eq!(table.game.next_deadline().unwrap().0 % DAY, 0, "from Monday, 00:00, on");
}
