//! The records that say how to pair, of both flavours.

use super::assemble::{AcceleratedSpan, Draft};
use super::text::Line;
use super::{MAX_ROUNDS, Problem, TrfError, Warning};
use crate::model::{
    AbnormalPoints, AnnouncedBye, Bye, Colour, ForbiddenGroup, InitialOrder, PairingNumber, Points,
    RoundNumber,
};

/// 142 and XXR: the number of rounds.
pub(super) fn read_rounds(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let Some((column, word)) = line.words(4).next() else { return Ok(()) };
    let problem = || Problem::NoNumber { field: "the number of rounds", text: word.to_owned() };
    let rounds: u64 = word.parse().map_err(|_| line.error(column, problem()))?;
    draft.total_rounds = match u16::try_from(rounds) {
        Ok(rounds) if rounds <= MAX_ROUNDS => Some(rounds).filter(|&rounds| rounds > 0),
        _ => return Err(line.error(column, Problem::TooManyRounds)),
    };
    Ok(())
}

/// 152: the initial colour.
pub(super) fn read_initial_colour(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let text = line.rest(4);
    draft.initial_colour = match text.chars().next().map(|letter| letter.to_ascii_uppercase()) {
        Some('W') => Some(Colour::White),
        Some('B') => Some(Colour::Black),
        None => None,
        Some(_) => {
            return Err(line.error(
                5,
                Problem::UnknownCode { field: "initial colour", text: text.to_owned() },
            ));
        }
    };
    Ok(())
}

/// XXC: words, of which the initial colour and the order by rank matter.
pub(super) fn read_configuration(line: &Line<'_>, draft: &mut Draft) {
    for (column, word) in line.words(4) {
        match word.to_ascii_lowercase().as_str() {
            "white1" => draft.initial_colour = Some(Colour::White),
            "black1" => draft.initial_colour = Some(Colour::Black),
            "rank" => draft.initial_order = InitialOrder::Rank,
            _ => draft.warnings.push(Warning {
                line: line.number,
                column,
                text: format!("`{word}` is no setting known here; ignored"),
            }),
        }
    }
}

/// 162: letters with values, such as `W 3.0    D 1.0    P 3.0`.
pub(super) fn read_scoring(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let mut words = line.words(4);
    while let Some((column, word)) = words.next() {
        let letter = word.chars().next().unwrap_or(' ');
        let value = match &word[letter.len_utf8()..] {
            "" => words
                .next()
                .ok_or_else(|| line.error(column, Problem::Missing("the value of the letter")))?,
            value => (column + 1, value),
        };
        let points = line.points_of(value.0, value.1, "the value of the letter")?;
        let scoring = &mut draft.scoring;
        match letter.to_ascii_uppercase() {
            'W' => scoring.win = Some(points),
            'D' => scoring.draw = Some(points),
            'L' => scoring.loss = Some(points),
            'P' => scoring.pairing_bye = Some(points),
            'A' => {
                scoring.zero_bye = Some(points);
                scoring.forfeit_loss = Some(points);
            }
            // A wide-spread program writes Z for the bye alone; the other letters are ours.
            'Z' => scoring.zero_bye = Some(points),
            'F' => scoring.full_bye = Some(points),
            'H' => scoring.half_bye = Some(points),
            '+' => scoring.forfeit_win = Some(points),
            '-' => scoring.forfeit_loss = Some(points),
            // The value of an unknown result; a result has to be known here.
            'X' => {}
            _ => return Err(line.error(column, unknown("scoring letter", word))),
        }
    }
    Ok(())
}

/// XXS: words such as `W=3`.
pub(super) fn read_scoring_words(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    for (column, word) in line.words(4) {
        let (code, value) = word
            .split_once('=')
            .ok_or_else(|| line.error(column, unknown("scoring word", word)))?;
        let points =
            line.points_of(column + code.chars().count() + 1, value, "the value of the code")?;
        let scoring = &mut draft.scoring;
        let code = code.to_ascii_uppercase();
        let (side, code) = match code.as_str() {
            "WW" | "WD" | "WL" => (Some(Colour::White), &code[1..]),
            "BW" | "BD" | "BL" => (Some(Colour::Black), &code[1..]),
            _ => (None, code.as_str()),
        };
        let value = match code {
            "W" => &mut scoring.win,
            "D" => &mut scoring.draw,
            "L" => &mut scoring.loss,
            "FW" => &mut scoring.forfeit_win,
            "FL" => &mut scoring.forfeit_loss,
            "PAB" => &mut scoring.pairing_bye,
            "FPB" => &mut scoring.full_bye,
            "HPB" => &mut scoring.half_bye,
            "ZPB" => &mut scoring.zero_bye,
            _ => return Err(line.error(column, unknown("scoring code", word))),
        };
        if side.is_some() && value.is_some_and(|other| other != points) {
            return Err(line.error(column, Problem::ScoringByColour));
        }
        *value = Some(points);
    }
    Ok(())
}

