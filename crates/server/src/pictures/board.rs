//! A diagram: which piece stands where, and how that is written as SVG.

use std::fmt::Write as _;

use super::pieces::{Shape, shapes};

/// The length of a square's side in the drawing.
pub(super) const SQUARE: u16 = 45;
pub(super) const LIGHT: &str = "#f0dfc0";
pub(super) const DARK: &str = "#b58a5f";
pub(super) const LIGHT_LAST: &str = "#d6d67c";
pub(super) const DARK_LAST: &str = "#a8a344";

/// The colours of a piece: the body, its edge, and what is drawn on it.
pub(super) struct Ink {
    pub(super) body: &'static str,
    pub(super) edge: &'static str,
    pub(super) detail: &'static str,
}

const WHITE: Ink = Ink { body: "#ffffff", edge: "#26221e", detail: "#26221e" };
const BLACK: Ink = Ink { body: "#3a3531", edge: "#171411", detail: "#e9e2d6" };

/// A position to be drawn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Diagram {
    /// Letters of the pieces, from the top left of the picture on; 0 for an empty square.
    squares: [u8; 64],
    marked: [bool; 64],
}

impl Diagram {
    /// Reads the first part of a FEN. It need not be a position of chess: every placement can be drawn.
    pub(super) fn read(fen: &str, from_black: bool, last: Option<&str>) -> Option<Diagram> {
        let placement = fen.split_ascii_whitespace().next().filter(|text| text.len() <= 100)?;
        // Pieces in hand stand behind the board in some variants.
        let placement = placement.split('[').next()?;
        let mut diagram = Diagram { squares: [0; 64], marked: [false; 64] };
        let mut ranks = 0;
        for (row, rank) in placement.split('/').enumerate() {
            let mut column = 0;
            for letter in rank.bytes().filter(|letter| *letter != b'~') {
                if let b'1'..=b'8' = letter {
                    column += usize::from(letter - b'0');
                } else {
                    shapes(letter)?;
                    *diagram.squares.get_mut(row * 8 + column).filter(|_| column < 8)? = letter;
                    column += 1;
                }
            }
            if column != 8 {
                return None;
            }
            ranks += 1;
        }
        if ranks != 8 {
            return None;
        }
        for square in last.map(squares_of).into_iter().flatten() {
            diagram.marked[square] = true;
        }
        if from_black {
            diagram.squares.reverse();
            diagram.marked.reverse();
        }
        Some(diagram)
    }

    /// Every square: column, row, its colour, and the piece on it with its colours.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0_u16..).zip(&self.squares).zip(&self.marked).map(|((at, piece), marked)| {
            let (column, row) = (at % 8, at / 8);
            let is_dark = (column + row) % 2 == 1;
            let color = match (is_dark, marked) {
                (false, false) => LIGHT,
                (true, false) => DARK,
                (false, true) => LIGHT_LAST,
                (true, true) => DARK_LAST,
            };
            let ink = if piece.is_ascii_uppercase() { &WHITE } else { &BLACK };
            Cell { column, row, color, piece: shapes(*piece).map(|shapes| (shapes, ink)) }
        })
    }

    /// The diagram as SVG, with nothing from outside.
    pub(super) fn to_svg(&self) -> String {
        let size = SQUARE * 8;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"{size}\" height=\"{size}\">\n"
        );
        for cell in self.cells() {
            cell.write(&mut svg).expect("a String takes every text");
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// A square of the picture.
pub(super) struct Cell {
    pub(super) column: u16,
    pub(super) row: u16,
    pub(super) color: &'static str,
    pub(super) piece: Option<(&'static [Shape], &'static Ink)>,
}

impl Cell {
    fn write(&self, svg: &mut String) -> std::fmt::Result {
        let (x, y) = (self.column * SQUARE, self.row * SQUARE);
        let color = self.color;
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{color}\"/>"
        )?;
        let Some((shapes, Ink { body, edge, detail })) = self.piece else { return Ok(()) };
        writeln!(
            svg,
            "<g transform=\"translate({x} {y})\" fill=\"{body}\" stroke=\"{edge}\" stroke-width=\"1.4\" stroke-linejoin=\"round\">"
        )?;
        for shape in shapes {
            match shape {
                Shape::Outline(path) => writeln!(svg, "<path d=\"{path}\"/>")?,
                Shape::Disc(x, y, r) => writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")?,
                Shape::Line(path) => {
                    writeln!(
                        svg,
                        "<path d=\"{path}\" fill=\"none\" stroke=\"{detail}\" stroke-linecap=\"round\"/>"
                    )?;
                }
                Shape::Dot(x, y, r) => {
                    writeln!(
                        svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{detail}\" stroke=\"none\"/>"
                    )?;
                }
            }
        }
        svg.write_str("</g>\n")
    }
}

/// The squares of a move as they lie in a picture from White's side; none for what is no move.
fn squares_of(text: &str) -> Vec<usize> {
    let square = |pair: &[u8]| match pair {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(usize::from(b'8' - rank) * 8 + usize::from(file - b'a'))
        }
        _ => None,
    };
    let bytes = text.as_bytes();
    [bytes.get(..2), bytes.get(2..4)].into_iter().flatten().filter_map(square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_picture_shows_every_piece_and_marks_the_last_move() {
        let diagram = Diagram::read(START, false, Some("e2e4")).unwrap();
        let svg = diagram.to_svg();
        assert_eq!(svg.matches("<rect").count(), 64);
        assert_eq!(svg.matches("<g ").count(), 32);
        assert_eq!(svg.matches(LIGHT_LAST).count() + svg.matches(DARK_LAST).count(), 2);
        let turned = Diagram::read(START, true, None).unwrap();
        assert_eq!((turned.squares[0], turned.squares[3]), (b'R', b'K'));
    }

    #[test]
    fn a_text_that_is_no_board_is_refused() {
        for text in [
            "",
            "8",
            "8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "9/8/8/8/8/8/8/8",
            "x7/8/8/8/8/8/8/8",
            "44/8/8/8/8/8/8/7",
            "ppppppppp/8/8/8/8/8/8/8",
            "<script>/8/8/8/8/8/8/8",
        ] {
            assert_eq!(Diagram::read(text, false, None), None, "{text}");
        }
        assert!(Diagram::read("8/8/8/8/8/8/8/8", false, Some("<b>")).is_some());
    }
}
