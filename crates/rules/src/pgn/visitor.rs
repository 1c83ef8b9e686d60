//! What a reader without a board tells, in the order of the file.

use super::encoding::decode;
use super::{At, GameResult, Nag, Problem};
use std::borrow::Cow;

/// Is told the parts of each game. Every method may be left out.
///
/// A game is `begin_game`, its tags, `begin_moves`, its move text, `end_game`; comments may stand before the tags,
/// and a problem may be told anywhere, outside games too. Variations are always closed before `end_game`.
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self, _at: At<'_>) {}
    /// A tag pair.
    fn tag(&mut self, _name: &[u8], _value: RawValue<'_>, _at: At<'_>) {}
    /// The tags are over.
    fn begin_moves(&mut self) {}
    /// A move as it is written, without annotation glyphs. It may be nonsense: no board was asked.
    fn ply(&mut self, _text: &[u8], _at: At<'_>) {}
    /// An annotation glyph.
    fn nag(&mut self, _nag: Nag) {}
    /// A comment.
    fn comment(&mut self, _text: RawText<'_>, _at: At<'_>) {}
    /// A variation to the last move begins.
    fn begin_variation(&mut self, _at: At<'_>) {}
    /// The variation is over.
    fn end_variation(&mut self) {}
    /// The result that closes the move text.
    fn result(&mut self, _result: GameResult, _at: At<'_>) {}
    /// Something is wrong.
    fn problem(&mut self, _problem: Problem) {}
    /// The game is over.
    fn end_game(&mut self) {}
}

/// A comment as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawText<'a>(pub &'a [u8]);

impl<'a> RawText<'a> {
    /// The text, from UTF-8 or else from Windows-1252.
    pub fn decode(self) -> Cow<'a, str> {
        decode(self.0)
    }
}

/// A tag value as it stands in the file, between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawValue<'a>(pub &'a [u8]);

impl<'a> RawValue<'a> {
    /// The value: backslashes resolved, control characters as spaces, from UTF-8 or else from Windows-1252.
    pub fn decode(self) -> Cow<'a, str> {
        let text = decode(self.0);
        // Folded without a branch, so that the compiler looks at many bytes at once.
        let is_odd = |byte: u8| byte == b'\\' || !(b' '..0x7f).contains(&byte);
        if !self.0.iter().fold(false, |odd, &byte| odd | is_odd(byte)) {
            return text;
        }
        let mut value = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(mut character) = characters.next() {
            if character == '\\' {
                character = characters.next_if(|&next| next == '"' || next == '\\').unwrap_or('\\');
            }
            value.push(if character.is_control() { ' ' } else { character });
        }
        Cow::Owned(value)
    }
}