/// BBW and its kin: one value a line.
pub(super) fn read_scoring_line(
    line: &Line<'_>,
    code: &str,
    draft: &mut Draft,
) -> Result<(), TrfError> {
    let (column, word) =
        line.words(4).next().ok_or_else(|| line.error(4, Problem::Missing("the value")))?;
    let points = Some(line.points_of(column, word, "the value")?);
    let scoring = &mut draft.scoring;
    match code {
        "BBW" => scoring.win = points,
        "BBD" => scoring.draw = points,
        "BBL" => scoring.loss = points,
        "BBZ" => scoring.zero_bye = points,
        "BBF" => scoring.forfeit_loss = points,
        _ => scoring.pairing_bye = points,
    }
    Ok(())
}

/// 202 and 212: tie-breaks; the second also names the points, which always come first here.
pub(super) fn read_tie_breaks(line: &Line<'_>, draft: &mut Draft) {
    let names = line.rest(4).split([',', ';', ' ']).map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<&str> = names.filter(|name| !name.eq_ignore_ascii_case("PTS")).collect();
    if draft.tie_breaks.is_empty() || line.text.starts_with("212") {
        draft.tie_breaks = names.join(",");
    }
}

/// 240: byes of a round.
pub(super) fn read_byes(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let bye = match line.field(5, 5).to_ascii_uppercase().as_str() {
        "F" => Bye::Full,
        "H" => Bye::Half,
        "Z" => Bye::Zero,
        text => return Err(line.error(5, unknown("bye, F, H or Z", text))),
    };
    let round = round(line, (7, 9))?.ok_or_else(|| line.error(7, Problem::Missing("the round")))?;
    for player in line.players(10)? {
        draft.byes.push((line.number, AnnouncedBye { round, player, bye }));
    }
    Ok(())
}

/// XXZ: players absent from the coming round.
pub(super) fn read_absent(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    draft.absent.extend(line.players(4)?.into_iter().map(|player| (line.number, player)));
    Ok(())
}

/// 250: fictitious points for a span of players in a span of rounds.
pub(super) fn read_acceleration(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let points = line.points((9, 13), "the fictitious points")?;
    let points = points.ok_or_else(|| line.error(10, Problem::Missing("the fictitious points")))?;
    let first_round = round(line, (15, 17))?;
    let last_round = round(line, (19, 21))?.or(first_round);
    let first =
        line.player(23)?.ok_or_else(|| line.error(23, Problem::Missing("the first player")))?;
    let last = line.player(28)?.unwrap_or(first);
    draft.accelerated.push(AcceleratedSpan {
        points,
        rounds: first_round.zip(last_round),
        players: (first, last),
    });
    Ok(())
}

/// XXA: fictitious points of one player, five columns for each round from column 10.
pub(super) fn read_player_acceleration(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let player =
        line.player(5)?.ok_or_else(|| line.error(5, Problem::Missing("the pairing number")))?;
    let mut points = Vec::new();
    let mut first = 10;
    while first <= line.len() {
        if points.len() >= usize::from(MAX_ROUNDS) {
            return Err(line.error(first, Problem::TooManyRounds));
        }
        points.push(
            line.points((first - 1, first + 3), "the fictitious points")?.unwrap_or(Points::ZERO),
        );
        first += 5;
    }
    draft.accelerated_players.push((player, points));
    Ok(())
}

/// 260: a forbidden group for a span of rounds.
pub(super) fn read_forbidden(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let first = round(line, (5, 7))?;
    let last = round(line, (9, 11))?.or(first);
    draft.add_forbidden(ForbiddenGroup { rounds: first.zip(last), players: line.players(12)? });
    Ok(())
}

/// XXP: a forbidden group for the whole event.
pub(super) fn read_forbidden_group(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    draft.add_forbidden(ForbiddenGroup { rounds: None, players: line.players(4)? });
    Ok(())
}

/// 299: points against the scoring.
pub(super) fn read_abnormal_points(line: &Line<'_>, draft: &mut Draft) -> Result<(), TrfError> {
    let replaces = match line.field(5, 5).chars().next().map(|code| code.to_ascii_uppercase()) {
        None => None,
        Some(code @ ('W' | 'D' | 'L' | 'F' | 'H' | 'Z' | 'P' | '+' | '-')) => Some(code),
        Some(code) => return Err(line.error(5, unknown("kind of result", &code.to_string()))),
    };
    let points = line.points((13, 17), "the points")?;
    let points = points.ok_or_else(|| line.error(14, Problem::Missing("the points")))?;
    let players =
        line.players(23)?.into_iter().filter(|player| *player != PairingNumber(0)).collect();
    draft.abnormal.push(AbnormalPoints {
        replaces,
        points,
        round: round(line, (20, 22))?,
        players,
    });
    Ok(())
}

/// A round number; nothing if blank or zero.
fn round(line: &Line<'_>, columns: (usize, usize)) -> Result<Option<RoundNumber>, TrfError> {
    let number = line.number::<u16>(columns, "the round")?;
    Ok(number.filter(|&round| round > 0).map(RoundNumber))
}

fn unknown(field: &'static str, text: &str) -> Problem {
    Problem::UnknownCode { field, text: text.to_owned() }
}
