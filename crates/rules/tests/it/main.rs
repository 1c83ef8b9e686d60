//! Facts about positions, clocks and games, seen from outside the crate.

mod commands;
mod defender;
mod ends;
mod live_clock;
mod play;
mod table;
mod time_controls;
