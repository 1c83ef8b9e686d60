//! Who stands where.

use std::collections::{BTreeMap, HashMap, HashSet};

use pairing::arena::{ArenaGame, ArenaScoring, performance, rank_players};
use pairing::round_robin::{Withdrawal, without_annulled};
use pairing::standings::{Kind, Rules, TieBreak, expected_percent, standings_during};
use pairing::{GameResult, PairingNumber};
use rules::Color;
use store::GameId;

use super::{Elsewhere, EntryNumber, Event, EventBoard, Score, System};

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The rank; equal for those whom nothing tells apart.
    pub rank: u16,
    /// Who.
    pub player: EntryNumber,
    /// The points, as they are shown.
    pub points: String,
    /// The tie-breaks, as they are shown.
    pub values: Vec<Option<String>>,
    /// How strong they played, if it can be said.
    pub performance: Option<String>,
}

/// The table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<String>,
    /// The lines, the first first.
    pub rows: Vec<Place>,
}

impl Event {
    /// The table as it stands.
    pub fn ranking(&self) -> Ranking {
        match self.regulations.system {
            System::Arena => self.arena_ranking(),
            System::Knockout => self.knockout_ranking(),
            System::Swiss | System::RoundRobin | System::DoubleRoundRobin => self.score_ranking(),
        }
    }

    fn score_ranking(&self) -> Ranking {
        let mut tournament = self.tournament();
        if self.regulations.system.is_round_robin() {
            tournament = without_annulled(&tournament, &self.annulled());
        }
        let mut wanted = self.regulations.parsed_tie_breaks();
        let shown = wanted.len();
        wanted.push(TieBreak::plain(Kind::Performance));
        let rules = Rules::of(&tournament);
        let finished = self.open_round().map(|round| self.before(round).tournament());
        let finished = finished.as_ref().unwrap_or(&tournament);
        let Ok(table) = standings_during(&tournament, finished, &wanted, &rules) else {
            return Ranking { tie_breaks: Vec::new(), rows: Vec::new() };
        };
        let entries: BTreeMap<PairingNumber, EntryNumber> =
            self.players.iter().filter_map(|player| Some((player.seed?, player.number))).collect();
        // The performance is shown, but it breaks no tie: the ranks are those of the list without it.
        let mut rows: Vec<Place> = Vec::with_capacity(table.rows.len());
        for (place, row) in table.rows.iter().enumerate() {
            let Some(player) = entries.get(&row.player) else { continue };
            let is_tied =
                place.checked_sub(1).map(|before| &table.rows[before]).is_some_and(|before| {
                    before.points == row.points && before.values[..shown] == row.values[..shown]
                });
            let rank = match rows.last() {
                Some(before) if is_tied => before.rank,
                _ => u16::try_from(place + 1).unwrap_or(u16::MAX),
            };
            let mut values: Vec<Option<String>> =
                row.values.iter().map(|value| value.map(|value| value.to_string())).collect();
            let performance = values.pop().flatten().filter(|value| value != "0");
            rows.push(Place {
                rank,
                player: *player,
                points: row.points.to_string(),
                values,
                performance,
            });
        }
        for group in rows.chunk_by_mut(|one, other| one.rank == other.rank) {
            group.sort_by_key(|row| self.player(row.player).and_then(|player| player.seed));
        }
        Ranking { tie_breaks: wanted[..shown].iter().map(ToString::to_string).collect(), rows }
    }

    /// By how many tenths the games of an event over the board would change somebody's rating (B.02, 8.3), with this
    /// coefficient; nothing without a rating or without a game against somebody who has one.
    ///
    /// A difference of more than 400 counts as 400. What the federation computes is the federation's to say.
    pub fn expected_change(&self, player: EntryNumber, coefficient: i64) -> Option<i64> {
        const MOST: i64 = 400;
        let rating = |number| Some(i64::from(self.player(number)?.details.rating?));
        let own = rating(player).filter(|_| !self.regulations.online)?;
        let boards = self.rounds.iter().filter_map(|round| round.board_of(player));
        let percent = |board: &EventBoard| {
            let side = board.side_of(player)?;
            let made = match board.result?.of_side(side).as_str() {
                "1" => 100,
                "½" => 50,
                "0" => 0,
                // Nobody played.
                _ => return None,
            };
            let other = rating(board.players[side.other()])?;
            Some(made - expected_percent((own - other).clamp(-MOST, MOST)))
        };
        let games: Vec<i64> = boards.filter_map(percent).collect();
        // Percent of a point times the coefficient are hundredths of the change.
        let hundredths = games.iter().sum::<i64>() * coefficient;
        (!games.is_empty()).then(|| (2 * hundredths + 10).div_euclid(20))
    }

