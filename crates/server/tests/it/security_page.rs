//! `docs/security.md` names a test for each promise. This looks whether they exist.

use std::path::{Path, PathBuf};

/// All Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_test_that_the_security_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates/server/src", "crates/server/tests", "crates/store/tests", "crates/cli"] {
        sources(&root.join(folder), &mut files);
    }
    let code: String = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let page = std::fs::read_to_string(root.join("docs/security.md")).unwrap();
    // The odd pieces between backticks are what stands inside them; names of tests are long and have no other signs.
    let is_name = |text: &&str| {
        text.matches('_').count() >= 3 && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let names: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_name).collect();
    assert!(names.len() > 60, "only {} names found", names.len());
    for name in names {
        assert!(code.contains(&format!("fn {name}(")), "no test is called {name}");
    }
}
