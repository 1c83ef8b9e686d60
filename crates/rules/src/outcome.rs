//! How games end, with the reason by its stable name.

use serde::{Deserialize, Serialize};

use crate::units::Color;

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// One side has won.
    Win {
        /// Who.
        winner: Color,
        /// Why.
        by: WinReason,
    },
    /// Nobody has won.
    Draw {
        /// Why.
        by: DrawReason,
    },
    /// The game does not count.
    Aborted {
        /// Why.
        by: AbortReason,
    },
}

/// Why a side has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WinReason {
    /// Checkmate.
    Mate,
    /// The loser's time ran out.
    Time,
    /// The loser resigned.
    Resign,
    /// The loser left the game.
    Abandonment,
    /// Defender: the loser had no square for the king.
    NoKingSquare,
    /// GMO: the loser lost a king.
    King,
    /// GMO: the loser had no move.
    NoMoves,
    /// The arbiter decided.
    Arbiter,
}

/// Why a game is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DrawReason {
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side has the material to mate.
    DeadPosition,
    /// The position occurred for the third time: claimed, or by itself where the rule set says so.
    Threefold,
    /// The position occurred for the fifth time.
    Fivefold,
    /// Fifty moves each without capture or pawn move.
    Fifty,
    /// Seventy-five moves each without capture or pawn move.
    SeventyFive,
    /// Time ran out, or the loser left, but the other side could never mate.
    CannotMate,
    /// The players agreed.
    Agreement,
    /// The one who stayed claimed a draw from the one who left.
    Abandonment,
    /// GMO: both lost a king at once.
    BothKings,
    /// GMO: the position occurred too often.
    Repetition,
    /// GMO: the game is too long.
    PlyLimit,
    /// The arbiter decided.
    Arbiter,
}

/// Why a game does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AbortReason {
    /// A player withdrew before both had made their first move.
    Player,
    /// The first move did not come in time.
    NoFirstMove,
    /// The server could not go on.
    Server,
    /// The arbiter annulled the game.
    Arbiter,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(&self) -> Option<Color> {
        match *self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw { .. } | Outcome::Aborted { .. } => None,
        }
    }

    /// Whether the game counts (for ratings, standings, archives).
    pub const fn counts(&self) -> bool {
        !matches!(self, Outcome::Aborted { .. })
    }

    /// The result as PGN writes it.
    pub const fn pgn(&self) -> &'static str {
        match self {
            Outcome::Win { winner: Color::White, .. } => "1-0",
            Outcome::Win { winner: Color::Black, .. } => "0-1",
            Outcome::Draw { .. } => "1/2-1/2",
            Outcome::Aborted { .. } => "*",
        }
    }

    /// The stable name of the reason, as in JSON.
    pub const fn reason(&self) -> &'static str {
        match self {
            Outcome::Win { by, .. } => by.name(),
            Outcome::Draw { by } => by.name(),
            Outcome::Aborted { by } => by.name(),
        }
    }
}

impl WinReason {
    /// The stable name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            WinReason::Mate => "mate",
            WinReason::Time => "time",
            WinReason::Resign => "resign",
            WinReason::Abandonment => "abandonment",
            WinReason::NoKingSquare => "no_king_square",
            WinReason::King => "king",
            WinReason::NoMoves => "no_moves",
            WinReason::Arbiter => "arbiter",
        }
    }
}

impl DrawReason {
    /// The stable name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            DrawReason::Stalemate => "stalemate",
            DrawReason::DeadPosition => "dead_position",
            DrawReason::Threefold => "threefold",
            DrawReason::Fivefold => "fivefold",
            DrawReason::Fifty => "fifty",
            DrawReason::SeventyFive => "seventy_five",
            DrawReason::CannotMate => "cannot_mate",
            DrawReason::Agreement => "agreement",
            DrawReason::Abandonment => "abandonment",
            DrawReason::BothKings => "both_kings",
            DrawReason::Repetition => "repetition",
            DrawReason::PlyLimit => "ply_limit",
            DrawReason::Arbiter => "arbiter",
        }
    }
}

impl AbortReason {
    /// The stable name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            AbortReason::Player => "player",
            AbortReason::NoFirstMove => "no_first_move",
            AbortReason::Server => "server",
            AbortReason::Arbiter => "arbiter",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(outcome: Outcome, json: &str, pgn: &str) {
        assert_eq!(serde_json::to_string(&outcome).unwrap(), json);
        assert_eq!(serde_json::from_str::<Outcome>(json).unwrap(), outcome);
        assert!(json.contains(&format!(r#""by":"{}""#, outcome.reason())), "{json}");
        assert_eq!(outcome.pgn(), pgn);
    }

    #[test]
    fn every_reason_has_one_name_in_json_and_in_code() {
        use {AbortReason as A, DrawReason as D, WinReason as W};
        for by in [
            W::Mate,
            W::Time,
            W::Resign,
            W::Abandonment,
            W::NoKingSquare,
            W::King,
            W::NoMoves,
            W::Arbiter,
        ] {
            check(
                Outcome::Win { winner: Color::White, by },
                &format!(r#"{{"kind":"win","winner":"white","by":"{}"}}"#, by.name()),
                "1-0",
            );
        }
        for by in [
            D::Stalemate,
            D::DeadPosition,
            D::Threefold,
            D::Fivefold,
            D::Fifty,
            D::SeventyFive,
            D::CannotMate,
            D::Agreement,
            D::Abandonment,
            D::BothKings,
            D::Repetition,
            D::PlyLimit,
            D::Arbiter,
        ] {
            check(
                Outcome::Draw { by },
                &format!(r#"{{"kind":"draw","by":"{}"}}"#, by.name()),
                "1/2-1/2",
            );
        }
        for by in [A::Player, A::NoFirstMove, A::Server, A::Arbiter] {
            check(
                Outcome::Aborted { by },
                &format!(r#"{{"kind":"aborted","by":"{}"}}"#, by.name()),
                "*",
            );
        }
    }

    #[test]
    fn only_an_aborted_game_does_not_count() {
        assert!(!Outcome::Aborted { by: AbortReason::Player }.counts());
        assert!(Outcome::Draw { by: DrawReason::Fifty }.counts());
        assert_eq!(
            Outcome::Win { winner: Color::Black, by: WinReason::Time }.winner(),
            Some(Color::Black)
        );
        assert_eq!(Outcome::Draw { by: DrawReason::Fifty }.winner(), None);
    }
}
