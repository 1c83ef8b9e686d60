//! The exact way to pair a bracket: the heaviest matching, then the first candidate in order.
//!
//! The graph holds the bracket, and by [`Scope`] also the next score group and everybody
//! below. Vertices stand in pairing order; after the players come, if needed, the bye and a
//! dummy that makes the number even. [`super::sequence`] decides among equally heavy matchings
//! by forbidding edges one after the other.

use std::collections::BTreeMap;

use super::bracket::{Bracket, Outcome, Scope};
use super::layout::Layout;
use super::seat::{Float, Seat, Strength};
use crate::matching::NONE;
use crate::matching::weighted::Matcher;
use crate::matching::wide::Weight;
use crate::model::{Colour, Points};

/// What has been decided about a player of the bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Duty {
    /// Nothing yet.
    Open,
    /// Is paired here; a resident as the higher-ranked of the pair.
    Upper,
    /// A mover who is not paired here.
    Limbo,
    /// A resident who is the lower-ranked of a pair, or moves down.
    Lower,
}

/// A small advantage for some edges of one vertex, to see whether they can be had for nothing.
#[derive(Debug, Clone)]
pub(super) enum Bump {
    None,
    /// Being paired in the bracket.
    Paired {
        vertex: usize,
    },
    /// Being the higher-ranked of a pair.
    Upper {
        vertex: usize,
    },
    /// Anything else.
    NotUpper {
        vertex: usize,
    },
    /// Being paired with those who have a grade, the higher the better.
    Graded {
        vertex: usize,
        grades: Vec<u32>,
    },
}

/// The order of the remainder while exchanges are decided.
#[derive(Debug, Clone)]
pub(super) struct Halves {
    /// By vertex: the place in the remainder, or `NONE`.
    pub(super) place: Vec<u32>,
    /// The size of the upper half.
    pub(super) upper: usize,
    /// The size of the remainder.
    pub(super) size: usize,
}

/// The graph of a bracket with all decisions so far.
#[derive(Debug)]
pub(super) struct Graph<'a, W> {
    pub(super) bracket: &'a Bracket<'a>,
    pub(super) layout: Layout,
    scope: Scope,
    /// The seat of each vertex that is a player.
    seats: Vec<usize>,
    /// The number of bracket members, and of these with the next group.
    pub(super) members: usize,
    next_end: usize,
    bye: usize,
    pub(super) size: usize,
    most_unplayed: u16,
    kind: Vec<u16>,
    kinds: usize,
    table: Vec<W>,
    /// By member: the weight of finding an opponent in the next group.
    floater: Vec<W>,
    next_pair: W,
    pub(super) frozen: Vec<u32>,
    pub(super) duty: Vec<Duty>,
    /// Members who must be paired in the bracket.
    stays: Vec<bool>,
    pub(super) bump: Bump,
    pub(super) halves: Option<Halves>,
}

/// Everything about a player that the weight of a pair depends on.
type Kind = (u8, Points, Option<Colour>, Strength, u16, Option<Colour>, [Float; 2]);

