//! Among equally good candidates the first one (articles 3 and 4): which moved-down players
//! are paired, whom they meet, who changes halves, and who meets whom.
//!
//! Every question "could this be so without making anything worse?" is first asked of the
//! duals, which answer most of them at once: an edge that is not tight is in no heaviest
//! matching. Only otherwise a small bump on the edges in question shows whether it can be had.

use super::bracket::{Bracket, Outcome, Scope};
use super::layout::Layout;
use super::scope::{Bump, Duty, Graph, Halves};
use crate::matching::weighted::Matcher;
use crate::matching::wide::{Weight, Wide};
use crate::matching::{NONE, compact};

/// Pairs a bracket exactly; nothing if the scope has no matching at all.
pub(super) fn pair_exactly(
    bracket: &Bracket<'_>,
    scope: Scope,
    with_bye_rank: bool,
) -> Option<Outcome> {
    let layout = Layout::new(bracket, scope, with_bye_rank);
    // Duals can be sums of as many weights as there are vertices in a path.
    let vertices = bracket.roster.len() + 2;
    let bits = layout.bits + (usize::BITS - vertices.leading_zeros()) + 2;
    match bits {
        0..=62 => Sequence::<i64>::new(bracket, scope, layout).run(),
        63..=126 => Sequence::<i128>::new(bracket, scope, layout).run(),
        127..=190 => Sequence::<Wide<3>>::new(bracket, scope, layout).run(),
        191..=254 => Sequence::<Wide<4>>::new(bracket, scope, layout).run(),
        255..=510 => Sequence::<Wide<8>>::new(bracket, scope, layout).run(),
        511..=2046 => Sequence::<Wide<32>>::new(bracket, scope, layout).run(),
        // Enough for moved-down players of more than two thousand different scores.
        _ => Sequence::<Wide<512>>::new(bracket, scope, layout).run(),
    }
}

struct Sequence<'a, W> {
    graph: Graph<'a, W>,
    matcher: Matcher<W>,
}

