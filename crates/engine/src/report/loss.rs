//! The average centipawn loss.

use rules::{ByColor, Color};

use super::win::Eval;

/// The mean of what each side's moves cost, rounded; `None` for a side that did not move.
///
/// `evals` holds the evaluation before the first move and one after each; `first` made the first move.
pub fn average_centipawn_loss(evals: &[Eval], first: Color) -> ByColor<Option<u32>> {
    let mut sums: ByColor<(i32, i32)> = ByColor::same((0, 0));
    let mut side = first;
    for pair in evals.windows(2) {
        let drop = pair[0].centipawns_of(side) - pair[1].centipawns_of(side);
        sums[side].0 += drop.max(0);
        sums[side].1 += 1;
        side = side.other();
    }
    let mean = |(sum, moves): (i32, i32)| {
        let rounded = (sum * 2 + moves).checked_div(moves * 2)?;
        u32::try_from(rounded).ok()
    };
    ByColor { white: mean(sums.white), black: mean(sums.black) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_losses_count_and_the_mean_is_rounded() {
        let check = |evals: &[i32], white: Option<u32>, black: Option<u32>| {
            let evals: Vec<Eval> = evals.iter().map(|&value| Eval::Centipawns(value)).collect();
            let found = average_centipawn_loss(&evals, Color::White);
            assert_eq!(found, ByColor { white, black }, "{evals:?}");
        };
        check(&[15], None, None);
        check(&[15, 15], Some(0), None);
        check(&[15, -85, 15], Some(100), Some(100));
        check(&[15, 115, 15], Some(0), Some(0));
        check(&[0, -25, -25, -50], Some(25), Some(0));
        check(&[0, -1, -1, -1], Some(1), Some(0));
        check(&[0, -5_000, 0], Some(1_000), Some(1_000));
    }

    #[test]
    fn a_mate_costs_ten_pawns_at_most() {
        let evals = [Eval::Mate(3), Eval::Mate(-1)];
        assert_eq!(average_centipawn_loss(&evals, Color::White).white, Some(2_000));
    }
}
