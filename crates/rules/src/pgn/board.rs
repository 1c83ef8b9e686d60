//! The board on which the moves of a file are tried.

use super::{Follower, Step, Tags};
use crate::defender::Defender;
use crate::notation::{Language, NotationError, Reading, Written, san_and_play};
use crate::position::{Action, after_null_move};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError, Setup,
};

/// A position in a game of a variant that PGN files of ours may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Board {
    /// Standard chess and Chess960, from their start or from a set-up position.
    Chess(Chess),
    /// `ChessDefender`, in either phase.
    Defender(Box<Slots>),
}

/// A position of `ChessDefender` as a record sees it: every slot has its entry, the automatic passes too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    position: Defender,
    /// Automatic passes that the position has already made and the record has not told yet.
    owed: u8,
    /// Slots before this one, counted from the first move of White.
    slot: u32,
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
        let chess = |mode| fen.map_or_else(|| Ok(Board::default()), |fen| set_up(fen, mode));
        let Some(variant) = tags.get("Variant") else { return chess(None) };
        let mut plain: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
        plain.make_ascii_lowercase();
        match plain.as_str() {
            "standard" | "chess" | "normal" | "fromposition" => chess(None),
            "chess960" | "fischerandom" | "fischerrandom" | "freestyle" => {
                chess(Some(CastlingMode::Chess960))
            }
            "chessdefender" | "defender" => match (fen, tags.get("DefenderPoints")) {
                (Some(fen), _) => Slots::read(fen),
                (None, Some(points)) => Slots::read(&format!("8/8/8/8/8/8/8/8 w - - 0 1 {points}")),
                (None, None) => Slots::read(crate::defender::CASUAL_START),
            }
            .map(|slots| Board::Defender(Box::new(slots))),
            _ => Err(StartError::Variant(variant.to_owned())),
        }
    }

    /// Reads a move and plays it.
    #[inline]
    pub(super) fn read(
        &mut self,
        text: &[u8],
        reading: &mut Reading,
        follower: &mut impl Follower,
    ) -> Result<Step, NotationError> {
        match self {
            Board::Chess(position) => match reading.read(position, text) {
                Ok(found) => {
                    follower.play(position, found);
                    position.play_unchecked(found);
                    follower.reach(position);
                    Ok(Step::Move(found))
                }
                Err(NotationError::WrongVariant) if is_null(text) => {
                    *position = after_null_move(position).ok_or(NotationError::Illegal)?;
                    follower.leave();
                    Ok(Step::Null)
                }
                Err(why) => Err(why),
            },
            Board::Defender(slots) => slots.read_step(text, reading),
        }
    }

    /// Plays an action of a record and gives it as a step; `None` if it is not legal.
    pub fn play(&mut self, action: Action) -> Option<Step> {
        let step = match action {
            Action::Move { from, to, promotion } => {
                let uci = UciMove::Normal { from, to, promotion };
                Step::Move(uci.to_move(self.chess()?).ok()?)
            }
            Action::Place { role, to } => Step::Move(Move::Put { role, to }),
            Action::Pass => Step::Null,
            Action::Promote { .. } => return None,
        };
        self.step(step).then_some(step)
    }

    /// Writes a step and plays it; `None` if it is not legal.
    pub(super) fn write(&mut self, step: Step) -> Option<String> {
        match step {
            Step::Null => self.step(step).then(|| "--".to_owned()),
            Step::Move(Move::Put { role, to }) => {
                self.step(step).then(|| format!("{}@{to}", role.upper_char()))
            }
            Step::Move(played) => {
                let chess = self.chess().filter(|chess| chess.is_legal(played))?;
                let san = san_and_play(&mut chess.clone(), played, Language::English);
                self.step(step).then_some(san)
            }
        }
    }

    /// Plays a step; `false` if it is not legal, and then nothing has changed.
    pub(super) fn step(&mut self, step: Step) -> bool {
        match (self, step) {
            (Board::Chess(position), Step::Move(played)) => {
                let legal = !matches!(played, Move::Put { .. }) && position.is_legal(played);
                if legal {
                    position.play_unchecked(played);
                }
                legal
            }
            (Board::Chess(position), Step::Null) => {
                after_null_move(position).map(|after| *position = after).is_some()
            }
            (Board::Defender(slots), step) => slots.step(step),
        }
    }

    /// Plays a step that is known to be legal because it was played here before.
    pub(super) fn step_again(&mut self, step: Step) {
        match (self, step) {
            (Board::Chess(position), Step::Move(played)) => position.play_unchecked(played),
            (board, step) => {
                board.step(step);
            }
        }
    }

    /// Plays a step and gives it as people write it; `None` if it is not legal.
    pub fn write_step(&mut self, step: Step) -> Option<String> {
        self.write(step)
    }

    /// Plays a step; `false` if it is not legal, and then nothing has changed.
    pub fn play_step(&mut self, step: Step) -> bool {
        self.step(step)
    }

    /// How castling is written here.
    pub fn castling_mode(&self) -> CastlingMode {
        self.chess().map_or(CastlingMode::Standard, |chess| chess.castles().mode())
    }

    /// The number of the move, and whether White makes it.
    pub(super) fn number(&self) -> (u32, bool) {
        match self {
            Board::Chess(position) => (position.fullmoves().get(), position.turn().is_white()),
            Board::Defender(slots) => (slots.slot / 2 + 1, slots.slot % 2 == 0),
        }
    }

    /// The position of chess, where there is one.
    pub(super) fn chess(&self) -> Option<&Chess> {
        match self {
            Board::Chess(position) => Some(position),
            Board::Defender(slots) => match &slots.position {
                Defender::Battle(position) if slots.owed == 0 => Some(position),
                _ => None,
            },
        }
    }

    /// The position as text.
    pub fn fen(&self) -> String {
        match self {
            Board::Chess(position) => {
                Fen::from_position(position, EnPassantMode::Legal).to_string()
            }
            Board::Defender(slots) => slots.position.fen(),
        }
    }
}

