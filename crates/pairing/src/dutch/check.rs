//! Is this the right pairing, and if not, which rule does it break?

use std::cmp::Ordering;

use serde::Serialize;

use super::bracket::{Bracket, Effort, Outcome};
use super::colour::colour_of_higher;
use super::criteria::Criterion;
use super::quality::Quality;
use super::roster::Roster;
use super::{PairingError, Round, engine, words};
use crate::model::{Colour, PairingNumber, Tournament};

/// The judgement on a pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is the right one, colours included.
    Right,
    /// It is not; the first reason is the gravest.
    Wrong(Vec<Fault>),
}

/// What is wrong with a pairing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The criterion that is broken; nothing if it is a matter of attendance or colours.
    pub criterion: Option<Criterion>,
    /// The players in question.
    pub players: Vec<PairingNumber>,
    /// The same in words.
    pub text: String,
}

/// Judges a pairing of the next round. The order of boards does not matter.
pub fn check(tournament: &Tournament, given: &Round) -> Result<Verdict, PairingError> {
    let roster = Roster::new(tournament)?;
    let checker = Checker { roster: &roster, given };
    let mut faults = checker.attendance();
    if faults.is_empty() {
        faults = checker.absolute();
    }
    if faults.is_empty() {
        faults = checker.quality()?.into_iter().chain(checker.colours()?).collect();
    }
    Ok(if faults.is_empty() { Verdict::Right } else { Verdict::Wrong(faults) })
}

struct Checker<'a> {
    roster: &'a Roster,
    given: &'a Round,
}

