//! The tie-breaks against tables made by another program.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use std::collections::BTreeMap;

use pairing::standings::{Edition, Rules, parse_list, standings};
use pairing::trf;

#[test]
fn every_table_is_equal() {
    let different = differences(Rules::default());
    assert!(
        different.is_empty(),
        "{} values differ, first {:?}",
        different.len(),
        different.first()
    );
}

#[test]
fn the_cap_of_2026_makes_a_difference() {
    assert!(!differences(Rules { edition: Edition::August2024, ..Rules::default() }).is_empty());
}

/// What differs from the tables: case, tie-break and player, expected and found value.
fn differences(rules: Rules) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, bytes, table) in crate::cases::tie_break_cases() {
        let tournament = trf::read(&bytes).unwrap();
        let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let head = lines.next().unwrap();
        let tie_breaks = parse_list(&head[2..].join(",")).unwrap();
        let ours = standings(&tournament, &tie_breaks, &rules).unwrap();
        let ours: BTreeMap<String, Vec<String>> = ours
            .rows
            .iter()
            .map(|row| {
                let values = row.values.iter().map(|value| value.unwrap().to_string());
                (
                    row.player.to_string(),
                    [row.points.to_string()].into_iter().chain(values).collect(),
                )
            })
            .collect();
        for line in lines {
            for ((column, expected), found) in head[1..].iter().zip(&line[1..]).zip(&ours[line[0]])
            {
                // The other program writes a negative nothing for the average of no rating.
                let expected = if *expected == "-0" { "0" } else { expected };
                if found != expected {
                    differences.push(format!(
                        "{name}: {column} of player {}: {expected}, not {found}",
                        line[0]
                    ));
                }
            }
        }
    }
    differences
}
