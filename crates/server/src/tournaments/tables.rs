//! The codes on the tables: whoever can scan one may say how the game at that table ended, without an account.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rules::Color;
use sha2::{Digest as _, Sha256};
use store::EventId;

use super::event::{Command, Event, EventBoard, EventRound, Score};
use super::{Rights, TournamentError, Tournaments};
use crate::accounts::Visitor;
use crate::world::Chance;

/// How many bytes of the code are kept: 96 bits, sixteen letters.
const CODE_BYTES: usize = 12;

/// A secret for a new event.
pub(super) fn draw_key(chance: &Chance) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(chance.bytes::<32>())
}

/// The code of a table: it stays the same from round to round, so it can be printed once.
pub fn table_code(event: &Event, table: u16) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(event.table_key.as_bytes())
        .expect("a key of this kind may have any length");
    mac.update(format!("{}/{table}", event.id).as_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(&mac.finalize().into_bytes()[..CODE_BYTES])
}

/// Compares without telling by the time it takes how much of it was right.
fn is_code(event: &Event, table: u16, code: &str) -> bool {
    let right = table_code(event, table);
    right.len() == code.len()
        && right.bytes().zip(code.bytes()).fold(0, |wrong, (one, other)| wrong | (one ^ other)) == 0
}

/// A table as somebody finds it who scans its code.
pub struct Table {
    /// The event.
    pub event: std::sync::Arc<Event>,
    /// The round that is played there; none if nobody sits there now.
    pub seat: Option<(u16, EventBoard)>,
}

impl Tournaments {
    /// Looks at a table.
    pub async fn table(
        &self,
        id: EventId,
        table: u16,
        code: Option<&str>,
        visitor: &Visitor,
    ) -> Result<Table, TournamentError> {
        let event = self.load(id).await?;
        let seat = event.rounds.last().and_then(|round: &EventRound| {
            round.board(table).map(|board| (round.number, board.clone()))
        });
        let board = seat.as_ref().map(|(_, board)| board);
        if !may_report(&event, table, board, code, visitor) {
            return Err(TournamentError::NotAtThisTable);
        }
        Ok(Table { event, seat })
    }

    /// Somebody at a table says how the game ended.
    pub async fn report(
        &self,
        id: EventId,
        (round, table): (u16, u16),
        code: Option<&str>,
        side: Color,
        result: Score,
        visitor: &Visitor,
    ) -> Result<Table, TournamentError> {
        let found = self.table(id, table, code, visitor).await?;
        let seats = found.seat.as_ref().map(|(_, board)| board.players);
        let own = visitor.account_id().and_then(|account| found.event.player_of(account));
        // Who is logged in and sits there speaks for the own side only.
        if let (Some(own), Some(players)) = (own, seats)
            && (players.white == own.number || players.black == own.number)
            && players[side] != own.number
        {
            return Err(TournamentError::NotAtThisTable);
        }
        let device = (!Rights::in_event(visitor, &found.event).results).then(|| device_of(visitor));
        let command = Command::Report { round, board: table, side, result, device };
        let event = self.act(id, visitor.account_id(), command).await?;
        let seat = event
            .round(round)
            .and_then(|found| found.board(table))
            .map(|board| (round, board.clone()));
        Ok(Table { event, seat })
    }
}

/// What tells one device from another: who is logged in there, the browser's token, or at worst where it is.
///
/// One phone that can scan a code must not say the same for both players.
fn device_of(visitor: &Visitor) -> String {
    let mark = match (visitor.account_id(), visitor.token) {
        (Some(account), _) => account.to_string(),
        (None, Some(token)) => BASE64_URL_SAFE_NO_PAD.encode(token.0),
        (None, None) => visitor.address.to_string(),
    };
    // Only ever compared: what is kept leads back to nobody.
    BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(mark.as_bytes())[..CODE_BYTES])
}

fn may_report(
    event: &Event,
    table: u16,
    board: Option<&EventBoard>,
    code: Option<&str>,
    visitor: &Visitor,
) -> bool {
    let sits = || {
        let own = visitor.account_id().and_then(|account| event.player_of(account))?;
        board?.side_of(own.number)
    };
    code.is_some_and(|code| is_code(event, table, code))
        || Rights::in_event(visitor, event).results
        || sits().is_some()
}
