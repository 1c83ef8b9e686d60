//! The facts of many games, one column each, in the order of the games.

use std::collections::HashMap;
use std::io::{self, Write};

use rules::opening::OpeningNumber;
use rules::pgn::GameResult;

use crate::column::{Column, Numbers};
use crate::facts::{Facts, Source, Speed};
use crate::packing::{SectionWriter, Sections};
use crate::tally::Tally;

/// Columns with a dictionary of the players' names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    pub(crate) seq: Numbers,
    pub(crate) owner: Column<u64>,
    pub(crate) accounts: [Column<u32>; 2],
    pub(crate) names: [Vec<u32>; 2],
    pub(crate) elos: [Vec<u16>; 2],
    pub(crate) played: Vec<i32>,
    pub(crate) result: Vec<u8>,
    pub(crate) speed: Column<u8>,
    pub(crate) source: Column<u8>,
    pub(crate) opening: Vec<u16>,
    opening_ply: Vec<u8>,
    pub(crate) plies: Vec<u16>,
    least_clock: [Column<u8>; 2],
    pub(crate) dictionary: Vec<String>,
    /// Only while columns grow.
    known: HashMap<String, u32>,
}

/// "None" in a column whose values are small.
const NO_SPEED: u8 = u8::MAX;
const NO_CLOCK: u8 = u8::MAX;
/// Marks in the column of sources: of a private game, and of one that is not the usual chess.
const PRIVATE: u8 = 0x80;
const UNUSUAL: u8 = 0x40;
pub(crate) const NO_OPENING: u16 = u16::MAX;

const RESULTS: [GameResult; 4] =
    [GameResult::Unknown, GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];

impl Columns {
    pub(crate) fn len(&self) -> usize {
        self.seq.len()
    }

