//! What an opening is called: a table of named positions, and the deepest of them a game went through.
//!
//! Names belong to positions, not to sequences of moves, so a game that gets there by another order of moves has the
//! same name. The table knows games from the usual position of standard chess only. Its source: `README.md`.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use crate::position::{Action, Position};

/// The named positions, one a line. `README.md` tells the form, whose facts these are, and why they are a file of ours
/// and no package's.
const LINES: &str = include_str!("lines.txt");

/// The opening of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, `B90`.
    pub eco: &'static str,
    /// The name: family, colon, variation.
    pub name: &'static str,
    /// The number of plies after which the game was there.
    pub ply: usize,
}

/// As a game's row holds it: code, space, name.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// The number of a named position: its line in the table, counted from 0. A new table gives new numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpeningNumber(pub u16);

/// The named positions by their identity.
struct Table {
    lines: Vec<(&'static str, &'static str)>,
    by_position: HashMap<u64, OpeningNumber, BuildHasherDefault<AsItIs>>,
    /// A bit for each identity by its middle bits: nearly all positions that are asked for have no name, and most of
    /// them are known by it.
    hints: [u64; HINTS / 64],
    /// No position after more plies than this was told by the table; a detour may take a few more.
    longest: usize,
}

/// Bits of the hints: some eight for each named position, in 4 kB.
const HINTS: usize = 1 << 15;

/// The word and the bit of a position's hint.
fn hint_of(position: u64) -> (usize, u64) {
    let place = usize::try_from(position >> 24).unwrap_or(0) % HINTS;
    (place / 64, 1 << (place % 64))
}

/// The identity of a position is a hash already: an import asks for forty positions of every game.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write_u64(&mut self, identity: u64) {
        self.0 = identity;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Plies that a game may need beyond the longest line to reach a named position by a detour.
const DETOUR: usize = 8;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(LINES).expect("the table is part of this program and tested"));

/// No game reaches a named position after more plies than this, by whatever detour.
pub fn longest() -> usize {
    TABLE.longest + DETOUR
}

/// The name of the position with this identity ([`Position::hash`]), if it has one.
pub fn number_of(position: u64) -> Option<OpeningNumber> {
    let table = &*TABLE;
    let (word, bit) = hint_of(position);
    if table.hints[word] & bit == 0 {
        return None;
    }
    table.by_position.get(&position).copied()
}

