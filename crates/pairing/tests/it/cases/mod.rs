//! The cases kept in this crate, and further ones where `ROOKERY_SWISS_CASES` says they are.
//!
//! That variable names a folder with `small`, `main` and `tiebreak` in it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::{Path, PathBuf};
use std::{env, fs};

/// All tournament files: their names and bytes.
pub(crate) fn trf_files() -> Vec<(String, Vec<u8>)> {
    let kinds = ["swiss/small", "swiss/main", "tiebreak"];
    let mut files: Vec<PathBuf> = kinds.iter().flat_map(|kind| list(&data().join(kind))).collect();
    if let Some(more) = more() {
        files.extend(["small", "main", "tiebreak"].iter().flat_map(|kind| list(&more.join(kind))));
    }
    assert!(files.len() >= 444, "the cases are missing");
    files.into_iter().map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
}

/// Finished tournaments: their names, the file and the expected table.
pub(crate) fn tie_break_cases() -> Vec<(String, Vec<u8>, String)> {
    let mut files = list(&data().join("tiebreak"));
    assert_eq!(files.len(), 40, "the cases are missing");
    if let Some(more) = more() {
        files.extend(list(&more.join("tiebreak")));
    }
    let case = |path: PathBuf| {
        let table = fs::read_to_string(path.with_extension("tb")).unwrap();
        (path.display().to_string(), fs::read(&path).unwrap(), table)
    };
    files.into_iter().map(case).collect()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn more() -> Option<PathBuf> {
    env::var_os("ROOKERY_SWISS_CASES").map(PathBuf::from)
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "trf")).collect();
    files.sort();
    files
}
