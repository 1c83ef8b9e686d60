//! What an engine is told.

use std::fmt::Write as _;

use rules::Action;

use crate::builtin::{Limits, UciStrength};

/// The command that sets a position up.
pub fn position(fen: &str, moves: &[Action]) -> String {
    let mut text = format!("position fen {fen}");
    if !moves.is_empty() {
        text.push_str(" moves");
    }
    for action in moves {
        let _ = write!(text, " {}", action.engine_text());
    }
    text
}

/// The command that begins a search, by the tighter of both limits.
pub fn go(limits: &Limits, strength: Option<UciStrength>) -> String {
    // Whoever counts positions wants the same answer of every machine: then the level's time does not hold, and the
    // depth only where it makes the level weaker than the full strength.
    let own_depth = strength.filter(|own| limits.nodes.is_none() || !own.is_full());
    let own_depth = own_depth.map(|strength| strength.depth);
    let depth = limits.depth.into_iter().chain(own_depth).min();
    let own_time = strength.filter(|_| limits.nodes.is_none());
    let own_time = own_time.map(|strength| u128::from(strength.milliseconds));
    let time = limits.most.map(|most| most.as_millis().max(1)).into_iter().chain(own_time).min();
    let mut text = "go".to_owned();
    if let Some(depth) = depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(time) = time {
        let _ = write!(text, " movetime {time}");
    }
    if text == "go" { "go infinite".to_owned() } else { text }
}

/// The command that sets an option.
pub(super) fn set_option(name: &str, value: &str) -> String {
    format!("setoption name {name} value {value}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::builtin::Level;

    #[test]
    fn a_search_is_limited_by_what_is_tighter() {
        let check = |limits: Limits, level: Option<u8>, expected: &str| {
            let strength = level.and_then(Level::new).and_then(Level::stockfish);
            assert_eq!(go(&limits, strength), expected);
        };
        check(Limits::default(), None, "go infinite");
        check(Limits::nodes(500), None, "go nodes 500");
        check(Limits::depth(9), Some(4), "go depth 5 movetime 200");
        check(Limits::time(Duration::from_millis(30)), Some(8), "go depth 22 movetime 30");
        check(Limits::time(Duration::ZERO), None, "go movetime 1");
        check(Limits::nodes(50_000), Some(7), "go depth 13 nodes 50000");
        check(Limits::nodes(400_000), Some(8), "go nodes 400000");
    }

    #[test]
    fn a_position_is_its_start_and_the_moves() {
        let moves = ["e2e4", "e7e8q"].map(|text| text.parse().unwrap());
        assert_eq!(position("8/8 w", &moves), "position fen 8/8 w moves e2e4 e7e8q");
        assert_eq!(position("8/8 w", &[]), "position fen 8/8 w");
    }
}
