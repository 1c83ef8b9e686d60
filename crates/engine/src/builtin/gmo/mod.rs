//! GMO chess as the search sees it: rays per genome and square laid out beforehand, values learned from mobility.
//!
//! There is no check and no mate: a king that can be taken is taken. Moves that chance may lead astray are worth the
//! mean of where they may lead; mutations are left out of account.

mod army;
mod board;
mod kind;
#[cfg(test)]
mod tests;
mod value;
mod walk;

use rules::gmo::Occupant;
use rules::shakmaty::{Bitboard, Color, attacks::king_attacks};

pub(super) use army::{Army, Workshop};
pub(super) use board::{Board, GmoMove};

use super::score::{End, Value};
use super::world::{Class, Ranked, Wanted, World};

/// What taking a king counts among gains.
const KING: Value = 10_000;
/// What having the move is worth.
const TEMPO: Value = 10;

impl World for Board<'_> {
    type Move = GmoMove;

    fn key(&self) -> u64 {
        Board::key(self)
    }

    fn side(&self) -> usize {
        usize::from(self.turn.is_black())
    }

    fn end(&self) -> Option<End> {
        Board::end(self)
    }

    fn without_moves(&self) -> End {
        End::Loss
    }

    /// A king that could be taken next.
    fn in_check(&self) -> bool {
        let kings = self.kings(self.turn);
        kings.into_iter().any(|king| self.is_attacked(king, self.turn.other()))
    }

    fn reversible(&self) -> usize {
        self.reversible
    }

    fn moves(&self, wanted: Wanted, into: &mut Vec<Ranked<GmoMove>>) {
        let (own, enemy) = (self.owned(self.turn), self.owned(self.turn.other()));
        let last_rank = Bitboard::from(self.turn.other().backrank());
        for from in own {
            let Some(piece) = self.piece(from) else { continue };
            let kind = self.kind(piece);
            let squares = match wanted {
                Wanted::All => Bitboard::FULL,
                Wanted::Noisy if kind.deviates => continue,
                Wanted::Noisy if piece.is_pawn() => enemy | last_rank,
                Wanted::Noisy => enemy,
            };
            if !kind.reach(from).intersects(squares) {
                continue;
            }
            kind.targets(from, self.turn, own, enemy, squares, |to, block| {
                into.push(self.ranked(GmoMove { from, to, block }));
            });
        }
    }

    fn id(m: GmoMove) -> u16 {
        let id = m.from.to_u32() | m.to.to_u32() << 6;
        u16::try_from(id + 1).unwrap_or(0)
    }

    fn after(&self, m: GmoMove) -> Option<Self> {
        self.play(m, m.to)
    }

    fn chances(&self, m: GmoMove) -> Vec<Self> {
        let deviates = self.piece(m.from).is_some_and(|piece| self.kind(piece).deviates);
        if !deviates {
            return Vec::new();
        }
        self.landings(m).into_iter().filter_map(|landing| self.play(m, landing)).collect()
    }

    /// Never: a side that cannot move has lost, and much may hang on having to.
    fn pass(&self) -> Option<Self> {
        None
    }

    fn evaluate(&self) -> Value {
        let danger = self.danger(Color::Black) - self.danger(Color::White);
        let value = self.balance + danger;
        TEMPO + if self.turn.is_white() { value } else { -value }
    }
}

impl Board<'_> {
    /// How many ways the enemy's pieces would have to the squares around a side's kings on an empty board.
    fn danger(&self, color: Color) -> Value {
        let mut zone = self.kings(color);
        for king in self.kings(color) {
            zone |= king_attacks(king);
        }
        let ways = |from| {
            let piece = self.piece(from)?;
            Value::try_from((self.kind(piece).reach(from) & zone).count()).ok()
        };
        self.owned(color.other()).into_iter().filter_map(ways).sum::<Value>() * 4
    }

    fn ranked(&self, m: GmoMove) -> Ranked<GmoMove> {
        let gain = self.gain(m);
        let own = self.piece(m.from).map_or(0, |piece| self.worth(piece));
        // What is defended costs the one who takes it; a king never does.
        let costs =
            gain > 0 && gain < own.min(KING) && self.occupant(m.to, self.turn) == Occupant::Enemy;
        let class = match gain {
            ..-30 => Class::Losing,
            _ if costs && self.is_attacked(m.to, self.turn.other()) => Class::Losing,
            30.. => Class::Noisy,
            _ => Class::Quiet,
        };
        let rank = if class == Class::Quiet { 0 } else { gain * 16 - own };
        Ranked { m, class, rank, gain }
    }

    /// What a move wins at once for the mover if chance keeps out of it.
    fn gain(&self, m: GmoMove) -> Value {
        let (Some(piece), Some(deal)) = (self.piece(m.from), self.deal(m, m.to)) else { return 0 };
        let own = self.worth(piece) + if piece.is_king() { KING } else { 0 };
        if m.from == m.to {
            let keeps = deal.mover_own + deal.other_own > 0;
            return if keeps { 0 } else { -own };
        }
        let copies = deal.mover_own - 1 - deal.mover_enemy;
        let of_mover = if piece.is_king() && deal.mover_own > 0 {
            // The king itself stays; only its copies count.
            copies * self.worth(piece)
        } else {
            copies * own
        };
        let other = self.piece(m.to).map_or(0, |other| {
            let worth = self.worth(other) + if other.is_king() { KING } else { 0 };
            let kept = if self.occupant(m.to, self.turn) == Occupant::Own {
                deal.other_own - 1 - deal.other_enemy
            } else {
                1 + deal.other_own - deal.other_enemy
            };
            kept * worth
        });
        let promotes = piece.is_pawn() && m.to.rank() == self.turn.other().backrank();
        let promotion = if promotes { (self.army.worth(self.army.best) - own).max(0) } else { 0 };
        of_mover + other + promotion
    }
}
