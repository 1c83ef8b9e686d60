//! Differences between what a record says and what was computed.

use std::fmt;

use serde_json::{Map, Value};

/// How much of a long value is shown.
const SHOWN_CHARS: usize = 120;

/// One value of a record that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The record's `id`.
    pub id: String,
    /// The path of the field, such as `end.status` or `n[3]`; empty for the whole record.
    pub field: String,
    /// What the record says, `None` if the field is missing or the record cannot be read.
    pub recorded: Option<String>,
    /// What was computed, or why nothing could be.
    pub computed: String,
}

impl Difference {
    /// A field or record that cannot be read.
    pub(super) fn malformed(field: &str, reason: &str) -> Difference {
        Difference {
            id: String::new(),
            field: field.to_owned(),
            recorded: None,
            computed: reason.to_owned(),
        }
    }

    pub(super) fn new(
        field: impl Into<String>,
        recorded: &Value,
        computed: impl Into<String>,
    ) -> Difference {
        Difference {
            id: String::new(),
            field: field.into(),
            recorded: Some(shown(recorded)),
            computed: computed.into(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = if self.field.is_empty() { "record" } else { &self.field };
        match &self.recorded {
            Some(recorded) => {
                write!(f, "{} {field}: recorded {recorded}, computed {}", self.id, self.computed)
            }
            None => write!(f, "{} {field}: {}", self.id, self.computed),
        }
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Compares the computed fields with a record's; other fields of the record are its inputs and descriptions.
pub(super) fn record(
    recorded: &Map<String, Value>,
    computed: &Map<String, Value>,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (field, value) in computed {
        compare(field, recorded.get(field), value, &mut differences);
    }
    differences
}

fn compare(
    path: &str,
    recorded: Option<&Value>,
    computed: &Value,
    differences: &mut Vec<Difference>,
) {
    match (recorded, computed) {
        (None, _) => {
            let reason = format!("the field is missing, computed {}", shown(computed));
            differences.push(Difference::malformed(path, &reason));
        }
        (Some(Value::Object(recorded)), Value::Object(computed)) => {
            for (field, value) in computed {
                compare(&format!("{path}.{field}"), recorded.get(field), value, differences);
            }
            for (field, value) in
                recorded.iter().filter(|(field, _)| !computed.contains_key(*field))
            {
                differences.push(Difference::new(
                    format!("{path}.{field}"),
                    value,
                    "no such field",
                ));
            }
        }
        (Some(Value::Array(recorded)), Value::Array(computed))
            if recorded.len() == computed.len() =>
        {
            for (at, (recorded, computed)) in recorded.iter().zip(computed).enumerate() {
                compare(&format!("{path}[{at}]"), Some(recorded), computed, differences);
            }
        }
        (Some(recorded), computed) if recorded != computed => {
            differences.push(Difference::new(path, recorded, shown(computed)));
        }
        _ => {}
    }
}
