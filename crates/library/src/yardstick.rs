//! What an import is measured by: `pgn-reader` and shakmaty check the moves of the main lines and keep nothing.
//!
//! Here and not where the measuring is done: code that is made anew for every use is built as the crate that uses it,
//! and the command line is built small. A yardstick must be as fast as it can be.

use std::hint::black_box;
use std::io::{self, Read};
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use rules::shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

struct Check;

impl Visitor for Check {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN"
            && let Ok(fen) = Fen::from_ascii(value.as_bytes())
            && let Ok(position) = fen.into_position(CastlingMode::Chess960)
        {
            *start = position;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        let Ok(played) = san.san.to_move(position) else { return ControlFlow::Break(()) };
        position.play_unchecked(played);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, position: Chess) {
        black_box(position);
    }
}

/// Checks the moves of every game.
pub fn check_moves(plain: Box<dyn Read + Send>) -> io::Result<()> {
    let mut reader = Reader::new(plain);
    while reader.read_game(&mut Check)?.is_some() {}
    Ok(())
}
