//! Pools, presets, configuration, titles and which games count.

use std::time::Duration;

use ratings::{
    BadPool, Conditions, Elo, Glicko2, Pool, PoolRules, Pools, Speed, System, TitleClass,
    TitleClasses, Unrated, Venue, check_eligible,
};

#[test]
fn the_speed_follows_from_base_and_forty_increments() {
    fn check(base: u64, increment: u64, expected: Speed) {
        let seconds = Duration::from_secs;
        assert_eq!(
            Speed::of_clock(seconds(base), seconds(increment)),
            expected,
            "{base}+{increment}"
        );
    }
    check(60, 0, Speed::Bullet);
    check(179, 0, Speed::Bullet);
    check(60, 3, Speed::Blitz); // 180
    check(300, 4, Speed::Blitz); // 460
    check(480, 0, Speed::Rapid);
    check(300, 5, Speed::Rapid); // 500
    check(1_499, 0, Speed::Rapid);
    check(900, 15, Speed::Classical); // 1500
    check(u64::MAX, u64::MAX, Speed::Classical);
}

#[test]
fn a_pool_is_written_and_read_back() {
    fn check(text: &str, venue: Venue, variant: &str, speed: Speed) {
        let pool = Pool::new(venue, variant, speed).unwrap();
        assert_eq!(pool.to_string(), text);
        assert_eq!(text.parse(), Ok(pool.clone()));
        let json = serde_json::to_string(&pool).unwrap();
        assert_eq!(serde_json::from_str::<Pool>(&json).unwrap(), pool);
        assert_eq!((pool.venue(), pool.variant(), pool.speed()), (venue, variant, speed));
    }
    check("standard/blitz", Venue::Online, "standard", Speed::Blitz);
    check("board/standard/classical", Venue::Board, "standard", Speed::Classical);
    check("chess-960/correspondence", Venue::Online, "chess-960", Speed::Correspondence);
    check("board/bullet", Venue::Online, "board", Speed::Bullet);
}

#[test]
fn what_is_no_pool_is_refused() {
    let check = |text: &str, expected| assert_eq!(text.parse::<Pool>(), Err(expected));
    check("standard", BadPool::Shape("standard".into()));
    check("a/b/blitz", BadPool::Shape("a/b/blitz".into()));
    check("standard/quick", BadPool::Speed("quick".into()));
    check("Standard/blitz", BadPool::Variant("Standard".into()));
    check("/blitz", BadPool::Variant(String::new()));
}

#[test]
fn a_system_is_chosen_by_name() {
    let check = |name: &str, expected: System| {
        assert_eq!(name.parse(), Ok(expected));
        assert_eq!(serde_json::from_str::<System>(&format!("{name:?}")).unwrap(), expected);
    };
    check("glicko2", System::Glicko2(Glicko2::default()));
    check("classic", System::Glicko2(Glicko2::classic()));
    check("elo-club", System::Elo(Elo::club()));
    check("elo-fide", System::Elo(Elo::fide()));
    check("elo-poly", System::Elo(Elo::polynomial()));
    let error = "chessmetrics".parse::<System>().unwrap_err().to_string();
    assert!(System::PRESETS.iter().all(|name| error.contains(name)), "{error}");
}

#[test]
fn a_system_survives_being_written() {
    for name in System::PRESETS {
        let system: System = name.parse().unwrap();
        let json = serde_json::to_string(&system).unwrap();
        assert_eq!(serde_json::from_str::<System>(&json).unwrap(), system, "{json}");
    }
}

#[test]
fn constants_left_out_are_the_defaults() {
    let system: System = serde_json::from_str(r#"{"kind": "glicko2", "tau": 0.6}"#).unwrap();
    assert_eq!(system, System::Glicko2(Glicko2 { tau: 0.6, ..Glicko2::default() }));
}

#[test]
fn nonsense_is_refused_by_the_name_of_the_constant() {
    let check = |json: &str, names: &str| {
        let error = serde_json::from_str::<System>(json).unwrap_err().to_string();
        assert!(error.contains(names), "{error}");
    };
    check(r#"{"kind": "glicko2", "tau": 0}"#, "tau");
    check(r#"{"kind": "glicko2", "taw": 1}"#, "taw");
    check(r#"{"kind": "glicko2", "initial_rating": 100}"#, "initial_rating");
    check(r#"{"kind": "glicko2", "initial_deviation": 501}"#, "initial_deviation");
    check(r#"{"kind": "elo", "difference_cap": {"most": -1}}"#, "difference_cap");
    check(r#"{"kind": "trueskill"}"#, "trueskill");
    check(r#""trueskill""#, "trueskill");
    check("1500", "kind");
    let broken = System::Elo(Elo { floor: f64::NAN, ..Elo::club() });
    assert_eq!(broken.check().unwrap_err().constant, "floor");
}

#[test]
fn a_pool_without_a_choice_of_its_own_has_the_instances() {
    let json = r#"{"default": {"system": "classic"},
        "own": {"board/standard/classical": {"system": "elo-fide", "includes_bots": true}}}"#;
    let pools: Pools = serde_json::from_str(json).unwrap();
    let rules = |text: &str| *pools.rules(&text.parse().unwrap());
    let fide = PoolRules { system: System::Elo(Elo::fide()), includes_bots: true };
    assert_eq!(rules("board/standard/classical"), fide);
    assert_eq!(rules("standard/classical").system, System::Glicko2(Glicko2::classic()));
    assert_eq!(Pools::default().default.system, System::default());
}

#[test]
fn a_title_begins_at_its_limit() {
    let titles = TitleClasses::default();
    let check = |shown, expected| assert_eq!(titles.of(shown), expected, "{shown}");
    check(3000, Some("Senior Master"));
    check(2400, Some("Senior Master"));
    check(2399, Some("Master"));
    check(2199, Some("Expert"));
    check(1999, Some("Class A"));
    check(1799, Some("Class B"));
    check(1599, Some("Class C"));
    check(1399, Some("Class D"));
    check(1000, Some("Class E"));
    check(999, Some("Class F"));
    check(100, Some("Class J"));
    check(99, None);
    let own = TitleClasses(vec![
        TitleClass { from: 0, name: "Pawn".into() },
        TitleClass { from: 1700, name: "Knight".into() },
    ]);
    assert_eq!((own.of(1699), own.of(1700)), (Some("Pawn"), Some("Knight")));
}

#[test]
fn only_whole_equal_agreed_games_count() {
    let good = Conditions { is_rated: true, ..Conditions::default() };
    let check = |game: Conditions, expected| assert_eq!(check_eligible(&game, false), expected);
    check(good, Ok(()));
    check(Conditions::default(), Err(Unrated::Casual));
    check(Conditions { is_aborted: true, ..good }, Err(Unrated::Aborted));
    check(Conditions { has_bot: true, ..good }, Err(Unrated::Bot));
    check(Conditions { is_unequal: true, ..good }, Err(Unrated::Unequal));
    check(Conditions { is_odds: true, ..good }, Err(Unrated::Odds));
    assert_eq!(check_eligible(&Conditions { has_bot: true, ..good }, true), Ok(()));
}