impl<'a, W: Weight> Sequence<'a, W> {
    fn new(bracket: &'a Bracket<'a>, scope: Scope, layout: Layout) -> Sequence<'a, W> {
        let graph = Graph::new(bracket, scope, layout);
        let matcher = Matcher::new(graph.size);
        Sequence { graph, matcher }
    }

    fn run(mut self) -> Option<Outcome> {
        let graph = &self.graph;
        if !self.matcher.solve(&|one, other| graph.weight(one, other)) {
            return None;
        }
        self.choose_movers();
        self.choose_opponents();
        self.pair_remainder();
        Some(self.graph.outcome(&self.matcher))
    }

    fn is_paired(&self, vertex: usize) -> bool {
        self.graph.is_pair(vertex, self.matcher.mate(vertex))
    }

    fn is_upper(&self, vertex: usize) -> bool {
        self.matcher.mate(vertex) > vertex && self.is_paired(vertex)
    }

    fn is_tight(&self, one: usize, other: usize) -> bool {
        let graph = &self.graph;
        self.matcher.is_tight(one, other, &|one, other| graph.weight(one, other))
    }

    fn reweigh(&mut self, vertex: usize) {
        let graph = &self.graph;
        let found = self.matcher.reweigh(vertex, &|one, other| graph.weight(one, other));
        debug_assert!(found, "decisions keep a matching possible");
    }

    /// Gives a bump, looks where the matching goes, and takes the bump back.
    fn attempt(&mut self, vertex: usize, bump: Bump, decide: impl FnOnce(&Self) -> Duty) {
        self.graph.bump = bump;
        self.reweigh(vertex);
        let duty = decide(self);
        self.graph.bump = Bump::None;
        self.graph.duty[vertex] = duty;
        self.reweigh(vertex);
    }

    fn set_duty(&mut self, vertex: usize, duty: Duty) {
        self.graph.duty[vertex] = duty;
        self.restrict(&[vertex]);
    }

    /// Edges of these vertices have been forbidden.
    fn restrict(&mut self, vertices: &[usize]) {
        let graph = &self.graph;
        let found = self.matcher.restrict(vertices, &|one, other| graph.weight(one, other));
        debug_assert!(found, "decisions keep a matching possible");
    }

    /// Of the movers with equal scores the higher-ranked ones are paired if they can be.
    fn choose_movers(&mut self) {
        let movers = self.graph.movers();
        let score = |sequence: &Self, mover: usize| {
            let bracket = sequence.graph.bracket;
            bracket.roster.score(bracket.members[mover])
        };
        let mut start = 0;
        while start < movers {
            let end = (start..movers)
                .find(|&mover| score(self, mover) != score(self, start))
                .unwrap_or(movers);
            let mut places = (start..end).filter(|&mover| self.is_paired(mover)).count();
            for mover in start..end {
                if places == 0 || places == end - mover {
                    break;
                }
                self.choose_mover(mover);
                places -= usize::from(self.graph.duty[mover] == Duty::Upper);
            }
            start = end;
        }
    }

    fn choose_mover(&mut self, mover: usize) {
        if self.is_paired(mover) {
            self.set_duty(mover, Duty::Upper);
            return;
        }
        let residents = self.graph.movers()..self.graph.members;
        let possible = residents
            .into_iter()
            .any(|other| self.graph.can_pair(mover, other) && self.is_tight(mover, other));
        if possible {
            self.attempt(mover, Bump::Paired { vertex: mover }, |sequence| {
                if sequence.is_paired(mover) { Duty::Upper } else { Duty::Limbo }
            });
        } else {
            self.set_duty(mover, Duty::Limbo);
        }
    }

    fn choose_opponents(&mut self) {
        for mover in 0..self.graph.movers() {
            if self.is_paired(mover) {
                self.choose_partner(mover);
            }
        }
    }

    /// Fixes the pair of a vertex: with the first partner that keeps everything heaviest.
    fn choose_partner(&mut self, vertex: usize) {
        let mate = self.matcher.mate(vertex);
        let first = self.graph.movers().max(vertex + 1);
        let better: Vec<usize> = (first..mate)
            .filter(|&other| self.graph.frozen[other] == NONE)
            .filter(|&other| self.graph.can_pair(vertex, other) && self.is_tight(vertex, other))
            .collect();
        let Some(&first) = better.first() else {
            self.freeze(vertex, mate);
            return;
        };
        let graph = &self.graph;
        if self.matcher.swap(vertex, first, &|one, other| graph.weight(one, other)) {
            self.freeze(vertex, first);
            return;
        }
        let mut grades = vec![0; self.graph.members];
        // The present mate has the lowest grade, or a tie could lead to somebody worse.
        for (&other, grade) in better.iter().chain([&mate]).rev().zip(1..) {
            grades[other] = grade;
        }
        self.graph.bump = Bump::Graded { vertex, grades };
        self.reweigh(vertex);
        self.graph.bump = Bump::None;
        let mate = self.matcher.mate(vertex);
        self.graph.frozen[vertex] = compact(mate);
        self.graph.frozen[mate] = compact(vertex);
        self.reweigh(vertex);
        self.restrict(&[mate]);
    }

    fn freeze(&mut self, vertex: usize, mate: usize) {
        self.graph.frozen[vertex] = compact(mate);
        self.graph.frozen[mate] = compact(vertex);
        self.restrict(&[vertex, mate]);
    }

    fn pair_remainder(&mut self) {
        let residents = self.graph.movers()..self.graph.members;
        let rest: Vec<usize> =
            residents.filter(|&vertex| self.graph.frozen[vertex] == NONE).collect();
        let pairs = rest.iter().filter(|&&vertex| self.is_upper(vertex)).count();
        let (upper, lower) = rest.split_at(pairs);
        if !upper.iter().all(|&vertex| self.is_upper(vertex)) {
            self.minimise_exchange(&rest, pairs);
            let exchanged = upper.iter().filter(|&&vertex| !self.is_upper(vertex)).count();
            if exchanged > 0 {
                self.choose_leaving(upper, exchanged, &rest);
                self.choose_coming(lower, exchanged, &rest);
            }
        }
        for &vertex in &rest {
            self.graph.duty[vertex] = if self.is_upper(vertex) { Duty::Upper } else { Duty::Lower };
        }
        self.restrict(&rest);
        for &vertex in &rest {
            if self.graph.duty[vertex] == Duty::Upper {
                self.choose_partner(vertex);
            }
        }
    }

    /// The fewest exchanges, and of these the smallest difference of places.
    fn minimise_exchange(&mut self, rest: &[usize], pairs: usize) {
        let mut place = vec![NONE; self.graph.size];
        for (index, &vertex) in rest.iter().enumerate() {
            place[vertex] = compact(index);
        }
        self.graph.halves = Some(Halves { place: place.clone(), upper: pairs, size: rest.len() });
        let graph = &self.graph;
        let (halves, places) = (graph.layout.halves, graph.layout.places);
        let all = W::shifted(rest.len() as u64, places);
        // Edges between the halves stay as tight as they were; all others only get looser.
        let shift = |vertex: usize| match place[vertex] {
            NONE => W::ZERO,
            own if (own as usize) < pairs => {
                W::shifted(1, halves) - W::shifted(u64::from(own), places)
            }
            _ => all,
        };
        let found = self.matcher.reweigh_all(shift, &|one, other| graph.weight(one, other));
        debug_assert!(found, "weights do not change what is possible");
    }

    /// The lowest-ranked players of the upper half that can leave it do.
    fn choose_leaving(&mut self, upper: &[usize], mut exchanged: usize, rest: &[usize]) {
        for (index, &vertex) in upper.iter().enumerate().rev() {
            if exchanged == 0 {
                break;
            }
            let above = &rest[..index];
            if !self.is_upper(vertex) {
                self.set_duty(vertex, Duty::Lower);
            } else if above
                .iter()
                .any(|&other| self.graph.can_pair(other, vertex) && self.is_tight(other, vertex))
                || self.could_move_down(vertex)
            {
                self.attempt(vertex, Bump::NotUpper { vertex }, |sequence| {
                    if sequence.is_upper(vertex) { Duty::Upper } else { Duty::Lower }
                });
            } else {
                self.set_duty(vertex, Duty::Upper);
            }
            exchanged -= usize::from(self.graph.duty[vertex] == Duty::Lower);
        }
    }

    fn could_move_down(&self, vertex: usize) -> bool {
        (0..self.graph.size)
            .filter(|&other| other != vertex && self.graph.frozen[other] == NONE)
            .any(|other| !self.graph.is_pair(vertex, other) && self.is_tight(vertex, other))
    }

    /// The highest-ranked players of the lower half that can take their places do.
    fn choose_coming(&mut self, lower: &[usize], mut exchanged: usize, rest: &[usize]) {
        let first = rest.len() - lower.len();
        for (index, &vertex) in lower.iter().enumerate() {
            if exchanged == 0 {
                break;
            }
            let below = &rest[first + index + 1..];
            if self.is_upper(vertex) {
                self.set_duty(vertex, Duty::Upper);
            } else if below
                .iter()
                .any(|&other| self.graph.can_pair(vertex, other) && self.is_tight(vertex, other))
            {
                self.attempt(vertex, Bump::Upper { vertex }, |sequence| {
                    if sequence.is_upper(vertex) { Duty::Upper } else { Duty::Lower }
                });
            } else {
                self.set_duty(vertex, Duty::Lower);
            }
            exchanged -= usize::from(self.graph.duty[vertex] == Duty::Upper);
        }
    }
}
