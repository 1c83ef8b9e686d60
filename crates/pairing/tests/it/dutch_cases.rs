//! Every case that another program has paired is paired the same.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::{Path, PathBuf};

use pairing::dutch::{self, Effort, Float, PairingError, Seat, Strength};
use pairing::{Colour, trf};

/// One line of `index.tsv` with its folder.
struct Case {
    name: String,
    path: PathBuf,
    profile: String,
}

/// The cases of a directory and its folders; each has its `index.tsv`.
fn cases(directory: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in ["", "small", "main"] {
        let folder = directory.join(folder);
        let Ok(index) = fs::read_to_string(folder.join("index.tsv")) else { continue };
        for line in index.lines().skip(1) {
            let mut columns = line.split('\t');
            let (name, profile) = (columns.next().unwrap(), columns.next().unwrap());
            let path = folder.join(name).with_extension("trf");
            cases.push(Case { name: name.to_owned(), path, profile: profile.to_owned() });
        }
    }
    cases
}

/// What a program would print.
fn paired(path: &Path, effort: Effort) -> String {
    let tournament = trf::read(&fs::read(path).unwrap()).unwrap();
    match dutch::pair_with(&tournament, effort) {
        Ok(round) => {
            let pairs = round.pairs.iter().map(|pair| format!("{} {}\n", pair.white, pair.black));
            let lines: Vec<String> =
                pairs.chain(round.bye.map(|bye| format!("{bye} 0\n"))).collect();
            format!("{}\n{}", lines.len(), lines.concat())
        }
        Err(PairingError::Impossible) => "impossible\n".to_owned(),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[track_caller]
fn check(directory: &Path, effort: Effort) {
    let cases = cases(directory);
    assert!(!cases.is_empty(), "no cases in {}", directory.display());
    let mut wrong = Vec::new();
    for case in &cases {
        let expected = fs::read_to_string(case.path.with_extension("pairs")).unwrap();
        let found = paired(&case.path, effort);
        // Programs differ on the board order under acceleration.
        let ordered = !case.profile.contains("baku");
        if sorted(&found) != sorted(&expected) || ordered && found.trim() != expected.trim() {
            wrong.push(format!("{} ({})", case.name, case.profile));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases differ: {wrong:?}", wrong.len(), cases.len());
}

/// Our own cases, and those in the directory that `ROOKERY_SWISS_CASES` names.
fn directories() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/swiss");
    std::iter::once(own).chain(std::env::var_os("ROOKERY_SWISS_CASES").map(PathBuf::from)).collect()
}

#[test]
fn every_case_is_paired_as_the_reference_does() {
    for directory in directories() {
        check(&directory, Effort::Quick);
    }
}

#[test]
fn every_case_is_paired_the_same_with_weights_alone() {
    for directory in directories() {
        check(&directory, Effort::Weights);
    }
}

/// The facts about a player as the reference's check-list shows them: score, colours,
/// preference, C2, and the floats of the last two rounds.
fn facts(seat: &Seat) -> [String; 6] {
    let letter = |colour: Colour| if colour == Colour::White { "W" } else { "B" };
    let preference = match (seat.wants.map(letter), seat.strength) {
        (None, _) | (_, Strength::None) => "A".to_owned(),
        (Some(colour), Strength::Mild) => colour.to_lowercase(),
        (Some(colour), Strength::Strong) => format!("({colour})"),
        (Some(colour), Strength::Absolute) => colour.to_owned(),
    };
    let float = |float: Float| match float {
        Float::None => "",
        Float::Down => "D",
        Float::Up => "U",
    };
    [
        seat.score.to_string(),
        seat.colours.iter().map(|&colour| letter(colour)).collect(),
        preference,
        if seat.may_have_bye { "Y" } else { "N" }.to_owned(),
        float(seat.floats[0]).to_owned(),
        float(seat.floats[1]).to_owned(),
    ]
}

#[test]
fn the_facts_about_every_player_are_those_of_the_reference() {
    let mut compared = 0;
    for case in directories().iter().flat_map(|directory| cases(directory)) {
        let Ok(list) = fs::read_to_string(case.path.with_extension("list")) else { continue };
        let tournament = trf::read(&fs::read(&case.path).unwrap()).unwrap();
        let seats = dutch::checklist(&tournament).unwrap();
        let lines = list.lines().filter(|line| !line.trim().is_empty()).skip(1);
        let expected: Vec<Vec<&str>> =
            lines.map(|line| line.split('\t').map(str::trim).collect()).collect();
        assert_eq!(seats.len(), expected.len(), "{}", case.name);
        for (seat, expected) in seats.iter().zip(expected) {
            assert_eq!(seat.number.to_string(), expected[0], "{}", case.name);
            assert_eq!(facts(seat)[..], expected[1..7], "{}, player {}", case.name, seat.number);
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}