impl<'a, W: Weight> Graph<'a, W> {
    pub(super) fn new(bracket: &'a Bracket<'a>, scope: Scope, layout: Layout) -> Graph<'a, W> {
        let mut seats = bracket.members.clone();
        let members = seats.len();
        if scope != Scope::Bracket {
            seats.extend(bracket.next.clone());
        }
        let next_end = seats.len();
        if scope == Scope::All {
            seats.extend(bracket.below.clone());
        }
        let bye_here =
            if scope == Scope::All { bracket.bye.is_some() } else { bracket.is_bye_inside() };
        let bye = if bye_here { seats.len() } else { usize::MAX };
        let size = (seats.len() + usize::from(bye_here)).next_multiple_of(2);
        let mut graph = Graph {
            layout,
            scope,
            seats,
            members,
            next_end,
            bye,
            size,
            most_unplayed: bracket.most_unplayed(),
            kind: Vec::new(),
            kinds: 0,
            table: Vec::new(),
            floater: Vec::new(),
            next_pair: W::ZERO,
            frozen: vec![NONE; size],
            duty: vec![Duty::Open; members],
            stays: bracket.members.iter().map(|seat| bracket.staying.contains(seat)).collect(),
            bump: Bump::None,
            halves: None,
            bracket,
        };
        graph.fill_table();
        graph
    }

    /// Sorts the members into kinds and computes the weight of every pair of kinds once.
    fn fill_table(&mut self) {
        let mut known: BTreeMap<Kind, u16> = BTreeMap::new();
        let mut examples: Vec<&Seat> = Vec::new();
        for vertex in 0..self.members {
            let seat = &self.bracket.roster.seats[self.seats[vertex]];
            let role = u8::from(vertex >= self.bracket.movers);
            let kind = (
                role,
                seat.score,
                seat.wants,
                seat.strength,
                seat.imbalance,
                seat.repeated,
                seat.floats,
            );
            let next = u16::try_from(known.len()).unwrap_or(u16::MAX);
            let number = *known.entry(kind).or_insert(next);
            if number == next {
                examples.push(seat);
            }
            self.kind.push(number);
        }
        let seat = |vertex: usize| &self.bracket.roster.seats[self.seats[vertex]];
        self.floater = (0..self.members).map(|vertex| self.layout.floater(seat(vertex))).collect();
        self.next_pair = self.layout.next_pair();
        self.kinds = examples.len();
        let layout = &self.layout;
        self.table = examples
            .iter()
            .flat_map(|upper| examples.iter().map(|lower| layout.pair(upper, lower)))
            .collect();
    }

    pub(super) fn movers(&self) -> usize {
        self.bracket.movers
    }

    fn seat(&self, vertex: usize) -> &Seat {
        &self.bracket.roster.seats[self.seats[vertex]]
    }

    fn joined(&self, one: usize, other: usize) -> bool {
        self.bracket.roster.graph.joined(self.seats[one], self.seats[other])
    }

    /// Whether two vertices, the first one higher-ranked, may be a pair of the bracket by the
    /// rules and by what has been decided.
    pub(super) fn can_pair(&self, upper: usize, lower: usize) -> bool {
        lower < self.members
            && lower >= self.movers()
            && !matches!(self.duty[upper], Duty::Limbo | Duty::Lower)
            && self.duty[lower] != Duty::Upper
            && self.joined(upper, lower)
    }

    /// The weight of an edge, `None` if it must not be used.
    pub(super) fn weight(&self, one: usize, other: usize) -> Option<W> {
        let (upper, lower) = if one < other { (one, other) } else { (other, one) };
        if self.frozen[upper] != NONE || self.frozen[lower] != NONE {
            if self.frozen[upper] as usize != lower {
                return None;
            }
        } else if !self.can_pair(upper, lower) {
            let weight = self.weight_outside(upper, lower)?;
            let bumped = matches!(self.bump, Bump::NotUpper { vertex } if vertex == upper || vertex == lower);
            return Some(if bumped { weight + W::shifted(1, self.layout.order) } else { weight });
        }
        let base =
            self.table[usize::from(self.kind[upper]) * self.kinds + usize::from(self.kind[lower])];
        Some(base + self.place_weight(upper, lower) + self.bump_weight(upper, lower))
    }

    /// The weight of everything that is not a pair of the bracket.
    fn weight_outside(&self, upper: usize, lower: usize) -> Option<W> {
        let must_pair = |vertex: usize| {
            vertex < self.members && (self.duty[vertex] == Duty::Upper || self.stays[vertex])
        };
        if must_pair(upper) || must_pair(lower) {
            return None;
        }
        if lower >= self.seats.len() {
            if lower == self.bye {
                if !self.bracket.may_take_bye(self.seats[upper]) {
                    return None;
                }
                let fewer = self.most_unplayed.saturating_sub(self.seat(upper).unplayed);
                return Some(self.layout.bye(fewer));
            }
            return (upper != self.bye).then_some(W::ZERO);
        }
        // Movers do not meet each other, and members meet each other only as a pair of the bracket.
        if lower >= self.members && self.joined(upper, lower) {
            return Some(if lower >= self.next_end {
                W::ZERO
            } else if upper < self.members {
                self.floater[upper]
            } else {
                self.next_pair
            });
        }
        (self.scope != Scope::All).then_some(W::ZERO)
    }

    /// While exchanges are decided: players of the upper half count, and low places count.
    fn place_weight(&self, upper: usize, lower: usize) -> W {
        let Some(halves) = &self.halves else { return W::ZERO };
        let place = halves.place[upper];
        if place == NONE || halves.place[lower] == NONE {
            return W::ZERO;
        }
        let gain = W::shifted((halves.size - place as usize) as u64, self.layout.places);
        if (place as usize) < halves.upper {
            gain + W::shifted(1, self.layout.halves)
        } else {
            gain
        }
    }

    fn bump_weight(&self, upper: usize, lower: usize) -> W {
        let units = match &self.bump {
            Bump::Paired { vertex } => u32::from(*vertex == upper || *vertex == lower),
            Bump::Upper { vertex } => u32::from(*vertex == upper),
            Bump::NotUpper { vertex } => u32::from(*vertex == lower),
            Bump::Graded { vertex, grades } if *vertex == upper => grades[lower],
            Bump::Graded { .. } | Bump::None => 0,
        };
        if units == 0 { W::ZERO } else { W::shifted(u64::from(units), self.layout.order) }
    }

    /// Whether two matched vertices are a pair of the bracket.
    pub(super) fn is_pair(&self, one: usize, other: usize) -> bool {
        let (upper, lower) = (one.min(other), one.max(other));
        upper < self.members
            && (self.frozen[upper] as usize == lower || self.can_pair(upper, lower))
    }

    /// What the matching means.
    pub(super) fn outcome(&self, matcher: &Matcher<W>) -> Outcome {
        let mut outcome = Outcome::default();
        for vertex in 0..self.next_end {
            let mate = matcher.mate(vertex);
            let is_player = mate < self.seats.len();
            if vertex < self.members && mate < self.members && self.is_pair(vertex, mate) {
                if vertex < mate {
                    outcome.pairs.push((self.seats[vertex], self.seats[mate]));
                }
                continue;
            }
            if vertex < self.members {
                outcome.floaters.push(self.seats[vertex]);
            }
            if mate == self.bye {
                outcome.bye = Some(self.seats[vertex]);
            } else if !(is_player && vertex.max(mate) >= self.members && self.joined(vertex, mate))
            {
                outcome.left.push(self.seats[vertex]);
            }
        }
        outcome
    }
}
