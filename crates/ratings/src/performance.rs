//! The performance over an event, by the classical table.

/// FIDE's table of the difference for 50, 51 … 100 per cent (handbook B.02, 8.1.1); below 50 the sign changes.
const DIFFERENCES: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, // 50 …
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141, // 60 …
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230, // 70 …
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351, // 80 …
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, // 90 …
    800,
];

/// The difference of ratings that a percentage stands for; more than 100 counts as 100.
pub fn rating_difference(percent: u8) -> i32 {
    let percent = usize::from(percent.min(100));
    if percent >= 50 { DIFFERENCES[percent - 50] } else { -DIFFERENCES[50 - percent] }
}

/// The performance of a player who made `half_points` (a win is two) against these opponents; none without a game.
///
/// The percentage is rounded to a whole number, a half upwards.
pub fn performance(opponents: &[f64], half_points: u32) -> Option<f64> {
    let games = u64::try_from(opponents.len()).ok().filter(|games| *games > 0)?;
    let half_points = u64::from(half_points).min(2 * games);
    let percent = (100 * half_points + games) / (2 * games);
    #[allow(clippy::cast_precision_loss, reason = "no event has 2^52 games")]
    let average = opponents.iter().sum::<f64>() / games as f64;
    Some(average + f64::from(rating_difference(u8::try_from(percent).unwrap_or(100))))
}
