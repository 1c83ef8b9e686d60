//! The engine as an opponent of some level: it misjudges and blunders as its seed has it.

use rules::defender::Defender;
use rules::{Action, Position};

use super::level::{Handicap, Level};
use super::limits::{Control, Limits};
use super::question::{Best, Question};
use super::random::Random;
use super::score::{DECIDED, Score, Value};
use super::searcher::{Judged, Searcher};

/// So many moves at the start are varied even by the strongest, or it would play one game for ever.
const VARIED_PLIES: usize = 12;
/// What variety may cost, in centipawns.
const VARIETY: i32 = 18;

impl Searcher {
    /// Finds a move of this strength. The same question with the same seed gets the same answer, as long as no time
    /// limits it.
    ///
    /// The limits of the question hold besides those of the level. What was known of positions is forgotten first: it
    /// would let a weak level see as far as whoever asked before.
    pub fn play(
        &mut self,
        level: Level,
        question: &Question<'_>,
        seed: u64,
        control: Control<'_>,
    ) -> Option<Best> {
        let handicap = level.handicap();
        let question = Question { limits: tighter(question.limits, handicap), seed, ..*question };
        let mut random = Random::new(seed, question.position.hash());
        if question.position.outcome().is_some() {
            return None;
        }
        self.forget();
        if random.happens(handicap.blunders) {
            return blunder(question.position, &mut random);
        }
        if handicap.noise > 0
            && let Some(best) = self.misjudge(&question, handicap, &mut random, control)
        {
            return Some(best);
        }
        let is_placing = matches!(question.position, Position::Defender(Defender::Placing(_)));
        if question.history.len() < VARIED_PLIES && !is_placing {
            return self.vary(&question, &mut random, control);
        }
        self.search(&question, control, &mut |_| ())
    }

    /// The best move of judgements that are off by chance; a decided game is still seen.
    ///
    /// `None` where moves are not judged one by one: while pieces are being placed or promoted.
    fn misjudge(
        &mut self,
        question: &Question<'_>,
        handicap: Handicap,
        random: &mut Random,
        control: Control<'_>,
    ) -> Option<Best> {
        let depth = handicap.depth.unwrap_or(1).min(question.limits.depth.unwrap_or(u8::MAX));
        let Judged { moves, nodes } = self.judge(question, depth, control);
        let misjudged = moves.into_iter().map(|(action, value)| {
            let error = random.bell() * handicap.noise / 256;
            let seen: Value = if value.abs() < DECIDED { value + error } else { value };
            (seen, value, action)
        });
        let (_, value, action) =
            misjudged.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        Some(Best { action, score: Score::from_value(value), pv: vec![action], depth, nodes })
    }

    /// One of the moves that are nearly as good as the best.
    fn vary(
        &mut self,
        question: &Question<'_>,
        random: &mut Random,
        control: Control<'_>,
    ) -> Option<Best> {
        let mut lines = Vec::new();
        let question = Question { lines: 3, ..*question };
        let best = self.search(&question, control, &mut |line| lines.push(line.clone()))?;
        let Score::Centipawns(top) = best.score else { return Some(best) };
        lines.retain(|line| {
            let near = |value| value >= top - VARIETY;
            line.depth == best.depth
                && matches!(line.score, Score::Centipawns(value) if near(value))
        });
        let Some(line) = lines.get(random.below(lines.len())) else { return Some(best) };
        let Some(&action) = line.pv.first() else { return Some(best) };
        Some(Best { action, score: line.score, pv: line.pv.clone(), ..best })
    }
}

/// A move without a thought.
fn blunder(position: &Position, random: &mut Random) -> Option<Best> {
    let actions = position.actions();
    // To stop buying is no blunder but the end of the game.
    let sane: Vec<Action> = actions.into_iter().filter(|&action| action != Action::Pass).collect();
    let action = *sane.get(random.below(sane.len()))?;
    let score = Score::Centipawns(0);
    Some(Best { action, score, pv: vec![action], depth: 0, nodes: 0 })
}

fn tighter(limits: Limits, handicap: Handicap) -> Limits {
    let depth = limits.depth.into_iter().chain(handicap.depth).min();
    let nodes = Some(limits.nodes.map_or(handicap.nodes, |nodes| nodes.min(handicap.nodes)));
    Limits { depth, nodes, ..limits }
}
