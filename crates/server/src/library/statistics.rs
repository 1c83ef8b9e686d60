//! Sums over many games: how somebody does with which opening, colour, opponent, at what time of day.

use std::collections::BTreeMap;

use library::filter::{contains_words, folded};
use library::{Facts, Filter, Source, Speed, Subject};
use rules::opening;
use rules::pgn::GameResult;
use serde::Serialize;
use store::AccountId;
use utoipa::ToSchema;

use super::query::LibraryQuery;
use super::{Library, LibraryError};

/// Results seen from one player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ScoreSum {
    /// Won.
    wins: u32,
    /// Drawn.
    draws: u32,
    /// Lost.
    losses: u32,
}

/// A group of games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ScoreGroup {
    /// What they have in common: an opening, `white`, a difference of ratings, an hour, a length, a month.
    name: String,
    /// How they went.
    #[serde(flatten)]
    score: ScoreSum,
}

/// Sums over the games of one player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryStatistics {
    /// All games with a result in which it is known which side the player had.
    total: ScoreSum,
    /// Games that were looked at, with and without a result.
    games: u64,
    /// `white` and `black`.
    by_color: Vec<ScoreGroup>,
    /// Openings by family, the most frequent first, at most 30.
    by_opening: Vec<ScoreGroup>,
    /// By the opponent's rating minus one's own, in steps of a hundred, from the weakest up.
    by_strength: Vec<ScoreGroup>,
    /// By the hour of the day in UTC, `00` to `23`, where it is known.
    by_hour: Vec<ScoreGroup>,
    /// By the number of moves, in steps of ten.
    by_length: Vec<ScoreGroup>,
    /// By month, `2026-11`, oldest first.
    by_month: Vec<ScoreGroup>,
    /// By speed.
    by_speed: Vec<ScoreGroup>,
    /// By the least time the player ever had left, in hundredths of the time to begin with: `0`, `5`, `10`, `25`, `50`
    /// and more, where the clock was noted.
    by_clock: Vec<ScoreGroup>,
    /// The player's rating in standard chess over the days, by speed: of games played here, or of the source that is
    /// asked for.
    ratings: Vec<LibraryRatingLine>,
    /// Whether all games were looked at. For some time after a start there may be games that cannot be found yet.
    is_ready: bool,
}

/// A rating over the days.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryRatingLine {
    /// How fast the games are.
    speed: String,
    /// The oldest first, at most 200.
    points: Vec<LibraryRatingPoint>,
}

/// A rating on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LibraryRatingPoint {
    /// When the last game of the day began.
    at: i64,
    /// The rating in it.
    rating: u16,
}

/// Openings in the answer.
const OPENINGS: usize = 30;
/// Points of a rating in the answer.
const POINTS: usize = 200;
/// From how many hundredths of the time on a group of `by_clock` begins.
const CLOCK_STEPS: [u8; 5] = [50, 25, 10, 5, 0];

#[derive(Default)]
struct Sums {
    games: u64,
    total: ScoreSum,
    color: BTreeMap<&'static str, ScoreSum>,
    opening: BTreeMap<&'static str, ScoreSum>,
    strength: BTreeMap<i32, ScoreSum>,
    hour: BTreeMap<i32, ScoreSum>,
    length: BTreeMap<u16, ScoreSum>,
    month: BTreeMap<(i32, i32), ScoreSum>,
    speed: BTreeMap<&'static str, ScoreSum>,
    clock: BTreeMap<u8, ScoreSum>,
    /// The last moment and rating of every day.
    ratings: BTreeMap<Speed, BTreeMap<i32, (i32, u16)>>,
    rated_at: Option<Source>,
}

/// Who the sums are about.
struct Seen {
    /// Whose games they are.
    subject: Subject,
    /// Words of a name, folded: then it is whoever the filter has found by them.
    words: Option<String>,
    /// Words of the opponent's name, folded.
    opponent: Option<String>,
    /// The side the filter asks for.
    wanted: Option<usize>,
}

