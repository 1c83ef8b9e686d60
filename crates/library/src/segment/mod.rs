//! A segment: many games in one file that never changes.

mod build;
mod shown;
mod tags;
mod tails;
mod tree;
mod walked;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rules::pgn::{Board, Tags};
use rules::shakmaty::{Chess, Position};

pub(crate) use build::Builder;
pub(crate) use shown::{Shown, Views};
pub(crate) use tags::{Piece, TagReader};
pub(crate) use tails::MOST_GAMES;
pub(crate) use tree::Tree;
pub(crate) use walked::{WalkedReader, WalkedWriter};

use crate::column::Column;
use crate::columns::Columns;
use crate::growing::Record;
use crate::moves::{self, Next, Packed};
use crate::packing::{Section, Sections};
use crate::position::{Hash, Walk, hash_of};
use crate::tag::TagNumber;
use tags::{split_tags, tag_numbers};
use tails::Tails;

/// A position that is looked for, with what is computed once for all segments.
#[derive(Debug)]
pub(crate) struct Sought {
    pub(crate) hash: Hash,
    /// What the fingerprints are asked for: the position, or with Black to move also what can follow it.
    prints: Vec<Hash>,
}

impl Sought {
    pub(crate) fn new(position: &Chess) -> Sought {
        let hash = hash_of(position);
        let mut prints = vec![hash];
        if position.turn().is_black() {
            let walk = Walk::new(position.clone());
            prints.extend(position.legal_moves().iter().map(|played| {
                let mut next = walk.clone();
                next.play(*played);
                next.hash()
            }));
        }
        Sought { hash, prints }
    }
}

/// Where the games of a segment were in a position.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    /// Games that go on alike, as ranges.
    pub(crate) ranges: Vec<(Next, u32, u32)>,
}

/// An open segment. The moves, the tags and the fingerprints stay on the disk, the rest is in memory.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) path: PathBuf,
    pub(crate) columns: Columns,
    file: File,
    moves: Section,
    tails: Tails,
    offsets: Vec<u32>,
    start: Column<u32>,
    starts: Vec<String>,
    tail_begin: Vec<u16>,
    tail_move: Vec<u16>,
    tree: Tree,
    hashes: Vec<Hash>,
    nodes: Vec<u32>,
}

impl Segment {
    pub(crate) fn open(path: &Path) -> io::Result<Segment> {
        let mut from = Sections::open(File::open(path)?)?;
        let moves = from.skip()?;
        let entries = from.skip()?;
        let begins = from.numbers()?;
        let offsets: Vec<u32> = from.numbers()?;
        let start = from.numbers::<u32>()?.into();
        let starts = String::from_utf8(from.bytes()?).map_err(io::Error::other)?;
        let (tail_begin, tail_move) = (from.numbers()?, from.numbers()?);
        let tree = Tree::read(&mut from)?;
        let (hashes, nodes) = (from.numbers()?, from.numbers()?);
        let columns = Columns::read(&mut from)?;
        let tails = Tails::new(entries, begins, columns.len())?;
        let segment = Segment {
            path: path.to_owned(),
            columns,
            file: from.file,
            moves,
            tails,
            offsets,
            start,
            starts: starts.split('\n').map(str::to_owned).collect(),
            tail_begin,
            tail_move,
            tree,
            hashes,
            nodes,
        };
        if !segment.is_sound() {
            return Err(io::Error::other("the parts of the segment do not fit"));
        }
        Ok(segment)
    }

    fn is_sound(&self) -> bool {
        let games = self.columns.len();
        self.offsets.len() == games + 1
            && self.offsets.is_sorted()
            && self.offsets.last().is_some_and(|end| u64::from(*end) <= self.moves.stored)
            && [self.start.len(), self.tail_begin.len(), self.tail_move.len()] == [games; 3]
            && self.hashes.len() == self.nodes.len()
            && self.hashes.is_sorted()
            && self.nodes.iter().all(|node| (*node as usize) < self.tree.begin.len())
            && self.tree.is_sound(games)
    }

    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The games that were in the position. Of those that are not shown, some may be left out.
    pub(crate) fn visits(&self, sought: &Sought, shown: &Shown) -> io::Result<Visits> {
        let mut visits = Visits::default();
        let first = self.hashes.partition_point(|hash| *hash < sought.hash);
        for (_, node) in self.hashes[first..]
            .iter()
            .zip(&self.nodes[first..])
            .take_while(|(hash, _)| **hash == sought.hash)
        {
            self.visit_node(*node as usize, &mut visits);
        }
        let mut candidates = Vec::new();
        for print in &sought.prints {
            self.tails.candidates(&self.file, *print, &mut candidates)?;
        }
        candidates.sort_unstable();
        candidates.dedup();
        for game in candidates {
            if shown.has(game as usize)
                && let Some(next) = self.visit_tail(game, sought.hash)?
            {
                visits.ranges.push((next, game, game + 1));
            }
        }
        Ok(visits)
    }

