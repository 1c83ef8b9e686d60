//! Lines of the search as actions of the rules.

use rules::shakmaty::Move;
use rules::{Action, Position};

use super::gmo::{Army, GmoMove};

/// Moves of chess as actions, as far as they are legal.
pub(super) fn chess_line(start: &Position, line: &[Move]) -> Vec<Action> {
    let mut position = start.clone();
    let mut actions = Vec::with_capacity(line.len());
    for m in line {
        let (from, to) = (m.from().unwrap_or(m.to()), m.to());
        let action = Action::Move { from, to, promotion: m.promotion() };
        let Ok(action) = position.resolve(action) else { break };
        actions.push(action);
        if position.play(action).is_err() {
            break;
        }
    }
    actions
}

/// Moves of GMO chess as actions, with the promotions between them; it ends where chance begins.
pub(super) fn gmo_line(start: &Position, line: &[GmoMove], army: &Army) -> Vec<Action> {
    let mut position = start.clone();
    let mut actions = Vec::with_capacity(line.len());
    for m in line {
        let action = Action::step(m.from, m.to);
        if position.resolve(action).is_err() {
            break;
        }
        actions.push(action);
        if position.play(action).is_err() {
            break;
        }
        while let Some(at) = position.as_gmo().and_then(|gmo| gmo.promotions().next()) {
            let action = Action::Promote { at, genome: army.best_number().0 };
            actions.push(action);
            if position.play(action).is_err() {
                return actions;
            }
        }
    }
    actions
}
