//! What holds for every system, every standing and every game, hostile ones included.

use proptest::prelude::*;
use ratings::{Context, Ledger, Moment, Played, Score, Standing, System, rate};

const SCORES: [Score; 3] = [Score::WhiteWins, Score::Draw, Score::BlackWins];

fn system() -> impl Strategy<Value = System> {
    prop::sample::select(System::PRESETS.to_vec()).prop_map(|name| name.parse().expect("a preset"))
}

fn score() -> impl Strategy<Value = Score> {
    prop::sample::select(SCORES.to_vec())
}

/// A standing somebody may really have.
fn sane() -> impl Strategy<Value = Standing> {
    let moment = prop::option::of((0_i64..2_000_000_000_000).prop_map(Moment));
    (1400.0..2900.0, 45.0..500.0, 0.03..0.1, 0_u32..100, 0.0..200.0, moment).prop_map(
        |(rating, deviation, volatility, games, above, last_game)| Standing {
            rating,
            deviation,
            volatility,
            games,
            peak: rating + above,
            last_game,
        },
    )
}

/// Any number at all: infinite, none, subnormal, negative.
fn hostile() -> impl Strategy<Value = Standing> {
    let number = || {
        prop_oneof![
            any::<f64>(),
            prop::num::f64::ANY,
            prop::sample::select(vec![
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                f64::MIN,
                f64::MIN_POSITIVE,
                0.0,
                -0.0,
                1500.0,
            ]),
        ]
    };
    let moment = prop::option::of(any::<i64>().prop_map(Moment));
    (number(), number(), number(), any::<u32>(), number(), moment).prop_map(
        |(rating, deviation, volatility, games, peak, last_game)| Standing {
            rating,
            deviation,
            volatility,
            games,
            peak,
            last_game,
        },
    )
}

fn context() -> impl Strategy<Value = Context> {
    let year = || prop::option::of(any::<i32>());
    (any::<i64>(), year(), year()).prop_map(|(at, white_born, black_born)| Context {
        at: Moment(at),
        white_born,
        black_born,
    })
}

