//! The house's customs: which pool a game belongs to, when it counts, how long an absent player is waited for.

use std::time::Duration;

use ratings::{Conditions, Pool, Score, Speed, Venue, check_eligible};
use rules::clock::SideTime;
use rules::defender::RATED_START;
use rules::gmo::{HouseRules, Seed};
use rules::position::chess960_start;
use rules::{
    ByColor, Color, DrawsBy, GmoOptions, Millis, Outcome, Position, RuleSet, Setup, TimeControl,
    Variant,
};
use store::{Account, AccountKind};

use crate::world::Chance;

/// The shortest and the longest wait for somebody who has left.
const LEAST_GRACE: Millis = Millis(15_000);
const MOST_GRACE: Millis = Millis(120_000);

/// How long a live game waits for the armies of GMO: to choose one takes longer than a first move.
const MUSTER: Millis = Millis(900_000);

/// How long a game of GMO waits for its armies: in a game of days as long as for a move, without a clock for ever.
pub fn muster(time: &TimeControl) -> Option<Millis> {
    match time {
        TimeControl::Unlimited => None,
        TimeControl::Days(days) => Some(days.bank.map_or(days.per_move, |bank| bank.start)),
        TimeControl::Live(_) => Some(MUSTER),
    }
}

/// The rules of an online game with this time: the longer the game, the longer an absent player is waited for. Where
/// the sides have different times the longer one decides; the flag of the shorter one falls soon enough.
pub fn online_rules(time: &TimeControl) -> RuleSet {
    if !time.is_live() {
        return slow_rules();
    }
    let grace =
        Color::ALL.into_iter().filter_map(|side| estimated(time, side)).max().map(|whole| {
            let tenth = i64::try_from(whole.as_millis() / 10).unwrap_or(i64::MAX);
            Millis(tenth.clamp(LEAST_GRACE.0, MOST_GRACE.0))
        });
    RuleSet { abandonment: grace, ..RuleSet::online() }
}

/// The rules of a game of days, or without a clock: draws are claimed as in correspondence, nobody has to be there, and
/// seconds are no present.
fn slow_rules() -> RuleSet {
    RuleSet {
        draws: DrawsBy::Claim,
        first_move: None,
        abandonment: None,
        give_time: false,
        ..RuleSet::online()
    }
}

/// How fast a game is; none without a clock.
pub fn speed(time: &TimeControl) -> Option<Speed> {
    match time {
        TimeControl::Unlimited => None,
        TimeControl::Days(_) => Some(Speed::Correspondence),
        TimeControl::Live(sides) => {
            let side = sides.white.as_ref().or(sides.black.as_ref())?;
            let (base, increment) = base_and_increment(side);
            Some(Speed::of_clock(base, increment))
        }
    }
}

/// How long a game takes about for one of its players; none without a clock or with one of days.
pub(crate) fn estimated(time: &TimeControl, side: Color) -> Option<Duration> {
    let TimeControl::Live(sides) = time else { return None };
    let (base, increment) = base_and_increment(sides[side].as_ref()?);
    Some(Speed::estimated(base, increment))
}

/// All stages count as given at once; the first stage's bonus stands for all.
fn base_and_increment(side: &SideTime) -> (Duration, Duration) {
    let span = |millis: i64| Duration::from_millis(u64::try_from(millis).unwrap_or(0));
    let base = side.stages.iter().map(|stage| stage.time.0).sum();
    let increment = side.stages.first().map_or(0, |stage| stage.bonus.span().0);
    (span(base), span(increment))
}

/// The pool a game belongs to.
pub fn pool(setup: &Setup) -> Option<Pool> {
    pool_of(setup.variant, &setup.time)
}

/// The pool of a variant with this time; none without a clock.
pub fn pool_of(variant: Variant, time: &TimeControl) -> Option<Pool> {
    Pool::new(Venue::default(), variant_name(variant), speed(time)?).ok()
}

/// A variant as pools and addresses write it.
pub fn variant_name(variant: Variant) -> &'static str {
    match variant {
        Variant::Standard => "standard",
        Variant::Chess960 => "chess960",
        Variant::Defender => "defender",
        Variant::Gmo => "gmo",
    }
}

/// What is drawn by lot when a game begins: the first position of Chess960, the chance in GMO.
///
/// And what a rated game begins with: budgets that make up for the first move, and armies that cannot win with it.
pub fn draw(mut setup: Setup, is_rated: bool, chance: &Chance) -> Setup {
    match setup.variant {
        Variant::Defender if is_rated && setup.start.is_none() => {
            setup.start = Some(RATED_START.to_owned());
        }
        Variant::Chess960 if setup.start.is_none() => {
            let number = u16::try_from(chance.bits() % 960).unwrap_or(518);
            setup.start = chess960_start(number).map(|chess| Position::Chess(chess).fen());
        }
        Variant::Gmo => {
            setup.seed = Some(Seed(chance.bytes()));
            if is_rated {
                let reveal = setup.gmo.reveal;
                setup.gmo = GmoOptions { reveal, ..HouseRules::RATED.into() };
            }
        }
        _ => {}
    }
    setup
}

