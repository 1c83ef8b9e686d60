//! Chance, reproducible: everything random follows from the game's seed and the ply.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use shakmaty::{Bitboard, Color, Square, attacks};

use super::board::Board;
use super::code::Sha;
use super::genome::{Block, Genome};
use super::targets;

/// How often a mutation is tried before the DNA stays as it is.
const MUTATION_ATTEMPTS: usize = 20;

/// The secret of a game from which all its chance follows; revealed at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// What both players are shown at the start, so that the seed cannot be exchanged later.
    pub fn commitment(&self) -> Sha {
        Sha(Sha256::digest(self.0).into())
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Seed> {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
        let mut seed = [0; 32];
        if text.len() != 64 {
            return None;
        }
        for (byte, pair) in seed.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Seed(seed))
    }
}

/// What chance did to one move. It is logged, so that a game can be replayed without its seed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Luck {
    /// Where the piece landed if not on its target.
    pub landing: Option<Square>,
    /// What the piece's genome became.
    pub mutation: Option<Arc<Genome>>,
}

impl Luck {
    /// Nothing random happened.
    pub const NONE: Luck = Luck { landing: None, mutation: None };
}

/// The bytes of chance of one move.
pub(super) struct Stream {
    keyed: Hmac<Sha256>,
    ply: u32,
    block: u32,
    bytes: [u8; 32],
    used: usize,
}

impl Stream {
    /// The stream of the move that follows `ply` moves.
    pub(super) fn new(seed: &Seed, ply: u32) -> Stream {
        let keyed = Hmac::new_from_slice(&seed.0).expect("HMAC takes keys of any length");
        Stream { keyed, ply, block: 0, bytes: [0; 32], used: 32 }
    }

    /// A number below `n`, each equally likely.
    pub(super) fn draw(&mut self, n: u32) -> u32 {
        let unfair = 65_536 - 65_536 % n;
        loop {
            let value = self.next_pair();
            if value < unfair {
                return value % n;
            }
        }
    }

    fn next_pair(&mut self) -> u32 {
        if self.used == self.bytes.len() {
            let mut mac = self.keyed.clone();
            mac.update(b"gmo1");
            mac.update(&self.ply.to_be_bytes());
            mac.update(&self.block.to_be_bytes());
            self.bytes = mac.finalize().into_bytes().into();
            self.block = self.block.wrapping_add(1);
            self.used = 0;
        }
        let pair = [self.bytes[self.used], self.bytes[self.used + 1]];
        self.used += 2;
        u32::from(u16::from_be_bytes(pair))
    }
}

/// The squares on which a deviating piece may land instead of its target: the neighbours the block can deal with.
pub(super) fn landings(board: &Board, block: &Block, mover: Color, target: Square) -> Bitboard {
    attacks::king_attacks(target) & targets::allowed(block, board, mover)
}

/// Draws one of the landings, in ascending order of rank and file; nothing is drawn if there is none.
pub(super) fn draw_landing(landings: Bitboard, stream: &mut Stream) -> Option<Square> {
    let count = u32::try_from(landings.count()).ok().filter(|count| *count > 0)?;
    landings.into_iter().nth(stream.draw(count) as usize)
}

/// Changes one letter of the DNA so that it stays valid; `None` if twenty attempts fail.
pub(super) fn draw_mutation(genome: &Genome, stream: &mut Stream) -> Option<Genome> {
    let mut letters = genome.dna().as_bytes().to_vec();
    let length = u32::try_from(letters.len()).expect("DNA has at most 498 letters");
    for _ in 0..MUTATION_ATTEMPTS {
        let at = stream.draw(length) as usize;
        let present = letters[at];
        let others = b"SACH".iter().copied().filter(|letter| *letter != present);
        letters[at] = others.clone().nth(stream.draw(3) as usize).unwrap_or(present);
        if let Ok(mutated) = Genome::from_bytes(&letters) {
            return Some(mutated);
        }
        letters[at] = present;
    }
    None
}

/// Whether one DNA can have become the other by a mutation.
pub(super) fn is_mutation(from: &Genome, to: &Genome) -> bool {
    let changed = from.dna().bytes().zip(to.dna().bytes()).filter(|(a, b)| a != b).count();
    from.dna().len() == to.dna().len() && changed == 1
}
