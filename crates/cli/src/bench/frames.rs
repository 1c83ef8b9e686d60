//! Reading the server's frames cheaply: the load generator shares the machine with what it measures.

use super::checker::Clocks;
use super::recorded::MoveText;

/// What a frame is, by its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Played,
    State,
    Changed,
    Around,
    Rejected,
    Gone,
    Chat,
    Rated,
    Other,
}

/// The tag of a frame; it always comes first.
pub(super) fn kind(frame: &str) -> Kind {
    let tag = frame.strip_prefix(r#"{"t":""#).and_then(|rest| rest.split('"').next());
    match tag {
        Some("played") => Kind::Played,
        Some("state") => Kind::State,
        Some("changed") => Kind::Changed,
        Some("around") => Kind::Around,
        Some("rejected") => Kind::Rejected,
        Some("gone") => Kind::Gone,
        Some("chat") => Kind::Chat,
        Some("rated") => Kind::Rated,
        _ => Kind::Other,
    }
}

/// What the load generator wants to know of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Played<'a> {
    pub(super) game: &'a str,
    pub(super) version: u32,
    /// The ply after the move.
    pub(super) ply: u32,
    pub(super) action: MoveText,
    pub(super) clocks: Clocks,
}

/// Reads a frame of kind [`Kind::Played`] by looking for its keys, which come in the order of the wire type.
pub(super) fn played(frame: &str) -> Option<Played<'_>> {
    let (game, rest) = text_after(frame, r#""game":""#)?;
    let (version, rest) = number_after(rest, r#""version":"#)?;
    let (ply, rest) = number_after(rest, r#""ply":"#)?;
    let (action, rest) = text_after(rest, r#""uci":""#)?;
    // The clocks are near the end: the quickest way there is from behind.
    let rest = &rest[rest.rfind(r#""white_ms":"#)?..];
    let (white, rest) = number_after(rest, r#""white_ms":"#)?;
    let (black, _) = number_after(rest, r#""black_ms":"#)?;
    Some(Played {
        game,
        version: u32::try_from(version).ok()?,
        ply: u32::try_from(ply).ok()?,
        action: MoveText::new(action)?,
        clocks: Clocks { white, black },
    })
}

/// The game that a frame is about.
pub(super) fn game(frame: &str) -> Option<&str> {
    text_after(frame, r#""game":""#).map(|(game, _)| game)
}

fn text_after<'a>(text: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let rest = &text[text.find(key)? + key.len()..];
    rest.split_once('"')
}

fn number_after<'a>(text: &'a str, key: &str) -> Option<(i64, &'a str)> {
    let rest = &text[text.find(key)? + key.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((rest[..end].parse().ok()?, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use server::games::wire::ClocksView;
    use server::live::wire::ServerMsg;

    use super::*;

    #[test]
    fn a_move_is_read_as_the_server_writes_it() {
        let id = "abcdEFGH";
        let message = ServerMsg::Played {
            game: id.parse().unwrap(),
            version: 17,
            ply: 9,
            by: rules::Color::White,
            uci: "e7e8q".to_owned(),
            san: "e8=Q+".to_owned(),
            fen: "4Q1k1/8/8/8/8/8/8/4K3 b - - 0 5".to_owned(),
            check: Some("g8".to_owned()),
            dests: "g8g7h7".to_owned(),
            to_act: None,
            clocks: ClocksView {
                white_ms: Some(59_001),
                black_ms: Some(58_000),
                running: None,
                delay_ms: None,
                first_move_ms: None,
                frozen_ms: None,
            },
            freezes: false,
            can_abort: false,
            can_claim_draw: false,
            lag_ms: 0,
            opening: None,
        };
        let text = message.to_json();
        assert_eq!(kind(&text), Kind::Played);
        let expected = Played {
            game: id,
            version: 17,
            ply: 9,
            action: MoveText::new("e7e8q").unwrap(),
            clocks: Clocks { white: 59_001, black: 58_000 },
        };
        assert_eq!(played(&text), Some(expected), "{text}");
    }

    #[test]
    fn other_frames_are_told_apart() {
        let rejected = ServerMsg::Rejected {
            game: None,
            ply: None,
            code: "x".to_owned(),
            reason: "y".to_owned(),
        };
        assert_eq!(kind(&rejected.to_json()), Kind::Rejected);
        assert_eq!(kind(r#"{"t":"hello","version":"1"}"#), Kind::Other);
        assert_eq!(kind("nonsense"), Kind::Other);
        assert_eq!(played(r#"{"t":"played","game":"abcdEFGH"}"#), None);
    }
}
