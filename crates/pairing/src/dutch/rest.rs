//! Whether those who are not paired yet can still be paired (C4), and whether the next bracket
//! has the best it could hope for (C8).
//!
//! A "yes" here is certain, a "no" may only mean that it was not seen.

use super::bracket::Bracket;
use crate::matching::bits::{BitGraph, Bits};
use crate::matching::cardinality::Cardinality;

/// How many ways out of a dead end are looked at.
const TRIES: usize = 4;

pub(super) struct Rest<'a> {
    bracket: &'a Bracket<'a>,
}

impl<'a> Rest<'a> {
    pub(super) fn new(bracket: &'a Bracket<'a>) -> Rest<'a> {
        Rest { bracket }
    }

    /// Whether all of these can be paired with each other, one of them getting the bye if asked.
    /// This answer is exact both ways.
    pub(super) fn is_complete(&self, players: impl Iterator<Item = usize>, with_bye: bool) -> bool {
        let graph = &self.bracket.roster.graph;
        let members = Bits::of(graph.size(), players);
        if with_bye {
            can_pair_but_one(graph, &members, |seat| self.bracket.may_take_bye(seat))
        } else {
            can_pair_all(graph, members)
        }
    }

    /// Whether these players and everybody below the next group can be paired.
    pub(super) fn completes_below(&self, left: &[usize], bye_given: bool) -> bool {
        let bracket = self.bracket;
        let bye_due = bracket.bye.is_some() && !bye_given;
        self.is_complete(left.iter().copied().chain(bracket.below.clone()), bye_due)
    }

    /// Whether these floaters leave the next bracket as good as any could, and everybody can
    /// be paired. The bye is not in the bracket itself.
    pub(super) fn welcomes(&self, floaters: &[usize]) -> bool {
        let bracket = self.bracket;
        let bye_due = bracket.bye.is_some();
        if floaters.is_empty() {
            return self.is_complete(bracket.next.start..bracket.below.end, bye_due);
        }
        if bracket.next.is_empty() {
            return false;
        }
        let bye_in_next = bye_due && bracket.bye >= Some(bracket.roster.score(bracket.next.start));
        if bye_in_next { self.welcomes_with_bye(floaters) } else { self.welcomes_without(floaters) }
    }

    /// All floaters find opponents in the next group, at most one of which then moves down.
    fn welcomes_without(&self, floaters: &[usize]) -> bool {
        let bracket = self.bracket;
        let bye_due = bracket.bye.is_some();
        let graph = &bracket.roster.graph;
        let members = Bits::of(graph.size(), floaters.iter().copied().chain(bracket.next.clone()));
        let mut matching = Cardinality::new(graph, members);
        let single = matching.grow(floaters);
        if single.iter().any(|seat| floaters.contains(seat)) || paired_among(&matching, floaters) {
            return false;
        }
        match single[..] {
            [] => self.is_complete(bracket.below.clone(), bye_due),
            [single] => {
                let others = matching.exchangeable(single);
                let ways = others.iter().filter(|seat| !floaters.contains(seat));
                std::iter::once(single).chain(ways.take(TRIES)).any(|seat| {
                    self.is_complete(std::iter::once(seat).chain(bracket.below.clone()), bye_due)
                })
            }
            _ => false,
        }
    }

    /// The same, when one of the next group gets the bye.
    fn welcomes_with_bye(&self, floaters: &[usize]) -> bool {
        let bracket = self.bracket;
        let graph = &bracket.roster.graph;
        let candidates = bracket.next.clone().rev().filter(|&seat| bracket.may_take_bye(seat));
        candidates.take(TRIES).any(|bye| {
            let others = bracket.next.clone().filter(|&seat| seat != bye);
            let members = Bits::of(graph.size(), floaters.iter().copied().chain(others));
            let mut matching = Cardinality::new(graph, members);
            let single = matching.grow(floaters);
            single.len() <= 1
                && !single.iter().any(|seat| floaters.contains(seat))
                && !paired_among(&matching, floaters)
                && self.is_complete(single.into_iter().chain(bracket.below.clone()), false)
        })
    }
}

/// Whether two floaters have been matched with each other, which proves nothing.
fn paired_among(matching: &Cardinality<'_>, floaters: &[usize]) -> bool {
    floaters.iter().any(|&seat| matching.mate(seat).is_some_and(|mate| floaters.contains(&mate)))
}

/// Whether all of these can be paired with each other.
fn can_pair_all(graph: &BitGraph, members: Bits) -> bool {
    Cardinality::new(graph, members).grow(&[]).is_empty()
}

/// Whether all of these can be paired with each other when one of the candidates is taken out.
fn can_pair_but_one(
    graph: &BitGraph,
    members: &Bits,
    is_candidate: impl Fn(usize) -> bool,
) -> bool {
    lowest_single(graph, members, is_candidate).is_some()
}

/// The last of the candidates without whom all others can be paired with each other. The very
/// last candidate is tried first, because that is mostly the answer.
pub(super) fn lowest_single(
    graph: &BitGraph,
    members: &Bits,
    is_candidate: impl Fn(usize) -> bool,
) -> Option<usize> {
    let last = members.last_where(&is_candidate)?;
    let mut others = members.clone();
    others.remove(last);
    if can_pair_all(graph, others) {
        return Some(last);
    }
    let mut matching = Cardinality::new(graph, members.clone());
    let [single] = matching.grow(&[])[..] else { return None };
    matching.exchangeable(single).last_where(is_candidate)
}
