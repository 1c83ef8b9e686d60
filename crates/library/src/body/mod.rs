//! A whole game in few bytes, as the database keeps it: tags, moves, comments, variations, nothing left out.
//!
//! Moves of chess take about a byte each. A game that is no chess, or has a null move, is kept as PGN text. What is
//! long is compressed.

mod bytes;
mod read;
mod write;

use rules::pgn::{Board, Game, Line, Step};
use rules::shakmaty::Move;

pub use read::unpack;
pub use write::Packer;

/// Why bytes are no game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are no game of the library")]
pub struct Damaged;

/// The forms by their first byte.
const MOVES: u8 = 1;
const TEXT: u8 = 2;
/// One of them behind it, compressed.
const COMPRESSED: u8 = 3;

/// No game is longer when it is unpacked: what the reader of PGN lets through stays far below.
const LONGEST: usize = 64 << 20;

/// Names of tags that most games have, by their number; new ones are added at the end.
const TAGS: [&str; 30] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "Opening",
    "UTCDate",
    "UTCTime",
    "TimeControl",
    "Termination",
    "Variant",
    "SetUp",
    "FEN",
    "Annotator",
    "EventDate",
    "WhiteTitle",
    "BlackTitle",
    "WhiteFideId",
    "BlackFideId",
    "PlyCount",
    "EventType",
    "WhiteTeam",
    "BlackTeam",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "Variation",
];

/// Whether the short form of moves can tell the game.
fn is_chess(game: &Game) -> bool {
    matches!(game.start(), Ok(Board::Chess(_))) && is_plain(&game.line)
}

fn is_plain(line: &Line) -> bool {
    line.nodes.iter().all(|node| {
        !matches!(node.step, Step::Null | Step::Move(Move::Put { .. }))
            && node.variations().iter().all(is_plain)
    })
}

/// A number for the game by who played what and when: the same game has the same, however its file was written.
pub fn digest(game: &Game) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bytes: &[u8]| {
        for byte in bytes.iter().chain(&[0]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for name in ["White", "Black", "Date", "Round", "FEN", "Variant", "UTCTime"] {
        take(game.tags.get(name).unwrap_or_default().trim().as_bytes());
    }
    take(game.result.as_str().as_bytes());
    for step in game.steps() {
        let packed = match step {
            Step::Null => 0,
            Step::Move(Move::Put { role, to }) => {
                0x8000 | (role as u16) << 6 | u16::from(u8::from(to))
            }
            Step::Move(played) => crate::moves::Packed::of(played).map_or(0, |packed| packed.0),
        };
        take(&packed.to_le_bytes());
    }
    hash
}
