//! The games of an event as PGN.

use rules::Color;

use super::super::event::calendar_day;
use super::super::event::{Event, EventBoard, Score};

/// A game of an event. `played` is the game's own PGN, if it was played here; otherwise there are tags and the result.
pub(crate) fn board_pgn(
    event: &Event,
    round: u16,
    board: &EventBoard,
    played: Option<&str>,
) -> String {
    let event_tag = format!("[Event \"{}\"]", escape(&event.name));
    let round_tag = format!("[Round \"{round}.{}\"]", board.number);
    if let Some(played) = played {
        // A game that did not come about has no result of its own: the board's is what counts.
        let result = result_of(board);
        let result_tag = format!("[Result \"{result}\"]");
        let lines = played.lines().map(|line| match line {
            line if line.starts_with("[Event \"") => event_tag.as_str(),
            line if line.starts_with("[Round \"") => round_tag.as_str(),
            "[Result \"*\"]" => result_tag.as_str(),
            other => other,
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        let text = text.trim_end();
        let text = match text.strip_suffix('*') {
            Some(moves) if moves.ends_with(char::is_whitespace) => format!("{moves}{result}"),
            _ => text.to_owned(),
        };
        return format!("{text}\n\n");
    }
    let name = |side: Color| {
        event.player(board.players[side]).map(|player| escape(&player.name)).unwrap_or_default()
    };
    let at = event.round(round).map_or(event.created_at, |round| round.published_at);
    let (year, month, day) = calendar_day(at.0);
    let result = result_of(board);
    let site = escape(
        event.regulations.place.lines().next().filter(|place| !place.is_empty()).unwrap_or("?"),
    );
    format!(
        "{event_tag}\n[Site \"{site}\"]\n[Date \"{year:04}.{month:02}.{day:02}\"]\n{round_tag}\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\n{result}\n\n",
        name(Color::White),
        name(Color::Black),
    )
}

/// A result as PGN knows it: what an arbiter gives beyond that has no sign there.
fn result_of(board: &EventBoard) -> &'static str {
    match board.result {
        Some(Score::WhiteWins | Score::BlackAbsent) => "1-0",
        Some(Score::BlackWins | Score::WhiteAbsent) => "0-1",
        Some(Score::Draw) => "1/2-1/2",
        _ => "*",
    }
}

/// A tag's text: backslashes and quotes are escaped, and it stays on its line.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}