    pub(crate) fn push(&mut self, facts: &Facts) {
        self.seq.push(facts.seq);
        self.owner.push(facts.owner);
        for side in [0, 1] {
            let name = self.name(&facts.names[side]);
            self.accounts[side].push(facts.accounts[side]);
            self.names[side].push(name);
            self.elos[side].push(facts.elos[side]);
            self.least_clock[side].push(facts.least_clock[side].unwrap_or(NO_CLOCK));
        }
        self.played.push(facts.played);
        let result = RESULTS.iter().position(|result| *result == facts.result).unwrap_or(0);
        self.result.push(u8::try_from(result).unwrap_or(0));
        self.speed.push(facts.speed.map_or(NO_SPEED, |speed| speed as u8));
        let private = if facts.is_private { PRIVATE } else { 0 };
        let unusual = if facts.is_usual { 0 } else { UNUSUAL };
        self.source.push(facts.source as u8 | private | unusual);
        self.opening.push(facts.opening.map_or(NO_OPENING, |number| number.0));
        self.opening_ply.push(facts.opening_ply);
        self.plies.push(facts.plies);
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(number) = self.known.get(name) {
            return *number;
        }
        let number = u32::try_from(self.dictionary.len()).unwrap_or(u32::MAX);
        self.dictionary.push(name.to_owned());
        self.known.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn facts(&self, game: usize) -> Facts {
        let name = |side: usize| self.dictionary[self.names[side][game] as usize].clone();
        let clock =
            |side: usize| Some(self.least_clock[side][game]).filter(|clock| *clock != NO_CLOCK);
        Facts {
            seq: self.seq.get(game),
            owner: self.owner[game],
            accounts: [self.accounts[0][game], self.accounts[1][game]],
            source: self.source(game),
            is_private: self.is_private(game),
            is_usual: self.source[game] & UNUSUAL == 0,
            names: [name(0), name(1)],
            elos: self.elos(game),
            played: self.played[game],
            result: self.result(game),
            speed: self.speed(game),
            opening: self.opening(game),
            opening_ply: self.opening_ply[game],
            plies: self.plies[game],
            least_clock: [clock(0), clock(1)],
        }
    }

    pub(crate) fn result(&self, game: usize) -> GameResult {
        RESULTS[usize::from(self.result[game] & 3)]
    }

    pub(crate) fn elos(&self, game: usize) -> [u16; 2] {
        [self.elos[0][game], self.elos[1][game]]
    }

    pub(crate) fn speed(&self, game: usize) -> Option<Speed> {
        Speed::ALL.get(usize::from(self.speed[game])).copied()
    }

    pub(crate) fn source(&self, game: usize) -> Source {
        let number = usize::from(self.source[game] & !(PRIVATE | UNUSUAL));
        *Source::ALL.get(number).unwrap_or(&Source::File)
    }

    pub(crate) fn is_private(&self, game: usize) -> bool {
        self.source[game] & PRIVATE != 0
    }

    pub(crate) fn opening(&self, game: usize) -> Option<OpeningNumber> {
        Some(self.opening[game]).filter(|number| *number != NO_OPENING).map(OpeningNumber)
    }

    pub(crate) fn count_into(&self, game: usize, tally: &mut Tally) {
        tally.add(self.result(game), self.elos(game), self.played[game]);
    }

    pub(crate) fn write<W: Write>(&self, out: &mut SectionWriter<W>) -> io::Result<()> {
        out.numbers(&self.seq.iter().collect::<Vec<_>>())?;
        out.numbers(&self.owner.to_vec())?;
        for side in [0, 1] {
            out.numbers(&self.accounts[side].to_vec())?;
            out.numbers(&self.names[side])?;
            out.numbers(&self.elos[side])?;
            out.bytes(&self.least_clock[side].to_vec())?;
        }
        out.numbers(&self.played)?;
        out.bytes(&self.result)?;
        out.bytes(&self.speed.to_vec())?;
        out.bytes(&self.source.to_vec())?;
        out.numbers(&self.opening)?;
        out.bytes(&self.opening_ply)?;
        out.numbers(&self.plies)?;
        // No name has a line break: tags have lost their control characters.
        out.bytes(self.dictionary.join("\n").as_bytes())
    }

    pub(crate) fn read(from: &mut Sections) -> io::Result<Columns> {
        let seq: Vec<u64> = from.numbers()?;
        let owner: Vec<u64> = from.numbers()?;
        let mut columns = Columns { seq: seq.into(), owner: owner.into(), ..Columns::default() };
        for side in [0, 1] {
            columns.accounts[side] = from.numbers::<u32>()?.into();
            columns.names[side] = from.numbers()?;
            columns.elos[side] = from.numbers()?;
            columns.least_clock[side] = from.bytes()?.into();
        }
        columns.played = from.numbers()?;
        columns.result = from.bytes()?;
        columns.speed = from.bytes()?.into();
        columns.source = from.bytes()?.into();
        columns.opening = from.numbers()?;
        columns.opening_ply = from.bytes()?;
        columns.plies = from.numbers()?;
        let names = String::from_utf8(from.bytes()?).map_err(io::Error::other)?;
        columns.dictionary = names.split('\n').map(str::to_owned).collect();
        columns.check().then_some(columns).ok_or_else(|| io::Error::other("the columns do not fit"))
    }

    /// Whether a file of ours was read and not something else.
    fn check(&self) -> bool {
        let games = self.seq.len();
        let names = self.dictionary.len();
        let fits = |length: usize| length == games;
        fits(self.owner.len())
            && [0, 1].into_iter().all(|side| {
                fits(self.accounts[side].len())
                    && fits(self.names[side].len())
                    && fits(self.elos[side].len())
                    && fits(self.least_clock[side].len())
                    && self.names[side].iter().all(|name| (*name as usize) < names)
            })
            && [self.played.len(), self.result.len(), self.speed.len(), self.source.len()]
                .into_iter()
                .all(fits)
            && [self.opening.len(), self.opening_ply.len(), self.plies.len()].into_iter().all(fits)
    }
}
