//! The terms of a game: from what was asked for to what can be played, and whether it can count.

use rules::{ByColor, Game, Millis, Setup, TimeControl, UnixMillis, Variant};

use super::error::LobbyError;
use crate::games::house::{muster, online_rules};

/// Friends may talk before they begin: their game waits this long for each side's first move.
const FRIENDS_FIRST_MOVE: Millis = Millis(300_000);
/// Points a side of ChessDefender may have between two players.
const MOST_POINTS: u32 = 60;

/// A game as somebody wishes it, checked.
pub(crate) fn setup(
    variant: Variant,
    time: TimeControl,
    start: Option<&str>,
    are_friends: bool,
) -> Result<Setup, LobbyError> {
    let mut rules = online_rules(&time);
    if are_friends {
        rules.first_move = Some(FRIENDS_FIRST_MOVE);
    }
    if variant == Variant::Gmo {
        rules.muster = muster(&time);
    }
    let start = start.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    if variant == Variant::Defender && start.as_deref().is_some_and(has_too_many_points) {
        return Err(LobbyError::Start(format!("at most {MOST_POINTS} points a side")));
    }
    let setup = Setup { variant, start, time, rules, ..Setup::default() };
    Game::new(setup.clone(), UnixMillis(0))
        .map_err(|error| LobbyError::Start(error.to_string()))?;
    Ok(setup)
}

/// Whether a side could buy more than two players are to buy. What cannot be read is judged by the rules.
fn has_too_many_points(start: &str) -> bool {
    let sides = start.split_whitespace().nth(6).unwrap_or_default().split('/');
    sides.filter_map(|points| points.parse::<u32>().ok()).any(|points| points > MOST_POINTS)
}

/// Refuses to rate what says little about strength.
pub(crate) fn check_rateable(setup: &Setup) -> Result<(), LobbyError> {
    let is_equal = match &setup.time {
        TimeControl::Unlimited => false,
        TimeControl::Days(_) => true,
        TimeControl::Live(ByColor { white, black }) => white.is_some() && white == black,
    };
    let is_fair = is_equal && setup.start.is_none() && !setup.engines;
    if is_fair { Ok(()) } else { Err(LobbyError::NotRateable) }
}

#[cfg(test)]
mod tests {
    use rules::GmoOptions;
    use rules::defender::RATED_START;
    use rules::gmo::HouseRules;

    use super::*;
    use crate::games::house::draw;
    use crate::world::Chance;

    fn fischer(seconds: i64, increment: i64) -> TimeControl {
        TimeControl::fischer(Millis::seconds(seconds), Millis::seconds(increment))
    }

    #[test]
    fn every_lot_of_chess960_can_be_played_and_counts() {
        let chance = Chance::from_seed(1);
        let wished = setup(Variant::Chess960, fischer(60, 0), None, false).unwrap();
        assert!(check_rateable(&wished).is_ok());
        for _ in 0..50 {
            let drawn = draw(wished.clone(), true, &chance);
            assert!(drawn.start.is_some());
            Game::new(drawn, UnixMillis(0)).unwrap();
        }
    }

    #[test]
    fn rated_games_of_the_variants_begin_with_fair_terms() {
        let chance = Chance::from_seed(1);
        let drawn = |variant, is_rated| {
            draw(setup(variant, fischer(60, 0), None, false).unwrap(), is_rated, &chance)
        };
        assert_eq!(drawn(Variant::Defender, false).start, None);
        assert_eq!(drawn(Variant::Defender, true).start.as_deref(), Some(RATED_START));
        assert_eq!(drawn(Variant::Gmo, false).gmo, GmoOptions::default());
        assert_eq!(HouseRules::from(drawn(Variant::Gmo, true).gmo), HouseRules::RATED);
        assert!(drawn(Variant::Gmo, true).seed.is_some());
    }

    #[test]
    fn both_sides_of_a_game_of_defender_have_at_most_sixty_points() {
        let with = |points: &str| {
            let start = format!("8/8/8/8/8/8/8/8 w - - 0 1 {points}");
            setup(Variant::Defender, fischer(60, 0), Some(&start), true)
        };
        assert!(with("60/1").is_ok() && with("20/22").is_ok());
        for bad in ["61/20", "20/99"] {
            assert!(matches!(with(bad), Err(LobbyError::Start(_))), "{bad}");
        }
    }

    #[test]
    fn a_start_that_nobody_can_play_is_refused() {
        for bad in ["x", "8/8/8/8/8/8/8/8 w - - 0 1", "k7/8/8/8/8/8/8/7K w - - 0 1"] {
            let refused = setup(Variant::Standard, fischer(60, 0), Some(bad), true);
            assert!(matches!(refused, Err(LobbyError::Start(_))), "{bad}");
        }
    }
}
