//! Facts about positions, clocks and games, seen from outside the crate.

mod chance;
mod commands;
mod conservation;
mod defender;
mod ends;
mod live_clock;
mod perft;
mod play;
mod table;
mod time_controls;
