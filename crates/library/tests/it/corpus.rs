//! Games to test with: a sample that is always there, and bigger files where a folder with them is named.

use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

use library::Record;
use rules::pgn::{Game, Item, Limits, read_games};

/// 301 real games.
pub(crate) fn sample_text() -> Vec<u8> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/data/pgn");
    fs::read(rules.join("masters.sample.pgn")).unwrap()
}

/// Set-up positions, repetitions, a game within a game, transpositions: what real games seldom have.
pub(crate) const ODD: &str = include_str!("../data/odd.pgn");

pub(crate) fn games(text: &[u8]) -> Vec<Game> {
    let items = read_games(text, Limits::default()).into_iter();
    items
        .filter_map(|item| match item {
            Item::Game(read) => Some(read.game),
            Item::Stray(_) => None,
        })
        .collect()
}

/// Games for the index, numbered from 1.
pub(crate) fn records(games: &[Game]) -> Vec<Record> {
    let numbered = games.iter().zip(1..);
    numbered
        .map(|(game, seq)| {
            let mut record = Record::of(game);
            record.facts.seq = seq;
            record
        })
        .collect()
}

/// The folder with the big files, if it is there. Says so if not: a test that did little should not look like more.
pub(crate) fn folder(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ROOKERY_PGN_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/pgn"),
        PathBuf::from,
    );
    if folder.join("masters.pgn.zst").is_file() {
        return Some(folder);
    }
    let note = format!(
        "NOT CHECKED: {test}, for there are no big PGN files in {} (ROOKERY_PGN_CORPUS names another folder); \
         the sample in the repository is checked always\n",
        folder.display()
    );
    std::io::stdout().write_all(note.as_bytes()).unwrap();
    None
}

pub(crate) fn unpacked(path: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    zstd::Decoder::new(fs::File::open(path).unwrap()).unwrap().read_to_end(&mut text).unwrap();
    text
}
