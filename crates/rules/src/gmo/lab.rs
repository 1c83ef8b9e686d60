//! The lab: a board on which anybody may do anything, to try out genomes.
//!
//! No turn, no clock, no end. Moves follow the same rules and the same chance, from the lab's own seed and counter.
//! Promotions are offered but block nothing.

use std::sync::Arc;

use shakmaty::{Bitboard, Color, File, Rank, Square};
use thiserror::Error;

use super::board::{Board, GenomeTable, Piece};
use super::chance::Seed;
use super::error::{MoveError, PromotionError};
use super::genome::Genome;
use super::known::pawn_genome;
use super::play::{Move, Played, Scene, must_promote};
use super::preset::Preset;
use super::targets::Targets;

/// Why the lab refused. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LabError {
    /// The text names no square of the board.
    #[error("there is no such square")]
    Square,
    /// The square is empty.
    #[error("there is no piece on {square}")]
    Empty {
        /// The square.
        square: Square,
    },
    /// A back rank with a gap cannot be saved as a preset.
    #[error("{square} is empty; a preset needs all eight squares of the rank")]
    Gap {
        /// The first empty square.
        square: Square,
    },
    /// The lab has seen more genomes than it can number.
    #[error("this lab has seen too many genomes; start a new one")]
    Full,
}

impl LabError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            LabError::Square => "L_SQUARE",
            LabError::Empty { .. } => "L_EMPTY",
            LabError::Gap { .. } => "P_COUNT",
            LabError::Full => "L_FULL",
        }
    }
}

/// A piece to be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specimen {
    /// What it is.
    pub genome: Arc<Genome>,
    /// Whose it is.
    pub owner: Color,
    /// Whether it promotes.
    pub pawn: bool,
    /// Whether it is marked as a king.
    pub king: bool,
}

/// A board for experiments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lab {
    scene: Scene,
    seed: Seed,
    ply: u32,
    offered: Bitboard,
}

impl Lab {
    /// An empty lab.
    pub fn new(seed: Seed) -> Lab {
        let scene = Scene { board: Board::empty(), genomes: GenomeTable::new() };
        Lab { scene, seed, ply: 0, offered: Bitboard::EMPTY }
    }

    /// The same lab after so many moves, for whoever keeps count elsewhere.
    #[must_use]
    pub fn after(self, ply: u32) -> Lab {
        Lab { ply, ..self }
    }

    /// Reads a square as a player writes it: the letter is the file.
    pub fn read_square(text: &str) -> Result<Square, LabError> {
        text.parse().map_err(|_| LabError::Square)
    }

    /// The pieces.
    pub fn board(&self) -> &Board {
        &self.scene.board
    }

    /// The genomes the pieces refer to.
    pub fn genomes(&self) -> &GenomeTable {
        &self.scene.genomes
    }

    /// How many moves were made.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The pawns that may be promoted: those that arrived by a move and still stand there.
    pub fn offered_promotions(&self) -> Bitboard {
        let waits = |square: &Square| {
            self.scene.board.get(*square).is_some_and(|piece| must_promote(piece, *square))
        };
        self.offered.into_iter().filter(waits).collect()
    }

    /// Puts a piece on a square, in place of what was there.
    pub fn place(&mut self, square: Square, specimen: Specimen) -> Result<(), LabError> {
        let Specimen { genome, owner, pawn, king } = specimen;
        let genome = self.scene.genomes.intern(genome).ok_or(LabError::Full)?;
        self.scene.board.put(square, Piece { genome, owner, pawn, king });
        self.offered.discard(square);
        Ok(())
    }

    /// Takes a piece off the board.
    pub fn erase(&mut self, square: Square) -> Result<(), LabError> {
        self.scene.board.take(square).ok_or(LabError::Empty { square })?;
        Ok(())
    }

    /// Marks a piece as king, or takes the mark away.
    pub fn toggle_king(&mut self, square: Square) -> Result<(), LabError> {
        let piece = self.scene.board.get(square).ok_or(LabError::Empty { square })?;
        self.scene.board.put(square, Piece { king: !piece.king, ..piece });
        Ok(())
    }

    /// Lays out a preset with its pawns for one side, in place of what was there.
    pub fn lay_out(&mut self, color: Color, preset: &Preset) -> Result<(), LabError> {
        let pawns = color.relative_rank(Rank::Second);
        for (genome, file) in preset.0.iter().zip(File::ALL) {
            let officer =
                Specimen { genome: Arc::clone(genome), owner: color, pawn: false, king: false };
            let pawn =
                Specimen { genome: Arc::clone(pawn_genome()), pawn: true, ..officer.clone() };
            self.place(Square::from_coords(file, color.backrank()), officer)?;
            self.place(Square::from_coords(file, pawns), pawn)?;
        }
        Ok(())
    }

    /// The targets of the piece on a square.
    pub fn targets(&self, origin: Square) -> Targets {
        self.scene.targets(origin)
    }

    /// Moves a piece of either side. The loss of kings is told but ends nothing.
    pub fn play(&mut self, chosen: Move) -> Result<Played, MoveError> {
        let origin = chosen.origin;
        self.scene.board.get(origin).ok_or(MoveError::NoPiece { origin })?;
        let target = self.scene.find_target(chosen)?;
        let luck = self.scene.roll(chosen, &self.seed, self.ply)?;
        let played = self.scene.carry_out(chosen, target, &luck)?;
        let promotions = self.scene.arrivals(origin, played.landing);
        self.ply = self.ply.wrapping_add(1);
        promotions.iter().for_each(|square| self.offered.add(square));
        Ok(Played { promotions, ..played })
    }

    /// Promotes one of the offered pawns.
    pub fn promote(&mut self, square: Square, genome: Arc<Genome>) -> Result<(), PromotionError> {
        if !self.offered_promotions().contains(square) {
            return Err(PromotionError::None);
        }
        let genome = self.scene.genomes.intern(genome).ok_or(PromotionError::UnknownGenome)?;
        self.scene.promote(square, genome).ok_or(PromotionError::UnknownGenome)?;
        self.offered.discard(square);
        Ok(())
    }

    /// The genomes of a side's back rank as a preset; owners do not matter.
    pub fn save_back_rank(&self, color: Color) -> Result<Preset, LabError> {
        let mut genomes = File::ALL.map(|_| Arc::clone(pawn_genome()));
        for (slot, file) in genomes.iter_mut().zip(File::ALL) {
            let square = Square::from_coords(file, color.backrank());
            let piece = self.scene.board.get(square).ok_or(LabError::Gap { square })?;
            let genome = self.scene.genomes.get(piece.genome).ok_or(LabError::Gap { square })?;
            *slot = Arc::clone(genome);
        }
        Ok(Preset(genomes))
    }
}
