//! The built-in engine from outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../examples/match/players.rs"]
mod players;
#[path = "../../examples/match/referee.rs"]
mod referee;

mod answers;
mod defender;
mod hostile;
mod hostile_engines;
mod levels;
mod pool;
mod strength;
mod tactics;

use engine::builtin::{Best, Control, Limits, Question, Searcher, Stop};
use rules::Position;

/// Asks a fresh engine.
fn ask(position: &Position, limits: Limits) -> Option<Best> {
    let stop = Stop::new();
    let question = Question::new(position, limits);
    Searcher::new(4).search(&question, Control::untimed(&stop), &mut |_| ())
}
