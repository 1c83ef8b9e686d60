//! The explorer: what was played in a position, by whom, and how it went.

use library::position::hash_of;
use library::{MoveFound, Tally};
use ratings::rating_difference;
use rules::Position;
use rules::opening;
use rules::shakmaty::{CastlingMode, Chess, Position as _};
use store::AccountId;

use super::query::LibraryQuery;
use super::wire::{ExplorerMove, ExplorerStep, ExplorerView, Results};
use super::{Library, LibraryError};
use crate::games::render::board_moves;

impl Library {
    /// What the games of a scope did in a position, or after a move in it.
    pub(crate) async fn explore(
        &self,
        asked: &LibraryQuery,
        play: Option<&str>,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<ExplorerView, LibraryError> {
        let mut position = position_of(asked.fen.as_deref())?;
        let before = position.clone();
        let played = play.map(|text| play_move(&mut position, text)).transpose()?;
        self.check_fair(asker, &[before, position.clone()]).await?;
        let chess = position.as_chess().ok_or(LibraryError::BadMove)?.clone();
        let (view, filter, _) = self.question(asked, asker, is_member).await?;
        // Asked before the games: what becomes ready meanwhile was not looked at.
        let is_ready = self.is_ready();
        let sought = chess.clone();
        let explored = self.ask(move |index| index.explore(&sought, &view, &filter)).await?;
        let named = opening::number_of(hash_of(&chess)).and_then(opening::by_number);
        Ok(ExplorerView {
            fen: position.fen(),
            dests: board_moves(&position),
            check: position.check_square().map(|square| square.to_string()),
            played,
            eco: named.map(|(eco, _)| eco.to_owned()),
            opening: named.map(|(_, name)| name.to_owned()),
            total: Results::from(&explored.total),
            moves: explored
                .moves
                .iter()
                .filter_map(|found| move_view(&position, &chess, found))
                .collect(),
            ended: explored.ended.games,
            is_ready,
        })
    }
}

/// The position of a FEN, of standard chess or Chess960; the usual start without one.
pub(super) fn position_of(fen: Option<&str>) -> Result<Position, LibraryError> {
    let Some(fen) = fen.filter(|fen| !fen.is_empty()) else { return Ok(Position::standard()) };
    let bad = |error: rules::PositionTextError| LibraryError::BadPosition(error.to_string());
    Position::from_fen_to_study(fen).map_err(bad)
}

fn play_move(position: &mut Position, text: &str) -> Result<ExplorerStep, LibraryError> {
    let illegal = |_| LibraryError::BadMove;
    let action = position.read_action(text).map_err(illegal)?;
    let san = position.san(action).ok_or(LibraryError::BadMove)?;
    let done = position.play(action).map_err(illegal)?;
    Ok(ExplorerStep { uci: done.action.to_string(), san })
}

fn move_view(position: &Position, chess: &Chess, found: &MoveFound) -> Option<ExplorerMove> {
    let played = found.played.on(chess)?;
    let mode = if chess.castles().mode() == CastlingMode::Chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let uci = played.to_uci(mode).to_string();
    let san = position.san(uci.parse().ok()?)?;
    let performance = performance(&found.tally, chess.turn().is_white());
    Some(ExplorerMove { uci, san, results: Results::from(&found.tally), performance })
}

/// The mean rating of the opponents, moved by the score as the table of FIDE says: both of the games in which the
/// ratings are known, since a score against somebody unknown says nothing.
fn performance(tally: &Tally, is_white: bool) -> Option<i32> {
    let opponents = if is_white { tally.black_elo } else { tally.white_elo };
    let mean = i64::try_from(opponents).ok()?.checked_div(i64::from(tally.rated))?;
    let most = 2 * u64::from(tally.rated_ended);
    let white = u64::from(tally.rated_half_points);
    let half_points = if is_white { white } else { most - white };
    let percent = (100 * half_points).checked_div(most)?;
    let difference = rating_difference(u8::try_from(percent).unwrap_or(100));
    i32::try_from(mean).ok()?.checked_add(difference)
}

#[cfg(test)]
mod tests {
    use rules::pgn::GameResult;

    use super::*;

    #[test]
    fn a_performance_is_that_of_the_games_with_ratings() {
        let mut tally = Tally::default();
        assert_eq!(performance(&tally, true), None);
        tally.add(GameResult::Draw, [2_000, 2_200], 0);
        tally.add(GameResult::Draw, [2_000, 2_200], 0);
        let known = (performance(&tally, true), performance(&tally, false));
        assert_eq!(known, (Some(2_200), Some(2_000)));
        for _ in 0..10 {
            tally.add(GameResult::WhiteWins, [0, 2_200], 0);
        }
        assert_eq!((performance(&tally, true), performance(&tally, false)), known);
        tally.add(GameResult::Unknown, [2_000, 2_200], 0);
        assert_eq!((performance(&tally, true), performance(&tally, false)), known);
    }
}
