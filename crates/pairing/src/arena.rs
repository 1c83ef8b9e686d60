//! Arena: play for a fixed time, rejoin after every game, meet whoever is near in rank.
//!
//! Pairing takes the players who wait and lets neighbours meet, except those who have just
//! played each other. Scoring knows streaks, berserk and draws that are worth nothing.

use serde::{Deserialize, Serialize};

use crate::matching::bits::{BitGraph, Bits};
use crate::matching::cardinality::Cardinality;
use crate::model::{Board, Colour, GameResult, MAX_PLAYERS, PairingNumber, RoundPairing};

/// Somebody who waits for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Waiting {
    /// Who.
    pub player: PairingNumber,
    /// The points so far.
    pub score: u32,
    /// The rating; it ranks players of equal points.
    pub rating: u16,
    /// Against whom the last game was.
    pub last_opponent: Option<PairingNumber>,
    /// Games with White less games with Black.
    pub colour_difference: i32,
    /// The colour of the last game.
    pub last_colour: Option<Colour>,
}

/// Why those who wait cannot be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArenaError {
    /// Over the limit.
    #[error("{0} players are too many: the limit is {MAX_PLAYERS}")]
    TooMany(usize),
}

/// Pairs as many as possible of those who wait, neighbours in rank first. Nobody gets the
/// opponent of the last game again. Who is left over waits on.
pub fn pair_waiting(waiting: &[Waiting]) -> Result<RoundPairing, ArenaError> {
    if waiting.len() > MAX_PLAYERS {
        return Err(ArenaError::TooMany(waiting.len()));
    }
    let mut ranked = waiting.to_vec();
    ranked.sort_by_key(|player| (std::cmp::Reverse((player.score, player.rating)), player.player));
    ranked.dedup_by_key(|player| player.player);
    let mut graph = BitGraph::complete(ranked.len());
    let mut places: Vec<(PairingNumber, usize)> =
        ranked.iter().map(|player| player.player).zip(0..).collect();
    places.sort_unstable();
    for (place, player) in ranked.iter().enumerate() {
        let last = player.last_opponent;
        if let Some(Ok(found)) =
            last.map(|last| places.binary_search_by_key(&last, |&(number, _)| number))
        {
            graph.part(place, places[found].1);
        }
    }
    // In rank order everybody takes the nearest who is free; who finds nobody makes others move.
    let mut matching = Cardinality::new(&graph, Bits::of(ranked.len(), 0..ranked.len()));
    matching.grow(&[]);
    let pair = |(place, player): (usize, &Waiting)| {
        let mate = matching.mate(place).filter(|&mate| mate > place)?;
        Some(seat(player, &ranked[mate]))
    };
    Ok(RoundPairing { boards: ranked.iter().enumerate().filter_map(pair).collect(), bye: None })
}

/// White for who had it less often, then for who had Black last, then for the higher-ranked.
fn seat(high: &Waiting, low: &Waiting) -> Board {
    let had_white =
        |player: &Waiting| (player.colour_difference, player.last_colour == Some(Colour::White));
    let (white, black) = if had_white(high) <= had_white(low) { (high, low) } else { (low, high) };
    Board { white: white.player, black: black.player }
}

/// A finished game as one player's sheet shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArenaGame {
    /// How it ended for the player.
    pub result: GameResult,
    /// Whether the player halved the own clock for a further point.
    pub berserk: bool,
    /// The moves each side made.
    pub moves: u16,
    /// The opponent's rating.
    pub opponent_rating: u16,
}

/// What games are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct ArenaScoring {
    /// Whether points double after two wins in a row.
    pub streaks: bool,
    /// The moves a berserk win needs for its further point.
    pub berserk_moves: u16,
    /// A draw of fewer moves is worth nothing.
    pub short_draw: u16,
    /// In a series of draws those of fewer moves are worth nothing after the first one.
    pub long_draw: u16,
}

impl Default for ArenaScoring {
    fn default() -> ArenaScoring {
        ArenaScoring { streaks: true, berserk_moves: 7, short_draw: 10, long_draw: 30 }
    }
}

impl ArenaScoring {
    /// The points of each game of a player, in the order in which they were played.
    pub fn points(&self, games: &[ArenaGame]) -> Vec<u32> {
        let mut wins_in_row = 0;
        // Only a win ends a series of draws.
        let mut drawn_since_win = false;
        let mut points = Vec::with_capacity(games.len());
        for game in games {
            let factor = if self.streaks && wins_in_row >= 2 { 2 } else { 1 };
            points.push(match game.result {
                GameResult::Win => {
                    2 * factor + u32::from(game.berserk && game.moves >= self.berserk_moves)
                }
                GameResult::Draw if game.moves < self.short_draw => 0,
                GameResult::Draw if drawn_since_win && game.moves < self.long_draw => 0,
                GameResult::Draw => factor,
                GameResult::Loss => 0,
            });
            match game.result {
                GameResult::Win => (wins_in_row, drawn_since_win) = (wins_in_row + 1, false),
                GameResult::Draw => (wins_in_row, drawn_since_win) = (0, true),
                GameResult::Loss => wins_in_row = 0,
            }
        }
        points
    }
}

