//! Comments in and out: plain text, and the values that programs write as `[%clk 0:05:00]`.

use super::{Brush, Eval, Notes, Score};
use crate::units::Millis;
use shakmaty::Square;
use std::fmt::Write as _;

impl Notes {
    /// Adds a comment as it stands in a file: values are taken out, white space is made single spaces.
    ///
    /// The second value of a kind stays in the text, and so does one that cannot be read.
    pub fn add_comment(&mut self, text: &str) {
        let text = self.take_leading_values(text);
        if text.is_empty() {
            return;
        }
        let mut text = single_spaced(text);
        // Taking a value out may bring the two halves of another together. Each kind is taken once, so this ends.
        while let Some(rest) = self.take_values(&text) {
            text = single_spaced(&rest);
        }
        if !text.is_empty() {
            self.comments.push(text);
        }
    }

    /// Takes the values at the beginning, which is where programs put them, and gives the rest.
    fn take_leading_values<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text.trim_ascii();
        while let Some(inner) = rest.strip_prefix("[%") {
            let Some(end) = memchr::memchr(b']', inner.as_bytes()) else { break };
            if !self.take_value(&inner[..end]) {
                break;
            }
            rest = inner[end + 1..].trim_ascii_start();
        }
        rest
    }

    /// The text with a space in place of each value, if there was any.
    fn take_values(&mut self, text: &str) -> Option<String> {
        let mut rest = text;
        let mut kept = String::with_capacity(text.len());
        let mut took = false;
        while let Some(begin) = rest.find("[%") {
            kept.push_str(&rest[..begin]);
            let inner = &rest[begin + 2..];
            match inner.find(']') {
                Some(end) if self.take_value(&inner[..end]) => {
                    kept.push(' ');
                    rest = &inner[end + 1..];
                    took = true;
                }
                _ => {
                    kept.push_str("[%");
                    rest = inner;
                }
            }
        }
        kept.push_str(rest);
        took.then_some(kept)
    }

    fn take_value(&mut self, text: &str) -> bool {
        let Some(space) = text.bytes().position(|byte| byte == b' ') else { return false };
        let (name, value) = (&text[..space], text[space..].trim_ascii());
        match name {
            "clk" => take(&mut self.clock, parse_time(value)),
            "emt" => take(&mut self.elapsed, parse_time(value)),
            "eval" => take(&mut self.eval, parse_eval(value)),
            "csl" => take_list(&mut self.squares, value, |text| {
                let (brush, square) = parse_brush(text)?;
                Some((brush, square.parse().ok()?))
            }),
            "cal" => take_list(&mut self.arrows, value, |text| {
                let (brush, squares) = parse_brush(text)?;
                let (from, to) = squares.split_at_checked(2)?;
                Some((brush, from.parse().ok()?, to.parse().ok()?))
            }),
            _ => false,
        }
    }

    /// The values as they are written, with a space between them; empty if there are none.
    pub(super) fn values(&self) -> String {
        let mut text = String::new();
        let mut add = |value: std::fmt::Arguments<'_>| {
            let space = if text.is_empty() { "" } else { " " };
            write!(text, "{space}[%{value}]").expect("a string takes all text");
        };
        if let Some(eval) = self.eval {
            add(format_args!("eval {}", eval_text(eval)));
        }
        if let Some(clock) = self.clock {
            add(format_args!("clk {}", time_text(clock)));
        }
        if let Some(elapsed) = self.elapsed {
            add(format_args!("emt {}", time_text(elapsed)));
        }
        if !self.squares.is_empty() {
            let shapes = self.squares.iter().map(|(brush, at)| format!("{}{at}", brush.letter()));
            add(format_args!("csl {}", shapes.collect::<Vec<_>>().join(",")));
        }
        if !self.arrows.is_empty() {
            let shape = |(brush, from, to): &(Brush, Square, Square)| {
                format!("{}{from}{to}", brush.letter())
            };
            let shapes: Vec<_> = self.arrows.iter().map(shape).collect();
            add(format_args!("cal {}", shapes.join(",")));
        }
        text
    }
}

