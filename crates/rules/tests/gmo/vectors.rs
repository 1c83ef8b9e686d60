//! All published test vectors of GMO chess, order included; more can be named by `ROOKERY_GMO_VECTORS`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use rules::gmo::verify::{RecordKind, verify_line};

/// The text of a vector file, packed or not.
pub(crate) fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    } else {
        bytes.as_slice().read_to_string(&mut text).unwrap();
    }
    text
}

/// Verifies a file and gives the number of its records.
fn check(path: &Path) -> usize {
    let name = path.file_name().unwrap().to_str().unwrap();
    let text = read(path);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let differences: Vec<String> = lines
        .clone()
        .filter_map(|line| verify_line(RecordKind::from_file_name(name), line).err())
        .flatten()
        .map(|difference| difference.to_string())
        .collect();
    assert!(
        differences.is_empty(),
        "{name}: {} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
    lines.count()
}

/// The vectors that come with the rules.
pub(crate) fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gmo")
}

fn check_published(name: &str, records: usize) {
    assert_eq!(check(&published().join(name)), records);
}

#[test]
fn genomes_are_read_as_published() {
    check_published("parse.jsonl.gz", 1_524);
}

#[test]
fn move_lists_are_as_published() {
    check_published("moves.jsonl.gz", 297);
}

#[test]
fn games_go_as_published() {
    check_published("games.jsonl.gz", 140);
    check_published("games_spec.jsonl.gz", 70);
}

#[test]
fn freezes_cost_the_published_time() {
    check_published("freeze.jsonl.gz", 85);
}

#[test]
fn rare_moves_do_as_published() {
    check_published("single.jsonl.gz", 422);
}

#[test]
fn chance_falls_as_published() {
    check_published("random.jsonl.gz", 113);
}

#[test]
fn every_file_here_and_in_the_named_directory_is_equal() {
    let named = std::env::var_os("ROOKERY_GMO_VECTORS").map(PathBuf::from);
    for directory in [Some(published()), named].into_iter().flatten() {
        let mut records = 0;
        for entry in fs::read_dir(&directory).expect("ROOKERY_GMO_VECTORS names a directory") {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy();
            if name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") {
                records += check(&path);
            }
        }
        assert!(records > 0, "there are no vectors in {}", directory.display());
    }
}
