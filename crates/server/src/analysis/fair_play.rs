//! Fair play: nobody gets help with a position of a rated game they are playing.
//!
//! Every door to an engine, to a hint, to a report or to an analysis asks [`FairPlay`] first, bots included, and nothing
//! else decides it.

use std::collections::HashSet;

use rules::{Position, Variant};
use store::{AccountId, GameId};

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

    /// Whether somebody plays a rated game now, so that it is worth looking at what they ask for.
    pub async fn is_at_stake(&self, account: Option<AccountId>) -> bool {
        match account {
            Some(account) => !self.0.rated_standings_of(account).await.is_empty(),
            None => false,
        }
    }

    /// Whether somebody may ask about the last of these positions, to which the others have led.
    ///
    /// Refused is what stands on the board of a running rated game of theirs, what one move makes of it, and lines that
    /// go on from it. Who is to move, castling, the counters, and a board seen in a mirror do not matter: they are
    /// easily bent.
    pub async fn may_ask(
        &self,
        account: Option<AccountId>,
        variant: Variant,
        line: &[Position],
    ) -> Result<(), AnalysisError> {
        self.check(account, |game| is_helped(game, variant, line)).await
    }

    /// Whether somebody may read notes on all of these positions: a tree of variations.
    pub async fn may_read(
        &self,
        account: Option<AccountId>,
        variant: Variant,
        positions: &[Position],
    ) -> Result<(), AnalysisError> {
        self.check(account, |game| {
            is_helped(game, variant, positions)
                || (game.ply >= OWN_GAME_FROM && is_judged(game, variant, positions))
        })
        .await
    }

    /// Whether somebody may see what an engine says of all of these positions: the report of a game.
    ///
    /// Another game that went the same way is as good as an analysis, so the first moves count too.
    pub async fn may_see_judged(
        &self,
        account: Option<AccountId>,
        variant: Variant,
        positions: &[Position],
    ) -> Result<(), AnalysisError> {
        self.check(account, |game| is_judged(game, variant, positions)).await
    }

    /// Whether an engine may answer somebody in a game that began with the first of these positions.
    ///
    /// A game from a position that was set up is an analysis as soon as it meets a rated one; of others the first moves
    /// are everybody's.
    pub async fn may_be_answered(
        &self,
        account: AccountId,
        game: GameId,
        variant: Variant,
        line: &[Position],
        is_set_up: bool,
    ) -> Result<(), AnalysisError> {
        self.check(Some(account), |other| {
            other.game != game
                && (is_set_up || other.ply >= OWN_GAME_FROM)
                && is_helped(other, variant, line)
        })
        .await
    }

    async fn check(
        &self,
        account: Option<AccountId>,
        is_help: impl Fn(&Standing) -> bool,
    ) -> Result<(), AnalysisError> {
        let Some(account) = account else { return Ok(()) };
        let standing = self.0.rated_standings_of(account).await;
        if standing.iter().any(is_help) {
            return Err(AnalysisError::FairPlay);
        }
        Ok(())
    }
}

fn is_helped(game: &Standing, variant: Variant, line: &[Position]) -> bool {
    let Some((asked, before)) = line.split_last() else { return false };
    if !is_same_kind(game, variant, asked) {
        return false;
    }
    let on_board = placement(&game.position);
    let asked = placement(asked);
    if asked == on_board {
        return true;
    }
    if game.ply >= OWN_GAME_FROM && before.iter().any(|position| placement(position) == on_board) {
        return true;
    }
    // In the first moves everybody's games look alike: one move from the start is any opening.
    game.ply > 0 && next_placements(game).any(|after| after == asked)
}

/// Whether the position on the board is among these, or, in a game that is its own, what one move makes of it.
fn is_judged(game: &Standing, variant: Variant, positions: &[Position]) -> bool {
    let kin = positions.iter().filter(|position| is_same_kind(game, variant, position));
    let among: HashSet<String> = kin.map(placement).collect();
    let is_next =
        || game.ply >= OWN_GAME_FROM && next_placements(game).any(|it| among.contains(&it));
    game.ply > 0 && (among.contains(&placement(&game.position)) || is_next())
}

/// Whether the same placement is the same position. The battle of Defender is chess: a copy of it is the same position.
fn is_same_kind(game: &Standing, variant: Variant, asked: &Position) -> bool {
    let kin = |variant: Variant| if variant.is_chess() { Variant::Standard } else { variant };
    kin(game.variant) == kin(variant)
        || (game.position.as_chess().is_some() && asked.as_chess().is_some())
}

/// What stands on the board after each move that may be made now.
fn next_placements(game: &Standing) -> impl Iterator<Item = String> {
    game.position.actions().into_iter().filter_map(|action| {
        let mut after = game.position.clone();
        after.play(action).is_ok().then(|| placement(&after))
    })
}

/// What stands where, as text. Boards that are mirrors of each other, or differ in the colours alone, have the same.
fn placement(position: &Position) -> String {
    let fen = position.fen();
    let field = usize::from(position.as_gmo().is_some());
    let text = fen.split(' ').nth(field).unwrap_or_default();
    if position.as_chess().is_none() {
        return text.to_owned();
    }
    let other_side = |text: &str| -> String {
        let rows: Vec<&str> = text.split('/').rev().collect();
        rows.join("/").chars().map(other_case).collect()
    };
    let other_wing = |text: &str| -> String {
        let rows: Vec<String> = text.split('/').map(|row| row.chars().rev().collect()).collect();
        rows.join("/")
    };
    let (turned, wing) = (other_side(text), other_wing(text));
    let both = other_wing(&turned);
    [text.to_owned(), turned, wing, both].into_iter().min().unwrap_or_default()
}

fn other_case(letter: char) -> char {
    if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    }
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

    fn standing(game: &str) -> Standing {
        let played = line(game);
        Standing {
            game: GameId::from_bits(1),
            variant: Variant::Standard,
            ply: u32::try_from(played.len() - 1).unwrap(),
            position: played.last().unwrap().clone(),
        }
    }

    fn check(game: &str, asked: &[Position], expected: bool) {
        let standing = standing(game);
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

    #[test]
    fn a_mirror_shows_the_same_position() {
        let check_fen = |fen: &str, expected| {
            check(RUY, &[Position::from_fen(fen).unwrap()], expected);
        };
        check_fen("r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w - - 0 1", true);
        // The colours changed.
        check_fen("rnbqk2r/pppp1ppp/5n2/b3p3/4P3/P1N2N2/1PPP1PPP/R1BQKB1R b - - 0 1", true);
        // The wings changed.
        check_fen("r1bkqb1r/ppp1ppp1/2n2n1p/3p4/3P3B/2N5/PPP1PPPP/R2KQBNR w - - 0 1", true);
        // Another one.
        check_fen("r1bkqb1r/ppp1ppp1/2n2n1p/3p4/3P3B/2N5/PPP1PP1P/R2KQBNR w - - 0 1", false);
    }

    #[test]
    fn a_report_of_another_game_that_went_the_same_way_is_an_analysis() {
        let check = |game: &str, reported: &str, expected: bool| {
            let found = is_judged(&standing(game), Variant::Standard, &line(reported));
            assert_eq!(found, expected, "{game}: {reported}");
        };
        let longer = format!("{RUY} O-O Be7 Re1 b5 Bb3 d6");
        check(RUY, &longer, true);
        check(RUY, RUY, true);
        check("e4 e5", &longer, true);
        check("", &longer, false);
        check(RUY, "e4 e5 Nf3 Nc6 Bc4 Bc5", false);
    }
}
