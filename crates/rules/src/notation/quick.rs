//! The usual move, found straight from the bitboards.
//!
//! Reading a file spends most of its time here. Nothing is listed: the squares a piece could come from are one
//! bitboard, and only a piece that may be pinned, or any piece in check, is tried. What is unusual (en passant,
//! castling, every error) is left to the list of legal moves that shakmaty makes, which is always right too.

use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Position, Rank, Role, Square, attacks};

/// The move of a piece to a square, if exactly one legal move fits and it is a usual one.
#[inline]
pub(super) fn find(
    position: &Chess,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let board = position.board();
    let occupied = board.occupied();
    let us = position.us();
    if us.contains(to) {
        return None;
    }
    let from = match role {
        Role::Pawn => return pawn(position, file, rank, to, promotion),
        Role::King => attacks::king_attacks(to),
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
    };
    if promotion.is_some() {
        return None;
    }
    let from = from & us & board.by_role(role) & mask(file, rank);
    let capture = board.role_at(to);
    let found = |from| Move::Normal { role, from, capture, to, promotion: None };
    if role == Role::King {
        let from = from.single_square()?;
        let without = occupied ^ Bitboard::from_square(from);
        let attackers = board.attacks_to(to, !position.turn(), without);
        return attackers.is_empty().then(|| found(from));
    }
    only_safe(position, from, to).map(found)
}

/// The one of these squares from which a move to `to` does not leave the king attacked; `None` if not exactly one.
#[inline]
fn only_safe(position: &Chess, from: Bitboard, to: Square) -> Option<Square> {
    let guard = Guard::new(position)?;
    if let Some(from) = from.single_square() {
        return guard.is_safe(from, to).then_some(from);
    }
    let mut safe = from.into_iter().filter(|&from| guard.is_safe(from, to));
    let first = safe.next()?;
    safe.next().is_none().then_some(first)
}

#[inline]
fn mask(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(Bitboard::FULL, Bitboard::from) & rank.map_or(Bitboard::FULL, Bitboard::from)
}

/// A pawn's push or capture, with its promotion; not en passant.
#[inline]
fn pawn(
    position: &Chess,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let board = position.board();
    let turn = position.turn();
    let is_last_rank = to.rank() == turn.relative_rank(Rank::Eighth);
    let fits = match promotion {
        None => !is_last_rank,
        Some(role) => is_last_rank && !matches!(role, Role::Pawn | Role::King),
    };
    if !fits {
        return None;
    }
    let pawns = position.our(Role::Pawn);
    let capture = board.role_at(to);
    let back = turn.fold_wb(-8, 8);
    let from = match file {
        Some(file) if file != to.file() => {
            capture?;
            (attacks::pawn_attacks(!turn, to) & pawns & Bitboard::from(file)).single_square()?
        }
        _ if capture.is_some() => return None,
        _ => {
            let one = to.offset(back)?;
            if pawns.contains(one) {
                one
            } else {
                let two = one.offset(back)?;
                let is_double = to.rank() == turn.relative_rank(Rank::Fourth);
                if !is_double || board.occupied().contains(one) || !pawns.contains(two) {
                    return None;
                }
                two
            }
        }
    };
    if rank.is_some_and(|rank| rank != from.rank()) {
        return None;
    }
    let safe = Guard::new(position)?.is_safe(from, to);
    safe.then_some(Move::Normal { role: Role::Pawn, from, capture, to, promotion })
}

/// What there is to know about the king's safety before any move.
struct Guard<'a> {
    board: &'a Board,
    turn: Color,
    king: Square,
    them: Bitboard,
    /// The squares that the king sees along lines on which something of the other side stands that goes far: only from
    /// these can a piece be pinned.
    sight: Bitboard,
    in_check: bool,
}

impl<'a> Guard<'a> {
    #[inline]
    fn new(position: &'a Chess) -> Option<Guard<'a>> {
        let board = position.board();
        let king = board.king_of(position.turn())?;
        let (them, occupied) = (position.them(), board.occupied());
        // Mostly nothing that goes far stands on a line with the king, and then the lines need not be looked along.
        let on_line =
            attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens() & them;
        let on_diagonal =
            attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens() & them;
        let mut sight = Bitboard::EMPTY;
        if on_line.any() {
            sight |= attacks::rook_attacks(king, occupied);
        }
        let mut checkers = sight & on_line;
        if on_diagonal.any() {
            let diagonal = attacks::bishop_attacks(king, occupied);
            checkers |= diagonal & on_diagonal;
            sight |= diagonal;
        }
        checkers |= attacks::knight_attacks(king) & board.knights() & them
            | attacks::pawn_attacks(position.turn(), king) & board.pawns() & them;
        let turn = position.turn();
        Some(Guard { board, turn, king, them, sight, in_check: checkers.any() })
    }

    /// Does the king stay unattacked when one of his men goes from here to there?
    #[inline]
    fn is_safe(&self, from: Square, to: Square) -> bool {
        if !self.in_check && !self.sight.contains(from) {
            return true;
        }
        let goal = Bitboard::from_square(to);
        let occupied = self.board.occupied() ^ Bitboard::from_square(from) | goal;
        let board = self.board;
        let them = self.them & !goal;
        let attackers = attacks::rook_attacks(self.king, occupied) & board.rooks_and_queens()
            | attacks::bishop_attacks(self.king, occupied) & board.bishops_and_queens()
            | attacks::knight_attacks(self.king) & board.knights()
            | attacks::pawn_attacks(self.turn, self.king) & board.pawns();
        (attackers & them).is_empty()
    }
}