    fn visit_node(&self, node: usize, visits: &mut Visits) {
        let mut game = self.tree.begin[node];
        let mut alone = |from: u32, to: u32| {
            for game in from..to {
                let next = match self.tail_move[game as usize] {
                    0 => Next::End,
                    packed => Next::Move(Packed(packed)),
                };
                visits.ranges.push((next, game, game + 1));
            }
        };
        let mut children = Vec::new();
        for child in self.tree.children(node) {
            alone(game, self.tree.begin[child]);
            children.push((
                Next::Move(Packed(self.tree.led_by[child])),
                self.tree.begin[child],
                self.tree.end[child],
            ));
            game = self.tree.end[child];
        }
        alone(game, self.tree.end[node]);
        visits.ranges.extend(children);
    }

    fn visit_tail(&self, game: u32, hash: Hash) -> io::Result<Option<Next>> {
        let record = self.replay(game, &self.bytes_of(game)?, Some(hash))?;
        let at = record.hashes.iter().position(|known| *known == hash);
        let begin = usize::from(self.tail_begin[game as usize]);
        Ok(at.filter(|at| *at >= begin).map(|at| Next::of(record.moves.get(at))))
    }

    /// Tags and moves of a game.
    fn bytes_of(&self, game: u32) -> io::Result<Vec<u8>> {
        let (begin, end) = (self.offsets[game as usize], self.offsets[game as usize + 1]);
        let mut bytes = vec![0; (end - begin) as usize];
        self.file.read_exact_at(&mut bytes, self.moves.offset + u64::from(begin))?;
        Ok(bytes)
    }

    /// A game with its moves; up to the move after a position, if one is asked for.
    fn replay(&self, game: u32, bytes: &[u8], until: Option<Hash>) -> io::Result<Replayed> {
        let (tags, bytes) = split_tags(bytes)?;
        let mut replayed = Replayed::default();
        if until.is_none() {
            replayed.tags = tag_numbers(tags).collect();
        }
        let position = match self.start_of(game as usize) {
            None => return Ok(replayed),
            Some("") => Chess::default(),
            Some(fen) => set_up(fen)?,
        };
        let mut walk = Walk::new(position);
        replayed.hashes.push(walk.hash());
        if until.is_none() {
            replayed.short = bytes.to_vec();
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let damaged = || io::Error::other("a move of a segment makes no sense");
            let (packed, behind) = moves::read(walk.position(), rest).ok_or_else(damaged)?;
            let played = packed.on(walk.position()).ok_or_else(damaged)?;
            rest = behind;
            replayed.moves.push(packed);
            if until == Some(walk.hash()) {
                break;
            }
            walk.play(played);
            replayed.hashes.push(walk.hash());
        }
        Ok(replayed)
    }

    fn start_of(&self, game: usize) -> Option<&str> {
        self.starts.get(self.start[game] as usize).map(String::as_str)
    }

    /// A game as it came, to be put into another segment. Its games are asked for one after the other: `piece` is
    /// what was read of them, `walked` what was noted when they were walked along.
    pub(crate) fn record(
        &self,
        game: u32,
        piece: &mut Piece,
        walked: Option<&mut WalkedReader>,
    ) -> io::Result<Record> {
        let bytes = piece.of(self, game as usize)?;
        let Replayed { tags, moves, short, hashes } = match walked {
            Some(walked) => {
                let (moves, hashes) = walked.next()?;
                let (tags, short) = split_tags(bytes)?;
                Replayed { tags: tag_numbers(tags).collect(), moves, short: short.to_vec(), hashes }
            }
            None => self.replay(game, bytes, None)?,
        };
        let start = self.start_of(game as usize).map(Into::into);
        let facts = self.columns.facts(game as usize);
        Ok(Record { facts, tags, start, moves, short, hashes })
    }
}

#[derive(Debug, Default)]
struct Replayed {
    tags: Box<[TagNumber]>,
    moves: Vec<Packed>,
    short: Vec<u8>,
    hashes: Vec<Hash>,
}

/// A set-up position as the reader of PGN takes it.
pub(crate) fn set_up(fen: &str) -> io::Result<Chess> {
    let mut tags = Tags::new();
    tags.set("FEN", fen);
    match Board::from_tags(&tags) {
        Ok(Board::Chess(position)) => Ok(position),
        _ => Err(io::Error::other("a set-up position of a segment makes no sense")),
    }
}
