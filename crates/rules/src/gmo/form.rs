//! The GMO position form: a whole position as one line of text, like a FEN.
//!
//! ```text
//! gmo1 BOARD TURN PLY PROMOTIONS GENOMES [END]
//! ```
//!
//! | field | form |
//! |---|---|
//! | `gmo1` | the version of the rules |
//! | BOARD | piece tokens ordered a1, b1, …, h8, joined by `,`; `-` if there is no piece |
//! | TURN | `w` or `b` |
//! | PLY | how many moves were made, decimal |
//! | PROMOTIONS | squares of the pawns that wait for promotion, in their order, joined by `,`; `-` if none |
//! | GENOMES | DNA in the order of their numbers, joined by `,`; `-` if there is none |
//! | END | only of a finished game: `white`, `black` or `draw`, `:`, the reason, such as `white:king` |
//!
//! Example: `gmo1 a1w0k,h8b0k w 0 - AHHHSHHAACHACHACHAHHASASAAAAAAAAA`.
//! What is written is read back as the same position; reading is more lenient about the order of pieces and white space.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use shakmaty::{Color, Square};
use thiserror::Error;

use super::board::GenomeTable;
use super::end::{DrawBy, End, WinBy};
use super::error::GenomeError;
use super::genome::Genome;
use super::play::Promotions;
use super::position::{GmoPosition, Setup, SetupError};
use super::token::{TokenError, board_tokens, read_board, read_color};

/// Why a text is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FormError {
    /// The first field is not the version of these rules.
    #[error("a position starts with gmo1")]
    Version,
    /// There are not six or seven fields.
    #[error("a position has six fields, or seven if the game is over")]
    Fields,
    /// The board cannot be read.
    #[error("the board: {0}")]
    Board(#[from] TokenError),
    /// The side to move is not `w` or `b`.
    #[error("the side to move is w or b")]
    Turn,
    /// The number of moves is no number.
    #[error("the number of moves is not a number")]
    Ply,
    /// The waiting promotions cannot be read.
    #[error("waiting promotions are at most two squares")]
    Promotions,
    /// A genome cannot be read.
    #[error("genome {index}: {error}")]
    Genome {
        /// Its number.
        index: usize,
        /// What is wrong.
        error: GenomeError,
    },
    /// There are more genomes than a game can have.
    #[error("there are too many genomes")]
    TooManyGenomes,
    /// The end is not written as winner and reason.
    #[error("an end is written like white:king or draw:ply_limit")]
    End,
    /// The fields do not fit together.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl fmt::Display for GmoPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promotions: Vec<String> =
            self.promotions().iter().map(|square| square.to_string()).collect();
        let genomes: Vec<String> =
            self.genomes().iter().map(|(_, genome)| genome.dna().to_owned()).collect();
        write!(
            f,
            "gmo1 {} {} {} {} {}",
            join(&board_tokens(self.board())),
            self.turn().char(),
            self.ply(),
            join(&promotions),
            join(&genomes)
        )?;
        self.end().map_or(Ok(()), |end| write!(f, " {}", end_text(end)))
    }
}

impl FromStr for GmoPosition {
    type Err = FormError;

    fn from_str(text: &str) -> Result<GmoPosition, FormError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().take(8).collect();
        if fields.first() != Some(&"gmo1") {
            return Err(FormError::Version);
        }
        let (board, turn, ply, promotions, genomes, end) = match fields[1..] {
            [board, turn, ply, promotions, genomes] => {
                (board, turn, ply, promotions, genomes, None)
            }
            [board, turn, ply, promotions, genomes, end] => {
                (board, turn, ply, promotions, genomes, Some(end))
            }
            _ => return Err(FormError::Fields),
        };
        let end = end.map(|text| read_end(text).ok_or(FormError::End)).transpose()?;
        let mut position = GmoPosition::new(Setup {
            board: read_board(split(board))?,
            genomes: read_genomes(genomes)?,
            turn: read_color(turn).ok_or(FormError::Turn)?,
            ply: read_ply(ply).ok_or(FormError::Ply)?,
            promotions: read_promotions(promotions).ok_or(FormError::Promotions)?,
        })?;
        if let Some(end) = end {
            position.finish(end);
        }
        Ok(position)
    }
}

fn join(parts: &[String]) -> String {
    if parts.is_empty() { "-".to_owned() } else { parts.join(",") }
}

fn split(field: &str) -> impl Iterator<Item = &str> {
    field.split(',').filter(move |_| field != "-")
}

fn read_genomes(field: &str) -> Result<GenomeTable, FormError> {
    let mut genomes = GenomeTable::new();
    for (index, dna) in split(field).enumerate() {
        let genome = Genome::parse(dna).map_err(|error| FormError::Genome { index, error })?;
        genomes.push(Arc::new(genome)).ok_or(FormError::TooManyGenomes)?;
    }
    Ok(genomes)
}

/// Digits only: `u32` alone would also take a sign.
fn read_ply(field: &str) -> Option<u32> {
    if field.bytes().all(|byte| byte.is_ascii_digit()) { field.parse().ok() } else { None }
}

fn read_promotions(field: &str) -> Option<Promotions> {
    let mut promotions = Promotions::NONE;
    for square in split(field) {
        let square: Square = square.parse().ok()?;
        if !promotions.push(square) {
            return None;
        }
    }
    Some(promotions)
}

fn end_text(end: End) -> String {
    let winner = end.winner().map_or("draw", |winner| winner.fold_wb("white", "black"));
    format!("{winner}:{}", end.reason())
}

fn read_end(text: &str) -> Option<End> {
    let wins = [WinBy::King, WinBy::NoMoves, WinBy::Time];
    let draws = [DrawBy::BothKings, DrawBy::Repetition, DrawBy::PlyLimit];
    let won = Color::ALL.into_iter().flat_map(|winner| wins.map(|by| End::Win { winner, by }));
    won.chain(draws.map(|by| End::Draw { by })).find(|end| end_text(*end) == text)
}
