//! The walk of a block ("spirolateral") as a table, and the scan of that table over a board.
//!
//! A block's eight walks (two turns, four start directions) are one walk seen in eight ways, so one table of
//! displacements serves them all and every origin. The rules end a walk when a state (square, direction, step) comes
//! back. After `lcm(4, steps)` steps direction and step are those of the beginning and the walk has shifted by a fixed
//! displacement, so the first state to come back is always the first one, and when is known from that displacement
//! alone. Bodies of one to three steps shift by nothing: they close after 4 or 12 steps. A body of four steps closes
//! when its shifts add up to whole turns around the joined edges, at the latest after 32 steps, by which time every
//! other walk has left the board. So no walk has more than 32 states and no set of visited states is kept.

use std::ops::ControlFlow;

use shakmaty::{Bitboard, Square};

use super::debuff::{Debuff, Debuffs};
use super::genome::Step;
use super::trace::Stop;

/// The most states a walk can have.
const MAX_STATES: usize = 32;

/// The directions in the order of the rules: +y, +x, −y, −x.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The eight walks in the order of the rules: turn +1 with the start directions 0 to 3, then turn −1.
/// Each entry names the start direction and the direction after the first turn.
const WALKS: [(usize, usize); 8] = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 3), (1, 0), (2, 1), (3, 2)];

/// The states of one block's walk, for any origin and all eight ways to see it.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    /// Displacement at each state: along the start direction, and along the direction after the first turn.
    states: [(i8, i8); MAX_STATES],
    /// Bit i is set if the step that leads to state i is colouring.
    colouring: u32,
    /// How many states there are if the start direction is vertical, and if it is horizontal.
    lengths: [usize; 2],
    /// Whether the side edges are joined.
    wraps: bool,
}

/// What a scan needs to know of the board.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// Squares on which the walk stops.
    pub(super) occupied: Bitboard,
    /// Squares that are wanted as targets.
    pub(super) wanted: Bitboard,
}

impl Walk {
    /// A walk that goes nowhere.
    pub(super) const EMPTY: Walk =
        Walk { states: [(0, 0); MAX_STATES], colouring: 0, lengths: [0; 2], wraps: false };

    /// Lays the table for a body of one to four steps.
    pub(super) fn compile(steps: &[Step], debuffs: Debuffs) -> Walk {
        let mut walk = Walk { wraps: !debuffs.has(Debuff::NoWrap), ..Walk::EMPTY };
        if !steps.iter().any(|step| step.colouring) {
            return walk;
        }
        walk.lengths = lengths(steps, debuffs);
        let (mut ahead, mut aside) = (0, 0);
        let longest = walk.lengths[0].max(walk.lengths[1]);
        for (state, step) in steps.iter().cycle().take(longest).enumerate() {
            let distance = step.distance.cast_signed();
            match state % 4 {
                0 => ahead += distance,
                1 => aside += distance,
                2 => ahead -= distance,
                _ => aside -= distance,
            }
            walk.states[state] = (ahead, aside);
            walk.colouring |= u32::from(step.colouring) << state;
        }
        walk
    }

    /// The eight walks from an origin, each until it leaves the board or comes back to where it was.
    pub(super) fn trace(&self, origin: Square) -> Vec<Vec<Stop>> {
        WALKS
            .iter()
            .map(|&way| self.trace_way(origin, way))
            .filter(|stops| !stops.is_empty())
            .collect()
    }

    fn trace_way(&self, origin: Square, (ahead, aside): (usize, usize)) -> Vec<Stop> {
        let (origin_x, origin_y) = (i32::from(origin.file()), i32::from(origin.rank()));
        let ((ahead_x, ahead_y), (aside_x, aside_y)) = (DIRECTIONS[ahead], DIRECTIONS[aside]);
        let at = |(state, &(far, side)): (usize, &(i8, i8))| {
            let x = origin_x + i32::from(ahead_x * far + aside_x * side);
            let y = origin_y + i32::from(ahead_y * far + aside_y * side);
            let x = if self.wraps { x & 7 } else { x };
            let is_on_board = (x | y) & !7 == 0;
            let colouring = self.colouring >> state & 1 != 0;
            is_on_board
                .then(|| Stop { square: Square::new((y * 8 + x).cast_unsigned()), colouring })
        };
        self.states[..self.lengths[ahead % 2]].iter().enumerate().map_while(at).collect()
    }

    /// Goes all eight walks and tells each wanted square when it is first reached, in the order of the rules.
    ///
    /// `seen` holds the squares told before, by this block or an earlier one.
    #[inline]
    pub(super) fn scan<B>(
        &self,
        origin: Square,
        field: Field,
        seen: &mut Bitboard,
        mut tell: impl FnMut(Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (origin_x, origin_y) = (i32::from(origin.file()), i32::from(origin.rank()));
        for (ahead, aside) in WALKS {
            // Nothing is left to find: the usual case for blocks that only take.
            if (field.wanted & !*seen).is_empty() {
                break;
            }
            let length = self.lengths[ahead % 2];
            let ((ahead_x, ahead_y), (aside_x, aside_y)) = (DIRECTIONS[ahead], DIRECTIONS[aside]);
            let mut colouring = self.colouring;
            for &(far, side) in &self.states[..length] {
                let mut x = origin_x + i32::from(ahead_x * far + aside_x * side);
                let y = origin_y + i32::from(ahead_y * far + aside_y * side);
                if self.wraps {
                    x &= 7;
                }
                if (x | y) & !7 != 0 {
                    break;
                }
                if colouring & 1 != 0 {
                    let square = Square::new((y * 8 + x).cast_unsigned());
                    if field.wanted.contains(square) && seen.insert(square) {
                        tell(square)?;
                    }
                    if field.occupied.contains(square) {
                        break;
                    }
                }
                colouring >>= 1;
            }
        }
        ControlFlow::Continue(())
    }
}

/// How many states the walk has when it starts vertically, and when it starts horizontally.
fn lengths(steps: &[Step], debuffs: Debuffs) -> [usize; 2] {
    if debuffs.has(Debuff::Once) {
        return [steps.len(); 2];
    }
    let &[first, second, third, fourth] = steps else {
        return [if steps.len() == 3 { 12 } else { 4 }; 2];
    };
    let ahead = first.distance.abs_diff(third.distance);
    let aside = second.distance.abs_diff(fourth.distance);
    let wraps = !debuffs.has(Debuff::NoWrap);
    [length(aside, ahead, wraps), length(ahead, aside, wraps)]
}

/// The states of a four-step walk that shifts by `across` files and `along` ranks each time through its body.
const fn length(across: u8, along: u8, wraps: bool) -> usize {
    match (across, along) {
        (0, 0) => 4,
        (4, 0) if wraps => 8,
        (2, 0) if wraps => 16,
        _ => MAX_STATES,
    }
}
