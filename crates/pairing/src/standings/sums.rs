//! The tie-breaks that give every player a number of their own.

use super::code::{Cut, Kind, TieBreak};
use super::records::{Encounter, Records, with_last_round_drawn};
use super::{Format, Value, rating};
use crate::model::{Bye, Colour, Entry, GameResult, Player, Points, RoundNumber};

/// The values of a tie-break for all players; nothing if it does not apply to this event or needs
/// to know who is tied.
pub(super) fn column(records: &Records<'_>, tie_break: &TieBreak) -> Option<Vec<Option<Value>>> {
    let count = records.tournament.players.len();
    let each =
        |value: &dyn Fn(usize) -> Value| Some((0..count).map(|place| Some(value(place))).collect());
    let counted = |counts: &dyn Fn(&Entry) -> bool| {
        each(&|place| {
            let rounds = &records.tournament.players[place].rounds;
            let number = rounds.iter().filter(|entry| counts(entry)).count();
            Value::whole(i64::try_from(number).unwrap_or(i64::MAX))
        })
    };
    match tie_break.kind {
        Kind::DirectEncounter => None,
        Kind::Wins => each(&|place| count_wins(records, place)),
        Kind::GamesWon => counted(&|entry| is_won(records, entry)),
        Kind::BlackGames => counted(&|entry| is_black(records, entry)),
        Kind::BlackWins => counted(&|entry| is_black(records, entry) && is_won(records, entry)),
        Kind::Progressive => each(&|place| progressive(records, place, tie_break.cut)),
        Kind::RoundsElected => counted(&is_elected),
        Kind::StandardPoints => each(&|place| standard_points(records, place)),
        Kind::PairingNumber => {
            each(&|place| Value::whole(i64::from(records.tournament.players[place].number.0)))
        }
        Kind::Buchholz => each(&|place| Value::tenths(buchholz(records, place, tie_break))),
        Kind::ForeBuchholz => {
            let drawn = with_last_round_drawn(records.tournament);
            let drawn = Records::new(&drawn, &records.rules);
            each(&|place| Value::tenths(buchholz(&drawn, place, tie_break)))
        }
        Kind::AverageBuchholz => Some(average_buchholz(records, tie_break.fore)),
        Kind::SonnebornBerger => {
            each(&|place| Value::from_hundredths(sonneborn_berger(records, place, tie_break)))
        }
        Kind::Koya => {
            let most = most_games(records);
            each(&|place| koya(records, place, most, tie_break.limit))
        }
        Kind::AverageRating
        | Kind::Performance
        | Kind::PerfectPerformance
        | Kind::AveragePerformance
        | Kind::AveragePerfectPerformance
        | Kind::Rating => rating::column(records, tie_break),
    }
}

/// Whether a forfeit counts as a game in the tie-breaks of the own results: a win of a round
/// robin does, a loss does not (15.2).
fn is_game_for_own_results(records: &Records<'_>, entry: &Entry) -> bool {
    match entry {
        Entry::Game { .. } => true,
        Entry::Forfeit { won, .. } => *won && records.rules.format == Format::RoundRobin,
        Entry::Bye(_) => false,
    }
}

fn is_won(records: &Records<'_>, entry: &Entry) -> bool {
    let won = matches!(
        entry,
        Entry::Game { result: GameResult::Win, .. } | Entry::Forfeit { won: true, .. }
    );
    won && is_game_for_own_results(records, entry)
}

fn is_black(records: &Records<'_>, entry: &Entry) -> bool {
    let black = matches!(
        entry,
        Entry::Game { colour: Colour::Black, .. }
            | Entry::Forfeit { colour: Some(Colour::Black), .. }
    );
    black && is_game_for_own_results(records, entry)
}

/// Whether the player wanted to play the round.
fn is_elected(entry: &Entry) -> bool {
    !matches!(
        entry,
        Entry::Bye(Bye::Half | Bye::Zero | Bye::Full) | Entry::Forfeit { won: false, .. }
    )
}

fn points_by_round<'a>(
    records: &'a Records<'_>,
    place: usize,
) -> impl Iterator<Item = Points> + 'a {
    let player = &records.tournament.players[place];
    (0..player.rounds.len())
        .map(|index| records.tournament.points_in(player, RoundNumber::from_index(index)))
}

fn count_wins(records: &Records<'_>, place: usize) -> Value {
    let win = records.tournament.scoring.win;
    let wins = points_by_round(records, place).filter(|&points| points >= win).count();
    Value::whole(i64::try_from(wins).unwrap_or(i64::MAX))
}

fn progressive(records: &Records<'_>, place: usize, cut: Cut) -> Value {
    let scores: Vec<i64> = points_by_round(records, place)
        .scan(Points::ZERO, |score, points| {
            *score += points;
            Some(i64::from(score.tenths()))
        })
        .collect();
    let end = scores.len().saturating_sub(usize::from(cut.highest));
    Value::tenths(scores.iter().take(end).skip(usize::from(cut.lowest)).sum())
}

