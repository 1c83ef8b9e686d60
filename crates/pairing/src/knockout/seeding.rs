//! Who stands where in a bracket.

use serde::{Deserialize, Serialize};

use super::{Match, MatchId, Regulations, Side};
use crate::model::{Colour, PairingNumber};

/// How players are put into a bracket by strength.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seeding {
    /// 1-8, 4-5, 2-7, 3-6: the strongest can meet only in the end.
    #[default]
    Standard,
    /// 1-5, 2-6, 3-7, 4-8: the upper half meets the lower half in order, in every round.
    Halves,
}

/// The seeds from top to bottom of a standard bracket: 1, 8, 4, 5, 2, 7, 3, 6.
///
/// `size` is taken up to the next power of two.
pub fn seed_order(size: u16) -> Vec<u16> {
    let size = u32::from(size).next_power_of_two();
    let mut order = vec![1_u32];
    while u32::try_from(order.len()).is_ok_and(|length| length < size) {
        let sum = 2 * u32::try_from(order.len()).unwrap_or(size) + 1;
        order = order.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    order.into_iter().filter_map(|seed| u16::try_from(seed).ok()).collect()
}

/// The slots of the first round: two seeds each, of whom the second may not exist.
fn first_slots(players: u16, seeding: Seeding) -> Vec<(u16, Option<u16>)> {
    let size = u16::try_from(u32::from(players).next_power_of_two()).unwrap_or(u16::MAX);
    let half = size / 2;
    match seeding {
        Seeding::Standard => {
            let order = seed_order(size);
            order
                .chunks_exact(2)
                .map(|pair| (pair[0], Some(pair[1]).filter(|&seed| seed <= players)))
                .collect()
        }
        Seeding::Halves => {
            let byes = size - players;
            (1..=half).map(|seed| (seed, (seed > byes).then(|| half + seed - byes))).collect()
        }
    }
}

/// All matches of a bracket.
pub(super) fn rounds(players: u16, regulations: Regulations) -> Vec<Vec<Match>> {
    let mut rounds: Vec<Vec<Match>> = Vec::new();
    let mut current = Vec::new();
    let mut waiting: Vec<Side> = Vec::new();
    for (high, low) in first_slots(players, regulations.seeding) {
        let high = Side::Seed(PairingNumber(high));
        match low {
            None => waiting.push(high),
            Some(low) => {
                let id =
                    add_match(&mut current, 1, [high, Side::Seed(PairingNumber(low))], regulations);
                waiting.push(Side::WinnerOf(id));
            }
        }
    }
    rounds.push(current);
    while waiting.len() > 1 {
        let round = u16::try_from(rounds.len() + 1).unwrap_or(u16::MAX);
        let mut current = Vec::new();
        let half = waiting.len() / 2;
        let pairs: Vec<[Side; 2]> = match regulations.seeding {
            Seeding::Standard => waiting.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
            Seeding::Halves => {
                (0..half).map(|slot| [waiting[slot], waiting[slot + half]]).collect()
            }
        };
        let semifinals = (half == 1).then(|| pairs[0]);
        waiting = pairs
            .into_iter()
            .map(|sides| Side::WinnerOf(add_match(&mut current, round, sides, regulations)))
            .collect();
        if let (true, Some([Side::WinnerOf(one), Side::WinnerOf(other)])) =
            (regulations.third_place, semifinals)
        {
            add_match(&mut current, round, [Side::LoserOf(one), Side::LoserOf(other)], regulations);
        }
        rounds.push(current);
    }
    rounds
}

fn add_match(
    matches: &mut Vec<Match>,
    round: u16,
    sides: [Side; 2],
    regulations: Regulations,
) -> MatchId {
    let number = u16::try_from(matches.len() + 1).unwrap_or(u16::MAX);
    let id = MatchId { round, number };
    let player = |side: Side| match side {
        Side::Seed(player) => Some(player),
        _ => None,
    };
    let initial = regulations.initial_colour;
    let first_colour: Colour = if number % 2 == 1 { initial } else { initial.other() };
    matches.push(Match {
        id,
        sides,
        players: sides.map(player),
        first_colour,
        games: Vec::new(),
        winner: None,
    });
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_order_keeps_the_strongest_apart() {
        assert_eq!(seed_order(8), [1, 8, 4, 5, 2, 7, 3, 6]);
        assert_eq!(seed_order(5), seed_order(8));
        assert_eq!(seed_order(2), [1, 2]);
    }

    #[track_caller]
    fn check(players: u16, seeding: Seeding, slots: &[(u16, u16)]) {
        let slot = |&(high, low): &(u16, u16)| (high, Some(low).filter(|&low| low > 0));
        assert_eq!(first_slots(players, seeding), slots.iter().map(slot).collect::<Vec<_>>());
    }

    #[test]
    fn byes_go_to_the_top() {
        check(6, Seeding::Standard, &[(1, 0), (4, 5), (2, 0), (3, 6)]);
        check(6, Seeding::Halves, &[(1, 0), (2, 0), (3, 5), (4, 6)]);
        check(8, Seeding::Halves, &[(1, 5), (2, 6), (3, 7), (4, 8)]);
        check(5, Seeding::Standard, &[(1, 0), (4, 5), (2, 0), (3, 0)]);
    }
}
