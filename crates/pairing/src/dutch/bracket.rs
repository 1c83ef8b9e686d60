//! One bracket: who is in it, what lies below, and the ways to pair it.
//!
//! The best pairing of a bracket depends on everything below, because those who move down must
//! find opponents (C4) and leave the next bracket the best pairing (C8). Looking at everything
//! is slow, so the bracket is first paired as if whoever moves down were welcome; if that is
//! then seen to be true, nothing better can exist. Only otherwise the next score group, and at
//! last everybody, is taken into the calculation.

use std::ops::Range;

use super::quick;
use super::rest::{Rest, Welcome};
use super::roster::Roster;
use super::sequence::pair_exactly;
use crate::model::Points;

/// How much of the field a calculation looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The bracket alone.
    Bracket,
    /// The next score group too.
    WithNext,
    /// Everybody who is not paired yet.
    All,
}

/// Which shortcuts may be taken. They change the time a pairing takes, never the pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// All of them.
    Quick,
    /// Weights for every bracket, but only as much of the field as needed.
    Weights,
    /// Weights over the whole field for every bracket.
    Everything,
}

/// Moved-down players, residents and what lies below.
#[derive(Debug, Clone)]
pub(super) struct Bracket<'a> {
    pub(super) roster: &'a Roster,
    /// Moved-down players first, then residents, each in order.
    pub(super) members: Vec<usize>,
    /// How many of them have moved down.
    pub(super) movers: usize,
    /// The score of the residents.
    pub(super) score: Points,
    /// The next score group.
    pub(super) next: Range<usize>,
    /// Everybody below that.
    pub(super) below: Range<usize>,
    /// The score of whoever gets the bye, as long as it is to be given.
    pub(super) bye: Option<Points>,
    /// Members who must be paired here, if somebody wants to know what would be then.
    pub(super) staying: Vec<usize>,
}

/// A bracket paired.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Pairs, the higher-ranked first.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Those who move down, in order; whoever gets the bye is one of them.
    pub(super) floaters: Vec<usize>,
    /// Who got the bye in the matching.
    pub(super) bye: Option<usize>,
    /// Those whom the matching left without anybody.
    pub(super) left: Vec<usize>,
}

/// How often somebody may be ruled out as the one to move down before weights decide.
const TRIES: usize = 6;

impl<'a> Bracket<'a> {
    /// The bracket of the highest score group.
    pub(super) fn top(roster: &'a Roster, bye: Option<Points>) -> Bracket<'a> {
        let first = roster.group_at(0);
        let next = roster.group_at(first.end);
        Bracket {
            roster,
            score: roster.score(first.start),
            members: first.collect(),
            movers: 0,
            below: next.end..roster.len(),
            next,
            bye,
            staying: Vec::new(),
        }
    }

    /// The bracket after this one, if these move down and the bye is still to be given or not.
    pub(super) fn following(&self, floaters: &[usize], bye: Option<Points>) -> Bracket<'a> {
        let next = self.roster.group_at(self.next.end);
        Bracket {
            roster: self.roster,
            score: self.roster.seats.get(self.next.start).map_or(self.score, |seat| seat.score),
            members: floaters.iter().copied().chain(self.next.clone()).collect(),
            movers: floaters.len(),
            below: next.end..self.roster.len(),
            next,
            bye,
            staying: Vec::new(),
        }
    }

    /// Whether these are the only ones who move down, one and with the bye in the bracket: then
    /// nobody else is left who could have it.
    pub(super) fn gives_bye_to(&self, floaters: &[usize]) -> Option<usize> {
        match floaters[..] {
            [single] if self.is_bye_inside() => Some(single),
            _ => None,
        }
    }

    /// Whether the player with the bye is in this bracket: all who could have it are.
    pub(super) fn is_bye_inside(&self) -> bool {
        self.bye.is_some_and(|bye| bye >= self.score)
    }

    /// Whether a player may get the bye by C2 and C5.
    pub(super) fn may_take_bye(&self, seat: usize) -> bool {
        let seat = &self.roster.seats[seat];
        seat.may_have_bye && self.bye.is_some_and(|score| seat.score <= score)
    }

    /// The most unplayed games of anybody who may get the bye here.
    pub(super) fn most_unplayed(&self) -> u16 {
        let candidates = self.members.iter().filter(|&&seat| self.may_take_bye(seat));
        candidates.map(|&seat| self.roster.seats[seat].unplayed).max().unwrap_or(0)
    }

    pub(super) fn pair(&self, effort: Effort) -> Option<Outcome> {
        if effort == Effort::Everything {
            return pair_exactly(
                self,
                Scope::All,
                self.is_bye_inside() && self.can_only_bye_leave(),
            );
        }
        if self.is_bye_inside() {
            self.pair_with_bye(effort)
        } else {
            self.pair_without_bye(effort)
        }
    }

    /// Whether the bracket can be paired so that only the player with the bye is left over.
    fn can_only_bye_leave(&self) -> bool {
        let rest = Rest::new(self);
        rest.is_complete(self.members.iter().copied(), true)
            && rest.is_complete(self.beneath(), false)
    }

    fn beneath(&self) -> Range<usize> {
        self.next.start..self.below.end
    }

    fn pair_with_bye(&self, effort: Effort) -> Option<Outcome> {
        if self.can_only_bye_leave() {
            let quick =
                if effort == Effort::Quick { quick::pair(self, &self.staying) } else { None };
            let outcome = quick.or_else(|| pair_exactly(self, Scope::Bracket, true));
            return outcome.or_else(|| self.pair_with_more());
        }
        self.pair_with_more()
    }

    fn pair_without_bye(&self, effort: Effort) -> Option<Outcome> {
        let rest = Rest::new(self);
        let mut staying = self.staying.clone();
        while effort == Effort::Quick && staying.len() < self.staying.len() + TRIES {
            let Some(outcome) = quick::pair(self, &staying) else { break };
            match (rest.welcome(&outcome.floaters), &outcome.floaters[..]) {
                (Welcome::Yes, _) => return Some(outcome),
                // Whoever makes the next bracket worse than another would does not move down.
                (Welcome::No, &[floater]) => staying.push(floater),
                _ => return self.pair_with_more(),
            }
        }
        if staying == self.staying
            && let Some(outcome) = pair_exactly(self, Scope::Bracket, false)
            && rest.welcome(&outcome.floaters) == Welcome::Yes
        {
            return Some(outcome);
        }
        self.pair_with_more()
    }

    fn pair_with_more(&self) -> Option<Outcome> {
        if !self.below.is_empty()
            && let Some(outcome) = pair_exactly(self, Scope::WithNext, false)
            && Rest::new(self).completes_below(&outcome.left, outcome.bye.is_some())
        {
            return Some(outcome);
        }
        pair_exactly(self, Scope::All, false)
    }
}
