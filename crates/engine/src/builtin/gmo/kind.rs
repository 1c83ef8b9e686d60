//! A genome made ready for search: the rays from every square, what its blocks do, and what it is worth.

use rules::gmo::{Block, Content, Debuff, Genome, Heir, Occupant};
use rules::shakmaty::{Bitboard, Color, Rank, Square, attacks::king_attacks};

use super::super::score::Value;
use super::value::{self, Worth};
use super::walk;

/// One way to go: the squares on which a move may end, in order, until one is occupied.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    pub(super) block: u8,
    start: u32,
    len: u8,
}

/// Everything the search asks of a genome.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    rays: Vec<Ray>,
    /// Where the rays of each square begin.
    first_ray: Vec<u16>,
    squares: Vec<Square>,
    pub(super) deals: Vec<Deals>,
    /// All squares of all rays.
    reach: Vec<Bitboard>,
    /// The squares that debuffs leave as targets, by side and origin.
    admitted: [Vec<Bitboard>; 2],
    near_capture: bool,
    /// Whether chance decides where it lands.
    pub(super) deviates: bool,
    pub(super) worth: Worth,
}

/// What a block does, by [`Occupant`].
pub(super) type Deals = [Option<Deal>; 3];

/// How many copies of the mover and of what stood on the target both sides have after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Deal {
    pub(super) origin: Content,
    pub(super) landing: Content,
    pub(super) origin_heir: Heir,
    pub(super) landing_heir: Heir,
    pub(super) mover_own: Value,
    pub(super) mover_enemy: Value,
    pub(super) other_own: Value,
    pub(super) other_enemy: Value,
}

impl Deal {
    fn read(block: &Block, occupant: Occupant) -> Option<Deal> {
        let effect = block.effect(occupant)?;
        let halves = [(effect.origin, block.origin_owner), (effect.landing, block.landing_owner)];
        let count = |content, heir| {
            Value::from(halves[0] == (content, heir)) + Value::from(halves[1] == (content, heir))
        };
        Some(Deal {
            origin: effect.origin,
            landing: effect.landing,
            origin_heir: block.origin_owner,
            landing_heir: block.landing_owner,
            mover_own: count(Content::Mover, Heir::Mover),
            mover_enemy: count(Content::Mover, Heir::Enemy),
            other_own: count(Content::Other, Heir::Mover),
            other_enemy: count(Content::Other, Heir::Enemy),
        })
    }
}

impl Kind {
    pub(super) fn new(genome: &Genome) -> Kind {
        let mut kind = Kind {
            rays: Vec::new(),
            first_ray: Vec::with_capacity(65),
            squares: Vec::new(),
            deals: genome.blocks().iter().map(deals).collect(),
            reach: Vec::with_capacity(64),
            admitted: Color::ALL.map(|color| {
                Square::ALL.iter().map(|&origin| admitted(genome, color, origin)).collect()
            }),
            near_capture: genome.has(Debuff::NearCapture),
            deviates: genome.has(Debuff::Deviate),
            worth: Worth::default(),
        };
        for origin in Square::ALL {
            kind.lay(genome, origin);
        }
        kind.first_ray.push(u16::try_from(kind.rays.len()).unwrap_or(u16::MAX));
        kind.worth = value::learn(&kind, genome);
        kind
    }

    fn lay(&mut self, genome: &Genome, origin: Square) {
        self.first_ray.push(u16::try_from(self.rays.len()).unwrap_or(u16::MAX));
        let mut reach = Bitboard::EMPTY;
        for (block, number) in genome.blocks().iter().zip(0..) {
            for ray in walk::rays(block.steps(), genome.debuffs(), origin) {
                let start = u32::try_from(self.squares.len()).unwrap_or(u32::MAX);
                let len = u8::try_from(ray.len()).unwrap_or(u8::MAX);
                reach.extend(ray.iter().copied());
                self.squares.extend(ray);
                self.rays.push(Ray { block: number, start, len });
            }
        }
        self.reach.push(reach);
    }

    /// The rays from a square, blocks in the order of the DNA.
    pub(super) fn rays(&self, origin: Square) -> &[Ray] {
        let first = usize::from(self.first_ray[origin.to_usize()]);
        let end = usize::from(self.first_ray[origin.to_usize() + 1]);
        &self.rays[first..end]
    }

    /// The squares of a ray.
    pub(super) fn squares(&self, ray: Ray) -> &[Square] {
        let start = ray.start as usize;
        &self.squares[start..start + usize::from(ray.len)]
    }

    /// All squares the piece could go to if nothing stood in its way.
    pub(super) fn reach(&self, origin: Square) -> Bitboard {
        self.reach[origin.to_usize()]
    }

    /// The squares that may be targets of a piece of this side.
    pub(super) fn admitted(&self, color: Color, origin: Square, occupied: Bitboard) -> Bitboard {
        let squares = self.admitted[usize::from(color.is_black())][origin.to_usize()];
        if self.near_capture {
            squares & (!occupied | king_attacks(origin) | Bitboard::from(origin))
        } else {
            squares
        }
    }

    /// The squares whose occupant a block can deal with.
    pub(super) fn allowed(&self, block: u8, own: Bitboard, enemy: Bitboard) -> Bitboard {
        let deals = &self.deals[usize::from(block)];
        let if_allowed = |occupant: Occupant, squares: Bitboard| {
            if deals[occupant as usize].is_some() { squares } else { Bitboard::EMPTY }
        };
        if_allowed(Occupant::Own, own)
            | if_allowed(Occupant::Enemy, enemy)
            | if_allowed(Occupant::Empty, !(own | enemy))
    }

    /// Tells each target in `wanted` once, with the block that decides what happens there.
    pub(super) fn targets(
        &self,
        origin: Square,
        color: Color,
        own: Bitboard,
        enemy: Bitboard,
        wanted: Bitboard,
        mut tell: impl FnMut(Square, u8),
    ) {
        let occupied = own | enemy;
        let admitted = self.admitted(color, origin, occupied) & wanted;
        let mut seen = Bitboard::EMPTY;
        let mut block = u8::MAX;
        let mut allowed = Bitboard::EMPTY;
        for &ray in self.rays(origin) {
            if ray.block != block {
                block = ray.block;
                allowed = self.allowed(block, own, enemy) & admitted;
            }
            if allowed.is_subset(seen) {
                continue;
            }
            for &square in self.squares(ray) {
                if allowed.contains(square) && seen.insert(square) {
                    tell(square, block);
                }
                if occupied.contains(square) {
                    break;
                }
            }
        }
    }
}

fn deals(block: &Block) -> Deals {
    [Occupant::Own, Occupant::Enemy, Occupant::Empty].map(|occupant| Deal::read(block, occupant))
}

/// The squares that all debuffs but the one about captures leave as targets.
fn admitted(genome: &Genome, color: Color, origin: Square) -> Bitboard {
    let own_colour =
        if origin.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let mut squares = Bitboard::FULL;
    if genome.has(Debuff::Forward) {
        let is_ahead =
            |&rank: &Rank| color.relative_rank(rank) > color.relative_rank(origin.rank());
        let ahead = Rank::ALL.into_iter().filter(is_ahead).map(Bitboard::from);
        squares &= ahead.fold(Bitboard::EMPTY, |all, rank| all | rank);
    }
    if genome.has(Debuff::OtherColour) {
        squares &= !own_colour;
    }
    if genome.has(Debuff::SameColour) {
        squares &= own_colour;
    }
    squares
}
