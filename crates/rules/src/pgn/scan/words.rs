//! Moves, move numbers, results and annotation glyphs.

use super::{GameResult, Nag, Phase, ProblemKind, Reached, Scanner, Skip, Visitor};
use crate::notation::{LanguageSet, Written};
use crate::pgn::problem::TooMuch;

const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte <= 0x20 || byte == 0x7f;
        byte += 1;
    }
    let mut signs: &[u8] = b"{}()[];!?$*";
    while let [sign, rest @ ..] = signs {
        table[*sign as usize] = true;
        signs = rest;
    }
    table
};

#[inline]
pub(super) fn ends_word(byte: u8) -> bool {
    ENDS_WORD[usize::from(byte)]
}

impl Scanner {
    /// A word that does not begin with a digit: a move, or a glyph in signs.
    #[inline]
    pub(super) fn word(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let Some(end) = word_end(text, at, last) else {
            return self.word_without_end(text, at, visitor);
        };
        let word = &text[at..end];
        // Nearly every word is a move and begins with a letter.
        let is_odd = !word[0].is_ascii_alphabetic() || matches!(word, [b'e', b'.' | b'p', ..]);
        if is_odd || word.len() > self.limits.word {
            return Some(self.odd_word(word, text, at, end, visitor));
        }
        self.ply(word, text, at, visitor);
        Some(end)
    }

    /// A number: of a move, or the beginning of a result or of castling with zeros.
    #[inline]
    pub(super) fn number(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = at + digits;
        if digits > self.limits.word {
            self.skip = Some(Skip::Word);
            return Some(end);
        }
        match text.get(end) {
            None if !last => None,
            Some(b'-' | b'/' | 0xe2) => {
                let Some(end) = word_end(text, at, last) else {
                    return self.word_without_end(text, at, visitor);
                };
                Some(self.odd_word(&text[at..end], text, at, end, visitor))
            }
            _ => {
                // Engines write a null move so.
                if &text[at..end] == b"0000" {
                    self.ply(&text[at..end], text, at, visitor);
                }
                Some(end)
            }
        }
    }

    #[inline]
    fn ply(&mut self, word: &[u8], text: &[u8], at: usize, visitor: &mut impl Visitor) {
        if self.phase != Phase::Moves {
            if self.phase == Phase::Outside && !looks_like_move(word) {
                self.problem(ProblemKind::Garbage, text, at, visitor);
                self.skip = Some(Skip::Line);
                return;
            }
            self.open_moves(text, at, visitor);
        }
        visitor.ply(word, self.at(text, at));
    }

    /// More text is needed, unless there is already too much for a word.
    #[cold]
    fn word_without_end(&mut self, text: &[u8], at: usize, visitor: &mut impl Visitor) -> Reached {
        // The four bytes more are those that decide whether `e8(Q)` is one word.
        (text.len() - at > self.limits.word + 4).then(|| self.long_word(text, at, visitor))
    }

    fn long_word(&mut self, text: &[u8], at: usize, visitor: &mut impl Visitor) -> usize {
        if self.phase == Phase::Outside {
            self.problem(ProblemKind::Garbage, text, at, visitor);
        } else {
            self.open_moves(text, at, visitor);
            self.problem(ProblemKind::TooMuch(TooMuch::Word), text, at, visitor);
            // An empty word is no move: the line ends here, as it does at any other nonsense.
            visitor.ply(b"", self.at(text, at));
        }
        self.skip = Some(Skip::Word);
        at
    }

    /// Results, glyphs in signs, marks of en passant that stand alone; all else is taken for a move.
    fn odd_word(
        &mut self,
        word: &[u8],
        text: &[u8],
        at: usize,
        end: usize,
        visitor: &mut impl Visitor,
    ) -> usize {
        if word.len() > self.limits.word {
            return self.long_word(text, at, visitor);
        }
        if let Some(result) = GameResult::parse(word) {
            self.result(result, text, at, visitor);
        } else if let Some(nag) = Nag::from_sign(word) {
            self.nag(nag, text, at, visitor);
        } else if !matches!(word, b"e.p." | b"e.p" | b"ep" | b"ep.") {
            self.ply(word, text, at, visitor);
        }
        end
    }

    /// `!`, `?`, `!!`, `??`, `!?`, `?!`.
    pub(super) fn suffix(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let sign = match (text.get(at + 1), last) {
            (None, false) => return None,
            (Some(b'!' | b'?'), _) => &text[at..at + 2],
            _ => &text[at..=at],
        };
        if let Some(nag) = Nag::from_sign(sign) {
            self.nag(nag, text, at, visitor);
        }
        Some(at + sign.len())
    }

    /// `$` and a number from 0 to 255.
    pub(super) fn glyph_number(
        &mut self,
        text: &[u8],
        at: usize,
        last: bool,
        visitor: &mut impl Visitor,
    ) -> Reached {
        let digits = text[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = at + 1 + digits;
        if digits > self.limits.word {
            self.skip = Some(Skip::Word);
        } else if end == text.len() && !last {
            return None;
        }
        let number = std::str::from_utf8(&text[at + 1..end]).ok().and_then(|n| n.parse().ok());
        match number {
            Some(number) => self.nag(Nag(number), text, at, visitor),
            None => self.problem(ProblemKind::Nag, text, at, visitor),
        }
        Some(end)
    }
}

/// Where the word ends; `None` if that cannot be seen yet.
#[inline]
fn word_end(text: &[u8], at: usize, last: bool) -> Reached {
    let mut end = at;
    while let Some(&byte) = text.get(end) {
        if ends_word(byte) {
            return if byte == b'(' { after_promotion(text, at, end, last) } else { Some(end) };
        }
        end += 1;
    }
    last.then_some(end)
}

/// `e8(Q)` is one word: a variation of one letter does not exist.
#[cold]
fn after_promotion(text: &[u8], at: usize, bracket: usize, last: bool) -> Reached {
    if bracket == at || !matches!(text[bracket - 1], b'1' | b'8') {
        return Some(bracket);
    }
    match text.get(bracket + 1..bracket + 3) {
        None if !last => None,
        Some([b'A'..=b'Z', b')']) => {
            let rest = &text[bracket + 3..];
            match rest.iter().position(|&byte| ends_word(byte)) {
                Some(length) => Some(bracket + 3 + length),
                None => last.then_some(text.len()),
            }
        }
        _ => Some(bracket),
    }
}

fn looks_like_move(word: &[u8]) -> bool {
    LanguageSet::ALL.iter().any(|language| Written::parse(word, language).is_some())
}
