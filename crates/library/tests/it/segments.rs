//! What is on the disk: how big it is, and that nothing in it can bring the program down.

use std::fs;

use library::{Filter, Index, View};
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