fn usable(system: &System, one: &Standing) -> bool {
    let finite =
        [one.rating, one.deviation, one.volatility, one.peak].iter().all(|n| n.is_finite());
    let bounded = match system {
        System::Glicko2(it) => {
            one.rating >= it.floor
                && (it.least_deviation..=it.most_deviation).contains(&one.deviation)
                && one.volatility > 0.0
                && one.volatility <= it.most_volatility
        }
        System::Elo(it) => one.rating >= it.floor,
    };
    finite && bounded && one.peak >= one.rating
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_hostile_gives_a_number_that_is_none(
        system in system(), white in hostile(), black in hostile(), score in score(), context in context(),
    ) {
        let (white, black) = rate(&system, &white, &black, score, &context);
        prop_assert!(usable(&system, &white), "{white:?}");
        prop_assert!(usable(&system, &black), "{black:?}");
        system.is_provisional(&white, context.at);
        system.is_ranked(&black, context.at);
    }

    #[test]
    fn colours_make_no_difference(
        system in system(), white in sane(), black in sane(), score in score(), context in context(),
    ) {
        let (one, other) = rate(&system, &white, &black, score, &context);
        let exchanged = Context { white_born: context.black_born, black_born: context.white_born, ..context };
        let (other_again, one_again) = rate(&system, &black, &white, score.mirrored(), &exchanged);
        prop_assert_eq!((one, other), (one_again, other_again));
    }

    #[test]
    fn a_better_result_never_gives_a_lower_rating(
        system in system(), white in sane(), black in sane(), context in context(),
    ) {
        let [won, drawn, lost] = SCORES.map(|score| rate(&system, &white, &black, score, &context).0.rating);
        prop_assert!(won >= drawn && drawn >= lost);
        prop_assert!(won >= white.rating && lost <= white.rating);
    }

    #[test]
    fn in_elo_a_stronger_opponent_never_makes_a_result_worth_less(
        name in prop::sample::select(vec!["elo-club", "elo-fide", "elo-poly"]),
        white in sane(), black in sane(), more in 0.0..500.0, score in score(), context in context(),
    ) {
        let system: System = name.parse().unwrap();
        let stronger = Standing { rating: black.rating + more, peak: black.peak + more, ..black };
        let (against_weaker, _) = rate(&system, &white, &black, score, &context);
        let (against_stronger, _) = rate(&system, &white, &stronger, score, &context);
        prop_assert!(against_stronger.rating >= against_weaker.rating - 1e-9);
    }

    #[test]
    fn one_game_changes_at_most_700_in_glicko_and_k_in_elo(
        system in system(), white in sane(), black in sane(), score in score(), context in context(),
    ) {
        let (after, _) = rate(&system, &white, &black, score, &context);
        let most = if matches!(system, System::Elo(_)) { 40.0 } else { 700.0 };
        prop_assert!((after.rating - white.rating).abs() <= most + 1e-9);
    }

    #[test]
    fn elo_between_players_of_one_k_takes_what_it_gives(
        white in 1600.0..2200.0, black in 1600.0..2200.0, score in score(),
    ) {
        let system: System = "elo-club".parse().unwrap();
        let player = |rating| Standing { games: 50, ..system.newcomer(Some(rating)) };
        let (one, other) = rate(&system, &player(white), &player(black), score, &Context::default());
        prop_assert!((one.rating + other.rating - white - black).abs() < 1e-9);
    }

    #[test]
    fn recomputing_gives_the_same_numbers_from_wherever_one_begins(
        system in system(),
        games in prop::collection::vec((0_u8..6, 0_u8..5, score(), 0_i64..9_000_000_000), 1..60),
        cut in any::<prop::sample::Index>(),
    ) {
        let games: Vec<Played<u8>> = games
            .into_iter()
            .scan(0, |clock, (white, other, score, later)| {
                *clock += later;
                let black = if other >= white { other + 1 } else { other };
                Some(Played { white, black, score, context: Context { at: Moment(*clock), ..Context::default() } })
            })
            .collect();
        let mut first = Ledger::new(system);
        let changes: Vec<_> = games.iter().map(|game| first.play(game)).collect();

        let mut again = Ledger::new(system);
        let changes_again: Vec<_> = games.iter().map(|game| again.play(game)).collect();
        prop_assert_eq!(&changes, &changes_again);

        // From the middle: each player's standing is the `before` of his first game from there on.
        let cut = cut.index(games.len());
        let mut tail = Ledger::new(system);
        for (game, (white, black)) in games.iter().zip(&changes).skip(cut).rev() {
            tail.enter(game.white, white.before);
            tail.enter(game.black, black.before);
        }
        for (game, change) in games.iter().zip(&changes).skip(cut) {
            prop_assert_eq!(&tail.play(game), change);
        }
        for (player, standing) in tail.standings() {
            prop_assert_eq!(standing, &first.standing(player));
        }
    }

    #[test]
    fn standings_survive_being_written(standing in sane()) {
        let json = serde_json::to_string(&standing).unwrap();
        prop_assert_eq!(serde_json::from_str::<Standing>(&json).unwrap(), standing);
    }
}

#[test]
fn an_annulled_game_leaves_no_trace() {
    let game = |white, black, score| Played { white, black, score, context: Context::default() };
    let with =
        [game(1, 2, Score::WhiteWins), game(3, 1, Score::Draw), game(2, 3, Score::BlackWins)];
    let mut full = Ledger::new(System::default());
    let changes: Vec<_> = with.iter().map(|one| full.play(one)).collect();

    let mut never = Ledger::new(System::default());
    never.play(&with[0]);
    never.play(&with[2]);

    let mut annulled = Ledger::new(System::default());
    annulled.enter(3, changes[1].0.before);
    annulled.enter(1, changes[1].1.before);
    annulled.enter(2, changes[2].0.before);
    annulled.play(&with[2]);
    assert_eq!(annulled.standings(), never.standings());
    assert_ne!(full.standings(), never.standings());
}
