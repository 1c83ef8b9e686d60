//! Armies the engine buys and places.

use engine::builtin::{Best, Control, Limits, Question, Score, Searcher, Stop};
use rules::defender::{Defender, PREPARED, Prepared, single_player_start};
use rules::{Action, Color, Position};

use super::ask;

/// Set-ups the engine may try for a placement, as a depth.
const TRIALS: Limits = Limits { depth: Some(1), nodes: None, enough: None, most: None };

fn place(position: &Position) -> Best {
    let stop = Stop::new();
    let question = Question::new(position, TRIALS);
    Searcher::new(1).search(&question, Control::untimed(&stop), &mut |_| ()).unwrap()
}

/// Completes the placing: the engine for one side, a fixed walk through the legal actions for the other.
fn set_up(start: &str, engine: Color, number: usize) -> (Position, Vec<Action>) {
    let mut position = Position::from_fen_defender(start).unwrap();
    let mut bought = Vec::new();
    let mut step = number;
    while let Position::Defender(Defender::Placing(placing)) = &position {
        if placing.is_lost() {
            break;
        }
        let action = if position.side_to_act() == engine {
            let action = place(&position).action;
            bought.push(action);
            action
        } else {
            let mut actions = position.actions();
            actions.retain(|action| *action != Action::Pass);
            step = step
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            actions[(step >> 33) % actions.len()]
        };
        position.play(action).unwrap();
    }
    (position, bought)
}

/// Centipawns for one side in a position of phase two.
fn value(position: &Position, side: Color) -> i32 {
    let best = ask(position, Limits::depth(6)).unwrap();
    let own = match best.score {
        Score::Centipawns(value) => value.clamp(-1_000, 1_000),
        Score::Mate(moves) => 1_000 * moves.signum(),
    };
    if position.side_to_act() == side { own } else { -own }
}

#[test]
fn armies_of_the_engine_are_better_than_those_of_chance() {
    for side in Color::ALL {
        let values: Vec<i32> = (1..=4)
            .map(|number| {
                let (position, _) = set_up("8/8/8/8/8/8/8/8 w - - 0 1 12/12", side, number);
                value(&position, side)
            })
            .collect();
        assert!(values.iter().sum::<i32>() > 200, "{side:?}: {values:?}");
    }
}

#[test]
fn a_budget_is_spent_on_pieces_and_not_forfeited() {
    let (_, bought) = set_up("8/8/8/8/8/8/8/8 w - - 0 1 12/12", Color::White, 9);
    let spent = Defender::spent(&bought, Color::White, Color::Black)
        + Defender::spent(&bought, Color::White, Color::White);
    assert!(spent >= 10, "{spent} points: {bought:?}");
}

#[test]
fn prepared_positions_are_answered_with_an_army_that_wins() {
    let mut won = 0;
    for Prepared { board, player, .. } in PREPARED {
        let (position, bought) = set_up(&single_player_start(board, player, 40), player, 0);
        let mut spent = 0;
        for action in &bought {
            if let Action::Place { role, .. } = action {
                spent += rules::defender::cost(*role);
            }
        }
        let value = value(&position, player);
        won += u32::from(value >= 200 && spent <= 40);
    }
    assert!(won >= 4, "{won} of {}", PREPARED.len());
}
