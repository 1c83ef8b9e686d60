//! The options of an engine that may be set, and nothing else.

/// What we set ourselves.
pub(super) const HASH: &str = "Hash";
pub(super) const THREADS: &str = "Threads";
pub(super) const MULTI_PV: &str = "MultiPV";
pub(super) const SKILL: &str = "Skill Level";
pub(super) const CHESS960: &str = "UCI_Chess960";
pub(super) const ANALYSE: &str = "UCI_AnalyseMode";

/// What the owner may set in the settings: nothing that names a file to write, and nothing that we decide.
pub const OWNERS_OPTIONS: [&str; 8] = [
    "Contempt",
    "EvalFile",
    "Move Overhead",
    "Slow Mover",
    "SyzygyPath",
    "SyzygyProbeDepth",
    "Use NNUE",
    "WeightsFile",
];

/// Whether the owner may set this option to this value.
pub fn is_allowed(name: &str, value: &str) -> bool {
    let is_one_line = !value.chars().any(char::is_control);
    OWNERS_OPTIONS.contains(&name) && is_one_line && value.len() <= 1_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_options_can_be_set_and_only_in_one_line() {
        let check = |name, value, expected| assert_eq!(is_allowed(name, value), expected, "{name}");
        check("Move Overhead", "30", true);
        check("EvalFile", "/usr/share/nets/small.nnue", true);
        check("Debug Log File", "/tmp/log", false);
        check("Threads", "64", false);
        check("Move Overhead", "30\nquit", false);
    }
}
