//! From evaluations to a report: pure, given the game and what an engine said of its positions.

use engine::report::{
    Division, Eval, Judgement, Phase, average_centipawn_loss, game_accuracy, judge, move_accuracy,
};
use rules::clock::{Bonus, SideTime, Stage};
use rules::pgn::{Game as Sheet, Node};
use rules::{
    Action, ByColor, Color, Game, Millis, Outcome, Ply, Position, TimeControl, UnixMillis, Variant,
};

use super::super::lines::{EvalView, sans};
use super::super::{AnalysisError, Line};
use super::wire::{GameReport, JudgementView, MoveReport, PhaseReport, SideReport};

/// What a report is made of: the moves, where it begins, and the time each move took.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) line: Line,
    /// Plies before the first one that is looked at.
    pub(super) first: usize,
    spent: Vec<Option<i64>>,
}

impl Subject {
    /// A finished game of this club. None if it has nothing to look at.
    pub(super) fn of_game(game: &Game) -> Result<Option<Subject>, AnalysisError> {
        let Some(first) = first_ply(game) else { return Ok(None) };
        let line = Line::of_game(game, None)?;
        let spent = times(game, &line);
        Ok(Some(Subject { line, first, spent }))
    }

    /// The same for a game of days, when each of its moves was made.
    pub(super) fn with_moments(
        mut self,
        game: &Game,
        began: UnixMillis,
        moments: &[UnixMillis],
    ) -> Subject {
        if self.spent.is_empty() {
            self.spent = days_between(game, began, moments);
        }
        self
    }

    /// A game out of a file or from elsewhere.
    pub(super) fn of_sheet(sheet: &Sheet) -> Result<Subject, AnalysisError> {
        let line = Line::of_sheet(sheet)?;
        let spent = times_of(sheet);
        Ok(Subject { line, first: 0, spent })
    }

    /// How many moves there are to look at.
    pub(super) fn moves(&self) -> usize {
        self.line.actions.len() - self.first
    }
}

/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) score: EvalView,
    /// What the engine would play.
    pub(super) best: Vec<Action>,
}

/// How many plies come before the first one that is looked at: the placing of Defender is not. None if that is all.
pub(super) fn first_ply(game: &Game) -> Option<usize> {
    match game.setup().variant {
        Variant::Defender => game.battle_began().map(Ply::index),
        _ => Some(0),
    }
}

/// The score of a position in which the game is over.
pub(super) fn decided(position: &Position) -> Option<EvalView> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Win { winner, .. } => EvalView::Won(winner),
        Outcome::Draw { .. } | Outcome::Aborted { .. } => EvalView::Cp(0),
    })
}