/// A number for the whole table. Whoever keeps numbers of positions keeps it too: with another table they mean others.
pub fn digest() -> u64 {
    LINES.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Code and name behind a number.
pub fn by_number(number: OpeningNumber) -> Option<(&'static str, &'static str)> {
    TABLE.lines.get(usize::from(number.0)).copied()
}

/// All named positions in the order of their numbers: code and name.
pub fn all() -> impl Iterator<Item = (OpeningNumber, &'static str, &'static str)> {
    (0..).map(OpeningNumber).zip(&TABLE.lines).map(|(number, (eco, name))| (number, *eco, *name))
}

/// The last named position that a game of standard chess from the usual start went through.
pub fn name_of(actions: &[Action]) -> Option<Opening> {
    let mut position = Position::standard();
    let mut found = None;
    for (action, ply) in actions.iter().zip(1..=longest()) {
        if position.play(*action).is_err() {
            break;
        }
        if let Some((eco, name)) = number_of(position.hash()).and_then(by_number) {
            found = Some(Opening { eco, name, ply });
        }
    }
    found
}

/// The name of a position that standard chess from the usual start has reached after so many plies, if it has one.
pub fn name_at(position: &Position, ply: usize) -> Option<Opening> {
    let (eco, name) =
        (ply <= longest()).then(|| number_of(position.hash()).and_then(by_number)).flatten()?;
    Some(Opening { eco, name, ply })
}

/// Reads the table now, which takes some milliseconds, and not when the first move is made.
pub fn prepare() {
    LazyLock::force(&TABLE);
}

/// A line of the table that makes no sense, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BadLine(#[allow(dead_code, reason = "shown by a test that fails")] usize);

impl Table {
    fn read(text: &'static str) -> Result<Table, BadLine> {
        let mut table = Table {
            lines: Vec::new(),
            by_position: HashMap::default(),
            hints: [0; HINTS / 64],
            longest: 0,
        };
        // The positions of the line before, from the start on: the next line begins at one of them.
        let mut path = vec![Position::standard()];
        for (line, number) in text.lines().zip(1..) {
            table.take(line, &mut path).ok_or(BadLine(number))?;
        }
        Ok(table)
    }

    /// Takes a line in; none if it makes no sense or names a position again.
    fn take(&mut self, line: &'static str, path: &mut Vec<Position>) -> Option<()> {
        let (moves, rest) = line.split_once('\t')?;
        let (eco, name) = rest.split_once('\t')?;
        let (shared, moves) = moves.split_once(' ')?;
        let shared: usize = shared.parse().ok()?;
        (shared < path.len()).then(|| path.truncate(shared + 1))?;
        for text in moves.split(' ') {
            let mut position = path.last()?.clone();
            position.play(text.parse().ok()?).ok()?;
            path.push(position);
        }
        self.longest = self.longest.max(path.len() - 1);
        let number = OpeningNumber(u16::try_from(self.lines.len()).ok()?);
        self.lines.push((eco, name));
        let identity = path.last()?.hash();
        let (word, bit) = hint_of(identity);
        self.hints[word] |= bit;
        self.by_position.insert(identity, number).is_none().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name after these moves as people write them, and the ply where it was found.
    fn check(moves: &str, expected: Option<(&str, usize)>) {
        let mut position = Position::standard();
        let mut actions = Vec::new();
        for text in moves.split_whitespace() {
            let action = position.read_action(text).unwrap();
            actions.push(position.play(action).unwrap().action);
        }
        let named = name_of(&actions);
        let here = name_at(&position, actions.len());
        assert_eq!(here, named.filter(|opening| opening.ply == actions.len()), "{moves}");
        let found = named.map(|opening| (opening.to_string(), opening.ply));
        assert_eq!(found, expected.map(|(text, ply)| (text.to_owned(), ply)), "{moves}");
    }

    #[test]
    fn every_line_of_the_table_can_be_played_and_names_a_position_of_its_own() {
        let table = Table::read(LINES).unwrap();
        assert_eq!(table.by_position.len(), LINES.lines().count());
        assert!(table.lines.len() >= 3_800);
        for (eco, name) in &table.lines {
            let (letter, number) = eco.split_at(1);
            assert!("ABCDE".contains(letter) && number.len() == 2, "{eco}");
            assert!(number.parse::<u8>().is_ok() && name.len() > 3, "{eco} {name}");
        }
    }

    #[test]
    fn known_lines_have_their_names() {
        check("", None);
        check("e4", Some(("B00 King's Pawn Game", 1)));
        check("e4 e5 Nf3 Nc6 Bb5", Some(("C60 Ruy Lopez", 5)));
        check(
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
            Some(("B90 Sicilian Defense: Najdorf Variation", 10)),
        );
        check("d4 Nf6 c4 e6 Nc3 Bb4", Some(("E20 Nimzo-Indian Defense", 6)));
        check("f3 e5 g4 Qh4", Some(("A00 Barnes Opening: Fool's Mate", 4)));
        check("e4 c6", Some(("B10 Caro-Kann Defense", 2)));
        check("e4 d5", Some(("B01 Scandinavian Defense", 2)));
        check("e4 Nf6", Some(("B02 Alekhine Defense", 2)));
        check("e4 e5 f4", Some(("C30 King's Gambit", 3)));
        check("e4 e5 Nc3", Some(("C25 Vienna Game", 3)));
        check("e4 e5 Nf3 Nf6", Some(("C42 Petrov's Defense", 4)));
        check("e4 e5 Nf3 Nc6 d4", Some(("C44 Scotch Game", 5)));
        check("e4 e5 Nf3 Nc6 Bc4 Bc5 b4", Some(("C51 Italian Game: Evans Gambit", 7)));
        check("e4 e5 Nf3 Nc6 Bb5 Nf6", Some(("C65 Ruy Lopez: Berlin Defense", 6)));
        check("e4 e6 d4 d5 Nc3 Bb4", Some(("C15 French Defense: Winawer Variation", 6)));
        check(
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6",
            Some(("B70 Sicilian Defense: Dragon Variation", 10)),
        );
        check("d4 f5", Some(("A80 Dutch Defense", 2)));
        check("d4 d5 c4", Some(("D06 Queen's Gambit", 3)));
        check("d4 d5 c4 c6", Some(("D10 Slav Defense", 4)));
        check("d4 Nf6 c4 g6 Nc3 d5", Some(("D80 Grünfeld Defense", 6)));
        check("d4 Nf6 c4 c5 d5 b5", Some(("A57 Benko Gambit", 6)));
        check("d4 Nf6 c4 e6 g3", Some(("E00 Catalan Opening", 5)));
        check("c4", Some(("A10 English Opening", 1)));
    }

    #[test]
    fn the_order_of_moves_does_not_matter() {
        let declined = Some(("D37 Queen's Gambit Declined: Three Knights Variation", 7));
        check("d4 d5 c4 e6 Nc3 Nf6 Nf3", declined);
        check("Nf3 Nf6 c4 e6 Nc3 d5 d4", declined);
    }

    #[test]
    fn a_game_keeps_the_name_of_the_last_known_position() {
        check("e4 e5 Nf3 Nc6 Bb5 h5 h3 Rh6 h4", Some(("C60 Ruy Lopez", 5)));
    }

    #[test]
    fn castling_leads_on() {
        check("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7", Some(("C84 Ruy Lopez: Closed", 10)));
    }

    #[test]
    fn what_is_no_move_of_this_game_ends_the_search() {
        let actions = ["e2e4", "e2e4", "e7e5"].map(|text| text.parse().unwrap());
        assert_eq!(name_of(&actions).map(|opening| opening.ply), Some(1));
    }

    #[test]
    fn a_table_with_a_fault_tells_the_line() {
        for (text, line) in [
            ("0 e2e4\tB00\tA\n2 e7e5\tB00\tB\n", 2),
            ("0 e2e5\tB00\tA\n", 1),
            ("0 e2e4\tB00\tA\n0 e2e4\tB00\tB\n", 2),
            ("0 e2e4 B00 A\n", 1),
        ] {
            assert_eq!(Table::read(text).err(), Some(BadLine(line)), "{text}");
        }
    }
}
