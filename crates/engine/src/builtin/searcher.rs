//! The door of the built-in engine: a question about a position, lines while it thinks, and its answer.

use rules::defender::{Defender, Placing};
use rules::shakmaty::{CastlingMode, Move, Position as _, Square};
use rules::{Action, Color, Position};

use super::chess;
use super::gmo::{self, Army, GmoMove, Workshop};
use super::limits::{Control, Limits};
use super::placing;
use super::root::{Found, Progress};
use super::score::{INFINITE, Score, Value};
use super::search::Search;
use super::table::Table;
use super::world::World;

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
    /// What chance is drawn from where it has a part: the placing of Defender.
    pub seed: u64,
}

impl<'a> Question<'a> {
    /// The best move, nothing known of the game before.
    pub fn new(position: &'a Position, limits: Limits) -> Question<'a> {
        Question { position, history: &[], limits, lines: 1, seed: 0 }
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
    pub(super) table: Table,
    pub(super) workshop: Workshop,
}

impl Searcher {
    /// An engine that remembers positions in about so many megabytes.
    pub fn new(table_megabytes: usize) -> Searcher {
        Searcher { table: Table::new(table_megabytes), workshop: Workshop::default() }
    }

    /// Forgets all positions, as before a new game.
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
        match question.position {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                let board = chess::Board::new(chess.clone());
                let salt = salt(chess.castles().mode());
                self.deepen(question, control, &board, salt, &chess_line, tell)
            }
            Position::Gmo(position) => {
                let army = self.workshop.equip(position);
                if let Some(at) = position.promotions().next() {
                    return self.promote(question, control, &army, at, tell);
                }
                let board = gmo::Board::new(position, &army);
                let line = |start: &Position, line: &[_]| gmo_line(start, line, &army);
                self.deepen(question, control, &board, army.salt, &line, tell)
            }
            Position::Defender(Defender::Placing(placing)) => {
                self.place(question, control, placing, tell)
            }
            Position::Muster(_) => None,
        }
    }

    /// All moves with their values at one depth, and the positions looked at; not while pieces are placed or promoted.
    pub(super) fn judge(
        &mut self,
        question: &Question<'_>,
        depth: u8,
        control: Control<'_>,
    ) -> Option<(Vec<(Action, Value)>, u64)> {
        let &Question { position, limits, history, .. } = question;
        if position.outcome().is_some() {
            return None;
        }
        let mut judged = Vec::new();
        let nodes;
        if let Some(chess) = position.as_chess() {
            let salt = salt(chess.castles().mode());
            let mut search = Search::new(&mut self.table, salt, control, limits, history);
            for found in search.judge_all(&chess::Board::new(chess.clone()), depth) {
                let action = chess_line(position, &found.line[..1]).first().copied();
                judged.extend(action.map(|action| (action, found.value)));
            }
            nodes = search.nodes;
        } else {
            let gmo = position.as_gmo().filter(|gmo| gmo.promotions().is_empty());
            let Some(gmo) = gmo else {
                let best = self.search(question, control, &mut |_| ())?;
                return Some((vec![(best.action, 0)], best.nodes));
            };
            let army = self.workshop.equip(gmo);
            let mut search = Search::new(&mut self.table, army.salt, control, limits, history);
            for found in search.judge_all(&gmo::Board::new(gmo, &army), depth) {
                let action = gmo_line(position, &found.line[..1], &army).first().copied();
                judged.extend(action.map(|action| (action, found.value)));
            }
            nodes = search.nodes;
        }
        Some((judged, nodes))
    }

    /// Defender's phase one.
    fn place(
        &mut self,
        question: &Question<'_>,
        control: Control<'_>,
        placing: &Placing,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        let Limits { depth, nodes, .. } = question.limits;
        let mut search = Search::new(&mut self.table, 0, control, question.limits, &[]);
        let trials = placing::trials(depth, nodes);
        let seed = question.seed ^ question.position.hash();
        let choices = placing::choose(&mut search, placing, trials, seed);
        let nodes = search.nodes;
        let lines = usize::from(question.lines.clamp(1, MOST_LINES));
        for (rank, choice) in (1..).zip(choices.iter().take(lines)) {
            let score = Score::Centipawns(choice.value());
            tell(&Line { rank, depth: 1, score, nodes, pv: vec![choice.action] });
        }
        let best = choices.first()?;
        let (action, score) = (best.action, Score::Centipawns(best.value()));
        let depth = u8::from(!search.halted);
        Some(Best { action, score, pv: vec![action], depth, nodes })
    }

