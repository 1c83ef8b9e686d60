//! Who plays: the built-in engine, a greedy player of one ply, a plain searcher of three.

use engine::builtin::{Control, Level, Limits, Question, Searcher, Stop};
use rules::defender::Defender;
use rules::shakmaty::{Chess, Move, Position as _, Role};
use rules::{Action, Color, Position};

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

/// The engine of this crate as a bot of some level.
pub(crate) struct Bot {
    pub(crate) searcher: Searcher,
    pub(crate) level: Level,
    pub(crate) limits: Limits,
}

impl Player for Bot {
    fn choose(&mut self, position: &Position, history: &[u64], chance: u64) -> Action {
        let question = Question { history, ..Question::new(position, self.limits) };
        let stop = Stop::new();
        let best = self.searcher.play(self.level, &question, chance, Control::untimed(&stop));
        best.expect("a game that goes on has a move").action
    }
}

/// Takes the most it can, looking no further; in Defender it places by chance.
pub(crate) struct Greedy;

impl Player for Greedy {
    fn choose(&mut self, position: &Position, _history: &[u64], chance: u64) -> Action {
        match position {
            Position::Gmo(_) => greediest(position, chance),
            Position::Defender(Defender::Placing(_)) => {
                let actions = position.actions().into_iter();
                any(&actions.filter(|&action| action != Action::Pass).collect::<Vec<_>>(), chance)
            }
            _ => best_of(position, chance, balance),
        }
    }
}

/// GMO: the action that leaves most own pieces for each of the enemy's, and takes a king if it can.
fn greediest(position: &Position, chance: u64) -> Action {
    let own = position.side_to_act();
    let value = |action: Action| {
        let mut after = position.clone();
        if after.play(action).is_err() {
            return 0;
        }
        let count = |side: Color| {
            after.as_gmo().map_or(0, |gmo| gmo.board().owned(side.into()).count().cast_signed())
        };
        match after.outcome().and_then(|outcome| outcome.winner()) {
            Some(winner) if winner == own => 1_000,
            Some(_) => -1_000,
            None => count(own) - count(own.other()),
        }
    };
    let actions = position.actions();
    let best = actions.iter().map(|&action| value(action)).max();
    let equals: Vec<Action> =
        actions.into_iter().filter(|&action| Some(value(action)) == best).collect();
    any(&equals, chance)
}

fn any(actions: &[Action], chance: u64) -> Action {
    actions[usize::try_from(chance % actions.len() as u64).unwrap_or(0)]
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
    any(&equals, chance)
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
