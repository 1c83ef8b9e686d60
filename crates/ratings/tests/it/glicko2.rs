//! Glicko-2 game by game: the printed numbers, growth with time, bounds, questions.

use ratings::{Context, Glicko2, Moment, Score, Standing, System, rate};

const YEAR: i64 = 365 * 86_400_000;

fn standing(rating: f64, deviation: f64, volatility: f64) -> Standing {
    Standing { rating, deviation, volatility, games: 0, peak: rating, last_game: None }
}

fn newcomer() -> Standing {
    System::default().newcomer(None)
}

fn play(white: Standing, black: Standing, score: Score) -> (Standing, Standing) {
    rate(&System::default(), &white, &black, score, &Context::default())
}

fn printed(one: &Standing) -> String {
    format!("{:.4} / {:.4} / {:.10}", one.rating, one.deviation, one.volatility)
}

fn check(both: Standing, score: Score, expected: &str) {
    let (white, _) = play(both, both, score);
    assert_eq!(printed(&white), expected);
    let (_, black) = play(both, both, score.mirrored());
    assert_eq!(printed(&black), expected);
}

#[test]
fn one_game_between_equals_gives_the_printed_numbers() {
    check(newcomer(), Score::WhiteWins, "1741.4759 / 396.6898 / 0.0899983005");
    check(newcomer(), Score::Draw, "1500.0000 / 396.6898 / 0.0899954166");
    let steady = standing(1500.0, 80.0, 0.06);
    check(steady, Score::WhiteWins, "1517.0071 / 78.0791 / 0.0599996726");
}

#[test]
fn the_defaults_are_those_of_the_specification() {
    assert_eq!(printed(&newcomer()), "1500.0000 / 500.0000 / 0.0900000000");
    let classic: System = "classic".parse().unwrap();
    assert_eq!(printed(&classic.newcomer(None)), "1000.0000 / 350.0000 / 0.0600000000");
    assert!((Glicko2::classic().tau - 0.5).abs() < f64::EPSILON);
    assert!((Glicko2::default().tau - 0.75).abs() < f64::EPSILON);
}

#[test]
fn a_year_without_a_game_makes_60_to_110() {
    let rested = Standing { last_game: Some(Moment(0)), ..standing(1500.0, 60.0, 0.06) };
    let after = |millis| Glicko2::default().deviation_at(&rested, Moment(millis));
    assert_eq!(format!("{:.2}", after(YEAR)), "110.00");
    assert_eq!(format!("{:.2}", after(0)), "60.00");
    assert_eq!(format!("{:.2}", after(-YEAR)), "60.00");
    assert_eq!(format!("{:.2}", after(1_000 * YEAR)), "500.00");
}

#[test]
fn who_has_rested_gains_and_loses_more() {
    let fresh = Standing { last_game: Some(Moment(YEAR)), ..standing(1500.0, 60.0, 0.06) };
    let rested = Standing { last_game: Some(Moment(0)), ..fresh };
    let context = Context { at: Moment(YEAR), ..Context::default() };
    let (won, lost) = rate(&System::default(), &rested, &fresh, Score::WhiteWins, &context);
    assert!(won.rating - 1500.0 > 2.0 * (1500.0 - lost.rating));
    assert_eq!(won.last_game, Some(Moment(YEAR)));
}

#[test]
fn a_game_counted_late_does_not_turn_back_the_clock() {
    let later = Standing { last_game: Some(Moment(YEAR)), ..newcomer() };
    let (white, black) = play(later, newcomer(), Score::Draw);
    assert_eq!(white.last_game, Some(Moment(YEAR)));
    assert_eq!(black.last_game, Some(Moment(0)));
}

#[test]
fn the_bounds_hold() {
    let giant = standing(3500.0, 500.0, 0.1);
    let dwarf = standing(400.0, 500.0, 0.1);
    let (lost, won) = play(giant, dwarf, Score::BlackWins);
    assert!((3500.0 - lost.rating - 700.0).abs() < 1e-9, "one game costs at most 700");
    assert!((won.rating - 1100.0).abs() < 1e-9, "and gives at most 700");
    assert!(won.volatility <= 0.1);
    let (loser, _) = play(dwarf, dwarf, Score::BlackWins);
    assert!((loser.rating - 400.0).abs() < f64::EPSILON, "nobody falls below 400");
    let sure = standing(1500.0, 45.0, 0.06);
    assert!((play(sure, sure, Score::Draw).0.deviation - 45.0).abs() < f64::EPSILON);
}

#[test]
fn provisional_begins_at_110_and_ranked_ends_at_75() {
    fn check(deviation: f64, is_provisional: bool, is_ranked: bool) {
        let system = System::default();
        let one = standing(1500.0, deviation, 0.06);
        assert_eq!(system.is_provisional(&one, Moment(0)), is_provisional, "{deviation}");
        assert_eq!(system.is_ranked(&one, Moment(0)), is_ranked, "{deviation}");
    }
    check(110.0, true, false);
    check(109.99, false, false);
    check(75.01, false, false);
    check(75.0, false, true);
    let rested = Standing { last_game: Some(Moment(0)), ..standing(1500.0, 60.0, 0.06) };
    assert!(System::default().is_provisional(&rested, Moment(YEAR)), "a year's rest");
}

#[test]
fn games_and_peak_are_counted() {
    let (winner, loser) = play(newcomer(), newcomer(), Score::WhiteWins);
    assert_eq!((winner.games, loser.games), (1, 1));
    assert!((winner.peak - winner.rating).abs() < f64::EPSILON);
    assert!((loser.peak - 1500.0).abs() < f64::EPSILON);
    assert_eq!((winner.shown(), loser.shown()), (1741, 1259));
}
