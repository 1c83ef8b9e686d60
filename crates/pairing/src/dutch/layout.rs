//! All criteria of a bracket packed into one number: the weight of a pair.
//!
//! Every criterion becomes a field of bits wide enough for its largest possible sum, the
//! strictest in the highest bits, so that the heaviest matching is the best one by C6, then by
//! C7, and so on. Weights reward what is good: a pair made, a preference met, a player spared
//! a second float. Criteria that cannot matter in a bracket get no bits at all.

use super::bracket::{Bracket, Scope};
use super::criteria::{colour_costs, was_down, was_up};
use super::seat::Seat;
use crate::matching::wide::Weight;
use crate::model::Points;

/// A field: where it begins, or nothing if the criterion cannot matter.
type Field = Option<u32>;

/// Which bits of a weight belong to which criterion.
#[derive(Debug)]
pub(super) struct Layout {
    pairs: Field,
    /// One field per score of moved-down players, the highest first.
    mover_scores: Vec<Field>,
    next_pairs: Field,
    next_scores: Vec<Field>,
    bye: Field,
    colours: [Field; 4],
    down: [Field; 2],
    up: [Field; 2],
    down_scores: [Vec<Field>; 2],
    up_scores: [Vec<Field>; 2],
    /// The number of players who stay in their half.
    pub(super) halves: u32,
    /// The places of those who stay or come.
    pub(super) places: u32,
    /// Where small differences for the order of candidates begin.
    pub(super) order: u32,
    /// How many bits a weight takes.
    pub(super) bits: u32,
    /// The scores of moved-down players, the highest first.
    scores: Vec<Points>,
}

/// Gives out fields from the lowest bit upwards.
struct Allotment(u32);

impl Allotment {
    fn field(&mut self, largest_sum: usize) -> Field {
        if largest_sum == 0 {
            return None;
        }
        let start = self.0;
        self.0 += usize::BITS - largest_sum.leading_zeros();
        Some(start)
    }

    /// One field per item, the first item in the highest bits.
    fn fields(&mut self, largest_sums: &[usize]) -> Vec<Field> {
        let mut fields: Vec<Field> =
            largest_sums.iter().rev().map(|&sum| self.field(sum)).collect();
        fields.reverse();
        fields
    }
}

impl Layout {
    pub(super) fn new(bracket: &Bracket<'_>, scope: Scope, with_bye_rank: bool) -> Layout {
        let roster = bracket.roster;
        let seat = move |index: &usize| -> &Seat { &roster.seats[*index] };
        let (movers, residents) = bracket.members.split_at(bracket.movers);
        let mut scores: Vec<Points> = movers.iter().map(|mover| roster.score(*mover)).collect();
        scores.dedup();
        let count = |filter: &dyn Fn(&Seat) -> bool| -> Vec<usize> {
            let counted = |score: Points| {
                movers
                    .iter()
                    .map(seat)
                    .filter(|mover| mover.score == score && filter(mover))
                    .count()
            };
            scores.iter().map(|score| counted(*score)).collect()
        };
        let pairs = bracket.members.len() / 2;
        let rest = residents.len();
        let mut bits = Allotment(1);
        let order = bits.field(2 * bracket.members.len() + 2).unwrap_or(1);
        let places = bits.field(rest * (pairs + 2) + 1).unwrap_or(1);
        let halves = bits.field(pairs + 1).unwrap_or(1);
        let repeated_up = [1, 2].map(|ago| {
            !movers.is_empty() && residents.iter().map(seat).any(|seat| was_up(seat, ago))
        });
        let all = count(&|_| true);
        let floats = |bits: &mut Allotment, ago: usize| {
            let up = if repeated_up[ago - 1] { bits.fields(&all) } else { vec![None; all.len()] };
            let down = bits.fields(&count(&|mover| was_down(mover, ago)));
            (down, up)
        };
        let (down_2, up_2) = floats(&mut bits, 2);
        let (down_1, up_1) = floats(&mut bits, 1);
        let resident_downs =
            |ago| residents.iter().map(seat).filter(|seat| was_down(seat, ago)).count();
        let mut numbers = |ago: usize| {
            let up = if repeated_up[ago - 1] { bits.field(movers.len()) } else { None };
            (bits.field(resident_downs(ago)), up)
        };
        let (number_down_2, number_up_2) = numbers(2);
        let (number_down_1, number_up_1) = numbers(1);
        let colour_matters = bracket.members.iter().map(seat).any(|seat| seat.wants.is_some());
        let colour = if colour_matters { pairs } else { 0 };
        let last = if roster.is_last_round { colour } else { 0 };
        let mut colours = [last, last, colour, colour];
        colours.reverse();
        let mut colours = colours.map(|sum| bits.field(sum));
        colours.reverse();
        let bye =
            if with_bye_rank { bits.field(usize::from(bracket.most_unplayed())) } else { None };
        let (mut next_scores, mut next_pairs) = (Vec::new(), None);
        if scope != Scope::Bracket {
            let mut floating = all.clone();
            floating.push(residents.len());
            next_scores = bits.fields(&floating);
            next_pairs = bits.field(usize::midpoint(bracket.members.len(), bracket.next.len()));
        }
        let mover_scores = bits.fields(&all);
        let pairs = bits.field(pairs);
        Layout {
            pairs,
            mover_scores,
            next_pairs,
            next_scores,
            bye,
            colours,
            down: [number_down_1, number_down_2],
            up: [number_up_1, number_up_2],
            down_scores: [down_1, down_2],
            up_scores: [up_1, up_2],
            halves,
            places,
            order,
            bits: bits.0,
            scores,
        }
    }

