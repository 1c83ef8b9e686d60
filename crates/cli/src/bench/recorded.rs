//! The games that are played: real ones, as bare lists of moves.

use std::fmt;

/// A move as engines write it, in a form that is cheap to keep by the million.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MoveText([u8; 5]);

impl MoveText {
    /// Four or five characters of ASCII; anything else is no move.
    pub(super) fn new(text: &str) -> Option<MoveText> {
        let bytes = text.as_bytes();
        if !text.is_ascii() || !(4..=5).contains(&bytes.len()) {
            return None;
        }
        let mut kept = [0; 5];
        kept[..bytes.len()].copy_from_slice(bytes);
        Some(MoveText(kept))
    }

    pub(super) fn as_str(&self) -> &str {
        let length = if self.0[4] == 0 { 4 } else { 5 };
        std::str::from_utf8(&self.0[..length]).expect("only ASCII goes in")
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The games of the file, each at least a hundred plies long.
pub(super) fn games() -> Vec<Vec<MoveText>> {
    include_str!("games.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(' ').filter_map(MoveText::new).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use rules::{Act, Actor, Command, Game, RuleSet, Setup, TimeControl, UnixMillis};

    use super::*;

    #[test]
    fn every_recorded_game_can_be_played_to_its_last_move() {
        let games = games();
        assert!(games.len() >= 60);
        for (number, moves) in games.iter().enumerate() {
            assert!(moves.len() >= 100, "game {number} is short");
            let setup = Setup::standard(TimeControl::Unlimited, RuleSet::online());
            let mut game = Game::new(setup, UnixMillis(0)).unwrap();
            for action in moves {
                let by = game.to_act().unwrap_or_else(|| panic!("game {number} ends too early"));
                let act = Act::Play { ply: game.ply(), action: action.to_string() };
                let command = Command::new(Actor::Player(by), UnixMillis(0), act);
                for event in game.decide(&command).unwrap() {
                    game.apply(&event).unwrap();
                }
                // The server tells a move in the same letters, or the checker would take it for another.
                let told = game.last_action().map(ToString::to_string);
                assert_eq!(told.as_deref(), Some(action.as_str()), "game {number}");
            }
        }
    }

    #[test]
    fn a_move_has_four_or_five_letters() {
        assert_eq!(MoveText::new("e7e8q").unwrap().as_str(), "e7e8q");
        assert_eq!(MoveText::new("e2e4").unwrap().to_string(), "e2e4");
        for bad in ["", "e4", "e2e4qq", "é2e4"] {
            assert!(MoveText::new(bad).is_none(), "{bad:?}");
        }
    }
}
