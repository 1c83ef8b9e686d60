//! What a refusal of GMO tells programs besides its code, so that they need not read it out of a sentence.

use rules::Refusal;
use rules::gmo::{MoveError, PresetError};
use rules::position::{ArmyError, Illegal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::GmoError;

/// The facts of a refusal, each only where it belongs to the code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Facts {
    /// `E_…`: the codon that is wrong, or where one is missing, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codon: Option<usize>,
    /// `M_FROZEN`: how long nobody may act yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining_ms: Option<u64>,
    /// `P_…`, and `E_…` of an army: the file of the genome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<char>,
    /// `P_FIRST_STRIKE`: the squares that White would hit with it; Black hits their mirror images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
}

impl Facts {
    /// The facts of what the store, the library or the lab said.
    pub(crate) fn of(error: &GmoError) -> Facts {
        match error {
            GmoError::Genome(error) | GmoError::Unexplained(error) => {
                Facts { codon: Some(error.at), ..Facts::default() }
            }
            GmoError::Preset(error) => Facts::of_preset(error),
            GmoError::Move(error) => Facts::of_move(*error),
            _ => Facts::default(),
        }
    }

    /// The facts of what a game said.
    pub(crate) fn of_refusal(refusal: &Refusal) -> Facts {
        match refusal {
            Refusal::Illegal(Illegal::Gmo(error)) => Facts::of_move(*error),
            Refusal::Illegal(Illegal::House(error)) | Refusal::Army(ArmyError::Preset(error)) => {
                Facts::of_preset(error)
            }
            Refusal::Army(ArmyError::Genome { file, error }) => {
                Facts { codon: Some(error.at), file: Some(file.char()), ..Facts::default() }
            }
            _ => Facts::default(),
        }
    }

    fn of_move(error: MoveError) -> Facts {
        match error {
            MoveError::Frozen { remaining_ms } => {
                Facts { remaining_ms: Some(remaining_ms), ..Facts::default() }
            }
            _ => Facts::default(),
        }
    }

    fn of_preset(error: &PresetError) -> Facts {
        let (file, squares) = match *error {
            PresetError::Count { .. } => return Facts::default(),
            PresetError::CodeFormat { file }
            | PresetError::UnknownGenome { file }
            | PresetError::MaxBlocks { file, .. } => (file, Vec::new()),
            PresetError::FirstStrike { file, hits } => {
                (file, hits.into_iter().map(|square| square.to_string()).collect())
            }
        };
        Facts { file: Some(file.char()), squares, ..Facts::default() }
    }
}
