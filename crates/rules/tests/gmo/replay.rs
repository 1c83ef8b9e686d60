//! Records of games played again.

use rules::gmo::{GmoPosition, ReplayError, Seed, Sha, replay};
use serde_json::{Value, json};

/// A rook that lands beside its target and mutates.
const STRAY: &str = "AHHHCCHSACHACHACHAHHASASAAAAAAAAA";
const ROOK: &str = "AHHHSHHAACHACHACHAHHASASAAAAAAAAA";

/// A record of one move from d4 to d7, with the chance that the seed gives it.
fn record(seed: Seed) -> Value {
    let start: GmoPosition = format!("gmo1 d4w0,a1w1k,h8b1k w 0 - {STRAY},{ROOK}").parse().unwrap();
    let luck = start.roll("d4d7".parse().unwrap(), &seed).unwrap();
    let (landing, mutant) = (luck.landing.unwrap(), luck.mutation.unwrap());
    json!({
        "rules": "gmo1", "start": ["a1w1k", "d4w0", "h8b1k"], "turn": "w", "ply": 0,
        "genomes": [{"dna": STRAY}, {"dna": ROOK}, {"dna": mutant.dna()}],
        "events": [format!("d4d7>{landing}~2"), "h8h1"],
        "seed_hash": seed.commitment().to_string(), "seed": Sha(seed.0).to_string(),
    })
}

#[test]
fn a_record_is_played_again_and_its_chance_follows_from_the_seed() {
    let told = record(Seed([3; 32]));
    let replayed = replay(&told.to_string()).unwrap();
    assert_eq!((replayed.moves, replayed.promotions), (2, 0));
    assert_eq!((replayed.deviations, replayed.mutations), (1, 1));
    assert!(replayed.position.genome_at("h1".parse().unwrap()).is_some());
}

#[test]
fn what_does_not_follow_from_the_seed_is_found() {
    let check = |change: &dyn Fn(&mut Value), is_so: &dyn Fn(&ReplayError) -> bool| {
        let mut told = record(Seed([3; 32]));
        change(&mut told);
        let error = replay(&told.to_string()).unwrap_err();
        assert!(is_so(&error), "{error}");
    };
    let other = record(Seed([4; 32]));
    check(
        &|told| {
            (told["seed"], told["seed_hash"]) = (other["seed"].clone(), other["seed_hash"].clone());
        },
        &|error| matches!(error, ReplayError::Chance { number: 0, .. }),
    );
    check(&|told| told["seed"] = other["seed"].clone(), &|error| {
        *error == ReplayError::WrongSeed { from: 0 }
    });
    check(&|told| told["seed"] = Value::Null, &|error| *error == ReplayError::NoSeed { number: 0 });
    check(&|told| told["events"][0] = json!("d4d7"), &|error| {
        matches!(error, ReplayError::Chance { number: 0, .. })
    });
    check(&|told| told["events"][1] = json!("h8g7"), &|error| {
        matches!(error, ReplayError::Event { number: 1, .. })
    });
    check(&|told| told["rules"] = json!("gmo2"), &|error| matches!(error, ReplayError::Record(_)));
    check(&|told| told["genomes"][1]["dna"] = json!("AHH"), &|error| {
        matches!(error, ReplayError::Genome { index: 1, .. })
    });
    assert!(matches!(replay("[]"), Err(ReplayError::Record(_))));
}
