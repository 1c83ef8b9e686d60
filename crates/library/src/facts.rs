//! What is known of a game besides its moves, in the form the index filters by.

use std::time::Duration;

use rules::opening::OpeningNumber;
use rules::pgn::{Game, GameResult};

use crate::growing::Record;
use crate::heading::Heading;
use crate::tag::TagNumber;
use crate::trail::Trail;

pub use ratings::Speed;

/// Where a game comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Source {
    /// A PGN file that somebody brought.
    File = 0,
    /// Played here.
    Here = 1,
    /// lichess.org.
    Lichess = 2,
    /// chess.com.
    ChessCom = 3,
}

impl Source {
    /// All of them.
    pub const ALL: [Source; 4] = [Source::File, Source::Here, Source::Lichess, Source::ChessCom];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Source::File => "file",
            Source::Here => "here",
            Source::Lichess => "lichess",
            Source::ChessCom => "chesscom",
        }
    }
}

/// A game as the index sees it, without its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The number of the game in the database.
    pub seq: u64,
    /// Whose private game it is, as a number; 0 for a game that is nobody's alone.
    pub owner: u64,
    /// The accounts at the service that played it, White first; 0 for none.
    pub accounts: [u32; 2],
    /// Where it comes from.
    pub source: Source,
    /// Whether only the accounts that played it see it.
    pub is_private: bool,
    /// Whether it is the usual chess from the usual start: other kinds have ratings of their own.
    pub is_usual: bool,
    /// The players' names, White first; empty if not known.
    pub names: [String; 2],
    /// The players' ratings; 0 if not known.
    pub elos: [u16; 2],
    /// When it was played, in minutes since 1970; the smallest number if nobody knows.
    pub played: i32,
    /// How it ended.
    pub result: GameResult,
    /// How fast it was.
    pub speed: Option<Speed>,
    /// The last named position it went through.
    pub opening: Option<OpeningNumber>,
    /// The plies after which it was there; 0 without a name.
    pub opening_ply: u8,
    /// The number of plies of the main line.
    pub plies: u16,
    /// The least time each side ever had left, White first, in hundredths of what it began with.
    pub least_clock: [Option<u8>; 2],
}

/// The number for "nobody knows when".
const UNKNOWN_DAY: i32 = i32::MIN;

impl Facts {
    /// What the tags of a game tell. The opening and everything about ownership is left open.
    fn of(game: &Game, heading: &Heading<'_>) -> Facts {
        let elo = |text: Option<&str>| text.and_then(|text| text.trim().parse::<u16>().ok());
        Facts {
            seq: 0,
            owner: 0,
            accounts: [0; 2],
            source: Source::File,
            is_private: false,
            is_usual: false,
            names: [heading.white, heading.black].map(|name| name.unwrap_or_default().to_owned()),
            elos: [heading.white_elo, heading.black_elo]
                .map(|text| elo(text).filter(|elo| *elo < 4_000).unwrap_or(0)),
            played: played(heading),
            result: game.result,
            speed: heading.time_control.and_then(speed_of),
            opening: None,
            opening_ply: 0,
            plies: u16::try_from(game.line.nodes.len()).unwrap_or(u16::MAX),
            least_clock: [None; 2],
        }
    }
}

/// The least time each side had left, in hundredths of what it had at the beginning.
fn least_clock(game: &Game, time_control: Option<&str>, white_begins: bool) -> [Option<u8>; 2] {
    let base = time_control.and_then(base_of);
    let mut least = [None; 2];
    let mut first = [base; 2];
    for (node, ply) in game.line.nodes.iter().zip(usize::from(!white_begins)..) {
        if !node.is_said() {
            continue;
        }
        let Some(clock) = node.notes().clock else { continue };
        let left = clock.0.max(0);
        let begun = *first[ply % 2].get_or_insert(left);
        let hundredths = left.saturating_mul(100).checked_div(begun).unwrap_or(0).min(250);
        let hundredths = u8::try_from(hundredths).unwrap_or(u8::MAX);
        let known = least[ply % 2].get_or_insert(hundredths);
        *known = hundredths.min(*known);
    }
    least
}

