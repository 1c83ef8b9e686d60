//! The round, bracket by bracket from the top.

use super::PairingError;
use super::bracket::{Bracket, Effort, Outcome};
use super::rest::lowest_single;
use super::roster::Roster;
use crate::matching::bits::Bits;
use crate::matching::cardinality::Cardinality;
use crate::model::Points;

/// A round as places in the roster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Draw {
    /// Pairs, the higher-ranked first.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) bye: Option<usize>,
}

/// Pairs the whole round. `watch` sees every bracket with its outcome.
pub(super) fn draw(
    roster: &Roster,
    effort: Effort,
    mut watch: impl FnMut(&Bracket<'_>, &Outcome),
) -> Result<Draw, PairingError> {
    let mut bye = bye_score(roster)?;
    let mut draw = Draw::default();
    let mut bracket = Bracket::top(roster, bye);
    while !bracket.members.is_empty() {
        let outcome = bracket.pair(effort).ok_or(PairingError::Impossible)?;
        watch(&bracket, &outcome);
        let mut floaters = outcome.floaters;
        if let Some(single) = bracket.gives_bye_to(&floaters) {
            (draw.bye, bye) = (Some(single), None);
            floaters.clear();
        }
        draw.pairs.extend(outcome.pairs);
        if bracket.next.is_empty() && !floaters.is_empty() {
            return Err(PairingError::Impossible);
        }
        bracket = bracket.following(&floaters, bye);
    }
    Ok(draw)
}

/// C4 and C5: whether the round can be paired at all, and with which score somebody gets the
/// bye if the number is odd.
fn bye_score(roster: &Roster) -> Result<Option<Points>, PairingError> {
    let size = roster.len();
    let everybody = Bits::of(size, 0..size);
    if size.is_multiple_of(2) {
        let single = Cardinality::new(&roster.graph, everybody).grow(&[]);
        return if single.is_empty() { Ok(None) } else { Err(PairingError::Impossible) };
    }
    let lowest = lowest_single(&roster.graph, &everybody, |seat| roster.seats[seat].may_have_bye);
    lowest.map(|seat| Some(roster.score(seat))).ok_or(PairingError::Impossible)
}
