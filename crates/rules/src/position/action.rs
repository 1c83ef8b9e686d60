//! One entry of a game's record, in four bytes, and its text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Role, Square};

/// What a player did, or the server in his place.
///
/// The text is what logs and sockets carry: `e2e4`, `e7e8q`, `N@c2`, `--`, `=e8:5`. Castling is king-to-target in
/// standard chess (`e1g1`) and king-takes-rook in Chess960 (`e1h1`); [`crate::Position::resolve`] accepts both and
/// gives the one form a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A piece goes from one square to another.
    Move {
        /// Where it stood.
        from: Square,
        /// Where it was sent.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// Defender: a piece comes from the shelf.
    Place {
        /// Which.
        role: Role,
        /// Where it is put.
        to: Square,
    },
    /// Defender: nothing; a side that still has points forfeits them.
    Pass,
    /// GMO: a pawn becomes a piece of the game's genome table.
    Promote {
        /// Where the pawn stands.
        at: Square,
        /// Index into the genome table.
        genome: u16,
    },
}

impl Action {
    /// A move without promotion.
    pub const fn step(from: Square, to: Square) -> Action {
        Action::Move { from, to, promotion: None }
    }

    /// The text engines expect: that of the record, but a pass is `0000`.
    pub fn engine_text(&self) -> String {
        if *self == Action::Pass { "0000".to_owned() } else { self.to_string() }
    }

    /// The squares to mark as "last action": where it began (if on the board) and where it ended.
    pub const fn squares(&self) -> (Option<Square>, Option<Square>) {
        match *self {
            Action::Move { from, to, .. } => (Some(from), Some(to)),
            Action::Place { to, .. } => (None, Some(to)),
            Action::Promote { at, .. } => (None, Some(at)),
            Action::Pass => (None, None),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Move { from, to, promotion } => {
                write!(f, "{from}{to}")?;
                promotion.map_or(Ok(()), |role| write!(f, "{}", role.char()))
            }
            Action::Place { role, to } => write!(f, "{}@{to}", role.upper_char()),
            Action::Pass => f.write_str("--"),
            Action::Promote { at, genome } => write!(f, "={at}:{genome}"),
        }
    }
}

/// Why a text is no action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ActionTextError {
    /// The form is none of those we read.
    #[error("not a move, placement or pass")]
    Form,
    /// A placement of something that is no piece.
    #[error("no such piece")]
    UnknownPiece,
}

impl FromStr for Action {
    type Err = ActionTextError;

    fn from_str(text: &str) -> Result<Action, ActionTextError> {
        let square = |bytes: &[u8]| Square::from_ascii(bytes).map_err(|_| ActionTextError::Form);
        match *text.as_bytes() {
            [b'-', b'-'] | [b'0', b'0', b'0', b'0'] => Ok(Action::Pass),
            [b'@', f, r] => Ok(Action::Place { role: Role::Pawn, to: square(&[f, r])? }),
            [piece, b'@', f, r] => {
                let to = square(&[f, r])?;
                let role = Some(piece)
                    .filter(u8::is_ascii_uppercase)
                    .and_then(|p| Role::from_char(char::from(p)));
                Ok(Action::Place { role: role.ok_or(ActionTextError::UnknownPiece)?, to })
            }
            [b'=', f, r, b':', ..] => {
                let genome = text[4..].parse().map_err(|_| ActionTextError::Form)?;
                Ok(Action::Promote { at: square(&[f, r])?, genome })
            }
            [a, b, c, d] => Ok(Action::step(square(&[a, b])?, square(&[c, d])?)),
            [a, b, c, d, role] => {
                let promotion = Role::from_char(char::from(role)).ok_or(ActionTextError::Form)?;
                Ok(Action::Move {
                    from: square(&[a, b])?,
                    to: square(&[c, d])?,
                    promotion: Some(promotion),
                })
            }
            _ => Err(ActionTextError::Form),
        }
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Action, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = Action;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an action such as e2e4, N@c2 or --")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Action, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_takes_four_bytes() {
        assert_eq!(size_of::<Action>(), 4);
    }

    #[test]
    fn every_kind_of_action_is_written_and_read_again() {
        for text in ["e2e4", "e7e8q", "a1a1", "N@c2", "K@g1", "--", "=e8:5", "=a1:65535"] {
            let action: Action = text.parse().unwrap();
            assert_eq!(action.to_string(), text);
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action);
        }
        assert_eq!("0000".parse(), Ok(Action::Pass));
        assert_eq!(
            (Action::Pass.engine_text(), Action::Pass.to_string()),
            ("0000".into(), "--".into())
        );
        assert_eq!("@e3".parse(), Ok(Action::Place { role: Role::Pawn, to: Square::E3 }));
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        for text in [
            "",
            "-",
            "e2",
            "e2e9",
            "e2e4x",
            "e2-e4",
            "=e8",
            "=e8:70000",
            "N@c9",
            "\u{e9}2e4",
            "O-O",
        ] {
            assert_eq!(text.parse::<Action>(), Err(ActionTextError::Form), "{text}");
        }
        assert_eq!("X@c2".parse::<Action>(), Err(ActionTextError::UnknownPiece));
        assert_eq!("n@c2".parse::<Action>(), Err(ActionTextError::UnknownPiece));
    }

    #[test]
    fn the_marked_squares_are_where_something_happened() {
        let squares = |text: &str| text.parse::<Action>().unwrap().squares();
        assert_eq!(squares("e2e4"), (Some(Square::E2), Some(Square::E4)));
        assert_eq!(squares("N@c2"), (None, Some(Square::C2)));
        assert_eq!(squares("=e8:1"), (None, Some(Square::E8)));
        assert_eq!(squares("--"), (None, None));
    }
}
