//! Offers and lines of chat: what was told of them stays, and nothing of it was told that nobody said.

use std::collections::BTreeMap;

use super::{GameHistory, Note, Verdict, What, plies};

/// Something said at a board.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bench) struct Line {
    pub(in crate::bench) number: i64,
    pub(in crate::bench) text: String,
}

/// Every line that anybody heard is there at the end, once, under its number; every line there was said by somebody.
pub(super) fn lines(game: &GameHistory, verdict: &mut Verdict) {
    let mut heard: BTreeMap<i64, &str> = BTreeMap::new();
    let mut conflicts = 0;
    for note in game.seats.iter().flatten() {
        let lines = match note {
            Note::Heard(line) => std::slice::from_ref(line),
            Note::State(state) => &state.chat,
            _ => continue,
        };
        for Line { number, text } in lines {
            conflicts += u64::from(heard.entry(*number).or_insert(text) != text);
        }
    }
    if conflicts > 0 {
        verdict.order_errors += conflicts;
        verdict.fault(game, "two clients heard different lines");
    }
    let last = game.last.as_ref().map_or(&[][..], |last| &last.chat);
    for (number, text) in &heard {
        if !last.iter().any(|line| line.number == *number && line.text == *text) {
            verdict.lost += 1;
            verdict.fault(game, &format!("line {number} {text:?} is lost"));
        }
    }
    let said = |text: &str| game.seats.iter().flatten().any(|note| note.says(text));
    for (place, line) in last.iter().enumerate() {
        let is_double = last[..place].iter().any(|other| other.text == line.text);
        if is_double || !said(&line.text) {
            verdict.ghosts += 1;
            verdict.fault(game, &format!("nobody said line {} {:?}", line.number, line.text));
        }
    }
    verdict.lines += last.len() as u64;
}

/// An offer that was told, and that no move has answered, is still there after a kill; nobody is told of an offer that
/// nobody made.
pub(super) fn offers(game: &GameHistory, verdict: &mut Verdict) {
    let asked = game.seats.iter().flatten().any(|note| matches!(note, Note::Offered));
    for seat in &game.seats {
        let (mut ply, mut open_at) = (0, None);
        for note in seat {
            match note {
                Note::Changed { what: What::DrawOffered, .. } => {
                    verdict.offers += 1;
                    open_at = Some(ply);
                    if !asked {
                        verdict.ghosts += 1;
                        verdict.fault(game, "nobody made an offer that was told");
                    }
                }
                Note::Played { ply: now, .. } => ply = *now,
                Note::State(state) => {
                    ply = plies(&state.actions);
                    if open_at == Some(ply) && !state.is_offered && state.ended.is_none() {
                        verdict.lost += 1;
                        verdict.fault(game, "an offer of a draw is lost");
                    }
                }
                _ => {}
            }
        }
    }
}

impl Note {
    fn says(&self, wanted: &str) -> bool {
        matches!(self, Note::Said { text } if text == wanted)
    }
}
