//! Why something about genomes and presets was refused, with the codes of the rules.

use rules::gmo::{GenomeError, LabError, MoveError, PresetError};
use store::StoreError;

use crate::games::GameError;

/// Why the store, the library or the lab said no.
#[derive(Debug, Clone, thiserror::Error)]
pub enum GmoError {
    /// A text that is no code.
    #[error("a code is 6 to 64 hexadecimal digits, or the name of a built-in piece or preset")]
    CodeFormat,
    /// The hash in the address is not that of the body.
    #[error("the hash in the address is not the beginning of the body's SHA-256")]
    CodeMismatch,
    /// Nothing is stored under this code.
    #[error("nothing is stored under this code")]
    NotFound,
    /// It is there, but not for everybody.
    #[error("this is private: its owner has not published it")]
    Private,
    /// The body is too long to be DNA.
    #[error("the text is longer than 4,096 bytes")]
    TooLarge,
    /// One keeps only so many.
    #[error("a library holds {most} of these; remove one first")]
    LibraryFull {
        /// How many.
        most: i64,
    },
    /// Guests have stored enough for a day.
    #[error(
        "guests of your network have stored {most} new texts today; sign up, or come back tomorrow"
    )]
    TooManyToday {
        /// How many they may.
        most: u32,
    },
    /// A preset would be left without one of its pieces.
    #[error("your preset {preset} needs this genome: remove the preset first")]
    InPreset {
        /// Its name, or its code if it has none.
        preset: String,
    },
    /// The DNA cannot be read.
    #[error(transparent)]
    Genome(#[from] GenomeError),
    /// The same where nobody is to learn from it how genomes are written.
    #[error("this DNA cannot be read")]
    Unexplained(GenomeError),
    /// The preset is none.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// A text names no square.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The move is not possible.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game is not of this kind, or not at this ply.
    #[error("this is no position of a GMO game")]
    NotGmo,
    /// The game said no.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl GmoError {
    /// The reason for programs.
    pub fn code(&self) -> &'static str {
        match self {
            GmoError::CodeFormat => "S_CODE_FORMAT",
            GmoError::CodeMismatch => "S_CODE_MISMATCH",
            GmoError::NotFound => "S_NOT_FOUND",
            GmoError::Private => "S_PRIVATE",
            GmoError::TooLarge => "S_TOO_LARGE",
            GmoError::LibraryFull { .. } => "library_full",
            GmoError::TooManyToday { .. } => "too_many_texts",
            GmoError::InPreset { .. } => "genome_in_preset",
            GmoError::Genome(error) | GmoError::Unexplained(error) => error.fault.code(),
            GmoError::Preset(error) => error.code(),
            GmoError::Lab(error) => error.code(),
            GmoError::Move(error) => error.code(),
            GmoError::NotGmo => "not_gmo",
            GmoError::Game(error) => error.code(),
            GmoError::Store(_) => "storage",
        }
    }
}
