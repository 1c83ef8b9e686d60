//! The numbers of a game report: pure functions of evaluations and moves.
//!
//! Evaluations are [`Eval`], as White sees them. A report of a game takes one before the first move ([`Eval::START`] if
//! none was computed) and one after each move.

mod accuracy;
mod judgement;
mod loss;
mod phase;
mod win;

pub use accuracy::{game_accuracy, move_accuracy};
pub use judgement::{Judgement, judge};
pub use loss::average_centipawn_loss;
pub use phase::{Division, Phase, divide};
pub use win::{Eval, WinPercent};
