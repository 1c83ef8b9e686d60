//! Facts about positions, clocks and games, seen from outside the crate.

mod ends;
mod live_clock;
mod play;
mod table;
