//! What the outside says to sit down at one computer.

use rules::{Color, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::wire::TimeControlView;

/// Who sits on a side. No `Debug`: it holds secrets.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatWish {
    /// Whoever asks.
    Me,
    /// Somebody who just has a name.
    Guest {
        /// The name, 1 to 30 letters.
        name: String,
    },
    /// A member, who confirms by the password or by the PIN.
    Member {
        /// The user name.
        name: String,
        /// The password.
        #[serde(default)]
        password: Option<String>,
        /// The PIN, four to eight digits.
        #[serde(default)]
        pin: Option<String>,
    },
}

/// A game of two people at one computer.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct NewTable {
    /// Which game.
    #[serde(default)]
    pub variant: Variant,
    /// The time control: minutes or none.
    pub time: TimeControlView,
    /// The first position, if it is not the usual one.
    #[serde(default)]
    pub start: Option<String>,
    /// Whether it is to count: then both are members.
    #[serde(default)]
    pub rated: bool,
    /// Who sits on White's side.
    pub white: SeatWish,
    /// Who sits on Black's side.
    pub black: SeatWish,
    /// Whether the sides are drawn by lot after all.
    #[serde(default)]
    pub draw_lots: bool,
}

/// What two people at one computer have settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Settled {
    /// They agree on a draw.
    Draw,
    /// They agree to take the last move back.
    Takeback,
    /// One of them gives up.
    Resign {
        /// Who.
        side: Color,
    },
}
