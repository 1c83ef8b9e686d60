//! Explanations and verdicts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use crate::dutch_support::{CALM, Dice, WILD, announce, play, play_rounds, random, start};
use pairing::dutch::{self, ColourRule, Criterion, Pair, Round, Verdict, check, explain, pair};
use pairing::{PairingNumber, Tournament, trf};

/// The criteria of the faults found.
fn faults(tournament: &Tournament, round: &Round) -> Vec<Option<Criterion>> {
    match check(tournament, round).unwrap() {
        Verdict::Right => Vec::new(),
        Verdict::Wrong(faults) => faults.into_iter().map(|fault| fault.criterion).collect(),
    }
}

/// An event of so many players after so many rounds.
fn event(seed: u64, players: u16, played: u16) -> Tournament {
    let mut dice = Dice::new(seed);
    let mut tournament = start(&mut dice, players, 9, CALM);
    play_rounds(&mut dice, &mut tournament, played, CALM);
    tournament
}

/// A round as text: `white-black`, the bye as `white-0`.
fn round(tournament: &Tournament, text: &str) -> Round {
    let mut round = Round { number: tournament.next_round(), pairs: Vec::new(), bye: None };
    for board in text.split_whitespace() {
        let (white, black) = board.split_once('-').unwrap();
        let number = |text: &str| PairingNumber(text.parse().unwrap());
        if black == "0" {
            round.bye = Some(number(white));
        } else {
            round.pairs.push(Pair { white: number(white), black: number(black) });
        }
    }
    round
}

#[test]
fn our_own_pairings_are_right() {
    for seed in 80_000..81_000 {
        let tournament = random(seed, 30);
        if let Ok(round) = pair(&tournament) {
            assert_eq!(check(&tournament, &round), Ok(Verdict::Right), "seed {seed}");
        }
    }
}

#[test]
fn any_other_pairing_is_wrong_and_the_reason_is_named() {
    for seed in 81_000..82_000 {
        let tournament = random(seed, 24);
        let Ok(right) = pair(&tournament) else { continue };
        if right.pairs.len() < 2 {
            continue;
        }
        let mut dice = Dice::new(seed);
        let mut wrong = right.clone();
        let one = dice.below(wrong.pairs.len());
        let other = (one + 1 + dice.below(wrong.pairs.len() - 1)) % wrong.pairs.len();
        let black = wrong.pairs[one].black;
        wrong.pairs[one].black = wrong.pairs[other].black;
        wrong.pairs[other].black = black;
        let found = faults(&tournament, &wrong);
        assert!(found.iter().any(Option::is_some), "seed {seed}: {found:?}");
    }
}

#[test]
fn verdicts_name_the_broken_rule() {
    let first = event(1, 8, 0);
    let colours = pair(&first).unwrap().pairs;
    let said = |text: &str| faults(&first, &round(&first, text));
    assert_eq!(said("1-5 2-6 3-7"), [None, None], "4 and 8 are missing");
    assert_eq!(said("1-5 1-6 2-7 3-8"), [None, None], "1 twice, 4 not at all");
    assert_eq!(said("1-9 2-6 3-7 4-8"), [None, None], "9 does not exist, 5 is missing");
    let swapped =
        if colours[0].white == PairingNumber(1) { "5-1 6-2 3-7 8-4" } else { "1-5 2-6 7-3 4-8" };
    assert!(said(swapped).contains(&None), "a colour is wrong");
    let order = said("1-6 5-2 3-7 8-4");
    assert_eq!(order.first(), Some(&Some(Criterion::Transposition)));
    assert_eq!(said("1-2 5-6 3-7 8-4").first(), Some(&Some(Criterion::Exchange)));
}

#[test]
fn a_second_game_breaks_c1_and_a_second_bye_c2() {
    let mut dice = Dice::new(3);
    let mut tournament = start(&mut dice, 7, 5, CALM);
    let first = pair(&tournament).unwrap();
    play(&mut dice, &mut tournament, &first, CALM);
    let again = Round { number: tournament.next_round(), ..first };
    let found = faults(&tournament, &again);
    assert_eq!(
        found,
        [Some(Criterion::C1), Some(Criterion::C1), Some(Criterion::C1), Some(Criterion::C2)]
    );
}