/// The performance that ranks players of equal points: the opponents' ratings on average, 500
/// more for a win and less for a loss. None without a game.
pub fn performance(games: &[ArenaGame]) -> Option<i64> {
    let count = i64::try_from(games.len()).ok().filter(|&count| count > 0)?;
    let of_game = |game: &ArenaGame| {
        let bonus = match game.result {
            GameResult::Win => 500,
            GameResult::Draw => 0,
            GameResult::Loss => -500,
        };
        i64::from(game.opponent_rating) + bonus
    };
    Some((2 * games.iter().map(of_game).sum::<i64>() + count).div_euclid(2 * count))
}

/// A player's place in an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArenaRow {
    /// The rank; equal for players with the same points and performance.
    pub rank: u16,
    /// Who.
    pub player: PairingNumber,
    /// The points.
    pub score: u32,
    /// What decides between equal points; none without a game.
    pub performance: Option<i64>,
}

/// Ranks players by points, then by performance.
pub fn rank_players(
    sheets: &[(PairingNumber, Vec<ArenaGame>)],
    scoring: &ArenaScoring,
) -> Vec<ArenaRow> {
    let row = |(player, games): &(PairingNumber, Vec<ArenaGame>)| {
        let score = scoring.points(games).into_iter().sum();
        ArenaRow { rank: 0, player: *player, score, performance: performance(games) }
    };
    let merit = |row: &ArenaRow| std::cmp::Reverse((row.score, row.performance));
    let mut rows: Vec<ArenaRow> = sheets.iter().map(row).collect();
    rows.sort_by_key(|row| (merit(row), row.player));
    let mut first = 1;
    for group in rows.chunk_by_mut(|a, b| merit(a) == merit(b)) {
        for row in group.iter_mut() {
            row.rank = first;
        }
        first = first.saturating_add(u16::try_from(group.len()).unwrap_or(u16::MAX));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(letter: char) -> ArenaGame {
        let result = match letter.to_ascii_lowercase() {
            'w' | 'b' => GameResult::Win,
            'd' | 's' => GameResult::Draw,
            _ => GameResult::Loss,
        };
        let moves = if letter == 's' { 9 } else { 25 };
        let moves = if letter == 'D' { 40 } else { moves };
        ArenaGame { result, berserk: letter == 'b', moves, opponent_rating: 1500 }
    }

    /// w win, b berserk win, d draw, s short draw, D long draw, l loss.
    #[track_caller]
    fn check(games: &str, points: &[u32]) {
        let games: Vec<ArenaGame> = games.chars().map(game).collect();
        assert_eq!(ArenaScoring::default().points(&games), points);
    }

    #[test]
    fn two_wins_in_a_row_double_what_follows() {
        check("wwwwlww", &[2, 2, 4, 4, 0, 2, 2]);
        check("wwdww", &[2, 2, 2, 2, 2]);
    }

    #[test]
    fn berserk_gives_one_more_for_a_win() {
        check("bbbl", &[3, 3, 5, 0]);
        let short = ArenaGame { moves: 6, ..game('b') };
        assert_eq!(ArenaScoring::default().points(&[short]), [2]);
    }

    #[test]
    fn short_draws_and_series_of_draws_give_nothing() {
        check("s", &[0]);
        check("dddl", &[1, 0, 0, 0]);
        check("dldwd", &[1, 0, 0, 2, 1]);
        check("dD", &[1, 1]);
    }

    #[test]
    fn performance_is_an_average() {
        assert_eq!(performance(&[game('w'), game('d')]), Some(1750));
        assert_eq!(performance(&[]), None);
    }
    #[test]
    fn points_rank_first_then_performance() {
        let sheet = |player, games: &str| {
            (PairingNumber(player), games.chars().map(game).collect::<Vec<_>>())
        };
        let sheets = [sheet(1, "dl"), sheet(2, "d"), sheet(3, "w"), sheet(4, ""), sheet(5, "d")];
        let rows = rank_players(&sheets, &ArenaScoring::default());
        let ranks: Vec<(u16, u16)> = rows.iter().map(|row| (row.rank, row.player.0)).collect();
        assert_eq!(ranks, [(1, 3), (2, 2), (2, 5), (4, 1), (5, 4)]);
    }
}
