//! A line of moves played out: where it leads, and what a board needs to show it.

use rules::opening::name_of;
use rules::pgn::{Board, Game as Sheet};
use rules::shakmaty::Position as _;
use rules::{Action, Fate, Game, Ply, Position, Setup, Variant};
use store::Sight;

use super::AnalysisError;
use super::wire::{OpeningView, PositionQuestion, PositionView};
use crate::games::Games;
use crate::games::render::board_moves;
use crate::games::wire::MoveView;

/// Moves that a line may have, those of its game included.
pub(super) const MOST_MOVES: usize = 1_000;

/// A line that was played out.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) variant: Variant,
    /// The first position, and the one after each move.
    pub(crate) positions: Vec<Position>,
    pub(crate) actions: Vec<Action>,
    sans: Vec<String>,
    /// Whether it begins where games of standard chess do.
    is_usual: bool,
}

impl Line {
    /// Plays a line out from what was asked.
    pub(crate) async fn play(
        games: &Games,
        sight: Sight,
        question: &PositionQuestion,
    ) -> Result<Line, AnalysisError> {
        let mut line = match question.game {
            Some(id) => Line::of_game(&games.opened(id, sight).await?, question.ply.map(Ply))?,
            None => Line::begin(question.variant, question.start.as_deref())?,
        };
        for (text, number) in question.moves.iter().zip(1..) {
            if line.actions.len() >= MOST_MOVES {
                return Err(AnalysisError::TooLong(MOST_MOVES));
            }
            line.step(text).map_err(|why| AnalysisError::Move {
                number,
                text: short(text),
                why,
            })?;
        }
        Ok(line)
    }

    /// A line without moves. Chess from a position that only Chess960 knows is Chess960.
    pub(crate) fn begin(variant: Variant, start: Option<&str>) -> Result<Line, AnalysisError> {
        let is_usual = variant == Variant::Standard && start.is_none_or(is_usual_start);
        let position = if let (true, Some(fen)) = (variant.is_chess(), start) {
            study(variant, fen)
                .map_err(|error| AnalysisError::from(rules::SetupError::from(error)))?
        } else {
            let setup = Setup { variant, start: start.map(str::to_owned), ..Setup::default() };
            setup.position()?.0
        };
        let variant = if is_chess960(&position) { Variant::Chess960 } else { variant };
        if matches!(position, Position::Muster(_)) {
            return Err(AnalysisError::Start("name a position with both armies".to_owned()));
        }
        Ok(Line { variant, positions: vec![position], actions: vec![], sans: vec![], is_usual })
    }

    /// The moves of a game, up to a ply.
    pub(crate) fn of_game(game: &Game, until: Option<Ply>) -> Result<Line, AnalysisError> {
        let setup = game.setup();
        let until = until.unwrap_or_else(|| game.ply()).index().min(game.actions().len());
        let (begun, passes) = setup.position()?;
        let first = game.position_at(Ply(0)).unwrap_or(begun);
        if matches!(first, Position::Muster(_)) {
            return Err(AnalysisError::Start("the game has not begun".to_owned()));
        }
        let mut line = Line {
            variant: setup.variant,
            positions: vec![first],
            actions: Vec::with_capacity(until),
            sans: Vec::with_capacity(until),
            is_usual: setup.variant == Variant::Standard
                && setup.start.as_deref().is_none_or(is_usual_start),
        };
        let mut passes = u32::from(passes);
        for (action, ply) in game.actions().iter().take(until).zip(0..) {
            let mut position = line.last().clone();
            line.sans.push(position.san(*action).unwrap_or_else(|| action.to_string()));
            // The position has already made the passes that came by themselves.
            if passes > 0 {
                passes -= 1;
            } else {
                let fate = game.fate_at(Ply(ply)).unwrap_or(&Fate::NONE);
                let done = position.play_fated(*action, fate);
                passes =
                    u32::from(done.map_err(|error| AnalysisError::Tree(error.to_string()))?.passes);
            }
            line.actions.push(*action);
            line.positions.push(position);
        }
        Ok(line)
    }

