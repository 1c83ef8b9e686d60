//! Events as files: what other programs read, and what a director pastes.

mod csv;
mod file;
mod left_out;
mod people;
mod pgn;
mod trf;

pub(super) use csv::{pairings_csv, players_csv, standings_csv};
pub(super) use file::{read_file, write_file};
pub(super) use people::read_people;
pub(super) use pgn::board_pgn;
pub(super) use trf::{read_trf, write_trf};
