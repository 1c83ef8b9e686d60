//! The Swiss system of FIDE called Dutch (C.04.3), in the text of 1 February 2026.
//!
//! [`pair`] gives the round, [`explain`](fn@explain) says why, [`check`](fn@check) judges a
//! pairing somebody else has made, [`checklist`] shows what is known about the players. The rules live in small rooms: `seat` (what is known about a
//! player), `criteria` (what a pair costs), `colour` (who gets which), `engine` (bracket by
//! bracket), and two ways to pair a bracket that always agree: `quick`, and `sequence` with
//! `scope` and `layout`, which is slower and always finds its way.

mod boards;
mod bracket;
mod check;
mod colour;
mod criteria;
mod engine;
mod explain;
mod halves;
mod layout;
mod quality;
mod quick;
mod rest;
mod roster;
mod scope;
mod seat;
mod sequence;
mod tally;
mod words;

use serde::Serialize;

pub use bracket::Effort;
pub use check::{Fault, Verdict, check};
pub use colour::ColourRule;
pub use criteria::Criterion;
pub use explain::{BracketStory, ColourStory, Explanation, FloatStory, PairStory, Reason, explain};
pub use seat::{Float, Seat, Strength};

use crate::model::{Colour, MAX_PLAYERS, ModelError, PairingNumber, RoundNumber, Tournament};
use engine::Draw;
use roster::Roster;

/// Why a round cannot be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    /// The absolute criteria leave no pairing.
    #[error("no legal pairing exists")]
    Impossible,
    /// Over the limit.
    #[error("{players} players are too many: the limit is {MAX_PLAYERS}")]
    TooLarge {
        /// How many there are.
        players: usize,
    },
    /// The tournament contradicts itself.
    #[error("the tournament makes no sense: {0}")]
    Nonsense(ModelError),
    /// There is no further round.
    #[error("all {rounds} rounds have been paired")]
    AllRoundsPaired {
        /// How many there are.
        rounds: u16,
    },
    /// Everybody is absent.
    #[error("nobody is there to be paired")]
    NobodyPresent,
    /// Colours of players without a preference depend on it.
    #[error("the initial colour is not known")]
    NoInitialColour,
}

impl From<ModelError> for PairingError {
    fn from(error: ModelError) -> PairingError {
        match error {
            ModelError::TooManyPlayers { count } => PairingError::TooLarge { players: count },
            error => PairingError::Nonsense(error),
        }
    }
}

/// Two players who meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Pair {
    /// With the white pieces.
    pub white: PairingNumber,
    /// With the black pieces.
    pub black: PairingNumber,
}

/// A round paired, boards in publishing order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Round {
    /// Which round.
    pub number: RoundNumber,
    /// The boards.
    pub pairs: Vec<Pair>,
    /// Who has the pairing-allocated bye.
    pub bye: Option<PairingNumber>,
}

/// Pairs the next round.
pub fn pair(tournament: &Tournament) -> Result<Round, PairingError> {
    pair_with(tournament, Effort::Quick)
}

/// Pairs the next round with a choice of shortcuts, for comparing them.
pub fn pair_with(tournament: &Tournament, effort: Effort) -> Result<Round, PairingError> {
    let roster = Roster::new(tournament)?;
    let mut draw = engine::draw(&roster, effort, |_, _| {})?;
    boards::publish(&roster, &mut draw);
    round(&roster, &draw)
}

/// Everybody who is to be paired in the next round, in pairing order, with everything the rules
/// look at: what a director checks a pairing with.
pub fn checklist(tournament: &Tournament) -> Result<Vec<Seat>, PairingError> {
    Ok(Roster::new(tournament)?.seats)
}

/// Gives colours and numbers to a draw.
fn round(roster: &Roster, draw: &Draw) -> Result<Round, PairingError> {
    let number = |seat: usize| roster.seats[seat].number;
    let pairs = draw.pairs.iter().map(|&(higher, lower)| {
        let (higher, lower) = (&roster.seats[higher], &roster.seats[lower]);
        let (colour, _) = colour::colour_of_higher(higher, lower, roster.initial_colour)
            .ok_or(PairingError::NoInitialColour)?;
        Ok::<Pair, PairingError>(match colour {
            Colour::White => Pair { white: higher.number, black: lower.number },
            Colour::Black => Pair { white: lower.number, black: higher.number },
        })
    });
    Ok(Round {
        number: roster.round,
        pairs: pairs.collect::<Result<_, _>>()?,
        bye: draw.bye.map(number),
    })
}
