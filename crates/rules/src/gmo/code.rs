//! Codes: short names of genomes and presets, taken from the SHA-256 of their text.
//!
//! Six digits collide sooner or later. The first text keeps the short code for ever; a later one with the same
//! beginning gets a longer one, so nobody's piece changes under an old code.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use thiserror::Error;

use super::known::find_alias;

/// The shortest code.
pub const MIN_CODE_DIGITS: usize = 6;
/// A whole SHA-256.
pub const MAX_CODE_DIGITS: usize = 64;

/// A full SHA-256, the primary key of a genome or preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha(pub [u8; 32]);

impl Sha {
    /// The first digits, in lower-case hexadecimal; at most 64.
    pub fn prefix(&self, digits: usize) -> String {
        let mut text = self.to_string();
        text.truncate(digits);
        text
    }

    /// The smallest and the largest hash that begin with these digits.
    fn range(code: &Code) -> (Sha, Sha) {
        let (mut low, mut high) = ([0; 32], [0xff; 32]);
        for (at, digit) in code.0.bytes().enumerate() {
            let value = if digit.is_ascii_digit() { digit - b'0' } else { digit - b'a' + 10 };
            let shift = if at % 2 == 0 { 4 } else { 0 };
            low[at / 2] |= value << shift;
            high[at / 2] = high[at / 2] & !(0xf << shift) | value << shift;
        }
        (Sha(low), Sha(high))
    }
}

impl fmt::Display for Sha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// 6 to 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(String);

/// The text is no code (`S_CODE_FORMAT`, in a preset `P_CODE_FORMAT`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a code is 6 to 64 hexadecimal digits, or the name of a built-in piece")]
pub struct CodeFormatError;

impl Code {
    /// Reads a code in either case, or the name of a built-in genome.
    pub fn parse(text: &str) -> Result<Code, CodeFormatError> {
        if let Some(known) = find_alias(text) {
            return Ok(Code(known.code.to_owned()));
        }
        let length = (MIN_CODE_DIGITS..=MAX_CODE_DIGITS).contains(&text.len());
        if length && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Ok(Code(text.to_ascii_lowercase()))
        } else {
            Err(CodeFormatError)
        }
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which hash has which code. Genomes and presets have a book each.
#[derive(Debug, Clone, Default)]
pub struct CodeBook {
    by_sha: BTreeMap<Sha, Code>,
    by_code: HashMap<Code, Sha>,
}

impl CodeBook {
    /// An empty book.
    pub fn new() -> CodeBook {
        CodeBook::default()
    }

    /// How many hashes have a code.
    pub fn len(&self) -> usize {
        self.by_sha.len()
    }

    /// Whether nothing has a code yet.
    pub fn is_empty(&self) -> bool {
        self.by_sha.is_empty()
    }

    /// The code of a hash that is in the book.
    pub fn code_of(&self, sha: Sha) -> Option<&Code> {
        self.by_sha.get(&sha)
    }

    /// Gives a hash its code for ever; one that has a code keeps it.
    ///
    /// The code is the shortest beginning of the hash that is free: six digits if nobody owns them, otherwise the
    /// shortest longer one with which no other hash begins.
    pub fn assign(&mut self, sha: Sha) -> Code {
        if let Some(code) = self.by_sha.get(&sha) {
            return code.clone();
        }
        let short = Code(sha.prefix(MIN_CODE_DIGITS));
        let code = if self.by_code.contains_key(&short) { self.longer_code(sha) } else { short };
        self.by_sha.insert(sha, code.clone());
        self.by_code.insert(code.clone(), sha);
        code
    }

    /// Notes a code that was given earlier, as read from a store; false if it contradicts the book.
    pub fn restore(&mut self, sha: Sha, code: Code) -> bool {
        let fits = sha.to_string().starts_with(code.as_str())
            && !self.by_sha.contains_key(&sha)
            && !self.by_code.contains_key(&code);
        if fits {
            self.by_sha.insert(sha, code.clone());
            self.by_code.insert(code, sha);
        }
        fits
    }

    /// The hash a text names: by its exact code, or with seven digits and more by a beginning that only one has.
    pub fn find(&self, code: &Code) -> Option<Sha> {
        if let Some(sha) = self.by_code.get(code) {
            return Some(*sha);
        }
        if code.0.len() <= MIN_CODE_DIGITS {
            return None;
        }
        let mut matching = self.with_prefix(code);
        matching.next().filter(|_| matching.next().is_none())
    }

    fn longer_code(&self, sha: Sha) -> Code {
        let digits = sha.to_string();
        let is_free =
            |length: &usize| self.with_prefix(&Code(digits[..*length].to_owned())).next().is_none();
        let length =
            (MIN_CODE_DIGITS + 1..MAX_CODE_DIGITS).find(is_free).unwrap_or(MAX_CODE_DIGITS);
        Code(digits[..length].to_owned())
    }

    fn with_prefix(&self, code: &Code) -> impl Iterator<Item = Sha> {
        let (low, high) = Sha::range(code);
        self.by_sha.range(low..=high).map(|(sha, _)| *sha)
    }
}
