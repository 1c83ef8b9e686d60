//! What can go wrong in the library, in its words.

use std::io;

use library::IndexError;
use store::StoreError;

/// Why the library did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is no such game, or it is somebody else's.
    #[error("there is no such game in your library")]
    UnknownGame,
    /// There is no such import, or it is somebody else's.
    #[error("there is no such import")]
    UnknownImport,
    /// There is nobody of this name.
    #[error("nobody of this name plays here")]
    UnknownPlayer,
    /// One's own games are asked for, and nobody knows whose.
    #[error("log in to see your own games")]
    NotLoggedIn,
    /// The text is no position of chess.
    #[error("this is not a position of chess: {0}")]
    BadPosition(String),
    /// The move cannot be played there.
    #[error("this move is not legal there")]
    BadMove,
    /// A word of the question makes no sense.
    #[error("{0}")]
    BadQuestion(&'static str),
    /// The file is bigger than this club takes.
    #[error("the file is bigger than {0} bytes, which is the most this club takes")]
    TooBig(u64),
    /// A piece of the file does not continue what is there.
    #[error("the file is there up to byte {0}; go on from there")]
    WrongOffset(u64),
    /// The import has ended, or its file is there whole already.
    #[error("this import takes no more of its file")]
    NotUploading,
    /// Too many files at once.
    #[error("let your other imports come to their end first")]
    TooManyImports,
    /// As many files as somebody may bring in a day.
    #[error(
        "you have brought {0} files since yesterday, which is the most this club takes in a day: try again later"
    )]
    TooManyToday(u32),
    /// As many games as somebody may have.
    #[error(
        "your library holds {0} games out of files, which is the most this club keeps for one person: remove some first"
    )]
    Full(u64),
    /// An import took too long.
    #[error(
        "after {0} hours the import was stopped; the games until there are kept. Bring the rest in smaller files"
    )]
    TooSlow(u32),
    /// What is wrong with a file that was brought, in words for whoever brought it.
    #[error("{0}")]
    BadFile(String),
    /// A position of a game that is still being played.
    #[error("you are playing a rated game with this position: look it up afterwards")]
    FairPlay,
    /// The game cannot be told in PGN.
    #[error("a game of this variant cannot be told in PGN")]
    NoPgn,
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The index cannot be read or written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file cannot be read or written.
    #[error("a file of the library: {0}")]
    File(#[from] io::Error),
    /// Something that cannot happen.
    #[error("the library: {0}")]
    Fault(String),
}
