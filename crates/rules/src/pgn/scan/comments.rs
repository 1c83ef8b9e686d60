//! Comments in braces and to the end of the line.

use super::{Lines, Phase, ProblemKind, Reached, Scanner, Skip, Visitor, after_newline};
use crate::pgn::RawText;
use crate::pgn::encoding::cut;
use crate::pgn::problem::TooMuch;

/// A line that begins so inside a comment tells that the comment was never closed: the next game is worth more
/// than a comment that quotes one.
const NEXT_GAME: &[u8] = b"[Event \"";

/// Where the text of a comment ends.
enum End {
    /// Before a closing brace.
    Brace(usize),
    /// Before the line that begins another game.
    NextGame(usize),
    /// Nowhere in the text at hand.
    Open,
    /// It cannot be seen yet.
    Unknown,
}

impl Scanner {
    pub(super) fn comment(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let begin = at + 1;
        let most = self.limits.comment;
        let mut lines = self.lines;
        let end = find_end(text, begin, most, last, &mut lines);
        let (end, next, problem) = match end {
            End::Unknown => return None,
            End::Open if !last && text.len() - begin < most + NEXT_GAME.len() + 4 => return None,
            End::Brace(end) => (end, end + 1, None),
            End::NextGame(end) => (end, end, Some(ProblemKind::UnclosedComment)),
            End::Open if text.len() - begin <= most => {
                (text.len(), text.len(), Some(ProblemKind::UnclosedComment))
            }
            End::Open => {
                self.skip = Some(Skip::Comment);
                let end = begin + cut(&text[begin..], most).len();
                (end, end, Some(ProblemKind::TooMuch(TooMuch::Comment)))
            }
        };
        if self.phase == Phase::Outside {
            self.open(Phase::Preamble, text, at, visitor);
        }
        visitor.comment(RawText(&text[begin..end]), self.at(text, at));
        if let Some(kind) = problem {
            self.problem(kind, text, at, visitor);
        }
        self.lines = lines;
        Some(next)
    }

    /// Leaves out the rest of a comment that is too long.
    pub(super) fn skip_comment(&mut self, text: &[u8], at: usize, last: bool) -> Reached {
        let mut lines = self.lines;
        let reached = match find_end(text, at, usize::MAX, last, &mut lines) {
            End::Unknown => return None,
            End::Brace(end) => {
                self.skip = None;
                end + 1
            }
            End::NextGame(end) => {
                self.skip = None;
                self.fresh_line = true;
                end
            }
            End::Open => text.len(),
        };
        self.lines = lines;
        Some(reached)
    }

    pub(super) fn line_comment(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let begin = at + 1;
        let most = self.limits.comment;
        let end = match memchr::memchr2(b'\n', b'\r', &text[begin..]) {
            Some(length) => begin + length,
            None if !last && text.len() - begin <= most + 4 => return None,
            None => text.len(),
        };
        let kept = cut(&text[begin..end], most);
        if self.phase != Phase::Outside {
            visitor.comment(RawText(kept), self.at(text, at));
            if begin + kept.len() < end {
                self.problem(ProblemKind::TooMuch(TooMuch::Comment), text, at, visitor);
            }
        }
        self.skip = Some(Skip::Line);
        Some(begin + kept.len())
    }
}

/// Looks for the end of a comment within `most` bytes and counts its lines.
fn find_end(text: &[u8], begin: usize, most: usize, last: bool, lines: &mut Lines) -> End {
    let edge = begin.saturating_add(most).saturating_add(1).min(text.len());
    let mut at = begin;
    while let Some(step) = memchr::memchr3(b'}', b'\n', b'\r', &text[at..edge]) {
        at += step;
        if text[at] == b'}' {
            return End::Brace(at);
        }
        let Some(next) = after_newline(text, at, last) else { return End::Unknown };
        // What is beyond the most is scanned again, and its lines are counted then.
        if next > begin.saturating_add(most) {
            break;
        }
        let after = &text[next..];
        let seen = after.len().min(NEXT_GAME.len());
        if after[..seen] == NEXT_GAME[..seen] && seen < NEXT_GAME.len() && !last {
            return End::Unknown;
        }
        lines.begin_line(next);
        if after.starts_with(NEXT_GAME) {
            return End::NextGame(next);
        }
        at = next;
    }
    End::Open
}