/// Puts the report together. `known` holds one entry for each position from the first that was looked at.
pub(super) fn write(subject: &Subject, known: &[Known], engine: String, nodes: u64) -> GameReport {
    let Subject { line, first, spent } = subject;
    let first = *first;
    let positions = &line.positions[first..];
    let mut evals: Vec<Eval> = known.iter().map(|known| Eval::from(known.score)).collect();
    if line.begins_as_usual()
        && let Some(start) = evals.first_mut()
    {
        *start = Eval::START;
    }
    let turns = turns(positions);
    let division = divide(positions);
    let moves: Vec<MoveReport> = (1..positions.len())
        .map(|index| {
            let mover = positions[index - 1].side_to_act();
            let turn = turns.iter().find(|turn| turn.last == index);
            let before = turn.map_or(evals[index - 1], |turn| evals[turn.first]);
            let judgement = turn.and_then(|_| judge(before, evals[index], mover));
            // What was played cannot have been better than itself.
            let best = &known[index - 1].best;
            let is_best = best.first() == line.actions.get(first + index - 1);
            let judgement = judgement.filter(|_| !is_best);
            let better = if judgement.is_some() { best.as_slice() } else { &[] };
            let (b, a) = (before.win_percent(mover), evals[index].win_percent(mover));
            MoveReport {
                ply: count(first + index),
                san: line.san(first + index - 1).to_owned(),
                score: evals[index].into(),
                win: rounded(evals[index].win_percent(Color::White).0),
                accuracy: rounded(if is_best { 100.0 } else { move_accuracy(b, a) }),
                judgement: judgement.map(JudgementView::from),
                phase: division.phase(ply(index - 1)).into(),
                spent_ms: spent.get(first + index - 1).copied().flatten(),
                better_uci: better.iter().map(ToString::to_string).collect(),
                better_san: sans(&positions[index - 1], better),
            }
        })
        .collect();
    let of_turns: Vec<Eval> =
        std::iter::once(evals[0]).chain(turns.iter().map(|turn| evals[turn.last])).collect();
    let first_side = positions[0].side_to_act();
    let accuracies = game_accuracy(&of_turns, first_side);
    let losses = average_centipawn_loss(&of_turns, first_side);
    let side = |color: Color| {
        let own = moves.iter().zip(positions).zip(0..);
        let own = own.filter(|((_, before), _)| before.side_to_act() == color);
        let own: Vec<(&MoveReport, Phase)> =
            own.map(|((entry, _), index)| (entry, division.phase(Ply(index)))).collect();
        side_report(&own, accuracies[color], losses[color])
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    GameReport {
        engine,
        nodes,
        opening: line.opening(),
        middlegame: division.middlegame.map(|ply| ply.0 + count(first)),
        endgame: division.endgame.map(|ply| ply.0 + count(first)),
        start: evals[0].into(),
        start_win: rounded(evals[0].win_percent(Color::White).0),
        moves,
        white,
        black,
    }
}

fn side_report(
    own: &[(&MoveReport, Phase)],
    accuracy: Option<f64>,
    acpl: Option<u32>,
) -> SideReport {
    let judged = |wanted: Judgement| {
        count(own.iter().filter(|(it, _)| it.judgement == Some(wanted.into())).count())
    };
    let part = |phase: Phase| {
        let moves: Vec<&MoveReport> =
            own.iter().filter(|(_, of)| *of == phase).map(|(entry, _)| *entry).collect();
        PhaseReport {
            moves: count(moves.len()),
            accuracy: mean(moves.iter().map(|entry| entry.accuracy)),
            spent_ms: sum(moves.iter().map(|entry| entry.spent_ms)),
        }
    };
    SideReport {
        accuracy: accuracy.map(rounded),
        acpl,
        inaccuracies: judged(Judgement::Inaccuracy),
        mistakes: judged(Judgement::Mistake),
        blunders: judged(Judgement::Blunder),
        spent_ms: sum(own.iter().map(|(entry, _)| entry.spent_ms)),
        opening: part(Phase::Opening),
        middlegame: part(Phase::Middlegame),
        endgame: part(Phase::Endgame),
    }
}

/// What one side does before the other acts: nearly always a single move, in GMO chess perhaps a promotion with it.
struct Turn {
    /// The position it began in.
    first: usize,
    /// The position it led to.
    last: usize,
}

fn turns(positions: &[Position]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::with_capacity(positions.len());
    for index in 1..positions.len() {
        let is_same =
            index > 1 && positions[index - 1].side_to_act() == positions[index - 2].side_to_act();
        match turns.last_mut() {
            Some(turn) if is_same => turn.last = index,
            _ => turns.push(Turn { first: index - 1, last: index }),
        }
    }
    turns
}

/// Where the phases begin, counted from the first position; a phase once left does not come back.
fn divide(positions: &[Position]) -> Division {
    let mut division = Division::default();
    for (position, index) in positions.iter().zip(0..) {
        let phase = Phase::of_position(position);
        if phase >= Phase::Middlegame {
            division.middlegame.get_or_insert(Ply(index));
        }
        if phase == Phase::Endgame {
            division.endgame.get_or_insert(Ply(index));
        }
    }
    division
}

/// The time each move took, as far as the clock tells: what a delay spared is not counted.
fn times(game: &Game, line: &Line) -> Vec<Option<i64>> {
    let time = &game.setup().time;
    if !time.is_live() {
        return Vec::new();
    }
    let mut left = ByColor::new_with(|side| time.initial(side).map(|time| time.0));
    let mut made = ByColor::same(0);
    let acts = line.actions.iter().zip(movers(line));
    let entry = |(after, (action, side)): (&Millis, (&Action, Color))| {
        let is_move = !matches!(action, Action::Promote { .. });
        let gained = time.gained(side, made[side], is_move);
        made[side] += u32::from(is_move);
        let before = left[side].replace(after.0)?;
        Some((before + gained.0 - after.0).max(0))
    };
    game.clock_history().iter().zip(acts).map(entry).collect()
}

/// The time from each move to the next by the calendar, for games of days: their clocks begin anew with every move.
fn days_between(game: &Game, began: UnixMillis, moments: &[UnixMillis]) -> Vec<Option<i64>> {
    if !matches!(game.setup().time, TimeControl::Days(_)) {
        return Vec::new();
    }
    let before = std::iter::once(&began).chain(moments);
    let spans = moments.iter().zip(before).map(|(at, before)| at.since(*before).0.max(0));
    spans.map(Some).collect()
}

/// The same for a sheet of PGN, as far as its clocks tell. What a move added to the clock is told by its time control.
fn times_of(sheet: &Sheet) -> Vec<Option<i64>> {
    let control = sheet.tags.get("TimeControl").and_then(read_control);
    let control = control.unwrap_or(TimeControl::Unlimited);
    let mut left = ByColor::new_with(|side| control.initial(side).map(|time| time.0));
    let entry = |(node, index): (&Node, u32)| {
        // Both have the same clock: whoever begins stands for White.
        let side = if index % 2 == 0 { Color::White } else { Color::Black };
        let after = node.notes().clock.map(|clock| clock.0);
        let before = std::mem::replace(&mut left[side], after);
        let gained = control.gained(side, index / 2, true).0;
        Some((before?.saturating_add(gained).saturating_sub(after?)).max(0))
    };
    sheet.line.nodes.iter().zip(0..).map(entry).collect()
}

/// A clock as PGN writes it: `180+2`, `40/5400+30:1800+30`. None for what is no clock for a whole game.
fn read_control(text: &str) -> Option<TimeControl> {
    let stages: Option<Vec<Stage>> = text.split(':').map(read_stage).collect();
    let control = TimeControl::Live(ByColor::same(Some(SideTime { stages: stages? })));
    control.check().is_ok().then_some(control)
}

fn read_stage(text: &str) -> Option<Stage> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
        None => (None, text),
    };
    let (time, bonus) = rest.split_once('+').unwrap_or((rest, "0"));
    let seconds = |text: &str| text.parse::<i64>().ok()?.checked_mul(1_000).map(Millis);
    Some(Stage { moves, time: seconds(time)?, bonus: Bonus::Fischer(seconds(bonus)?) })
}