    fn score_index(&self, seat: &Seat) -> Option<usize> {
        self.scores.iter().position(|score| *score == seat.score)
    }

    /// The weight of a pair inside the bracket; the lower one is a resident.
    pub(super) fn pair<W: Weight>(&self, upper: &Seat, lower: &Seat) -> W {
        let mut sum = Sum(W::ZERO);
        let mover = self.score_index(upper);
        sum.add(self.pairs);
        for (field, cost) in self.colours.into_iter().zip(colour_costs(upper, lower)) {
            sum.add_if(!cost, field);
        }
        if let Some(score) = mover {
            sum.add(self.mover_scores[score]);
        }
        for ago in [1, 2] {
            let index = ago - 1;
            sum.add_if(was_down(lower, ago), self.down[index]);
            if let Some(score) = mover {
                sum.add_if(!was_up(lower, ago), self.up[index]);
                sum.add_if(!was_up(lower, ago), self.up_scores[index][score]);
                sum.add_if(was_down(upper, ago), self.down_scores[index][score]);
            } else {
                sum.add_if(was_down(upper, ago), self.down[index]);
            }
        }
        sum.0
    }

    /// The weight of a pair in the next bracket: a player of this one with one of the next.
    pub(super) fn floater<W: Weight>(&self, upper: &Seat) -> W {
        let mut sum = Sum(W::ZERO);
        sum.add(self.next_pairs);
        let score = self.score_index(upper).unwrap_or(self.scores.len());
        sum.add(self.next_scores.get(score).copied().flatten());
        sum.0
    }

    /// The weight of a pair of two players of the next bracket.
    pub(super) fn next_pair<W: Weight>(&self) -> W {
        let mut sum = Sum(W::ZERO);
        sum.add(self.next_pairs);
        sum.0
    }

    /// The weight of giving the bye to a player with so few unplayed games.
    pub(super) fn bye<W: Weight>(&self, fewer_unplayed: u16) -> W {
        self.bye.map_or(W::ZERO, |start| W::shifted(u64::from(fewer_unplayed), start))
    }
}

struct Sum<W>(W);

impl<W: Weight> Sum<W> {
    fn add(&mut self, field: Field) {
        if let Some(start) = field {
            self.0 = self.0 + W::shifted(1, start);
        }
    }

    fn add_if(&mut self, condition: bool, field: Field) {
        if condition {
            self.add(field);
        }
    }
}
