//! The door of the built-in engine: a question about a position, lines while it thinks, and its answer.

use rules::shakmaty::{CastlingMode, Chess, Move, Position as _};
use rules::{Action, Position};

use super::chess;
use super::limits::{Control, Limits};
use super::root::{Found, Progress, RootMove};
use super::score::Score;
use super::search::Search;
use super::table::Table;

/// Most lines that can be asked for.
pub const MOST_LINES: u8 = 5;

/// What the engine is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The position to find a move for.
    pub position: &'a Position,
    /// [`Position::hash`] of the positions before it, oldest first.
    pub history: &'a [u64],
    /// When to answer.
    pub limits: Limits,
    /// How many different first moves are wanted with their true values, 1 to [`MOST_LINES`].
    pub lines: u8,
}

impl<'a> Question<'a> {
    /// The best move, nothing known of the game before.
    pub fn new(position: &'a Position, limits: Limits) -> Question<'a> {
        Question { position, history: &[], limits, lines: 1 }
    }
}

/// What the engine has found at some depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// 1 for the best line.
    pub rank: u8,
    /// Plies searched completely.
    pub depth: u8,
    /// For the side to act.
    pub score: Score,
    /// Positions looked at so far.
    pub nodes: u64,
    /// The moves both sides are expected to make.
    pub pv: Vec<Action>,
}

/// The engine's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Best {
    /// What it would do.
    pub action: Action,
    /// For the side to act.
    pub score: Score,
    /// The moves both sides are expected to make, this one first.
    pub pv: Vec<Action>,
    /// Plies searched completely; 0 if it was stopped before that.
    pub depth: u8,
    /// Positions looked at.
    pub nodes: u64,
}

/// An engine with its memory. The same questions in the same order get the same answers, as long as no time limits them.
#[derive(Debug)]
pub struct Searcher {
    table: Table,
}

impl Searcher {
    /// An engine that remembers positions in about so many megabytes.
    pub fn new(table_megabytes: usize) -> Searcher {
        Searcher { table: Table::new(table_megabytes) }
    }

    /// Forgets everything, as before a new game.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Finds the best action; `tell` hears of every line of every completed depth. `None` if there is nothing to do.
    pub fn search(
        &mut self,
        question: &Question<'_>,
        control: Control<'_>,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        if question.position.outcome().is_some() {
            return None;
        }
        let chess = question.position.as_chess()?;
        self.search_chess(question, chess, control, tell)
    }

    fn search_chess(
        &mut self,
        question: &Question<'_>,
        chess: &Chess,
        control: Control<'_>,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        let Limits { depth, enough, .. } = question.limits;
        let mode = chess.castles().mode();
        let board = chess::Board::new(chess.clone());
        let mut search =
            Search::new(&mut self.table, salt(mode), control, question.limits, question.history);
        let is_enough = || enough.is_some_and(|enough| (control.elapsed)() >= enough);
        let mut report = |progress: Progress<'_, Move>| {
            let pv = chess_line(question.position, &progress.found.line);
            tell(&line(&progress, pv));
        };
        let lines = usize::from(question.lines.clamp(1, MOST_LINES));
        let Found { moves, depth } = search.deepen(&board, lines, depth, &is_enough, &mut report);
        let best = moves.first()?;
        let pv = chess_line(question.position, &best.line);
        answer(best, pv, depth, search.nodes)
    }
}

fn answer<M>(best: &RootMove<M>, pv: Vec<Action>, depth: u8, nodes: u64) -> Option<Best> {
    let action = *pv.first()?;
    Some(Best { action, score: Score::from_value(best.value), pv, depth, nodes })
}

fn line<M>(progress: &Progress<'_, M>, pv: Vec<Action>) -> Line {
    Line {
        rank: u8::try_from(progress.rank).unwrap_or(u8::MAX),
        depth: progress.depth,
        score: Score::from_value(progress.found.value),
        nodes: progress.nodes,
        pv,
    }
}

/// Castling leads elsewhere in Chess960, so what is known of a position there says nothing here.
fn salt(mode: CastlingMode) -> u64 {
    if mode.is_standard() { 0 } else { 0x960 << 32 }
}

/// Moves of chess as actions, as far as they are legal.
fn chess_line(start: &Position, line: &[Move]) -> Vec<Action> {
    let mut position = start.clone();
    let mut actions = Vec::with_capacity(line.len());
    for m in line {
        let (from, to) = (m.from().unwrap_or(m.to()), m.to());
        let action = Action::Move { from, to, promotion: m.promotion() };
        let Ok(action) = position.resolve(action) else { break };
        if position.play(action).is_err() {
            break;
        }
        actions.push(action);
    }
    actions
}
