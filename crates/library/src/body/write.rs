//! Games into bytes.

use rules::pgn::{Board, Brush, Eval, Game, GameResult, Line, Node, Notes, Score, Step};
use rules::shakmaty::{Chess, Position};

use super::bytes::{put_number, put_signed, put_text};
use super::{COMPRESSED, MOVES, TAGS, TEXT, is_chess, is_plain};
use crate::growing::Record;
use crate::moves::{self, Packed};

/// Games shorter than this are not worth compressing.
const LONG: usize = 800;

/// Packs games; holds what compressing needs from one game to the next.
pub struct Packer {
    compressor: Option<zstd::bulk::Compressor<'static>>,
}

impl Default for Packer {
    fn default() -> Packer {
        // Without a compressor games are kept as they are.
        Packer { compressor: zstd::bulk::Compressor::new(1).ok() }
    }
}

impl Packer {
    /// The bytes of a game; none if it has moves that are not legal.
    pub fn pack(&mut self, game: &Game) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(256);
        if is_chess(game) {
            out.push(MOVES);
            write_head(game, &mut out);
            let Ok(Board::Chess(start)) = game.start() else { return None };
            write_line(&game.line, start, false, &mut out)?;
        } else {
            out.push(TEXT);
            out.extend_from_slice(game.to_pgn().ok()?.as_bytes());
        }
        Some(self.compress(out))
    }

    /// The same for a game that is ready for the index: its moves were proven and written already.
    pub fn pack_with(&mut self, game: &Game, record: &Record) -> Option<Vec<u8>> {
        let nodes = &game.line.nodes;
        if record.start.is_none() || record.moves.len() != nodes.len() {
            return self.pack(game);
        }
        let mut out = Vec::with_capacity(256);
        out.push(MOVES);
        write_head(game, &mut out);
        if !nodes.iter().any(Node::is_said) {
            write_said(&game.line, &mut out);
            out.extend_from_slice(&record.short);
        } else if nodes.iter().any(|node| !node.variations().is_empty()) {
            // Variations are written along the game.
            if !is_plain(&game.line) {
                return self.pack(game);
            }
            let Ok(Board::Chess(start)) = game.start() else { return None };
            write_line(&game.line, start, true, &mut out)?;
        } else {
            write_said(&game.line, &mut out);
            write_noted(game, record, &mut out)?;
        }
        Some(self.compress(out))
    }

    fn compress(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        if bytes.len() < LONG {
            return bytes;
        }
        let packed = self.compressor.as_mut().and_then(|packer| packer.compress(&bytes).ok());
        match packed {
            Some(packed) if packed.len() + 8 < bytes.len() => {
                let mut out = Vec::with_capacity(packed.len() + 8);
                out.push(COMPRESSED);
                put_number(bytes.len() as u64, &mut out);
                out.extend_from_slice(&packed);
                out
            }
            _ => bytes,
        }
    }
}

fn write_head(game: &Game, out: &mut Vec<u8>) {
    out.push(match game.result {
        GameResult::Unknown => 0,
        GameResult::WhiteWins => 1,
        GameResult::Draw => 2,
        GameResult::BlackWins => 3,
    });
    put_number(game.tags.len() as u64, out);
    for (name, value) in game.tags.iter() {
        if let Some(number) = TAGS.iter().position(|known| *known == name) {
            put_number(number as u64 + 1, out);
        } else {
            put_number(0, out);
            put_text(name, out);
        }
        put_text(value, out);
    }
}

/// The notes before the first move, the number of moves, how many are spoken of, and then each move with its notes.
fn write_line(line: &Line, mut position: Chess, is_proven: bool, out: &mut Vec<u8>) -> Option<()> {
    write_said(line, out);
    for node in &line.nodes {
        let Step::Move(played) = node.step else { return None };
        moves::write(&position, Packed::of(played)?, out);
        if node.is_said() {
            write_notes(node.notes(), out);
            put_number(node.variations().len() as u64, out);
            for variation in node.variations() {
                write_line(variation, position.clone(), is_proven, out)?;
            }
        }
        (is_proven || position.is_legal(played)).then_some(())?;
        position.play_unchecked(played);
    }
    Some(())
}

