//! Chess and its variants as values: positions, moves, notation, clocks, outcomes.
//!
//! Nothing here waits, reads a clock, draws a random number or opens a file: moments, lag credit and seeds are arguments.

pub mod clock;
pub mod defender;
pub mod game;
pub mod gmo;
pub mod notation;
pub mod opening;
pub mod outcome;
pub mod pgn;
pub mod position;
pub mod units;

pub use clock::{Clocks, TimeControl};
pub use game::{
    AbandonmentClaim, Act, Actor, Command, Corrupt, DrawsBy, Event, Game, GmoOptions, Offers,
    Refusal, RuleSet, Setup, SetupError, Variant,
};
pub use outcome::{AbortReason, DrawReason, Outcome, WinReason};
pub use position::{
    Action, Army, Dests, Fate, Illegal, Position, PositionTextError, Shelf, SquareSet, divide,
    perft,
};
pub use units::{ByColor, Color, Millis, Ply, UnixMillis};

/// The chess library under this crate, for squares, roles and boards.
pub use shakmaty;
