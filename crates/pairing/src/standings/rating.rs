//! The tie-breaks made of ratings, with FIDE's conversion tables (B.02, 8.1).

use super::code::{Kind, TieBreak};
use super::records::Records;
use super::value::Value;
use crate::model::{Entry, GameResult};

/// The rating difference that belongs to a score of 50, 51, … 100 percent.
const DIFFERENCE_BY_PERCENT: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

/// The greatest rating difference at which the stronger is expected to make 50, 51, … 99 percent.
const GREATEST_DIFFERENCE: [i64; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
];

/// The rating difference for a score in percent.
fn difference(percent: usize) -> i64 {
    if percent >= 50 {
        DIFFERENCE_BY_PERCENT[percent.min(100) - 50]
    } else {
        -DIFFERENCE_BY_PERCENT[50 - percent]
    }
}

/// The percent expected against somebody so much weaker (B.02, 8.1.2).
pub fn expected(difference: i64) -> i64 {
    let greater = GREATEST_DIFFERENCE.partition_point(|&bound| bound < difference.abs());
    let percent = 50 + i64::try_from(greater).unwrap_or(50);
    if difference >= 0 { percent } else { 100 - percent }
}

/// The average to a whole number, a half upwards; 0 of nothing.
pub(super) fn average(values: &[i64]) -> i64 {
    let Ok(count @ 1..) = i64::try_from(values.len()) else { return 0 };
    (2 * values.iter().sum::<i64>() + count).div_euclid(2 * count)
}

/// The games of a player that count: the ratings of the opponents and the percent made of each.
struct Games {
    ratings: Vec<i64>,
    percents: i64,
}

pub(super) fn column(records: &Records<'_>, tie_break: &TieBreak) -> Option<Vec<Option<Value>>> {
    let players = &records.tournament.players;
    let rating = |place: usize| players[place].rating.or(records.rules.unrated_as).map(i64::from);
    let ratings: Vec<i64> = (0..players.len()).map(rating).collect::<Option<_>>()?;
    let games: Vec<Games> =
        (0..players.len()).map(|place| games(records, place, &ratings)).collect();
    let values: Vec<i64> = match tie_break.kind {
        Kind::AverageRating => games.iter().map(|games| average_cut(games, tie_break)).collect(),
        Kind::Performance => games.iter().map(performance).collect(),
        Kind::PerfectPerformance => games.iter().map(perfect_performance).collect(),
        Kind::AveragePerformance => {
            average_of_opponents(records, &games.iter().map(performance).collect::<Vec<_>>())
        }
        Kind::AveragePerfectPerformance => average_of_opponents(
            records,
            &games.iter().map(perfect_performance).collect::<Vec<_>>(),
        ),
        _ => ratings,
    };
    Some(values.into_iter().map(|value| Some(Value::whole(value))).collect())
}

fn games(records: &Records<'_>, place: usize, ratings: &[i64]) -> Games {
    let mut games = Games { ratings: Vec::new(), percents: 0 };
    for entry in &records.tournament.players[place].rounds {
        if let (Entry::Game { result, .. }, Some(opponent)) = (entry, records.opponent(entry)) {
            games.ratings.push(ratings[opponent]);
            games.percents += match result {
                GameResult::Win => 100,
                GameResult::Draw => 50,
                GameResult::Loss => 0,
            };
        }
    }
    games
}

fn average_cut(games: &Games, tie_break: &TieBreak) -> i64 {
    let mut ratings = games.ratings.clone();
    ratings.sort_unstable();
    let lowest = usize::from(tie_break.cut.lowest).min(ratings.len());
    let highest = ratings.len().saturating_sub(usize::from(tie_break.cut.highest)).max(lowest);
    average(&ratings[lowest..highest])
}

fn performance(games: &Games) -> i64 {
    let Ok(count @ 1..) = i64::try_from(games.ratings.len()) else { return 0 };
    let percent = (2 * games.percents + count).div_euclid(2 * count);
    average(&games.ratings) + difference(usize::try_from(percent).unwrap_or(0))
}

/// The lowest rating with which one would have been expected to score at least as much.
fn perfect_performance(games: &Games) -> i64 {
    let (Some(&weakest), Some(&strongest)) =
        (games.ratings.iter().min(), games.ratings.iter().max())
    else {
        return 0;
    };
    if games.percents == 0 {
        return weakest - 800;
    }
    // Expectation grows with the rating, so the first that suffices is found by halving.
    let (mut low, mut high) = (weakest - 800, strongest + 800);
    while low < high {
        let middle = (low + high).div_euclid(2);
        let expectation: i64 = games.ratings.iter().map(|&rating| expected(middle - rating)).sum();
        if expectation >= games.percents {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn average_of_opponents(records: &Records<'_>, values: &[i64]) -> Vec<i64> {
    let of = |player: &crate::model::Player| {
        let met = player.rounds.iter().filter(|entry| entry.is_played());
        average(
            &met.filter_map(|entry| records.opponent(entry))
                .map(|place| values[place])
                .collect::<Vec<_>>(),
        )
    };
    records.tournament.players.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_score_follows_the_table() {
        for (difference, percent) in
            [(0, 50), (3, 50), (4, 51), (735, 99), (736, 100), (-4, 49), (-736, 0), (92, 63)]
        {
            assert_eq!(expected(difference), percent, "{difference}");
        }
    }

    #[test]
    fn the_difference_of_a_score_follows_the_table() {
        for (percent, points) in
            [(50, 0), (51, 7), (99, 677), (100, 800), (0, -800), (1, -677), (75, 193)]
        {
            assert_eq!(difference(percent), points, "{percent}");
        }
    }

    #[track_caller]
    fn check(ratings: &[i64], percents: i64, rating: i64) {
        assert_eq!(perfect_performance(&Games { ratings: ratings.to_vec(), percents }), rating);
    }

    #[test]
    fn a_perfect_performance_is_just_enough() {
        check(&[2000], 50, 1997);
        check(&[2000], 100, 2736);
        check(&[2000, 1900], 0, 1100);
        check(&[2000, 2000], 150, 2189);
    }

    #[test]
    fn averages_round_a_half_upwards() {
        assert_eq!(average(&[1, 2]), 2);
        assert_eq!(average(&[-1, -2]), -1);
        assert_eq!(average(&[]), 0);
    }
}