    fn deepen<W: World>(
        &mut self,
        question: &Question<'_>,
        control: Control<'_>,
        world: &W,
        salt: u64,
        translate: &dyn Fn(&Position, &[W::Move]) -> Vec<Action>,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        let Limits { depth, enough, .. } = question.limits;
        let mut search =
            Search::new(&mut self.table, salt, control, question.limits, question.history);
        let is_enough = || enough.is_some_and(|enough| (control.elapsed)() >= enough);
        let mut report = |progress: Progress<'_, W::Move>| {
            let pv = translate(question.position, &progress.found.line);
            tell(&line(&progress, pv));
        };
        let lines = usize::from(question.lines.clamp(1, MOST_LINES));
        let Found { moves, depth } = search.deepen(world, lines, depth, &is_enough, &mut report);
        let best = moves.first()?;
        let pv = translate(question.position, &best.line);
        let score = Score::from_value(best.value);
        Some(Best { action: *pv.first()?, score, pv, depth, nodes: search.nodes })
    }

    /// GMO: a pawn waits for promotion; every genome at hand is tried.
    fn promote(
        &mut self,
        question: &Question<'_>,
        control: Control<'_>,
        army: &Army,
        at: Square,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        let actor = question.position.side_to_act();
        let mut choices: Vec<(Value, Action, Position)> = Vec::new();
        for place in army.places() {
            let action = Action::Promote { at, genome: army.number(place).0 };
            let mut promoted = question.position.clone();
            if promoted.play(action).is_ok() {
                choices.push((army.worth(place), action, promoted));
            }
        }
        choices.sort_by_key(|&(worth, ..)| std::cmp::Reverse(worth));
        let deepest = question.limits.depth.unwrap_or(PROMOTION_DEPTH).min(PROMOTION_DEPTH);
        let limits = question.limits;
        let mut search = Search::new(&mut self.table, army.salt, control, limits, question.history);
        let mut completed = 0;
        for depth in 1..=deepest {
            let mut values = Vec::with_capacity(choices.len());
            for (_, _, promoted) in &choices {
                let Some(position) = promoted.as_gmo() else { continue };
                let board = gmo::Board::new(position, army);
                let depth = i32::from(depth) - 1;
                let value = search.descend(&board, depth, 1, -INFINITE, INFINITE, false);
                values.push(if Color::from(position.turn()) == actor { value } else { -value });
            }
            if search.halted || values.len() != choices.len() {
                break;
            }
            completed = depth;
            for (choice, value) in choices.iter_mut().zip(values) {
                choice.0 = value;
            }
            choices.sort_by_key(|&(value, ..)| std::cmp::Reverse(value));
            let lines = usize::from(question.lines.clamp(1, MOST_LINES));
            for (rank, &(value, action, _)) in (1..).zip(choices.iter().take(lines)) {
                let (score, nodes) = (Score::from_value(value), search.nodes);
                tell(&Line { rank, depth, score, nodes, pv: vec![action] });
            }
        }
        let &(value, action, _) = choices.first()?;
        let score = Score::from_value(if completed == 0 { 0 } else { value });
        Some(Best { action, score, pv: vec![action], depth: completed, nodes: search.nodes })
    }
}

/// How far a promotion is thought through; what a piece is worth is known beforehand.
const PROMOTION_DEPTH: u8 = 4;

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
pub(super) fn chess_line(start: &Position, line: &[Move]) -> Vec<Action> {
    let mut position = start.clone();
    let mut actions = Vec::with_capacity(line.len());
    for m in line {
        let (from, to) = (m.from().unwrap_or(m.to()), m.to());
        let action = Action::Move { from, to, promotion: m.promotion() };
        let Ok(action) = position.resolve(action) else { break };
        actions.push(action);
        if position.play(action).is_err() {
            break;
        }
    }
    actions
}

/// Moves of GMO chess as actions, with the promotions between them; it ends where chance begins.
pub(super) fn gmo_line(start: &Position, line: &[GmoMove], army: &Army) -> Vec<Action> {
    let mut position = start.clone();
    let mut actions = Vec::with_capacity(line.len());
    for m in line {
        let action = Action::step(m.from, m.to);
        if position.resolve(action).is_err() {
            break;
        }
        actions.push(action);
        if position.play(action).is_err() {
            break;
        }
        while let Some(at) = position.as_gmo().and_then(|gmo| gmo.promotions().next()) {
            let action = Action::Promote { at, genome: army.best_number().0 };
            actions.push(action);
            if position.play(action).is_err() {
                return actions;
            }
        }
    }
    actions
}