#[test]
fn the_bye_for_a_better_score_breaks_c5() {
    let mut tournament = event(5, 9, 1);
    announce(&mut Dice::new(1), &mut tournament, CALM);
    let right = pair(&tournament).unwrap();
    let bye = right.bye.unwrap();
    let best =
        tournament.players.iter().max_by_key(|player| tournament.score(player)).unwrap().number;
    let renamed = |number: PairingNumber| if number == best { bye } else { number };
    let pairs = right
        .pairs
        .iter()
        .map(|pair| Pair { white: renamed(pair.white), black: renamed(pair.black) })
        .collect();
    let wrong = Round { number: right.number, pairs, bye: Some(best) };
    let found = faults(&tournament, &wrong);
    let expected = [Some(Criterion::C5), Some(Criterion::C2), Some(Criterion::C1)];
    assert!(expected.contains(&found[0]), "{found:?}");
}

#[test]
fn the_first_round_is_all_natural_pairs_with_the_initial_colour() {
    let explanation = explain(&event(1, 10, 0)).unwrap();
    let [bracket] = &explanation.brackets[..] else { panic!("one bracket") };
    assert_eq!(bracket.pairs.len(), 5);
    for pair in &bracket.pairs {
        assert_eq!(pair.reason.criterion, None);
        assert_eq!(pair.colours.rule, ColourRule::InitialColour);
    }
}

#[test]
fn explanations_cover_every_pair_and_every_float_once() {
    for seed in 90_000..90_600 {
        let tournament = random(seed, 40);
        let (Ok(explanation), Ok(round)) = (explain(&tournament), pair(&tournament)) else {
            continue;
        };
        assert_eq!(explanation.round, round, "seed {seed}");
        let told: usize = explanation.brackets.iter().map(|bracket| bracket.pairs.len()).sum();
        assert_eq!(told, round.pairs.len(), "seed {seed}");
        let byes = explanation
            .brackets
            .iter()
            .flat_map(|bracket| &bracket.floats)
            .filter(|float| float.is_bye);
        assert_eq!(
            byes.map(|float| float.player).collect::<Vec<_>>(),
            round.bye.into_iter().collect::<Vec<_>>()
        );
        for window in explanation.brackets.windows(2) {
            let down: Vec<PairingNumber> = window[0]
                .floats
                .iter()
                .filter(|float| !float.is_bye)
                .map(|float| float.player)
                .collect();
            assert_eq!(down, window[1].moved_down, "seed {seed}");
        }
    }
}

#[test]
fn a_natural_opponent_already_met_is_the_reason_given() {
    let mut found = 0;
    for seed in 1..60 {
        for bracket in explain(&event(seed, 12, 3)).unwrap().brackets {
            for pair in
                bracket.pairs.iter().filter(|pair| pair.reason.criterion == Some(Criterion::C1))
            {
                assert!(pair.reason.text.contains("have already met"), "{}", pair.reason.text);
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn a_known_round_is_explained_in_words() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/swiss/small/s0047.trf");
    let tournament = trf::read(&std::fs::read(path).unwrap()).unwrap();
    let explanation = explain(&tournament).unwrap();
    let texts: Vec<String> = explanation
        .brackets
        .iter()
        .flat_map(|bracket| {
            let pairs = bracket.pairs.iter().map(|pair| pair.reason.text.clone());
            pairs
                .chain(bracket.floats.iter().map(|float| float.reason.text.clone()))
                .collect::<Vec<_>>()
        })
        .collect();
    // The words themselves; change them here when they become better.
    assert_eq!(
        texts,
        [
            "1 moves down, being alone in the bracket",
            "1 moves down, because nobody in the bracket may be met (C1, C3)",
            "7 moves down, because nobody in the bracket may be met (C1, C3)",
            "1 has moved down and meets the highest-ranked player who is free, 2",
            "7 moves down: if somebody else did, somebody with a higher score would have to move down (C7)",
            "6 moves down: if somebody else did, somebody with a higher score would have to move down (C7)",
            "7 has moved down and meets the highest-ranked player who is free, 3",
            "6 has moved down and meets the highest-ranked player who is free, 4",
            "11 is the next of the lower half for 8: the natural pair",
            "9 moves down: otherwise not everybody could be paired (C4)",
            "10 moves down: otherwise not everybody could be paired (C4)",
            "9 has moved down and meets the highest-ranked player who is free, 12",
            "10 gets the bye: 1.5 is the lowest score possible (C5), and nobody else with it can \
             have the bye; not eligible (C2): 9",
        ]
    );
}

#[test]
fn wild_events_can_be_explained_too() {
    let mut dice = Dice::new(12);
    let mut tournament = start(&mut dice, 60, 9, WILD);
    play_rounds(&mut dice, &mut tournament, 8, WILD);
    let explanation = explain(&tournament).unwrap();
    assert!(
        explanation
            .brackets
            .iter()
            .flat_map(|bracket| &bracket.pairs)
            .all(|pair| !pair.colours.text.is_empty())
    );
    assert_eq!(dutch::pair(&tournament).unwrap(), explanation.round);
}
