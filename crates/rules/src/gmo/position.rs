//! A position of GMO chess: board, genomes, side to move, waiting promotions, and the end if there is one.

use std::sync::Arc;

use shakmaty::{Color, Square};
use thiserror::Error;

use super::board::{Board, GenomeIndex, GenomeTable};
use super::chance::{Luck, Seed};
use super::end::{DrawBy, End, MAX_PLIES};
use super::error::{MoveError, PromotionError};
use super::genome::Genome;
use super::play::{self, After, Move, Played, Promotions, Scene};
use super::targets::{Target, Targets};
use super::token::MoveToken;

/// A position as it came from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// The genomes they refer to.
    pub genomes: GenomeTable,
    /// Who is to move.
    pub turn: Color,
    /// How many moves were made.
    pub ply: u32,
    /// Pawns that wait for promotion, in order.
    pub promotions: Promotions,
}

/// Why a set-up is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SetupError {
    /// A piece refers to a genome that is not listed.
    #[error("the piece on {square} has genome {genome}, which is not listed")]
    UnknownGenome {
        /// Where the piece stands.
        square: Square,
        /// The number it refers to.
        genome: GenomeIndex,
    },
    /// No pawn on its last rank stands where a promotion should wait, or it is named twice.
    #[error("there is no pawn to promote on {square}")]
    NoPromotion {
        /// The square in question.
        square: Square,
    },
}

/// A position in which every piece has a genome and every waiting promotion a pawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GmoPosition {
    scene: Scene,
    turn: Color,
    ply: u32,
    promotions: Promotions,
    end: Option<End>,
}

impl GmoPosition {
    /// Checks a set-up. A side that is to move and cannot has lost already.
    pub fn new(setup: Setup) -> Result<GmoPosition, SetupError> {
        let Setup { board, genomes, turn, ply, promotions } = setup;
        for (square, piece) in board.pieces() {
            if genomes.get(piece.genome).is_none() {
                return Err(SetupError::UnknownGenome { square, genome: piece.genome });
            }
        }
        for square in promotions.iter() {
            let waits = board.get(square).is_some_and(|piece| play::must_promote(piece, square));
            let named_twice =
                promotions.len() == 2 && promotions.rest().next() == promotions.next();
            if !waits || named_twice {
                return Err(SetupError::NoPromotion { square });
            }
        }
        let scene = Scene { board, genomes };
        let mut position = GmoPosition { scene, turn, ply, promotions, end: None };
        position.settle();
        Ok(position)
    }

    /// The pieces.
    pub fn board(&self) -> &Board {
        &self.scene.board
    }

    /// The genomes the pieces refer to.
    pub fn genomes(&self) -> &GenomeTable {
        &self.scene.genomes
    }

    /// The genome of the piece on a square.
    pub fn genome_at(&self, square: Square) -> Option<&Arc<Genome>> {
        self.scene.genomes.get(self.scene.board.get(square)?.genome)
    }

    /// Who moves next by alternation; a waiting promotion may be somebody else's.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Whose clock runs: the owner of the pawn to be promoted, else the side to move.
    pub fn actor(&self) -> Color {
        let pawn = self.promotions.next().and_then(|square| self.scene.board.get(square));
        pawn.map_or(self.turn, |pawn| pawn.owner)
    }

