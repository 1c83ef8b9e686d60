//! Fictitious points that keep the strong apart from the weak in the first rounds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PairingNumber, Points, RoundNumber, Scoring};

/// How the first rounds of a Swiss are accelerated. Never counts for the standings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Acceleration {
    /// Not at all.
    #[default]
    None,
    /// The Baku system (C.04.7): the players up to this number, for half of the rounds.
    Baku {
        /// The last number of the first group; late entries do not move it.
        last: PairingNumber,
    },
    /// Points given player by player, the first value for round 1.
    Explicit(BTreeMap<PairingNumber, Vec<Points>>),
}

impl Acceleration {
    /// Baku for so many players: the first group is half of them, rounded up to an even number.
    pub fn baku(players: u16) -> Acceleration {
        Acceleration::Baku { last: PairingNumber(2 * players.div_ceil(4)) }
    }

    /// The fictitious points of a player in a round.
    pub fn points(
        &self,
        player: PairingNumber,
        round: RoundNumber,
        total_rounds: u16,
        scoring: &Scoring,
    ) -> Points {
        match self {
            Acceleration::None => Points::ZERO,
            Acceleration::Baku { last } if player > *last => Points::ZERO,
            Acceleration::Baku { .. } => {
                let accelerated = total_rounds.div_ceil(2);
                if round.0 <= accelerated.div_ceil(2) {
                    scoring.win
                } else if round.0 <= accelerated {
                    scoring.draw
                } else {
                    Points::ZERO
                }
            }
            Acceleration::Explicit(given) => given
                .get(&player)
                .and_then(|points| points.get(round.index()).copied())
                .unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baku_rounds_the_first_group_up_to_an_even_number() {
        for (players, last) in [(161, 82), (160, 80), (9, 6), (8, 4), (4, 2)] {
            assert_eq!(
                Acceleration::baku(players),
                Acceleration::Baku { last: PairingNumber(last) }
            );
        }
    }

    #[test]
    fn baku_gives_a_point_then_half_a_point_then_nothing() {
        let given = |player, round| {
            Acceleration::baku(40).points(
                PairingNumber(player),
                RoundNumber(round),
                9,
                &Scoring::default(),
            )
        };
        let tenths: Vec<i32> = (1..=9).map(|round| given(20, round).tenths()).collect();
        assert_eq!(tenths, [10, 10, 10, 5, 5, 0, 0, 0, 0]);
        assert_eq!(given(21, 1), Points::ZERO);
    }
}
