//! Round robin: the promises of a table, for every small number of players.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use std::collections::BTreeMap;

use pairing::model::{Colour, PairingNumber};
use pairing::round_robin::{Cycles, RoundRobin};

/// The colours of every player in order.
type Colours = BTreeMap<u16, Vec<Colour>>;
/// How often each two met.
type Meetings = BTreeMap<(u16, u16), usize>;

fn play(players: u16, cycles: Cycles) -> (Colours, Meetings) {
    let mut colours: Colours = (1..=players).map(|player| (player, Vec::new())).collect();
    let mut met = Meetings::new();
    for round in RoundRobin::new(usize::from(players), cycles).unwrap().schedule() {
        let mut busy = Vec::new();
        for board in round.boards {
            let (PairingNumber(white), PairingNumber(black)) = (board.white, board.black);
            colours.get_mut(&white).unwrap().push(Colour::White);
            colours.get_mut(&black).unwrap().push(Colour::Black);
            *met.entry((white.min(black), white.max(black))).or_default() += 1;
            busy.extend([white, black]);
        }
        let count = busy.len();
        busy.sort_unstable();
        busy.dedup();
        assert_eq!(
            (busy.len(), count),
            (count, usize::from(players / 2) * 2),
            "somebody plays twice in a round"
        );
    }
    (colours, met)
}

#[test]
fn everybody_meets_everybody_once_or_twice() {
    for players in 2..=41 {
        for (cycles, times) in [(Cycles::Single, 1), (Cycles::Double, 2)] {
            let (_, met) = play(players, cycles);
            let pairs = usize::from(players) * usize::from(players - 1) / 2;
            assert_eq!(met.len(), pairs, "{players} players, {cycles:?}");
            assert!(met.values().all(|&met| met == times), "{players} players, {cycles:?}");
        }
    }
}

#[test]
fn colours_differ_by_one_at_most() {
    for players in 2..=41 {
        for cycles in [Cycles::Single, Cycles::Double] {
            for (player, colours) in play(players, cycles).0 {
                let whites = colours.iter().filter(|&&colour| colour == Colour::White).count();
                let blacks = colours.len() - whites;
                assert!(
                    whites.abs_diff(blacks) <= 1,
                    "player {player} of {players}: {whites} to {blacks}"
                );
            }
        }
    }
}

#[test]
fn nobody_has_the_same_colour_three_times_in_a_row() {
    for players in 3..=41 {
        for cycles in [Cycles::Single, Cycles::Double] {
            for (player, colours) in play(players, cycles).0 {
                let thrice =
                    colours.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]);
                assert!(!thrice, "player {player} of {players}, {cycles:?}: {colours:?}");
            }
        }
    }
}
