//! Whole tournaments, paired by the Dutch system from the first round to the last.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use pairing::dutch::{self, PairingError};
use pairing::model::RoundPairing;
use pairing::simulate::{Settings, SimulationError, simulate};
use pairing::trf::{self, Flavour};
use pairing::{Entry, Tournament};

fn play(settings: &Settings, seed: u64) -> Tournament {
    let pair = |tournament: &Tournament| dutch::pair(tournament).map(RoundPairing::from);
    match simulate(settings, seed, pair) {
        Ok(tournament) => tournament,
        // Few players and many rounds can end before the last round.
        Err(SimulationError::NotPaired { tournament, error: PairingError::Impossible, .. }) => {
            *tournament
        }
        Err(other) => panic!("seed {seed}: {other}"),
    }
}

#[test]
fn tournaments_make_sense_and_survive_their_files() {
    for seed in 0..60 {
        let players = 5 + u16::try_from(seed).unwrap();
        let settings = Settings {
            baku: seed % 4 == 0,
            forbidden_groups: u16::from(seed % 3 == 0),
            ..Settings::lively(players, 7)
        };
        let tournament = play(&settings, seed);
        assert_eq!(tournament.check(), Ok(()));
        let text = trf::write(&tournament, Flavour::Trf26);
        assert_eq!(trf::read(text.as_bytes()).unwrap(), tournament, "seed {seed}");
    }
}

#[test]
fn nobody_meets_the_same_opponent_twice() {
    for seed in 0..20 {
        for player in play(&Settings::lively(50, 9), seed).players {
            let mut met: Vec<_> = player.rounds.iter().filter_map(Entry::opponent_met).collect();
            let games = met.len();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), games, "seed {seed}, player {}", player.number);
        }
    }
}
