//! The same diagram in dots.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use super::board::{Diagram, Ink, SQUARE};
use super::pieces::Shape;

impl Diagram {
    /// The diagram as PNG of so many dots a side; none if there is no memory for it.
    pub(super) fn to_png(&self, size: u32) -> Option<Vec<u8>> {
        let mut picture = Pixmap::new(size, size)?;
        // At most 1024: every number here is exact.
        let scale = f32::from(u16::try_from(size).ok()?) / f32::from(SQUARE * 8);
        let whole = Transform::from_scale(scale, scale);
        for cell in self.cells() {
            let (x, y) = (f32::from(cell.column * SQUARE), f32::from(cell.row * SQUARE));
            let side = f32::from(SQUARE);
            let square = Rect::from_xywh(x, y, side, side)?;
            picture.fill_rect(square, &paint(cell.color), whole, None);
            if let Some((shapes, ink)) = cell.piece {
                let place = whole.pre_translate(x, y);
                shapes.iter().try_for_each(|shape| draw(&mut picture, shape, ink, place))?;
            }
        }
        picture.encode_png().ok()
    }
}

fn draw(picture: &mut Pixmap, shape: &Shape, ink: &Ink, place: Transform) -> Option<()> {
    let edge = Stroke {
        width: 1.4,
        line_join: LineJoin::Round,
        line_cap: LineCap::Round,
        ..Stroke::default()
    };
    let mut fill = |path: &Path, color: &str| {
        picture.fill_path(path, &paint(color), FillRule::Winding, place, None);
    };
    let (path, color) = match shape {
        Shape::Outline(text) => (outline(text)?, ink.edge),
        Shape::Disc(x, y, r) => (PathBuilder::from_circle(*x, *y, *r)?, ink.edge),
        Shape::Line(text) => (outline(text)?, ink.detail),
        Shape::Dot(x, y, r) => {
            fill(&PathBuilder::from_circle(*x, *y, *r)?, ink.detail);
            return Some(());
        }
    };
    if !matches!(shape, Shape::Line(_)) {
        fill(&path, ink.body);
    }
    picture.stroke_path(&path, &paint(color), &edge, place, None);
    Some(())
}

fn paint(color: &str) -> Paint<'static> {
    let part = |at: usize| color.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    let parts = [part(1), part(3), part(5)].map(|part| part.unwrap_or(0));
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(parts[0], parts[1], parts[2], 255));
    paint
}

/// A path out of our own drawing: letters and numbers with spaces between them.
fn outline(text: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let words = text.split(' ').filter(|word| !word.is_empty());
    let mut verb = ' ';
    let mut numbers: Vec<f32> = Vec::with_capacity(6);
    for word in words {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        if digits.len() < word.len() {
            verb = word.chars().next()?;
            numbers.clear();
        }
        if verb == 'Z' {
            path.close();
            continue;
        }
        numbers.push(digits.parse().ok()?);
        match (verb, &numbers[..]) {
            ('M', [x, y]) => path.move_to(*x, *y),
            ('L', [x, y]) => path.line_to(*x, *y),
            ('C', [x1, y1, x2, y2, x, y]) => path.cubic_to(*x1, *y1, *x2, *y2, *x, *y),
            _ => continue,
        }
        numbers.clear();
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::pieces::shapes;

    #[test]
    fn every_piece_can_be_painted() {
        for letter in b"pnbrqk" {
            for shape in shapes(*letter).unwrap() {
                if let Shape::Outline(text) | Shape::Line(text) = shape {
                    assert!(outline(text).is_some(), "{text}");
                }
            }
        }
        let diagram = Diagram::read("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR", false, None).unwrap();
        let png = diagram.to_png(64).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        assert!(png.len() > 500);
    }
}