/// Moves with notes and without variations: their short forms are there, and need no board to be told apart.
fn write_noted(game: &Game, record: &Record, out: &mut Vec<u8>) -> Option<()> {
    if record.start.as_deref() != Some("") {
        // A set-up position may have more pieces than the short form has names for.
        let Ok(Board::Chess(mut position)) = game.start() else { return None };
        for (node, packed) in game.line.nodes.iter().zip(&record.moves) {
            moves::write(&position, *packed, out);
            write_one_said(node, out);
            let Step::Move(played) = node.step else { return None };
            position.play_unchecked(played);
        }
        return Some(());
    }
    let mut short = &record.short[..];
    for node in &game.line.nodes {
        let Step::Move(played) = node.step else { return None };
        let (this, rest) = short.split_at_checked(moves::short_length(played))?;
        short = rest;
        out.extend_from_slice(this);
        write_one_said(node, out);
    }
    Some(())
}

fn write_one_said(node: &Node, out: &mut Vec<u8>) {
    if node.is_said() {
        write_notes(node.notes(), out);
        put_number(0, out);
    }
}

/// What stands before the moves of a line: notes, how many moves, and which of them are spoken of.
fn write_said(line: &Line, out: &mut Vec<u8>) {
    write_notes(&line.notes, out);
    put_number(line.nodes.len() as u64, out);
    let count = line.nodes.iter().filter(|node| node.is_said()).count();
    let all = count > 0 && count == line.nodes.len();
    put_number(if all { 1 } else { count as u64 * 2 }, out);
    if !all && count > 0 {
        let mut last = 0;
        for (at, _) in line.nodes.iter().enumerate().filter(|(_, node)| node.is_said()) {
            put_number((at - last) as u64, out);
            last = at;
        }
    }
}

/// What there is, as bits, and then each in turn.
fn write_notes(notes: &Notes, out: &mut Vec<u8>) {
    let has = [
        !notes.nags.is_empty(),
        !notes.comments.is_empty(),
        notes.clock.is_some(),
        notes.elapsed.is_some(),
        notes.eval.is_some(),
        !notes.squares.is_empty(),
        !notes.arrows.is_empty(),
    ];
    out.push(has.iter().rev().fold(0, |bits, has| bits << 1 | u8::from(*has)));
    if has[0] {
        put_number(notes.nags.len() as u64, out);
        out.extend(notes.nags.iter().map(|nag| nag.0));
    }
    if has[1] {
        put_number(notes.comments.len() as u64, out);
        notes.comments.iter().for_each(|comment| put_text(comment, out));
    }
    for time in [notes.clock, notes.elapsed].into_iter().flatten() {
        put_signed(time.0, out);
    }
    if let Some(eval) = notes.eval {
        write_eval(eval, out);
    }
    if has[5] {
        put_number(notes.squares.len() as u64, out);
        for (brush, square) in &notes.squares {
            out.extend_from_slice(&[brush_code(*brush), u8::from(*square)]);
        }
    }
    if has[6] {
        put_number(notes.arrows.len() as u64, out);
        for (brush, from, to) in &notes.arrows {
            out.extend_from_slice(&[brush_code(*brush), u8::from(*from), u8::from(*to)]);
        }
    }
}

fn write_eval(eval: Eval, out: &mut Vec<u8>) {
    let (kind, score) = match eval.score {
        Score::Centipawns(score) => (0, score),
        Score::Mate(moves) => (1, moves),
    };
    out.push(kind | u8::from(eval.depth.is_some()) << 1);
    put_signed(i64::from(score), out);
    if let Some(depth) = eval.depth {
        put_number(u64::from(depth), out);
    }
}

fn brush_code(brush: Brush) -> u8 {
    match brush {
        Brush::Green => 0,
        Brush::Red => 1,
        Brush::Yellow => 2,
        Brush::Blue => 3,
    }
}
