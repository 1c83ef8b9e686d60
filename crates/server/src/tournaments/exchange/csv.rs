//! Tables for spreadsheets.

use std::fmt::Write as _;

use super::super::event::{ByeKind, Event, Score};

/// A field as RFC 4180 wants it. Spreadsheets take what begins with these signs for a formula: an apostrophe stops them.
fn field(text: &str) -> String {
    let text =
        if text.starts_with(['=', '+', '@', '\t']) || (text.starts_with('-') && text.len() > 1) {
            format!("'{text}")
        } else {
            text.to_owned()
        };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

fn line(out: &mut String, fields: &[String]) {
    let fields: Vec<String> = fields.iter().map(|text| field(text)).collect();
    let _ = write!(out, "{}\r\n", fields.join(","));
}

fn number(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The standings.
pub(crate) fn standings_csv(event: &Event) -> String {
    let ranking = event.ranking();
    let mut out = String::new();
    let mut head: Vec<String> =
        ["Rank", "Name", "Rating", "Federation", "Club", "Points"].map(str::to_owned).to_vec();
    head.extend(ranking.tie_breaks.iter().cloned());
    line(&mut out, &head);
    for row in &ranking.rows {
        let Some(player) = event.player(row.player) else { continue };
        let mut fields = vec![
            row.rank.to_string(),
            player.name.clone(),
            number(player.details.rating),
            player.details.federation.clone(),
            player.details.club.clone(),
            row.points.clone(),
        ];
        fields.extend(row.values.iter().map(|value| value.clone().unwrap_or_default()));
        line(&mut out, &fields);
    }
    out
}

/// The players. Personal things only for those who run the event.
pub(crate) fn players_csv(event: &Event, is_staff: bool) -> String {
    let mut out = String::new();
    let mut head: Vec<String> =
        ["Number", "Name", "Rating", "Title", "Federation", "Club", "State"]
            .map(str::to_owned)
            .to_vec();
    if is_staff {
        head.extend(["FIDE ID", "Birth year", "Sex"].map(str::to_owned));
    }
    line(&mut out, &head);
    for player in &event.players {
        let details = &player.details;
        let mut fields = vec![
            number(player.seed.map(|seed| seed.0)),
            player.name.clone(),
            number(details.rating),
            details.title.clone().unwrap_or_default(),
            details.federation.clone(),
            details.club.clone(),
            player.state.as_str().to_owned(),
        ];
        if is_staff {
            fields.extend([
                details.fide_id.clone(),
                number(details.birth_year),
                details.sex.clone().unwrap_or_default(),
            ]);
        }
        line(&mut out, &fields);
    }
    out
}

/// All pairings with their results.
pub(crate) fn pairings_csv(event: &Event) -> String {
    let mut out = String::new();
    line(&mut out, &["Round", "Board", "White", "Black", "Result"].map(str::to_owned));
    let name = |player| event.player(player).map(|player| player.name.clone()).unwrap_or_default();
    for round in &event.rounds {
        for board in &round.boards {
            let result = board.result.map_or("", Score::as_str).to_owned();
            let (white, black) = (name(board.players.white), name(board.players.black));
            line(
                &mut out,
                &[round.number.to_string(), board.number.to_string(), white, black, result],
            );
        }
        for (player, bye) in &round.byes {
            let word = match bye {
                ByeKind::Pairing => "bye",
                other => other.as_str(),
            };
            line(
                &mut out,
                &[
                    round.number.to_string(),
                    String::new(),
                    name(*player),
                    String::new(),
                    word.to_owned(),
                ],
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(field(text), expected);
    }

    #[test]
    fn a_field_is_quoted_where_it_must_be_and_never_a_formula() {
        check("One, Test", "\"One, Test\"");
        check("the \"Rook\"", "\"the \"\"Rook\"\"\"");
        check("=1+1", "'=1+1");
        check("-+", "'-+");
        check("1-0", "1-0");
        check("-", "-");
    }
}
