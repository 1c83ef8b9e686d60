//! Reading the inputs of a record.

use std::sync::Arc;

use serde_json::{Map, Value};
use shakmaty::Color;

use super::compare::Difference;
use crate::gmo::board::GenomeTable;
use crate::gmo::genome::Genome;
use crate::gmo::play::{Promotions, Scene};
use crate::gmo::position::{GmoPosition, Setup};
use crate::gmo::token::{read_board, read_color};

/// A record's fields.
pub(super) type Record = Map<String, Value>;

/// A field that must be there.
pub(super) fn field<'a>(record: &'a Record, name: &str) -> Result<&'a Value, Difference> {
    record.get(name).ok_or_else(|| Difference::malformed(name, "the field is missing"))
}

/// A field with text.
pub(super) fn text<'a>(record: &'a Record, name: &str) -> Result<&'a str, Difference> {
    let value = field(record, name)?;
    value.as_str().ok_or_else(|| Difference::new(name, value, "a text is needed here"))
}

/// A field with a whole number from 0.
pub(super) fn number(record: &Record, name: &str) -> Result<u64, Difference> {
    let value = field(record, name)?;
    value.as_u64().ok_or_else(|| Difference::new(name, value, "a whole number is needed here"))
}

/// A field with a list of texts.
pub(super) fn texts<'a>(record: &'a Record, name: &str) -> Result<Vec<&'a str>, Difference> {
    let value = field(record, name)?;
    let list = value.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
    list.ok_or_else(|| Difference::new(name, value, "a list of texts is needed here"))
}

/// A field with a list of whole numbers from 0.
pub(super) fn numbers(record: &Record, name: &str) -> Result<Vec<u64>, Difference> {
    let value = field(record, name)?;
    let list = value.as_array().and_then(|list| list.iter().map(Value::as_u64).collect());
    list.ok_or_else(|| Difference::new(name, value, "a list of whole numbers is needed here"))
}

/// A field with a side.
pub(super) fn side(record: &Record, name: &str) -> Result<Color, Difference> {
    read_color(text(record, name)?).ok_or_else(|| Difference::malformed(name, "a side is w or b"))
}

/// Genomes and pieces: the fields `g` and `p`.
pub(super) fn scene(record: &Record) -> Result<Scene, Difference> {
    let mut genomes = GenomeTable::new();
    for (at, dna) in texts(record, "g")?.into_iter().enumerate() {
        let genome = Genome::parse(dna)
            .map_err(|error| Difference::malformed(&format!("g[{at}]"), &error.to_string()))?;
        genomes
            .push(Arc::new(genome))
            .ok_or_else(|| Difference::malformed("g", "there are too many genomes"))?;
    }
    let board = read_board(texts(record, "p")?)
        .map_err(|error| Difference::malformed("p", &error.to_string()))?;
    let listed = |index| genomes.get(index).is_some();
    if let Some((square, _)) = board.pieces().find(|(_, piece)| !listed(piece.genome)) {
        return Err(Difference::malformed(
            "p",
            &format!("the genome of the piece on {square} is not listed"),
        ));
    }
    Ok(Scene { board, genomes })
}

/// The position of the fields `g` and `p` with this side to move, before the first move.
pub(super) fn position(record: &Record, turn: Color) -> Result<GmoPosition, Difference> {
    let Scene { board, genomes } = scene(record)?;
    let setup = Setup { board, genomes, turn, ply: 0, promotions: Promotions::NONE };
    GmoPosition::new(setup).map_err(|error| Difference::malformed("p", &error.to_string()))
}
