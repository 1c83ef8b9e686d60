//! What was said in the rooms of events, and which of their games are over.

use rules::{Outcome, Ply, UnixMillis};

use crate::accounts::Account;
use crate::db::{on_db, write_one};
use crate::games::parse_id;
use crate::{EventId, GameId, Store, StoreError};

/// A line in the room of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLine {
    /// Its number in the event, from 1.
    pub number: i64,
    /// By whom.
    pub by: Account,
    /// What.
    pub text: String,
    /// When.
    pub at: UnixMillis,
}

impl Store {
    /// Remembers a line. `Conflict` if the event has a line of this number.
    pub async fn add_event_line(&self, event: EventId, line: EventLine) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO event_chat_line (event_id, number, account_id, text, at) VALUES ($1, $2, $3, $4, $5)";
        write_one!(
            self,
            SQL,
            event.as_str(),
            line.number,
            line.by.id.as_str(),
            line.text,
            line.at.0,
        )
        .map(drop)
    }

    /// The last lines of an event, the oldest first.
    pub async fn load_event_lines(
        &self,
        event: EventId,
        most: i64,
    ) -> Result<Vec<EventLine>, StoreError> {
        self.load_event_lines_before(event, i64::MAX, most).await
    }

    async fn load_event_lines_before(
        &self,
        event: EventId,
        before: i64,
        most: i64,
    ) -> Result<Vec<EventLine>, StoreError> {
        const SQL: &str = "
            SELECT line.number, account.id, account.kind, account.name, line.text, line.at
            FROM event_chat_line AS line JOIN account ON account.id = line.account_id
            WHERE line.event_id = $1 AND line.number < $2 ORDER BY line.number DESC LIMIT $3";
        type Row = (i64, String, String, String, String, i64);
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(event.as_str()).bind(before).bind(most).fetch_all(pool).await?
        });
        rows.into_iter()
            .rev()
            .map(|(number, id, kind, name, text, at)| {
                let by = Account::from_columns(&id, &kind, name)?;
                Ok(EventLine { number, by, text, at: UnixMillis(at) })
            })
            .collect()
    }

    /// Takes a line away, and says which it was; nothing if there is none of this number.
    pub async fn remove_event_line(
        &self,
        event: EventId,
        number: i64,
    ) -> Result<Option<EventLine>, StoreError> {
        const SQL: &str = "DELETE FROM event_chat_line WHERE event_id = $1 AND number = $2";
        let found = self.load_event_lines_before(event, number + 1, 1).await?.pop();
        let found = found.filter(|line| line.number == number);
        if found.is_some() {
            write_one!(self, SQL, event.as_str(), number)?;
        }
        Ok(found)
    }

    /// Games of an event that are over though their boards have no result yet, with their length.
    pub async fn finished_event_games(
        &self,
        event: EventId,
    ) -> Result<Vec<(GameId, Outcome, Ply)>, StoreError> {
        const SQL: &str = "
            SELECT game.id, game.outcome, game.ply
            FROM event_board JOIN game ON game.id = event_board.game_id
            WHERE event_board.event_id = $1 AND event_board.result IS NULL AND game.state = 'finished'";
        let rows: Vec<(String, Option<String>, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(event.as_str()).fetch_all(pool).await?
        });
        let mut finished = Vec::with_capacity(rows.len());
        for (id, outcome, ply) in rows {
            let Some(outcome) = outcome else { continue };
            let ply = Ply(u32::try_from(ply).unwrap_or(u32::MAX));
            finished.push((parse_id(&id)?, serde_json::from_str(&outcome)?, ply));
        }
        Ok(finished)
    }

    /// All games of an event, and how they ended; nothing while one runs.
    pub async fn event_game_outcomes(
        &self,
        event: EventId,
    ) -> Result<Vec<(GameId, Option<Outcome>)>, StoreError> {
        const SQL: &str = "
            SELECT game.id, CASE WHEN game.state = 'finished' THEN game.outcome END
            FROM event_board JOIN game ON game.id = event_board.game_id
            WHERE event_board.event_id = $1";
        let rows: Vec<(String, Option<String>)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(event.as_str()).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(|(id, outcome)| {
                let outcome = outcome.map(|text| serde_json::from_str(&text)).transpose()?;
                Ok((parse_id(&id)?, outcome))
            })
            .collect()
    }
}
