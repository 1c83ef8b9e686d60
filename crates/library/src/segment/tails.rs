//! Positions that only one game of the segment has: fingerprints that lead to the game.
//!
//! Only every second position is noted, those with White to move, and the last one of each game. A position with Black
//! to move is found by what can follow it. That halves the file for some thirty more looks into it.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::packing::{Section, SectionWriter, Word};
use crate::position::Hash;

/// An entry while it waits to be sorted: the first 40 bits of the hash, then the game.
type Entry = u64;

const GAME_BITS: u32 = 24;
/// No segment holds more games.
pub(crate) const MOST_GAMES: usize = 1 << GAME_BITS;
/// Entries are sorted in this many parts, so that no more than one part is in memory.
const PARTS: usize = 64;
/// A part of this many entries is put aside into a file.
const PART: usize = 128 << 10;
/// Games in a bucket, on average.
const BUCKET: usize = 16;

/// Collects fingerprints of any number of games in little memory.
pub(crate) struct TailWriter {
    parts: Vec<Vec<Entry>>,
    aside: Vec<Option<File>>,
    folder: PathBuf,
    count: usize,
}

impl TailWriter {
    pub(crate) fn new(folder: &Path) -> TailWriter {
        TailWriter {
            parts: vec![Vec::new(); PARTS],
            aside: (0..PARTS).map(|_| None).collect(),
            folder: folder.to_owned(),
            count: 0,
        }
    }

    pub(crate) fn add(&mut self, hash: Hash, game: u32) -> io::Result<()> {
        let part = usize::try_from(hash >> 58).unwrap_or(0);
        self.count += 1;
        self.parts[part].push(hash >> GAME_BITS << GAME_BITS | u64::from(game));
        if self.parts[part].len() >= PART { self.put_aside(part) } else { Ok(()) }
    }

    fn put_aside(&mut self, part: usize) -> io::Result<()> {
        let file = match &mut self.aside[part] {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let mut bytes = Vec::with_capacity(self.parts[part].len() * 8);
        self.parts[part].drain(..).for_each(|entry| entry.put(&mut bytes));
        file.write_all(&bytes)
    }

    /// Writes the entries bucket by bucket, and then where each bucket begins.
    pub(crate) fn finish<W: Write>(
        mut self,
        games: usize,
        out: &mut SectionWriter<W>,
    ) -> io::Result<()> {
        let width = width_of(games);
        let bits = (self.count / BUCKET).max(2).next_power_of_two().ilog2().min(30);
        let mut begins: Vec<u32> = Vec::with_capacity((1 << bits) + 1);
        let mut written = 0_u32;
        for part in 0..PARTS {
            let mut entries = std::mem::take(&mut self.parts[part]);
            if let Some(mut file) = self.aside[part].take() {
                let mut bytes = Vec::new();
                file.rewind()?;
                file.read_to_end(&mut bytes)?;
                entries.extend(bytes.chunks_exact(8).map(Entry::get));
            }
            entries.sort_unstable();
            // A position that a game came back to is told once.
            entries.dedup();
            let mut bytes = Vec::with_capacity(entries.len() * width);
            for entry in entries {
                let bucket = entry >> (64 - bits);
                while begins.len() as u64 <= bucket {
                    begins.push(written);
                }
                let print = (entry >> (56 - bits)).to_le_bytes()[0];
                bytes.push(print);
                bytes.extend_from_slice(&entry.to_le_bytes()[..width - 1]);
                written += 1;
            }
            out.stream(&bytes)?;
        }
        begins.resize((1 << bits) + 1, written);
        out.end();
        out.numbers(&begins)
    }
}

/// Bytes of an entry: one of fingerprint, the rest the game.
fn width_of(games: usize) -> usize {
    if games <= 1 << 16 { 3 } else { 4 }
}

/// The fingerprints of a segment.
#[derive(Debug)]
pub(crate) struct Tails {
    entries: Section,
    begins: Vec<u32>,
    width: usize,
}

impl Tails {
    pub(crate) fn new(entries: Section, begins: Vec<u32>, games: usize) -> io::Result<Tails> {
        let width = width_of(games);
        let rows = entries.stored / width as u64;
        let is_sound = begins.len() > 2
            && (begins.len() - 1).is_power_of_two()
            && begins.is_sorted()
            && begins.last().is_some_and(|last| u64::from(*last) <= rows);
        is_sound
            .then_some(Tails { entries, begins, width })
            .ok_or_else(|| io::Error::other("the fingerprints do not fit"))
    }

    /// Games that may have the position, and a few that have not.
    pub(crate) fn candidates(
        &self,
        file: &File,
        hash: Hash,
        found: &mut Vec<u32>,
    ) -> io::Result<()> {
        let bits = (self.begins.len() - 1).ilog2();
        let bucket = usize::try_from(hash >> (64 - bits)).unwrap_or(0);
        let (begin, end) = (self.begins[bucket], self.begins[bucket + 1]);
        if begin == end {
            return Ok(());
        }
        let print = (hash >> (56 - bits)).to_le_bytes()[0];
        let mut few = [0; 64 * 4];
        let mut many = Vec::new();
        let length = (end - begin) as usize * self.width;
        let bytes = if let Some(bytes) = few.get_mut(..length) {
            bytes
        } else {
            many.resize(length, 0);
            &mut many[..]
        };
        file.read_exact_at(bytes, self.entries.offset + u64::from(begin) * self.width as u64)?;
        for row in bytes.chunks_exact(self.width).filter(|row| row[0] == print) {
            let mut game = [0; 4];
            game[..self.width - 1].copy_from_slice(&row[1..]);
            found.push(u32::from_le_bytes(game));
        }
        Ok(())
    }
}
