//! Why something was refused: one enum per family, each with its stable code.
//!
//! The codes (`E_…`, `M_…`, …) are part of the rules and of the API; the sentences are for people.

use shakmaty::Square;
use thiserror::Error;

/// What is wrong with a DNA text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum GenomeFault {
    /// The text has more than 4,096 bytes.
    #[error("the text is longer than 4,096 bytes")]
    InputTooLong,
    /// Nothing is left without white space.
    #[error("there is no DNA here")]
    Empty,
    /// A letter other than S, A, C, H.
    #[error("only the letters S, A, C and H are DNA")]
    Alphabet,
    /// More than 498 letters.
    #[error("the DNA has more than 498 letters")]
    TooLong,
    /// The last codon is incomplete.
    #[error("the number of letters is not a multiple of three")]
    Length,
    /// The first codon is not `AHH`.
    #[error("a block starts with AHH")]
    Start,
    /// An owner field is neither `HSH` nor a debuff.
    #[error("an owner is HSH or a debuff")]
    Owner,
    /// A debuff stands here for the second time.
    #[error("this debuff is used already")]
    DebuffRepeat,
    /// An effect field is neither `HHH` nor of the form xHy.
    #[error("an effect is HHH, or H between two of A, S, C")]
    Effect,
    /// The separator does not end with `HHA`.
    #[error("HHA is missing before the steps")]
    End,
    /// The DNA ends inside a separator.
    #[error("the DNA ends before HHA")]
    Truncated,
    /// A step contains an H and is not the start of a new block.
    #[error("a step has no H, and a new block starts with AHH")]
    Move,
    /// A body has more than four steps.
    #[error("a block has at most four steps")]
    BodyLong,
    /// A body has no step.
    #[error("a block needs at least one step")]
    BodyEmpty,
}

impl GenomeFault {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            GenomeFault::InputTooLong => "E_INPUT_TOO_LONG",
            GenomeFault::Empty => "E_EMPTY",
            GenomeFault::Alphabet => "E_ALPHABET",
            GenomeFault::TooLong => "E_TOO_LONG",
            GenomeFault::Length => "E_LENGTH",
            GenomeFault::Start => "E_START",
            GenomeFault::Owner => "E_OWNER",
            GenomeFault::DebuffRepeat => "E_DEBUFF_REPEAT",
            GenomeFault::Effect => "E_EFFECT",
            GenomeFault::End => "E_END",
            GenomeFault::Truncated => "E_TRUNCATED",
            GenomeFault::Move => "E_MOVE",
            GenomeFault::BodyLong => "E_BODY_LONG",
            GenomeFault::BodyEmpty => "E_BODY_EMPTY",
        }
    }
}

/// Why a text is not a genome, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("{} at codon {at}: {fault}", .fault.code())]
pub struct GenomeError {
    /// What is wrong.
    pub fault: GenomeFault,
    /// The number of the codon, from 0.
    pub at: usize,
}

/// Why a move was refused. The position is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Somebody has to promote first.
    #[error("the pawn on {square} must be promoted first")]
    PromotionPending {
        /// Where the pawn stands.
        square: Square,
    },
    /// A freezing move was made less than five seconds ago.
    #[error("the game is frozen for another {remaining_ms} ms")]
    Frozen {
        /// How long nobody may act.
        remaining_ms: u64,
    },
    /// The other side is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The origin is empty.
    #[error("there is no piece on {origin}")]
    NoPiece {
        /// The empty square.
        origin: Square,
    },
    /// The piece is the enemy's.
    #[error("the piece on {origin} is not yours")]
    NotYours {
        /// Where the enemy's piece stands.
        origin: Square,
    },
    /// The piece cannot go there.
    #[error("the piece on {origin} cannot go to {target}")]
    Target {
        /// Where the piece stands.
        origin: Square,
        /// Where it cannot go.
        target: Square,
    },
    /// A logged landing square or mutation cannot have come from this move.
    #[error("the recorded chance does not fit the move {origin}{target}")]
    Luck {
        /// Where the piece stands.
        origin: Square,
        /// The square chosen.
        target: Square,
    },
}

impl MoveError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            MoveError::Over => "G_OVER",
            MoveError::PromotionPending { .. } => "M_PROMOTION_PENDING",
            MoveError::Frozen { .. } => "M_FROZEN",
            MoveError::NotYourTurn => "M_NOT_YOUR_TURN",
            MoveError::NoPiece { .. } => "M_NO_PIECE",
            MoveError::NotYours { .. } => "M_NOT_YOURS",
            MoveError::Target { .. } => "M_TARGET",
            MoveError::Luck { .. } => "M_LUCK",
        }
    }
}

/// Why a promotion was refused. The pawn stays and its owner's clock goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PromotionError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// No pawn waits for promotion.
    #[error("no pawn is waiting to be promoted")]
    None,
    /// Another square has to be promoted now.
    #[error("the pawn to promote stands on {pending}")]
    Square {
        /// The square whose turn it is.
        pending: Square,
    },
    /// The pawn is the other side's.
    #[error("the pawn on {square} is not yours")]
    NotYours {
        /// Where the pawn stands.
        square: Square,
    },
    /// The genome is not known, or may not be used.
    #[error("no such genome")]
    UnknownGenome,
}

impl PromotionError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PromotionError::Over => "G_OVER",
            PromotionError::None => "R_NONE",
            PromotionError::Square { .. } => "R_SQUARE",
            PromotionError::NotYours { .. } => "R_NOT_YOURS",
            PromotionError::UnknownGenome => "R_UNKNOWN_GENOME",
        }
    }
}

/// Why a mark of a king was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum KingError {
    /// No king is marked.
    #[error("mark at least one piece as king")]
    None,
    /// The marked piece is the enemy's.
    #[error("the piece on {square} is not yours")]
    NotOwn {
        /// The marked square.
        square: Square,
    },
    /// The marked square is empty.
    #[error("there is no piece on {square}")]
    EmptySquare {
        /// The marked square.
        square: Square,
    },
    /// The game has started.
    #[error("kings are marked before the start")]
    TooLate,
}

impl KingError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            KingError::None => "K_NONE",
            KingError::NotOwn { .. } => "K_NOT_OWN",
            KingError::EmptySquare { .. } => "K_EMPTY_SQUARE",
            KingError::TooLate => "K_TOO_LATE",
        }
    }
}