    /// How many moves were made.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Pawns that wait for promotion, in order.
    pub fn promotions(&self) -> Promotions {
        self.promotions
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Ends the game for a reason that is not on the board, such as time; waiting promotions are dropped.
    pub fn finish(&mut self, end: End) {
        self.end = Some(end);
        self.promotions = Promotions::NONE;
    }

    /// The targets of the piece on a square, of either side, whoever is to move: what a preview shows.
    pub fn targets(&self, origin: Square) -> Targets {
        self.scene.targets(origin)
    }

    /// What origin and target would hold after a move from the target list, chance left out.
    pub fn preview(&self, origin: Square, target: Target) -> Option<(After, After)> {
        self.scene.preview(origin, target)
    }

    /// The legal moves, grouped by origin: none while a promotion waits or when the game is over.
    pub fn legal_moves(&self) -> impl Iterator<Item = (Square, Targets)> {
        let running = self.end.is_none() && self.promotions.is_empty();
        let origins =
            if running { self.scene.board.owned(self.turn) } else { shakmaty::Bitboard::EMPTY };
        origins
            .into_iter()
            .map(|origin| (origin, self.targets(origin)))
            .filter(|(_, targets)| !targets.is_empty())
    }

    /// How many moves a side has on this board, whoever is to move.
    pub fn count_moves(&self, color: Color) -> usize {
        self.scene.count_moves(color)
    }

    /// Checks a move by a player, without making it.
    pub fn check_move(&self, actor: Color, chosen: Move) -> Result<Target, MoveError> {
        if self.end.is_some() {
            return Err(MoveError::Over);
        }
        if let Some(square) = self.promotions.next() {
            return Err(MoveError::PromotionPending { square });
        }
        if actor != self.turn {
            return Err(MoveError::NotYourTurn);
        }
        let origin = chosen.origin;
        let piece = self.scene.board.get(origin).ok_or(MoveError::NoPiece { origin })?;
        if piece.owner != actor {
            return Err(MoveError::NotYours { origin });
        }
        self.scene.find_target(chosen)
    }

    /// Asks the seed what chance does to a move of the side to move.
    pub fn roll(&self, chosen: Move, seed: &Seed) -> Result<Luck, MoveError> {
        self.check_move(self.turn, chosen)?;
        self.scene.roll(chosen, seed, self.ply)
    }

    /// Makes a move of the side to move; `luck` comes from [`GmoPosition::roll`] or from the log of a game.
    pub fn play(&mut self, chosen: Move, luck: &Luck) -> Result<Played, MoveError> {
        let target = self.check_move(self.turn, chosen)?;
        self.scene.check_luck(chosen, target, luck)?;
        self.carry_out(chosen, target, luck)
    }

    /// The luck that a record tells of; its mutated genome must be listed.
    pub fn recorded_luck(&self, token: MoveToken) -> Result<Luck, MoveError> {
        let listed = |index| {
            self.scene.genomes.get(index).cloned().ok_or_else(|| token.chosen.impossible_luck())
        };
        Ok(Luck { landing: token.landing, mutation: token.mutation.map(listed).transpose()? })
    }

    /// Makes a move that stands in the target list, without looking at luck.
    pub(super) fn carry_out(
        &mut self,
        chosen: Move,
        target: Target,
        luck: &Luck,
    ) -> Result<Played, MoveError> {
        let played = self.scene.carry_out(chosen, target, luck)?;
        self.ply = self.ply.saturating_add(1);
        self.turn = self.turn.other();
        self.end = played.end;
        self.promotions = played.promotions;
        self.settle();
        Ok(played)
    }

    /// Checks a promotion by a player, without making it.
    pub fn check_promotion(&self, actor: Color, square: Square) -> Result<(), PromotionError> {
        if self.end.is_some() {
            return Err(PromotionError::Over);
        }
        let pending = self.promotions.next().ok_or(PromotionError::None)?;
        if pending != square {
            return Err(PromotionError::Square { pending });
        }
        if actor != self.actor() {
            return Err(PromotionError::NotYours { square });
        }
        Ok(())
    }

    /// Promotes the pawn whose turn it is; the genome was looked up by the caller.
    pub fn promote(
        &mut self,
        square: Square,
        genome: Arc<Genome>,
    ) -> Result<GenomeIndex, PromotionError> {
        self.check_promotion(self.actor(), square)?;
        let index = self.scene.genomes.intern(genome).ok_or(PromotionError::UnknownGenome)?;
        self.promote_listed(square, index)?;
        Ok(index)
    }

    /// Promotes the pawn whose turn it is to a genome of the game's table, as a game record names it.
    pub fn promote_listed(
        &mut self,
        square: Square,
        genome: GenomeIndex,
    ) -> Result<(), PromotionError> {
        self.check_promotion(self.actor(), square)?;
        self.scene.promote(square, genome).ok_or(PromotionError::UnknownGenome)?;
        self.promotions = self.promotions.rest();
        self.settle();
        Ok(())
    }

    /// Ends the game if the side to move cannot, or if it has lasted too long.
    fn settle(&mut self) {
        if self.end.is_some() {
            return;
        }
        if self.promotions.is_empty() && !self.scene.can_move(self.turn) {
            self.finish(End::stuck(self.turn));
        } else if self.ply >= MAX_PLIES {
            self.finish(End::Draw { by: DrawBy::PlyLimit });
        }
    }

    /// Whether two positions are the same for repetition: pieces by DNA, owner and flags, and the side to move.
    pub fn is_repetition_of(&self, other: &GmoPosition) -> bool {
        let same_piece = |square| match (self.board().get(square), other.board().get(square)) {
            (Some(mine), Some(theirs)) => {
                (mine.owner, mine.pawn, mine.king) == (theirs.owner, theirs.pawn, theirs.king)
                    && self.genome_at(square) == other.genome_at(square)
            }
            (None, None) => true,
            _ => false,
        };
        self.turn == other.turn && Square::ALL.into_iter().all(same_piece)
    }

    /// A hash by which positions of one game are compared for repetition.
    ///
    /// It uses the numbers of the game's own genome table, unified by DNA, so hashes of two games say nothing.
    pub fn hash(&self) -> u64 {
        let pieces = self.board().pieces().map(|(square, piece)| {
            let genome = u64::from(self.genomes().first(piece.genome).0);
            let flags = u64::from(piece.pawn) << 2
                | u64::from(piece.king) << 1
                | u64::from(piece.owner.is_white());
            scramble(genome << 16 | u64::from(square) << 8 | flags)
        });
        pieces.fold(scramble(u64::MAX - u64::from(self.turn.is_white())), |sum, piece| {
            sum.wrapping_add(piece)
        })
    }
}

/// A well-mixed 64-bit permutation, so that sums of its values rarely meet.
const fn scramble(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
