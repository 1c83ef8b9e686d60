//! What the text of a move says by itself, before a board is asked.

use super::Language;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

/// The text of a move, taken apart.
///
/// Check signs, annotation glyphs, `x` and `e.p.` are not kept: the board knows better, and people forget them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Written {
    /// A move of a piece to a square.
    Normal {
        /// The piece; `None` for bare coordinates as in `g1f3`.
        role: Option<Role>,
        /// The file it comes from, if told.
        file: Option<File>,
        /// The rank it comes from, if told.
        rank: Option<Rank>,
        /// Where it goes.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// Castling, in any of its spellings.
    Castle(CastlingSide),
    /// A placement of `ChessDefender`, `N@c2`.
    Put {
        /// The piece that is placed.
        role: Role,
        /// Where it is placed.
        to: Square,
    },
    /// `--`, `Z0` or `0000`: a pass of `ChessDefender`, a null move in analysis.
    Null,
}

impl Written {
    /// Takes the text of a move apart; `None` if it has no such form in this language.
    pub fn parse(text: &[u8], language: Language) -> Option<Written> {
        let text = without_suffix(text);
        let (&first, after) = text.split_first()?;
        let (role, rest) = match first {
            b'a'..=b'h' => (None, text),
            b'O' | b'0' | b'o' => return castling(text),
            b'Z' if after == b"0" => return Some(Written::Null),
            b'-' if after == b"-" => return Some(Written::Null),
            b'@' => (Some(Role::Pawn), text),
            b'A'..=b'Z' => (Some(language.role(first)?), after),
            _ => {
                let (role, rest) = figurine(text)?;
                (Some(role), rest)
            }
        };
        if let [b'@', square @ ..] = rest {
            let to = Square::from_ascii(square).ok()?;
            return Some(Written::Put { role: role?, to });
        }
        squares(role, rest, language)
    }
}

/// Reads `f3`, `bd7`, `1e2`, `xd5`, `g1-f3`, `e8=Q` and the like after the piece letter.
#[inline]
fn squares(role: Option<Role>, text: &[u8], language: Language) -> Option<Written> {
    let mut at = 0;
    let first_file = text.first().and_then(|&byte| file(byte));
    at += usize::from(first_file.is_some());
    let first_rank = text.get(at).and_then(|&byte| rank(byte));
    at += usize::from(first_rank.is_some());
    let sign = sign_length(&text[at..]);
    at += sign;

    let written = |role, file, rank, to, rest: &[u8]| {
        let promotion = if rest.is_empty() { None } else { Some(promotion(rest, language)?) };
        Some(Written::Normal { role, file, rank, to, promotion })
    };
    if let Some(to_file) = text.get(at).and_then(|&byte| file(byte)) {
        let to_rank = text.get(at + 1).and_then(|&byte| rank(byte))?;
        let to = Square::from_coords(to_file, to_rank);
        // Only a full pair of squares can do without the piece; `exd5` and `ed5` are pawn captures.
        let bare = role.is_none() && first_rank.is_some();
        let role = if bare { None } else { role.or(Some(Role::Pawn)) };
        if bare && first_file.is_none() {
            return None;
        }
        written(role, first_file, first_rank, to, &text[at + 2..])
    } else {
        let to = Square::from_coords(first_file?, first_rank?);
        let role = role.or(Some(Role::Pawn));
        // `a1-` is no move, and a promotion never begins with a capture sign.
        if sign > 0 {
            return None;
        }
        written(role, None, None, to, &text[at..])
    }
}

#[inline]
fn file(byte: u8) -> Option<File> {
    let at = byte.wrapping_sub(b'a');
    (at < 8).then(|| File::new(u32::from(at)))
}

#[inline]
fn rank(byte: u8) -> Option<Rank> {
    let at = byte.wrapping_sub(b'1');
    (at < 8).then(|| Rank::new(u32::from(at)))
}

/// The length of a capture sign or of the hyphen of long algebraic notation.
fn sign_length(text: &[u8]) -> usize {
    match text {
        [b'x' | b'X' | b'-' | b':', ..] => 1,
        _ if text.starts_with("×".as_bytes()) => 2,
        _ => dash_length(text),
    }
}

fn dash_length(text: &[u8]) -> usize {
    match text {
        [b'-', ..] => 1,
        [0xe2, 0x80, 0x90..=0x95, ..] => 3,
        _ => 0,
    }
}

/// Reads `=Q`, `Q`, `(Q)`, `/Q`, `=♕` and the `q` of UCI.
fn promotion(text: &[u8], language: Language) -> Option<Role> {
    let letter = match text {
        [b'(', inner @ .., b')'] | [b'=' | b'/', inner @ ..] => inner,
        _ => text,
    };
    match letter {
        [upper @ b'A'..=b'Z'] => language.role(*upper),
        [b'q'] => Some(Role::Queen),
        [b'r'] => Some(Role::Rook),
        [b'b'] => Some(Role::Bishop),
        [b'n'] => Some(Role::Knight),
        _ => figurine(letter).filter(|(_, rest)| rest.is_empty()).map(|(role, _)| role),
    }
}

/// Reads one of ♔ to ♟, with a variation selector if there is one.
fn figurine(text: &[u8]) -> Option<(Role, &[u8])> {
    const ORDER: [Role; 6] =
        [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let [0xe2, 0x99, last @ 0x94..=0x9f, rest @ ..] = text else { return None };
    let role = ORDER[usize::from(last - 0x94) % 6];
    let rest = rest.strip_prefix("\u{fe0e}".as_bytes()).unwrap_or(rest);
    Some((role, rest))
}

/// Reads `O-O`, `0-0-0`, `o-o`, `OO` and so on; UCI's `0000` is a null move.
fn castling(text: &[u8]) -> Option<Written> {
    if text == b"0000" {
        return Some(Written::Null);
    }
    let (mut rings, mut rest) = (0, text);
    while let [b'O' | b'0' | b'o', after @ ..] = rest {
        rings += 1;
        rest = after;
        let dash = dash_length(rest);
        if dash == rest.len() && dash > 0 {
            return None;
        }
        rest = &rest[dash..];
    }
    match (rings, rest) {
        (2, []) => Some(Written::Castle(CastlingSide::KingSide)),
        (3, []) => Some(Written::Castle(CastlingSide::QueenSide)),
        _ => None,
    }
}

/// The text without check signs, annotation glyphs and marks of en passant.
#[inline]
fn without_suffix(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., b'+' | b'#' | b'!' | b'?' | b'.']
            | [rest @ .., b'e', b'.', b'p']
            | [rest @ .., b'e', b'p'] => rest,
            _ => return text,
        };
    }
}
