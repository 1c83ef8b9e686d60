//! Small types for what would otherwise be bare integers: plies, spans, moments, sides.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Number of entries of a game's record: 0 before the first action.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Ply(pub u32);

impl Ply {
    /// The ply after this one.
    #[must_use]
    pub fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    /// As an index into a list with one entry per ply.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The ply of a record with this many entries.
    pub fn of_len(entries: usize) -> Ply {
        Ply(u32::try_from(entries).unwrap_or(u32::MAX))
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A span of time in milliseconds.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);

    /// A span of whole seconds.
    pub const fn seconds(seconds: i64) -> Millis {
        Millis(seconds.saturating_mul(1_000))
    }

    /// A span of whole minutes.
    pub const fn minutes(minutes: i64) -> Millis {
        Millis(minutes.saturating_mul(60_000))
    }

    /// A span of whole days.
    pub const fn days(days: i64) -> Millis {
        Millis(days.saturating_mul(86_400_000))
    }

    /// Both spans together.
    #[must_use]
    pub const fn plus(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }

    /// This span without the other; may be negative.
    #[must_use]
    pub const fn minus(self, other: Millis) -> Millis {
        Millis(self.0.saturating_sub(other.0))
    }

    /// The span, or nothing if it is negative.
    #[must_use]
    pub fn at_least_zero(self) -> Millis {
        self.max(Millis::ZERO)
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// A moment: milliseconds since 1970 on the timeline the server keeps.
#[derive(
    Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// The time since `earlier`; negative if `earlier` is in truth later.
    pub const fn since(self, earlier: UnixMillis) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }

    /// The moment this much later.
    #[must_use]
    pub const fn plus(self, span: Millis) -> UnixMillis {
        UnixMillis(self.0.saturating_add(span.0))
    }
}

impl From<UnixMillis> for i64 {
    fn from(at: UnixMillis) -> i64 {
        at.0
    }
}

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// The side that begins.
    White,
    /// The other one.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// `white` or `black`, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<shakmaty::Color> for Color {
    fn from(color: shakmaty::Color) -> Color {
        color.fold_wb(Color::White, Color::Black)
    }
}

impl From<Color> for shakmaty::Color {
    fn from(color: Color) -> shakmaty::Color {
        shakmaty::Color::from_white(color == Color::White)
    }
}

/// One value for each side.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Makes both values.
    pub fn new_with(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { white: make(Color::White), black: make(Color::Black) }
    }

    /// Both values turned into others.
    pub fn map<U>(self, mut turn: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor { white: turn(self.white), black: turn(self.black) }
    }

    /// The same with references.
    pub fn as_ref(&self) -> ByColor<&T> {
        ByColor { white: &self.white, black: &self.black }
    }

    /// Whether both satisfy the question.
    pub fn both(&self, mut is: impl FnMut(&T) -> bool) -> bool {
        is(&self.white) && is(&self.black)
    }
}

impl<T: Clone> ByColor<T> {
    /// The same value for both.
    pub fn same(value: T) -> ByColor<T> {
        ByColor { white: value.clone(), black: value }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_written_as_words() {
        assert_eq!(
            serde_json::to_string(&ByColor { white: Millis(1), black: Millis(2) }).unwrap(),
            r#"{"white":1,"black":2}"#
        );
        assert_eq!(serde_json::to_string(&Color::Black).unwrap(), r#""black""#);
        assert_eq!(Color::from(shakmaty::Color::from(Color::Black)), Color::Black);
        assert_eq!(Color::White.other().to_string(), "black");
    }

    #[test]
    fn spans_never_overflow() {
        assert_eq!(Millis(i64::MAX).plus(Millis(1)), Millis(i64::MAX));
        assert_eq!(Millis::seconds(i64::MAX), Millis(i64::MAX));
        assert_eq!(UnixMillis(i64::MIN).since(UnixMillis(1)), Millis(i64::MIN));
        assert_eq!(Millis(-3).at_least_zero(), Millis::ZERO);
    }
}
