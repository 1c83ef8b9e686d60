//! Positions of every variant behind one type.

mod action;
mod chess;
mod dests;

use shakmaty::{CastlingMode, Chess, Position as _, Square};

pub use action::{Action, ActionTextError};
pub use chess::chess960_start;
pub use dests::Dests;

use crate::outcome::Outcome;
use crate::units::Color;

/// A position of one of the variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// Standard chess and Chess960; the castling mode is inside.
    Chess(Chess),
}

/// Why a text is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// Not the form of a FEN.
    #[error("not a FEN")]
    Form,
    /// Nothing that can be played from.
    #[error("not a position to play from: {0}")]
    Impossible(String),
}

/// Why an action is not possible here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Not a legal move of this position.
    #[error("not a legal move")]
    Move,
    /// Not the text of an action.
    #[error("not the text of a move")]
    Text,
}

impl Illegal {
    /// Stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Illegal::Move => "illegal_move",
            Illegal::Text => "bad_move_text",
        }
    }
}

impl Position {
    /// The start of standard chess.
    pub fn standard() -> Position {
        Position::Chess(Chess::default())
    }

    /// Standard chess from a FEN.
    pub fn from_fen(fen: &str) -> Result<Position, PositionTextError> {
        chess::read_fen(fen, CastlingMode::Standard).map(Position::Chess)
    }

    /// Chess960 from a FEN with castling rights in either form.
    pub fn from_fen_chess960(fen: &str) -> Result<Position, PositionTextError> {
        chess::read_fen(fen, CastlingMode::Chess960).map(Position::Chess)
    }

    /// The chess position, where there is one.
    pub fn as_chess(&self) -> Option<&Chess> {
        match self {
            Position::Chess(chess) => Some(chess),
        }
    }

    /// Whose turn it is.
    pub fn side_to_act(&self) -> Color {
        match self {
            Position::Chess(chess) => chess.turn().into(),
        }
    }

    /// The text of the position.
    pub fn fen(&self) -> String {
        match self {
            Position::Chess(chess) => chess::fen(chess),
        }
    }

    /// Legal targets by origin.
    pub fn dests(&self) -> Dests {
        match self {
            Position::Chess(chess) => chess::dests(chess, &chess.legal_moves()),
        }
    }

    /// All legal actions.
    pub fn actions(&self) -> Vec<Action> {
        match self {
            Position::Chess(chess) => chess::actions(chess),
        }
    }

    /// The form of an action that a record holds, if it is legal here.
    pub fn resolve(&self, action: Action) -> Result<Action, Illegal> {
        match self {
            Position::Chess(chess) => chess::find_move(chess, action)
                .map(|m| chess::action_of(chess, m))
                .ok_or(Illegal::Move),
        }
    }

    /// Plays an action and gives the form a record holds.
    pub fn play(&mut self, action: Action) -> Result<Action, Illegal> {
        match self {
            Position::Chess(chess) => {
                let m = chess::find_move(chess, action).ok_or(Illegal::Move)?;
                let played = chess::action_of(chess, m);
                chess.play_unchecked(m);
                Ok(played)
            }
        }
    }

    /// A legal action as people write it: SAN, with the signs for check and mate.
    pub fn san(&self, action: Action) -> Option<String> {
        match self {
            Position::Chess(chess) => chess::find_move(chess, action).map(|m| chess::san(chess, m)),
        }
    }

    /// Identity for repetition.
    pub fn hash(&self) -> u64 {
        match self {
            Position::Chess(chess) => chess::hash(chess),
        }
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmoves(&self) -> u32 {
        match self {
            Position::Chess(chess) => chess.halfmoves(),
        }
    }

    /// The end the position itself brings, if it does.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Position::Chess(chess) => chess::outcome(chess),
        }
    }

    /// The king in check, of the side to move.
    pub fn check_square(&self) -> Option<Square> {
        match self {
            Position::Chess(chess) => chess::check_square(chess),
        }
    }

    /// Whether this side could mate by some sequence of legal moves, as far as the material tells.
    pub fn can_mate(&self, side: Color) -> bool {
        match self {
            Position::Chess(chess) => !chess.has_insufficient_material(side.into()),
        }
    }
}
