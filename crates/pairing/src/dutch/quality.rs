//! How good a paired bracket is: the list of values that C6 to C21 compare.

use std::cmp::Ordering;

use super::bracket::{Bracket, Effort};
use super::criteria::{Criterion, colour_costs, was_down, was_up};
use super::rest::Rest;
use crate::model::Points;

/// The values of a paired bracket, criterion by criterion; smaller is better, a list is
/// compared from its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quality(Vec<(Criterion, Vec<i32>)>);

impl Quality {
    /// Rates these pairs and those who move down. Nothing if the rest could not be paired (C4).
    pub(super) fn of(
        bracket: &Bracket<'_>,
        pairs: &[(usize, usize)],
        floaters: &[usize],
    ) -> Option<Quality> {
        let next = next_bracket(bracket, floaters)?;
        let seat = |index: usize| &bracket.roster.seats[index];
        let is_mover = |index: &usize| bracket.members[..bracket.movers].contains(index);
        let number = |count: usize| vec![i32::try_from(count).unwrap_or(i32::MAX)];
        let mut values = vec![
            (Criterion::C6, number(floaters.len())),
            (Criterion::C7, descending(floaters.iter().map(|&floater| seat(floater).score))),
            (Criterion::C8, next),
        ];
        let unplayed = bracket.gives_bye_to(floaters).map_or(0, |bye| seat(bye).unplayed);
        values.push((Criterion::C9, vec![i32::from(unplayed)]));
        for (criterion, index) in
            [Criterion::C10, Criterion::C11, Criterion::C12, Criterion::C13].into_iter().zip(0..)
        {
            let cost = |pair: &&(usize, usize)| colour_costs(seat(pair.0), seat(pair.1))[index];
            values.push((criterion, number(pairs.iter().filter(cost).count())));
        }
        let met_by_mover = |ago: usize| {
            let pairs = pairs.iter().filter(move |pair| is_mover(&pair.0));
            pairs.filter(move |pair| was_up(seat(pair.1), ago)).map(|pair| seat(pair.0).score)
        };
        let moving =
            |ago: usize| floaters.iter().filter(move |&&floater| was_down(seat(floater), ago));
        for (ago, down, up) in
            [(1, Criterion::C14, Criterion::C15), (2, Criterion::C16, Criterion::C17)]
        {
            values.push((down, number(moving(ago).filter(|floater| !is_mover(floater)).count())));
            values.push((up, number(met_by_mover(ago).count())));
        }
        for (ago, down, up) in
            [(1, Criterion::C18, Criterion::C19), (2, Criterion::C20, Criterion::C21)]
        {
            let again = moving(ago).filter(|floater| is_mover(floater));
            values.push((down, descending(again.map(|&floater| seat(floater).score))));
            values.push((up, descending(met_by_mover(ago))));
        }
        Some(Quality(values))
    }

    /// The first criterion by which the two differ, and how this one stands there.
    pub(super) fn first_difference(&self, other: &Quality) -> Option<(Criterion, Ordering)> {
        let mut both = self.0.iter().zip(&other.0);
        both.find(|(own, theirs)| own.1 != theirs.1)
            .map(|(own, theirs)| (own.0, own.1.cmp(&theirs.1)))
    }

    /// The value of a criterion that counts something.
    pub(super) fn count(&self, criterion: Criterion) -> i32 {
        let found = self.0.iter().find(|(own, _)| *own == criterion);
        found.and_then(|(_, values)| values.first()).copied().unwrap_or(0)
    }
}

fn descending(scores: impl Iterator<Item = Points>) -> Vec<i32> {
    let mut scores: Vec<i32> = scores.map(Points::tenths).collect();
    scores.sort_unstable_by(|one, other| other.cmp(one));
    scores
}

/// C8: how many leave the next bracket at best, and with which scores.
fn next_bracket(bracket: &Bracket<'_>, floaters: &[usize]) -> Option<Vec<i32>> {
    let with_bye = bracket.gives_bye_to(floaters).is_some();
    let bye = if with_bye { None } else { bracket.bye };
    let floaters = if with_bye { &[] } else { floaters };
    if floaters.is_empty() {
        // The same whatever happens here.
        let rest = bracket.next.start..bracket.below.end;
        return Rest::new(bracket).is_complete(rest, bye.is_some()).then(Vec::new);
    }
    if bracket.next.is_empty() {
        return None;
    }
    let next = bracket.following(floaters, bye);
    let leaving = next.pair(Effort::Quick)?.floaters;
    if next.next.is_empty() && leaving.len() > usize::from(next.is_bye_inside()) {
        return None;
    }
    let mut value = vec![i32::try_from(leaving.len()).unwrap_or(i32::MAX)];
    value.extend(descending(leaving.iter().map(|&seat| bracket.roster.score(seat))));
    Some(value)
}
