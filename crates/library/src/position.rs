//! Positions as the index knows them: by a number of 64 bits, the same that names openings.

use rules::shakmaty::zobrist::Zobrist64;
use rules::shakmaty::{Chess, EnPassantMode, Move, Position};

/// The number of a position: pieces, turn, castling rights, and en passant where it can be played.
pub type Hash = u64;

/// A game that is walked along, with the number of every position.
#[derive(Debug, Clone)]
pub struct Walk {
    position: Chess,
    hash: Zobrist64,
}

impl Walk {
    /// At the beginning.
    pub fn new(position: Chess) -> Walk {
        let hash = position.zobrist_hash(EnPassantMode::Legal);
        Walk { position, hash }
    }

    /// One move on. It has to be legal.
    pub fn play(&mut self, played: Move) {
        let ahead = self.position.update_zobrist_hash(self.hash, played, EnPassantMode::Legal);
        self.position.play_unchecked(played);
        self.hash = ahead.unwrap_or_else(|| self.position.zobrist_hash(EnPassantMode::Legal));
    }

    /// Where it stands.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The number of where it stands.
    pub fn hash(&self) -> Hash {
        self.hash.0
    }
}

/// The number of one position.
pub fn hash_of(position: &Chess) -> Hash {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}
