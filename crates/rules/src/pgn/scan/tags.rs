//! Tag pairs, and brackets that are none.

use super::{Phase, ProblemKind, Reached, Scanner, Skip, Visitor};
use crate::pgn::RawValue;
use crate::pgn::encoding::cut;
use crate::pgn::problem::TooMuch;

/// The parts of a tag pair, as places in the text.
struct Tag {
    name: std::ops::Range<usize>,
    value: std::ops::Range<usize>,
    next: usize,
    problem: Option<ProblemKind>,
}

/// What became of a tag.
enum Found {
    Tag(Tag),
    /// Not a tag pair; the rest of the line is left out.
    Nothing,
    /// More text is needed.
    Unknown,
}

impl Scanner {
    pub(super) fn bracket(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let begins_name = match text.get(at + 1) {
            None if !last => return None,
            next => {
                next.is_some_and(|&byte| byte.is_ascii_alphanumeric() || b" _\t".contains(&byte))
            }
        };
        // Inside the move text only a bracket at the beginning of a line can be the next game.
        if !begins_name || self.phase == Phase::Moves && !self.fresh_line {
            self.problem(ProblemKind::StrayBracket('['), text, at, visitor);
            self.skip = Some(Skip::Bracket);
            return Some(at);
        }
        let found = find_tag(text, at, last, self.limits.tag_value);
        if matches!(found, Found::Unknown) {
            return None;
        }
        let is_event = matches!(&found, Found::Tag(tag) if &text[tag.name.clone()] == b"Event");
        let next_game =
            self.phase == Phase::Moves || self.phase == Phase::Tags && self.blank_line && is_event;
        if next_game {
            self.close(text, at, visitor);
        }
        self.open(Phase::Tags, text, at, visitor);
        self.blank_line = false;
        let Found::Tag(tag) = found else {
            self.problem(ProblemKind::Tag, text, at, visitor);
            self.skip = Some(Skip::Line);
            return Some(at);
        };
        visitor.tag(&text[tag.name], RawValue(&text[tag.value]), self.at(text, at));
        if let Some(kind) = tag.problem {
            if kind == ProblemKind::TooMuch(TooMuch::TagValue) {
                self.skip = Some(Skip::Line);
            }
            self.problem(kind, text, at, visitor);
        }
        Some(tag.next)
    }
}

fn find_tag(text: &[u8], at: usize, last: bool, most: usize) -> Found {
    let unknown = if last { Found::Nothing } else { Found::Unknown };
    let begin = at + 1 + blanks(&text[at + 1..]);
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || b"\"]".contains(byte);
    let Some(length) = text[begin..].iter().position(ends_name) else {
        return if text.len() - at > most { Found::Nothing } else { unknown };
    };
    let name = begin..begin + length;
    let quote = name.end + blanks(&text[name.end..]);
    match text.get(quote) {
        None if text.len() - at > most => return Found::Nothing,
        None => return unknown,
        Some(b'"') if length > 0 && quote - at <= most => {}
        Some(_) => return Found::Nothing,
    }
    let begin = quote + 1;
    let Some(end) = closing_quote(text, begin, most) else {
        // A quote that is never closed, a value that is too long, or simply not enough text.
        let line = line_end(&text[begin..]);
        return if line.unwrap_or(text.len() - begin) > most {
            let value = begin..begin + cut(&text[begin..], most).len();
            let problem = Some(ProblemKind::TooMuch(TooMuch::TagValue));
            Found::Tag(Tag { name, next: value.end, value, problem })
        } else if line.is_some() {
            Found::Nothing
        } else {
            unknown
        };
    };
    let after = end + 1 + blanks(&text[end + 1..]);
    match text.get(after) {
        Some(b']') if after - begin <= most * 2 => {
            Found::Tag(Tag { name, value: begin..end, next: after + 1, problem: None })
        }
        None if !last && after - begin <= most * 2 => Found::Unknown,
        Some(next) if after - begin <= most * 2 && !b"\r\n".contains(next) => {
            tag_with_quotes(text, name, begin, last, most)
        }
        _ => {
            let problem = Some(ProblemKind::TagForm);
            Found::Tag(Tag { name, value: begin..end, next: after, problem })
        }
    }
}

/// `[Event "The "Tiger" cup"]`: the value ends where the line does.
#[cold]
fn tag_with_quotes(
    text: &[u8],
    name: std::ops::Range<usize>,
    begin: usize,
    last: bool,
    most: usize,
) -> Found {
    let line = match line_end(&text[begin..]) {
        Some(length) => &text[begin..begin + length],
        None if last || text.len() - begin > most + 2 => &text[begin..],
        None => return Found::Unknown,
    };
    // A line without an end is judged by what fits, whatever more of it happens to be at hand.
    let line = &line[..line.len().min(most + 2)];
    match memchr::memmem::rfind(line, b"\"]") {
        Some(length) => {
            let value = begin..begin + length;
            let problem = Some(ProblemKind::TagForm);
            Found::Tag(Tag { name, next: value.end + 2, value, problem })
        }
        None => Found::Nothing,
    }
}

/// The quote that closes a value, on its line and within `most` bytes.
fn closing_quote(text: &[u8], begin: usize, most: usize) -> Reached {
    let edge = (begin + most + 1).min(text.len());
    let mut at = begin;
    loop {
        at += memchr::memchr3(b'"', b'\\', b'\n', text.get(at..edge)?)?;
        match text[at] {
            // Old files end their lines with a bare carriage return.
            b'"' => return memchr::memchr(b'\r', &text[begin..at]).is_none().then_some(at),
            b'\n' => return None,
            _ => at += 1 + usize::from(matches!(text.get(at + 1), Some(b'"' | b'\\'))),
        }
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

fn line_end(text: &[u8]) -> Option<usize> {
    memchr::memchr2(b'\n', b'\r', text)
}