    /// Swiss: the round that is played now. The opposition of those who have finished it is not stronger for that: until
    /// it is complete, tie-breaks are those after the round before.
    ///
    /// A table knows from the beginning who meets whom, and what its tie-breaks count is never anybody's absence.
    pub fn open_round(&self) -> Option<u16> {
        let open = self.rounds.iter().find(|round| !round.is_complete());
        open.filter(|_| self.regulations.system == System::Swiss).map(|round| round.number)
    }

    /// Who left a round robin before half of the own games were played: those results count for ratings alone.
    ///
    /// Half of the games, not of the rounds: with an odd number of players everybody rests in some of those.
    pub fn annulled(&self) -> Vec<PairingNumber> {
        let cycles = match self.regulations.system {
            System::RoundRobin => 1,
            System::DoubleRoundRobin => 2,
            System::Swiss | System::Knockout | System::Arena => return Vec::new(),
        };
        let others = u16::try_from(self.seeded().len().saturating_sub(1)).unwrap_or(u16::MAX);
        let scheduled = others.saturating_mul(cycles);
        let is_annulled = |player: &&super::Entrant| {
            let left = self.left_after.iter().find(|(left, _)| *left == player.number);
            let played = left.map_or_else(
                || u16::try_from(self.played_by(player.number).count()).unwrap_or(u16::MAX),
                |(_, played)| *played,
            );
            !player.plays() && Withdrawal::judge(played, scheduled) == Withdrawal::Annulled
        };
        self.players.iter().filter(is_annulled).filter_map(|player| player.seed).collect()
    }

    fn knockout_ranking(&self) -> Ranking {
        let tournament = self.tournament();
        let points: BTreeMap<PairingNumber, String> = tournament
            .players
            .iter()
            .map(|player| (player.number, tournament.score(player).to_string()))
            .collect();
        let row = |(player, rank, _): (EntryNumber, u16, u32)| {
            let seed = self.player(player)?.seed?;
            let points = points.get(&seed).cloned().unwrap_or_default();
            Some(Place { rank, player, points, values: Vec::new(), performance: None })
        };
        Ranking {
            tie_breaks: Vec::new(),
            rows: self.knockout_ranks().into_iter().filter_map(row).collect(),
        }
    }

    fn arena_ranking(&self) -> Ranking {
        let scoring =
            ArenaScoring { streaks: self.regulations.arena.streaks, ..ArenaScoring::default() };
        let mut played = self.all_arena_games();
        let sheets: Vec<(PairingNumber, Vec<ArenaGame>)> = self
            .seeded()
            .into_iter()
            .filter_map(|player| {
                Some((player.seed?, played.remove(&player.number).unwrap_or_default()))
            })
            .collect();
        let known: BTreeMap<PairingNumber, (EntryNumber, usize)> = self
            .seeded()
            .into_iter()
            .zip(&sheets)
            .map(|(player, (seed, games))| (*seed, (player.number, games.len())))
            .collect();
        let row = |row: pairing::arena::ArenaRow| {
            let (player, games) = known.get(&row.player)?;
            Some(Place {
                rank: row.rank,
                player: *player,
                points: row.score.to_string(),
                values: vec![Some(games.to_string())],
                performance: row.performance.map(|performance| performance.to_string()),
            })
        };
        let rows = rank_players(&sheets, &scoring).into_iter().filter_map(row).collect();
        Ranking { tie_breaks: vec!["GAMES".to_owned()], rows }
    }

