//! Cutting an answer into games while it arrives: lines, or the elements of the list `games` in one document.

use std::mem;

/// The longest game that is taken: far above any real one.
const LONGEST: usize = 1 << 20;

/// Why an answer cannot be cut into games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It goes deeper than [`DEEPEST`].
    TooDeep,
    /// The answer ended in the middle.
    BrokenOff,
}

/// How an answer is cut.
#[derive(Debug)]
pub(super) enum Split {
    /// A game on each line.
    Lines(Lines),
    /// A document whose member `games` is a list of objects.
    Elements(Elements),
}

impl Split {
    pub(super) fn lines() -> Split {
        Split::Lines(Lines::default())
    }

    pub(super) fn elements() -> Split {
        Split::Elements(Elements::default())
    }

    pub(super) fn push(&mut self, piece: &[u8]) {
        match self {
            Split::Lines(lines) => lines.waiting.extend_from_slice(piece),
            Split::Elements(elements) => elements.waiting.extend_from_slice(piece),
        }
    }

    /// The next whole game, if there is one. One that is longer than [`LONGEST`] is not held, and comes out empty:
    /// whoever reads it sees that this is no game.
    pub(super) fn take(&mut self) -> Result<Option<Vec<u8>>, Unreadable> {
        match self {
            Split::Lines(lines) => lines.take(),
            Split::Elements(elements) => elements.take(),
        }
    }

    /// Nothing more comes.
    pub(super) fn finish(&mut self) -> Result<(), Unreadable> {
        match self {
            Split::Lines(lines) => {
                // The last line may come without its end. If it is not whole, whoever reads it will see.
                if lines.is_too_long || lines.waiting.last().is_some_and(|last| *last != b'\n') {
                    lines.waiting.push(b'\n');
                }
                Ok(())
            }
            Split::Elements(elements) => {
                if elements.depth == 0 && elements.has_begun {
                    Ok(())
                } else {
                    Err(Unreadable::BrokenOff)
                }
            }
        }
    }
}

/// Lines that are not empty.
#[derive(Debug, Default)]
pub(super) struct Lines {
    waiting: Vec<u8>,
    /// Up to where there is no end of a line.
    looked: usize,
    /// Whether the beginning of the line was let go, because there is too much of it.
    is_too_long: bool,
}

impl Lines {
    fn take(&mut self) -> Result<Option<Vec<u8>>, Unreadable> {
        loop {
            let end = self.waiting[self.looked..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end.map(|end| end + self.looked) else {
                self.looked = self.waiting.len();
                if self.looked > LONGEST {
                    self.is_too_long = true;
                    self.waiting.clear();
                    self.looked = 0;
                }
                return Ok(None);
            };
            let rest = self.waiting.split_off(end + 1);
            let mut line = mem::replace(&mut self.waiting, rest);
            self.looked = 0;
            line.truncate(end);
            if mem::take(&mut self.is_too_long) || line.len() > LONGEST {
                return Ok(Some(Vec::new()));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }
}

/// Walks through a document of JSON and remembers only the object it is in.
#[derive(Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "where the walk is: five questions that do not exclude each other"
)]
pub(super) struct Elements {
    waiting: Vec<u8>,
    /// How much of it was walked through.
    walked: usize,
    has_begun: bool,
    /// Objects and lists that are open.
    depth: u32,
    in_text: bool,
    is_escaped: bool,
    /// The last text at the first depth, as far as it is needed: the name of the member whose value comes.
    member: Vec<u8>,
    in_games: bool,
    element: Vec<u8>,
    /// Whether the element is let go, because there is too much of it.
    is_too_long: bool,
}

/// Deeper than this no answer goes.
const DEEPEST: u32 = 64;

impl Elements {
    fn take(&mut self) -> Result<Option<Vec<u8>>, Unreadable> {
        while let Some(byte) = self.waiting.get(self.walked).copied() {
            self.walked += 1;
            if self.step(byte)? {
                self.is_too_long = false;
                return Ok(Some(mem::take(&mut self.element)));
            }
        }
        self.waiting.clear();
        self.walked = 0;
        Ok(None)
    }

