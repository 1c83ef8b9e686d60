//! The line of a player, `001`.

use super::text::Line;
use super::{MAX_ROUNDS, Problem, TrfError, Warning};
use crate::model::{Bye, Colour, Entry, GameResult, PairingNumber, Player, Points, Sex, Title};

/// The column of the first round's opponent.
pub(super) const FIRST_ROUND: usize = 92;
/// The columns each round takes.
pub(super) const ROUND_WIDTH: usize = 10;

/// A player as the line gives it: blank rounds are not yet told from absences.
#[derive(Debug)]
pub(super) struct PlayerLine {
    pub(super) line: usize,
    pub(super) player: Player,
    pub(super) points: Option<Points>,
    pub(super) rounds: Vec<Option<Entry>>,
}

impl PlayerLine {
    pub(super) fn read(
        line: &Line<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<PlayerLine, TrfError> {
        let number =
            line.player(5)?.ok_or_else(|| line.error(5, Problem::Missing("the pairing number")))?;
        let mut warn = |column, text| warnings.push(Warning { line: line.number, column, text });
        let mut player = Player::new(number, line.field(15, 47), None);
        player.sex = match line.field(10, 10) {
            "m" | "M" => Some(Sex::Man),
            "w" | "W" | "f" | "F" => Some(Sex::Woman),
            _ => None,
        };
        player.title = match line.field(11, 13) {
            "" => None,
            text => {
                let title = read_title(text);
                if title.is_none() {
                    warn(11, format!("`{text}` is no title; ignored"));
                }
                title
            }
        };
        let mut informative =
            |columns: (usize, usize), what| match line.number::<u16>(columns, what) {
                Ok(number) => number,
                Err(error) => {
                    warn(error.column, format!("{}; ignored", error.problem));
                    None
                }
            };
        player.rating = informative((49, 52), "the rating").filter(|&rating| rating > 0);
        player.rank = informative((85, 89), "the rank").filter(|&rank| rank > 0);
        line.field(54, 56).clone_into(&mut player.federation);
        line.field(58, 68).clone_into(&mut player.fide_id);
        line.field(70, 79).clone_into(&mut player.birth);
        let points = line.points((80, 84), "the points")?;
        let rounds = read_rounds(line, warnings)?;
        Ok(PlayerLine { line: line.number, player, points, rounds })
    }
}

fn read_title(text: &str) -> Option<Title> {
    Some(match text.to_ascii_uppercase().as_str() {
        "GM" | "G" => Title::Gm,
        "IM" | "M" => Title::Im,
        "WGM" | "WG" => Title::Wgm,
        "FM" | "F" => Title::Fm,
        "WIM" | "WM" => Title::Wim,
        "CM" | "C" => Title::Cm,
        "WFM" | "WF" => Title::Wfm,
        "WCM" | "WC" => Title::Wcm,
        _ => return None,
    })
}

fn read_rounds(
    line: &Line<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Option<Entry>>, TrfError> {
    let mut rounds = Vec::new();
    let mut first = FIRST_ROUND;
    while first <= line.len() {
        if rounds.len() >= usize::from(MAX_ROUNDS) {
            return Err(line.error(first, Problem::TooManyRounds));
        }
        rounds.push(read_entry(line, first, warnings)?);
        first += ROUND_WIDTH;
    }
    Ok(rounds)
}

/// One round: opponent, colour and result, of which the opponent may be blank or `0000`.
fn read_entry(
    line: &Line<'_>,
    first: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Entry>, TrfError> {
    let (colour_at, result_at) = (first + 5, first + 7);
    let opponent = line.player(first)?;
    let colour = match line.field(colour_at, colour_at) {
        "w" | "W" => Some(Colour::White),
        "b" | "B" => Some(Colour::Black),
        "" | "-" => None,
        text => {
            let problem = Problem::UnknownCode { field: "colour", text: text.to_owned() };
            return Err(line.error(colour_at, problem));
        }
    };
    let text = line.field(result_at, result_at);
    let code = text.chars().next().map(|code| code.to_ascii_uppercase());
    let unknown =
        || line.error(result_at, Problem::UnknownCode { field: "result", text: text.to_owned() });
    let mut warn = |text: String| warnings.push(Warning { line: line.number, column: first, text });

    let Some(opponent) = opponent else {
        return Ok(match code {
            None => None,
            Some('F') => Some(Entry::Bye(Bye::Full)),
            Some('H') => Some(Entry::Bye(Bye::Half)),
            Some('Z' | '-') => Some(Entry::Bye(Bye::Zero)),
            Some('U') => Some(Entry::Bye(Bye::PairingAllocated)),
            Some(code @ ('+' | '1' | 'W')) => {
                warn(format!("`{code}` without an opponent is taken as a full-point bye"));
                Some(Entry::Bye(Bye::Full))
            }
            Some(code @ ('=' | 'D')) => {
                warn(format!("`{code}` without an opponent is taken as a half-point bye"));
                Some(Entry::Bye(Bye::Half))
            }
            Some(code @ ('0' | 'L')) => {
                warn(format!("`{code}` without an opponent is taken as an absence"));
                Some(Entry::Bye(Bye::Zero))
            }
            Some(_) => return Err(unknown()),
        });
    };
    let code = code.ok_or_else(|| line.error(result_at, Problem::NoResult))?;
    let game = |result, rated| {
        let colour = colour.ok_or_else(|| line.error(colour_at, Problem::NoColour))?;
        Ok(Entry::Game { opponent, colour, result, rated })
    };
    let mut bye = |bye| {
        warn(format!("`{code}` with opponent {opponent} is taken as a bye"));
        Ok(Entry::Bye(bye))
    };
    match code {
        '1' => game(GameResult::Win, true),
        '=' => game(GameResult::Draw, true),
        '0' => game(GameResult::Loss, true),
        'W' => game(GameResult::Win, false),
        'D' => game(GameResult::Draw, false),
        'L' => game(GameResult::Loss, false),
        '+' => Ok(Entry::Forfeit { opponent, colour, won: true }),
        '-' => Ok(Entry::Forfeit { opponent, colour, won: false }),
        'F' => bye(Bye::Full),
        'H' => bye(Bye::Half),
        'Z' => bye(Bye::Zero),
        'U' => bye(Bye::PairingAllocated),
        _ => Err(unknown()),
    }
    .map(Some)
}

/// The column where a round's entry starts, for messages.
pub(super) fn column_of(round: usize) -> usize {
    FIRST_ROUND + ROUND_WIDTH * round
}

/// The code a result has in a file.
const fn result_code(entry: Entry) -> char {
    match entry {
        Entry::Game { result, rated: true, .. } => match result {
            GameResult::Win => '1',
            GameResult::Draw => '=',
            GameResult::Loss => '0',
        },
        Entry::Game { result, rated: false, .. } => match result {
            GameResult::Win => 'W',
            GameResult::Draw => 'D',
            GameResult::Loss => 'L',
        },
        Entry::Forfeit { won: true, .. } => '+',
        Entry::Forfeit { won: false, .. } => '-',
        Entry::Bye(bye) => bye_code(bye),
    }
}

/// The code a bye has in a file.
pub(super) const fn bye_code(bye: Bye) -> char {
    match bye {
        Bye::Full => 'F',
        Bye::Half => 'H',
        Bye::Zero => 'Z',
        Bye::PairingAllocated => 'U',
    }
}

/// The abbreviation of a title.
pub(super) const fn title_code(title: Title) -> &'static str {
    match title {
        Title::Gm => "GM",
        Title::Im => "IM",
        Title::Wgm => "WGM",
        Title::Fm => "FM",
        Title::Wim => "WIM",
        Title::Cm => "CM",
        Title::Wfm => "WFM",
        Title::Wcm => "WCM",
    }
}

/// One round's ten columns.
pub(super) fn write_entry(entry: Entry) -> String {
    let (opponent, colour) = match entry {
        Entry::Game { opponent, colour, .. } => (Some(opponent), Some(colour)),
        Entry::Forfeit { opponent, colour, .. } => (Some(opponent), colour),
        Entry::Bye(_) => (None, None),
    };
    let opponent =
        opponent.map_or_else(|| " 0000".to_owned(), |PairingNumber(number)| format!("{number:>5}"));
    let colour = match colour {
        Some(Colour::White) => 'w',
        Some(Colour::Black) => 'b',
        None => '-',
    };
    format!(" {opponent} {colour} {}", result_code(entry))
}
