//! Why the round is paired as it is.
//!
//! Every decision is explained by the best alternative: what would the bracket look like if
//! the next in line were taken instead, and by which criterion is that worse?

use std::collections::HashSet;

use serde::Serialize;

use super::bracket::{Bracket, Effort, Outcome};
use super::colour::{ColourRule, colour_of_higher};
use super::criteria::Criterion;
use super::quality::Quality;
use super::roster::Roster;
use super::seat::Seat;
use super::{PairingError, Round, boards, engine, round, words};
use crate::model::{PairingNumber, Points, Tournament};

/// A round with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The pairing.
    pub round: Round,
    /// Its brackets from the top.
    pub brackets: Vec<BracketStory>,
}

/// One bracket with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BracketStory {
    /// The score of its residents, fictitious points included.
    pub score: Points,
    /// Those moved down from above.
    pub moved_down: Vec<PairingNumber>,
    /// Those with the bracket's own score.
    pub residents: Vec<PairingNumber>,
    /// The pairs.
    pub pairs: Vec<PairStory>,
    /// Those who move down, or get the bye.
    pub floats: Vec<FloatStory>,
}

/// Why two players meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairStory {
    /// The higher-ranked of the two.
    pub higher: PairingNumber,
    /// The other.
    pub lower: PairingNumber,
    /// Why they meet.
    pub reason: Reason,
    /// Why the colours are as they are.
    pub colours: ColourStory,
}

/// Why the colours of a pair are as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColourStory {
    /// Who has White.
    pub white: PairingNumber,
    /// The rule that decided.
    pub rule: ColourRule,
    /// The same in words.
    pub text: String,
}

/// Why a player moves down or gets the bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FloatStory {
    /// Who.
    pub player: PairingNumber,
    /// Whether it is the pairing-allocated bye.
    pub is_bye: bool,
    /// Why.
    pub reason: Reason,
}

/// What decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The criterion; nothing if it is the natural choice.
    pub criterion: Option<Criterion>,
    /// The same in words.
    pub text: String,
}

/// Pairs the next round and says why.
pub fn explain(tournament: &Tournament) -> Result<Explanation, PairingError> {
    let roster = Roster::new(tournament)?;
    let mut brackets = Vec::new();
    let mut draw = engine::draw(&roster, Effort::Quick, |bracket, outcome| {
        let quality = Quality::of(bracket, &outcome.pairs, &outcome.floaters);
        brackets.push(Teller { bracket, outcome, quality }.tell());
    })?;
    boards::publish(&roster, &mut draw);
    let brackets =
        brackets.into_iter().collect::<Option<Vec<_>>>().ok_or(PairingError::NoInitialColour)?;
    Ok(Explanation { round: round(&roster, &draw)?, brackets })
}

struct Teller<'a> {
    bracket: &'a Bracket<'a>,
    outcome: &'a Outcome,
    quality: Option<Quality>,
}