impl Library {
    /// Sums over the games of a scope, seen from its player.
    pub(crate) async fn statistics(
        &self,
        asked: &LibraryQuery,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<LibraryStatistics, LibraryError> {
        let (view, filter, subject) = self.question(asked, asker, is_member).await?;
        let seen = Seen::new(subject, &filter);
        let is_ready = self.is_ready();
        self.ask(move |index| {
            let rated_at = Some(filter.source.unwrap_or(Source::Here));
            let mut sums = Sums { rated_at, ..Sums::default() };
            index.each(&view, &filter, |facts| sums.take(&facts, seen.side(&facts)))?;
            Ok(LibraryStatistics { is_ready, ..sums.finish() })
        })
        .await
    }
}

impl Seen {
    fn new(subject: Subject, filter: &Filter) -> Seen {
        Seen {
            subject,
            words: filter.player.as_deref().map(folded),
            opponent: filter.opponent.as_deref().map(folded),
            wanted: filter.side.map(|side| side as usize),
        }
    }

    /// The side the player had: that of the own account or name, or the one the filter means.
    fn side(&self, facts: &Facts) -> Option<usize> {
        let is_own = |side: &usize| self.subject.is(facts.accounts[*side], &facts.names[*side]);
        let is_meant = |side: &usize| {
            let has = |side: usize, words: &Option<String>| {
                let fits = |words: &String| contains_words(&folded(&facts.names[side]), words);
                words.as_ref().is_none_or(fits)
            };
            has(*side, &self.words)
                && has(1 - *side, &self.opponent)
                && self.wanted.is_none_or(|wanted| wanted == *side)
        };
        let meant = [0, 1].into_iter().filter(is_meant);
        // If the words fit both, it is rather the one whose games these are. Without words it is nobody else.
        let own = meant.clone().find(is_own);
        own.or_else(|| meant.clone().next().filter(|_| self.words.is_some()))
    }
}

impl Sums {
    fn take(&mut self, facts: &Facts, side: Option<usize>) {
        self.games += 1;
        let Some(side) = side else { return };
        let ahead = match facts.result {
            GameResult::WhiteWins => 1,
            GameResult::BlackWins => -1,
            GameResult::Draw => 0,
            GameResult::Unknown => return,
        };
        let ahead = if side == 0 { ahead } else { -ahead };
        let one = |sum: &mut ScoreSum| match ahead {
            1 => sum.wins += 1,
            0 => sum.draws += 1,
            _ => sum.losses += 1,
        };
        one(&mut self.total);
        one(self.color.entry(if side == 0 { "white" } else { "black" }).or_default());
        if let Some((_, name)) = facts.opening.and_then(opening::by_number) {
            let family = name.split(':').next().unwrap_or(name);
            one(self.opening.entry(family).or_default());
        }
        let (own, other) = (i32::from(facts.elos[side]), i32::from(facts.elos[1 - side]));
        if own > 0 && other > 0 {
            let step = (other - own).div_euclid(100).clamp(-5, 4);
            one(self.strength.entry(step).or_default());
        }
        if facts.played != i32::MIN {
            let day = facts.played.div_euclid(1_440);
            let minute = facts.played.rem_euclid(1_440);
            one(self.month.entry(month_of(day)).or_default());
            // A day without a time of day is midnight: that is no hour anybody told.
            if minute > 0 {
                one(self.hour.entry(minute / 60).or_default());
            }
        }
        one(self.length.entry((facts.plies / 20).min(10)).or_default());
        if let Some(speed) = facts.speed {
            one(self.speed.entry(speed.name()).or_default());
            self.note_rating(facts, speed, facts.elos[side]);
        }
        if let Some(least) = facts.least_clock[side] {
            let step = CLOCK_STEPS.into_iter().find(|step| least >= *step).unwrap_or(0);
            one(self.clock.entry(step).or_default());
        }
    }

    fn note_rating(&mut self, facts: &Facts, speed: Speed, rating: u16) {
        let is_rated =
            rating > 0 && facts.played != i32::MIN && self.rated_at == Some(facts.source);
        // Other kinds of chess have ratings of their own: both on one line would be a line of nothing.
        if !is_rated || !facts.is_usual {
            return;
        }
        let days = self.ratings.entry(speed).or_default();
        let last = days.entry(facts.played.div_euclid(1_440)).or_default();
        if *last == (0, 0) || last.0 <= facts.played {
            *last = (facts.played, rating);
        }
    }

