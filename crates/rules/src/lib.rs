//! Chess and its variants as values: positions, moves, notation, clocks, outcomes.
//!
//! Nothing here waits, reads a clock, draws a random number or opens a file: moments, lag credit and seeds are arguments.

pub mod game;
pub mod gmo;
pub mod notation;
pub mod pgn;
