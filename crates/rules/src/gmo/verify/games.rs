//! Records of games, with and without clocks, and of single moves.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use shakmaty::Color;

use super::compare::Difference;
use super::inputs::{self, Record};
use crate::gmo::board::Board;
use crate::gmo::chance::Luck;
use crate::gmo::clock::{FreezeClock, Untimely};
use crate::gmo::code::Sha;
use crate::gmo::end::{DrawBy, End};
use crate::gmo::play::Promotions;
use crate::gmo::position::GmoPosition;
use crate::gmo::token::{EventToken, board_tokens};

/// A whole game from its start.
pub(super) fn compute(record: &Record) -> Result<Map<String, Value>, Difference> {
    let events = inputs::texts(record, "ev")?;
    let mut replay = Replay { position: inputs::position(record, Color::White)?, clock: None };
    let mut times = Vec::new();
    if record.contains_key("clock") {
        replay.clock = Some(FreezeClock::new(inputs::number(record, "clock")?));
        times = inputs::numbers(record, "dt")?;
        if times.len() != events.len() {
            return Err(Difference::malformed("dt", "there must be one number for each event"));
        }
    }
    let (mut counts, mut hashes, mut clocks) = (Vec::new(), Vec::new(), Vec::new());
    for (at, event) in events.iter().enumerate() {
        let elapsed = times.get(at).copied().unwrap_or(0);
        let illegal = |reason: String| Difference::new(format!("ev[{at}]"), &json!(event), reason);
        counts.push(replay.act(event, elapsed).map_err(illegal)?);
        hashes.push(json!(board_hash(replay.position.board())));
        clocks.extend(replay.clock.map(clock_value));
    }
    let mut computed = Map::new();
    computed.insert("n".into(), counts.into());
    computed.insert("h".into(), hashes.into());
    let mut end = end_of(&replay.position);
    if let Some(clock) = replay.clock {
        computed.insert("clk".into(), clocks.into());
        end.insert("clk".into(), clock_value(clock));
    }
    computed.insert("end".into(), end.into());
    Ok(computed)
}

/// One move on any position.
pub(super) fn compute_single(record: &Record) -> Result<Map<String, Value>, Difference> {
    let mut replay =
        Replay { position: inputs::position(record, inputs::side(record, "turn")?)?, clock: None };
    let chosen = inputs::text(record, "mv")?;
    replay.act(chosen, 0).map_err(|reason| Difference::new("mv", &json!(chosen), reason))?;
    Ok(Map::from_iter([("end".to_owned(), end_of(&replay.position).into())]))
}

/// A position and, in a game with clocks, the time both sides have.
struct Replay {
    position: GmoPosition,
    clock: Option<FreezeClock>,
}

impl Replay {
    /// Makes one event happen and gives the number of legal moves before it; null before promotions.
    fn act(&mut self, event: &str, elapsed_ms: u64) -> Result<Value, String> {
        let (token, marked_late) =
            event.strip_prefix('#').map_or((event, false), |token| (token, true));
        let token: EventToken = token.parse().map_err(|error| format!("{error}"))?;
        if let Some(end) = self.position.end() {
            return Err(format!("G_OVER: the game ended before by {}", end.reason()));
        }
        let count = match token {
            EventToken::Move(_) => json!(self.position.count_moves(self.position.turn())),
            EventToken::Promotion(_) => Value::Null,
        };
        let actor = self.position.actor();
        let late = match self.clock.as_mut().map(|clock| clock.arrive(actor, elapsed_ms)) {
            None | Some(Ok(())) => false,
            Some(Err(Untimely::FlagFallen)) => true,
            Some(Err(frozen @ Untimely::Frozen { .. })) => {
                return Err(format!("M_FROZEN: {frozen}"));
            }
        };
        match (late, marked_late) {
            (true, true) => self.position.finish(End::flag(actor)),
            (false, false) => self.execute(token)?,
            (true, false) => return Err(format!("the flag had fallen: #{token}")),
            (false, true) => return Err(format!("the flag had not fallen: {token}")),
        }
        Ok(count)
    }

    fn execute(&mut self, token: EventToken) -> Result<(), String> {
        match token {
            EventToken::Move(token) => {
                let mover = self.position.turn();
                let played = self
                    .position
                    .play(token.chosen, &Luck::NONE)
                    .map_err(|error| format!("{}: {error}", error.code()))?;
                let end = self.clock.as_mut().and_then(|clock| clock.settle_move(mover, &played));
                if let Some(end) = end {
                    self.position.finish(end);
                }
                Ok(())
            }
            EventToken::Promotion(token) => self
                .position
                .promote_listed(token.square, token.genome)
                .map_err(|error| format!("{}: {error}", error.code())),
        }
    }
}

fn clock_value(clock: FreezeClock) -> Value {
    json!([clock.left_ms(Color::White), clock.left_ms(Color::Black)])
}

/// The first digits of the hash of a board's tokens.
fn board_hash(board: &Board) -> String {
    Sha(Sha256::digest(board_tokens(board).join(" ")).into()).prefix(8)
}

fn end_of(position: &GmoPosition) -> Map<String, Value> {
    let board = position.board();
    let end = position.end();
    Map::from_iter([
        ("p".to_owned(), board_tokens(board).into()),
        ("status".to_owned(), status(end).into()),
        ("reason".to_owned(), end.map(reason).into()),
        ("turn".to_owned(), position.turn().char().to_string().into()),
        ("pending".to_owned(), pending(position.promotions())),
        ("kings".to_owned(), json!([board.kings(Color::White), board.kings(Color::Black)])),
    ])
}

/// Who has won.
pub(super) fn status(end: Option<End>) -> &'static str {
    match end {
        None => "in_progress",
        Some(End::Draw { .. }) => "draw",
        Some(End::Win { winner: Color::White, .. }) => "white",
        Some(End::Win { winner: Color::Black, .. }) => "black",
    }
}

/// Vectors call the loss of kings on both sides `king` too.
fn reason(end: End) -> &'static str {
    if end == (End::Draw { by: DrawBy::BothKings }) { "king" } else { end.reason() }
}

/// The squares of waiting promotions.
pub(super) fn pending(promotions: Promotions) -> Value {
    promotions.iter().map(|square| square.to_string()).collect()
}
