//! Tournament report files: TRF16 with the pairing extensions, and TRF-2026.
//!
//! One reader takes both flavours, since their records do not collide; it is tolerant where
//! files in the wild are sloppy (line ends, encodings, blank fields) and says so in warnings.
//! What it cannot understand is an error with line and column. Records without a meaning here
//! (teams, national ratings, comments) are kept and written back as they came.

mod assemble;
mod player_line;
mod read;
mod records;
mod text;
mod write;

use std::fmt;

use crate::model::{MAX_PLAYERS, ModelError, Tournament};

pub use write::{Flavour, write};

/// The most rounds a file can name: its fields for a round have three digits.
pub const MAX_ROUNDS: u16 = 999;

/// Why a file is not a tournament, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct TrfError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A number was expected.
    #[error("{field} must be a number, not `{text}`")]
    NoNumber {
        /// Of what.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// Points were expected.
    #[error("{field} must be points, not `{text}`")]
    NoPoints {
        /// Of what.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// A field must not be empty.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A code that does not exist.
    #[error("`{text}` is no {field}")]
    UnknownCode {
        /// Of what.
        field: &'static str,
        /// What stands there.
        text: String,
    },
    /// A game without pieces.
    #[error("a game that was played needs a colour, w or b")]
    NoColour,
    /// A game without an end.
    #[error("the game has no result")]
    NoResult,
    /// Scoring that this crate cannot express.
    #[error("points that depend on the colour are not supported")]
    ScoringByColour,
    /// Over the limit.
    #[error("more than {MAX_PLAYERS} players")]
    TooManyPlayers,
    /// Over the limit.
    #[error("more than {MAX_ROUNDS} rounds")]
    TooManyRounds,
    /// Nobody plays.
    #[error("the file has no player (line 001)")]
    NoPlayers,
    /// The record names a player who is not in the file.
    #[error("there is no player {0}")]
    UnknownPlayer(u16),
    /// The parts do not fit together.
    #[error(transparent)]
    Contradiction(#[from] ModelError),
}

/// Something the reader put right by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was odd and what was made of it.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}, column {}: {}", self.line, self.column, self.text)
    }
}

/// Reads a tournament from the bytes of a file.
pub fn read(bytes: &[u8]) -> Result<Tournament, TrfError> {
    read_with_warnings(bytes).map(|(tournament, _)| tournament)
}

/// Reads a tournament, and tells what was odd about the file.
pub fn read_with_warnings(bytes: &[u8]) -> Result<(Tournament, Vec<Warning>), TrfError> {
    read::read(bytes)
}

/// The target for fuzzing: any bytes are read or refused, and what was read survives writing.
///
/// # Panics
/// If a tournament that was read comes back different from its own TRF-2026 text.
pub fn fuzz_target(bytes: &[u8]) {
    let Ok(tournament) = read(bytes) else { return };
    let text = write(&tournament, Flavour::Trf26);
    let again = read(text.as_bytes());
    assert_eq!(again.as_ref(), Ok(&tournament), "written as:\n{text}");
    let text = write(&tournament, Flavour::Trf16);
    assert!(read(text.as_bytes()).is_ok(), "written as:\n{text}");
}
