//! Has the page taken into the binary anew when it was built anew.
//!
//! The page's files become part of a release when `server` is compiled, and the compiler watches only those that were
//! there then: a binary that was built before its page would stay without one. Debug builds read the page from the disk.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // As long as there is none, cargo looks again each time.
        println!("cargo::rerun-if-changed=../../web/build");
    }
}
