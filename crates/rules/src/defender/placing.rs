//! Phase one: who may put what where.

use shakmaty::attacks::{attacks, pawn_attacks};
use shakmaty::{Bitboard, Board, Piece, Rank, Role, Square};

use super::DefenderError;
use crate::position::Action;
use crate::units::{ByColor, Color};

/// The most men a side may have besides its king.
pub const MOST_MEN: usize = 15;

/// What can be bought, cheapest first.
pub const SHELF: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// How far a side has come with placing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Points left; 0 means finished, the king still to come.
    Points(u8),
    /// The king stands.
    Crowned,
}

impl State {
    fn is_placing(self) -> bool {
        matches!(self, State::Points(1..))
    }

    /// Points left to spend.
    pub fn points(self) -> u8 {
        if let State::Points(points) = self { points } else { 0 }
    }
}

/// A position of phase one in which the side of the slot has a choice, or nothing is left to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placing {
    pub(super) board: Board,
    pub(super) slot: Color,
    pub(super) fullmoves: u32,
    pub(super) states: ByColor<State>,
}

/// What a piece costs.
pub const fn cost(role: Role) -> u8 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The three ranks a side places on.
pub fn zone(side: Color) -> Bitboard {
    match side {
        Color::White => Bitboard::from(Rank::First) | Rank::Second | Rank::Third,
        Color::Black => Bitboard::from(Rank::Eighth) | Rank::Seventh | Rank::Sixth,
    }
}

fn first_rank(side: Color) -> Bitboard {
    match side {
        Color::White => Rank::First.into(),
        Color::Black => Rank::Eighth.into(),
    }
}

impl Placing {
    /// Whose slot it is.
    pub fn slot(&self) -> Color {
        self.slot
    }

    /// The board so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How far both sides have come.
    pub fn states(&self) -> ByColor<State> {
        self.states
    }

    fn state(&self) -> State {
        self.states[self.slot]
    }

    fn empty_zone(&self) -> Bitboard {
        zone(self.slot) & !self.board.occupied()
    }

    fn men(&self, side: Color) -> usize {
        (self.board.by_color(side.into()) & !self.board.kings()).count()
    }

    /// Neither side may place anything but a king.
    fn is_king_stage(&self) -> bool {
        !self.states.white.is_placing() && !self.states.black.is_placing()
    }

    /// The king may come in the king stage, White's first, or any time against a king that already stands.
    fn king_may_come(&self) -> bool {
        let other_crowned = self.states[self.slot.other()] == State::Crowned;
        self.state() != State::Crowned
            && (other_crowned || (self.is_king_stage() && self.slot == Color::White))
    }

    /// The side of the slot can do nothing but place its king.
    pub fn king_must_come(&self) -> bool {
        self.is_king_stage() && self.king_may_come()
    }

    /// Squares from which a piece would attack the other king, if it already stands.
    fn checking_squares(&self, role: Role) -> Bitboard {
        let Some(king) = self.board.king_of(self.slot.other().into()) else {
            return Bitboard::EMPTY;
        };
        if role == Role::Pawn {
            // The squares a pawn of ours attacks the king from are those a pawn of theirs would attack from the king.
            return pawn_attacks(self.slot.other().into(), king);
        }
        attacks(king, Piece { color: self.slot.into(), role }, self.board.occupied())
    }

    /// Where a piece of this kind may be placed now.
    pub fn squares_for(&self, role: Role) -> Bitboard {
        if role == Role::King {
            return if self.king_may_come() { self.king_squares() } else { Bitboard::EMPTY };
        }
        let empty = self.empty_zone();
        let affordable = cost(role) <= self.state().points();
        if !affordable || self.men(self.slot) >= MOST_MEN || !empty.more_than_one() {
            return Bitboard::EMPTY;
        }
        let ground = if role == Role::Pawn { empty & !first_rank(self.slot) } else { empty };
        ground & !self.checking_squares(role)
    }

    /// Squares of the zone that are free and not attacked.
    fn king_squares(&self) -> Bitboard {
        let enemy = self.slot.other().into();
        let attacked =
            |&square: &Square| self.board.attacks_to(square, enemy, self.board.occupied()).any();
        self.empty_zone().into_iter().filter(|square| !attacked(square)).collect()
    }

    /// Whether the side to act may give up its remaining points.
    pub fn may_finish(&self) -> bool {
        self.state().is_placing()
    }

