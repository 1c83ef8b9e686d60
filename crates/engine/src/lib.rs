//! Engines: opponents and analysis for every variant.
//!
//! - [`builtin`] searches positions of every variant with nothing installed.
//! - [`report`] holds the formulas of a game report: win percentage, accuracy, judgements.
//!
//! Neither reads a clock, waits or draws a random number: elapsed time and seeds are arguments.

pub mod builtin;
pub mod report;
