//! Ratings: every finished game of a table changed both players' ratings once, and each change begins where the last ended.

use std::collections::BTreeMap;

use super::{GameHistory, Note, Verdict};

/// What a game did to a rating, as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) struct RatingStep {
    pub(in crate::bench) before: i64,
    pub(in crate::bench) after: i64,
}

/// What the server says of a player when all is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) struct FinalPlayer {
    pub(in crate::bench) rating: i64,
    /// Rated games.
    pub(in crate::bench) games: u64,
}

/// Checks the ratings of rated tables; `players` are both players of each.
pub(super) fn ratings(
    games: &[GameHistory],
    players: &BTreeMap<usize, [FinalPlayer; 2]>,
    verdict: &mut Verdict,
) {
    let mut walks: BTreeMap<usize, Walk> = BTreeMap::new();
    for game in games.iter().filter(|game| players.contains_key(&game.table)) {
        let Some(last) = &game.last else { continue };
        told_as_kept(game, last.ratings, verdict);
        match (last.ended.is_some(), last.ratings) {
            (true, Some(steps)) => walks.entry(game.table).or_default().take(game, steps, verdict),
            (false, None) => {}
            (true, None) => wrong(game, "it ended and no rating changed", verdict),
            (false, Some(_)) => wrong(game, "it runs and has changed ratings", verdict),
        }
    }
    for (table, last) in players {
        let walk = walks.remove(table).unwrap_or_default();
        for (seat, last) in last.iter().enumerate() {
            let is_right = last.games == walk.games
                && walk.at[seat].is_none_or(|rating| rating == last.rating);
            if !is_right {
                verdict.rating_errors += 1;
                verdict.faults.push(format!(
                    "table {table}: {last:?} after {} games that ended at {:?}",
                    walk.games, walk.at[seat]
                ));
            }
        }
        verdict.ratings += walk.games * 2;
    }
}

/// Where the games of a table have brought both ratings.
#[derive(Default)]
struct Walk {
    at: [Option<i64>; 2],
    games: u64,
}

impl Walk {
    fn take(&mut self, game: &GameHistory, steps: [RatingStep; 2], verdict: &mut Verdict) {
        for (at, step) in self.at.iter_mut().zip(steps) {
            if at.is_some_and(|at| at != step.before) {
                wrong(game, &format!("{step:?} after {at:?}"), verdict);
            }
            *at = Some(step.after);
        }
        self.games += 1;
    }
}

/// Everybody was told the change that is kept.
fn told_as_kept(game: &GameHistory, kept: Option<[RatingStep; 2]>, verdict: &mut Verdict) {
    for note in game.seats.iter().flatten() {
        if let Note::Rated(told) = note
            && kept != Some(*told)
        {
            wrong(game, &format!("{told:?} was told and {kept:?} is kept"), verdict);
        }
    }
}

fn wrong(game: &GameHistory, what: &str, verdict: &mut Verdict) {
    verdict.rating_errors += 1;
    verdict.fault(game, what);
}
