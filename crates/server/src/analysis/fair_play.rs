//! Fair play: nobody gets help with a position of a rated game they are playing.
//!
//! Every door to an engine, to a hint or to an analysis asks [`FairPlay::may_ask`] first, and nothing else decides it.

use rules::{Position, Variant};
use store::AccountId;

use super::AnalysisError;
use crate::games::{Games, Standing};

/// A line that goes through the position on the board belongs to that game once the game is this old. Before, every
/// study of an opening would go through it.
const OWN_GAME_FROM: u32 = 8;

/// Who may be helped with what. Cheap to clone.
#[derive(Clone)]
pub struct FairPlay(Games);

impl FairPlay {
    /// Looks at the running games.
    pub fn new(games: Games) -> FairPlay {
        FairPlay(games)
    }

    /// Whether somebody may ask about the last of these positions, to which the others have led.
    ///
    /// Refused is what stands on the board of a running rated game of theirs, what one move makes of it, and lines that
    /// go on from it. Who is to move, castling and the counters do not matter: they are easily bent.
    pub async fn may_ask(
        &self,
        account: Option<AccountId>,
        variant: Variant,
        line: &[Position],
    ) -> Result<(), AnalysisError> {
        let Some(account) = account else { return Ok(()) };
        let standing = self.0.rated_standings_of(account).await;
        if standing.iter().any(|game| is_helped(game, variant, line)) {
            return Err(AnalysisError::FairPlay);
        }
        Ok(())
    }
}

fn is_helped(game: &Standing, variant: Variant, line: &[Position]) -> bool {
    let kin = |variant: Variant| if variant.is_chess() { Variant::Standard } else { variant };
    // The battle of Defender is chess: a copy of its position is the same position.
    let is_same_kind = kin(game.variant) == kin(variant)
        || (game.position.as_chess().is_some()
            && line.last().is_some_and(|it| it.as_chess().is_some()));
    let Some((asked, before)) = line.split_last().filter(|_| is_same_kind) else { return false };
    let on_board = placement(&game.position);
    let asked = placement(asked);
    if asked == on_board {
        return true;
    }
    if game.ply >= OWN_GAME_FROM && before.iter().any(|position| placement(position) == on_board) {
        return true;
    }
    // In the first moves everybody's games look alike: one move from the start is any opening.
    game.ply > 0
        && game.position.actions().into_iter().any(|action| {
            let mut after = game.position.clone();
            after.play(action).is_ok() && placement(&after) == asked
        })
}

/// What stands where, as text.
fn placement(position: &Position) -> String {
    let fen = position.fen();
    let field = usize::from(position.as_gmo().is_some());
    fen.split(' ').nth(field).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions of a line of standard chess.
    fn line(moves: &str) -> Vec<Position> {
        let mut positions = vec![Position::standard()];
        for text in moves.split_whitespace() {
            let mut next = positions.last().unwrap().clone();
            next.play(next.read_action(text).unwrap()).unwrap();
            positions.push(next);
        }
        positions
    }

    fn check(game: &str, asked: &[Position], expected: bool) {
        let played = line(game);
        let standing = Standing {
            variant: Variant::Standard,
            ply: u32::try_from(played.len() - 1).unwrap(),
            position: played.last().unwrap().clone(),
        };
        let last = asked.last().unwrap().fen();
        assert_eq!(is_helped(&standing, Variant::Standard, asked), expected, "{game}: {last}");
    }

    const RUY: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6";

    #[test]
    fn the_position_on_the_board_is_not_analysed_however_it_is_asked_for() {
        check(RUY, &line(RUY), true);
        check(RUY, &line("Nf3 Nc6 e4 e5 Bb5 a6 Ba4 Nf6"), true);
        let position = line(RUY).pop().unwrap();
        let passed = position.passed().unwrap();
        check(RUY, &[passed], true);
        let bent = position.fen().replace("KQkq", "-").replace("2 5", "40 60");
        check(RUY, &[Position::from_fen(&bent).unwrap()], true);
    }

    #[test]
    fn nor_is_what_one_move_makes_of_it_or_what_comes_later() {
        check(RUY, &line(&format!("{RUY} O-O")), true);
        check(RUY, &line(&format!("{RUY} O-O Be7 Re1 b5")), true);
        let after = line(&format!("{RUY} d4")).pop().unwrap();
        check(RUY, &[after], true);
    }

    #[test]
    fn other_positions_are() {
        check(RUY, &line("e4 e5 Nf3 Nc6 Bc4"), false);
        check(RUY, &line("d4 d5 c4"), false);
        check(RUY, &line("e4 e5 Nf3 Nc6 Bb5 a6 Ba4"), false);
    }

    #[test]
    fn a_game_that_has_just_begun_does_not_close_every_opening() {
        check("", &line(""), true);
        check("", &line("e4"), false);
        check("e4", &line("e4"), true);
        check("e4", &line("e4 e5"), true);
        check("e4", &line("e4 e5 Nf3 Nc6"), false);
    }
}