    fn finish(self) -> LibraryStatistics {
        fn groups<K>(sums: BTreeMap<K, ScoreSum>, name: impl Fn(K) -> String) -> Vec<ScoreGroup> {
            sums.into_iter().map(|(key, score)| ScoreGroup { name: name(key), score }).collect()
        }
        let mut by_opening = groups(self.opening, str::to_owned);
        by_opening.sort_by_key(|group| std::cmp::Reverse(group.score.games()));
        by_opening.truncate(OPENINGS);
        let mut by_color = groups(self.color, str::to_owned);
        by_color.reverse();
        LibraryStatistics {
            total: self.total,
            games: self.games,
            by_color,
            by_opening,
            by_strength: groups(self.strength, |step| (step * 100).to_string()),
            by_hour: groups(self.hour, |hour| format!("{hour:02}")),
            by_length: groups(self.length, |step| (step * 10).to_string()),
            by_month: groups(self.month, |(year, month)| format!("{year:04}-{month:02}")),
            by_speed: groups(self.speed, str::to_owned),
            by_clock: groups(self.clock, |step| step.to_string()),
            ratings: self
                .ratings
                .into_iter()
                .map(|(speed, days)| rating_line(speed, &days))
                .collect(),
            is_ready: true,
        }
    }
}

/// At most [`POINTS`] points of a line, the last one among them.
fn rating_line(speed: Speed, days: &BTreeMap<i32, (i32, u16)>) -> LibraryRatingLine {
    let step = days.len().div_ceil(POINTS).max(1);
    let from_end = (days.len() - 1) % step;
    let points = days.values().skip(from_end).step_by(step);
    let point = |(minute, rating): &(i32, u16)| LibraryRatingPoint {
        at: i64::from(*minute) * 60_000,
        rating: *rating,
    };
    LibraryRatingLine { speed: speed.name().to_owned(), points: points.map(point).collect() }
}

impl ScoreSum {
    fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// Year and month of a day counted from 1970. The year begins in March, so that the leap day is its last.
fn month_of(day: i32) -> (i32, i32) {
    let days = day + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year + i32::from(month <= 2), month)
}

#[cfg(test)]
mod tests {
    use library::Record;
    use rules::pgn::{Item, Limits, read_games};

    use super::*;

    #[test]
    fn the_player_of_the_sums_is_the_one_the_filter_finds() {
        let facts = |white: &str, black: &str| {
            let sheet = format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n");
            let items = read_games(sheet.as_bytes(), Limits::default());
            let game = items.into_iter().find_map(|item| match item {
                Item::Game(read) => Some(read.game),
                Item::Stray(_) => None,
            });
            Record::of(&game.expect("a game")).facts
        };
        let seen = |name: &str, filter: &Filter| Seen::new(Subject::new(Vec::new(), name), filter);
        let check = |player: &str, white: &str, black: &str, side: Option<usize>| {
            let filter = Filter { player: Some(player.to_owned()), ..Filter::default() };
            let found = seen("", &filter).side(&facts(white, black));
            assert_eq!(found, side, "{player} in {white} – {black}");
        };
        check("magnus carlsen", "Anand, Viswanathan", "Carlsen, Magnus", Some(1));
        check("muller", "M\u{fc}ller, Karsten", "Anand", Some(0));
        check("M\u{fc}ller", "Anand", "Muller", Some(1));
        check("carlsen", "Anand", "Kramnik", None);
        let mine = seen("Anna", &Filter::default());
        assert_eq!(mine.side(&facts("Bert", "anna")), Some(1));
        assert_eq!(mine.side(&facts("Hanna", "Annabel")), None, "another name");
        let side = Some(library::Side::Black);
        let filter = Filter { player: Some("an".to_owned()), side, ..Filter::default() };
        let black = seen("", &filter);
        assert_eq!(black.side(&facts("Anand", "Anna")), Some(1), "the side that is asked for");
        let filter = Filter { side, ..Filter::default() };
        let mine = seen("Anna", &filter);
        assert_eq!(mine.side(&facts("Bert", "Anna")), Some(1));
        assert_eq!(mine.side(&facts("Anna", "Bert")), None, "not the side that is asked for");
    }

    #[test]
    fn months_are_those_of_the_calendar() {
        for (day, month) in [
            (0, (1970, 1)),
            (-1, (1969, 12)),
            (11_016, (2000, 2)),
            (11_017, (2000, 3)),
            (20_454, (2026, 1)),
        ] {
            assert_eq!(month_of(day), month, "{day}");
        }
    }

    #[test]
    fn a_long_line_of_ratings_is_thinned_and_keeps_its_end() {
        let days: BTreeMap<i32, (i32, u16)> =
            (0..1_001).map(|day| (day, (day * 1_440, 1_500))).collect();
        let line = rating_line(Speed::Blitz, &days);
        assert!(line.points.len() <= POINTS && line.points.len() > POINTS / 2);
        assert_eq!(line.points.last().map(|point| point.at), Some(1_000 * 86_400_000));
    }
}
