//! A whole game in few bytes, as the database keeps it: tags, moves, comments, variations, nothing left out.
//!
//! Moves of chess take about a byte each. A game that is no chess, or has a null move, is kept as PGN text. What is
//! long is compressed.

mod bytes;
mod read;
mod write;

use rules::pgn::{Board, Game, Line, Step};
use rules::shakmaty::Move;

use crate::heading::Heading;
use crate::moves::Packed;
use crate::trail::Trail;

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
    digest_of(game, &Heading::of(&game.tags), game.steps().map(code))
}

/// The same for a game that was followed while it was read.
pub fn digest_along(game: &Game, heading: &Heading<'_>, trail: &Trail) -> u64 {
    if trail.moves.len() == game.line.nodes.len() {
        digest_of(game, heading, trail.moves.iter().map(|packed| packed.0))
    } else {
        digest_of(game, heading, game.steps().map(code))
    }
}

/// FNV-1a over the texts and the moves, with a zero behind each. Databases hold these numbers: they stay what they are.
fn digest_of(game: &Game, heading: &Heading<'_>, moves: impl Iterator<Item = u16>) -> u64 {
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let Heading { white, black, date, round, fen, variant, utc_time, .. } = heading;
    let tags = [white, black, date, round, fen, variant, utc_time];
    for text in tags.into_iter().map(|text| text.unwrap_or_default().trim()) {
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
        hash = hash.wrapping_mul(PRIME);
    }
    for byte in game.result.as_str().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    }
    hash = hash.wrapping_mul(PRIME);
    for packed in moves {
        // The zero is a second multiplication with the same number: both are one.
        const TWICE: u64 = PRIME.wrapping_mul(PRIME);
        let [low, high] = packed.to_le_bytes();
        hash = (hash ^ u64::from(low)).wrapping_mul(PRIME);
        hash = (hash ^ u64::from(high)).wrapping_mul(TWICE);
    }
    hash
}

/// A step in two bytes.
fn code(step: Step) -> u16 {
    match step {
        Step::Null => 0,
        Step::Move(Move::Put { role, to }) => 0x8000 | (role as u16) << 6 | u16::from(u8::from(to)),
        Step::Move(played) => Packed::of(played).map_or(0, |packed| packed.0),
    }
}

#[cfg(test)]
mod tests {
    use rules::pgn::{Item, Limits, read_games};

    use super::*;

    /// One byte after the other, as databases have them.
    fn plain_digest(game: &Game) -> u64 {
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
        game.steps().for_each(|step| take(&code(step).to_le_bytes()));
        hash
    }

    #[test]
    fn digests_stay_what_databases_have() {
        let text = "[White \" A \"]\n[Black \"B\"]\n[Date \"2020.01.02\"]\n[Round \"3\"]\n[UTCTime \"10:11:12\"]\n\n\
                    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O -- 5. d4 1-0\n\n\
                    [Variant \"ChessDefender\"]\n\n1. K@e1 K@e8 *\n\n\
                    [FEN \"8/P7/8/8/8/8/8/k1K5 w - - 0 1\"]\n\n1. a8=N Ka2 1/2-1/2\n";
        let games = read_games(text.as_bytes(), Limits::default());
        assert_eq!(games.len(), 3);
        for item in games {
            let Item::Game(read) = item else { panic!("games alone") };
            let (game, heading) = (&read.game, Heading::of(&read.game.tags));
            assert_eq!(digest(game), plain_digest(game));
            assert_eq!(digest_along(game, &heading, &Trail::of(game)), plain_digest(game));
        }
    }
}
