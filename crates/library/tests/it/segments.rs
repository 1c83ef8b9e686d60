//! What is on the disk: how big it is, and that nothing in it can bring the program down.

use std::collections::HashSet;
use std::fs;

use library::moves::Packed;
use library::{Filter, Index, Record, View};
use rules::shakmaty::Chess;

use crate::corpus;

#[test]
fn the_index_is_smaller_than_three_fifths_of_the_text() {
    let text = corpus::sample_text();
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    index.add(corpus::records(&corpus::games(&text)));
    index.flush().unwrap();
    let bytes = index.counts().bytes;
    assert!(bytes * 10 < text.len() as u64 * 6, "{bytes} of {}", text.len());
}

#[test]
fn a_damaged_segment_is_left_out_and_told_by_the_counts() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    index.add(corpus::records(&corpus::games(&corpus::sample_text())));
    index.flush().unwrap();
    assert_eq!(index.covered(), 301);
    drop(index);
    let is_segment = |path: &std::path::Path| path.extension().is_some_and(|e| e == "games");
    let path = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| is_segment(p))
        .unwrap();
    let whole = fs::read(&path).unwrap();
    let manifest = fs::read(folder.path().join("manifest")).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        fs::write(&path, &bytes).unwrap();
        fs::write(folder.path().join("manifest"), &manifest).unwrap();
        // Read or left out, but no panic; a byte of the moves may lead to an error of the question.
        let index = Index::open(folder.path()).unwrap();
        let _ = index.explore(&Chess::default(), &View::Everything, &Filter::default());
        if index.counts().games == 0 {
            assert_eq!(index.covered(), 0);
        }
    }
    fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    fs::write(folder.path().join("manifest"), &manifest).unwrap();
    assert_eq!(Index::open(folder.path()).unwrap().counts().games, 0);
}

#[test]
fn files_that_no_list_names_are_swept_away() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("17.games"), b"half written before a crash").unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert!(!folder.path().join("17.games").exists());
    index.add(corpus::records(&corpus::games(corpus::ODD.as_bytes())));
    index.flush().unwrap();
    assert!(folder.path().join("19.games").exists(), "old names are not used again");
}

/// An index with one segment for each of these parts of the sample.
fn in_parts(folder: &tempfile::TempDir, games: usize) -> (Index, Vec<Record>) {
    let records = corpus::records(&corpus::games(&corpus::sample_text()));
    let index = Index::open(folder.path()).unwrap();
    for part in records.chunks(games) {
        index.add(part.to_vec());
        index.flush().unwrap();
    }
    (index, records)
}

fn seen(index: &Index) -> HashSet<u64> {
    let page = index.list(None, &View::Everything, &Filter::default(), None, 1_000).unwrap();
    assert_eq!(page.total, index.counts().games);
    page.games.iter().map(|found| found.seq).collect()
}

#[test]
fn a_segment_of_which_nothing_is_left_goes_with_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let (index, _) = in_parts(&folder, 101);
    let files = || fs::read_dir(folder.path()).unwrap().count();
    assert_eq!((index.counts().segments, files()), (3, 4));
    index.remove(&(1..=50).collect()).unwrap();
    index.remove(&(51..=101).collect()).unwrap();
    assert_eq!((index.counts().segments, files()), (2, 3));
    assert_eq!(seen(&index), (102..=301).collect());
    assert_eq!(seen(&Index::open(folder.path()).unwrap()), (102..=301).collect());
}

#[test]
fn a_segment_of_which_most_is_gone_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let (index, records) = in_parts(&folder, 301);
    let whole = index.counts().bytes;
    index.remove(&(1..=150).collect()).unwrap();
    assert!(!index.is_worn() && !index.is_due(false));
    index.remove(&(151..=290).collect()).unwrap();
    assert!(index.is_worn() && index.is_due(false));
    index.add([records[0].clone()]);
    index.renew().unwrap();
    assert!(!index.is_worn() && index.counts().bytes * 4 < whole);
    let left: HashSet<u64> = (291..=301).chain([1]).collect();
    assert_eq!(seen(&index), left);
    index.flush().unwrap();
    assert_eq!(seen(&Index::open(folder.path()).unwrap()), left);
}

#[test]
fn games_without_end_do_not_wait_for_many_others() {
    const PLIES: usize = 40_000;
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let mut record = corpus::records(&corpus::games(corpus::ODD.as_bytes())).remove(0);
    record.moves = vec![Packed(1); PLIES];
    record.short = vec![0; PLIES];
    record.hashes = vec![0; PLIES + 1];
    for _ in 0..300 {
        index.add([record.clone()]);
        if index.is_due(true) {
            return;
        }
    }
    panic!("more than a hundred megabytes wait in memory");
}

#[test]
fn with_another_table_of_openings_everything_is_put_in_again() {
    let folder = tempfile::tempdir().unwrap();
    drop(in_parts(&folder, 301));
    let path = folder.path().join("manifest");
    let manifest = fs::read_to_string(&path).unwrap();
    let digest = rules::opening::digest().to_string();
    assert!(manifest.contains(&digest));
    fs::write(&path, manifest.replace(&digest, "1")).unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert_eq!((index.counts().games, index.covered()), (0, 0));
}
