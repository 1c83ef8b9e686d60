//! GMO before the start: each side hands in eight genomes and marks its kings, unseen by the other.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Bitboard, File, Square};

use crate::gmo::{
    self, Genome, GenomeError, GmoPosition, HouseRules, KingError, Preset, PresetError, check_kings,
};
use crate::units::{ByColor, Color};

/// What a player hands in, as it came: the DNA of the back rank from file a to h, and the squares of the kings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Army {
    /// Eight genomes.
    pub dna: [Box<str>; 8],
    /// Own pieces marked as kings.
    pub kings: SquareSet,
}

/// Squares, in JSON one text: `"d1e1"`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SquareSet(pub Bitboard);

impl fmt::Display for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.into_iter().try_for_each(|square| write!(f, "{square}"))
    }
}

impl Serialize for SquareSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SquareSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SquareSet, D::Error> {
        let text = String::deserialize(deserializer)?;
        let squares = text.as_bytes().chunks(2).map(Square::from_ascii);
        let set = squares.collect::<Result<Bitboard, _>>().map_err(serde::de::Error::custom)?;
        Ok(SquareSet(set))
    }
}

/// Why an army was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ArmyError {
    /// A DNA cannot be read.
    #[error("the genome for file {}: {error}", .file.char())]
    Genome {
        /// Where in the preset.
        file: File,
        /// What is wrong.
        error: GenomeError,
    },
    /// The house does not allow it.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The kings are not marked as they must be.
    #[error(transparent)]
    King(#[from] KingError),
}

impl ArmyError {
    /// Stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            ArmyError::Genome { error, .. } => error.fault.code(),
            ArmyError::Preset(error) => error.code(),
            ArmyError::King(error) => error.code(),
        }
    }
}

/// An army that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ready {
    preset: Preset,
    kings: Bitboard,
}

/// A game of GMO that has not begun.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Muster {
    armies: ByColor<Option<Ready>>,
}

impl Muster {
    /// Whether a side has handed in its army.
    pub fn is_ready(&self, side: Color) -> bool {
        self.armies[side].is_some()
    }

    /// What a side has handed in: its back rank and the squares of its kings. Not for the other side's eyes.
    pub fn army(&self, side: Color) -> Option<(&Preset, SquareSet)> {
        let ready = self.armies[side].as_ref()?;
        Some((&ready.preset, SquareSet(ready.kings)))
    }

    /// Whether the game can begin.
    pub fn is_complete(&self) -> bool {
        self.armies.both(Option::is_some)
    }

    /// Checks an army and takes it in place of an earlier one.
    pub fn hand_in(
        &mut self,
        side: Color,
        army: &Army,
        house: HouseRules,
    ) -> Result<(), ArmyError> {
        let mut genomes = Vec::with_capacity(8);
        for (dna, file) in army.dna.iter().zip(File::ALL) {
            let genome = Genome::parse(dna).map_err(|error| ArmyError::Genome { file, error })?;
            genomes.push(Arc::new(genome));
        }
        let count = genomes.len();
        let genomes = genomes.try_into().map_err(|_| PresetError::Count { found: count })?;
        let preset = Preset(genomes);
        house.check(&preset)?;
        check_kings(side.into(), army.kings.0)?;
        self.armies[side] = Some(Ready { preset, kings: army.kings.0 });
        Ok(())
    }

    /// The start position, once both sides are ready.
    pub fn start(&self) -> Option<GmoPosition> {
        let (white, black) = (self.armies.white.as_ref()?, self.armies.black.as_ref()?);
        let presets =
            shakmaty::ByColor { white: white.preset.clone(), black: black.preset.clone() };
        let kings = shakmaty::ByColor { white: white.kings, black: black.kings };
        gmo::start_position(&presets, kings).ok()
    }
}
