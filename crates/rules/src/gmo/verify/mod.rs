//! Checks records of test vectors: every value is computed anew from the record's inputs and compared.
//!
//! Records are JSON objects, one a line. What a record holds is told by its fields; the name of its file, if it says
//! something, must agree. Fields that only describe (`id`, `cat`, `tags`, `x`) are not compared. A record that cannot be
//! read is a difference like any other.

mod compare;
mod games;
mod inputs;
mod moves;
mod parse;
mod random;

use std::fmt;

use serde_json::{Map, Value};

pub use compare::Difference;

/// What a record tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// Reading one DNA text.
    Parse,
    /// The move lists of all pieces of a board.
    Moves,
    /// A game, event by event; with clocks if the record has them.
    Game,
    /// One move on any position.
    Single,
    /// One move with chance.
    Random,
}

impl RecordKind {
    /// The kind that a file's name promises, such as `games_spec.jsonl.gz` or `vectors/parse.jsonl`.
    pub fn from_file_name(path: &str) -> Option<RecordKind> {
        let name = path.rsplit(['/', '\\']).next()?;
        let stem = name.split(['.', '_', '-']).next()?;
        match stem {
            "parse" => Some(RecordKind::Parse),
            "moves" => Some(RecordKind::Moves),
            "games" | "freeze" => Some(RecordKind::Game),
            "single" => Some(RecordKind::Single),
            "random" => Some(RecordKind::Random),
            _ => None,
        }
    }

    /// The kind that a record's fields show.
    fn detect(record: &Map<String, Value>) -> Option<RecordKind> {
        let signs = [
            ("in", RecordKind::Parse),
            ("seed", RecordKind::Random),
            ("mv", RecordKind::Single),
            ("ev", RecordKind::Game),
            ("m", RecordKind::Moves),
        ];
        signs.into_iter().find(|(field, _)| record.contains_key(*field)).map(|(_, kind)| kind)
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordKind::Parse => "parse",
            RecordKind::Moves => "moves",
            RecordKind::Game => "game",
            RecordKind::Single => "single",
            RecordKind::Random => "random",
        })
    }
}

/// Computes one record anew and gives everything that differs.
///
/// Without a kind the record's fields decide. White space around the line does not matter.
pub fn verify_line(kind: Option<RecordKind>, line: &str) -> Result<(), Vec<Difference>> {
    let record = match serde_json::from_str(line.trim()) {
        Ok(Value::Object(record)) => record,
        Ok(_) => return Err(vec![Difference::malformed("", "the line is no JSON object")]),
        Err(error) => return Err(vec![Difference::malformed("", &error.to_string())]),
    };
    let Some(kind) = kind.or_else(|| RecordKind::detect(&record)) else {
        return Err(vec![Difference::malformed("", "the fields fit no kind of record")]);
    };
    let computed = match kind {
        RecordKind::Parse => parse::compute(&record),
        RecordKind::Moves => moves::compute(&record),
        RecordKind::Game => games::compute(&record),
        RecordKind::Single => games::compute_single(&record),
        RecordKind::Random => random::compute(&record),
    };
    let mut differences = match computed {
        Ok(computed) => compare::record(&record, &computed),
        Err(difference) => vec![difference],
    };
    if differences.is_empty() {
        return Ok(());
    }
    let id = record.get("id").and_then(Value::as_str).unwrap_or("(no id)");
    for difference in &mut differences {
        id.clone_into(&mut difference.id);
    }
    Err(differences)
}
