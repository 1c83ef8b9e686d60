//! Bytes to lines, and lines to fields by column.

use std::borrow::Cow;
use std::str::FromStr;

use super::{Problem, TrfError};
use crate::model::{MAX_PLAYERS, PairingNumber, Points};

/// The text of a file: UTF-8 if it is that, otherwise every byte is a character of Latin-1.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}

/// The lines of a text, ended by CR, LF or both.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let pieces = std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\r', '\n']) else { return rest.take() };
        let step = if text[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[end + step..]);
        Some(&text[..end])
    });
    pieces.zip(1..).map(|(text, number)| Line::new(text, number))
}

/// One line; columns are counted in characters from 1, as the standard does.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
    /// Where each character starts; only needed if some are longer than a byte.
    starts: Option<Vec<usize>>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str, number: usize) -> Line<'a> {
        let text = text.trim_end();
        let starts =
            (!text.is_ascii()).then(|| text.char_indices().map(|(start, _)| start).collect());
        Line { number, text, starts }
    }

    /// The number of characters.
    pub(super) fn len(&self) -> usize {
        self.starts.as_ref().map_or(self.text.len(), Vec::len)
    }

    /// Where a column starts in the text.
    fn offset(&self, column: usize) -> usize {
        let index = column - 1;
        match &self.starts {
            Some(starts) => starts.get(index).copied().unwrap_or(self.text.len()),
            None => index.min(self.text.len()),
        }
    }

    /// The text from a column to another, without the blanks around it.
    pub(super) fn field(&self, first: usize, last: usize) -> &'a str {
        self.text[self.offset(first)..self.offset(last + 1)].trim()
    }

    /// The text from a column to the end, without the blanks around it.
    pub(super) fn rest(&self, first: usize) -> &'a str {
        self.text[self.offset(first)..].trim()
    }

    /// The words from a column on, each with the column where it starts.
    pub(super) fn words(&self, first: usize) -> impl Iterator<Item = (usize, &'a str)> {
        let text = &self.text[self.offset(first)..];
        text.split_whitespace().map(move |word| {
            let before = &text[..word.as_ptr().addr() - text.as_ptr().addr()];
            (first + before.chars().count(), word)
        })
    }

    /// An error at a column.
    pub(super) fn error(&self, column: usize, problem: impl Into<Problem>) -> TrfError {
        TrfError { line: self.number, column, problem: problem.into() }
    }

    /// A number between two columns; nothing if they are blank.
    pub(super) fn number<T: FromStr>(
        &self,
        (first, last): (usize, usize),
        field: &'static str,
    ) -> Result<Option<T>, TrfError> {
        let text = self.field(first, last);
        if text.is_empty() {
            return Ok(None);
        }
        let number = text
            .parse()
            .map_err(|_| self.error(first, Problem::NoNumber { field, text: text.to_owned() }))?;
        Ok(Some(number))
    }

    /// Points between two columns; nothing if they are blank.
    pub(super) fn points(
        &self,
        (first, last): (usize, usize),
        field: &'static str,
    ) -> Result<Option<Points>, TrfError> {
        let text = self.field(first, last);
        if text.is_empty() {
            return Ok(None);
        }
        self.points_of(first, text, field).map(Some)
    }

    /// Points written in this word.
    pub(super) fn points_of(
        &self,
        column: usize,
        text: &str,
        field: &'static str,
    ) -> Result<Points, TrfError> {
        text.parse()
            .map_err(|_| self.error(column, Problem::NoPoints { field, text: text.to_owned() }))
    }

    /// A pairing number between two columns. A fifth digit may stand in the blank to the left.
    pub(super) fn player(&self, first: usize) -> Result<Option<PairingNumber>, TrfError> {
        match self.number::<u64>((first - 1, first + 3), "the pairing number")? {
            None | Some(0) => Ok(None),
            Some(number) => self.limited(first, number).map(Some),
        }
    }

    /// The pairing numbers written as words from a column on.
    pub(super) fn players(&self, first: usize) -> Result<Vec<PairingNumber>, TrfError> {
        self.words(first)
            .map(|(column, word)| {
                let problem =
                    || Problem::NoNumber { field: "the pairing number", text: word.to_owned() };
                let number = word.parse().map_err(|_| self.error(column, problem()))?;
                self.limited(column, number)
            })
            .collect()
    }

    fn limited(&self, column: usize, number: u64) -> Result<PairingNumber, TrfError> {
        match u16::try_from(number) {
            Ok(number) if usize::from(number) <= MAX_PLAYERS => Ok(PairingNumber(number)),
            _ => Err(self.error(column, Problem::TooManyPlayers)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(lines(text).map(|line| line.text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        check("a\rb\nc\r\nd", &["a", "b", "c", "d"]);
        check("a\n\nb", &["a", "", "b"]);
        check("", &[""]);
    }

    #[test]
    fn columns_are_characters() {
        let text = "001 Žižka  42";
        let line = lines(text).next().unwrap();
        assert_eq!(line.field(5, 9), "Žižka");
        assert_eq!(line.field(12, 13), "42");
        assert_eq!(line.words(4).collect::<Vec<_>>(), [(5, "Žižka"), (12, "42")]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_latin1() {
        assert_eq!(decode(b"M\xFCller"), "Müller");
        assert_eq!(decode("Müller".as_bytes()), "Müller");
    }
}
