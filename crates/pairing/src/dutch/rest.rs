//! Whether those who are not paired yet can still be paired (C4), and whether the next bracket
//! has the best it could hope for (C8).
//!
//! Pairing graphs are nearly complete, so the answer is mostly a quick "yes". Where it is not
//! seen at once, a few ways are tried before the question is given up as unknown.

use super::bracket::Bracket;
use crate::matching::bits::{BitGraph, Bits};
use crate::matching::cardinality::Cardinality;

/// What is known about those who would move down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Welcome {
    /// The next bracket is as good as any could be, and everybody can be paired.
    Yes,
    /// Certainly not.
    No,
    /// Nobody knows without weights.
    Unknown,
}

/// How many ways out of a dead end are looked at when an answer is worth it: a single floater
/// can be ruled out by it, several cannot.
const TRIES: usize = 12;
const FEW_TRIES: usize = 2;

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
    pub(super) fn welcome(&self, floaters: &[usize]) -> Welcome {
        let bracket = self.bracket;
        let bye_due = bracket.bye.is_some();
        if floaters.is_empty() {
            let rest = bracket.next.start..bracket.below.end;
            return if self.is_complete(rest, bye_due) { Welcome::Yes } else { Welcome::No };
        }
        if bracket.next.is_empty() {
            return Welcome::No;
        }
        let bye_in_next = bye_due && bracket.bye >= Some(bracket.roster.score(bracket.next.start));
        let welcome = if bye_in_next {
            self.welcome_with_bye(floaters)
        } else {
            self.welcome_among(floaters, bracket.next.clone(), bye_due)
        };
        // Several floaters can be matched in many ways, of which one has been seen.
        if welcome == Welcome::No && floaters.len() > 1 { Welcome::Unknown } else { welcome }
    }

    /// One of the next group gets the bye: whoever may is tried.
    fn welcome_with_bye(&self, floaters: &[usize]) -> Welcome {
        let next = self.bracket.next.clone();
        let candidates = next.clone().rev().filter(|&seat| self.bracket.may_take_bye(seat));
        let mut answer = Welcome::No;
        for (tries, bye) in candidates.enumerate() {
            if tries == tries_for(floaters) {
                return Welcome::Unknown;
            }
            let others = next.clone().filter(|&seat| seat != bye);
            match self.welcome_among(floaters, others, false) {
                Welcome::Yes => return Welcome::Yes,
                Welcome::No => {}
                Welcome::Unknown => answer = Welcome::Unknown,
            }
        }
        answer
    }

    /// All floaters find opponents among these, at most one of whom is then left and finds
    /// one further below.
    fn welcome_among(
        &self,
        floaters: &[usize],
        next: impl Iterator<Item = usize>,
        bye_due: bool,
    ) -> Welcome {
        let below = self.bracket.below.clone();
        let graph = &self.bracket.roster.graph;
        let members = Bits::of(graph.size(), floaters.iter().copied().chain(next));
        let mut matching = Cardinality::new(graph, members);
        let single = matching.grow(floaters);
        if single.iter().any(|seat| floaters.contains(seat)) || paired_among(&matching, floaters) {
            return Welcome::No;
        }
        let completes =
            |seat: usize| self.is_complete(std::iter::once(seat).chain(below.clone()), bye_due);
        match single[..] {
            [] if self.is_complete(below.clone(), bye_due) => Welcome::Yes,
            [single] if completes(single) => Welcome::Yes,
            [single] => {
                let others = matching.exchangeable(single);
                let mut ways = others.iter().filter(|seat| !floaters.contains(seat));
                if ways.by_ref().take(tries_for(floaters)).any(completes) {
                    Welcome::Yes
                } else if ways.next().is_some() {
                    Welcome::Unknown
                } else {
                    Welcome::No
                }
            }
            _ => Welcome::No,
        }
    }
}

fn tries_for(floaters: &[usize]) -> usize {
    if floaters.len() == 1 { TRIES } else { FEW_TRIES }
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
