//! Elo: expectations, the two K, FIDE's limits, newcomers, performance.

use ratings::{
    Context, Elo, Expectation, Moment, Score, Standing, System, performance, rate,
    rating_difference,
};

/// 1 July of 2020, 2024 and 2026.
const IN_2020: Moment = Moment(1_593_561_600_000);
const IN_2024: Moment = Moment(1_719_792_000_000);
const IN_2026: Moment = Moment(1_782_864_000_000);

fn player(rating: f64, games: u32) -> Standing {
    Standing { games, ..System::Elo(Elo::club()).newcomer(Some(rating)) }
}

/// The K of a player: twice what a win against an equal gives.
fn k(system: Elo, one: Standing, born: Option<i32>, at: Moment) -> f64 {
    let context = Context { at, white_born: born, black_born: None };
    let (won, _) = rate(&System::Elo(system), &one, &one, Score::WhiteWins, &context);
    2.0 * (won.rating - one.rating)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn the_logistic_expectation_is_ten_to_one_at_400() {
    near(Expectation::Logistic.score(0.0), 0.5);
    near(Expectation::Logistic.score(400.0), 10.0 / 11.0);
    near(Expectation::Logistic.score(-400.0), 1.0 / 11.0);
}

#[test]
fn the_polynomial_gives_the_printed_figures() {
    let expected = |d: f64| Expectation::Polynomial.score(d);
    near(expected(0.0), 0.5);
    assert_eq!(format!("{:.7}", expected(100.0)), "0.6374215");
    assert_eq!(format!("{:.2}", expected(400.0)), "0.92");
    near(expected(735.1), 1.0);
    near(expected(-735.1), 0.0);
    assert!(expected(735.0) < 1.0 && expected(-735.0) > 0.0);
}

#[test]
fn the_polynomial_follows_the_classical_table() {
    for percent in 0..=100 {
        let expected = Expectation::Polynomial.score(f64::from(rating_difference(percent)));
        assert!((expected - f64::from(percent) / 100.0).abs() < 0.01, "{percent}: {expected}");
    }
}

#[test]
fn the_clubs_k_falls_with_games_and_strength() {
    let check = |rating, games, expected| {
        near(k(Elo::club(), player(rating, games), None, IN_2026), expected);
    };
    check(1350.0, 0, 25.0);
    check(2399.9, 29, 25.0);
    check(1350.0, 30, 15.0);
    check(2399.9, 30, 15.0);
    check(2400.0, 30, 10.0);
    check(2400.0, 29, 15.0);
}

#[test]
fn fides_k_knows_newcomers_juniors_and_masters() {
    let check = |rating, peak, games, born, expected| {
        let one = Standing { peak, ..player(rating, games) };
        near(k(Elo::fide(), one, born, IN_2026), expected);
    };
    check(1500.0, 1500.0, 29, None, 40.0);
    check(1500.0, 1500.0, 30, None, 20.0);
    check(1500.0, 1500.0, 30, Some(2008), 40.0); // turns 18 this year
    check(1500.0, 1500.0, 30, Some(2007), 20.0);
    check(2299.9, 2299.9, 30, Some(2010), 40.0);
    check(2300.0, 2300.0, 30, Some(2010), 20.0);
    check(2399.9, 2399.9, 30, None, 20.0);
    check(2400.0, 2400.0, 30, None, 10.0);
    check(2250.0, 2400.0, 30, None, 10.0); // for ever
    check(2250.0, 2400.0, 30, Some(2010), 10.0);
    check(2450.0, 2450.0, 29, None, 40.0);
}

#[test]
fn reaching_2400_is_remembered() {
    let before = Standing { rating: 2395.0, peak: 2395.0, ..player(2395.0, 100) };
    let system = System::Elo(Elo::fide());
    let context = Context { at: IN_2026, ..Context::default() };
    let (up, _) = rate(&system, &before, &before, Score::WhiteWins, &context);
    let (down, _) = rate(&system, &up, &up, Score::BlackWins, &context);
    near(up.rating, 2405.0);
    near(down.rating, 2400.0); // 20 on the way up, 10 on the way down
    near(k(Elo::fide(), Standing { rating: 2300.0, ..down }, None, IN_2026), 10.0);
}

#[test]
fn fide_counts_at_most_400_points_of_difference() {
    let gain = |own: f64, opponent: f64, at| {
        let context = Context { at, ..Context::default() };
        let (own_standing, other) = (player(own, 100), player(opponent, 100));
        let (won, _) =
            rate(&System::Elo(Elo::fide()), &own_standing, &other, Score::WhiteWins, &context);
        won.rating - own
    };
    near(gain(2000.0, 1400.0, IN_2026), 20.0 / 11.0);
    near(gain(2649.0, 2000.0, IN_2026), 10.0 / 11.0);
    near(gain(2650.0, 2000.0, IN_2024), 10.0 / 11.0);
    assert!(gain(2650.0, 2000.0, IN_2026) < 0.3, "2650 and more: in full since October 2025");
    near(gain(2000.0, 2650.0, IN_2026), 20.0 * 10.0 / 11.0); // the weaker side keeps the limit
    near(gain(2650.0, 2000.0, Moment(1_759_276_799_999)), 10.0 / 11.0);
    assert!(gain(2650.0, 2000.0, Moment(1_759_276_800_000)) < 0.3);
}

#[test]
fn nobody_falls_below_fides_floor() {
    let weak = player(1401.0, 50);
    let (lost, _) =
        rate(&System::Elo(Elo::fide()), &weak, &weak, Score::BlackWins, &Context::default());
    near(lost.rating, 1400.0);
}

#[test]
fn a_newcomer_begins_at_1350_or_at_his_own_figure() {
    let check = |name: &str, claimed, expected| {
        let system: System = name.parse().unwrap();
        near(system.newcomer(claimed).rating, expected);
    };
    check("elo-club", None, 1350.0);
    check("elo-club", Some(1820.0), 1820.0);
    check("elo-club", Some(2800.0), 2650.0);
    check("elo-club", Some(f64::NAN), 1350.0);
    check("elo-poly", None, 1350.0);
    check("elo-fide", None, 1400.0); // lifted to the floor
    check("glicko2", None, 1500.0);
    check("glicko2", Some(2000.0), 2000.0);
}

#[test]
fn an_elo_is_provisional_for_thirty_games() {
    let system = System::Elo(Elo::club());
    let check = |games, expected: bool| {
        assert_eq!(system.is_provisional(&player(1500.0, games), IN_2020), expected);
        assert_eq!(system.is_ranked(&player(1500.0, games), IN_2020), !expected);
    };
    check(29, true);
    check(30, false);
}

#[test]
fn the_performance_is_read_from_the_classical_table() {
    assert_eq!(rating_difference(58), 57);
    assert_eq!(rating_difference(42), -57);
    assert_eq!([64, 76, 92, 99].map(rating_difference), [102, 202, 401, 677]);
    assert_eq!(
        (rating_difference(0), rating_difference(100), rating_difference(255)),
        (-800, 800, 800)
    );
    let check = |opponents: &[f64], half_points, expected: Option<f64>| {
        assert_eq!(performance(opponents, half_points), expected);
    };
    check(&[], 0, None);
    check(&[1600.0, 1800.0], 2, Some(1700.0));
    check(&[1500.0; 12], 14, Some(1557.0)); // 58.3 %
    check(&[1500.0; 8], 1, Some(1500.0 - 444.0)); // 6.25 %
    check(&[1500.0; 100], 117, Some(1500.0 + 65.0)); // 58.5 %, a half goes up
    check(&[1500.0], 9, Some(2300.0)); // more points than games count as all
}
