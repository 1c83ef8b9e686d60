//! The scanner: cuts text into tags, moves, comments and so on, and knows where games begin and end.
//!
//! It works on whatever piece of the file is there and says how far it came; what it leaves is handed in again with
//! more behind it. Nothing depends on where the pieces are cut. It never recurses and keeps no text.

mod comments;
mod tags;
mod words;

use super::problem::count_characters;
use super::{At, GameResult, Limits, Nag, ProblemKind, Visitor};

/// Where in a game the scanner is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Between games.
    Outside,
    /// A comment has opened a game; tags or moves may follow.
    Preamble,
    /// In the tags.
    Tags,
    /// In the move text.
    Moves,
    /// After the result, on the same line: a comment still belongs to the game.
    Ended,
}

/// The rest of something that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Skip {
    /// Up to the end of the line.
    Line,
    /// Up to the brace that closes a comment.
    Comment,
    /// Up to the end of a word.
    Word,
    /// Up to the bracket that closes something that is no tag.
    Bracket,
}

/// Counts lines and columns.
#[derive(Debug, Clone, Copy)]
struct Lines {
    line: u64,
    /// Where the line begins in the text at hand.
    start: usize,
    /// The beginning of the line is no longer in the text at hand.
    is_cut: bool,
    /// Characters of the line that are no longer in the text at hand.
    column_base: u64,
}

impl Lines {
    fn begin_line(&mut self, start: usize) {
        *self = Lines { line: self.line + 1, start, is_cut: false, column_base: 0 };
    }
}

#[derive(Debug, Clone)]
pub(super) struct Scanner {
    limits: Limits,
    phase: Phase,
    skip: Option<Skip>,
    /// Open variations.
    depth: usize,
    lines: Lines,
    /// Nothing but white space stands on this line so far.
    fresh_line: bool,
    /// An empty line came after the last tag.
    blank_line: bool,
    /// Bytes of the file before the text at hand.
    offset: u64,
}

/// How far a part of the text reaches; `None` if more text is needed to know.
type Reached = Option<usize>;

impl Scanner {
    pub(super) fn new(limits: Limits) -> Scanner {
        Scanner {
            limits,
            phase: Phase::Outside,
            skip: None,
            depth: 0,
            lines: Lines { line: 1, start: 0, is_cut: false, column_base: 0 },
            fresh_line: true,
            blank_line: false,
            offset: 0,
        }
    }

    /// Scans the text and says how much of it is done; all of it if nothing follows (`last`).
    pub(super) fn scan(&mut self, text: &[u8], last: bool, visitor: &mut impl Visitor) -> usize {
        let mut at = 0;
        while at < text.len() {
            let reached = match self.skip {
                Some(skip) => self.skip(skip, text, at, last),
                None => self.part(text, at, last, visitor),
            };
            match reached {
                Some(reached) => at = reached,
                None => break,
            }
        }
        if last {
            self.close(text, at, visitor);
        }
        self.leave(text, at);
        at
    }

    /// Scans one part: white space, a tag, a word, a comment.
    #[inline]
    fn part(&mut self, text: &[u8], at: usize, last: bool, visitor: &mut impl Visitor) -> Reached {
        let byte = text[at];
        match byte {
            b'\n' | b'\r' => return self.newline(text, at, last, visitor),
            0..=b' ' | 0x7f => return Some(at + 1),
            b'%' if at == self.lines.start && !self.lines.is_cut => {
                self.skip = Some(Skip::Line);
                return Some(at);
            }
            _ => {}
        }
        if self.phase == Phase::Ended && byte != b'{' && byte != b';' {
            self.close(text, at, visitor);
        }
        let reached = match byte {
            b'0'..=b'9' => self.number(text, at, last, visitor)?,
            b'.' => at + 1,
            b'{' => self.comment(text, at, last, visitor)?,
            b';' => self.line_comment(text, at, last, visitor)?,
            b'[' => self.bracket(text, at, last, visitor)?,
            b'(' => {
                self.begin_variation(text, at, visitor);
                at + 1
            }
            b')' => {
                self.end_variation(text, at, visitor);
                at + 1
            }
            b'!' | b'?' => self.suffix(text, at, last, visitor)?,
            b'$' => self.glyph_number(text, at, last, visitor)?,
            b'*' => {
                self.result(GameResult::Unknown, text, at, visitor);
                at + 1
            }
            b'}' | b']' => {
                self.problem(ProblemKind::StrayBracket(char::from(byte)), text, at, visitor);
                at + 1
            }
            _ => self.word(text, at, last, visitor)?,
        };
        // Only a comment that was never closed leaves off at the beginning of a line.
        self.fresh_line = byte == b'{' && reached == self.lines.start;
        Some(reached)
    }

