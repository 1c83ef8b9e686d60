//! Bytes into games.

use rules::Millis;
use rules::pgn::{
    Board, Brush, Eval, Game, GameResult, Item, Limits, Line, Nag, Node, Notes, Score, Step,
    read_games,
};
use rules::shakmaty::{Chess, Position, Square};

use super::bytes::Bytes;
use super::{COMPRESSED, Damaged, LONGEST, MOVES, TAGS, TEXT};
use crate::moves;

/// Variations within variations, as deep as the reader of PGN lets them be, and a little more.
const DEEPEST: usize = 80;

/// The game that was packed into these bytes.
pub fn unpack(bytes: &[u8]) -> Result<Game, Damaged> {
    match bytes.split_first() {
        Some((&MOVES, rest)) => read_chess(&mut Bytes(rest)),
        Some((&TEXT, rest)) => read_text(rest),
        Some((&COMPRESSED, rest)) => {
            let mut from = Bytes(rest);
            let length = usize::try_from(from.number()?).map_err(|_| Damaged)?;
            if length > LONGEST {
                return Err(Damaged);
            }
            let plain = zstd::bulk::decompress(from.0, length).map_err(|_| Damaged)?;
            if plain.first() == Some(&COMPRESSED) { Err(Damaged) } else { unpack(&plain) }
        }
        _ => Err(Damaged),
    }
}

fn read_text(text: &[u8]) -> Result<Game, Damaged> {
    match read_games(text, Limits::default()).into_iter().next() {
        Some(Item::Game(read)) => Ok(read.game),
        _ => Err(Damaged),
    }
}

fn read_chess(from: &mut Bytes<'_>) -> Result<Game, Damaged> {
    let result = match from.byte()? {
        0 => GameResult::Unknown,
        1 => GameResult::WhiteWins,
        2 => GameResult::Draw,
        3 => GameResult::BlackWins,
        _ => return Err(Damaged),
    };
    let mut game = Game { result, ..Game::default() };
    for _ in 0..from.count()? {
        let number = usize::try_from(from.number()?).map_err(|_| Damaged)?;
        let name = match number.checked_sub(1) {
            Some(number) => *TAGS.get(number).ok_or(Damaged)?,
            None => from.text()?,
        };
        let value = from.text()?;
        game.tags.set(name, value);
    }
    let Ok(Board::Chess(start)) = game.start() else { return Err(Damaged) };
    game.line = read_line(from, start, 0)?;
    if from.0.is_empty() { Ok(game) } else { Err(Damaged) }
}

fn read_line(from: &mut Bytes<'_>, mut position: Chess, depth: usize) -> Result<Line, Damaged> {
    if depth > DEEPEST {
        return Err(Damaged);
    }
    let mut line = Line { notes: read_notes(from)?, nodes: Vec::new() };
    let moves = from.count()?;
    let mut said = Said::read(from)?;
    for at in 0..moves {
        let (packed, rest) = moves::read(&position, from.0).ok_or(Damaged)?;
        from.0 = rest;
        let played = packed.on(&position).filter(|played| position.is_legal(*played));
        let played = played.ok_or(Damaged)?;
        let mut node = Node::from(Step::Move(played));
        if said.is(at) {
            *node.notes_mut() = read_notes(from)?;
            for _ in 0..from.count()? {
                node.variations_mut().push(read_line(from, position.clone(), depth + 1)?);
            }
        }
        position.play_unchecked(played);
        line.nodes.push(node);
    }
    Ok(line)
}

/// Which moves of a line are spoken of.
enum Said {
    All,
    /// In the order of the moves, the next one last.
    Some(Vec<usize>),
}

impl Said {
    fn read(from: &mut Bytes<'_>) -> Result<Said, Damaged> {
        let count = from.number()?;
        if count == 1 {
            return Ok(Said::All);
        }
        let count = usize::try_from(count / 2).ok().filter(|count| *count <= from.0.len());
        let (mut at, mut places) = (0_usize, Vec::new());
        for _ in 0..count.ok_or(Damaged)? {
            let step = usize::try_from(from.number()?).map_err(|_| Damaged)?;
            at = at.checked_add(step).ok_or(Damaged)?;
            places.push(at);
        }
        places.reverse();
        Ok(Said::Some(places))
    }

    fn is(&mut self, at: usize) -> bool {
        match self {
            Said::All => true,
            Said::Some(places) => places.pop_if(|place| *place == at).is_some(),
        }
    }
}

fn read_notes(from: &mut Bytes<'_>) -> Result<Notes, Damaged> {
    let bits = from.byte()?;
    let has = |bit: u8| bits >> bit & 1 == 1;
    let mut notes = Notes::new();
    if has(0) {
        notes.nags = (0..from.count()?).map(|_| from.byte().map(Nag)).collect::<Result<_, _>>()?;
    }
    if has(1) {
        let comments = (0..from.count()?).map(|_| from.text().map(str::to_owned));
        notes.comments = comments.collect::<Result<_, _>>()?;
    }
    if has(2) {
        notes.clock = Some(Millis(from.signed()?));
    }
    if has(3) {
        notes.elapsed = Some(Millis(from.signed()?));
    }
    if has(4) {
        notes.eval = Some(read_eval(from)?);
    }
    if has(5) {
        for _ in 0..from.count()? {
            notes.squares.push((read_brush(from)?, read_square(from)?));
        }
    }
    if has(6) {
        for _ in 0..from.count()? {
            notes.arrows.push((read_brush(from)?, read_square(from)?, read_square(from)?));
        }
    }
    Ok(notes)
}

fn read_eval(from: &mut Bytes<'_>) -> Result<Eval, Damaged> {
    let bits = from.byte()?;
    let score = i32::try_from(from.signed()?).map_err(|_| Damaged)?;
    let score = if bits & 1 == 0 { Score::Centipawns(score) } else { Score::Mate(score) };
    let depth = match bits >> 1 & 1 {
        0 => None,
        _ => Some(u32::try_from(from.number()?).map_err(|_| Damaged)?),
    };
    Ok(Eval { score, depth })
}

fn read_brush(from: &mut Bytes<'_>) -> Result<Brush, Damaged> {
    match from.byte()? {
        0 => Ok(Brush::Green),
        1 => Ok(Brush::Red),
        2 => Ok(Brush::Yellow),
        3 => Ok(Brush::Blue),
        _ => Err(Damaged),
    }
}

fn read_square(from: &mut Bytes<'_>) -> Result<Square, Damaged> {
    Square::try_from(from.byte()?).map_err(|_| Damaged)
}