fn take<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let fits = place.is_none() && value.is_some();
    if fits {
        *place = value;
    }
    fits
}

fn take_list<T>(place: &mut Vec<T>, text: &str, parse: impl Fn(&str) -> Option<T>) -> bool {
    if !place.is_empty() {
        return false;
    }
    let shapes: Option<Vec<T>> = text.split(',').map(|shape| parse(shape.trim())).collect();
    shapes.map(|shapes| *place = shapes).is_some()
}

/// Words with one space between them.
pub(super) fn single_spaced(text: &str) -> String {
    // Most comments are plain already.
    let mut last = b' ';
    let is_plain = |byte: u8| {
        let plain = byte > b' ' && byte < 0x7f || byte == b' ' && last != b' ';
        last = byte;
        plain
    };
    if text.bytes().all(is_plain) {
        return text.trim_end_matches(' ').to_owned();
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty())
    {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

/// Reads `h:mm:ss` with up to three decimals. Files with clocks have one at every move, so it is done in one pass.
fn parse_time(text: &str) -> Option<Millis> {
    // Hours, minutes, seconds, thousandths: each its number and how many digits it had.
    let mut parts = [(0_i64, 0_usize); 4];
    let mut at = 0;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => {
                let (number, length) = &mut parts[at];
                *number = *number * 10 + i64::from(byte - b'0');
                *length += 1;
                if *length > [6, 2, 2, 3][at] {
                    return None;
                }
            }
            b':' if at < 2 => at += 1,
            b'.' if at == 2 => at += 1,
            _ => return None,
        }
    }
    let [(hours, 1..), (minutes, 1..), (seconds, 1..), (fraction, length)] = parts else {
        return None;
    };
    if at == 3 && length == 0 {
        return None;
    }
    let millis = fraction * [0, 100, 10, 1][length];
    Some(Millis((hours * 3600 + minutes * 60 + seconds) * 1000 + millis))
}

fn digits(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn time_text(time: Millis) -> String {
    let (seconds, millis) = (time.at_least_zero().0 / 1000, time.at_least_zero().0 % 1000);
    let mut text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if millis > 0 {
        let fraction = format!(".{millis:03}");
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

/// Reads `0.17`, `-1.5,20`, `#5`, `#-3`.
fn parse_eval(text: &str) -> Option<Eval> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(digits(depth.trim())?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => Score::Mate(signed(moves, digits)?),
        None => Score::Centipawns(signed(score, hundredths)?),
    };
    Some(Eval { score, depth })
}

fn signed(text: &str, parse: impl Fn(&str) -> Option<u32>) -> Option<i32> {
    let size = |text| i32::try_from(parse(text)?).ok();
    match text.strip_prefix('-') {
        Some(text) => Some(-size(text)?),
        None => size(text.strip_prefix('+').unwrap_or(text)),
    }
}

fn hundredths(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let scale = match fraction.len() {
        1 => 10,
        2 => 1,
        _ => return None,
    };
    digits(whole)?.checked_mul(100)?.checked_add(digits(fraction)? * scale)
}

fn eval_text(eval: Eval) -> String {
    let mut text = match eval.score {
        Score::Mate(moves) => format!("#{moves}"),
        Score::Centipawns(score) => {
            let (sign, size) = (if score < 0 { "-" } else { "" }, score.unsigned_abs());
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
    };
    if let Some(depth) = eval.depth {
        write!(text, ",{depth}").expect("a string takes all text");
    }
    text
}

fn parse_brush(text: &str) -> Option<(Brush, &str)> {
    let mut characters = text.chars();
    let brush = match characters.next()? {
        'G' => Brush::Green,
        'R' => Brush::Red,
        'Y' => Brush::Yellow,
        'B' => Brush::Blue,
        _ => return None,
    };
    Some((brush, characters.as_str()))
}

impl Brush {
    fn letter(self) -> char {
        match self {
            Brush::Green => 'G',
            Brush::Red => 'R',
            Brush::Yellow => 'Y',
            Brush::Blue => 'B',
        }
    }
}
