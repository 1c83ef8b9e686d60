//! What the index wants to know of every position of a game, noted while the game is played.

use std::sync::LazyLock;

use rules::opening::{self, OpeningNumber};
use rules::pgn::{Board, Follower, Game, Step};
use rules::shakmaty::{Chess, Move, Position as _};

use crate::moves::{Packed, are_nameable, write as write_short, write_named};
use crate::position::{Hash, Number};

/// The moves of a game and the numbers of its positions. Used again for every game, so that its room need not be.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    pub(crate) moves: Vec<Packed>,
    /// The same moves in their short form.
    pub(crate) short: Vec<u8>,
    pub(crate) hashes: Vec<Hash>,
    /// The last named position, and the plies after which it was there.
    pub(crate) opening: Option<(OpeningNumber, u8)>,
    /// Where the game begins; none if it has no positions of chess.
    pub(crate) start: Option<Start>,
    number: Number,
    /// Whether the pieces of both sides can be named in the short form.
    is_nameable: bool,
    /// Plies after which a position may have a name.
    named: usize,
    has_left: bool,
}

/// How a game of chess begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// With the usual position.
    pub(crate) is_usual: bool,
    pub(crate) is_white_to_move: bool,
}

/// The usual start with its number: what most games begin with is known beforehand.
static USUAL: LazyLock<(Chess, Number, Hash)> = LazyLock::new(|| {
    let start = Chess::default();
    let (number, hash) = Number::of(&start);
    (start, number, hash)
});

impl Trail {
    /// The trail of a game that was read before.
    pub(crate) fn of(game: &Game) -> Trail {
        let mut trail = Trail::default();
        let Ok(Board::Chess(mut position)) = game.start() else {
            trail.begin(None);
            return trail;
        };
        trail.begin(Some(&position));
        for step in game.steps() {
            let Step::Move(played) = step else {
                trail.leave();
                break;
            };
            trail.play(&position, played);
            position.play_unchecked(played);
            trail.reach(&position);
        }
        trail
    }
}

impl Follower for Trail {
    fn begin(&mut self, start: Option<&Chess>) {
        self.moves.clear();
        self.short.clear();
        self.hashes.clear();
        (self.opening, self.start, self.named, self.has_left) = (None, None, 0, false);
        let Some(start) = start else { return };
        let (usual, number, hash) = &*USUAL;
        let is_usual = start == usual;
        self.is_nameable = is_usual || are_nameable(start);
        let hash = if is_usual {
            self.number = number.clone();
            self.named = opening::longest();
            *hash
        } else {
            let (number, hash) = Number::of(start);
            self.number = number;
            hash
        };
        self.start = Some(Start { is_usual, is_white_to_move: start.turn().is_white() });
        self.hashes.push(hash);
    }

    #[inline]
    fn play(&mut self, before: &Chess, played: Move) {
        let Some(packed) = Packed::of(played).filter(|_| !self.has_left) else {
            self.has_left = true;
            return;
        };
        if self.is_nameable {
            write_named(before, packed, &mut self.short);
        } else {
            write_short(before, packed, &mut self.short);
        }
        self.moves.push(packed);
        self.number.play(before, played);
    }

    #[inline]
    fn reach(&mut self, after: &Chess) {
        if self.has_left {
            return;
        }
        let hash = self.number.reach(after);
        self.hashes.push(hash);
        let plies = self.moves.len();
        if plies <= self.named
            && let Some(number) = opening::number_of(hash)
        {
            self.opening = Some((number, u8::try_from(plies).unwrap_or(u8::MAX)));
        }
    }

    fn leave(&mut self) {
        self.has_left = true;
    }
}
