//! Bytes to text: UTF-8, Windows-1252 (and with it Latin-1) and UTF-16.
//!
//! UTF-16 is turned into UTF-8 before anything is read. Between UTF-8 and Windows-1252 each value decides for
//! itself, because files put together from many sources mix them.

use std::borrow::Cow;

/// Windows-1252 where it differs from Latin-1; the five bytes it leaves open stay control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Text as UTF-8 if it is valid, otherwise as Windows-1252.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| windows_1252(byte)).collect()),
    }
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The longest beginning of `bytes` of at most `most` bytes that does not cut a UTF-8 character.
pub(super) fn cut(bytes: &[u8], most: usize) -> &[u8] {
    let most = most.min(bytes.len());
    let is_continuation = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let begin = (most.saturating_sub(3)..=most).rev().find(|&at| !is_continuation(at));
    // Where no character begins there is no UTF-8 to spare.
    match begin {
        Some(at) if bytes.get(at).is_some_and(|&byte| byte >= 0xc0) => &bytes[..at],
        _ => &bytes[..most],
    }
}

/// Takes the byte order mark off and turns UTF-16 into UTF-8, chunk by chunk.
#[derive(Debug, Clone, Default)]
pub(super) struct Decoder {
    form: Option<Form>,
    /// The first bytes, until there are enough to know the form; later an odd byte of UTF-16.
    held: Vec<u8>,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Bytes,
    Utf16 { little: bool },
}

/// Enough to see a byte order mark, or the zero bytes of UTF-16 without one.
const ENOUGH: usize = 4;

impl Decoder {
    /// The chunk in a form that can be scanned.
    pub(super) fn decode<'a>(&mut self, chunk: &'a [u8], last: bool) -> Cow<'a, [u8]> {
        match self.form {
            Some(Form::Bytes) => Cow::Borrowed(chunk),
            Some(Form::Utf16 { little }) => Cow::Owned(self.transcode(chunk, little, last)),
            None if self.held.is_empty() && chunk.len() >= ENOUGH => {
                let (form, mark) = detect(chunk);
                self.form = Some(form);
                self.decode(&chunk[mark..], last)
            }
            None => {
                self.held.extend_from_slice(chunk);
                if self.held.len() < ENOUGH && !last {
                    return Cow::Borrowed(&[]);
                }
                let held = std::mem::take(&mut self.held);
                let (form, mark) = detect(&held);
                self.form = Some(form);
                Cow::Owned(self.decode(&held[mark..], last).into_owned())
            }
        }
    }

    fn transcode(&mut self, chunk: &[u8], little: bool, last: bool) -> Vec<u8> {
        let mut text = Vec::with_capacity(chunk.len());
        for &byte in chunk {
            self.held.push(byte);
            if let [first, second] = self.held[..] {
                let pair = [first, second];
                let unit = if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) };
                self.held.clear();
                self.unit(unit, &mut text);
            }
        }
        if last && (self.high.take().is_some() || !self.held.is_empty()) {
            push(char::REPLACEMENT_CHARACTER, &mut text);
        }
        text
    }

    fn unit(&mut self, unit: u16, text: &mut Vec<u8>) {
        let units = self.high.take().into_iter().chain([unit]);
        if (0xd800..0xdc00).contains(&unit) {
            if units.count() > 1 {
                push(char::REPLACEMENT_CHARACTER, text);
            }
            self.high = Some(unit);
            return;
        }
        for decoded in char::decode_utf16(units) {
            push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER), text);
        }
    }
}

fn push(character: char, text: &mut Vec<u8>) {
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The form of a file and the length of its byte order mark.
fn detect(beginning: &[u8]) -> (Form, usize) {
    match beginning {
        [0xef, 0xbb, 0xbf, ..] => (Form::Bytes, 3),
        [0xff, 0xfe, ..] => (Form::Utf16 { little: true }, 2),
        [0xfe, 0xff, ..] => (Form::Utf16 { little: false }, 2),
        [a, 0, b, 0, ..] if *a > 0 && *b > 0 => (Form::Utf16 { little: true }, 0),
        [0, a, 0, b, ..] if *a > 0 && *b > 0 => (Form::Utf16 { little: false }, 0),
        _ => (Form::Bytes, 0),
    }
}
