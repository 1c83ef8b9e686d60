//! Games as they were walked along: moves and numbers of positions, aside in a file while a big file comes in.
//!
//! When segments become one, their games are needed with every position. Playing them again costs more than all the
//! rest of it; reading what was known when the segment was written costs little. The file has no name and goes with
//! the process: a segment without one is played again.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use crate::growing::Record;
use crate::moves::Packed;
use crate::packing::Word as _;
use crate::position::Hash;

const PIECE: usize = 256 << 10;

/// Notes games in the order of their segment.
pub(crate) struct WalkedWriter {
    out: BufWriter<File>,
    bytes: Vec<u8>,
}

impl WalkedWriter {
    pub(crate) fn new(folder: &Path) -> io::Result<WalkedWriter> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(WalkedWriter { out: BufWriter::with_capacity(PIECE, file), bytes: Vec::new() })
    }

    pub(crate) fn add(&mut self, record: &Record) -> io::Result<()> {
        let count = |length: usize| u32::try_from(length).map_err(io::Error::other);
        self.bytes.clear();
        count(record.moves.len())?.put(&mut self.bytes);
        count(record.hashes.len())?.put(&mut self.bytes);
        record.moves.iter().for_each(|packed| packed.0.put(&mut self.bytes));
        record.hashes.iter().for_each(|hash| hash.put(&mut self.bytes));
        self.out.write_all(&self.bytes)
    }

    pub(crate) fn finish(self) -> io::Result<File> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// Reads the games in the order of their segment.
pub(crate) struct WalkedReader {
    from: BufReader<File>,
    bytes: Vec<u8>,
}

impl WalkedReader {
    pub(crate) fn new(file: &File) -> io::Result<WalkedReader> {
        let mut file = file.try_clone()?;
        file.rewind()?;
        Ok(WalkedReader { from: BufReader::with_capacity(PIECE, file), bytes: Vec::new() })
    }

    /// Moves and positions of the next game.
    pub(crate) fn next(&mut self) -> io::Result<(Vec<Packed>, Vec<Hash>)> {
        let mut head = [0; 8];
        self.from.read_exact(&mut head)?;
        let moves = u32::get(&head[..4]) as usize * u16::SIZE;
        let hashes = u32::get(&head[4..]) as usize * Hash::SIZE;
        self.bytes.resize(moves + hashes, 0);
        self.from.read_exact(&mut self.bytes)?;
        let (moves, hashes) = self.bytes.split_at(moves);
        let moves = moves.chunks_exact(u16::SIZE).map(|pair| Packed(u16::get(pair)));
        Ok((moves.collect(), hashes.chunks_exact(Hash::SIZE).map(Hash::get).collect()))
    }
}