/// Who made each entry of the record. Sides alternate, but for the promotions of GMO chess.
fn movers(line: &Line) -> Vec<Color> {
    let entries = line.actions.len();
    if line.variant == Variant::Gmo {
        return line.positions.iter().take(entries).map(Position::side_to_act).collect();
    }
    let end = line.last().side_to_act();
    let of = |index: usize| if (entries - index).is_multiple_of(2) { end } else { end.other() };
    (0..entries).map(of).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then(|| rounded(sum / count))
}

fn sum(times: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    times.flatten().fold(None, |sum, time| Some(sum.unwrap_or(0) + time))
}

/// To one digit after the point: more would pretend.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn ply(index: usize) -> Ply {
    Ply(count(index))
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use rules::pgn::{Item, Limits, read_games};
    use rules::{Act, Actor, Command, RuleSet, Setup};

    use super::*;

    const LINE: [&str; 6] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];

    /// The times of a game whose moves are made at these seconds.
    fn spent(time: TimeControl, at: [i64; 6]) -> Vec<Option<i64>> {
        let began = UnixMillis(1_000_000);
        let mut game = Game::new(Setup::standard(time, RuleSet::online()), began).unwrap();
        let mut moments = Vec::new();
        for (text, seconds) in LINE.into_iter().zip(at) {
            let at = UnixMillis(began.0 + seconds * 1_000);
            let act = Act::Play { ply: game.ply(), action: text.to_owned() };
            let side = game.to_act().unwrap();
            let events = game.decide(&Command::new(Actor::Player(side), at, act)).unwrap();
            for event in &events {
                game.apply(event).unwrap();
            }
            moments.push(at);
        }
        let subject = Subject::of_game(&game).unwrap().unwrap();
        subject.with_moments(&game, began, &moments).spent
    }

    fn seconds(list: [i64; 6]) -> Vec<Option<i64>> {
        list.map(|seconds| Some(seconds * 1_000)).to_vec()
    }

    #[test]
    fn the_time_that_a_stage_adds_is_not_taken_for_time_that_was_not_spent() {
        let stage = |moves, time, bonus| Stage { moves, time: Millis::seconds(time), bonus };
        let increment = Bonus::Fischer(Millis::seconds(3));
        let stages = vec![stage(Some(2), 60, Bonus::None), stage(None, 30, increment)];
        let time = TimeControl::Live(ByColor::same(Some(SideTime { stages })));
        // The clocks begin with the second move of each.
        assert_eq!(spent(time, [0, 0, 10, 17, 22, 31]), seconds([0, 0, 10, 7, 5, 9]));
    }

    #[test]
    fn games_of_days_take_the_time_from_move_to_move() {
        const DAY: i64 = 86_400;
        let at = [60, DAY, DAY + 120, 2 * DAY, 4 * DAY, 4 * DAY + 5];
        let expected = seconds([60, DAY - 60, 120, DAY - 120, 2 * DAY, 5]);
        assert_eq!(spent(TimeControl::days(3), at), expected);
        assert_eq!(spent(TimeControl::Unlimited, at), []);
    }

    #[test]
    fn the_stages_of_a_sheet_are_read() {
        let check = |control: &str, expected: [Option<i64>; 6]| {
            let text = format!(
                "[TimeControl \"{control}\"]\n\n1. e4 {{[%clk 0:00:50]}} e5 {{[%clk 0:00:55]}} \
                 2. Nf3 {{[%clk 0:01:10]}} Nc6 {{[%clk 0:01:20]}} 3. Bb5 {{[%clk 0:01:08]}} a6 {{[%clk 0:01:20]}} *"
            );
            let items = read_games(text.as_bytes(), Limits::default());
            let Some(Item::Game(read)) = items.first() else { panic!("{items:?}") };
            let found = times_of(&read.game);
            let expected = expected.map(|seconds| seconds.map(|seconds| seconds * 1_000));
            assert_eq!(found, expected, "{control}");
        };
        check("2/60:30+3", [Some(10), Some(5), Some(10), Some(5), Some(5), Some(3)]);
        check("60+0", [Some(10), Some(5), Some(0), Some(0), Some(2), Some(0)]);
        check("?", [None, None, Some(0), Some(0), Some(2), Some(0)]);
    }
}
