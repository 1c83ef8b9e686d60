//! The value of a tie-break.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::model::Points;

/// A number with as many decimals as its tie-break needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    hundredths: i64,
    decimals: u8,
}

impl Value {
    /// A count, a rating, a place.
    pub const fn whole(number: i64) -> Value {
        Value { hundredths: number * 100, decimals: 0 }
    }

    /// So many tenths, shown with one decimal.
    pub const fn tenths(tenths: i64) -> Value {
        Value { hundredths: tenths * 10, decimals: 1 }
    }

    /// So many hundredths, shown with two decimals.
    pub const fn from_hundredths(hundredths: i64) -> Value {
        Value { hundredths, decimals: 2 }
    }

    /// The number times hundred.
    pub const fn hundredths(self) -> i64 {
        self.hundredths
    }
}

impl From<Points> for Value {
    fn from(points: Points) -> Value {
        Value::tenths(i64::from(points.tenths()))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.hundredths < 0 { "-" } else { "" };
        let (whole, part) =
            (self.hundredths.unsigned_abs() / 100, self.hundredths.unsigned_abs() % 100);
        match self.decimals {
            0 => out.pad(&format!("{sign}{whole}")),
            1 => out.pad(&format!("{sign}{whole}.{}", part / 10)),
            _ => out.pad(&format!("{sign}{whole}.{part:02}")),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.decimals == 0 {
            return serializer.serialize_i64(self.hundredths / 100);
        }
        #[expect(clippy::cast_precision_loss, reason = "tie-breaks are far below 2^53")]
        serializer.serialize_f64(self.hundredths as f64 / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_with_their_decimals() {
        assert_eq!(Value::whole(-12).to_string(), "-12");
        assert_eq!(Value::tenths(385).to_string(), "38.5");
        assert_eq!(Value::from_hundredths(1575).to_string(), "15.75");
        assert_eq!(Value::from_hundredths(-5).to_string(), "-0.05");
    }
}
