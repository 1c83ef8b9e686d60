//! The door of the built-in engine: a question about a position, lines while it thinks, and its answer.

use rules::defender::{Defender, Placing};
use rules::shakmaty::{CastlingMode, Position as _};
use rules::{Action, Position};

use super::chess;
use super::gmo::{self, Workshop};
use super::limits::{Control, Limits};
use super::lines::{chess_line, gmo_line};
use super::placing;
use super::question::{Best, Line, MOST_LINES, Question};
use super::root::{Found, Progress, RootMove};
use super::score::{Score, Value};
use super::search::Search;
use super::table::Table;
use super::world::World;

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
                let translate = |line: &[_]| chess_line(question.position, line);
                self.deepen(question, control, &board, salt, translate, tell)
            }
            Position::Gmo(position) => {
                let army = self.workshop.equip(position);
                if let Some(at) = position.promotions().next() {
                    return self.promote(question, control, &army, at, tell);
                }
                let board = gmo::Board::new(position, &army);
                let translate = |line: &[_]| gmo_line(question.position, line, &army);
                self.deepen(question, control, &board, army.salt, translate, tell)
            }
            Position::Defender(Defender::Placing(placing)) => {
                self.place(question, control, placing, tell)
            }
            Position::Muster(_) => None,
        }
    }

    /// All moves with their values at one depth; none while pieces are being placed or promoted.
    pub(super) fn judge(
        &mut self,
        question: &Question<'_>,
        depth: u8,
        control: Control<'_>,
    ) -> Judged {
        let &Question { position, limits, history, .. } = question;
        match position {
            Position::Chess(chess) | Position::Defender(Defender::Battle(chess)) => {
                let salt = salt(chess.castles().mode());
                let mut search = Search::new(&mut self.table, salt, control, limits, history);
                let found = search.judge_all(&chess::Board::new(chess.clone()), depth);
                Judged::new(found, search.nodes, |m| chess_line(position, &[m]))
            }
            Position::Gmo(gmo) if gmo.promotions().is_empty() => {
                let army = self.workshop.equip(gmo);
                let mut search = Search::new(&mut self.table, army.salt, control, limits, history);
                let found = search.judge_all(&gmo::Board::new(gmo, &army), depth);
                Judged::new(found, search.nodes, |m| gmo_line(position, &[m], &army))
            }
            _ => Judged::default(),
        }
    }

    /// Defender's phase one.
    fn place(
        &mut self,
        question: &Question<'_>,
        control: Control<'_>,
        placing: &Placing,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        let mut search = Search::new(&mut self.table, 0, control, question.limits, &[]);
        let trials = placing::trials(placing, &question.limits);
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
        translate: impl Fn(&[W::Move]) -> Vec<Action>,
        tell: &mut dyn FnMut(&Line),
    ) -> Option<Best> {
        let Limits { depth, enough, .. } = question.limits;
        let mut search =
            Search::new(&mut self.table, salt, control, question.limits, question.history);
        let is_enough = || enough.is_some_and(|enough| (control.elapsed)() >= enough);
        let mut report = |progress: Progress<'_, W::Move>| {
            let pv = translate(&progress.found.line);
            tell(&line(&progress, pv));
        };
        let lines = usize::from(question.lines.clamp(1, MOST_LINES));
        let Found { moves, depth } = search.deepen(world, lines, depth, &is_enough, &mut report);
        let best = moves.first()?;
        let pv = translate(&best.line);
        let score = Score::from_value(best.value);
        Some(Best { action: *pv.first()?, score, pv, depth, nodes: search.nodes })
    }
}

/// Every move with its value, best first, and the positions looked at.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) moves: Vec<(Action, Value)>,
    pub(super) nodes: u64,
}

impl Judged {
    fn new<M: Copy>(
        found: Vec<RootMove<M>>,
        nodes: u64,
        translate: impl Fn(M) -> Vec<Action>,
    ) -> Judged {
        let first = |m: M| translate(m).first().copied();
        let judged =
            found.into_iter().filter_map(|found| Some((first(found.line[0])?, found.value)));
        Judged { moves: judged.collect(), nodes }
    }
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
