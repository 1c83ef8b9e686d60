//! Eight levels from beginner to full strength.

/// How strong an opponent is, 1 to 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// What holds the built-in engine back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handicap {
    /// Plies it looks ahead.
    pub depth: Option<u8>,
    /// Positions it looks at.
    pub nodes: u64,
    /// By how many centipawns it misjudges a move, at most and rarely.
    pub noise: i32,
    /// How many moves of a hundred it plays without thinking.
    pub blunders: u8,
}

/// What Stockfish is told.
///
/// Skill levels below 0 are silently ignored by the official program, which then plays at full strength: the weakest
/// levels are the built-in engine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UciStrength {
    /// Option `Skill Level`, 0 to 20.
    pub skill: u8,
    /// `go depth`.
    pub depth: u8,
    /// `go movetime`, in milliseconds.
    pub milliseconds: u32,
}

impl UciStrength {
    /// Whether nothing is held back.
    pub fn is_full(self) -> bool {
        self.skill >= 20
    }
}

impl Level {
    /// A beginner who has just learned the moves.
    pub const WEAKEST: Level = Level(1);
    /// Everything the engine can do.
    pub const STRONGEST: Level = Level(8);

    /// The level with this number, 1 to 8.
    pub fn new(number: u8) -> Option<Level> {
        (1..=8).contains(&number).then_some(Level(number))
    }

    /// All levels, weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=8).map(Level)
    }

    /// Its number, 1 to 8.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The built-in engine at this level: in every variant, and in all of chess if nothing else is installed.
    pub fn handicap(self) -> Handicap {
        let (depth, nodes, noise, blunders) = match self.0 {
            ..=1 => (Some(1), 4_000, 260, 22),
            2 => (Some(1), 6_000, 150, 12),
            3 => (Some(2), 12_000, 90, 6),
            4 => (Some(3), 25_000, 45, 2),
            5 => (Some(4), 60_000, 20, 0),
            6 => (Some(7), 200_000, 0, 0),
            7 => (None, 600_000, 0, 0),
            8.. => (None, 4_000_000, 0, 0),
        };
        Handicap { depth, nodes, noise, blunders }
    }

    /// What to tell Stockfish; `None` where only the built-in engine is weak enough.
    pub fn stockfish(self) -> Option<UciStrength> {
        let (skill, depth, milliseconds) = match self.0 {
            ..=3 => return None,
            4 => (3, 5, 200),
            5 => (7, 5, 300),
            6 => (11, 8, 400),
            7 => (16, 13, 500),
            8.. => (20, 22, 1_000),
        };
        Some(UciStrength { skill, depth, milliseconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_at_least_as_strong_as_the_one_below() {
        let levels: Vec<Level> = Level::all().collect();
        assert_eq!(levels.len(), 8);
        for pair in levels.windows(2) {
            let (weak, strong) = (pair[0].handicap(), pair[1].handicap());
            assert!(weak.nodes < strong.nodes && weak.noise >= strong.noise);
            assert!(weak.blunders >= strong.blunders);
            assert!(weak.depth.unwrap_or(u8::MAX) <= strong.depth.unwrap_or(u8::MAX));
            let skill = |level: Level| level.stockfish().map_or(0, |strength| strength.skill);
            assert!(skill(pair[0]) <= skill(pair[1]));
        }
    }

    #[test]
    fn stockfish_is_told_only_what_it_understands() {
        let skills = Level::all().filter_map(Level::stockfish).map(|strength| strength.skill);
        assert_eq!(skills.max(), Some(20));
        assert_eq!(Level::WEAKEST.stockfish(), None);
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(9), None);
    }
}
