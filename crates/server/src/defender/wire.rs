//! What the outside sees of ChessDefender for one player.

use rules::Color;
use rules::defender::cost;
use rules::shakmaty::{Board, Role};
use serde::{Deserialize, Serialize};
use store::BestAttempt;
use utoipa::ToSchema;

use super::USUAL_BUDGET;
use super::positions::{Position, PositionWish};
use crate::games::wire::{PlayerView, TimeControlView};

/// A prepared position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PreparedView {
    /// Its name.
    pub id: String,
    /// The position with seven fields and the usual budget.
    pub fen: String,
    /// The player's side.
    pub side: Color,
    /// What the computer's pieces would cost.
    pub material: u32,
    /// The fewest points with which somebody is known to stand well.
    pub par: u32,
    /// Whether it is offered no longer; only administrators see such ones.
    pub hidden: bool,
    /// Whether every club has it: its pieces cannot be changed.
    pub built_in: bool,
    /// The best result of all against the level that was asked for, of the engine that plays now.
    pub best: Option<DefenderResultView>,
    /// The best result of the one who asks, against the same level.
    pub mine: Option<DefenderResultView>,
}

impl PreparedView {
    /// A position with its results.
    pub(super) fn new(
        prepared: &Position,
        best: Option<DefenderResultView>,
        mine: Option<DefenderResultView>,
    ) -> PreparedView {
        PreparedView {
            id: prepared.stored.id.clone(),
            fen: prepared.start(USUAL_BUDGET),
            side: prepared.stored.player,
            material: material(&prepared.stored.board),
            par: prepared.stored.par.into(),
            hidden: prepared.stored.is_hidden,
            built_in: prepared.is_built_in,
            best,
            mine,
        }
    }
}

fn material(board: &str) -> u32 {
    let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap_or_else(|_| Board::empty());
    board
        .into_iter()
        .map(|(_, piece)| piece.role)
        .filter(|role| *role != Role::King)
        .map(|role| u32::from(cost(role)))
        .sum()
}

/// The prepared positions.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PreparedList {
    /// The positions.
    pub positions: Vec<PreparedView>,
}

/// Somebody's best result at a position against one level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DefenderResultView {
    /// Its place among all against this level, from 1.
    pub rank: u32,
    /// Points spent: the fewer the better.
    pub points: u32,
    /// Moves of phase two, which decide between equal points.
    pub moves: u32,
    /// The same as a number that is better when it is larger: a thousand divided by the points.
    pub score: u32,
    /// The level that was beaten.
    pub level: u8,
    /// Who.
    pub player: PlayerView,
    /// The game.
    pub game: String,
    /// When.
    pub at: i64,
}

impl From<&BestAttempt> for DefenderResultView {
    fn from(best: &BestAttempt) -> DefenderResultView {
        DefenderResultView {
            rank: best.rank,
            points: best.points,
            moves: best.moves,
            score: score(best.points),
            level: best.level,
            player: PlayerView::from(&best.player),
            game: best.game.to_string(),
            at: best.at.0,
        }
    }
}

/// A thousand divided by the points, to the nearest whole number.
fn score(points: u32) -> u32 {
    2_000_u32.checked_div(points).map_or(0, |twice| twice.div_ceil(2))
}

/// The best results at a position, fewest points first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefenderResults {
    /// The results.
    pub results: Vec<DefenderResultView>,
    /// The engine that was beaten, with its version and how far it looks.
    pub engine: String,
    /// The one that plays now, then those of before that somebody has beaten here on this level.
    pub engines: Vec<String>,
}

/// An attempt to be begun.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewAttemptBody {
    /// The prepared position.
    pub position: String,
    /// The bot's level, 1 to 8.
    pub level: u8,
    /// Points that may be spent at most, 1 to 99; 30 if nothing is said.
    #[serde(default)]
    pub budget: Option<u8>,
    /// The player's clock, ten minutes if nothing is said; the computer has none.
    #[serde(default)]
    pub time: Option<TimeControlView>,
    /// What is placed at once, in order, the king last: the `setup` of an attempt of before.
    #[serde(default)]
    pub setup: Vec<String>,
}

/// A prepared position as an administrator writes it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PositionBody {
    /// The computer's pieces, as a FEN writes them: `1bkb4/1rbr4/8/8/8/8/8/8`.
    pub board: String,
    /// The player's side.
    pub side: Color,
    /// The fewest points with which somebody is known to stand well, 1 to 99.
    pub par: u8,
    /// Whether it is offered no longer.
    #[serde(default)]
    pub hidden: bool,
}

impl From<PositionBody> for PositionWish {
    fn from(body: PositionBody) -> PositionWish {
        let PositionBody { board, side, par, hidden } = body;
        PositionWish { board, player: side, par, is_hidden: hidden }
    }
}

/// A position that was prepared.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MadePosition {
    /// Its name.
    pub id: String,
}

/// An attempt that has begun.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BegunAttempt {
    /// Its game.
    pub game: String,
}

/// An attempt.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AttemptView {
    /// Its game.
    pub game: String,
    /// The prepared position.
    pub position: String,
    /// The bot's level.
    pub level: u8,
    /// The engine that plays phase two for it.
    pub engine: String,
    /// Whether it was won; none while it runs.
    pub won: Option<bool>,
    /// Points spent so far.
    pub points: u32,
    /// The player's moves of phase two; 0 while it runs.
    pub moves: u32,
    /// The player's best result at this position against this level of this engine, with its place: of this attempt or of
    /// another.
    pub best: Option<DefenderResultView>,
    /// What the player has placed, in order.
    pub setup: Vec<String>,
}

#[cfg(test)]
mod tests {
    use rules::defender::PREPARED;

    use super::*;

    #[test]
    fn the_material_of_prepared_positions_is_what_the_specification_says() {
        let found: Vec<u32> = PREPARED.iter().map(|prepared| material(prepared.board)).collect();
        assert_eq!(found, [15, 19, 19, 24, 16, 27, 29]);
    }

    #[test]
    fn a_score_is_a_thousand_divided_by_the_points() {
        for (points, expected) in
            [(0, 0), (1, 1_000), (3, 333), (6, 167), (7, 143), (30, 33), (99, 10)]
        {
            assert_eq!(score(points), expected, "{points}");
        }
    }
}
