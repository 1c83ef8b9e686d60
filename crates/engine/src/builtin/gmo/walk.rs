//! The walks of a block from one square, as the squares on which a move may end.

use rules::gmo::{Debuff, Debuffs, Step};
use rules::shakmaty::{File, Rank, Square};

/// The directions in the order of the rules: +y, +x, −y, −x.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The different walks: one that another one begins with tells nothing new and is left out.
pub(super) fn rays(steps: &[Step], debuffs: Debuffs, origin: Square) -> Vec<Vec<Square>> {
    let mut rays: Vec<Vec<Square>> = Vec::with_capacity(8);
    for turn in [1, 3] {
        for start in 0..4 {
            let ray = walk(steps, debuffs, origin, start, turn);
            if rays.iter().any(|other| other.starts_with(&ray)) {
                continue;
            }
            rays.retain(|other| !ray.starts_with(other));
            rays.push(ray);
        }
    }
    rays
}

/// One walk. A square that comes again is left out: had it been occupied, the walk would have ended there before.
fn walk(
    steps: &[Step],
    debuffs: Debuffs,
    origin: Square,
    start: usize,
    turn: usize,
) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut visited = [false; 64 * 16];
    let (mut at, mut direction, mut number) = (origin, start, 0);
    while let Some(next) = go(at, steps[number], direction, debuffs) {
        at = next;
        let state = at.to_usize() * 16 + direction * 4 + number;
        if std::mem::replace(&mut visited[state], true) {
            break;
        }
        if steps[number].colouring && !squares.contains(&at) {
            squares.push(at);
            if at == origin {
                break;
            }
        }
        number += 1;
        if number == steps.len() {
            number = 0;
            if debuffs.has(Debuff::Once) {
                break;
            }
        }
        direction = (direction + turn) % 4;
    }
    squares
}

/// Where a step leads; `None` is off the board.
fn go(at: Square, step: Step, direction: usize, debuffs: Debuffs) -> Option<Square> {
    let (x, y) = DIRECTIONS[direction];
    let distance = step.distance.cast_signed();
    let mut file = i32::from(at.file()) + i32::from(x * distance);
    if !debuffs.has(Debuff::NoWrap) {
        file = file.rem_euclid(8);
    }
    let rank = i32::from(at.rank()) + i32::from(y * distance);
    let file = File::try_from(file).ok()?;
    let rank = Rank::try_from(rank).ok()?;
    Some(Square::from_coords(file, rank))
}