/// The time of `180+2` or `40/5400+30:1800` to begin with, in milliseconds; none for a day a move.
fn base_of(text: &str) -> Option<i64> {
    let first = text.split(':').next()?;
    let time = match first.split_once('/') {
        Some(("1", _)) => return None,
        Some((_, time)) => time,
        None => first,
    };
    let base = time.split('+').next()?.trim().parse::<i64>().ok()?;
    (1..=1_000_000).contains(&base).then_some(base * 1_000)
}

impl Record {
    /// A game ready for the index: its facts, its moves, and the number of every position.
    ///
    /// A game of a variant without positions of chess has facts only; a null move ends what is looked at.
    pub fn of(game: &Game) -> Record {
        Record::along(game, &Heading::of(&game.tags), &Trail::of(game))
    }

    /// The same for a game that was followed while it was read.
    pub fn along(game: &Game, heading: &Heading<'_>, trail: &Trail) -> Record {
        let mut facts = Facts::of(game, heading);
        let tags = TagNumber::all(&game.tags);
        let Some(start) = trail.start else {
            let (moves, short, hashes) = (Vec::new(), Vec::new(), Vec::new());
            return Record { facts, tags, start: None, moves, short, hashes };
        };
        let variant = heading.variant.map(str::trim).filter(|variant| !variant.is_empty());
        let is_named_so = variant.is_none_or(|name| {
            ["standard", "chess", "normal"].iter().any(|usual| name.eq_ignore_ascii_case(usual))
        });
        facts.is_usual = start.is_usual && is_named_so;
        facts.least_clock = least_clock(game, heading.time_control, start.is_white_to_move);
        if let Some((number, ply)) = trail.opening {
            (facts.opening, facts.opening_ply) = (Some(number), ply);
        }
        let start = Some(match heading.fen {
            Some(fen) if !start.is_usual => fen.into(),
            _ => Box::default(),
        });
        let (moves, short) = (trail.moves.clone(), trail.short.clone());
        Record { facts, tags, start, moves, short, hashes: trail.hashes.clone() }
    }
}

/// The moment by the tags: day and time in UTC where they are told, otherwise the day.
fn played(heading: &Heading<'_>) -> i32 {
    let day = heading.utc_date.or(heading.date).and_then(minutes_of_day_text);
    let Some(day) = day else { return UNKNOWN_DAY };
    let time = heading.utc_time.or(heading.time).and_then(minutes_of_time_text);
    day.saturating_add(time.unwrap_or(0))
}

/// `1999.12.31`, with `??` for what is not known, as minutes since 1970.
fn minutes_of_day_text(text: &str) -> Option<i32> {
    let mut parts = text.split(['.', '-', '/']);
    let year: i32 = parts.next()?.trim().parse().ok().filter(|year| (1..=4_000).contains(year))?;
    let mut part = |most| {
        let number = parts.next().and_then(|text| text.trim().parse::<i32>().ok());
        number.filter(|number| (1..=most).contains(number)).unwrap_or(1)
    };
    let (month, day) = (part(12), part(31));
    Some(days_since_1970(year, month, day) * 1_440)
}

