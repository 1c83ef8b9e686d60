//! From an evaluation to the chance to win.

use rules::Color;

use crate::builtin::Score;

/// Evaluations beyond this say no more.
const CEILING: i32 = 1_000;

/// The evaluation of a position, as White sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// White mates in so many moves, or is mated if negative.
    Mate(i32),
    /// This side has won.
    Won(Color),
}

impl Eval {
    /// Of the start position, and of any start that was not analysed.
    pub const START: Eval = Eval::Centipawns(15);

    /// What a built-in engine said for the side that was to act.
    pub fn of(score: Score, to_act: Color) -> Eval {
        let score = if to_act == Color::White { score } else { score.flipped() };
        match score {
            Score::Centipawns(value) => Eval::Centipawns(value),
            // No moves are left to count: whoever was to act has lost.
            Score::Mate(0) => Eval::Won(to_act.other()),
            Score::Mate(moves) => Eval::Mate(moves),
        }
    }

    /// In centipawns, at most ten pawns; a mate counts as those.
    pub fn centipawns(self) -> i32 {
        match self {
            Eval::Centipawns(value) => value.clamp(-CEILING, CEILING),
            Eval::Mate(moves) if moves > 0 => CEILING,
            Eval::Mate(_) | Eval::Won(Color::Black) => -CEILING,
            Eval::Won(Color::White) => CEILING,
        }
    }

    /// In centipawns as this side sees it.
    pub fn centipawns_of(self, side: Color) -> i32 {
        match side {
            Color::White => self.centipawns(),
            Color::Black => -self.centipawns(),
        }
    }

    /// The chance of this side to win.
    pub fn win_percent(self, side: Color) -> WinPercent {
        WinPercent::from_centipawns(self.centipawns_of(side))
    }

    /// Whether this side will mate or has won.
    pub fn is_won_by(self, side: Color) -> bool {
        match self {
            Eval::Centipawns(_) => false,
            Eval::Mate(moves) => (moves > 0) == (side == Color::White),
            Eval::Won(winner) => winner == side,
        }
    }
}

/// The chance to win, 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct WinPercent(pub f64);

impl WinPercent {
    /// The logistic curve that fits games of people.
    pub fn from_centipawns(centipawns: i32) -> WinPercent {
        let centipawns = f64::from(centipawns.clamp(-CEILING, CEILING));
        WinPercent(50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * centipawns).exp()) - 1.0))
    }

    /// The same between -1 (lost) and 1 (won).
    pub fn chances(self) -> f64 {
        self.0 / 50.0 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_percent_follows_the_published_curve() {
        let check = |centipawns, expected: f64| {
            let WinPercent(found) = WinPercent::from_centipawns(centipawns);
            assert!((found - expected).abs() < 0.000_06, "{centipawns}: {found}");
            let WinPercent(other) = WinPercent::from_centipawns(-centipawns);
            assert!((found + other - 100.0).abs() < 1e-9);
        };
        check(0, 50.0);
        check(15, 51.3804);
        check(100, 59.1026);
        check(200, 67.6212);
        check(300, 75.1126);
        check(500, 86.3072);
        check(1_000, 97.5447);
        check(5_000, 97.5447);
    }

    #[test]
    fn scores_of_the_side_to_act_become_those_of_white() {
        let check = |score, to_act, expected| assert_eq!(Eval::of(score, to_act), expected);
        check(Score::Centipawns(30), Color::White, Eval::Centipawns(30));
        check(Score::Centipawns(30), Color::Black, Eval::Centipawns(-30));
        check(Score::Mate(2), Color::Black, Eval::Mate(-2));
        check(Score::Mate(0), Color::Black, Eval::Won(Color::White));
    }

    #[test]
    fn a_mate_counts_as_ten_pawns() {
        let check = |eval: Eval, expected| assert_eq!(eval.centipawns(), expected, "{eval:?}");
        check(Eval::Mate(3), 1_000);
        check(Eval::Mate(-1), -1_000);
        check(Eval::Won(Color::White), 1_000);
        check(Eval::Won(Color::Black), -1_000);
        check(Eval::Centipawns(-4_321), -1_000);
        check(Eval::START, 15);
    }
}
