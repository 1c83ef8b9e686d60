//! A game record played again: every event of it, and whether its seeds give the chance that it tells of.

use std::sync::Arc;

use serde::Deserialize;
use shakmaty::Color;
use thiserror::Error;

use super::board::GenomeTable;
use super::chance::Seed;
use super::error::GenomeError;
use super::genome::Genome;
use super::play::Promotions;
use super::position::{GmoPosition, Setup, SetupError};
use super::token::{EventToken, MoveToken, TokenError, read_board, read_color};

/// What a replay has shown. Whatever chance did follows from the seeds; else there is no replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The position at the end.
    pub position: GmoPosition,
    /// How many moves there were.
    pub moves: usize,
    /// How many promotions.
    pub promotions: usize,
    /// How many moves landed beside their targets.
    pub deviations: usize,
    /// How many moves changed a genome.
    pub mutations: usize,
}

/// Why a record cannot be played again as it was.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// It is no record, or not one of these rules.
    #[error("this is no record of gmo1: {0}")]
    Record(String),
    /// A genome cannot be read.
    #[error("genome {index}: {error}")]
    Genome {
        /// Its number.
        index: usize,
        /// What is wrong.
        error: GenomeError,
    },
    /// The pieces at the start cannot be read.
    #[error("the start: {0}")]
    Start(#[from] TokenError),
    /// The pieces at the start are no position.
    #[error("the start: {0}")]
    Setup(#[from] SetupError),
    /// There is no seed for an event.
    #[error("there is no seed for event {number}")]
    NoSeed {
        /// The event, from 0.
        number: usize,
    },
    /// A seed is not the one whose SHA-256 both players were shown.
    #[error("the seed from event {from} on does not fit the SHA-256 that was shown")]
    WrongSeed {
        /// The first event it is for.
        from: usize,
    },
    /// An event cannot have happened here.
    #[error("event {number}, {text}: {why}")]
    Event {
        /// Which, from 0.
        number: usize,
        /// As the record writes it.
        text: String,
        /// The reason.
        why: String,
    },
    /// The seed gives something else.
    #[error("event {number} is {text} in the record, but by the seed it is {rolled}")]
    Chance {
        /// Which, from 0.
        number: usize,
        /// As the record writes it.
        text: String,
        /// What the seed makes of it: the DNA in place of its number.
        rolled: String,
    },
}

/// The part of a record that a replay needs.
#[derive(Deserialize)]
struct Record {
    rules: String,
    genomes: Vec<RecordGenome>,
    start: Vec<String>,
    #[serde(default)]
    turn: Option<String>,
    #[serde(default)]
    ply: u32,
    events: Vec<String>,
    seed_hash: Option<String>,
    seed: Option<String>,
    #[serde(default)]
    seeds: Vec<RecordSeed>,
}

#[derive(Deserialize)]
struct RecordGenome {
    dna: String,
}

#[derive(Deserialize)]
struct RecordSeed {
    from: usize,
    seed_hash: String,
    seed: String,
}

/// Plays a record again.
pub fn replay(json: &str) -> Result<Replay, ReplayError> {
    let record: Record =
        serde_json::from_str(json).map_err(|error| ReplayError::Record(error.to_string()))?;
    if record.rules != "gmo1" {
        return Err(ReplayError::Record(format!("it is of the rules {}", record.rules)));
    }
    let seeds = record.seeds()?;
    let position = record.first_position()?;
    let mut replay = Replay { position, moves: 0, promotions: 0, deviations: 0, mutations: 0 };
    for (number, text) in record.events.iter().enumerate() {
        replay.step(number, text, &seeds)?;
    }
    Ok(replay)
}

impl Record {
    /// The seeds with the events from which on they count, in order.
    fn seeds(&self) -> Result<Vec<(usize, Seed)>, ReplayError> {
        let check = |from, seed: &str, hash: &str| {
            let seed = Seed::from_hex(seed).filter(|seed| seed.commitment().to_string() == hash);
            seed.map(|seed| (from, seed)).ok_or(ReplayError::WrongSeed { from })
        };
        if !self.seeds.is_empty() {
            return self.seeds.iter().map(|it| check(it.from, &it.seed, &it.seed_hash)).collect();
        }
        let only = self.seed.as_deref().zip(self.seed_hash.as_deref());
        only.map(|(seed, hash)| check(0, seed, hash)).into_iter().collect()
    }

    fn first_position(&self) -> Result<GmoPosition, ReplayError> {
        let mut genomes = GenomeTable::new();
        for (index, RecordGenome { dna }) in self.genomes.iter().enumerate() {
            let genome =
                Genome::parse(dna).map_err(|error| ReplayError::Genome { index, error })?;
            let too_many = || ReplayError::Record("it has too many genomes".to_owned());
            genomes.push(Arc::new(genome)).ok_or_else(too_many)?;
        }
        let board = read_board(self.start.iter().map(String::as_str))?;
        let turn = match self.turn.as_deref() {
            None => Color::White,
            Some(text) => read_color(text)
                .ok_or_else(|| ReplayError::Record("the first turn is w or b".to_owned()))?,
        };
        let promotions = Promotions::NONE;
        Ok(GmoPosition::new(Setup { board, genomes, turn, ply: self.ply, promotions })?)
    }
}

impl Replay {
    fn step(
        &mut self,
        number: usize,
        text: &str,
        seeds: &[(usize, Seed)],
    ) -> Result<(), ReplayError> {
        let impossible = |why: &dyn ToString| ReplayError::Event {
            number,
            text: text.to_owned(),
            why: why.to_string(),
        };
        match text.parse().map_err(|error: TokenError| impossible(&error))? {
            EventToken::Promotion(token) => {
                self.promotions += 1;
                self.position
                    .promote_listed(token.square, token.genome)
                    .map_err(|error| impossible(&error))?;
            }
            EventToken::Move(token) => {
                let seed = seeds.iter().rev().find(|(from, _)| *from <= number);
                let (_, seed) = seed.ok_or(ReplayError::NoSeed { number })?;
                let told =
                    self.position.recorded_luck(token).map_err(|error| impossible(&error))?;
                let rolled =
                    self.position.roll(token.chosen, seed).map_err(|error| impossible(&error))?;
                if rolled != told {
                    let bare = MoveToken { mutation: None, landing: rolled.landing, ..token };
                    let mutant = rolled.mutation.map(|genome| format!("~{}", genome.dna()));
                    let rolled = format!("{bare}{}", mutant.unwrap_or_default());
                    return Err(ReplayError::Chance { number, text: text.to_owned(), rolled });
                }
                self.moves += 1;
                self.deviations += usize::from(told.landing.is_some());
                self.mutations += usize::from(told.mutation.is_some());
                self.position.play(token.chosen, &told).map_err(|error| impossible(&error))?;
            }
        }
        Ok(())
    }
}
