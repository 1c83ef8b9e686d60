//! Points as integers: tenths, because that is what a tournament file can hold.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of points, exact to a tenth. Sums stop at the limits of the type: a file that gives
/// absurd values must not be able to break anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i32);

/// The text is no number of points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no number of points")]
pub struct NoPoints(String);

impl Points {
    /// No points at all.
    pub const ZERO: Points = Points(0);
    /// Half a point.
    pub const HALF: Points = Points(5);
    /// One point.
    pub const ONE: Points = Points(10);

    /// So many tenths of a point.
    pub const fn from_tenths(tenths: i32) -> Points {
        Points(tenths)
    }

    /// So many half points.
    pub const fn from_halves(halves: i32) -> Points {
        Points(halves * 5)
    }

    /// The number of tenths.
    pub const fn tenths(self) -> i32 {
        self.0
    }
}

impl FromStr for Points {
    type Err = NoPoints;

    /// Reads `6.5`, `6`, `-0.5`, `.5` or `6,5`; more than one digit after the point only if zero.
    fn from_str(text: &str) -> Result<Points, NoPoints> {
        let fail = || NoPoints(text.to_owned());
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, part) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        if (whole.is_empty() && part.is_empty()) || whole.len() > 4 {
            return Err(fail());
        }
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let part = part.trim_end_matches('0');
        if !all_digits(whole) || !all_digits(part) || part.len() > 1 {
            return Err(fail());
        }
        let read = |part: &str| if part.is_empty() { Ok(0) } else { part.parse::<i32>() };
        let whole = read(whole).map_err(|_| fail())?;
        let part = read(part).map_err(|_| fail())?;
        Ok(Points(sign * (whole * 10 + part)))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let tenths = self.0.unsigned_abs();
        out.pad(&format!("{sign}{}.{}", tenths / 10, tenths % 10))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 10.0)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        let tenths = (f64::deserialize(deserializer)? * 10.0).round();
        if tenths.abs() > 10_000_000.0 {
            return Err(serde::de::Error::custom("too many points"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a whole number within the bounds above"
        )]
        Ok(Points(tenths as i32))
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        *self = *self + other;
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0.saturating_sub(other.0))
    }
}

impl SubAssign for Points {
    fn sub_assign(&mut self, other: Points) {
        *self = *self - other;
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(self.0.saturating_neg())
    }
}

impl Mul<i32> for Points {
    type Output = Points;
    fn mul(self, times: i32) -> Points {
        Points(self.0.saturating_mul(times))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(points: I) -> Points {
        points.fold(Points::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, tenths: Option<i32>) {
        assert_eq!(text.parse::<Points>().ok(), tenths.map(Points), "{text}");
    }

    #[test]
    fn points_are_read_to_a_tenth() {
        check("6.5", Some(65));
        check("11", Some(110));
        check(".5", Some(5));
        check("3,5", Some(35));
        check("-0.5", Some(-5));
        check("1.00", Some(10));
        check("0.25", None);
        check("", None);
        check(".", None);
        check("1e3", None);
        check("9999.9", Some(99_999));
        check("10000", None);
    }

    #[test]
    fn absurd_sums_stop_at_the_limit() {
        let most = Points(i32::MAX);
        assert_eq!(
            (most + most, most * 3, -Points(i32::MIN), Points(i32::MIN) - most),
            (most, most, most, Points(i32::MIN))
        );
    }

    #[test]
    fn points_are_shown_with_one_decimal() {
        assert_eq!(Points(65).to_string(), "6.5");
        assert_eq!(Points(-5).to_string(), "-0.5");
        assert_eq!(format!("{:>5}", Points(0)), "  0.0");
    }
}
