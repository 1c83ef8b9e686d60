//! The targets of `crates/rules/tests/fuzz`, for cargo-fuzz.

#[path = "../../crates/rules/tests/fuzz/targets.rs"]
pub mod targets;
