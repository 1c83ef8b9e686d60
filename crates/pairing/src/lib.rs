//! Round robin, knockout, Swiss; standings and tie-breaks; TRF files.
//!
//! A pure library: nothing here reads a clock, opens a file or draws a random number. Whoever
//! wants chance gives a seed, whoever has a file gives its bytes.
//!
//! The rooms: [`model`] is the tournament as a value and [`trf`] reads and writes it;
//! [`dutch`], [`round_robin`], [`knockout`], [`arena`] and [`classic`] find opponents, with the
//! help of [`matching`]; [`standings`] ranks; [`simulate`] plays whole tournaments for tests and benchmarks.

pub mod arena;
pub mod classic;
pub mod dutch;
pub mod knockout;
pub mod matching;
pub mod model;
pub mod round_robin;
pub mod simulate;
pub mod standings;
pub mod trf;

pub use model::{
    Acceleration, AnnouncedBye, Board, Bye, Colour, Entry, ForbiddenGroup, GameResult, MAX_PLAYERS,
    PairingNumber, Player, Points, RoundNumber, RoundPairing, Scoring, Tournament,
};