impl Checker<'_> {
    fn seat_of(&self, number: PairingNumber) -> Option<usize> {
        self.roster.seats.iter().position(|seat| seat.number == number)
    }

    fn number(&self, seat: usize) -> PairingNumber {
        self.roster.seats[seat].number
    }

    /// The pairs as places, the higher-ranked first; complete once attendance has been checked.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let seats = self
            .given
            .pairs
            .iter()
            .filter_map(|pair| Some((self.seat_of(pair.white)?, self.seat_of(pair.black)?)));
        seats.map(|(one, other)| (one.min(other), one.max(other))).collect()
    }

    /// Everybody present is paired once, and nobody else.
    fn attendance(&self) -> Vec<Fault> {
        let mut times = vec![0; self.roster.len()];
        let mut faults = Vec::new();
        let named =
            self.given.pairs.iter().flat_map(|pair| [pair.white, pair.black]).chain(self.given.bye);
        for number in named {
            match self.seat_of(number) {
                Some(seat) => times[seat] += 1,
                None => faults.push(fault(
                    None,
                    &[number],
                    format!("{number} does not take part in this round"),
                )),
            }
        }
        for (seat, times) in times.into_iter().enumerate() {
            let number = self.number(seat);
            match times {
                0 => faults.push(fault(None, &[number], format!("{number} has not been paired"))),
                1 => {}
                _ => faults.push(fault(
                    None,
                    &[number],
                    format!("{number} has been paired {times} times"),
                )),
            }
        }
        faults
    }

    /// C1, C2 and C3, and a bye only for an odd number.
    fn absolute(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (one, other) in self.pairs() {
            if !self.roster.graph.joined(one, other) {
                let (criterion, text) =
                    words::bar(&self.roster.seats[one], &self.roster.seats[other]);
                faults.push(fault(Some(criterion), &[self.number(one), self.number(other)], text));
            }
        }
        if let Some(number) = self.given.bye
            && let Some(seat) = self.seat_of(number)
            && !self.roster.seats[seat].may_have_bye
        {
            let text = format!("{number} may not have the bye: {}", Criterion::C2.rule());
            faults.push(fault(Some(Criterion::C2), &[number], text));
        }
        faults
    }

    /// Compares with the right pairing, bracket by bracket; stops at the first that differs.
    fn quality(&self) -> Result<Option<Fault>, PairingError> {
        let pairs = self.pairs();
        let mut found = None;
        let draw = engine::draw(self.roster, Effort::Quick, |bracket, outcome| {
            if found.is_none() {
                found = self.compare(bracket, outcome, &pairs);
            }
        })?;
        let bye = self.given.bye.and_then(|number| self.seat_of(number));
        if let (Some(theirs), Some(right)) = (bye, draw.bye)
            && self.roster.score(theirs) != self.roster.score(right)
        {
            let text = format!(
                "the bye goes to {} with {}, but somebody with {} can have it",
                self.number(theirs),
                self.roster.score(theirs),
                self.roster.score(right)
            );
            return Ok(Some(fault(Some(Criterion::C5), &[self.number(theirs)], text)));
        }
        Ok(found)
    }

    fn compare(
        &self,
        bracket: &Bracket<'_>,
        right: &Outcome,
        pairs: &[(usize, usize)],
    ) -> Option<Fault> {
        let residents = &bracket.members[bracket.movers..];
        let inside = |pair: &&(usize, usize)| {
            bracket.members.contains(&pair.0) && residents.contains(&pair.1)
        };
        let mut theirs: Vec<(usize, usize)> = pairs.iter().filter(inside).copied().collect();
        theirs.sort_unstable();
        let mut ours = right.pairs.clone();
        ours.sort_unstable();
        if theirs == ours {
            return None;
        }
        let is_paired = |seat: &usize| theirs.iter().any(|pair| pair.0 == *seat || pair.1 == *seat);
        let floaters: Vec<usize> =
            bracket.members.iter().copied().filter(|seat| !is_paired(seat)).collect();
        let worse = Quality::of(bracket, &theirs, &floaters);
        let better = Quality::of(bracket, &right.pairs, &right.floaters);
        let score = bracket.score;
        let different: Vec<usize> = theirs
            .iter()
            .filter(|pair| !ours.contains(pair))
            .flat_map(|pair| [pair.0, pair.1])
            .collect();
        let players: Vec<PairingNumber> = different.iter().map(|&seat| self.number(seat)).collect();
        let say = |criterion: Criterion, what: String| {
            Some(fault(
                Some(criterion),
                &players,
                format!("bracket of {score}: {what} ({criterion})"),
            ))
        };
        let (Some(worse), Some(better)) = (worse, better) else {
            return say(Criterion::C4, "the rest cannot be paired".to_owned());
        };
        match worse.first_difference(&better) {
            Some((criterion, Ordering::Greater)) => {
                say(criterion, words::price(criterion, &worse, &better))
            }
            Some((criterion, _)) => {
                say(criterion, format!("differs from the rule that {}", criterion.rule()))
            }
            None => {
                let criterion = order_difference(bracket, &theirs, &ours);
                say(criterion, format!("as good, but not the first in order: {}", criterion.rule()))
            }
        }
    }

    fn colours(&self) -> Result<Vec<Fault>, PairingError> {
        let mut faults = Vec::new();
        for pair in &self.given.pairs {
            let (Some(white), Some(black)) = (self.seat_of(pair.white), self.seat_of(pair.black))
            else {
                continue;
            };
            let (higher, lower) =
                (&self.roster.seats[white.min(black)], &self.roster.seats[white.max(black)]);
            let (colour, rule) = colour_of_higher(higher, lower, self.roster.initial_colour)
                .ok_or(PairingError::NoInitialColour)?;
            if (colour == Colour::White) != (white < black) {
                let text = format!(
                    "{} should have White: {}",
                    pair.black,
                    words::colours(higher, lower, rule)
                );
                faults.push(fault(None, &[pair.white, pair.black], text));
            }
        }
        Ok(faults)
    }
}

fn fault(criterion: Option<Criterion>, players: &[PairingNumber], text: String) -> Fault {
    Fault { criterion, players: players.to_vec(), text }
}

/// Two pairings of a bracket are equally good: which step of the order tells them apart?
fn order_difference(
    bracket: &Bracket<'_>,
    one: &[(usize, usize)],
    other: &[(usize, usize)],
) -> Criterion {
    let movers = &bracket.members[..bracket.movers];
    let of_movers = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
        pairs.iter().copied().filter(|pair| movers.contains(&pair.0)).collect()
    };
    let uppers =
        |pairs: &[(usize, usize)]| -> Vec<usize> { pairs.iter().map(|pair| pair.0).collect() };
    let (own, theirs) = (of_movers(one), of_movers(other));
    if uppers(&own) != uppers(&theirs) {
        Criterion::MoverSet
    } else if own != theirs {
        Criterion::MoverOpponents
    } else if uppers(one) != uppers(other) {
        Criterion::Exchange
    } else {
        Criterion::Transposition
    }
}