/// Days from 1970 to a day of the Gregorian calendar. The year begins in March, so that the leap day is its last.
fn days_since_1970(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn minutes_of_time_text(text: &str) -> Option<i32> {
    let mut parts = text.split(':').map(|part| part.trim().parse::<i32>().ok());
    let hours = parts.next()??;
    let minutes = parts.next().flatten().unwrap_or(0);
    ((0..24).contains(&hours) && (0..60).contains(&minutes)).then_some(hours * 60 + minutes)
}

/// The speed of `180+2`, `40/5400+30:1800`, `1/86400`; none for `-` and `?`.
fn speed_of(text: &str) -> Option<Speed> {
    let first = text.split(':').next()?;
    let (moves, time) = match first.split_once('/') {
        Some((moves, time)) => (moves.parse::<u32>().ok(), time),
        None => (None, first),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    let seconds = |text: &str| text.trim().parse::<u64>().ok().filter(|s| *s < 100_000_000);
    let base = seconds(base)?;
    if moves == Some(1) && base >= 3_600 {
        return Some(Speed::Correspondence);
    }
    let increment = seconds(increment).unwrap_or(0);
    Some(Speed::of_clock(Duration::from_secs(base), Duration::from_secs(increment)))
}

#[cfg(test)]
mod tests {
    use rules::opening;

    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (text, days) in [
            ("1970.01.01", Some(0)),
            ("1969.12.31", Some(-1)),
            ("2000.02.29", Some(11_016)),
            ("2026.??.??", Some(20_454)),
            ("1783.??.??", Some(-68_300)),
            ("????.??.??", None),
            ("yesterday", None),
        ] {
            assert_eq!(minutes_of_day_text(text), days.map(|days: i32| days * 1_440), "{text}");
        }
    }

    #[test]
    fn only_standard_chess_from_its_start_is_usual() {
        for (tags, is_usual) in [
            ("", true),
            ("[Variant \"Standard\"]", true),
            ("[Variant \"Chess960\"]", false),
            ("[Variant \"ChessDefender\"]", false),
            ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]", false),
        ] {
            let text = format!("{tags}\n\n1. e4 *");
            let read = rules::pgn::read_games(text.as_bytes(), rules::pgn::Limits::default());
            let Some(rules::pgn::Item::Game(read)) = read.into_iter().next() else {
                panic!("a game: {text}")
            };
            assert_eq!(Record::of(&read.game).facts.is_usual, is_usual, "{text}");
        }
    }

    #[test]
    fn the_least_time_is_told_in_parts_of_the_first() {
        let text = "[TimeControl \"60+0\"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:30]} \
                    2. Nf3 {[%clk 0:00:06]} Nc6 3. Bb5 {[%clk 0:00:09]} *";
        let read = rules::pgn::read_games(text.as_bytes(), rules::pgn::Limits::default());
        let Some(rules::pgn::Item::Game(read)) = read.into_iter().next() else { panic!("a game") };
        assert_eq!(Record::of(&read.game).facts.least_clock, [Some(10), Some(50)]);
        assert_eq!(base_of("40/5400+30:1800"), Some(5_400_000));
        assert_eq!((base_of("1/86400"), base_of("-"), base_of("?")), (None, None, None));
    }

    #[test]
    fn the_last_named_position_is_noted_with_its_ply() {
        for (text, name, ply) in [
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. h3 *", "Ruy Lopez", 5),
            (
                "1. Nf3 Nf6 2. c4 e6 3. Nc3 d5 4. d4 Rg8 *",
                "Queen's Gambit Declined: Three Knights Variation",
                7,
            ),
            ("[Event \"None\"]\n\n*", "", 0),
            // A set-up position has no name, whatever is played from it.
            (
                "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1\"]\n\n1. e4 e5 *",
                "",
                0,
            ),
        ] {
            let read = rules::pgn::read_games(text.as_bytes(), rules::pgn::Limits::default());
            let Some(rules::pgn::Item::Game(read)) = read.into_iter().next() else {
                panic!("a game: {text}")
            };
            let facts = Record::of(&read.game).facts;
            let found = facts.opening.and_then(opening::by_number).unwrap_or_default();
            assert_eq!((found.1, facts.opening_ply), (name, ply), "{text}");
        }
    }

    #[test]
    fn the_speed_is_read_from_the_time_control() {
        for (text, speed) in [
            ("60+0", Some(Speed::Bullet)),
            ("180+2", Some(Speed::Blitz)),
            ("600", Some(Speed::Rapid)),
            ("40/5400+30:1800+30", Some(Speed::Classical)),
            ("1/86400", Some(Speed::Correspondence)),
            ("-", None),
            ("?", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(speed_of(text), speed, "{text}");
        }
    }
}
