//! How exactly somebody played, 0 to 100.

use rules::{ByColor, Color};

use super::win::{Eval, WinPercent};

/// The accuracy of a move by the mover's chance to win before and after it.
pub fn move_accuracy(before: WinPercent, after: WinPercent) -> f64 {
    let lost = before.0 - after.0;
    if lost <= 0.0 {
        return 100.0;
    }
    let kept = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * lost).exp();
    // The one more makes up for what a shallow search itself loses.
    (kept - 3.166_924_740_191_411 + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of both sides in a game; `None` for a side that did not move.
///
/// `evals` holds the evaluation before the first move and one after each; `first` made the first move. Moves count more
/// where the chances swing: the weight of a move is the spread of the chances around it.
pub fn game_accuracy(evals: &[Eval], first: Color) -> ByColor<Option<f64>> {
    let percents: Vec<f64> = evals.iter().map(|eval| eval.win_percent(Color::White).0).collect();
    let plies = percents.len().saturating_sub(1);
    let window = (plies / 10).clamp(2, 8);
    let mut moves = ByColor { white: Vec::new(), black: Vec::new() };
    let mut side = first;
    for ply in 0..plies {
        let weight = spread(window_of(&percents, ply, window)).clamp(0.5, 12.0);
        let (before, after) = (evals[ply].win_percent(side), evals[ply + 1].win_percent(side));
        moves[side].push(Weighed { accuracy: move_accuracy(before, after), weight });
        side = side.other();
    }
    ByColor { white: combine(&moves.white), black: combine(&moves.black) }
}

struct Weighed {
    accuracy: f64,
    weight: f64,
}

/// The chances around a move: those that end with it, or the first ones while there are not enough before it.
fn window_of(percents: &[f64], ply: usize, window: usize) -> &[f64] {
    let start = (ply + 2).saturating_sub(window);
    let end = (start + window).min(percents.len());
    &percents[start..end]
}

/// The standard deviation of all values there are.
fn spread(values: &[f64]) -> f64 {
    let mean = mean(values.iter().copied()).unwrap_or(0.0);
    mean_or_zero(values.iter().map(|value| (value - mean).powi(2))).sqrt()
}

fn mean_or_zero(values: impl Iterator<Item = f64>) -> f64 {
    mean(values).unwrap_or(0.0)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    (count > 0.0).then_some(sum / count)
}

/// The weighted mean and the harmonic mean, in the middle.
fn combine(moves: &[Weighed]) -> Option<f64> {
    let weights: f64 = moves.iter().map(|one| one.weight).sum();
    let weighted: f64 = moves.iter().map(|one| one.accuracy * one.weight).sum::<f64>() / weights;
    // A move of no accuracy at all would make the harmonic mean nothing, whatever the others were.
    let inverse = mean(moves.iter().map(|one| 1.0 / one.accuracy.max(1.0)))?;
    Some(f64::midpoint(weighted, 1.0 / inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accuracy_of_a_move_follows_the_published_curve() {
        let check = |lost: f64, expected: f64| {
            let found = move_accuracy(WinPercent(80.0), WinPercent(80.0 - lost));
            assert!((found - expected).abs() < 0.000_06, "{lost}: {found}");
        };
        check(-10.0, 100.0);
        check(0.0, 100.0);
        check(5.0, 80.8153);
        check(10.0, 64.5798);
        check(20.0, 41.0168);
        check(40.0, 15.9090);
        check(60.0, 5.3993);
    }

    fn game(evals: &[i32]) -> ByColor<Option<f64>> {
        let all: Vec<Eval> = std::iter::once(Eval::START)
            .chain(evals.iter().map(|&value| Eval::Centipawns(value)))
            .collect();
        game_accuracy(&all, Color::White)
    }

    #[test]
    fn the_accuracy_of_a_game_agrees_with_published_cases() {
        let near = |found: Option<f64>, expected: f64| {
            let found = found.unwrap();
            // The published figures are rounded by hand.
            assert!((found - expected).abs() < 2.0, "{found}, expected {expected}");
        };
        let even = game(&[15, 15]);
        near(even.white, 100.0);
        near(even.black, 100.0);
        near(game(&[-900, -900]).white, 10.0);
        for (worse, expected) in [(-50, 76.0), (-135, 54.0), (-435, 20.0)] {
            let evals: Vec<i32> = [worse, 15].repeat(50);
            near(game(&evals).white, expected);
            near(game(&evals).black, expected);
        }
    }

    #[test]
    fn who_did_not_move_has_no_accuracy() {
        assert_eq!(game(&[]), ByColor { white: None, black: None });
        assert_eq!(game(&[20]).black, None);
        let black_begins = game_accuracy(&[Eval::START, Eval::Centipawns(900)], Color::Black);
        assert_eq!(black_begins.white, None);
        assert!(black_begins.black.unwrap() < 30.0);
    }
}
