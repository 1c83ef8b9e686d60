//! What a player has chosen: how moves are written, how the board looks and sounds, how moves are made.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The language of move notation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotationChoice {
    /// English.
    #[default]
    En,
    /// Czech.
    Cs,
    /// Slovak.
    Sk,
    /// Polish.
    Pl,
    /// German.
    De,
    /// Spanish.
    Es,
    /// French.
    Fr,
    /// Italian: the letters of Spanish.
    It,
    /// Little pieces instead of letters.
    Figurine,
}

/// How the pieces look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceSet {
    /// The usual ones.
    #[default]
    Cburnett,
    /// Our own, with few lines: clear on small boards.
    Plain,
}

/// Which side stands at the bottom of the board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoardSide {
    /// The own one; White where one only looks on.
    #[default]
    Own,
    /// Always White.
    White,
    /// Always Black.
    Black,
}

/// How the board looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoardTheme {
    /// Brown.
    Wood,
    /// Green.
    #[default]
    Green,
    /// Blue.
    Blue,
    /// Grey.
    Grey,
}

/// What a player has chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Preferences {
    /// The language of move notation.
    pub notation: NotationChoice,
    /// How the pieces look.
    pub piece_set: PieceSet,
    /// How the board looks.
    pub board_theme: BoardTheme,
    /// Which side stands at the bottom.
    pub board_side: BoardSide,
    /// Whether moves can be heard.
    pub sounds: bool,
    /// Whether a move is asked for again before it is sent.
    pub move_confirmation: bool,
    /// Whether a pawn becomes a queen without a question.
    pub auto_queen: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Preferences {
            notation: NotationChoice::default(),
            piece_set: PieceSet::default(),
            board_theme: BoardTheme::default(),
            board_side: BoardSide::default(),
            sounds: true,
            move_confirmation: false,
            auto_queen: false,
        }
    }
}

impl Preferences {
    /// As they are stored.
    pub(crate) fn to_stored(self) -> String {
        serde_json::to_string(&self).expect("preferences are plain data")
    }

    /// As they were stored. What a later version does not know any more becomes the default again.
    pub(crate) fn from_stored(text: &str) -> Preferences {
        serde_json::from_str(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_survive_storing_and_what_is_missing_is_the_default() {
        let chosen = Preferences {
            notation: NotationChoice::Figurine,
            board_theme: BoardTheme::Blue,
            auto_queen: true,
            ..Preferences::default()
        };
        assert_eq!(Preferences::from_stored(&chosen.to_stored()), chosen);
        assert_eq!(Preferences::from_stored("{}"), Preferences::default());
        assert_eq!(Preferences::from_stored(r#"{"notation":"runes"}"#), Preferences::default());
    }
}
