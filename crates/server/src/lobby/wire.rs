//! What the outside sees of challenges.

use rules::Color;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::wire::{PlayerView, TimeControlView};

/// The colour somebody asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColorChoice {
    /// White.
    White,
    /// Black.
    Black,
    /// Drawn by lot.
    Random,
}

impl ColorChoice {
    /// The colour, unless it is to be drawn.
    pub fn color(self) -> Option<Color> {
        match self {
            ColorChoice::White => Some(Color::White),
            ColorChoice::Black => Some(Color::Black),
            ColorChoice::Random => None,
        }
    }
}

impl From<Option<Color>> for ColorChoice {
    fn from(color: Option<Color>) -> Self {
        match color {
            Some(Color::White) => ColorChoice::White,
            Some(Color::Black) => ColorChoice::Black,
            None => ColorChoice::Random,
        }
    }
}

/// A challenge to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewChallenge {
    /// The time control.
    pub time: TimeControlView,
    /// The colour the challenger wants.
    pub color: ColorChoice,
}

/// Where a challenge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeStateView {
    /// Somebody may accept.
    Open,
    /// There is a game of the same id.
    Accepted,
    /// It was taken back.
    Cancelled,
}

/// A challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChallengeView {
    /// Its name, and later its game's.
    pub id: String,
    /// Where it stands.
    pub state: ChallengeStateView,
    /// The time control.
    pub time: TimeControlView,
    /// The colour the challenger wants.
    pub color: ColorChoice,
    /// Who challenges.
    pub challenger: PlayerView,
    /// Whether the one who asks is the challenger.
    pub is_mine: bool,
    /// The address to hand to a friend.
    pub url: String,
    /// When it was made.
    pub created_at: i64,
}
