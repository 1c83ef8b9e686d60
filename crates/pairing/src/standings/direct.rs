//! Direct encounter: the games of the tied among themselves (article 6).

use std::collections::BTreeMap;

use super::records::Records;

/// What a player made against the others of the group.
#[derive(Debug, Clone, Copy)]
struct Encounters {
    place: usize,
    /// The sum of the average scores against each, so scaled that averages stay whole.
    score: i64,
    /// How many of the others were not met.
    missing: i64,
}

/// A number that the usual numbers of games between two divide.
const SCALE: i64 = 2520;

/// The position of each of the tied within their group, from 1; nothing for a group of one.
pub(super) fn positions(
    records: &Records<'_>,
    group: &[usize],
    forfeits_played: bool,
) -> Vec<Option<u16>> {
    if group.len() < 2 {
        return vec![None; group.len()];
    }
    let mut found = BTreeMap::new();
    rank(records, group, forfeits_played, 1, &mut found);
    group.iter().map(|place| found.get(place).copied()).collect()
}

/// Ranks a group whose first position is given.
fn rank(
    records: &Records<'_>,
    group: &[usize],
    forfeits_played: bool,
    first: u16,
    found: &mut BTreeMap<usize, u16>,
) {
    let mut table = encounters(records, group, forfeits_played);
    table.sort_by_key(|encounters| -encounters.score);
    if table.iter().all(|encounters| encounters.missing == 0) {
        let parts = table.chunk_by(|a, b| a.score == b.score).collect::<Vec<_>>();
        let mut position = first;
        for part in &parts {
            let places: Vec<usize> = part.iter().map(|encounters| encounters.place).collect();
            let size = u16::try_from(places.len()).unwrap_or(u16::MAX);
            if parts.len() > 1 && places.len() > 1 {
                rank(records, &places, forfeits_played, position, found);
            } else {
                found.extend(places.into_iter().map(|place| (place, position)));
            }
            position = position.saturating_add(size);
        }
        return;
    }
    // Somebody is first whatever the missing games would give; then perhaps somebody second.
    let scoring = &records.tournament.scoring;
    let (win, loss) =
        (i64::from(scoring.win.tenths()) * SCALE, i64::from(scoring.loss.tenths()) * SCALE);
    let least = |encounters: &Encounters| encounters.score + encounters.missing * loss;
    let most = |encounters: &Encounters| encounters.score + encounters.missing * win;
    let mut position = first;
    loop {
        let Some(best) = (0..table.len()).max_by_key(|&index| least(&table[index])) else { return };
        let others = table.iter().enumerate().filter(|(index, _)| *index != best);
        let is_first = others
            .map(|(_, other)| most(other))
            .max()
            .is_none_or(|other| other < least(&table[best]));
        if !is_first {
            break;
        }
        found.insert(table.remove(best).place, position);
        position = position.saturating_add(1);
    }
    let rest: Vec<usize> = table.iter().map(|encounters| encounters.place).collect();
    if position > first {
        rank(records, &rest, forfeits_played, position, found);
    } else {
        found.extend(rest.into_iter().map(|place| (place, position)));
    }
}

fn encounters(records: &Records<'_>, group: &[usize], forfeits_played: bool) -> Vec<Encounters> {
    let mut is_tied = vec![false; records.tournament.players.len()];
    for &place in group {
        is_tied[place] = true;
    }
    let others = i64::try_from(group.len()).unwrap_or(i64::MAX) - 1;
    let of = |&place: &usize| {
        let player = &records.tournament.players[place];
        let mut met: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
        for entry in &player.rounds {
            let opponent = records.opponent(entry).filter(|&opponent| is_tied[opponent]);
            if let Some(opponent) =
                opponent.filter(|_| records.counts_as_game(entry, forfeits_played))
            {
                let (sum, games) = met.entry(opponent).or_default();
                *sum += i64::from(records.tournament.scoring.points(entry).tenths());
                *games += 1;
            }
        }
        let score = met.values().map(|(sum, games)| sum * SCALE / games).sum();
        Encounters { place, score, missing: others - i64::try_from(met.len()).unwrap_or(0) }
    };
    group.iter().map(of).collect()
}
