//! Positions of every variant behind one type.

mod action;
mod chess;
mod dests;
mod perft;
mod shelf;

use shakmaty::{CastlingMode, Chess, Move, Position as _, Square};

pub use action::{Action, ActionTextError};
pub use chess::chess960_start;
pub(crate) use chess::fen as chess_fen;
pub use dests::Dests;
pub use perft::{divide, perft};
pub use shelf::Shelf;

use crate::defender::{Defender, DefenderError};
use crate::outcome::{Outcome, WinReason};
use crate::units::Color;

/// A position of one of the variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// Standard chess and Chess960; the castling mode is inside.
    Chess(Chess),
    /// `ChessDefender`, either phase.
    Defender(Defender),
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
    /// Defender's own reasons.
    #[error(transparent)]
    Defender(#[from] DefenderError),
}

impl Illegal {
    /// Stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Illegal::Move => "illegal_move",
            Illegal::Text => "bad_move_text",
            Illegal::Defender(error) => error.code(),
        }
    }
}

/// An action that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// In the form a record holds.
    pub action: Action,
    /// Automatic passes that followed it (Defender).
    pub passes: u8,
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

    /// Defender from a FEN with six or seven fields; slots without a choice are passed at once.
    pub fn from_fen_defender(fen: &str) -> Result<Position, PositionTextError> {
        Defender::read(fen).map(|(defender, _)| Position::Defender(defender))
    }

    /// The chess position, where there is one: not while pieces are being placed.
    pub fn as_chess(&self) -> Option<&Chess> {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => Some(chess),
            Position::Defender(Defender::Placing(_)) => None,
        }
    }

    /// What stands where.
    pub fn board(&self) -> Option<&shakmaty::Board> {
        match self {
            Position::Defender(Defender::Placing(placing)) => Some(placing.board()),
            _ => self.as_chess().map(shakmaty::Position::board),
        }
    }

    /// Whose turn it is.
    pub fn side_to_act(&self) -> Color {
        match self {
            Position::Chess(chess) => chess.turn().into(),
            Position::Defender(defender) => defender.side_to_act(),
        }
    }

    /// The text of the position.
    pub fn fen(&self) -> String {
        match self {
            Position::Chess(chess) => chess::fen(chess),
            Position::Defender(defender) => defender.fen(),
        }
    }

    /// Legal targets by origin; none while pieces are being placed.
    pub fn dests(&self) -> Dests {
        self.as_chess().map(chess::dests).unwrap_or_default()
    }

    /// What may be placed where, while pieces are being placed.
    pub fn shelf(&self) -> Option<Shelf> {
        match self {
            Position::Defender(Defender::Placing(placing)) => Some(Shelf::of(placing)),
            _ => None,
        }
    }

    /// All legal actions.
    pub fn actions(&self) -> Vec<Action> {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                chess::actions(chess)
            }
            Position::Defender(Defender::Placing(placing)) => placing.actions(),
        }
    }

    /// The form of an action that a record holds, if it is legal here.
    pub fn resolve(&self, action: Action) -> Result<Action, Illegal> {
        match self {
            Position::Defender(Defender::Placing(placing)) => {
                placing.check(action).map(|()| action).map_err(Illegal::Defender)
            }
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                self.find_move(chess, action).map(|m| chess::action_of(chess, m))
            }
        }
    }

    fn find_move(&self, chess: &Chess, action: Action) -> Result<Move, Illegal> {
        let placed = matches!(action, Action::Place { .. } | Action::Pass);
        match self {
            Position::Defender(_) if placed => Err(DefenderError::WrongPhase.into()),
            _ => chess::find_move(chess, action).ok_or(Illegal::Move),
        }
    }

    /// Reads the text of an action, legal or not.
    pub fn read_action(&self, text: &str) -> Result<Action, Illegal> {
        text.parse().map_err(|error| match (error, self) {
            (ActionTextError::UnknownPiece, Position::Defender(Defender::Placing(_))) => {
                DefenderError::UnknownPiece.into()
            }
            (ActionTextError::UnknownPiece, Position::Defender(Defender::Battle(_))) => {
                DefenderError::WrongPhase.into()
            }
            _ => Illegal::Text,
        })
    }

    /// Plays an action.
    pub fn play(&mut self, action: Action) -> Result<Done, Illegal> {
        if let Position::Defender(defender @ Defender::Placing(_)) = self {
            return Ok(Done { action, passes: defender.place(action)? });
        }
        let chess = self.as_chess().ok_or(Illegal::Move)?;
        let m = self.find_move(chess, action)?;
        let action = chess::action_of(chess, m);
        self.play_move(m);
        Ok(Done { action, passes: 0 })
    }

    /// Plays a legal move of chess.
    fn play_move(&mut self, m: Move) {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                chess.play_unchecked(m);
            }
            Position::Defender(Defender::Placing(_)) => {}
        }
    }

    /// A legal action as people write it: SAN, with the signs for check and mate.
    pub fn san(&self, action: Action) -> Option<String> {
        match self.as_chess() {
            Some(chess) => chess::find_move(chess, action).map(|m| chess::san(chess, m)),
            None => self.resolve(action).ok().map(|action| action.to_string()),
        }
    }

    /// Identity for repetition.
    pub fn hash(&self) -> u64 {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                chess::hash(chess)
            }
            Position::Defender(Defender::Placing(placing)) => Defender::placing_hash(placing),
        }
    }

    /// Plies since the last capture, pawn move or placement.
    pub fn halfmoves(&self) -> u32 {
        self.as_chess().map_or(0, shakmaty::Position::halfmoves)
    }

    /// The end the position itself brings, if it does.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                chess::outcome(chess)
            }
            Position::Defender(Defender::Placing(placing)) => placing.is_lost().then(|| {
                Outcome::Win { winner: placing.slot().other(), by: WinReason::NoKingSquare }
            }),
        }
    }

    /// The king in check, of the side to move.
    pub fn check_square(&self) -> Option<Square> {
        self.as_chess().and_then(chess::check_square)
    }

    /// Whether this side could mate by some sequence of legal moves, as far as the material tells.
    pub fn can_mate(&self, side: Color) -> bool {
        self.as_chess().is_none_or(|chess| !chess.has_insufficient_material(side.into()))
    }
}