    fn newline(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let next = after_newline(text, at, last)?;
        if self.phase == Phase::Ended {
            self.close(text, at, visitor);
        }
        self.blank_line |= self.fresh_line;
        self.fresh_line = true;
        self.lines.begin_line(next);
        Some(next)
    }

    fn skip(&mut self, skip: Skip, text: &[u8], at: usize, last: bool) -> Reached {
        let rest = &text[at..];
        let end = match skip {
            Skip::Line => memchr::memchr2(b'\n', b'\r', rest),
            Skip::Word => rest.iter().position(|&byte| words::ends_word(byte)),
            Skip::Bracket => memchr::memchr3(b'\n', b'\r', b']', rest)
                .map(|end| end + usize::from(rest[end] == b']')),
            Skip::Comment => return self.skip_comment(text, at, last),
        };
        if end.is_some() {
            self.skip = None;
        }
        Some(end.map_or(text.len(), |end| at + end))
    }

    /// Says where something is.
    #[inline]
    fn at<'t>(&self, text: &'t [u8], at: usize) -> At<'t> {
        At {
            line: self.lines.line,
            column_base: self.lines.column_base,
            head: &text[self.lines.start..at],
            offset: self.offset + at as u64,
        }
    }

    #[cold]
    fn problem(&self, kind: ProblemKind, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        visitor.problem(self.at(text, at).problem(kind));
    }

    /// Keeps the count when the text up to `end` goes away.
    fn leave(&mut self, text: &[u8], end: usize) {
        self.lines.is_cut |= end > self.lines.start;
        self.lines.column_base += count_characters(&text[self.lines.start..end]);
        self.lines.start = 0;
        self.offset += end as u64;
    }

    /// Begins a game if none is open.
    fn open(&mut self, phase: Phase, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.phase == Phase::Outside {
            visitor.begin_game(self.at(text, at));
        }
        self.phase = phase;
    }

    /// Makes sure that the move text has begun.
    #[inline]
    fn open_moves(&mut self, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.phase != Phase::Moves {
            self.open(Phase::Moves, text, at, visitor);
            visitor.begin_moves();
        }
    }

    /// Ends the game that is open, if one is.
    fn close(&mut self, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        match self.phase {
            Phase::Outside => return,
            Phase::Ended => {}
            Phase::Preamble | Phase::Tags | Phase::Moves => {
                self.open_moves(text, at, visitor);
                if self.depth > 0 {
                    self.problem(ProblemKind::UnclosedVariation, text, at, visitor);
                }
                for _ in 0..self.depth {
                    visitor.end_variation();
                }
                self.problem(ProblemKind::MissingResult, text, at, visitor);
            }
        }
        visitor.end_game();
        self.phase = Phase::Outside;
        self.depth = 0;
    }

    fn result(&mut self, result: GameResult, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.phase == Phase::Outside || self.depth > 0 {
            self.problem(ProblemKind::StrayResult, text, at, visitor);
            return;
        }
        self.open_moves(text, at, visitor);
        visitor.result(result, self.at(text, at));
        self.phase = Phase::Ended;
    }

    fn begin_variation(&mut self, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.phase == Phase::Moves {
            self.depth += 1;
            visitor.begin_variation(self.at(text, at));
        } else {
            self.problem(ProblemKind::StrayBracket('('), text, at, visitor);
        }
    }

    fn end_variation(&mut self, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.depth > 0 {
            self.depth -= 1;
            visitor.end_variation();
        } else {
            self.problem(ProblemKind::StrayBracket(')'), text, at, visitor);
        }
    }

    fn nag(&mut self, nag: Nag, text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.phase == Phase::Outside {
            self.problem(ProblemKind::Garbage, text, at, visitor);
        } else {
            self.open_moves(text, at, visitor);
            visitor.nag(nag);
        }
    }
}

/// Where the next line begins, after `\n`, `\r\n` or `\r`.
fn after_newline(text: &[u8], at: usize, last: bool) -> Reached {
    match (text[at], text.get(at + 1)) {
        (b'\r', Some(b'\n')) => Some(at + 2),
        (b'\r', None) if !last => None,
        _ => Some(at + 1),
    }
}
