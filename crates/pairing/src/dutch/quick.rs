//! The quick way to pair a bracket: prove the best conceivable quality and find the first
//! candidate that has it.
//!
//! Counting preferences gives a bound for the colour criteria C12 and C13, and it tells which
//! pairs can occur in a pairing that reaches the bound (see [`super::tally`]). If all other
//! criteria can be kept at zero too, every pairing made of such pairs is a best one, no others
//! are, and what is left is a question of yes and no: the first pairing in order between upper
//! and lower half, found by alternating paths over rows of bits. Where that fails (conflicts in
//! small brackets, exchanges, several floaters), the answer is `None` and weights must decide.

use super::bracket::{Bracket, Outcome};
use super::criteria::{was_down, was_up};
use super::halves::Halves;
use super::tally::{Class, Tally};
use crate::matching::bits::{Bits, Members};

/// Pairs a bracket whose members all find opponents, save one if their number is odd. That one
/// gets the bye if the bye is in the bracket, else moves down, and is none of `staying`.
pub(super) fn pair(bracket: &Bracket<'_>, staying: &[usize]) -> Option<Outcome> {
    let residents = &bracket.members[bracket.movers..];
    let odd = bracket.members.len() % 2 == 1;
    let with_bye = bracket.is_bye_inside();
    if with_bye && (!odd || bracket.bye != Some(bracket.score)) {
        return None;
    }
    let seats = &bracket.roster.seats;
    let size = seats.len();
    let tally = Tally::new(bracket.members.iter().map(|&seat| &seats[seat]), odd);
    let masks = tally.masks(size, &bracket.members, seats);
    let mut free = Bits::of(size, residents.iter().copied());
    let mut pairs = Vec::with_capacity(bracket.members.len() / 2);

    let is_fresh = |seat: &usize| !was_up(&seats[*seat], 1) && !was_up(&seats[*seat], 2);
    let fresh = Bits::of(size, residents.iter().copied().filter(is_fresh));
    for &mover in &bracket.members[..bracket.movers] {
        let mask = &masks[Class::of(&seats[mover]).index()];
        let row = bracket.roster.graph.row(mover);
        let words = row.iter().zip(mask.words()).zip(free.words()).zip(fresh.words()).enumerate();
        let opponent = words
            .map(|(index, (((row, mask), free), fresh))| Members {
                word: row & mask & free & fresh,
                index,
            })
            .find_map(|mut members| members.next())?;
        free.remove(opponent);
        pairs.push((mover, opponent));
    }

    let joker = odd.then(|| {
        let fewest = residents
            .iter()
            .filter(|&&seat| bracket.may_take_bye(seat))
            .map(|&seat| seats[seat].unplayed)
            .min();
        let suits = |seat: &usize| {
            let player = &seats[*seat];
            tally.spares(Class::of(player))
                && !was_down(player, 1)
                && !was_down(player, 2)
                && !staying.contains(seat)
                && (!with_bye || bracket.may_take_bye(*seat) && Some(player.unplayed) == fewest)
        };
        Bits::of(size, free.iter().filter(suits))
    });
    let remainder: Vec<usize> = free.iter().collect();
    let rows = |seat: usize| {
        (bracket.roster.graph.row(seat), masks[Class::of(&seats[seat]).index()].words())
    };
    let found = Halves::new(remainder, joker, size, rows).first_pairing()?;
    pairs.extend(found.pairs);
    Some(Outcome {
        pairs,
        floaters: found.single.into_iter().collect(),
        bye: found.single.filter(|_| with_bye),
        left: Vec::new(),
    })
}
