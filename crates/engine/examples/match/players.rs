//! Who plays: the built-in engine, a greedy player of one ply, a plain searcher of three.

use engine::builtin::{Control, Limits, Question, Searcher, Stop};
use rules::shakmaty::{Chess, Move, Position as _, Role};
use rules::{Action, Position};

/// Somebody who can find a move in a position that is not over.
pub(crate) trait Player {
    /// `history` holds the hashes of the positions before, `chance` an arbitrary number.
    fn choose(&mut self, position: &Position, history: &[u64], chance: u64) -> Action;
}

/// The engine of this crate.
pub(crate) struct Builtin {
    pub(crate) searcher: Searcher,
    pub(crate) limits: Limits,
}

impl Player for Builtin {
    fn choose(&mut self, position: &Position, history: &[u64], _chance: u64) -> Action {
        let question = Question { history, ..Question::new(position, self.limits) };
        let stop = Stop::new();
        let best = self.searcher.search(&question, Control::untimed(&stop), &mut |_| ());
        best.expect("a game that goes on has a move").action
    }
}

/// Takes the most it can, looking no further.
pub(crate) struct Greedy;

impl Player for Greedy {
    fn choose(&mut self, position: &Position, _history: &[u64], chance: u64) -> Action {
        best_of(position, chance, balance)
    }
}

/// Counts material to a fixed depth: alpha-beta and nothing else.
pub(crate) struct Material {
    pub(crate) depth: u32,
}

impl Player for Material {
    fn choose(&mut self, position: &Position, _history: &[u64], chance: u64) -> Action {
        let deeper = self.depth - 1;
        best_of(position, chance, |child| -look(child, deeper, -100_000, 100_000))
    }
}

/// The move whose position is best for the mover; equals are chosen between by chance.
fn best_of(position: &Position, chance: u64, value: impl Fn(&Chess) -> i32) -> Action {
    let chess = position.as_chess().expect("these players know chess");
    let valued = chess.legal_moves().into_iter().zip(position.actions()).map(|(m, action)| {
        let mut child = chess.clone();
        child.play_unchecked(m);
        let value = if child.is_checkmate() { 90_000 } else { value(&child) };
        (value, action)
    });
    let valued: Vec<(i32, Action)> = valued.collect();
    let best = valued.iter().map(|&(value, _)| value).max();
    let equals: Vec<Action> = valued
        .iter()
        .filter(|&&(value, _)| Some(value) == best)
        .map(|&(_, action)| action)
        .collect();
    let chosen = usize::try_from(chance % equals.len() as u64).unwrap_or(0);
    equals[chosen]
}

/// Material for the side that just moved.
fn balance(chess: &Chess) -> i32 {
    let worth = |squares: rules::shakmaty::Bitboard| {
        let count =
            |role| i32::try_from((chess.board().by_role(role) & squares).count()).unwrap_or(0);
        count(Role::Pawn)
            + 3 * (count(Role::Knight) + count(Role::Bishop))
            + 5 * count(Role::Rook)
            + 9 * count(Role::Queen)
    };
    worth(chess.them()) - worth(chess.us())
}

fn look(chess: &Chess, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if depth == 0 {
        return -balance(chess);
    }
    let mut moves = chess.legal_moves();
    if moves.is_empty() {
        return if chess.is_check() { -80_000 - i32::try_from(depth).unwrap_or(0) } else { 0 };
    }
    moves.sort_by_key(|m: &Move| !m.is_capture());
    for m in moves {
        let mut child = chess.clone();
        child.play_unchecked(m);
        alpha = alpha.max(-look(&child, depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}
