//! Conditional moves: "if he plays this, I play that", as lines that begin with the other's move.
//!
//! Lines stay as they were entered and are compared with the record, so executing one needs no second write: a crash
//! between the other's move and the answer changes nothing, the answer is found again.

use std::collections::HashMap;

use rules::{Action, Color, Game, Position, Variant};
use serde::{Deserialize, Serialize};
use store::Conditional;
use utoipa::ToSchema;

/// Lines a player may have in a game.
const MOST_LINES: usize = 50;
/// Moves of a line.
const LONGEST: usize = 40;

/// Why lines cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A live game has premoves instead, and GMO has chance.
    #[error("this game has no conditional moves")]
    NotHere,
    /// There is nothing to wait for.
    #[error("it is your move: make it first")]
    YourTurn,
    /// Too much of a good thing.
    #[error("at most {MOST_LINES} lines of at most {LONGEST} moves")]
    TooMany,
    /// A line ends with the other's move.
    #[error("every line ends with a move of your own")]
    NoReply,
    /// A move that the rules do not allow where it stands.
    #[error("{0} cannot be played in this line")]
    Illegal(String),
    /// Two answers to the same moves.
    #[error("there are two answers to {0}")]
    TwoReplies(String),
}

impl PlanError {
    /// The reason for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            PlanError::NotHere => "no_conditional_moves",
            PlanError::YourTurn => "your_turn",
            PlanError::TooMany => "too_many_lines",
            PlanError::NoReply => "no_reply",
            PlanError::Illegal(_) => "illegal_line",
            PlanError::TwoReplies(_) => "two_replies",
        }
    }
}

/// A move of a line, with what a page needs to show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineMove {
    /// As engines write it.
    pub uci: String,
    /// As people write it.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

/// Conditional moves as their author sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlanView {
    /// The game's ply, at which the lines begin.
    pub ply: u32,
    /// Whether lines can be entered now.
    pub can_plan: bool,
    /// The lines that can still happen.
    pub lines: Vec<Vec<LineMove>>,
    /// The answer that waits, as people write it: with the move came the offer of a draw, and nobody but oneself
    /// declines that one. When it is declined, the answer is made.
    pub waits: Option<String>,
}

/// A position that a line leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsideredLine {
    /// The moves of the line.
    pub moves: Vec<LineMove>,
    /// The position after them.
    pub fen: String,
    /// Legal moves in groups by origin.
    pub dests: String,
    /// The square of a king in check.
    pub check: Option<String>,
    /// Who would be to act.
    pub to_act: Color,
}

/// Whether a game can have conditional moves at all.
pub(super) fn is_possible(game: &Game) -> bool {
    !game.setup().time.is_live() && game.setup().variant != Variant::Gmo && game.outcome().is_none()
}

/// Checks lines against the position in which the other side is to move.
pub(super) fn check(
    game: &Game,
    side: Color,
    lines: &[Vec<String>],
) -> Result<Conditional, PlanError> {
    if !is_possible(game) {
        return Err(PlanError::NotHere);
    }
    if game.to_act() == Some(side) && !lines.is_empty() {
        return Err(PlanError::YourTurn);
    }
    if lines.len() > MOST_LINES || lines.iter().any(|line| line.len() > LONGEST) {
        return Err(PlanError::TooMany);
    }
    let mut replies: HashMap<Vec<String>, String> = HashMap::new();
    let mut kept: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let moves = walk(game.position(), line)?;
        let texts: Vec<String> = moves.into_iter().map(|it| it.uci).collect();
        if texts.is_empty() || !texts.len().is_multiple_of(2) {
            return Err(PlanError::NoReply);
        }
        for place in (1..texts.len()).step_by(2) {
            let before = texts[..place].to_vec();
            let told = before.join(" ");
            let reply = replies.entry(before).or_insert_with(|| texts[place].clone());
            if *reply != texts[place] {
                return Err(PlanError::TwoReplies(told));
            }
        }
        kept.retain(|other| !texts.starts_with(other));
        if !kept.iter().any(|other| other.starts_with(&texts)) {
            kept.push(texts);
        }
    }
    Ok(Conditional { ply: game.ply(), lines: kept })
}

/// The moves of a line from a position on; sides must alternate, as they do in chess.
fn walk(position: &Position, line: &[String]) -> Result<Vec<LineMove>, PlanError> {
    walk_to(position, line).map(|(moves, _)| moves)
}

fn walk_to(position: &Position, line: &[String]) -> Result<(Vec<LineMove>, Position), PlanError> {
    let mut position = position.clone();
    let mut moves = Vec::with_capacity(line.len());
    for text in line {
        let illegal = || PlanError::Illegal(text.chars().take(8).collect());
        let side = position.side_to_act();
        let read = position.read_action(text).map_err(|_| illegal())?;
        let action = position.resolve(read).map_err(|_| illegal())?;
        let san = position.san(action).unwrap_or_else(|| action.to_string());
        position.play(action).map_err(|_| illegal())?;
        if position.side_to_act() == side {
            return Err(illegal());
        }
        moves.push(LineMove { uci: action.to_string(), san, fen: position.fen() });
    }
    Ok((moves, position))
}

