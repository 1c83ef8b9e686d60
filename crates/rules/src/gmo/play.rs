//! Carrying out a move on a board: copies, owners, kings, promotions. Whose turn it is does not matter here.

use std::sync::Arc;

use shakmaty::{Color, Square};

use super::board::{Board, GenomeIndex, GenomeTable, Piece};
use super::chance::{self, Luck, Seed, Stream};
use super::debuff::Debuff;
use super::end::{End, KingCount};
use super::error::MoveError;
use super::genome::{Block, Content, Heir};
use super::targets::{self, Target, Targets};

/// A move as a player names it. Origin and target may be the same square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub origin: Square,
    /// The square chosen.
    pub target: Square,
}

impl Move {
    pub(super) fn refused(self) -> MoveError {
        MoveError::Target { origin: self.origin, target: self.target }
    }

    pub(super) fn impossible_luck(self) -> MoveError {
        MoveError::Luck { origin: self.origin, target: self.target }
    }
}

/// What a move did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// The move as it was chosen.
    pub chosen: Move,
    /// Where it really happened; differs from the target only by deviation.
    pub landing: Square,
    /// What the piece's genome became, if it mutated.
    pub mutation: Option<GenomeIndex>,
    /// Whether nobody may act for five seconds.
    pub freezes: bool,
    /// The end this move brought by the loss of kings.
    pub end: Option<End>,
    /// Pawns that must be promoted now, in this order; none if the kings ended the game.
    pub promotions: Promotions,
}

/// At most two squares whose pawns wait for promotion, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Promotions([Option<Square>; 2]);

impl Promotions {
    /// Nothing to promote.
    pub const NONE: Promotions = Promotions([None; 2]);

    /// The square that must be promoted now.
    pub fn next(self) -> Option<Square> {
        self.0[0]
    }

    /// All squares, in order.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().flatten()
    }

    /// How many pawns wait.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Whether none waits.
    pub fn is_empty(self) -> bool {
        self.0[0].is_none()
    }

    /// What is left when the first is done.
    #[must_use]
    pub fn rest(self) -> Promotions {
        Promotions([self.0[1], None])
    }

    /// Adds a square at the end; false if two wait already.
    pub(super) fn push(&mut self, square: Square) -> bool {
        let free = self.0.iter_mut().find(|slot| slot.is_none());
        free.map(|slot| *slot = Some(square)).is_some()
    }
}

/// Whether a piece on this square is a pawn that has arrived.
pub(super) fn must_promote(piece: Piece, square: Square) -> bool {
    piece.pawn && square.rank() == piece.owner.other().backrank()
}

/// What a square would hold after a move: for previews and for test vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// Nothing.
    Empty,
    /// A copy of the moving piece with this owner.
    Mover(Color),
    /// A copy of what stood on the target, with this owner.
    Other(Color),
}

/// Board and genomes together: all that targets and the carrying out of a move depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scene {
    pub(super) board: Board,
    pub(super) genomes: GenomeTable,
}

impl Scene {
    /// The targets of the piece on this square; none if it is empty.
    pub(super) fn targets(&self, origin: Square) -> Targets {
        match self.board.get(origin) {
            Some(piece) => targets::all(&self.board, &self.genomes[piece.genome], piece, origin),
            None => Targets::new(),
        }
    }

    /// Whether any piece of this side can move.
    pub(super) fn can_move(&self, color: Color) -> bool {
        self.pieces_of(color).any(|(square, piece)| {
            targets::any(&self.board, &self.genomes[piece.genome], piece, square)
        })
    }

    /// How many moves this side has.
    pub(super) fn count_moves(&self, color: Color) -> usize {
        self.pieces_of(color)
            .map(|(square, piece)| {
                targets::count(&self.board, &self.genomes[piece.genome], piece, square)
            })
            .sum()
    }

    pub(super) fn pieces_of(&self, color: Color) -> impl Iterator<Item = (Square, Piece)> {
        self.board
            .owned(color)
            .into_iter()
            .filter_map(|square| Some((square, self.board.get(square)?)))
    }

    /// The entry of the target list that a move names.
    pub(super) fn find_target(&self, chosen: Move) -> Result<Target, MoveError> {
        let targets = self.targets(chosen.origin);
        targets
            .iter()
            .find(|target| target.square == chosen.target)
            .copied()
            .ok_or_else(|| chosen.refused())
    }

    /// What the two squares would hold if chance kept out of it; for a move onto itself both give the final content.
    pub(super) fn preview(&self, origin: Square, target: Target) -> Option<(After, After)> {
        let (piece, block) = self.moving(origin, target)?;
        let occupant = self.board.occupant(target.square, piece.owner);
        let effect = block.effect(occupant)?;
        let after = |content, heir| match content {
            Content::Mover => After::Mover(inherit(heir, piece.owner)),
            Content::Other if self.board.get(target.square).is_some() => {
                After::Other(inherit(heir, piece.owner))
            }
            Content::Other | Content::Empty => After::Empty,
        };
        let on_origin = after(effect.origin, block.origin_owner);
        let on_target = after(effect.landing, block.landing_owner);
        Some(match (origin == target.square, on_target) {
            (false, _) => (on_origin, on_target),
            (true, After::Empty) => (on_origin, on_origin),
            (true, _) => (on_target, on_target),
        })
    }

