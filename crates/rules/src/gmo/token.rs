//! Compact tokens of a game record: pieces, boards, moves and promotions.
//!
//! | what | form | example |
//! |---|---|---|
//! | piece | square, `w` or `b`, genome number, `p` if pawn, `k` if king | `e1w3k`, `a2w0p` |
//! | move | origin and target, `>` landing if it deviated, `~` genome number if it mutated | `e2e4>f5~12` |
//! | promotion | `=`, square, `:`, genome number | `=e8:5` |

use std::fmt;
use std::str::FromStr;

use shakmaty::{Color, Square};
use thiserror::Error;

use super::board::{Board, GenomeIndex, Piece};
use super::play::{Move, Played};

/// Why a text is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenError {
    /// Not of the form square, owner, genome number, flags.
    #[error("a piece is written like e1w3k")]
    Piece,
    /// Not of the form of a move.
    #[error("a move is written like e2e4, e2e4>f5 or e2e4~12")]
    Move,
    /// Not of the form of a promotion.
    #[error("a promotion is written like =e8:5")]
    Promotion,
    /// Two pieces on one square.
    #[error("{square} is named twice")]
    Twice {
        /// The square.
        square: Square,
    },
}

/// A piece and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlacedPiece {
    /// Where.
    pub square: Square,
    /// What.
    pub piece: Piece,
}

impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Piece { genome, owner, pawn, king } = self.piece;
        let (pawn, king) = (if pawn { "p" } else { "" }, if king { "k" } else { "" });
        write!(f, "{}{}{genome}{pawn}{king}", self.square, owner.char())
    }
}

impl FromStr for PlacedPiece {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<PlacedPiece, TokenError> {
        read_piece(text).ok_or(TokenError::Piece)
    }
}

fn read_piece(text: &str) -> Option<PlacedPiece> {
    let (square, rest) = read_square(text)?;
    let owner = read_color(rest.get(..1)?)?;
    let rest = &rest[1..];
    let (rest, king) = rest.strip_suffix('k').map_or((rest, false), |rest| (rest, true));
    let (rest, pawn) = rest.strip_suffix('p').map_or((rest, false), |rest| (rest, true));
    Some(PlacedPiece { square, piece: Piece { genome: read_index(rest)?, owner, pawn, king } })
}

/// `w` or `b`.
pub(super) fn read_color(text: &str) -> Option<Color> {
    match text {
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        _ => None,
    }
}

/// A square at the beginning of a text, and the rest.
fn read_square(text: &str) -> Option<(Square, &str)> {
    let (square, rest) = text.split_at_checked(2)?;
    Some((square.parse().ok()?, rest))
}

/// Decimal digits only: `u16` alone would also take a sign.
fn read_index(text: &str) -> Option<GenomeIndex> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok().map(GenomeIndex) } else { None }
}

/// A board as its pieces, ordered a1, b1, …, h8.
pub fn board_tokens(board: &Board) -> Vec<String> {
    board.pieces().map(|(square, piece)| PlacedPiece { square, piece }.to_string()).collect()
}

/// Reads a board from its pieces, in any order.
pub fn read_board<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Result<Board, TokenError> {
    let mut board = Board::empty();
    for token in tokens {
        let PlacedPiece { square, piece } = token.parse()?;
        if board.get(square).is_some() {
            return Err(TokenError::Twice { square });
        }
        board.put(square, piece);
    }
    Ok(board)
}

/// A move with what chance did to it, as a record keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveToken {
    /// The move as it was chosen.
    pub chosen: Move,
    /// Where it landed if it deviated.
    pub landing: Option<Square>,
    /// What the genome became if it mutated.
    pub mutation: Option<GenomeIndex>,
}

impl From<Played> for MoveToken {
    fn from(played: Played) -> MoveToken {
        let Played { chosen, landing, mutation, .. } = played;
        MoveToken {
            chosen,
            landing: Some(landing).filter(|landing| *landing != chosen.target),
            mutation,
        }
    }
}

impl fmt::Display for MoveToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.chosen)?;
        if let Some(landing) = self.landing {
            write!(f, ">{landing}")?;
        }
        if let Some(mutation) = self.mutation {
            write!(f, "~{mutation}")?;
        }
        Ok(())
    }
}

impl FromStr for MoveToken {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<MoveToken, TokenError> {
        read_move(text).ok_or(TokenError::Move)
    }
}

fn read_move(text: &str) -> Option<MoveToken> {
    let (text, mutation) = match text.split_once('~') {
        Some((text, index)) => (text, Some(read_index(index)?)),
        None => (text, None),
    };
    let (text, landing) = match text.split_once('>') {
        Some((text, square)) => (text, Some(square.parse().ok()?)),
        None => (text, None),
    };
    Some(MoveToken { chosen: text.parse().ok()?, landing, mutation })
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.target)
    }
}

impl FromStr for Move {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Move, TokenError> {
        let read = || {
            let (origin, rest) = read_square(text)?;
            Some(Move { origin, target: rest.parse().ok()? })
        };
        read().ok_or(TokenError::Move)
    }
}

/// A promotion, as a record keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PromotionToken {
    /// Where the pawn stands.
    pub square: Square,
    /// What it becomes.
    pub genome: GenomeIndex,
}

impl fmt::Display for PromotionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "={}:{}", self.square, self.genome)
    }
}

impl FromStr for PromotionToken {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<PromotionToken, TokenError> {
        let read = || {
            let (square, genome) = text.strip_prefix('=')?.split_once(':')?;
            Some(PromotionToken { square: square.parse().ok()?, genome: read_index(genome)? })
        };
        read().ok_or(TokenError::Promotion)
    }
}

/// One event of a game record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventToken {
    /// A piece moved.
    Move(MoveToken),
    /// A pawn was promoted.
    Promotion(PromotionToken),
}

impl fmt::Display for EventToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventToken::Move(token) => token.fmt(f),
            EventToken::Promotion(token) => token.fmt(f),
        }
    }
}

impl FromStr for EventToken {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<EventToken, TokenError> {
        if text.starts_with('=') {
            text.parse().map(EventToken::Promotion)
        } else {
            text.parse().map(EventToken::Move)
        }
    }
}
