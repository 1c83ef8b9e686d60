//! A position of GMO chess in a form that is cheap to copy and to play on.

use rules::gmo::{Content, GmoPosition, Heir, MAX_PLIES, Occupant};
use rules::shakmaty::{Bitboard, Color, Square, attacks::king_attacks};

use super::super::score::{End, Value};
use super::army::Army;
use super::kind::{Deal, Kind};

/// A piece in sixteen bits: the place of its kind, then whether it is a pawn, a king, White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece(u16);

const WHITE: u16 = 1;
const KING: u16 = 2;
const PAWN: u16 = 4;

impl Piece {
    const NONE: Piece = Piece(u16::MAX);

    fn new(place: usize, piece: rules::gmo::Piece) -> Piece {
        let flags = WHITE * u16::from(piece.owner.is_white())
            + KING * u16::from(piece.king)
            + PAWN * u16::from(piece.pawn);
        Piece(u16::try_from(place).unwrap_or(0) << 3 | flags)
    }

    pub(super) fn place(self) -> usize {
        usize::from(self.0 >> 3)
    }

    pub(super) fn is_king(self) -> bool {
        self.0 & KING != 0
    }

    pub(super) fn is_pawn(self) -> bool {
        self.0 & PAWN != 0
    }

    fn owner(self) -> Color {
        Color::from_white(self.0 & WHITE != 0)
    }

    fn owned_by(self, color: Color) -> Piece {
        Piece(self.0 & !WHITE | u16::from(color.is_white()))
    }

    fn promoted_to(self, place: usize) -> Piece {
        let flags = self.0 & (WHITE | KING);
        Piece(u16::try_from(place).unwrap_or(0) << 3 | flags)
    }
}

/// A move with the block that decides what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct GmoMove {
    pub(in super::super) from: Square,
    pub(in super::super) to: Square,
    pub(super) block: u8,
}

/// How a game of GMO chess is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Won(Color),
    Drawn,
}

/// The position.
#[derive(Debug, Clone)]
pub(in super::super) struct Board<'a> {
    pub(super) army: &'a Army,
    cells: [Piece; 64],
    owned: [Bitboard; 2],
    kings: Bitboard,
    key: u64,
    pub(super) turn: Color,
    ply: u32,
    end: Option<Over>,
    /// Material and places, White's less Black's.
    pub(super) balance: Value,
    /// Moves since one that cannot be taken back.
    pub(super) reversible: usize,
}

impl<'a> Board<'a> {
    /// Waiting promotions are made at once, to the best there is.
    pub(in super::super) fn new(position: &GmoPosition, army: &'a Army) -> Board<'a> {
        let turn = position.turn();
        let mut board = Board {
            army,
            cells: [Piece::NONE; 64],
            owned: [Bitboard::EMPTY; 2],
            kings: Bitboard::EMPTY,
            key: 0,
            turn,
            ply: position.ply(),
            end: position.end().map(|end| end.winner().map_or(Over::Drawn, Over::Won)),
            balance: 0,
            // Nothing tells when the last capture was; what lies further back hardly comes again.
            reversible: usize::try_from(position.ply()).map_or(0, |ply| ply.min(100)),
        };
        board.key = turn_key(turn);
        for (square, piece) in position.board().pieces() {
            if let Some(place) = army.place(position, piece.genome) {
                board.put(square, Piece::new(place, piece));
            }
        }
        for square in position.promotions().iter() {
            board.promote(square);
        }
        board
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        Some(self.cells[square.to_usize()]).filter(|&piece| piece != Piece::NONE)
    }

    pub(super) fn kind(&self, piece: Piece) -> &'a Kind {
        &self.army.kinds[piece.place()]
    }

    pub(super) fn owned(&self, color: Color) -> Bitboard {
        self.owned[side(color)]
    }

    pub(super) fn kings(&self, color: Color) -> Bitboard {
        self.kings & self.owned(color)
    }

    /// The end of the game for the side to move.
    pub(super) fn end(&self) -> Option<End> {
        match self.end {
            Some(Over::Won(winner)) if winner == self.turn => Some(End::Win),
            Some(Over::Won(_)) => Some(End::Loss),
            Some(Over::Drawn) => Some(End::Draw),
            None => (self.ply >= MAX_PLIES).then_some(End::Draw),
        }
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.take(square);
        self.cells[square.to_usize()] = piece;
        self.owned[side(piece.owner())].add(square);
        self.kings.set(square, piece.is_king());
        self.key = self.key.wrapping_add(self.piece_key(square, piece));
        self.balance += self.signed_worth(square, piece);
    }

    fn take(&mut self, square: Square) {
        let Some(piece) = self.piece(square) else { return };
        self.cells[square.to_usize()] = Piece::NONE;
        self.owned[side(piece.owner())].discard(square);
        self.kings.discard(square);
        self.key = self.key.wrapping_sub(self.piece_key(square, piece));
        self.balance -= self.signed_worth(square, piece);
    }

    /// The same sum as [`GmoPosition::hash`], so that keys of the game so far can be compared.
    fn piece_key(&self, square: Square, piece: Piece) -> u64 {
        let genome = u64::from(self.army.number(piece.place()).0);
        scramble(genome << 16 | u64::from(square) << 8 | u64::from(piece.0 & 7))
    }

