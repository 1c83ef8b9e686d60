//! The seed of a GMO game as 64 hexadecimal digits.

use serde::{Deserialize, Deserializer, Serializer};

use crate::gmo::Seed;

/// Writes the seed.
#[expect(clippy::ref_option, reason = "serde hands a reference")]
pub(super) fn serialize<S: Serializer>(seed: &Option<Seed>, out: S) -> Result<S::Ok, S::Error> {
    use std::fmt::Write;
    let Some(seed) = seed else { return out.serialize_none() };
    let mut text = String::with_capacity(64);
    for byte in seed.0 {
        write!(text, "{byte:02x}").map_err(serde::ser::Error::custom)?;
    }
    out.serialize_some(&text)
}

/// Reads the seed.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Seed>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| {
        Seed::from_hex(&text).ok_or_else(|| serde::de::Error::custom("a seed has 64 hex digits"))
    })
    .transpose()
}

#[cfg(test)]
mod tests {
    use super::super::Setup;
    use super::*;

    #[test]
    fn a_seed_is_written_and_read_again() {
        let seed = Seed(std::array::from_fn(|i| u8::try_from(i * 7).unwrap_or(0)));
        let setup = Setup { seed: Some(seed), ..Setup::default() };
        let json = serde_json::to_string(&setup).unwrap();
        assert!(json.contains(r#""seed":"00070e15"#), "{json}");
        assert_eq!(serde_json::from_str::<Setup>(&json).unwrap(), setup);
    }

    #[test]
    fn other_texts_are_no_seed() {
        for text in ["", "00", &"g".repeat(64), &"0".repeat(65)] {
            assert_eq!(Seed::from_hex(text), None, "{text}");
        }
    }
}