/// A whole point for every round in which more was made than by the opponent, half a point for
/// as much; an unplayed round is compared with a draw (7.7).
fn standard_points(records: &Records<'_>, place: usize) -> Value {
    let tournament = records.tournament;
    let rounds =
        tournament.players[place].rounds.iter().zip(points_by_round(records, place)).enumerate();
    let tenths = rounds.map(|(index, (entry, points))| {
        let other = match records.opponent(entry) {
            Some(opponent) if entry.is_played() => {
                tournament.points_in(&tournament.players[opponent], RoundNumber::from_index(index))
            }
            _ => tournament.scoring.draw,
        };
        match points.cmp(&other) {
            std::cmp::Ordering::Greater => 10,
            std::cmp::Ordering::Equal => 5,
            std::cmp::Ordering::Less => 0,
        }
    });
    Value::tenths(tenths.sum())
}

/// One addend of a sum that can be cut.
#[derive(Debug, Clone, Copy)]
struct Addend {
    value: i64,
    /// What tells which addend counts least: the opponent's score.
    significance: i64,
    voluntary: bool,
}

/// The sum without the least and the most significant addends (14), where rounds one did not
/// want to play go first as long as that does not spare a greater value (16.5).
fn cut_sum(mut addends: Vec<Addend>, cut: Cut) -> i64 {
    let key = |addend: &Addend| (addend.significance, addend.value);
    for _ in 0..cut.lowest {
        let least = (0..addends.len()).min_by_key(|&index| key(&addends[index]));
        let voluntary = (0..addends.len()).filter(|&index| addends[index].voluntary);
        let voluntary = voluntary.min_by_key(|&index| addends[index].value);
        match (least, voluntary) {
            (Some(least), Some(voluntary)) if addends[voluntary].value >= addends[least].value => {
                addends.swap_remove(voluntary);
            }
            (Some(least), _) => {
                addends.swap_remove(least);
            }
            (None, _) => {}
        }
    }
    for _ in 0..cut.highest {
        if let Some(most) = (0..addends.len()).max_by_key(|&index| key(&addends[index])) {
            addends.swap_remove(most);
        }
    }
    addends.iter().fold(0, |sum: i64, addend| sum.saturating_add(addend.value))
}

fn buchholz(records: &Records<'_>, place: usize, tie_break: &TieBreak) -> i64 {
    let addend = |encounter: &Encounter| {
        let value = i64::from(encounter.opponent.tenths());
        Addend { value, significance: value, voluntary: encounter.voluntary }
    };
    let encounters = records.encounters(place, tie_break.forfeits_played);
    cut_sum(encounters.iter().map(addend).collect(), tie_break.cut)
}

/// In hundredths: tenths of the opponent times tenths of the points made.
fn sonneborn_berger(records: &Records<'_>, place: usize, tie_break: &TieBreak) -> i64 {
    let addend = |encounter: &Encounter| {
        let significance = i64::from(encounter.opponent.tenths());
        let value = significance.saturating_mul(i64::from(encounter.points.tenths()));
        Addend { value, significance, voluntary: encounter.voluntary }
    };
    let encounters = records.encounters(place, tie_break.forfeits_played);
    cut_sum(encounters.iter().map(addend).collect(), tie_break.cut)
}

/// The average Buchholz of the opponents met over the board, to a hundredth.
fn average_buchholz(records: &Records<'_>, fore: bool) -> Vec<Option<Value>> {
    let count = records.tournament.players.len();
    let plain = TieBreak::plain(Kind::Buchholz);
    let values: Vec<i64> = if fore {
        let drawn = with_last_round_drawn(records.tournament);
        let drawn = Records::new(&drawn, &records.rules);
        (0..count).map(|place| buchholz(&drawn, place, &plain)).collect()
    } else {
        (0..count).map(|place| buchholz(records, place, &plain)).collect()
    };
    let average = |place: usize| {
        let met = records.tournament.players[place].rounds.iter().filter(|entry| entry.is_played());
        let met: Vec<i64> = met
            .filter_map(|entry| records.opponent(entry))
            .map(|place| values[place] * 10)
            .collect();
        Some(Value::from_hundredths(rating::average(&met)))
    };
    (0..count).map(average).collect()
}

/// How many games a player could have: in a round robin a round of rest is none.
fn most_games(records: &Records<'_>) -> i32 {
    let games = |player: &Player| match records.rules.format {
        Format::RoundRobin => {
            player.rounds.iter().filter(|entry| entry.opponent_paired().is_some()).count()
        }
        Format::Swiss => player.rounds.len(),
    };
    records
        .tournament
        .players
        .iter()
        .map(games)
        .max()
        .and_then(|most| i32::try_from(most).ok())
        .unwrap_or(0)
}

/// The points made against those with at least half of what was possible.
fn koya(records: &Records<'_>, place: usize, most_games: i32, limit: i8) -> Value {
    let tournament = records.tournament;
    let possible = tournament.scoring.win * most_games;
    // Doubled, so that half of an odd number of tenths stays whole.
    let step = i64::from(tournament.scoring.draw.tenths());
    let threshold = i64::from(possible.tenths()) + 2 * i64::from(limit) * step;
    let rounds = tournament.players[place].rounds.iter().zip(points_by_round(records, place));
    let counted = rounds.filter(|(entry, _)| {
        let opponent = records.opponent(entry).filter(|_| records.counts_as_game(entry, false));
        opponent
            .is_some_and(|opponent| 2 * i64::from(records.score[opponent].tenths()) >= threshold)
    });
    Value::from(counted.map(|(_, points)| points).sum::<Points>())
}