    /// Asks the seed what happens to a legal move that is the `ply`-th, counted from 0.
    pub(super) fn roll(&self, chosen: Move, seed: &Seed, ply: u32) -> Result<Luck, MoveError> {
        let target = self.find_target(chosen)?;
        let (piece, block) = self.moving(chosen.origin, target).ok_or_else(|| chosen.refused())?;
        let genome = &self.genomes[piece.genome];
        let mut stream = Stream::new(seed, ply);
        let mut luck = Luck::NONE;
        if genome.has(Debuff::Deviate) {
            let landings = chance::landings(&self.board, block, piece.owner, target.square);
            luck.landing = chance::draw_landing(landings, &mut stream);
        }
        if genome.has(Debuff::Mutate) {
            luck.mutation = chance::draw_mutation(genome, &mut stream).map(Arc::new);
        }
        Ok(luck)
    }

    /// Whether a recorded piece of luck can have happened to this move.
    pub(super) fn check_luck(
        &self,
        chosen: Move,
        target: Target,
        luck: &Luck,
    ) -> Result<(), MoveError> {
        let (piece, block) = self.moving(chosen.origin, target).ok_or_else(|| chosen.refused())?;
        let genome = &self.genomes[piece.genome];
        let landing_fits = if genome.has(Debuff::Deviate) {
            let landings = chance::landings(&self.board, block, piece.owner, target.square);
            luck.landing.map_or(landings.is_empty(), |landing| landings.contains(landing))
        } else {
            luck.landing.is_none()
        };
        let mutation_fits = match &luck.mutation {
            Some(mutated) => genome.has(Debuff::Mutate) && chance::is_mutation(genome, mutated),
            None => true,
        };
        if landing_fits && mutation_fits { Ok(()) } else { Err(chosen.impossible_luck()) }
    }

    /// Carries out a move from the target list with luck that fits it.
    pub(super) fn carry_out(
        &mut self,
        chosen: Move,
        target: Target,
        luck: &Luck,
    ) -> Result<Played, MoveError> {
        let (piece, block) = self.moving(chosen.origin, target).ok_or_else(|| chosen.refused())?;
        let landing = luck.landing.unwrap_or(target.square);
        let mover = piece.owner;
        let effect = block
            .effect(self.board.occupant(landing, mover))
            .ok_or_else(|| chosen.impossible_luck())?;
        let (origin_owner, landing_owner) =
            (inherit(block.origin_owner, mover), inherit(block.landing_owner, mover));
        let freezes = self.genomes[piece.genome].has(Debuff::Freeze);
        let mutation = self.admit_mutation(chosen, luck)?;
        let moved = Piece { genome: mutation.unwrap_or(piece.genome), ..piece };

        let before = KingCount::of(&self.board);
        let other = if landing == chosen.origin { Some(moved) } else { self.board.get(landing) };
        self.board.take(chosen.origin);
        self.board.take(landing);
        let mut write = |square, content, owner| {
            let copied = match content {
                Content::Mover => Some(moved),
                Content::Other => other,
                Content::Empty => None,
            };
            if let Some(piece) = copied {
                self.board.put(square, Piece { owner, ..piece });
            }
        };
        write(chosen.origin, effect.origin, origin_owner);
        write(landing, effect.landing, landing_owner);

        let end = before.end_after(KingCount::of(&self.board));
        let promotions =
            if end.is_none() { self.arrivals(chosen.origin, landing) } else { Promotions::NONE };
        Ok(Played { chosen, landing, mutation, freezes, end, promotions })
    }

    fn admit_mutation(
        &mut self,
        chosen: Move,
        luck: &Luck,
    ) -> Result<Option<GenomeIndex>, MoveError> {
        let Some(genome) = &luck.mutation else { return Ok(None) };
        let index =
            self.genomes.intern(Arc::clone(genome)).ok_or_else(|| chosen.impossible_luck())?;
        Ok(Some(index))
    }

    /// The pawns that stand on their last rank after a move: the origin comes first.
    pub(super) fn arrivals(&self, origin: Square, landing: Square) -> Promotions {
        let mut promotions = Promotions::NONE;
        let squares = [Some(origin), Some(landing).filter(|landing| *landing != origin)];
        for square in squares.into_iter().flatten() {
            if self.board.get(square).is_some_and(|piece| must_promote(piece, square)) {
                promotions.push(square);
            }
        }
        promotions
    }

    /// Puts a promoted piece in the place of a pawn; `None` if there is no such pawn or genome.
    pub(super) fn promote(&mut self, square: Square, genome: GenomeIndex) -> Option<()> {
        let pawn = self.board.get(square)?;
        self.genomes.get(genome)?;
        self.board.put(square, Piece { genome, pawn: false, ..pawn });
        Some(())
    }

    fn moving(&self, origin: Square, target: Target) -> Option<(Piece, &Block)> {
        let piece = self.board.get(origin)?;
        let block = self.genomes[piece.genome].blocks().get(usize::from(target.block))?;
        Some((piece, block))
    }
}

fn inherit(heir: Heir, mover: Color) -> Color {
    match heir {
        Heir::Mover => mover,
        Heir::Enemy => mover.other(),
    }
}
