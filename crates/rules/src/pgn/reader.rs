//! The reader without a board: bytes in, parts of games out.

use super::encoding::Decoder;
use super::scan::Scanner;
use super::{Limits, Visitor};

/// Reads a file piece by piece and tells a [`Visitor`] what is in it.
///
/// The pieces may be cut anywhere. What is held between them is at most about twice the longest part that
/// [`Limits`] allow, however long the file is.
#[derive(Debug, Clone)]
pub struct Reader {
    decoder: Decoder,
    scanner: Scanner,
    /// Text that could not be scanned yet.
    held: Vec<u8>,
    /// The length `held` must have before another attempt is worth it: without it, a long comment fed byte by byte
    /// would be looked through again for every byte.
    enough: usize,
}

impl Reader {
    /// A reader at the beginning of a file.
    pub fn new(limits: Limits) -> Reader {
        let (decoder, scanner) = (Decoder::default(), Scanner::new(limits));
        Reader { decoder, scanner, held: Vec::new(), enough: 0 }
    }

    /// Reads the next piece of the file.
    pub fn feed(&mut self, piece: &[u8], visitor: &mut impl Visitor) {
        let text = self.decoder.decode(piece, false);
        if self.held.is_empty() {
            let done = self.scanner.scan(&text, false, visitor);
            self.held.extend_from_slice(&text[done..]);
            self.enough = self.held.len() * 2;
            return;
        }
        self.held.extend_from_slice(&text);
        if self.held.len() >= self.enough {
            let done = self.scanner.scan(&self.held, false, visitor);
            self.held.drain(..done);
            self.enough = self.held.len() * 2;
        }
    }

    /// Tells what is left at the end of the file.
    pub fn finish(mut self, visitor: &mut impl Visitor) {
        let rest = self.decoder.decode(&[], true);
        self.held.extend_from_slice(&rest);
        self.scanner.scan(&self.held, true, visitor);
    }
}

/// Reads a whole text at once.
pub fn visit(text: &[u8], limits: Limits, visitor: &mut impl Visitor) {
    let mut reader = Reader::new(limits);
    reader.feed(text, visitor);
    reader.finish(visitor);
}
