//! Pieces, the table of genomes they refer to, and the board they stand on.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use shakmaty::{Bitboard, ByColor, Color, Square};

use super::genome::{Genome, Occupant};

/// Most genomes a table can number: a game of 1,000 plies with all its promotions and mutations fits in.
pub const MAX_GENOMES: usize = 4096;

/// The number of a genome in the table of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GenomeIndex(pub u16);

impl fmt::Display for GenomeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A piece: there are no fixed types, only genomes and flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Which genome of the game's table.
    pub genome: GenomeIndex,
    /// Whose piece it is.
    pub owner: Color,
    /// Whether it promotes on its owner's last rank.
    pub pawn: bool,
    /// Whether its loss loses the game.
    pub king: bool,
}

/// The genomes of a game, numbered. Cheap to clone; grows by promotions and mutations, never shrinks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GenomeTable {
    entries: Arc<Vec<Entry>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    genome: Arc<Genome>,
    /// The first entry with the same DNA: by this number positions are compared.
    first: GenomeIndex,
}

impl GenomeTable {
    /// An empty table.
    pub fn new() -> GenomeTable {
        GenomeTable::default()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The genome with this number.
    pub fn get(&self, index: GenomeIndex) -> Option<&Arc<Genome>> {
        self.entries.get(usize::from(index.0)).map(|entry| &entry.genome)
    }

    /// The first number under which this DNA is listed.
    pub fn find(&self, genome: &Genome) -> Option<GenomeIndex> {
        self.entries.iter().find(|entry| *entry.genome == *genome).map(|entry| entry.first)
    }

    /// The number of this genome, listing it if it is new; `None` if the table is full.
    pub fn intern(&mut self, genome: Arc<Genome>) -> Option<GenomeIndex> {
        self.find(&genome).or_else(|| self.push(genome))
    }

    /// Lists a genome under the next number even if its DNA is there already, as a foreign record may do.
    pub fn push(&mut self, genome: Arc<Genome>) -> Option<GenomeIndex> {
        let index = Some(self.len()).filter(|len| *len < MAX_GENOMES)?;
        let index = GenomeIndex(u16::try_from(index).ok()?);
        let first = self.find(&genome).unwrap_or(index);
        Arc::make_mut(&mut self.entries).push(Entry { genome, first });
        Some(index)
    }

    /// The genomes in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (GenomeIndex, &Arc<Genome>)> {
        self.entries.iter().zip(0..).map(|(entry, index)| (GenomeIndex(index), &entry.genome))
    }

    /// The number that stands for this genome's DNA when positions are compared.
    pub(super) fn first(&self, index: GenomeIndex) -> GenomeIndex {
        self.entries[usize::from(index.0)].first
    }
}

impl Index<GenomeIndex> for GenomeTable {
    type Output = Genome;

    fn index(&self, index: GenomeIndex) -> &Genome {
        &self.entries[usize::from(index.0)].genome
    }
}

/// 64 squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    squares: [Option<Piece>; 64],
    owned: ByColor<Bitboard>,
    kings: Bitboard,
}

impl Default for Board {
    fn default() -> Board {
        Board { squares: [None; 64], owned: ByColor::default(), kings: Bitboard::EMPTY }
    }
}

impl Board {
    /// A board without pieces.
    pub fn empty() -> Board {
        Board::default()
    }

    /// What stands on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.squares[square.to_usize()]
    }

    /// Puts a piece on a square, in place of what was there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.take(square);
        self.squares[square.to_usize()] = Some(piece);
        self.owned[piece.owner].add(square);
        self.kings.set(square, piece.king);
    }

    /// Empties a square and gives what was there.
    pub fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.squares[square.to_usize()].take()?;
        self.owned[piece.owner].discard(square);
        self.kings.discard(square);
        Some(piece)
    }

    /// All pieces in the order a1, b1, …, h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.occupied().into_iter().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// The squares with pieces of one side.
    pub fn owned(&self, color: Color) -> Bitboard {
        self.owned[color]
    }

    /// The squares with pieces.
    pub fn occupied(&self) -> Bitboard {
        self.owned.white | self.owned.black
    }

    /// How many pieces of this side are marked as kings.
    pub fn kings(&self, color: Color) -> usize {
        (self.kings & self.owned[color]).count()
    }

    /// What stands on a square, seen from one side.
    pub fn occupant(&self, square: Square, mover: Color) -> Occupant {
        match self.get(square) {
            Some(piece) if piece.owner == mover => Occupant::Own,
            Some(_) => Occupant::Enemy,
            None => Occupant::Empty,
        }
    }
}
