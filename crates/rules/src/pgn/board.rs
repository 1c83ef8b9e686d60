//! The board on which the moves of a file are tried.

use super::{Step, Tags};
use crate::notation::{Language, NotationError, Reading, Written, san_and_play};
use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError, Setup,
};

/// A position in a game of a variant that PGN files of ours may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Board {
    /// Standard chess and Chess960, from their start or from a set-up position.
    Chess(Chess),
}

/// Why a game cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The FEN cannot be read, or is no position of the variant.
    #[error("{0}")]
    Position(String),
    /// The variant is not played here.
    #[error("the variant “{0}” is not played here")]
    Variant(String),
}

impl Default for Board {
    fn default() -> Board {
        Board::Chess(Chess::default())
    }
}

impl Board {
    /// The start of a game by its tags `Variant` and `FEN`.
    pub fn from_tags(tags: &Tags) -> Result<Board, StartError> {
        let fen = tags.get("FEN");
        let Some(variant) = tags.get("Variant") else {
            return fen.map_or_else(|| Ok(Board::default()), |fen| chess(fen, None));
        };
        let plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        match plain.to_ascii_lowercase().as_str() {
            "standard" | "chess" | "fromposition" | "normal" => {
                fen.map_or_else(|| Ok(Board::default()), |fen| chess(fen, None))
            }
            "chess960" | "fischerandom" | "fischerrandom" | "freestyle" => fen.map_or_else(
                || Ok(Board::default()),
                |fen| chess(fen, Some(CastlingMode::Chess960)),
            ),
            _ => Err(StartError::Variant(variant.to_owned())),
        }
    }

    /// Reads a move and plays it.
    #[inline]
    pub(super) fn read(
        &mut self,
        text: &[u8],
        reading: &mut Reading,
    ) -> Result<Step, NotationError> {
        let Board::Chess(position) = self;
        match reading.read(position, text) {
            Ok(found) => {
                position.play_unchecked(found);
                Ok(Step::Move(found))
            }
            Err(NotationError::WrongVariant)
                if Written::parse(text, Language::English) == Some(Written::Null) =>
            {
                *position = after_null_move(position).ok_or(NotationError::Illegal)?;
                Ok(Step::Null)
            }
            Err(why) => Err(why),
        }
    }

    /// Writes a step and plays it; `None` if it is not legal.
    pub(super) fn write(&mut self, step: Step) -> Option<String> {
        let Board::Chess(position) = self;
        match step {
            Step::Move(Move::Put { .. }) => None,
            Step::Move(played) if position.is_legal(played) => {
                Some(san_and_play(position, played, Language::English))
            }
            Step::Move(_) => None,
            Step::Null => {
                *position = after_null_move(position)?;
                Some("--".to_owned())
            }
        }
    }

    /// The number of the move, and whether White makes it.
    pub(super) fn number(&self) -> (u32, bool) {
        let Board::Chess(position) = self;
        (position.fullmoves().get(), position.turn().is_white())
    }

    /// The position as text.
    pub fn fen(&self) -> String {
        let Board::Chess(position) = self;
        Fen::from_position(position, EnPassantMode::Legal).to_string()
    }
}

/// A set-up position. Surplus material and checks no play leads to are let pass, as are castling rights and en
/// passant squares that cannot be: set-up positions come from everywhere, and none of it makes a move ambiguous.
fn chess(fen: &str, mode: Option<CastlingMode>) -> Result<Board, StartError> {
    let unusable = |why: &dyn std::fmt::Display| StartError::Position(why.to_string());
    let setup: Setup = fen.parse::<Fen>().map_err(|why| unusable(&why))?.into_setup();
    let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map(Board::Chess)
        .map_err(|why| unusable(&why))
}

/// The position with the other side to move; `None` if the side that passes is in check.
fn after_null_move(position: &Chess) -> Option<Chess> {
    let mode = position.castles().mode();
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.ep_square = None;
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    setup.fullmoves = setup.fullmoves.saturating_add(u32::from(setup.turn.is_black()));
    setup.turn = !setup.turn;
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
