//! The pieces of the pictures: our own drawing, in a square of 45 by 45.

/// A part of a piece.
pub(super) enum Shape {
    /// A filled outline: `M`, `L`, `C` and `Z` with absolute places.
    Outline(&'static str),
    /// A filled disc: its middle and its radius.
    Disc(f32, f32, f32),
    /// A thin line in the other colour.
    Line(&'static str),
    /// A dot in the other colour.
    Dot(f32, f32, f32),
}

use Shape::{Disc, Dot, Line, Outline};

const BASE: Shape =
    Outline("M10.5 40 L10.5 37.5 C10.5 36 12 35 14 35 L31 35 C33 35 34.5 36 34.5 37.5 L34.5 40 Z");

const PAWN: [Shape; 4] = [
    Outline("M17 35 C18.5 30 19.5 26 19.5 22 L25.5 22 C25.5 26 26.5 30 28 35 Z"),
    Outline("M16.5 22 C16.5 20.5 18 19.5 19.5 19.5 L25.5 19.5 C27 19.5 28.5 20.5 28.5 22 Z"),
    Disc(22.5, 14.5, 5.4),
    BASE,
];
const ROOK: [Shape; 4] = [
    Outline("M15 35 L16.5 19 L28.5 19 L30 35 Z"),
    Outline(
        "M13 19 L12 8.5 L16.5 8.5 L16.5 11.5 L20.3 11.5 L20.3 8.5 L24.7 8.5 L24.7 11.5 L28.5 11.5 L28.5 8.5 L33 8.5 L32 19 Z",
    ),
    BASE,
    Line("M14.5 19 L30.5 19"),
];
const KNIGHT: [Shape; 4] = [
    Outline(
        "M16 35 C16 29.5 18.5 26.5 21.5 23 C18.5 23.8 16.5 25.2 14.8 27.2 C13.8 28.3 11.2 27.4 11 25.4 C10.8 23 13.2 20.2 14.3 17.4 C15 15.4 15.4 13.2 17 11.6 L16.6 7 L20.6 10.2 C28.4 10.4 33.4 17.6 32.2 27 C31.8 30 31.2 32.6 31.2 35 Z",
    ),
    BASE,
    Dot(19.2, 15.6, 1.2),
    Line("M25.4 13.4 C29 16.6 30 22 29 28"),
];
const BISHOP: [Shape; 5] = [
    Outline("M17 35 C19 32.5 19.3 30.5 18.8 28.5 L26.2 28.5 C25.7 30.5 26 32.5 28 35 Z"),
    Outline(
        "M22.5 9 C27.6 12.4 30.6 17 30 21.6 C29.6 24.6 28 27 26.2 28.5 L18.8 28.5 C17 27 15.4 24.6 15 21.6 C14.4 17 17.4 12.4 22.5 9 Z",
    ),
    Disc(22.5, 7.4, 2.3),
    BASE,
    Line("M22.5 14.5 L22.5 23 M18.8 18.6 L26.2 18.6"),
];
const QUEEN: [Shape; 8] = [
    Outline(
        "M13.6 35 C13.4 30 11.2 24 8.4 17 L15.4 24.6 L16.2 13 L22.5 23.4 L28.8 13 L29.6 24.6 L36.6 17 C33.8 24 31.6 30 31.4 35 Z",
    ),
    Disc(7.8, 15.0, 2.2),
    Disc(15.8, 10.8, 2.2),
    Disc(29.2, 10.8, 2.2),
    Disc(37.2, 15.0, 2.2),
    Disc(22.5, 18.6, 2.2),
    BASE,
    Line("M14.4 31 C19 29.8 26 29.8 30.6 31"),
];
const KING: [Shape; 5] = [
    Outline(
        "M20.9 4.5 L24.1 4.5 L24.1 7.6 L27.2 7.6 L27.2 10.8 L24.1 10.8 L24.1 15 L20.9 15 L20.9 10.8 L17.8 10.8 L17.8 7.6 L20.9 7.6 Z",
    ),
    Outline(
        "M14 35 C13.4 32 12 30 10.2 27.6 C7.4 23.6 8.6 18.6 12.8 17.2 C16.8 15.8 20.6 18 22.5 22 C24.4 18 28.2 15.8 32.2 17.2 C36.4 18.6 37.6 23.6 34.8 27.6 C33 30 31.6 32 31 35 Z",
    ),
    Outline("M22.5 13.4 C25 15.4 25.4 18.6 22.5 22 C19.6 18.6 20 15.4 22.5 13.4 Z"),
    BASE,
    Line("M14.4 31 C19 29.8 26 29.8 30.6 31"),
];

/// The parts of a piece by its letter in a FEN, in the order in which they are painted.
pub(super) fn shapes(letter: u8) -> Option<&'static [Shape]> {
    Some(match letter.to_ascii_lowercase() {
        b'p' => &PAWN,
        b'r' => &ROOK,
        b'n' => &KNIGHT,
        b'b' => &BISHOP,
        b'q' => &QUEEN,
        b'k' => &KING,
        _ => return None,
    })
}
