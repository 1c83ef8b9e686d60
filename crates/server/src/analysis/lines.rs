//! What engines say, as the outside sees it: from White's side, with moves as people write them.

use engine::pool;
use engine::report::Eval;
use rules::{Action, Color, Position};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Moves of a line that are told.
pub(super) const TOLD_MOVES: usize = 10;

/// How good a position is, as White sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum EvalView {
    /// Hundredths of a pawn.
    Cp(i32),
    /// White mates in so many moves, or is mated if negative.
    Mate(i32),
    /// This side has won.
    Won(Color),
}

impl From<Eval> for EvalView {
    fn from(eval: Eval) -> EvalView {
        match eval {
            Eval::Centipawns(value) => EvalView::Cp(value),
            Eval::Mate(moves) => EvalView::Mate(moves),
            Eval::Won(winner) => EvalView::Won(winner),
        }
    }
}

impl From<EvalView> for Eval {
    fn from(score: EvalView) -> Eval {
        match score {
            EvalView::Cp(value) => Eval::Centipawns(value),
            EvalView::Mate(moves) => Eval::Mate(moves),
            EvalView::Won(winner) => Eval::Won(winner),
        }
    }
}

/// A line an engine has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EngineLineView {
    /// 1 for the best line.
    pub rank: u8,
    /// Plies searched.
    pub depth: u8,
    /// As White sees it.
    pub score: EvalView,
    /// The moves as engines write them.
    pub uci: Vec<String>,
    /// The same as people write them.
    pub san: Vec<String>,
}

impl EngineLineView {
    /// A line of the pool, from this position on.
    pub(super) fn new(line: &pool::Line, position: &Position) -> EngineLineView {
        let moves: Vec<Action> = line.moves.iter().copied().take(TOLD_MOVES).collect();
        EngineLineView {
            rank: line.rank,
            depth: line.depth,
            score: Eval::of(line.score, position.side_to_act()).into(),
            uci: moves.iter().map(ToString::to_string).collect(),
            san: sans(position, &moves),
        }
    }
}

/// Moves as people write them, as far as they can be played.
pub(super) fn sans(position: &Position, moves: &[Action]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for action in moves {
        let Some(san) = position.san(*action) else { break };
        texts.push(san);
        if position.play(*action).is_err() {
            break;
        }
    }
    texts
}
