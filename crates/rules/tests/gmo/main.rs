//! GMO chess: its rules, its published vectors, and what must hold for all genomes and positions.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod codes;
mod genome;
mod play;
mod properties;
mod replay;
mod spec;
mod start;
mod trace;
mod vectors;
mod verify;
mod walks;
