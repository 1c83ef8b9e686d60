//! Round robin, knockout, Swiss; standings and tie-breaks; TRF files.
//!
//! A pure library: nothing here reads a clock, opens a file or draws a random number. Whoever
//! wants chance gives a seed, whoever has a file gives its bytes.
//!
//! The rooms: [`model`] is the tournament as a value; [`trf`] reads and writes it; [`standings`] ranks.

pub mod dutch;
pub mod matching;
pub mod model;
pub mod standings;
pub mod trf;

pub use model::{
    Acceleration, AnnouncedBye, Bye, Colour, Entry, ForbiddenGroup, GameResult, MAX_PLAYERS,
    PairingNumber, Player, Points, RoundNumber, Scoring, Tournament,
};
