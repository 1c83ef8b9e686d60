//! The tags of the games of a segment. They lie before the moves of each game and are read only when asked for.

use std::io;
use std::os::unix::fs::FileExt;

use super::Segment;
use crate::tag::TagNumber;

/// Bytes that are read at once.
const PIECE: u64 = 256 << 10;
const SIZE: usize = size_of::<u32>();

/// Writes how many tags there are, and each.
pub(super) fn put_tags(tags: &[TagNumber], out: &mut Vec<u8>) {
    out.push(u8::try_from(tags.len()).unwrap_or(u8::MAX));
    for tag in tags.iter().take(usize::from(u8::MAX)) {
        out.extend_from_slice(&tag.0.to_le_bytes());
    }
}

/// The tags of a game and what lies behind them.
pub(super) fn split_tags(bytes: &[u8]) -> io::Result<(&[u8], &[u8])> {
    let split = bytes.split_first().and_then(|(count, rest)| {
        let length = usize::from(*count) * SIZE;
        rest.split_at_checked(length)
    });
    split.ok_or_else(|| io::Error::other("the tags of a segment make no sense"))
}

pub(super) fn tag_numbers(bytes: &[u8]) -> impl Iterator<Item = TagNumber> {
    let number = |tag: &[u8]| TagNumber(tag.try_into().map_or(0, u32::from_le_bytes));
    bytes.chunks_exact(SIZE).map(number)
}

/// A piece of the tags and moves of a segment, for whoever goes through its games in order.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    begin: u64,
    bytes: Vec<u8>,
}

impl Piece {
    /// Tags and moves of a game.
    pub(super) fn of(&mut self, segment: &Segment, game: usize) -> io::Result<&[u8]> {
        let (begin, end) = (u64::from(segment.offsets[game]), u64::from(segment.offsets[game + 1]));
        let held = self.begin..=self.begin + self.bytes.len() as u64;
        if !held.contains(&begin) || !held.contains(&end) {
            let length = PIECE.max(end - begin).min(segment.moves.stored - begin);
            self.bytes.resize(usize::try_from(length).map_err(io::Error::other)?, 0);
            segment.file.read_exact_at(&mut self.bytes, segment.moves.offset + begin)?;
            self.begin = begin;
        }
        let place = |at: u64| usize::try_from(at - self.begin).map_err(io::Error::other);
        Ok(&self.bytes[place(begin)?..place(end)?])
    }
}

/// Looks for tags in many games, which are asked for in their order as far as possible.
pub(crate) struct TagReader<'s> {
    segment: &'s Segment,
    wanted: &'s [TagNumber],
    piece: Piece,
}

impl<'s> TagReader<'s> {
    pub(crate) fn new(segment: &'s Segment, wanted: &'s [TagNumber]) -> TagReader<'s> {
        TagReader { segment, wanted, piece: Piece::default() }
    }

    /// Whether a game has all tags that are wanted.
    pub(crate) fn are_in(&mut self, game: usize) -> io::Result<bool> {
        if self.wanted.is_empty() {
            return Ok(true);
        }
        let (tags, _) = split_tags(self.piece.of(self.segment, game)?)?;
        Ok(self.wanted.iter().all(|wanted| tag_numbers(tags).any(|tag| tag == *wanted)))
    }
}
