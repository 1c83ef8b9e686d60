//! `ChessDefender`: pieces are bought and placed in turn, then kings, then chess is played.
//!
//! Automatic passes are not events of their own: they follow from the position, so an action brings them along and
//! the record gets a `--` for each. A position is always one in which the side to act has a choice, or has lost.

mod error;
mod fen;
mod placing;
mod prepared;

use std::num::NonZeroU32;

use shakmaty::Chess;
use shakmaty::zobrist::{Zobrist64, ZobristValue};

pub use error::DefenderError;
pub use placing::{MOST_MEN, Placing, SHELF, State, cost, zone};
pub use prepared::{
    PREPARED, Prepared, PreparedError, check_prepared, is_single_start, single_player_start,
};

use crate::position::{Action, PositionTextError};
use crate::units::{ByColor, Color};

/// The start of a casual game.
pub const CASUAL_START: &str = "8/8/8/8/8/8/8/8 w - - 0 1 20/20";

/// The start of a rated game: moving first is worth about two points.
pub const RATED_START: &str = "8/8/8/8/8/8/8/8 w - - 0 1 20/22";

/// A position of Defender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Defender {
    /// Phase one.
    Placing(Placing),
    /// Phase two.
    Battle(Chess),
}

impl Defender {
    /// Reads a FEN of six or seven fields; gives also the number of automatic passes that follow at once.
    pub fn read(text: &str) -> Result<(Defender, u8), PositionTextError> {
        match fen::read(text)? {
            fen::Read::Battle(chess) => Ok((Defender::Battle(chess), 0)),
            fen::Read::Placing(mut placing) => {
                let passes = placing.settle();
                Ok((Defender::from_settled(placing), passes))
            }
        }
    }

    /// An empty board with these budgets; gives also the number of automatic passes that follow at once.
    pub fn with_points(points: ByColor<u8>) -> Result<(Defender, u8), PositionTextError> {
        Defender::read(&format!("8/8/8/8/8/8/8/8 w - - 0 1 {}/{}", points.white, points.black))
    }

    fn from_settled(placing: Placing) -> Defender {
        if !placing.is_complete() {
            return Defender::Placing(placing);
        }
        let setup = shakmaty::Setup {
            board: placing.board,
            fullmoves: NonZeroU32::new(placing.fullmoves).unwrap_or(NonZeroU32::MIN),
            ..shakmaty::Setup::empty()
        };
        // Placements and kings were checked one by one, so this is a position of chess (section 5 of the spec).
        Defender::Battle(fen::battle(setup).expect("a completed placing is a position of chess"))
    }

    /// Whose slot or turn it is.
    pub fn side_to_act(&self) -> Color {
        match self {
            Defender::Placing(placing) => placing.slot,
            Defender::Battle(chess) => shakmaty::Position::turn(chess).into(),
        }
    }

    /// Does a legal placement or pass; gives the number of automatic passes that followed.
    pub fn place(&mut self, action: Action) -> Result<u8, DefenderError> {
        let Defender::Placing(placing) = self else { return Err(DefenderError::WrongPhase) };
        placing.check(action)?;
        placing.act(action);
        let passes = placing.settle();
        if placing.is_complete() {
            *self = Defender::from_settled(placing.clone());
        }
        Ok(passes)
    }

    /// The FEN: seven fields in phase one, in phase two `K/K` is added so that the variant can be seen.
    pub fn fen(&self) -> String {
        match self {
            Defender::Placing(placing) => fen::write(placing),
            Defender::Battle(chess) => format!("{} K/K", crate::position::chess_fen(chess)),
        }
    }

    /// Identity of a position of phase one. Repetition counts from phase two on only.
    pub(crate) fn placing_hash(placing: &Placing) -> u64 {
        let state = |state: State| match state {
            State::Points(points) => u64::from(points),
            State::Crowned => 127,
        };
        let pieces = placing.board.clone().into_iter();
        let board = pieces.map(|(square, piece)| Zobrist64::zobrist_for_piece(square, piece).0);
        let slot = u64::from(placing.slot == Color::White);
        let states = state(placing.states.white) << 1 | state(placing.states.black) << 8 | slot;
        board.fold(states, |hash, piece| hash ^ piece)
    }

    /// What a side's placements cost: the score of a single player.
    pub fn spent(actions: &[Action], side: Color, first: Color) -> u32 {
        let own = usize::from(side != first);
        let placed = actions.iter().skip(own).step_by(2);
        placed
            .map(
                |action| {
                    if let Action::Place { role, .. } = *action { u32::from(cost(role)) } else { 0 }
                },
            )
            .sum()
    }
}
