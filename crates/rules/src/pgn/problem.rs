//! What is wrong with a PGN file, and where.

use super::GameResult;
use crate::notation::NotationError;
use std::fmt;

/// A place in a file, as an editor shows it: counted from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The character in the line.
    pub column: u64,
    /// Bytes from the beginning of the text (of its UTF-8 form, if the file is UTF-16).
    pub offset: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct Problem {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: ProblemKind,
}

impl Problem {
    /// Is it an error, or only worth a remark?
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is odd here, but nothing a player would miss is lost.
    Remark,
    /// Something could not be read and is left out.
    Error,
}

/// The kinds of problems.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// A move that cannot be played. The line ends before it.
    #[error("“{text}”: {why}")]
    Move {
        /// The move as it is written.
        text: String,
        /// What is wrong with it.
        why: NotationError,
    },
    /// The set-up position cannot be used; the game has no moves.
    #[error("the set-up position cannot be used: {0}")]
    Position(String),
    /// The game is of a variant that is not played here; the game has no moves.
    #[error("the variant “{0}” is not played here")]
    Variant(String),
    /// Text that is no part of a game.
    #[error("this text belongs to no game")]
    Garbage,
    /// A tag pair that has not the form `[Name "value"]`.
    #[error("this tag pair cannot be read")]
    Tag,
    /// A tag pair with a quote too many or a bracket too few, which could be read all the same.
    #[error("this tag pair has a quote too many or a bracket too few")]
    TagForm,
    /// A tag that the game already has; the first one counts.
    #[error("the tag {0} is there twice")]
    DuplicateTag(String),
    /// A result where there is no game, or inside a variation.
    #[error("this result ends no game")]
    StrayResult,
    /// `)`, `}`, `]` or `(` without its partner.
    #[error("“{0}” stands alone")]
    StrayBracket(char),
    /// A glyph number that does not exist.
    #[error("annotation glyphs have numbers from 0 to 255")]
    Nag,
    /// The comment is never closed; it ends where the next game begins.
    #[error("this comment is never closed")]
    UnclosedComment,
    /// The game ended before its variation.
    #[error("a variation is never closed")]
    UnclosedVariation,
    /// The game ended without its result.
    #[error("the result at the end is missing")]
    MissingResult,
    /// The file cannot be read any further, and the game was not over there. It is left out.
    #[error("the file breaks off in the middle of this game")]
    CutOff,
    /// The tag and the end of the move text tell different results; the tag counts.
    #[error("the tag says {tag}, the move text ends with {end}")]
    ResultMismatch {
        /// The result of the tag.
        tag: GameResult,
        /// The result at the end.
        end: GameResult,
    },
    /// The `Result` tag has a value that is no result.
    #[error("“{0}” is not a result")]
    ResultTag(String),
    /// More than [`Limits`](super::Limits) allow; the rest of it is left out.
    #[error("too much: {0}")]
    TooMuch(TooMuch),
}

/// What there is too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    /// A word longer than any move.
    #[error("this word is longer than any move")]
    Word,
    /// A tag value that is too long.
    #[error("this tag value is too long and was cut")]
    TagValue,
    /// Too many tags.
    #[error("this game has too many tags")]
    Tags,
    /// A comment that is too long.
    #[error("this comment is too long and was cut")]
    Comment,
    /// The comments of a game together are too long.
    #[error("the comments of this game are too long")]
    Comments,
    /// Too many moves in one game.
    #[error("this game has too many moves")]
    Moves,
    /// Variations too deep in each other.
    #[error("these variations are nested too deeply")]
    Depth,
    /// Too many problems in one game: further ones are not told.
    #[error("this game has more problems than are told")]
    Problems,
}

impl ProblemKind {
    /// Is it an error, or only worth a remark?
    pub fn severity(&self) -> Severity {
        match self {
            ProblemKind::Garbage
            | ProblemKind::TagForm
            | ProblemKind::DuplicateTag(_)
            | ProblemKind::StrayResult
            | ProblemKind::StrayBracket(_)
            | ProblemKind::Nag
            | ProblemKind::MissingResult
            | ProblemKind::ResultMismatch { .. }
            | ProblemKind::ResultTag(_) => Severity::Remark,
            ProblemKind::Move { .. }
            | ProblemKind::Position(_)
            | ProblemKind::Variant(_)
            | ProblemKind::Tag
            | ProblemKind::UnclosedComment
            | ProblemKind::UnclosedVariation
            | ProblemKind::CutOff
            | ProblemKind::TooMuch(_) => Severity::Error,
        }
    }
}

/// Where a piece of text begins; the column is counted only when somebody asks.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    pub(super) line: u64,
    pub(super) column_base: u64,
    pub(super) head: &'a [u8],
    pub(super) offset: u64,
}

impl At<'_> {
    /// The place in words of an editor.
    pub fn place(&self) -> Place {
        let column = self.column_base + count_characters(self.head) + 1;
        Place { line: self.line, column, offset: self.offset }
    }

    /// A problem at this place.
    #[cold]
    pub fn problem(&self, kind: ProblemKind) -> Problem {
        Problem { place: self.place(), kind }
    }
}

/// Characters of UTF-8 text; in other encodings of one byte a character it counts most of them.
pub(super) fn count_characters(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64
}
