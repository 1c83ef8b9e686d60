//! Facts about positions, clocks and games, seen from outside the crate.

mod chance;
mod commands;
mod conservation;
mod days;
mod defender;
mod ends;
mod gmo;
mod hostile;
mod live_clock;
mod log_format;
mod notation;
mod perft;
mod pgn;
mod pgn_hostile;
mod pgn_masters;
mod play;
mod random_games;
mod table;
mod time_controls;
