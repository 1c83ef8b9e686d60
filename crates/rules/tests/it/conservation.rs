//! Time is neither made nor lost: what was given equals what is left plus what was used.

use rules::clock::{Bonus, Halt, SideTime, Stage};
use rules::{
    Act, Actor, ByColor, Color, Command, Event, Game, Millis, RuleSet, Setup, TimeControl,
};

use crate::chance::Chance;
use crate::table::START;

/// Knights that go out and come back, never five times to the same position.
const MOVES: [&str; 12] = [
    "g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8", "a2a3", "a7a6", "h2h3", "h7h6",
];

/// The bookkeeping of an arbiter with pencil and paper.
struct Ledger {
    sides: ByColor<SideTime>,
    given: ByColor<i64>,
    used: ByColor<i64>,
    moves: ByColor<u32>,
}

impl Ledger {
    fn new(sides: ByColor<SideTime>) -> Ledger {
        let given = ByColor::new_with(|side| sides[side].stages[0].time.0);
        Ledger { sides, given, used: ByColor::default(), moves: ByColor::default() }
    }

    fn left(&self, side: Color) -> i64 {
        self.given[side] - self.used[side]
    }

    /// Enters a move with this much thinking; false if it came too late.
    fn enter(&mut self, side: Color, thinking: i64) -> bool {
        let stages = &self.sides[side].stages;
        let first_ends = stages[0].moves.unwrap_or(u32::MAX);
        let stage = if self.moves[side] < first_ends { stages[0] } else { stages[1] };
        let charge = match stage.bonus {
            Bonus::Delay(span) => (thinking - span.0).max(0),
            _ => thinking,
        };
        if charge >= self.left(side) {
            return false;
        }
        self.used[side] += charge;
        self.given[side] += match stage.bonus {
            Bonus::Fischer(span) => span.0,
            Bonus::Bronstein(span) => span.0.min(thinking),
            Bonus::Delay(_) | Bonus::None => 0,
        };
        self.moves[side] += 1;
        if self.moves[side] == first_ends {
            self.given[side] += stages[1].time.0;
        }
        true
    }
}

fn side_time(chance: &mut Chance) -> SideTime {
    let bonus = |chance: &mut Chance| {
        let span = Millis(chance.ms(8_000));
        *chance.pick(&[
            Bonus::None,
            Bonus::Fischer(span),
            Bonus::Bronstein(span),
            Bonus::Delay(span),
        ])
    };
    let first = Stage { moves: None, time: Millis(1 + chance.ms(60_000)), bonus: bonus(chance) };
    if chance.one_in(2) {
        return SideTime { stages: vec![first] };
    }
    let moves = Some(1 + u32::try_from(chance.below(4)).expect("small"));
    let second = Stage { moves: None, time: Millis(1 + chance.ms(20_000)), bonus: bonus(chance) };
    SideTime { stages: vec![Stage { moves, ..first }, second] }
}

fn send(game: &mut Game, command: &Command) -> Vec<Event> {
    let events = game.decide(command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    for event in &events {
        game.apply(event).expect("decided");
    }
    events
}

fn check(case: u64) {
    let mut chance = Chance::new(case);
    let sides = ByColor { white: side_time(&mut chance), black: side_time(&mut chance) };
    let mut ledger = Ledger::new(sides.clone());
    let time = TimeControl::Live(sides.map(Some));
    let rules = RuleSet { give_time: true, ..RuleSet::fide() };
    let mut game = Game::new(Setup::standard(time, rules), START).expect("playable");
    let mut now = START;
    for action in MOVES {
        let side = game.to_act().expect("running");
        let mut thinking = 0;
        // Thinking comes in pieces, between which the game is paused or the server restarts.
        for _ in 0..chance.below(3) {
            let piece = chance.ms(4_000);
            now = now.plus(Millis(piece));
            if chance.one_in(2) {
                thinking += piece;
                send(&mut game, &Command::new(Actor::Server, now, Act::Pause(Halt::Server)));
                now = now.plus(Millis(chance.ms(1_000_000)));
            }
            send(&mut game, &Command::new(Actor::Server, now, Act::Resume));
        }
        let piece = chance.ms(12_000);
        thinking += piece;
        now = now.plus(Millis(piece));
        if chance.one_in(4) {
            let (to, time) = (side.other(), Millis(1 + chance.ms(5_000)));
            ledger.given[to] += time.0;
            // Given by the arbiter: a player whose flag has fallen can give nothing any more.
            send(&mut game, &Command::new(Actor::Arbiter, now, Act::AddTime { to, time }));
        }
        let lag = Millis(chance.ms(300));
        let act = Act::Play { ply: game.ply(), action: action.into() };
        let events = send(&mut game, &Command { by: Actor::Player(side), at: now, lag, act });
        let in_time = ledger.enter(side, (thinking - lag.0).max(0));
        assert_eq!(in_time, matches!(events[0], Event::Played { .. }), "case {case}: {events:?}");
        if !in_time {
            return;
        }
        for side in Color::ALL {
            assert_eq!(
                game.left(side, now),
                Some(Millis(ledger.left(side))),
                "case {case}, {side}"
            );
        }
    }
}

#[test]
fn what_was_given_is_left_or_used_in_100_000_games() {
    (0..100_000).for_each(check);
}
