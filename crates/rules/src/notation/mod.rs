//! Moves as text: SAN in and out, lenient in; UCI; piece letters of seven languages and figurines.
//!
//! ```
//! use rules::notation::{Language, read_move, san, uci};
//! use shakmaty::{CastlingMode, Chess};
//!
//! let start = Chess::default();
//! // A person types: anything that names exactly one legal move is understood.
//! let knight = read_move(&start, "Sg1-f3", Some(Language::German))?;
//! assert_eq!(read_move(&start, "♘f3", None)?, knight);
//! assert_eq!(read_move(&start, "g1f3", None)?, knight);
//! // A page or a protocol shows it.
//! assert_eq!(san(&start, knight, Language::Polish), "Sf3");
//! assert_eq!(uci(knight, CastlingMode::Standard), "g1f3");
//! # Ok::<(), rules::notation::NotationError>(())
//! ```
//!
//! [`Written`] is what a text says by itself, without a board: the form in which the placements (`N@c2`) and the
//! passes (`--`) of `ChessDefender` are read as well. [`Reading`] remembers over a whole game which languages are
//! still possible. GMO's own move codes are not here.

mod language;
mod quick;
mod read;
mod write;
mod written;

pub use language::{Language, LanguageSet};
pub use read::{Reading, find_move, read_move, read_uci};
pub use write::{figurine, san, san_and_play, uci};
pub use written::Written;

/// Why a text is not a move here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotationError {
    /// The text has not the form of a move in the expected language.
    #[error("this is not a move in any notation we know")]
    Unreadable,
    /// The text has the form of a move, but no legal move fits.
    #[error("this move is not legal here")]
    Illegal,
    /// More than one legal move fits.
    #[error("more than one legal move fits")]
    Ambiguous,
    /// A pawn reaches the last rank and the text does not say what it becomes.
    #[error("the promotion piece is missing")]
    MissingPromotion,
    /// A placement or a pass, which only `ChessDefender` knows.
    #[error("placements and passes belong to ChessDefender")]
    WrongVariant,
}