/// Whether the first position is somebody's choice: not one drawn by lot, nor the budgets that rated games begin with.
fn is_odds(setup: &Setup) -> bool {
    match (setup.variant, setup.start.as_deref()) {
        (_, None) | (Variant::Chess960, _) => false,
        (Variant::Defender, Some(start)) => start != RATED_START,
        (Variant::Standard | Variant::Gmo, Some(_)) => true,
    }
}

/// Whether both sides have the same time.
fn has_equal_clocks(setup: &Setup) -> bool {
    match &setup.time {
        TimeControl::Unlimited => false,
        TimeControl::Days(_) => true,
        TimeControl::Live(ByColor { white, black }) => white == black,
    }
}

/// Whether a game like this says something about strength, whoever plays it.
pub fn is_fair(setup: &Setup) -> bool {
    has_equal_clocks(setup) && !is_odds(setup)
}

/// Whether a game between these two can count at all.
pub fn may_be_rated(setup: &Setup, players: &ByColor<Account>, includes_bots: bool) -> bool {
    let signed_up = [Color::White, Color::Black]
        .into_iter()
        .all(|side| players[side].kind == AccountKind::Player);
    let conditions = Conditions {
        is_rated: true,
        is_aborted: false,
        has_bot: Color::ALL.iter().any(|side| players[*side].is_bot()),
        is_unequal: !has_equal_clocks(setup),
        is_odds: is_odds(setup),
    };
    signed_up && check_eligible(&conditions, includes_bots).is_ok()
}

/// What an outcome counts; nothing if the game was aborted.
pub fn score(outcome: &Outcome) -> Option<Score> {
    match outcome {
        Outcome::Win { winner: Color::White, .. } => Some(Score::WhiteWins),
        Outcome::Win { winner: Color::Black, .. } => Some(Score::BlackWins),
        Outcome::Draw { .. } => Some(Score::Draw),
        Outcome::Aborted { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(minutes: i64, increment: i64, pool_name: &str, grace: i64) {
        let time = TimeControl::fischer(Millis::minutes(minutes), Millis::seconds(increment));
        assert_eq!(online_rules(&time).abandonment, Some(Millis(grace)), "{minutes}+{increment}");
        let setup = Setup::standard(time, RuleSet::online());
        assert_eq!(pool(&setup).unwrap().to_string(), pool_name);
    }

    #[test]
    fn the_clock_decides_the_pool_and_the_patience() {
        check(1, 0, "standard/bullet", 15_000);
        check(3, 2, "standard/blitz", 26_000);
        check(10, 5, "standard/rapid", 80_000);
        check(90, 30, "standard/classical", 120_000);
    }

    #[test]
    fn of_two_different_times_the_longer_one_decides_how_long_somebody_is_waited_for() {
        let TimeControl::Live(short) = TimeControl::fischer(Millis::minutes(1), Millis(0)) else {
            unreachable!()
        };
        let TimeControl::Live(long) = TimeControl::fischer(Millis::minutes(10), Millis(0)) else {
            unreachable!()
        };
        let (short, long) = (short.white, long.white);
        for (white, black) in [(short.clone(), long.clone()), (long, short)] {
            let time = TimeControl::Live(ByColor { white, black });
            assert_eq!(online_rules(&time).abandonment, Some(Millis(60_000)), "{time:?}");
        }
    }

    #[test]
    fn a_game_without_a_clock_belongs_to_no_pool() {
        assert_eq!(pool(&Setup::standard(TimeControl::Unlimited, RuleSet::online())), None);
    }

    #[test]
    fn only_equal_games_between_members_count() {
        let account = |kind| Account {
            id: store::AccountId::from_bits(1),
            kind,
            name: "somebody".to_owned(),
        };
        let members = ByColor::same(account(AccountKind::Player));
        let guest =
            ByColor { white: account(AccountKind::Player), black: account(AccountKind::Guest) };
        let time = TimeControl::fischer(Millis::minutes(5), Millis::seconds(0));
        let fair = Setup::standard(time.clone(), RuleSet::online());
        assert!(may_be_rated(&fair, &members, false));
        assert!(!may_be_rated(&fair, &guest, false));
        let bot = Account { id: store::AccountId::of_bot(3), ..account(AccountKind::Player) };
        let machine = ByColor { white: account(AccountKind::Player), black: bot };
        assert!(!may_be_rated(&fair, &machine, false) && may_be_rated(&fair, &machine, true));
        let odds =
            Setup { start: Some("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1".to_owned()), ..fair.clone() };
        assert!(!may_be_rated(&odds, &members, false));
        let TimeControl::Live(sides) = time else { unreachable!() };
        let unequal = TimeControl::Live(ByColor { black: None, ..sides });
        assert!(!may_be_rated(&Setup { time: unequal, ..fair }, &members, false));
    }
}