    /// Everything the side of the slot may do.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::with_capacity(128);
        for role in SHELF.into_iter().chain([Role::King]) {
            actions.extend(self.squares_for(role).into_iter().map(|to| Action::Place { role, to }));
        }
        if self.may_finish() {
            actions.push(Action::Pass);
        }
        actions
    }

    /// How many things the side of the slot may do.
    pub fn count(&self) -> usize {
        let placements: usize =
            SHELF.into_iter().chain([Role::King]).map(|role| self.squares_for(role).count()).sum();
        placements + usize::from(self.may_finish())
    }

    /// Why the side of the slot may not do this, in the order of the specification.
    pub fn check(&self, action: Action) -> Result<(), DefenderError> {
        match action {
            Action::Place { role, to } => self.check_placement(role, to),
            Action::Pass if self.may_finish() => Ok(()),
            Action::Pass => Err(DefenderError::KingRequired),
            Action::Move { .. } | Action::Promote { .. } => Err(DefenderError::WrongPhase),
        }
    }

    fn check_placement(&self, role: Role, to: Square) -> Result<(), DefenderError> {
        let is_king = role == Role::King;
        let reasons = [
            (cost(role) > self.state().points(), DefenderError::NoPoints),
            (!zone(self.slot).contains(to), DefenderError::OutOfZone),
            (self.board.occupied().contains(to), DefenderError::Occupied),
            (
                role == Role::Pawn && first_rank(self.slot).contains(to),
                DefenderError::PawnFirstRank,
            ),
            (!is_king && self.men(self.slot) >= MOST_MEN, DefenderError::TooManyMen),
            (!is_king && !self.empty_zone().more_than_one(), DefenderError::RoomForKing),
            (is_king && !self.king_may_come(), DefenderError::KingTooEarly),
            (!is_king && self.king_must_come(), DefenderError::KingRequired),
            (is_king && !self.king_squares().contains(to), DefenderError::KingAttacked),
            (!is_king && self.checking_squares(role).contains(to), DefenderError::ChecksKing),
        ];
        reasons.into_iter().find(|(applies, _)| *applies).map_or(Ok(()), |(_, reason)| Err(reason))
    }

    /// Does what [`Placing::check`] allowed and ends the slot.
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Place { role, to } => {
                self.board.set_piece_at(to, Piece { color: self.slot.into(), role });
                self.states[self.slot] = match self.state() {
                    _ if role == Role::King => State::Crowned,
                    State::Points(points) => State::Points(points.saturating_sub(cost(role))),
                    State::Crowned => State::Crowned,
                };
            }
            _ => self.states[self.slot] = State::Points(0),
        }
        self.end_slot();
    }

    fn end_slot(&mut self) {
        if self.slot == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.slot = self.slot.other();
    }

    /// Goes through slots without a choice; gives the number of automatic passes.
    pub(super) fn settle(&mut self) -> u8 {
        let mut passes = 0;
        while let Some(step) = self.automatic_step() {
            match step {
                Automatic::Forfeit => self.states[self.slot] = State::Points(0),
                Automatic::Pass => {
                    passes += 1;
                    self.end_slot();
                }
            }
        }
        passes
    }

    fn automatic_step(&self) -> Option<Automatic> {
        let other = self.states[self.slot.other()];
        match self.state() {
            State::Points(1..) => {
                let stuck = SHELF.into_iter().all(|role| self.squares_for(role).is_empty());
                stuck.then_some(Automatic::Forfeit)
            }
            State::Points(0) if other.is_placing() || !self.king_may_come() => {
                Some(Automatic::Pass)
            }
            State::Points(0) => None,
            State::Crowned => (!self.is_complete()).then_some(Automatic::Pass),
        }
    }

    /// Both kings stand and White is to move: phase two begins.
    pub(super) fn is_complete(&self) -> bool {
        self.slot == Color::White && self.states.both(|&state| state == State::Crowned)
    }

    /// The side that must place its king has no square for it.
    pub fn is_lost(&self) -> bool {
        self.king_must_come() && self.king_squares().is_empty()
    }
}

/// What the server does in a slot without a choice.
enum Automatic {
    /// The points cannot be spent: they are gone, the slot goes on.
    Forfeit,
    /// The slot passes.
    Pass,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two reasons never reach a player, because points that cannot be spent are forfeited before the slot begins.
    #[test]
    fn full_ranks_and_full_zones_have_their_own_reasons() {
        let check = |board: &str, expected: DefenderError| {
            let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap();
            let states = ByColor::same(State::Points(9));
            let placing = Placing { board, slot: Color::White, fullmoves: 1, states };
            let to = Square::H2;
            assert_eq!(placing.check(Action::Place { role: Role::Knight, to }), Err(expected));
            assert_eq!(placing.squares_for(Role::Knight), Bitboard::EMPTY);
        };
        check("8/8/8/8/8/PPPPPPPP/PPPPPP2/N7", DefenderError::TooManyMen);
        check("8/8/8/8/8/nnnnnnnn/nnnnnnN1/NNNNNNNN", DefenderError::RoomForKing);
    }

    #[test]
    fn pawns_check_forward_only() {
        let board = Board::from_ascii_board_fen(b"8/8/8/8/3k4/8/8/8").unwrap();
        let states = ByColor { white: State::Points(9), black: State::Crowned };
        let placing = Placing { board, slot: Color::White, fullmoves: 1, states };
        let squares = placing.squares_for(Role::Pawn);
        assert_eq!(squares.count(), 14, "all but c3 and e3");
        assert!(!squares.contains(Square::C3) && !squares.contains(Square::E3));
    }
}
