//! Moves in two forms: two bytes that can be compared, and about one byte that is kept.
//!
//! The short form names a piece of the side to move by its place among them (a1 first) and where it goes by a number
//! that depends on the kind of piece. It can only be read along the game, which is how it is always read.

use rules::shakmaty::{Bitboard, Chess, Color, File, Move, Position, Rank, Role, Square};

/// A move in two bytes: origin, target, promotion; castling goes to the rook. Never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed(pub u16);

/// How a game goes on from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Next {
    /// With a move.
    Move(Packed),
    /// Not at all.
    End,
}

impl Next {
    pub(crate) fn of(played: Option<&Packed>) -> Next {
        played.map_or(Next::End, |played| Next::Move(*played))
    }
}

const KING_STEPS: [i32; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
const KNIGHT_STEPS: [i32; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];
const SHORT_CASTLING: u8 = 8;
const LONG_CASTLING: u8 = 9;
/// A side with more pieces than this (set-up positions) has its moves written whole.
const NAMEABLE: usize = 16;

impl Packed {
    /// The move, without what it captures. Placements of other variants have no packed form.
    pub fn of(played: Move) -> Option<Packed> {
        let (from, to) = match played {
            Move::Castle { king, rook } => (king, rook),
            Move::Put { .. } => return None,
            _ => (played.from()?, played.to()),
        };
        let promotion = played.promotion().map_or(0, |role| role as u16);
        Some(Packed(u16::from(u8::from(from)) | u16::from(u8::from(to)) << 6 | promotion << 12))
    }

    /// Origin.
    pub fn from(self) -> Square {
        square(self.0)
    }

    /// Target; the rook's square when castling.
    pub fn to(self) -> Square {
        square(self.0 >> 6)
    }

    /// What a pawn becomes.
    pub fn promotion(self) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| role as u16 == self.0 >> 12)
    }

    /// The move on a board, if a piece of the side to move stands there. It is legal if it was legal when it was packed.
    pub fn on(self, position: &Chess) -> Option<Move> {
        let board = position.board();
        let (from, to) = (self.from(), self.to());
        let piece = board.piece_at(from).filter(|piece| piece.color == position.turn())?;
        let capture = board.piece_at(to);
        match (piece.role, capture) {
            (Role::King, Some(other)) if other.color == piece.color => {
                Some(Move::Castle { king: from, rook: to })
            }
            (Role::Pawn, None) if from.file() != to.file() => Some(Move::EnPassant { from, to }),
            (role, capture) => {
                let capture = capture.map(|piece| piece.role);
                Some(Move::Normal { role, from, capture, to, promotion: self.promotion() })
            }
        }
    }
}

fn square(bits: u16) -> Square {
    Square::new(u32::from(bits & 63))
}

/// Whether neither side has more pieces than can be named: so it stays, since nobody ever gets one more.
pub(crate) fn are_nameable(position: &Chess) -> bool {
    Color::ALL.into_iter().all(|color| position.board().by_color(color).count() <= NAMEABLE)
}

/// Writes a move of the side to move in its short form.
pub fn write(position: &Chess, played: Packed, out: &mut Vec<u8>) {
    if position.us().count() > NAMEABLE {
        out.extend_from_slice(&played.0.to_le_bytes());
    } else {
        write_named(position, played, out);
    }
}

/// The same where the pieces of the side to move can be named.
#[inline]
pub(crate) fn write_named(position: &Chess, played: Packed, out: &mut Vec<u8>) {
    let own = position.us();
    let (from, to) = (played.from(), played.to());
    let below = Bitboard((1_u64 << u32::from(from)) - 1);
    let place = u8::try_from((own & below).count()).unwrap_or(0);
    let role = position.board().role_at(from).unwrap_or(Role::Pawn);
    let code = match role {
        Role::King if own.contains(to) => {
            if to.file() > from.file() {
                SHORT_CASTLING
            } else {
                LONG_CASTLING
            }
        }
        Role::King => step_code(&KING_CODES, from, to),
        Role::Knight => step_code(&KNIGHT_CODES, from, to),
        Role::Bishop => diagonal_code(from, to),
        Role::Rook => straight_code(from, to),
        Role::Queen if from.rank() == to.rank() || from.file() == to.file() => {
            straight_code(from, to)
        }
        // No queen goes to its own file on its own rank: that number says that the target follows.
        Role::Queen => {
            out.extend_from_slice(&[place << 4 | from.file() as u8, u8::from(to)]);
            return;
        }
        Role::Pawn => pawn_code(from, to, played.promotion()),
    };
    out.push(place << 4 | code);
}

/// How long the short form of a move is where no side has more pieces than can be named.
pub(crate) fn short_length(played: Move) -> usize {
    match played {
        Move::Normal { role: Role::Queen, from, to, .. }
            if from.rank() != to.rank() && from.file() != to.file() =>
        {
            2
        }
        _ => 1,
    }
}

