//! Classes by rating: names for people, without a meaning for the computation.

use serde::{Deserialize, Serialize};

/// One class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TitleClass {
    /// The least rating, as people see it.
    pub from: i32,
    /// What it is called.
    pub name: String,
}

/// The classes of an instance, in any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TitleClasses(pub Vec<TitleClass>);

impl Default for TitleClasses {
    fn default() -> Self {
        let preset = [
            (2400, "Senior Master"),
            (2200, "Master"),
            (2000, "Expert"),
            (1800, "Class A"),
            (1600, "Class B"),
            (1400, "Class C"),
            (1200, "Class D"),
            (1000, "Class E"),
            (800, "Class F"),
            (600, "Class G"),
            (400, "Class H"),
            (200, "Class I"),
            (100, "Class J"),
        ];
        TitleClasses(preset.map(|(from, name)| TitleClass { from, name: name.into() }).into())
    }
}

impl TitleClasses {
    /// The class of a rating as people see it.
    pub fn of(&self, shown: i32) -> Option<&str> {
        let reached = self.0.iter().filter(|class| class.from <= shown);
        reached.max_by_key(|class| class.from).map(|class| class.name.as_str())
    }
}