    /// Takes a byte; whether an element ends with it.
    fn step(&mut self, byte: u8) -> Result<bool, Unreadable> {
        if self.in_games && (self.depth > 2 || byte == b'{') {
            self.element.push(byte);
            self.is_too_long |= self.element.len() > LONGEST;
            if self.is_too_long {
                self.element.clear();
            }
        }
        if self.in_text {
            self.step_in_text(byte);
            return Ok(false);
        }
        match byte {
            b'"' => {
                self.in_text = true;
                if self.depth == 1 {
                    self.member.clear();
                }
            }
            b'{' | b'[' => {
                self.has_begun = true;
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(Unreadable::TooDeep);
                }
                if byte == b'[' && self.depth == 2 && self.member == b"games" {
                    self.in_games = true;
                }
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.in_games && self.depth == 1 {
                    self.in_games = false;
                }
                return Ok(self.in_games && self.depth == 2 && byte == b'}');
            }
            _ => {}
        }
        Ok(false)
    }

    fn step_in_text(&mut self, byte: u8) {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = true,
            b'"' => self.in_text = false,
            _ if self.depth == 1 && self.member.len() < 16 => self.member.push(byte),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts a text that arrives in pieces of this length.
    fn cut(mut split: Split, text: &[u8], length: usize) -> Result<Vec<String>, Unreadable> {
        let mut items = Vec::new();
        for piece in text.chunks(length) {
            split.push(piece);
            while let Some(item) = split.take()? {
                items.push(String::from_utf8(item).unwrap());
            }
        }
        split.finish()?;
        while let Some(item) = split.take()? {
            items.push(String::from_utf8(item).unwrap());
        }
        Ok(items)
    }

    #[test]
    fn lines_come_out_whole_however_they_arrive() {
        for length in [1, 2, 3, 7, 100] {
            let lines =
                cut(Split::lines(), b"{\"a\":1}\n\n{\"b\":2}\r\n{\"c\":3}", length).unwrap();
            assert_eq!(lines, ["{\"a\":1}", "{\"b\":2}\r", "{\"c\":3}"]);
        }
    }

    #[test]
    fn elements_come_out_whole_however_they_arrive() {
        let text = br#" {"x":{"games":[1]},"list":[{"n":0}],"games":[{"n":1,"t":"}]\"{","o":{"a":[{}]}}, {"n":2}],"y":[{}]} "#;
        for length in [1, 2, 3, 7, 1000] {
            let elements = cut(Split::elements(), text, length).unwrap();
            assert_eq!(elements, [r#"{"n":1,"t":"}]\"{","o":{"a":[{}]}}"#, r#"{"n":2}"#]);
        }
        assert_eq!(cut(Split::elements(), br#"{"games":[]}"#, 5).unwrap(), [""; 0]);
    }

    #[test]
    fn a_document_that_ends_early_is_noticed() {
        let text = br#"{"games":[{"n":1},{"n":2}]}"#;
        for end in 0..text.len() {
            let cut = cut(Split::elements(), &text[..end], 3);
            assert_eq!(cut, Err(Unreadable::BrokenOff), "{end}");
        }
    }

    #[test]
    fn what_is_too_long_comes_out_empty_and_the_rest_whole() {
        let long = "x".repeat(3 * LONGEST);
        for length in [1_000, 8_192, 9 << 20] {
            let lines = format!("one\n{long}\ntwo\n{long}");
            let cut_lines = cut(Split::lines(), lines.as_bytes(), length).unwrap();
            assert_eq!(cut_lines, ["one", "", "two", ""], "{length}");
            let list = format!("{{\"games\":[{{\"n\":1}},{{\"n\":\"{long}\"}},{{\"n\":2}}]}}");
            let elements = cut(Split::elements(), list.as_bytes(), length).unwrap();
            assert_eq!(elements, ["{\"n\":1}", "", "{\"n\":2}"], "{length}");
        }
    }

    #[test]
    fn nothing_is_kept_without_end() {
        let endless = vec![b'x'; 5 * LONGEST];
        let mut lines = Lines::default();
        let mut elements = Elements::default();
        elements.waiting.extend_from_slice(br#"{"games":[{"n":""#);
        for piece in endless.chunks(8_192) {
            lines.waiting.extend_from_slice(piece);
            elements.waiting.extend_from_slice(piece);
            assert_eq!((lines.take(), elements.take()), (Ok(None), Ok(None)));
            let held = [&lines.waiting, &elements.waiting, &elements.element];
            assert!(held.into_iter().all(|held| held.len() <= LONGEST), "of one line or game");
        }
        let deep = vec![b'['; 1_000];
        assert_eq!(cut(Split::elements(), &deep, 100), Err(Unreadable::TooDeep));
        let mut blank = br#"{"games":["#.to_vec();
        blank.extend_from_slice(&vec![b' '; 5 << 20]);
        assert_eq!(
            cut(Split::elements(), &blank, 8_192),
            Err(Unreadable::BrokenOff),
            "and nothing of it is held"
        );
    }
}
