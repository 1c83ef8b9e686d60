//! Writing a segment: sorted games in, a file out.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use super::Tree;
use super::tags::put_tags;
use super::tails::TailWriter;
use crate::columns::Columns;
use crate::growing::Record;
use crate::packing::SectionWriter;
use crate::position::Hash;

/// Takes games in their order and writes the segment as they come.
pub(crate) struct Builder<'r> {
    out: SectionWriter<BufWriter<File>>,
    columns: Columns,
    starts: Vec<String>,
    start: Vec<u32>,
    offsets: Vec<u32>,
    moves_length: u32,
    /// From which position on a game has no other beside it, and the move that led there.
    tail_begin: Vec<u16>,
    tail_move: Vec<u16>,
    tree: Tree,
    hashes: Vec<(Hash, u32)>,
    /// Tags and moves of a game, while they are put together.
    bytes: Vec<u8>,
    /// Nodes that still grow, from the start on.
    open: Vec<u32>,
    tails: TailWriter,
    /// The last game: what it shares with the next decides where its tail begins.
    waiting: Option<Cow<'r, Record>>,
}

/// What makes a segment of ours too big.
const TOO_BIG: &str = "more moves than one segment holds";

impl<'r> Builder<'r> {
    pub(crate) fn new(path: &Path) -> io::Result<Builder<'r>> {
        let folder = path.parent().unwrap_or(Path::new("."));
        Ok(Builder {
            out: SectionWriter::new(BufWriter::with_capacity(1 << 18, File::create(path)?)),
            columns: Columns::default(),
            starts: vec![String::new()],
            start: Vec::new(),
            offsets: vec![0],
            moves_length: 0,
            tail_begin: Vec::new(),
            tail_move: Vec::new(),
            tree: Tree::default(),
            hashes: Vec::new(),
            bytes: Vec::new(),
            open: Vec::new(),
            tails: TailWriter::new(folder),
            waiting: None,
        })
    }

    /// The next game in order.
    pub(crate) fn add(&mut self, record: Cow<'r, Record>) -> io::Result<()> {
        if let Some(waiting) = self.waiting.take() {
            let shared = waiting.shared(&record);
            self.settle(&waiting, shared)?;
        }
        self.waiting = Some(record);
        Ok(())
    }

    fn settle(&mut self, record: &Record, shared_with_next: usize) -> io::Result<()> {
        let game = u32::try_from(self.columns.len()).map_err(|_| io::Error::other(TOO_BIG))?;
        self.columns.push(&record.facts);
        self.keep_moves(record)?;
        while self.open.len() < shared_with_next {
            self.open_node(record, game);
        }
        let begin = self.open.len();
        self.keep_tail(record, begin, game)?;
        while self.open.len() > shared_with_next {
            let node = self.open.pop().map_or(0, |node| node as usize);
            self.tree.end[node] = game + 1;
            self.tree.next[node] = u32::try_from(self.tree.begin.len()).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn open_node(&mut self, record: &Record, game: u32) {
        let depth = self.open.len();
        let node = u32::try_from(self.tree.begin.len()).unwrap_or(u32::MAX);
        let hash = record.hashes[depth];
        // A position that was there before on the way counts at its first visit alone.
        if !record.hashes[..depth].contains(&hash) {
            self.hashes.push((hash, node));
        }
        self.tree.begin.push(game);
        self.tree.end.push(game);
        self.tree.next.push(node + 1);
        let led_by = depth.checked_sub(1).map_or(0, |before| record.moves[before].0);
        self.tree.led_by.push(led_by);
        self.open.push(node);
    }

    fn keep_moves(&mut self, record: &Record) -> io::Result<()> {
        let number = match record.start.as_deref() {
            None => u32::MAX,
            Some("") => 0,
            Some(fen) if self.starts.last().is_some_and(|last| last == fen) => {
                u32::try_from(self.starts.len() - 1).unwrap_or(u32::MAX)
            }
            Some(fen) => {
                self.starts.push(fen.to_owned());
                u32::try_from(self.starts.len() - 1).unwrap_or(u32::MAX)
            }
        };
        self.start.push(number);
        self.bytes.clear();
        put_tags(&record.tags, &mut self.bytes);
        self.bytes.extend_from_slice(&record.short);
        let length = u32::try_from(self.bytes.len()).map_err(io::Error::other)?;
        self.moves_length =
            self.moves_length.checked_add(length).ok_or_else(|| io::Error::other(TOO_BIG))?;
        self.offsets.push(self.moves_length);
        self.out.stream(&self.bytes)
    }

    fn keep_tail(&mut self, record: &Record, begin: usize, game: u32) -> io::Result<()> {
        self.tail_begin.push(u16::try_from(begin).unwrap_or(u16::MAX));
        let led_by = begin.checked_sub(1).and_then(|before| record.moves.get(before));
        self.tail_move.push(led_by.map_or(0, |led_by| led_by.0));
        let Some(tail) = record.hashes.get(begin..) else { return Ok(()) };
        // White is to move in every second position.
        let first = usize::from(begin.is_multiple_of(2) != record.begins_with_white());
        for hash in tail.iter().skip(first).step_by(2) {
            self.tails.add(*hash, game)?;
        }
        let is_noted = tail.len() % 2 != first;
        match tail.last() {
            Some(last) if !is_noted => self.tails.add(*last, game),
            _ => Ok(()),
        }
    }

    /// Writes the rest; the file is on the disk when this returns.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Some(waiting) = self.waiting.take() {
            self.settle(&waiting, 0)?;
        }
        let mut out = self.out;
        out.end();
        self.tails.finish(self.columns.len(), &mut out)?;
        out.numbers(&self.offsets)?;
        out.numbers(&self.start)?;
        out.bytes(self.starts.join("\n").as_bytes())?;
        out.numbers(&self.tail_begin)?;
        out.numbers(&self.tail_move)?;
        self.tree.write(&mut out)?;
        self.hashes.sort_unstable();
        let (hashes, nodes): (Vec<Hash>, Vec<u32>) = self.hashes.into_iter().unzip();
        out.numbers(&hashes)?;
        out.numbers(&nodes)?;
        self.columns.write(&mut out)?;
        let file = out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()
    }
}

impl Record {
    /// Whether White moves first; a set-up position may say otherwise.
    fn begins_with_white(&self) -> bool {
        let fen = self.start.as_deref().unwrap_or_default();
        fen.split_ascii_whitespace().nth(1) != Some("b")
    }
}
