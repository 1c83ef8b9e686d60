//! What an engine says, line by line. Whatever is not understood is passed over, as the protocol asks.

use std::time::Duration;

use crate::builtin::Score;

/// What a line of an engine says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said<'a> {
    /// It is called so.
    Name(&'a str),
    /// It has an option of this name.
    Option(&'a str),
    /// That was all about it.
    UciOk,
    /// It listens.
    ReadyOk,
    /// What it has found so far.
    Info(Info<'a>),
    /// What it would play; not checked.
    BestMove(&'a str),
    /// Anything else.
    Other,
}

/// What an engine has found at some depth; the moves are not checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info<'a> {
    /// Plies searched.
    pub depth: u8,
    /// 1 for the best line.
    pub rank: u8,
    /// For the side to move.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions a second.
    pub speed: u64,
    /// Since the search began.
    pub time: Duration,
    /// The text of the moves.
    pub moves: &'a str,
}

/// Reads a line.
pub fn read(line: &str) -> Said<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    match word {
        "uciok" => Said::UciOk,
        "readyok" => Said::ReadyOk,
        "bestmove" => Said::BestMove(rest.split_whitespace().next().unwrap_or("")),
        "id" => rest.strip_prefix("name ").map_or(Said::Other, |name| Said::Name(name.trim())),
        "option" => read_option(rest).map_or(Said::Other, Said::Option),
        "info" => read_info(rest).map_or(Said::Other, Said::Info),
        _ => Said::Other,
    }
}

fn read_option(rest: &str) -> Option<&str> {
    let name = rest.strip_prefix("name ")?;
    Some(name.split(" type ").next()?.trim())
}

/// A line with a depth, a true score and moves; bounds and remarks are not wanted.
fn read_info(rest: &str) -> Option<Info<'_>> {
    let (facts, moves) = rest.split_once(" pv ")?;
    let mut words = facts.split_whitespace();
    let (mut depth, mut score) = (None, None);
    let (mut rank, mut nodes, mut speed, mut time) = (1, 0, 0, 0);
    while let Some(word) = words.next() {
        match word {
            "string" | "lowerbound" | "upperbound" => return None,
            "depth" => depth = Some(number(words.next()?)?),
            "multipv" => rank = number(words.next()?)?,
            "nodes" => nodes = number(words.next()?)?,
            "nps" => speed = number(words.next()?)?,
            "time" => time = number(words.next()?)?,
            "score" => score = Some(read_score(words.next()?, words.next()?)?),
            _ => {}
        }
    }
    let depth = u8::try_from(depth?).unwrap_or(u8::MAX);
    let rank = u8::try_from(rank).ok().filter(|&rank| rank > 0)?;
    let time = Duration::from_millis(time);
    Some(Info { depth, rank, score: score?, nodes, speed, time, moves: moves.trim() })
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok()
}

fn read_score(kind: &str, value: &str) -> Option<Score> {
    /// No engine means more than that, and sums of it must not overflow.
    const MOST: i32 = 1_000_000;
    let value: i32 = value.parse().ok()?;
    let value = value.clamp(-MOST, MOST);
    match kind {
        "cp" => Some(Score::Centipawns(value)),
        "mate" => Some(Score::Mate(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_protocol_has_them() {
        assert_eq!(read("id name Stockfish 15.1"), Said::Name("Stockfish 15.1"));
        assert_eq!(read("id author somebody"), Said::Other);
        let option = "option name Skill Level type spin default 20 min 0 max 20";
        assert_eq!(read(option), Said::Option("Skill Level"));
        assert_eq!(read("  readyok \r"), Said::ReadyOk);
        assert_eq!(read("bestmove e2e4 ponder e7e5"), Said::BestMove("e2e4"));
        assert_eq!(read("bestmove"), Said::BestMove(""));
        assert_eq!(read("info string NNUE pv on"), Said::Other);
        assert_eq!(read("hello pv"), Said::Other);
    }

    #[test]
    fn a_line_of_a_search_has_a_depth_a_score_and_moves() {
        let line = "info depth 7 seldepth 9 multipv 2 score cp -31 nodes 1200 nps 600000 hashfull 0 \
                    tbhits 0 time 2 pv e7e5 g1f3";
        let Said::Info(info) = read(line) else { panic!("{line}") };
        let expected = Info {
            depth: 7,
            rank: 2,
            score: Score::Centipawns(-31),
            nodes: 1200,
            speed: 600_000,
            time: Duration::from_millis(2),
            moves: "e7e5 g1f3",
        };
        assert_eq!(info, expected);
        let check = |line, expected| match read(line) {
            Said::Info(info) => assert_eq!(Some(info.score), expected, "{line}"),
            _ => assert_eq!(expected, None, "{line}"),
        };
        check("info depth 3 score mate -2 pv a2a3", Some(Score::Mate(-2)));
        check("info depth 3 score cp 99 lowerbound pv a2a3", None);
        check("info depth 3 score cp 99999999999 pv a2a3", None);
        check("info depth 3 score cp 99999999 pv a2a3", Some(Score::Centipawns(1_000_000)));
        check("info depth 3 currmove a2a3", None);
        check("info depth x score cp 1 pv a2a3", None);
        check("info depth 3 multipv 0 score cp 1 pv a2a3", None);
    }
}
