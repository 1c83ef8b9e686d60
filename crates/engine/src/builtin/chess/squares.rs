//! What a piece is worth on a square: material and place in one number, for the middle game and for the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use rules::shakmaty::Role;

use super::super::score::Value;

/// A value for the middle game and one for the endgame; the pieces left decide between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Taper {
    pub(super) middle: Value,
    pub(super) end: Value,
}

pub(super) const fn taper(middle: Value, end: Value) -> Taper {
    Taper { middle, end }
}

impl Add for Taper {
    type Output = Taper;
    fn add(self, other: Taper) -> Taper {
        taper(self.middle + other.middle, self.end + other.end)
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Taper) {
        *self = *self + other;
    }
}

impl Neg for Taper {
    type Output = Taper;
    fn neg(self) -> Taper {
        taper(-self.middle, -self.end)
    }
}

impl Sub for Taper {
    type Output = Taper;
    fn sub(self, other: Taper) -> Taper {
        self + -other
    }
}

impl SubAssign for Taper {
    fn sub_assign(&mut self, other: Taper) {
        *self = *self - other;
    }
}

impl Mul<Value> for Taper {
    type Output = Taper;
    fn mul(self, times: Value) -> Taper {
        taper(self.middle * times, self.end * times)
    }
}

/// By role and by square as White sees it.
pub(super) static SQUARES: [[Taper; 64]; 6] = lay();

/// The row of a role in [`SQUARES`].
pub(super) const fn row(role: Role) -> usize {
    role as usize - 1
}

const fn lay() -> [[Taper; 64]; 6] {
    let mut squares = [[taper(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        squares[row(Role::Pawn)][square] = pawn(file, rank);
        squares[row(Role::Knight)][square] = knight(file, rank);
        squares[row(Role::Bishop)][square] = bishop(file, rank);
        squares[row(Role::Rook)][square] = rook(file, rank);
        squares[row(Role::Queen)][square] = queen(file, rank);
        squares[row(Role::King)][square] = king(file, rank);
        square += 1;
    }
    squares
}

/// 0 on the edge, 3 in the middle.
const fn inward(line: usize) -> Value {
    const INWARD: [Value; 8] = [0, 1, 2, 3, 3, 2, 1, 0];
    INWARD[line]
}

/// 0 in the corner, 6 in the centre.
const fn central(file: usize, rank: usize) -> Value {
    inward(file) + inward(rank)
}

const fn pawn(file: usize, rank: usize) -> Taper {
    const FORWARD: [Taper; 8] = [
        taper(0, 0),
        taper(0, 0),
        taper(2, 4),
        taper(6, 10),
        taper(14, 22),
        taper(28, 42),
        taper(50, 75),
        taper(0, 0),
    ];
    let forward = FORWARD[rank];
    // The centre is to be taken with pawns, and those before the king's likely place are to stay.
    let centre = match (file, rank) {
        (3 | 4, 3) => 22,
        (3 | 4, 4) => 18,
        (2 | 5, 3) | (3 | 4, 2) => 8,
        (3 | 4, 1) => -14,
        (0 | 7, _) => -6,
        _ => 0,
    };
    taper(88 + forward.middle + centre, 108 + forward.end)
}

const fn knight(file: usize, rank: usize) -> Taper {
    let outpost = if rank >= 3 && rank <= 5 { 8 } else { 0 };
    let home = if rank == 0 { -8 } else { 0 };
    taper(
        302 + 8 * central(file, rank) + outpost + home,
        276 + 7 * central(file, rank) + outpost / 2,
    )
}

const fn bishop(file: usize, rank: usize) -> Taper {
    let home = if rank == 0 { -12 } else { 0 };
    taper(328 + 4 * central(file, rank) + home, 304 + 4 * central(file, rank))
}

const fn rook(file: usize, rank: usize) -> Taper {
    let seventh = if rank == 6 { 16 } else { 0 };
    taper(474 + 4 * inward(file) + seventh, 532 + inward(file) + seventh)
}

const fn queen(file: usize, rank: usize) -> Taper {
    let advanced = if rank >= 4 { -4 } else { 0 };
    taper(968 + 2 * central(file, rank) + advanced, 950 + 7 * central(file, rank))
}

const fn king(file: usize, rank: usize) -> Taper {
    const SHELTER: [Value; 8] = [18, 30, 14, -8, -4, -6, 32, 20];
    const OUT: [Value; 8] = [0, -16, -42, -60, -70, -80, -90, -90];
    taper(SHELTER[file] + OUT[rank], 11 * central(file, rank) - 34)
}
