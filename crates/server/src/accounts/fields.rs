//! What is wrong with a form, field by field, each with its own code and sentence.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldProblem {
    /// Which field of the body.
    pub field: String,
    /// The reason, for programs. It does not change.
    pub code: String,
    /// The reason, for people.
    pub detail: String,
}

impl FieldProblem {
    /// A problem of a field.
    pub(crate) fn new(field: &str, code: &str, detail: impl Into<String>) -> FieldProblem {
        FieldProblem { field: field.to_owned(), code: code.to_owned(), detail: detail.into() }
    }
}