/// Reads a move of the side to move and gives the rest of the bytes.
pub fn read<'b>(position: &Chess, bytes: &'b [u8]) -> Option<(Packed, &'b [u8])> {
    let own = position.us();
    if own.count() > NAMEABLE {
        let (&pair, rest) = bytes.split_first_chunk::<2>()?;
        return Some((Packed(u16::from_le_bytes(pair)), rest));
    }
    let (&byte, rest) = bytes.split_first()?;
    let from = nth(own, byte >> 4)?;
    let code = byte & 15;
    let pack = |to: Square, promotion: u16| {
        Packed(u16::from(u8::from(from)) | u16::from(u8::from(to)) << 6 | promotion << 12)
    };
    let to = match position.board().role_at(from)? {
        Role::King if code >= SHORT_CASTLING => castling_rook(position, from, code)?,
        Role::King => stepped(from, *KING_STEPS.get(usize::from(code))?)?,
        Role::Knight => stepped(from, *KNIGHT_STEPS.get(usize::from(code))?)?,
        Role::Bishop => diagonal(from, code)?,
        Role::Queen if code == from.file() as u8 => {
            let (&to, rest) = rest.split_first()?;
            return Some((pack(Square::try_from(to).ok()?, 0), rest));
        }
        Role::Rook | Role::Queen => straight(from, code),
        Role::Pawn => {
            let (to, promotion) = pawn_target(from, code, position.turn())?;
            return Some((pack(to, promotion), rest));
        }
    };
    Some((pack(to, 0), rest))
}

fn nth(mut set: Bitboard, place: u8) -> Option<Square> {
    for _ in 0..place {
        set.discard(set.first()?);
    }
    set.first()
}

/// The numbers of steps by how far they go, from the farthest back on.
const KING_CODES: [u8; 35] = codes(&KING_STEPS);
const KNIGHT_CODES: [u8; 35] = codes(&KNIGHT_STEPS);
const FARTHEST: i32 = 17;

#[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "steps are small")]
const fn codes(steps: &[i32; 8]) -> [u8; 35] {
    let mut codes = [0; 35];
    let mut code = 0;
    while code < steps.len() {
        codes[(steps[code] + FARTHEST) as usize] = code as u8;
        code += 1;
    }
    codes
}

fn step_code(codes: &[u8; 35], from: Square, to: Square) -> u8 {
    let step = i32::from(u8::from(to)) - i32::from(u8::from(from));
    usize::try_from(step + FARTHEST).ok().and_then(|at| codes.get(at)).copied().unwrap_or(0)
}

fn stepped(from: Square, step: i32) -> Option<Square> {
    u8::try_from(i32::from(u8::from(from)) + step).ok().and_then(|to| Square::try_from(to).ok())
}

fn straight_code(from: Square, to: Square) -> u8 {
    if from.rank() == to.rank() { to.file() as u8 } else { 8 + to.rank() as u8 }
}

fn straight(from: Square, code: u8) -> Square {
    match code {
        0..8 => Square::from_coords(File::new(u32::from(code)), from.rank()),
        _ => Square::from_coords(from.file(), Rank::new(u32::from(code & 7))),
    }
}

fn diagonal_code(from: Square, to: Square) -> u8 {
    let rises = (to.rank() > from.rank()) == (to.file() > from.file());
    to.file() as u8 + if rises { 0 } else { 8 }
}

fn diagonal(from: Square, code: u8) -> Option<Square> {
    let file = File::new(u32::from(code & 7));
    let across = file as i32 - from.file() as i32;
    let up = if code < 8 { across } else { -across };
    let rank = u32::try_from(from.rank() as i32 + up).ok().filter(|rank| *rank < 8)?;
    Some(Square::from_coords(file, Rank::new(rank)))
}

fn castling_rook(position: &Chess, king: Square, code: u8) -> Option<Square> {
    let is_short = code == SHORT_CASTLING;
    let fits =
        |rook: &Square| rook.rank() == king.rank() && (rook.file() > king.file()) == is_short;
    let rooks = position.castles().castling_rights() & position.us();
    rooks.into_iter().find(fits)
}

/// 0 one step, 1 two steps, 2 and 3 captures towards a and h; above them promotions, four for each way to go.
fn pawn_code(from: Square, to: Square, promotion: Option<Role>) -> u8 {
    let way = (i32::from(u8::from(to)) - i32::from(u8::from(from))).abs();
    let to_the_left = to.file() < from.file();
    let direction = if from.file() == to.file() {
        0
    } else if to_the_left {
        1
    } else {
        2
    };
    match promotion {
        Some(role) => 4 + direction * 4 + (role as u8 - Role::Knight as u8),
        None if way == 16 => 1,
        None if direction == 0 => 0,
        None => 1 + direction,
    }
}

fn pawn_target(from: Square, code: u8, color: Color) -> Option<(Square, u16)> {
    let (steps, across, promotion) = match code {
        0 => (1, 0, 0),
        1 => (2, 0, 0),
        2 => (1, -1, 0),
        3 => (1, 1, 0),
        _ => {
            let across = [0, -1, 1][usize::from((code - 4) / 4)];
            (1, across, u16::from((code - 4) % 4) + Role::Knight as u16)
        }
    };
    let up = if color.is_white() { 8 } else { -8 };
    Some((stepped(from, steps * up + across)?, promotion))
}
