//! What an unknown piece is worth: learned from how it moves on boards filled by chance.

use rules::gmo::{Debuff, Genome, Occupant};
use rules::shakmaty::{Bitboard, Color, Square};

use super::super::random::Random;
use super::super::score::Value;
use super::kind::{Deal, Kind};

/// Boards a genome is tried on.
const BOARDS: usize = 32;
/// What one target on an average board is worth: it gives a knight 300 centipawns.
const TARGET: Value = 60;
/// Targets are counted in tenths.
const TENTH: Value = 10;

/// What a piece is worth, and how much more or less on each square, as White sees it.
#[derive(Debug, Clone)]
pub(super) struct Worth {
    pub(super) piece: Value,
    pub(super) squares: [Value; 64],
}

impl Default for Worth {
    fn default() -> Worth {
        Worth { piece: 0, squares: [0; 64] }
    }
}

/// Counts targets on random boards, the same for every genome.
pub(super) fn learn(kind: &Kind, genome: &Genome) -> Worth {
    let weights: Vec<[Value; 3]> = kind
        .deals
        .iter()
        .map(|deals| {
            [Occupant::Own, Occupant::Enemy, Occupant::Empty]
                .map(|occupant| deals[occupant as usize].map_or(0, |deal| weigh(deal, occupant)))
        })
        .collect();
    let mut random = Random::new(0x6d6f_6269_6c69_7479, 0);
    let mut sums = [0; 64];
    for board in 0..BOARDS {
        let (own, enemy) = fill(&mut random, 8 + board / 2);
        for origin in Square::ALL {
            let here = Bitboard::from(origin);
            let (own, enemy) = (own | here, enemy & !here);
            let sum = &mut sums[origin.to_usize()];
            kind.targets(origin, Color::White, own, enemy, Bitboard::FULL, |to, block| {
                let occupant = match () {
                    () if own.contains(to) => Occupant::Own,
                    () if enemy.contains(to) => Occupant::Enemy,
                    () => Occupant::Empty,
                };
                *sum += weights[usize::from(block)][occupant as usize];
            });
        }
    }
    let boards = Value::try_from(BOARDS).unwrap_or(1) * TENTH;
    let mean = sums.iter().sum::<Value>() * TARGET / (boards * 64);
    // A piece that lands beside its target, or becomes another, is less of a tool.
    let percent = 100
        - 30 * Value::from(genome.has(Debuff::Deviate))
        - 10 * Value::from(genome.has(Debuff::Mutate));
    let squares = sums.map(|sum| ((sum * TARGET / boards - mean) / 6).clamp(-40, 40));
    Worth { piece: (mean * percent / 100).max(20), squares }
}

/// What a possible move is worth, in tenths of an ordinary one.
fn weigh(deal: Deal, occupant: Occupant) -> Value {
    let gained = deal.mover_own - 1 - deal.mover_enemy;
    match occupant {
        Occupant::Empty => TENTH + gained * TENTH,
        Occupant::Enemy => (gained + 1 + deal.other_own - deal.other_enemy) * TENTH,
        // Taking one's own is a last resort.
        Occupant::Own => 0,
    }
    .clamp(0, 3 * TENTH)
}

/// So many pieces by chance, half of them of each side.
fn fill(random: &mut Random, pieces: usize) -> (Bitboard, Bitboard) {
    let mut sides = [Bitboard::EMPTY; 2];
    for number in 0..pieces {
        let square = Square::ALL[random.below(64)];
        if !(sides[0] | sides[1]).contains(square) {
            sides[number % 2].add(square);
        }
    }
    (sides[0], sides[1])
}
