//! Positions of every variant behind one type.

mod action;
mod chess;
mod dests;
pub(crate) mod gmo;
mod muster;
mod perft;
mod shelf;

use shakmaty::{CastlingMode, Chess, Move, Position as _, Square};

pub use action::{Action, ActionTextError};
pub(crate) use chess::after_null_move;
pub use chess::chess960_start;
pub(crate) use chess::fen as chess_fen;
pub use dests::Dests;
pub use gmo::Fate;
pub use muster::{Army, ArmyError, Muster, SquareSet};
pub use perft::{divide, perft};
pub use shelf::Shelf;

use crate::defender::{Defender, DefenderError};
use crate::gmo::{
    DEFAULT_PRESET, FormError, GmoPosition, MoveError, PresetError, PromotionError, known_start,
};
use crate::notation::{self, NotationError};
use crate::outcome::{Outcome, WinReason};
use crate::units::Color;

/// A position of one of the variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// Standard chess and Chess960; the castling mode is inside.
    Chess(Chess),
    /// `ChessDefender`, either phase.
    Defender(Defender),
    /// GMO chess before both armies are there; no board yet, nobody's turn.
    Muster(Box<Muster>),
    /// GMO chess.
    Gmo(Box<GmoPosition>),
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
    /// Not the form of a GMO position.
    #[error("not a GMO position: {0}")]
    Gmo(#[from] FormError),
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
    /// GMO: the armies are not there yet.
    #[error("the game has not started")]
    NotStarted,
    /// GMO's reasons against a move.
    #[error(transparent)]
    Gmo(#[from] MoveError),
    /// GMO's reasons against a promotion.
    #[error(transparent)]
    Promotion(#[from] PromotionError),
    /// GMO's reasons against the genome of a promotion.
    #[error(transparent)]
    House(#[from] PresetError),
}

impl Illegal {
    /// Stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Illegal::Move => "illegal_move",
            Illegal::Text => "bad_move_text",
            Illegal::Defender(error) => error.code(),
            Illegal::NotStarted => "G_NOT_STARTED",
            Illegal::Gmo(error) => error.code(),
            Illegal::Promotion(error) => error.code(),
            Illegal::House(error) => error.code(),
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
    /// Whether nobody may act for a while (GMO).
    pub freezes: bool,
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

    /// Chess to be studied, from a FEN: of Chess960 where its castling rights say so.
    ///
    /// More material than a game of chess can have is welcome, up to 32 pieces: battles of Defender have it, and
    /// positions that somebody has set up.
    pub fn from_fen_to_study(fen: &str) -> Result<Position, PositionTextError> {
        chess::read_fen_to_study(fen, None).map(Position::Chess)
    }

    /// The same for Chess960, whatever its castling rights say.
    pub fn from_fen_to_study_chess960(fen: &str) -> Result<Position, PositionTextError> {
        chess::read_fen_to_study(fen, Some(CastlingMode::Chess960)).map(Position::Chess)
    }

    /// Defender from a FEN with six or seven fields; slots without a choice are passed at once.
    pub fn from_fen_defender(fen: &str) -> Result<Position, PositionTextError> {
        Defender::read(fen).map(|(defender, _)| Position::Defender(defender))
    }

    /// GMO chess with the built-in armies, both kings marked.
    pub fn gmo_default() -> Position {
        Position::Gmo(Box::new(known_start(DEFAULT_PRESET)))
    }

    /// GMO chess from its position form.
    pub fn from_gmo_form(text: &str) -> Result<Position, PositionTextError> {
        Ok(Position::Gmo(Box::new(text.parse()?)))
    }

    /// The GMO position, where there is one.
    pub fn as_gmo(&self) -> Option<&GmoPosition> {
        if let Position::Gmo(position) = self { Some(position) } else { None }
    }

    /// The chess position, where there is one: not while pieces are being placed.
    pub fn as_chess(&self) -> Option<&Chess> {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => Some(chess),
            Position::Defender(Defender::Placing(_)) | Position::Muster(_) | Position::Gmo(_) => {
                None
            }
        }
    }

    /// What stands where, if it is pieces of chess.
    pub fn board(&self) -> Option<&shakmaty::Board> {
        match self {
            Position::Defender(Defender::Placing(placing)) => Some(placing.board()),
            _ => self.as_chess().map(shakmaty::Position::board),
        }
    }

    /// Whose turn it is; White's before the armies of GMO are there, although both may hand in.
    pub fn side_to_act(&self) -> Color {
        match self {
            Position::Chess(chess) => chess.turn().into(),
            Position::Defender(defender) => defender.side_to_act(),
            Position::Muster(_) => Color::White,
            Position::Gmo(position) => position.actor().into(),
        }
    }

    /// The text of the position.
    pub fn fen(&self) -> String {
        match self {
            Position::Chess(chess) => chess::fen(chess),
            Position::Defender(defender) => defender.fen(),
            Position::Muster(_) => "gmo1 - w 0 - -".to_owned(),
            Position::Gmo(position) => position.to_string(),
        }
    }

    /// The six-field FEN of a position of chess, also of Defender's phase two: what other programs understand.
    pub fn chess_fen(&self) -> Option<String> {
        self.as_chess().map(chess::fen)
    }

    /// Legal targets by origin; none while pieces are being placed.
    pub fn dests(&self) -> Dests {
        match self {
            Position::Gmo(position) => gmo::dests(position),
            _ => self.as_chess().map(chess::dests).unwrap_or_default(),
        }
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
            Position::Muster(_) => Vec::new(),
            Position::Gmo(position) => gmo::actions(position),
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
            Position::Muster(_) => Err(Illegal::NotStarted),
            Position::Gmo(position) => {
                gmo::check(position, position.actor(), action).map(|()| action)
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

    /// Reads the text of an action, legal or not: as engines write it, or for a move of chess as people do.
    pub fn read_action(&self, text: &str) -> Result<Action, Illegal> {
        text.parse().or_else(|error| match (error, self) {
            (ActionTextError::UnknownPiece, Position::Defender(Defender::Placing(_))) => {
                Err(DefenderError::UnknownPiece.into())
            }
            (ActionTextError::UnknownPiece, Position::Defender(Defender::Battle(_))) => {
                Err(DefenderError::WrongPhase.into())
            }
            _ => self.read_san(text),
        })
    }

    fn read_san(&self, text: &str) -> Result<Action, Illegal> {
        let chess = self.as_chess().ok_or(Illegal::Text)?;
        match notation::read_move(chess, text, None) {
            Ok(played) => Ok(chess::action_of(chess, played)),
            Err(NotationError::Illegal) => Err(Illegal::Move),
            Err(_) => Err(Illegal::Text),
        }
    }

    /// Whether an action takes a pawn en passant.
    pub fn is_en_passant(&self, action: Action) -> bool {
        let found = self.as_chess().and_then(|chess| chess::find_move(chess, action));
        found.is_some_and(shakmaty::Move::is_en_passant)
    }

    /// Plays an action in which chance has no part.
    pub fn play(&mut self, action: Action) -> Result<Done, Illegal> {
        self.play_fated(action, &Fate::NONE)
    }

    /// Plays an action with what its log tells of chance and new genomes.
    pub fn play_fated(&mut self, action: Action, fate: &Fate) -> Result<Done, Illegal> {
        match self {
            Position::Gmo(position) => return gmo::play(position, action, fate),
            Position::Muster(_) => return Err(Illegal::NotStarted),
            Position::Defender(defender @ Defender::Placing(_)) => {
                return Ok(Done { action, passes: defender.place(action)?, freezes: false });
            }
            Position::Chess(_) | Position::Defender(Defender::Battle(_)) => {}
        }
        let chess = self.as_chess().ok_or(Illegal::Move)?;
        let m = self.find_move(chess, action)?;
        let action = chess::action_of(chess, m);
        self.play_move(m);
        Ok(Done { action, passes: 0, freezes: false })
    }

    /// Plays a legal move of chess.
    fn play_move(&mut self, m: Move) {
        match self {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                chess.play_unchecked(m);
            }
            Position::Defender(Defender::Placing(_)) | Position::Muster(_) | Position::Gmo(_) => {}
        }
    }

    /// The same pieces with the other side to move, to see what it threatens.
    ///
    /// None in check, where nobody may pass, and where it is no position of chess.
    pub fn passed(&self) -> Option<Position> {
        self.as_chess().and_then(after_null_move).map(Position::Chess)
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
            Position::Muster(_) => 0,
            Position::Gmo(position) => position.hash(),
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
            Position::Muster(_) => None,
            Position::Gmo(position) => gmo::outcome(position),
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
