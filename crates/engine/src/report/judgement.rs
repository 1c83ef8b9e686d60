//! Which moves were bad, and how bad.

use rules::Color;

use super::win::Eval;

/// What is said of a move that should not have been played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Something better was there.
    Inaccuracy,
    /// It costs much.
    Mistake,
    /// It costs the game, or gives it away.
    Blunder,
}

/// Judges a move of this side by the evaluations before and after it; `None` if nothing is wrong with it.
pub fn judge(before: Eval, after: Eval, side: Color) -> Option<Judgement> {
    if after.is_won_by(side.other()) && !before.is_won_by(side.other()) {
        // How bad it is to be mated depends on what there was to lose.
        return Some(by_what_was_left(before.centipawns_of(side)));
    }
    if before.is_won_by(side) && !after.is_won_by(side) {
        return Some(by_what_was_left(-after.centipawns_of(side)));
    }
    let lost = before.win_percent(side).chances() - after.win_percent(side).chances();
    match lost {
        0.3.. => Some(Judgement::Blunder),
        0.2.. => Some(Judgement::Mistake),
        0.1.. => Some(Judgement::Inaccuracy),
        _ => None,
    }
}

/// A mate allowed by somebody already lost is no blunder; nor is a mate missed by somebody who still wins.
fn by_what_was_left(centipawns: i32) -> Judgement {
    match centipawns {
        ..-999 => Judgement::Inaccuracy,
        -999..-700 => Judgement::Mistake,
        _ => Judgement::Blunder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: Eval, after: Eval, expected: Option<Judgement>) {
        let flip = |eval| match eval {
            Eval::Centipawns(value) => Eval::Centipawns(-value),
            Eval::Mate(moves) => Eval::Mate(-moves),
            Eval::Won(winner) => Eval::Won(winner.other()),
        };
        assert_eq!(judge(before, after, Color::White), expected, "{before:?} {after:?}");
        assert_eq!(judge(flip(before), flip(after), Color::Black), expected, "mirrored {before:?}");
    }

    #[test]
    fn judgements_follow_the_loss_of_winning_chances() {
        let cp = Eval::Centipawns;
        check(cp(0), cp(0), None);
        check(cp(0), cp(300), None);
        check(cp(0), cp(-54), None);
        check(cp(0), cp(-55), Some(Judgement::Inaccuracy));
        check(cp(0), cp(-110), Some(Judgement::Inaccuracy));
        check(cp(0), cp(-111), Some(Judgement::Mistake));
        check(cp(0), cp(-168), Some(Judgement::Mistake));
        check(cp(0), cp(-169), Some(Judgement::Blunder));
        check(cp(900), cp(700), None);
    }

    #[test]
    fn allowing_mate_is_judged_by_what_there_was_to_lose() {
        let mated = Eval::Mate(-3);
        check(Eval::Centipawns(50), mated, Some(Judgement::Blunder));
        check(Eval::Centipawns(-700), mated, Some(Judgement::Blunder));
        check(Eval::Centipawns(-701), mated, Some(Judgement::Mistake));
        check(Eval::Centipawns(-999), mated, Some(Judgement::Mistake));
        check(Eval::Centipawns(-1_500), mated, Some(Judgement::Inaccuracy));
        check(Eval::Mate(2), mated, Some(Judgement::Blunder));
        check(Eval::Mate(-5), mated, None);
        check(Eval::Centipawns(0), Eval::Won(Color::Black), Some(Judgement::Blunder));
    }

    #[test]
    fn missing_mate_is_judged_by_what_is_left() {
        let mate = Eval::Mate(2);
        check(mate, Eval::Centipawns(100), Some(Judgement::Blunder));
        check(mate, Eval::Centipawns(701), Some(Judgement::Mistake));
        check(mate, Eval::Centipawns(1_200), Some(Judgement::Inaccuracy));
        check(mate, Eval::Mate(4), None);
        check(Eval::Mate(1), Eval::Won(Color::White), None);
    }
}
