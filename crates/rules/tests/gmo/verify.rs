//! The verifier finds what is wrong: every computed value, every missing field, every unreadable record.

use rules::gmo::verify::{RecordKind, verify_line};
use serde_json::{Value, json};

use crate::vectors;

/// Each file with the fields that are computed; the others are inputs or descriptions.
const FILES: [(&str, &[&str]); 7] = [
    ("parse.jsonl.gz", &["ok", "code", "debuffs", "blocks", "err", "at"]),
    ("moves.jsonl.gz", &["m"]),
    ("games.jsonl.gz", &["n", "h", "end"]),
    ("games_spec.jsonl.gz", &["n", "h", "end"]),
    ("freeze.jsonl.gz", &["n", "h", "clk", "end"]),
    ("single.jsonl.gz", &["end"]),
    ("random.jsonl.gz", &["land", "mut", "g2", "end"]),
];

fn records(file: &str, count: usize) -> Vec<Value> {
    let text = vectors::read(&vectors::published().join(file));
    text.lines().take(count).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// All values that differ from this one in a single place.
fn altered(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(1)],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => vec![json!(number.as_u64().unwrap() + 1), Value::Null],
        Value::String(text) => vec![json!(format!("{text}x"))],
        Value::Array(list) => {
            let mut all = vec![json!([list.as_slice(), &[json!("more")]].concat())];
            all.extend(list.split_last().map(|(_, rest)| json!(rest)));
            for at in 0..list.len() {
                for changed in altered(&list[at]) {
                    let mut list = list.clone();
                    list[at] = changed;
                    all.push(list.into());
                }
            }
            all
        }
        Value::Object(fields) => {
            let mut all = vec![];
            for (name, value) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push(without.into());
                for changed in altered(value) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), changed);
                    all.push(fields.into());
                }
            }
            all
        }
    }
}

#[test]
fn every_altered_value_is_found() {
    for (file, computed) in FILES {
        for record in records(file, 4) {
            for field in computed.iter().filter(|field| record.get(field).is_some()) {
                for changed in altered(&record[*field]) {
                    let mut other = record.clone();
                    other[*field] = changed;
                    let found = verify_line(None, &other.to_string()).expect_err(file);
                    assert!(found[0].field.starts_with(field), "{file}: {} for {field}", found[0]);
                    assert_eq!(found[0].id, record["id"].as_str().unwrap());
                }
            }
        }
    }
}

#[test]
fn every_missing_or_mistyped_field_is_a_difference_and_never_a_panic() {
    let descriptions = ["id", "cat", "tags", "x"];
    for (file, _) in FILES {
        let kind = RecordKind::from_file_name(file);
        for record in records(file, 3) {
            let fields = record.as_object().unwrap();
            for name in fields.keys().filter(|name| !descriptions.contains(&name.as_str())) {
                let mut without = fields.clone();
                without.remove(name);
                // Without its clock a record is a game without clocks, and then its end has a field too many.
                assert!(
                    verify_line(kind, &Value::from(without).to_string()).is_err(),
                    "{file} without {name}"
                );
                for wrong in [
                    json!({}),
                    json!([[]]),
                    json!("#"),
                    json!(-1),
                    json!(1e300),
                    json!([null, "=e9:99999"]),
                ] {
                    let mut other = fields.clone();
                    other.insert(name.clone(), wrong.clone());
                    let line = Value::from(other).to_string();
                    assert!(verify_line(kind, &line).is_err(), "{file}: {name} is {wrong}");
                }
            }
        }
    }
}

#[test]
fn lines_that_are_no_records_are_differences() {
    for line in ["", "{", "[]", "1", "{}", "{\"id\":\"a\"}", "\u{0}", &"[".repeat(10_000)] {
        let found = verify_line(None, line).expect_err(line);
        assert_eq!(found.len(), 1);
        assert!(!found[0].to_string().is_empty());
    }
}

#[test]
fn an_action_at_the_wrong_time_is_found() {
    let record = records("freeze.jsonl.gz", 40).into_iter().find(|record| {
        record["ev"]
            .as_array()
            .unwrap()
            .iter()
            .any(|event| event.as_str().unwrap().starts_with('#'))
    });
    let mut record = record.unwrap();
    let last = record["ev"].as_array().unwrap().len() - 1;
    let marked = record["ev"][last].as_str().unwrap().to_owned();
    record["ev"][last] = json!(marked.trim_start_matches('#'));
    let found = verify_line(None, &record.to_string()).unwrap_err();
    assert_eq!(found[0].field, format!("ev[{last}]"));
    record["ev"][last] = json!(marked);
    record["dt"][last] = json!(0);
    assert!(verify_line(None, &record.to_string()).is_err());
}

#[test]
fn the_kind_follows_from_the_name_of_the_file() {
    let check = |name: &str, kind| assert_eq!(RecordKind::from_file_name(name), kind, "{name}");
    check("parse.jsonl.gz", Some(RecordKind::Parse));
    check("some/where/games_spec.jsonl", Some(RecordKind::Game));
    check("freeze-2.jsonl", Some(RecordKind::Game));
    check("single.jsonl.gz", Some(RecordKind::Single));
    check("notes.txt", None);
}