impl Slots {
    fn read(fen: &str) -> Result<Slots, StartError> {
        let unusable = |why: &dyn std::fmt::Display| StartError::Position(why.to_string());
        let (position, owed) = Defender::read(fen).map_err(|why| unusable(&why))?;
        let mut fields = fen.split_ascii_whitespace();
        let is_black = fields.nth(1) == Some("b");
        let number: u32 = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
        let slot = number.saturating_sub(1).saturating_mul(2).saturating_add(u32::from(is_black));
        Ok(Slots { position, owed, slot })
    }

    fn read_step(&mut self, text: &[u8], reading: &mut Reading) -> Result<Step, NotationError> {
        if let (0, Defender::Battle(position)) = (self.owed, &mut self.position) {
            let step = read_chess(position, text, reading)?;
            self.slot = self.slot.saturating_add(1);
            return Ok(step);
        }
        let step = match Written::parse(text, Language::English) {
            Some(Written::Put { role, to }) => Step::Move(Move::Put { role, to }),
            Some(Written::Null) => Step::Null,
            Some(_) => return Err(NotationError::Illegal),
            None => return Err(NotationError::Unreadable),
        };
        if self.step(step) { Ok(step) } else { Err(NotationError::Illegal) }
    }

    fn step(&mut self, step: Step) -> bool {
        let legal = match step {
            Step::Null if self.owed > 0 => {
                self.owed -= 1;
                true
            }
            _ if self.owed > 0 => false,
            Step::Null => self.place(Action::Pass),
            Step::Move(Move::Put { role, to }) => self.place(Action::Place { role, to }),
            Step::Move(played) => match &mut self.position {
                Defender::Battle(position) if position.is_legal(played) => {
                    position.play_unchecked(played);
                    true
                }
                _ => false,
            },
        };
        self.slot = self.slot.saturating_add(u32::from(legal));
        legal
    }

    fn place(&mut self, action: Action) -> bool {
        self.position.place(action).map(|passes| self.owed = passes).is_ok()
    }
}

fn read_chess(
    position: &mut Chess,
    text: &[u8],
    reading: &mut Reading,
) -> Result<Step, NotationError> {
    let found = reading.read(position, text)?;
    position.play_unchecked(found);
    Ok(Step::Move(found))
}

fn is_null(text: &[u8]) -> bool {
    Written::parse(text, Language::English) == Some(Written::Null)
}

/// A set-up position. Surplus material and checks no play leads to are let pass, as are castling rights and en
/// passant squares that cannot be: set-up positions come from everywhere, and none of it makes a move ambiguous.
fn set_up(fen: &str, mode: Option<CastlingMode>) -> Result<Board, StartError> {
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
