//! GMO chess: what a pawn becomes that has arrived.

use rules::shakmaty::Square;
use rules::{Action, Color, Position};

use super::gmo::{self, Army};
use super::limits::Control;
use super::question::{Best, Line, MOST_LINES, Question};
use super::score::{INFINITE, Score, Value};
use super::search::Search;
use super::searcher::Searcher;

/// How far a promotion is thought through; what a piece is worth is known beforehand.
const DEEPEST: u8 = 4;

impl Searcher {
    /// Tries every genome at hand.
    pub(super) fn promote(
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
        let deepest = question.limits.depth.unwrap_or(DEEPEST).min(DEEPEST);
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