    /// Everybody's finished games in the order in which they were played. An arena of an hour has thousands of them:
    /// they are walked through once.
    fn all_arena_games(&self) -> BTreeMap<EntryNumber, Vec<ArenaGame>> {
        let known = Sheets::of(self);
        let mut all: BTreeMap<EntryNumber, Vec<ArenaGame>> = BTreeMap::new();
        for round in &self.rounds {
            for board in &round.boards {
                for side in Color::ALL {
                    if let Some(game) = known.game(round.number, board, side) {
                        all.entry(board.players[side]).or_default().push(game);
                    }
                }
            }
        }
        all
    }

    /// Somebody's finished games in the order in which they were played.
    pub(crate) fn arena_games(&self, player: EntryNumber) -> Vec<ArenaGame> {
        self.all_arena_games().remove(&player).unwrap_or_default()
    }

    /// How strong somebody played in an arena.
    pub fn arena_performance(&self, player: EntryNumber) -> Option<i64> {
        performance(&self.arena_games(player))
    }
}

/// What an arena knows of its games, to be looked up quickly.
struct Sheets<'event> {
    lengths: HashMap<GameId, u16>,
    berserks: HashSet<(GameId, EntryNumber)>,
    elsewhere: HashMap<(u16, u16), &'event Elsewhere>,
    ratings: HashMap<EntryNumber, Option<u16>>,
}

impl Sheets<'_> {
    fn of(event: &Event) -> Sheets<'_> {
        let players = event.players.iter();
        let elsewhere = event.elsewhere.iter();
        Sheets {
            lengths: event.lengths.iter().copied().collect(),
            berserks: event.berserks.iter().copied().collect(),
            elsewhere: elsewhere.map(|game| ((game.round, game.board), game)).collect(),
            ratings: players.map(|player| (player.number, player.details.rating)).collect(),
        }
    }

    /// A game as one side counts it; nothing while it is played.
    fn game(&self, round: u16, board: &EventBoard, side: Color) -> Option<ArenaGame> {
        let is_white = side == Color::White;
        let won = |won| if won { GameResult::Win } else { GameResult::Loss };
        let result = match board.result? {
            // Nobody played: it counts for nobody, and ends no streak.
            Score::BothAbsent => return None,
            Score::WhiteWins | Score::BlackAbsent => won(is_white),
            Score::BlackWins | Score::WhiteAbsent => won(!is_white),
            Score::Draw | Score::WhiteHalf | Score::BlackHalf => GameResult::Draw,
            Score::BothLose => GameResult::Loss,
        };
        let player = board.players[side];
        let (moves, berserk) = self.played(round, board, player);
        // Nobody counted the moves of a draw that the director entered: that it was too short cannot be said.
        let unknown = if result == GameResult::Draw { u16::MAX } else { 0 };
        let rating = self.ratings.get(&board.players[side.other()]).copied().flatten();
        Some(ArenaGame {
            result,
            berserk,
            moves: moves.unwrap_or(unknown),
            opponent_rating: rating.unwrap_or(1_500),
        })
    }

    fn played(&self, round: u16, board: &EventBoard, player: EntryNumber) -> (Option<u16>, bool) {
        match (board.game, self.elsewhere.get(&(round, board.number))) {
            (Some(game), _) => {
                (self.lengths.get(&game).copied(), self.berserks.contains(&(game, player)))
            }
            (None, Some(game)) => (game.moves, game.berserks.contains(&player)),
            (None, None) => (None, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::ByColor;

    #[test]
    fn a_draw_that_the_director_entered_in_an_arena_counts() {
        let sheets = Sheets {
            lengths: HashMap::new(),
            berserks: HashSet::new(),
            elsewhere: HashMap::new(),
            ratings: HashMap::new(),
        };
        let board = |result| EventBoard {
            number: 1,
            players: ByColor { white: 1, black: 2 },
            game: Some(GameId::from_bits(1)),
            result,
            reports: ByColor::same(None),
        };
        let points = |result| {
            let game = sheets.game(1, &board(result), Color::White)?;
            let rows = rank_players(&[(PairingNumber(1), vec![game])], &ArenaScoring::default());
            rows.first().map(|row| row.score)
        };
        assert_eq!(points(Some(Score::Draw)), Some(1));
        assert_eq!(points(Some(Score::WhiteWins)), Some(2));
        assert_eq!(points(None), None);
    }
}
