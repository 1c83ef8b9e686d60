//! Results and annotation glyphs: the small values of the move text.

use std::fmt;

/// The result of a game as PGN knows it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
)]
pub enum GameResult {
    /// `1-0`.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`.
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `*`: still played, broken off or not known.
    #[default]
    #[serde(rename = "*")]
    Unknown,
}

impl GameResult {
    /// Reads a result, also with long dashes and `½`.
    pub fn parse(text: &[u8]) -> Option<GameResult> {
        match text {
            b"1-0" => Some(GameResult::WhiteWins),
            b"0-1" => Some(GameResult::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(GameResult::Draw),
            b"*" => Some(GameResult::Unknown),
            _ if text.is_ascii() || text.len() > 12 => None,
            _ => match std::str::from_utf8(text).ok()? {
                "1–0" | "1—0" => Some(GameResult::WhiteWins),
                "0–1" | "0—1" => Some(GameResult::BlackWins),
                "1/2–1/2" | "1/2—1/2" | "½-½" | "½–½" | "½" => Some(GameResult::Draw),
                _ => None,
            },
        }
    }

    /// The result as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A numeric annotation glyph: `$1` is a good move, `$2` a mistake, and so on.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Nag(pub u8);

impl Nag {
    /// The glyph that is written as a sign: `!`, `?!`, `±` and so on.
    pub fn from_sign(sign: &[u8]) -> Option<Nag> {
        let number = match std::str::from_utf8(sign).ok()? {
            "!" => 1,
            "?" => 2,
            "!!" | "‼" => 3,
            "??" | "⁇" => 4,
            "!?" | "⁉" => 5,
            "?!" | "⁈" => 6,
            "□" => 7,
            "=" => 10,
            "∞" => 13,
            "+=" | "+/=" | "⩲" => 14,
            "=+" | "=/+" | "⩱" => 15,
            "+/-" | "±" => 16,
            "-/+" | "∓" => 17,
            "+-" => 18,
            "-+" => 19,
            _ => return None,
        };
        Some(Nag(number))
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