/// What can be played after a line from the game's position on.
pub(super) fn look_ahead(game: &Game, line: &[String]) -> Result<ConsideredLine, PlanError> {
    if !is_possible(game) {
        return Err(PlanError::NotHere);
    }
    if line.len() > LONGEST {
        return Err(PlanError::TooMany);
    }
    let (moves, position) = walk_to(game.position(), line)?;
    let over = position.outcome().is_some();
    Ok(ConsideredLine {
        fen: position.fen(),
        dests: if over { String::new() } else { super::render::dests_of(&position) },
        check: position.check_square().map(|square| square.to_string()),
        to_act: position.side_to_act(),
        moves,
    })
}

/// What is left of the lines after what was played since.
fn rest<'a>(
    plan: &'a Conditional,
    actions: &'a [Action],
) -> impl Iterator<Item = &'a [String]> + 'a {
    let played: Option<Vec<String>> = actions
        .get(plan.ply.index()..)
        .map(|actions| actions.iter().map(ToString::to_string).collect());
    plan.lines.iter().filter_map(move |line| {
        let played = played.as_ref()?;
        line.strip_prefix(played.as_slice()).filter(|rest| !rest.is_empty())
    })
}

/// Whether a side has to say itself what it thinks of a draw, before anything is answered for it.
pub(super) fn is_asked(game: &Game, side: Color) -> bool {
    game.offers().draw == Some(side.other())
}

/// The answer to the move that was just made, if the game has followed a line to it.
pub(super) fn reply<'a>(plan: &'a Conditional, actions: &'a [Action]) -> Option<&'a str> {
    let since = actions.len().checked_sub(plan.ply.index())?;
    if since.is_multiple_of(2) {
        return None;
    }
    rest(plan, actions).find_map(|rest| rest.first()).map(String::as_str)
}

/// The lines that can still happen, as their author sees them.
pub(super) fn view(game: &Game, side: Color, plan: Option<&Conditional>) -> PlanView {
    let can_plan = is_possible(game) && game.to_act() == Some(side.other());
    let lines = plan.filter(|_| can_plan).into_iter().flat_map(|plan| {
        rest(plan, game.actions()).filter_map(|line| walk(game.position(), line).ok())
    });
    let waits = plan.filter(|_| is_possible(game) && is_asked(game, side)).and_then(|plan| {
        let answer = reply(plan, game.actions())?.to_owned();
        walk(game.position(), &[answer]).ok()?.pop().map(|answer| answer.san)
    });
    PlanView { ply: game.ply().0, can_plan, lines: lines.collect(), waits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Act, Actor, Command, RuleSet, Setup, TimeControl, UnixMillis};

    fn game(moves: &str) -> Game {
        let setup = Setup::standard(TimeControl::days(3), RuleSet::online());
        let mut game = Game::new(setup, UnixMillis(0)).unwrap();
        for action in moves.split_whitespace() {
            let act = Act::Play { ply: game.ply(), action: action.into() };
            let by = Actor::Player(game.to_act().unwrap());
            for event in game.decide(&Command::new(by, UnixMillis(1), act)).unwrap() {
                game.apply(&event).unwrap();
            }
        }
        game
    }

    fn lines(text: &[&str]) -> Vec<Vec<String>> {
        text.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn lines_that_make_no_sense_are_refused() {
        let check = |moves: &str, text: &[&str], code: &str| {
            let error = check(&game(moves), Color::White, &lines(text)).unwrap_err();
            assert_eq!(error.code(), code, "{text:?}");
        };
        check("", &["e7e5 g1f3"], "your_turn");
        check("e2e4", &["e7e5"], "no_reply");
        check("e2e4", &["e7e5 e4e5"], "illegal_line");
        check("e2e4", &["xx yy"], "illegal_line");
        check("e2e4", &["e7e5 g1f3", "e5 Nc3"], "two_replies");
        check("e2e4", &["e7e5 g1f3 b8c6 f1b5", "e7e5 f1c4"], "two_replies");
    }

    #[test]
    fn a_line_answers_as_long_as_the_game_follows_it() {
        let plan = check(
            &game("e2e4"),
            Color::White,
            &lines(&["e7e5 g1f3 b8c6 f1b5", "e5 Nf3 Nf6 Nc3", "c5 c3", "e7e5 g1f3"]),
        )
        .unwrap();
        assert_eq!(plan.lines.len(), 3, "what is part of another line is not kept twice");
        let answer = |moves: &str, expected: Option<&str>| {
            assert_eq!(reply(&plan, game(moves).actions()), expected, "{moves}");
        };
        answer("e2e4", None);
        answer("e2e4 e7e5", Some("g1f3"));
        answer("e2e4 e7e5 g1f3", None);
        answer("e2e4 e7e5 g1f3 b8c6", Some("f1b5"));
        answer("e2e4 e7e5 g1f3 g8f6", Some("b1c3"));
        answer("e2e4 e7e5 g1f3 d7d6", None);
        answer("e2e4 c7c5", Some("c2c3"));
        answer("e2e4 e7e6", None);
        answer("d2d4", None);
        answer("", None);
    }

    #[test]
    fn its_author_sees_what_can_still_happen() {
        let plan =
            check(&game("e2e4"), Color::White, &lines(&["e5 Nf3 Nc6 Bb5", "c5 c3"])).unwrap();
        let shown = view(&game("e2e4 e7e5 g1f3"), Color::White, Some(&plan));
        let sans: Vec<_> = shown.lines[0].iter().map(|it| it.san.as_str()).collect();
        assert_eq!((shown.lines.len(), sans), (1, vec!["Nc6", "Bb5"]));
        assert!(view(&game("e2e4 e7e6"), Color::White, Some(&plan)).lines.is_empty());
    }
}
