//! Standings: points, then tie-breaks in the order the regulations name.
//!
//! The tie-breaks are those of FIDE's regulations C.07 for individuals in the text of 1 March
//! 2026, with their treatment of unplayed rounds. Team tie-breaks and drawing of lots are not
//! here: who is equal after the whole list shares the rank.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "entries come from iterators; their size is chance"
)]

mod code;
mod direct;
pub(crate) mod rating;
mod records;
mod sums;
mod table;
mod value;

use serde::{Deserialize, Serialize};

pub use code::{Cut, Kind, TieBreak, TieBreakError, parse_list};
pub use rating::expected as expected_percent;
pub use value::Value;

use crate::model::{ModelError, PairingNumber, Points, Title, Tournament};
use records::Records;

/// How the opponents were found: it decides what an unplayed round is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Swiss: unplayed rounds follow article 16.
    #[default]
    Swiss,
    /// Everybody meets everybody: a forfeit counts as a game (article 15.2).
    RoundRobin,
}

/// Which text of the tie-break regulations applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edition {
    /// From 1 March 2026: the dummy opponent's score has a cap.
    #[default]
    March2026,
    /// From 1 August 2024 to 28 February 2026: it has none.
    August2024,
}

/// What the regulations of an event say about its standings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rules {
    /// Swiss or round robin.
    pub format: Format,
    /// The text that applies.
    pub edition: Edition,
    /// The rating of players without one. If it is not defined, tie-breaks by rating are dropped
    /// as soon as somebody is unrated (article 10).
    pub unrated_as: Option<u16>,
}

impl Rules {
    /// The rules a tournament's own code of its system points to.
    pub fn of(tournament: &Tournament) -> Rules {
        let format = if tournament.system.contains("ROUNDROBIN") {
            Format::RoundRobin
        } else {
            Format::Swiss
        };
        Rules { format, ..Rules::default() }
    }
}

/// One line of the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The rank; equal for those whom nothing tells apart.
    pub rank: u16,
    /// Who.
    pub player: PairingNumber,
    /// The name.
    pub name: String,
    /// The title, if any.
    pub title: Option<Title>,
    /// The rating, if any.
    pub rating: Option<u16>,
    /// The points.
    pub points: Points,
    /// The values of the tie-breaks, in their order. None where one does not apply: direct
    /// encounter of somebody who is not tied, tie-breaks by rating among unrated players.
    pub values: Vec<Option<Value>>,
}

/// The standings of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// The tie-breaks in the order in which they were used.
    pub tie_breaks: Vec<TieBreak>,
    /// The lines, the first first; those of equal rank by number.
    pub rows: Vec<Row>,
}

/// Computes the standings after all rounds that were paired.
pub fn standings(
    tournament: &Tournament,
    tie_breaks: &[TieBreak],
    rules: &Rules,
) -> Result<Standings, ModelError> {
    standings_during(tournament, tournament, tie_breaks, rules)
}

/// Computes the standings while a round is played: points as they are now, tie-breaks as they were after the last
/// round that is complete. A tie-break says how strong the opposition was; while half of a round is missing, it would
/// say who has finished early.
///
/// Both tournaments have the same players in the same order.
pub fn standings_during(
    now: &Tournament,
    tournament: &Tournament,
    tie_breaks: &[TieBreak],
    rules: &Rules,
) -> Result<Standings, ModelError> {
    now.check()?;
    tournament.check()?;
    let records = Records::new(tournament, rules);
    let points: Vec<Points> = now.players.iter().map(|player| now.score(player)).collect();
    let count = tournament.players.len().min(points.len());
    let columns: Vec<Vec<Option<Value>>> = tie_breaks
        .iter()
        .map(|tie_break| sums::column(&records, tie_break).unwrap_or_else(|| vec![None; count]))
        .collect();
    let mut values: Vec<Vec<Option<Value>>> =
        (0..count).map(|place| columns.iter().map(|column| column[place]).collect()).collect();

    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by_key(|&place| (-points[place], tournament.players[place].number));
    let mut groups = split(&places, |&place| points[place]);
    for (index, tie_break) in tie_breaks.iter().enumerate() {
        let mut next = Vec::with_capacity(groups.len());
        for mut group in groups {
            if tie_break.kind == Kind::DirectEncounter {
                let positions = direct::positions(&records, &group, tie_break.forfeits_played);
                for (place, position) in group.iter().zip(positions) {
                    values[*place][index] =
                        position.map(|position| Value::whole(i64::from(position)));
                }
            }
            let key = |place: &usize| {
                let value = values[*place][index].map_or(0, Value::hundredths);
                if tie_break.is_lower_better() { value } else { -value }
            };
            group.sort_by_key(|place| (key(place), tournament.players[*place].number));
            next.extend(split(&group, key));
        }
        groups = next;
    }

    let mut rows = Vec::with_capacity(count);
    for group in groups {
        let rank = u16::try_from(rows.len() + 1).unwrap_or(u16::MAX);
        for place in group {
            let player = &tournament.players[place];
            rows.push(Row {
                rank,
                player: player.number,
                name: player.name.clone(),
                title: player.title,
                rating: player.rating,
                points: points[place],
                values: std::mem::take(&mut values[place]),
            });
        }
    }
    Ok(Standings { tie_breaks: tie_breaks.to_vec(), rows })
}

/// Cuts a sorted list into groups of equal keys.
fn split<K: PartialEq>(places: &[usize], key: impl Fn(&usize) -> K) -> Vec<Vec<usize>> {
    places.chunk_by(|a, b| key(a) == key(b)).map(<[usize]>::to_vec).collect()
}