    fn signed_worth(&self, square: Square, piece: Piece) -> Value {
        let worth = self.worth_on(square, piece);
        if piece.owner().is_white() { worth } else { -worth }
    }

    fn worth_on(&self, square: Square, piece: Piece) -> Value {
        /// By rank as the pawn's side sees it: what the hope of promotion adds.
        const HOPE: [Value; 8] = [0, 0, 5, 12, 25, 55, 120, 0];
        let seen = if piece.owner().is_white() { square } else { square.flip_vertical() };
        let hope = if piece.is_pawn() { HOPE[seen.rank().to_usize()] } else { 0 };
        let worth = &self.kind(piece).worth;
        worth.piece + worth.squares[seen.to_usize()] + hope
    }

    /// What a piece is worth anywhere.
    pub(super) fn worth(&self, piece: Piece) -> Value {
        self.kind(piece).worth.piece
    }

    pub(super) fn occupant(&self, square: Square, mover: Color) -> Occupant {
        match () {
            () if self.owned(mover).contains(square) => Occupant::Own,
            () if self.owned(mover.other()).contains(square) => Occupant::Enemy,
            () => Occupant::Empty,
        }
    }

    /// What a move of the side to move does if it lands on this square.
    pub(super) fn deal(&self, m: GmoMove, landing: Square) -> Option<Deal> {
        let kind = self.kind(self.piece(m.from)?);
        kind.deals[usize::from(m.block)][self.occupant(landing, self.turn) as usize]
    }

    /// The position after a move that landed on this square; mutations are left out of account.
    pub(super) fn play(&self, m: GmoMove, landing: Square) -> Option<Board<'a>> {
        let moved = self.piece(m.from)?;
        let deal = self.deal(m, landing)?;
        let mover = self.turn;
        let other = self.piece(landing);
        let mut next = self.clone();
        next.take(m.from);
        next.take(landing);
        let halves =
            [(m.from, deal.origin, deal.origin_heir), (landing, deal.landing, deal.landing_heir)];
        for (square, content, heir) in halves {
            let copied = match content {
                Content::Mover => Some(moved),
                Content::Other => other,
                Content::Empty => None,
            };
            let owner = if heir == Heir::Mover { mover } else { mover.other() };
            if let Some(piece) = copied {
                next.put(square, piece.owned_by(owner));
            }
        }
        next.judge_kings(self);
        next.promote(m.from);
        next.promote(landing);
        next.key = next.key.wrapping_sub(turn_key(mover)).wrapping_add(turn_key(mover.other()));
        next.turn = mover.other();
        next.ply += 1;
        let is_final = other.is_some() || moved.is_pawn();
        next.reversible = if is_final { 0 } else { self.reversible + 1 };
        Some(next)
    }

    /// Ends the game if a side has a king less than before.
    fn judge_kings(&mut self, before: &Board<'_>) {
        let loses = |color| self.kings(color).count() < before.kings(color).count();
        self.end = match (loses(Color::White), loses(Color::Black)) {
            (true, true) => Some(Over::Drawn),
            (true, false) => Some(Over::Won(Color::Black)),
            (false, true) => Some(Over::Won(Color::White)),
            (false, false) => None,
        };
    }

    fn promote(&mut self, square: Square) {
        let Some(piece) = self.piece(square) else { return };
        if piece.is_pawn() && square.rank() == piece.owner().other().backrank() {
            self.put(square, piece.promoted_to(self.army.best));
        }
    }

    /// The squares on which a deviating piece may land instead of its target.
    pub(super) fn landings(&self, m: GmoMove) -> Bitboard {
        let Some(piece) = self.piece(m.from) else { return Bitboard::EMPTY };
        let (own, enemy) = (self.owned(self.turn), self.owned(self.turn.other()));
        king_attacks(m.to) & self.kind(piece).allowed(m.block, own, enemy)
    }

    /// Whether a piece of this side could move to the square and take what the other side has there.
    pub(super) fn is_attacked(&self, square: Square, by: Color) -> bool {
        let (own, enemy) = (self.owned(by), self.owned(by.other()));
        // Asked for an empty square the question is what would happen to an enemy piece on it.
        let enemy = enemy | Bitboard::from(square);
        own.into_iter().any(|from| {
            let Some(piece) = self.piece(from) else { return false };
            let kind = self.kind(piece);
            let wanted = Bitboard::from(square);
            let mut hit = false;
            if kind.reach(from).contains(square) {
                kind.targets(from, by, own & !wanted, enemy, wanted, |_, block| {
                    let deal = kind.deals[usize::from(block)][Occupant::Enemy as usize];
                    hit |= deal.is_some_and(|deal| deal.other_enemy == 0);
                });
            }
            hit
        })
    }
}

fn side(color: Color) -> usize {
    usize::from(color.is_black())
}

fn turn_key(turn: Color) -> u64 {
    scramble(u64::MAX - u64::from(turn.is_white()))
}

/// As in the rules.
const fn scramble(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