    /// The moves of a sheet of PGN, as far as they are chess.
    pub(crate) fn of_sheet(sheet: &Sheet) -> Result<Line, AnalysisError> {
        let unreadable = || AnalysisError::Start("it begins with no position of chess".to_owned());
        let mut board = sheet.start().map_err(|_| unreadable())?;
        if !matches!(board, Board::Chess(_)) {
            return Err(unreadable());
        }
        let mode = board.castling_mode();
        let variant = if mode.is_chess960() { Variant::Chess960 } else { Variant::Standard };
        let mut line = Line::begin(variant, Some(&board.fen()))?;
        for step in sheet.steps().take(MOST_MOVES) {
            let text = step.action(mode).to_string();
            if !board.play_step(step) || line.step(&text).is_err() {
                break;
            }
        }
        Ok(line)
    }

    /// Whether it begins where games of standard chess do.
    pub(crate) fn begins_as_usual(&self) -> bool {
        self.is_usual
    }

    /// A move of it as people write it.
    pub(crate) fn san(&self, index: usize) -> &str {
        self.sans.get(index).map_or("", String::as_str)
    }

    fn step(&mut self, text: &str) -> Result<(), rules::Illegal> {
        let mut position = self.last().clone();
        let action = position.resolve(position.read_action(text)?)?;
        let san = position.san(action).unwrap_or_else(|| action.to_string());
        position.play(action)?;
        self.sans.push(san);
        self.actions.push(action);
        self.positions.push(position);
        Ok(())
    }

    /// The position where it ends.
    pub(crate) fn last(&self) -> &Position {
        self.positions.last().expect("a line has its first position")
    }

    /// The opening, as far as it has a name.
    pub(crate) fn opening(&self) -> Option<OpeningView> {
        let opening = self.is_usual.then(|| name_of(&self.actions)).flatten()?;
        Some(OpeningView {
            eco: opening.eco.to_owned(),
            name: opening.name.to_owned(),
            ply: u32::try_from(opening.ply).unwrap_or(u32::MAX),
        })
    }

    /// As the outside sees it.
    pub(crate) fn view(&self) -> PositionView {
        let last = self.last();
        let outcome = last.outcome();
        let steps = self.positions.windows(2);
        let moves = self.actions.iter().zip(&self.sans).zip(steps).zip(1..);
        PositionView {
            variant: self.variant,
            start_fen: self.positions[0].fen(),
            start_dests: board_moves(&self.positions[0]),
            moves: moves
                .map(|(((action, san), step), ply)| MoveView {
                    ply,
                    by: step[0].side_to_act(),
                    uci: action.to_string(),
                    san: san.clone(),
                    fen: step[1].fen(),
                    check: check(&step[1]),
                    left_ms: None,
                })
                .collect(),
            fen: last.fen(),
            to_act: last.side_to_act(),
            dests: if outcome.is_some() { String::new() } else { board_moves(last) },
            check: check(last),
            outcome,
            opening: self.opening(),
        }
    }
}

/// A position of standard chess or Chess960 that is only looked at.
pub(super) fn study(variant: Variant, fen: &str) -> Result<Position, rules::PositionTextError> {
    match variant {
        Variant::Chess960 => Position::from_fen_to_study_chess960(fen),
        _ => Position::from_fen_to_study(fen),
    }
}

fn is_chess960(position: &Position) -> bool {
    let is_shuffled = |chess: &rules::shakmaty::Chess| chess.castles().mode().is_chess960();
    matches!(position, Position::Chess(chess) if is_shuffled(chess))
}

/// The square of a king in check.
pub(super) fn check(position: &Position) -> Option<String> {
    position.check_square().map(|square| square.to_string())
}

/// What somebody sent, cut to what fits into a sentence.
fn short(text: &str) -> String {
    text.chars().take(20).collect()
}

fn is_usual_start(fen: &str) -> bool {
    Position::from_fen(fen).is_ok_and(|position| position == Position::standard())
}
