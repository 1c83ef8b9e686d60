//! The order in which boards are published.

use super::engine::Draw;
use super::roster::Roster;

/// Sorts pairs for publishing: the better score of the two, then the sum, then the initial
/// order of the better-placed player; scores count without fictitious points (C.04.2).
pub(super) fn publish(roster: &Roster, draw: &mut Draw) {
    draw.pairs.sort_by_key(|&(one, other)| {
        let key = |seat: usize| {
            let seat = &roster.seats[seat];
            (std::cmp::Reverse(seat.plain_score), seat.place)
        };
        let (first, second) = (key(one).min(key(other)), key(one).max(key(other)));
        (first.0, second.0, first.1)
    });
}