impl Teller<'_> {
    fn seat(&self, index: usize) -> &Seat {
        &self.bracket.roster.seats[index]
    }

    fn number(&self, index: usize) -> PairingNumber {
        self.seat(index).number
    }

    fn tell(&self) -> Option<BracketStory> {
        let numbers =
            |members: &[usize]| members.iter().map(|&member| self.number(member)).collect();
        let (movers, residents) = self.bracket.members.split_at(self.bracket.movers);
        let pairs = (0..self.outcome.pairs.len()).map(|index| self.tell_pair(index));
        Some(BracketStory {
            score: self.bracket.score,
            moved_down: numbers(movers),
            residents: numbers(residents),
            pairs: pairs.collect::<Option<_>>()?,
            floats: self.outcome.floaters.iter().map(|&floater| self.tell_float(floater)).collect(),
        })
    }

    fn tell_pair(&self, index: usize) -> Option<PairStory> {
        let (upper, lower) = self.outcome.pairs[index];
        let (higher, other) = (self.seat(upper), self.seat(lower));
        let (colour, rule) = colour_of_higher(higher, other, self.bracket.roster.initial_colour)?;
        let white =
            if colour == crate::model::Colour::White { higher.number } else { other.number };
        Some(PairStory {
            higher: higher.number,
            lower: other.number,
            reason: self.reason_of_pair(index),
            colours: ColourStory { white, rule, text: words::colours(higher, other, rule) },
        })
    }

    /// Those whom the higher-ranked of this pair could have met before the actual opponent: of
    /// the lower half, and not given to anybody ranked above.
    fn skipped(&self, index: usize) -> Vec<usize> {
        let (upper, lower) = self.outcome.pairs[index];
        let done = &self.outcome.pairs[..index];
        let is_mover = self.bracket.members[..self.bracket.movers].contains(&upper);
        let residents = &self.bracket.members[self.bracket.movers..];
        let is_upper = |seat: usize| self.outcome.pairs.iter().any(|pair| pair.0 == seat);
        let candidates = residents.iter().copied().take_while(|&seat| seat < lower);
        candidates
            .filter(|&seat| !done.iter().any(|pair| pair.1 == seat))
            .filter(|&seat| is_mover || seat > upper && !is_upper(seat))
            .collect()
    }

    fn reason_of_pair(&self, index: usize) -> Reason {
        let (upper, lower) = self.outcome.pairs[index];
        let (one, other) = (self.number(upper), self.number(lower));
        let is_mover = self.bracket.members[..self.bracket.movers].contains(&upper);
        let Some(&wanted) = self.skipped(index).first() else {
            let text = if is_mover {
                format!(
                    "{one} has moved down and meets the highest-ranked player who is free, {other}"
                )
            } else {
                format!("{other} is the next of the lower half for {one}: the natural pair")
            };
            return Reason { criterion: None, text };
        };
        let line = format!("{} would be next in line for {one}", self.number(wanted));
        if !self.bracket.roster.graph.joined(upper, wanted) {
            let (criterion, bar) = words::bar(self.seat(upper), self.seat(wanted));
            return Reason {
                criterion: Some(criterion),
                text: format!("{line}, but {bar} ({criterion})"),
            };
        }
        let (criterion, price) = self.price_of_pair(index, wanted);
        Reason {
            criterion: Some(criterion),
            text: format!("{line}, but then {price} ({criterion})"),
        }
    }

    /// What it would cost to give `wanted` to the higher-ranked player of a pair, all pairs
    /// before it being made.
    fn price_of_pair(&self, index: usize, wanted: usize) -> (Criterion, String) {
        let upper = self.outcome.pairs[index].0;
        let mut pairs = self.outcome.pairs[..index].to_vec();
        pairs.push((upper, wanted));
        let paired: HashSet<usize> = pairs.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        let is_paired = |seat: &usize| paired.contains(seat);
        let members: Vec<usize> =
            self.bracket.members.iter().copied().filter(|seat| !is_paired(seat)).collect();
        let movers = self.bracket.members[..self.bracket.movers]
            .iter()
            .filter(|seat| !is_paired(seat))
            .count();
        let rest = Bracket { members, movers, ..self.bracket.clone() };
        let outcome = if rest.members.is_empty() {
            Some(Outcome::default())
        } else {
            rest.pair(Effort::Quick)
        };
        let alternative = outcome.and_then(|outcome| {
            pairs.extend(outcome.pairs);
            Quality::of(self.bracket, &pairs, &outcome.floaters)
        });
        let order = if movers > 0 { Criterion::MoverOpponents } else { Criterion::Exchange };
        self.price(alternative.as_ref(), order)
    }

    /// By what an alternative is worse; `order` if only the order of candidates speaks against it.
    fn price(&self, alternative: Option<&Quality>, order: Criterion) -> (Criterion, String) {
        let (Some(worse), Some(better)) = (alternative, &self.quality) else {
            return (Criterion::C4, "not all others could be paired".to_owned());
        };
        match worse.first_difference(better) {
            Some((criterion, _)) => (criterion, words::price(criterion, worse, better)),
            None => {
                (order, format!("it would come later in the order of candidates: {}", order.rule()))
            }
        }
    }

    fn tell_float(&self, floater: usize) -> FloatStory {
        let is_bye = self.bracket.gives_bye_to(&self.outcome.floaters).is_some();
        let reason =
            if is_bye { self.reason_of_bye(floater) } else { self.reason_of_float(floater) };
        FloatStory { player: self.number(floater), is_bye, reason }
    }

    fn reason_of_float(&self, floater: usize) -> Reason {
        let player = self.number(floater);
        let residents = &self.bracket.members[self.bracket.movers..];
        if self.bracket.members == [floater] {
            return Reason {
                criterion: None,
                text: format!("{player} moves down, being alone in the bracket"),
            };
        }
        if !residents.iter().any(|&other| self.bracket.roster.graph.joined(floater, other)) {
            let text =
                format!("{player} moves down, because nobody in the bracket may be met (C1, C3)");
            return Reason { criterion: Some(Criterion::C1), text };
        }
        let (criterion, text) = match self.price_of_staying(floater) {
            Some((criterion, price)) => (
                criterion,
                format!("{player} moves down: if somebody else did, {price} ({criterion})"),
            ),
            None => (
                Criterion::C4,
                format!("{player} moves down: otherwise not everybody could be paired (C4)"),
            ),
        };
        Reason { criterion: Some(criterion), text }
    }

    fn reason_of_bye(&self, player: usize) -> Reason {
        let score = self.seat(player).score;
        let mut text = format!(
            "{} gets the bye: {score} is the lowest score possible (C5)",
            self.number(player)
        );
        let criterion = if let Some((criterion, price)) = self.price_of_staying(player) {
            text = format!("{text}, and with anybody else {price} ({criterion})");
            criterion
        } else {
            text += ", and nobody else with it can have the bye";
            Criterion::C5
        };
        let barred = words::barred_from_bye(self.bracket);
        if !barred.is_empty() {
            text = format!("{text}; not eligible (C2): {}", barred.join(", "));
        }
        Reason { criterion: Some(criterion), text }
    }

    /// What it would cost if this player did not move down; nothing if there is no way.
    fn price_of_staying(&self, floater: usize) -> Option<(Criterion, String)> {
        let other = Bracket { staying: vec![floater], ..self.bracket.clone() };
        let outcome = other.pair(Effort::Quick)?;
        let alternative = Quality::of(self.bracket, &outcome.pairs, &outcome.floaters)?;
        let is_mover = self.bracket.members[..self.bracket.movers].contains(&floater);
        let order = if is_mover { Criterion::MoverSet } else { Criterion::Transposition };
        Some(self.price(Some(&alternative), order))
    }
}
