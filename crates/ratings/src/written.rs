//! A system as it stands in a configuration: the name of a preset, or a table whose `kind` says which constants follow.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::{Serialize, Serializer};

use crate::{Elo, Glicko2, System, UnknownPreset};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Table {
    Glicko2(Glicko2),
    Elo(Elo),
}

impl Serialize for System {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = match *self {
            System::Glicko2(constants) => Table::Glicko2(constants),
            System::Elo(constants) => Table::Elo(constants),
        };
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for System {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<System, D::Error> {
        deserializer.deserialize_any(NameOrTable)
    }
}

// By hand: serde's untagged enums would hide which constant is misspelt.
struct NameOrTable;

impl<'de> Visitor<'de> for NameOrTable {
    type Value = System;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table with `kind`, or one of {}", System::PRESETS.join(", "))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<System, E> {
        name.parse().map_err(|error: UnknownPreset| E::custom(error))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<System, A::Error> {
        let system = match Table::deserialize(MapAccessDeserializer::new(map))? {
            Table::Glicko2(constants) => System::Glicko2(constants),
            Table::Elo(constants) => System::Elo(constants),
        };
        system.check().map_err(A::Error::custom)?;
        Ok(system)
    }
}

/// A constant that would make nonsense of every rating.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{constant} has to be between {least} and {most}, not {found}")]
pub struct BadSystem {
    /// Which.
    pub constant: &'static str,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
    /// The value.
    pub found: f64,
}

/// A rating nobody will ever have; bounds the constants, not the ratings.
const BEYOND: f64 = 100_000.0;

impl System {
    /// Whether the constants make sense. What was read from a configuration has been checked.
    pub fn check(&self) -> Result<(), BadSystem> {
        match self {
            System::Glicko2(it) => {
                within("floor", it.floor, -BEYOND, BEYOND)?;
                within("initial_rating", it.initial_rating, it.floor, BEYOND)?;
                within("least_deviation", it.least_deviation, 1.0, BEYOND)?;
                within("most_deviation", it.most_deviation, it.least_deviation, BEYOND)?;
                within(
                    "initial_deviation",
                    it.initial_deviation,
                    it.least_deviation,
                    it.most_deviation,
                )?;
                within("most_volatility", it.most_volatility, 0.001, 10.0)?;
                within("initial_volatility", it.initial_volatility, 0.001, it.most_volatility)?;
                within("tau", it.tau, 0.01, 10.0)?;
                within("most_change", it.most_change, 1.0, BEYOND)?;
                within("ranked_to", it.ranked_to, 0.0, BEYOND)?;
                within("provisional_from", it.provisional_from, 0.0, BEYOND)?;
                within("periods_a_day", it.periods_a_day, 0.0, 1_000.0)
            }
            System::Elo(it) => {
                within("floor", it.floor, -BEYOND, BEYOND)?;
                within("initial_rating", it.initial_rating, -BEYOND, BEYOND)?;
                within("most_claimed", it.most_claimed, it.floor, BEYOND)?;
                match it.difference_cap {
                    Some(cap) => within("difference_cap.most", cap.most, 1.0, BEYOND),
                    None => Ok(()),
                }
            }
        }
    }
}

fn within(constant: &'static str, found: f64, least: f64, most: f64) -> Result<(), BadSystem> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(BadSystem { constant, least, most, found })
    }
}
