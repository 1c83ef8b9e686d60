//! How good a position is: for people as [`Score`], inside the search as a bare number.

use std::fmt;

/// How good a position is for the side that is to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The game is decided in so many own moves: positive wins, negative loses, 0 has lost already.
    ///
    /// In GMO chess it is the capture of a king or a side without moves that decides.
    Mate(i32),
}

impl Score {
    /// The same as the other side sees it.
    #[must_use]
    pub const fn flipped(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(-value),
            Score::Mate(moves) => Score::Mate(-moves),
        }
    }

    pub(super) fn from_value(value: Value) -> Score {
        if value.abs() < DECIDED {
            return Score::Centipawns(value);
        }
        let plies = MATE - value.abs();
        if value > 0 { Score::Mate((plies + 1) / 2) } else { Score::Mate(-plies / 2) }
    }
}

impl fmt::Display for Score {
    /// In pawns with a sign, or `#` and the number of moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
            }
            Score::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Centipawns inside the search; beyond [`DECIDED`] the distance to the end.
pub(super) type Value = i32;

/// The longest line that is looked at.
pub(super) const MAX_PLY: usize = 96;
/// The value of a won game, less one for each ply it takes.
pub(super) const MATE: Value = 30_000;
/// Values beyond this tell of a decided game.
pub(super) const DECIDED: Value = MATE - 1_000;
/// More than any value.
pub(super) const INFINITE: Value = 31_000;

/// How a game ended, for the side that would be to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Win,
    Draw,
    Loss,
}

impl End {
    /// The value of this end so many plies from the root.
    pub(super) fn value(self, ply: usize) -> Value {
        match self {
            End::Win => MATE - plies(ply),
            End::Draw => 0,
            End::Loss => plies(ply) - MATE,
        }
    }
}

/// A distance from the root as a value.
pub(super) fn plies(ply: usize) -> Value {
    Value::try_from(ply).unwrap_or(Value::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_games_count_own_moves() {
        let check = |value, expected| assert_eq!(Score::from_value(value), Score::Mate(expected));
        check(MATE - 1, 1);
        check(MATE - 3, 2);
        check(MATE - 5, 3);
        check(-MATE, 0);
        check(2 - MATE, -1);
        check(4 - MATE, -2);
    }

    #[test]
    fn scores_read_like_those_of_other_programs() {
        let check = |score: Score, text: &str| assert_eq!(score.to_string(), text);
        check(Score::Centipawns(0), "+0.00");
        check(Score::Centipawns(-135), "-1.35");
        check(Score::Centipawns(5), "+0.05");
        check(Score::Mate(-3), "#-3");
        check(Score::Mate(2).flipped(), "#-2");
    }
}
