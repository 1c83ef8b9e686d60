//! Reading events.

use std::collections::BTreeMap;

use rules::UnixMillis;

use super::{
    EntryState, EventAction, EventQuery, EventState, EventVisibility, ListedEvent, StoredBoard,
    StoredEntry, StoredEvent, StoredRound, WholeEvent,
};
use crate::db::on_db;
use crate::games::parse_id;
use crate::{AccountId, EventId, GameId, Store, StoreError};

#[derive(sqlx::FromRow)]
struct EventRow {
    id: String,
    name: String,
    state: String,
    visibility: String,
    owner_id: String,
    starts_at: Option<i64>,
    settings: String,
    version: i64,
    due_at: Option<i64>,
    table_key: String,
    created_at: i64,
    changed_at: i64,
}

#[derive(sqlx::FromRow)]
struct ListedRow {
    #[sqlx(flatten)]
    event: EventRow,
    players: i64,
    rounds: i64,
}

#[derive(sqlx::FromRow)]
struct PlayerRow {
    number: i64,
    account_id: Option<String>,
    name: String,
    seed: Option<i64>,
    state: String,
    details: String,
    entered_at: i64,
}

#[derive(sqlx::FromRow)]
struct BoardRow {
    round: i64,
    board: i64,
    game_id: Option<String>,
    result: Option<String>,
    white_report: Option<String>,
    black_report: Option<String>,
}

#[derive(sqlx::FromRow)]
struct SeatRow {
    round: i64,
    player: i64,
    board: Option<i64>,
    color: Option<String>,
    bye: Option<String>,
}

#[derive(sqlx::FromRow)]
struct ActionRow {
    version: i64,
    at: i64,
    actor_id: Option<String>,
    act: String,
    detail: String,
    undo: Option<String>,
}

/// The columns of [`EventRow`].
macro_rules! event_columns {
    () => {
        "event.id, event.name, event.state, event.visibility, event.owner_id, event.starts_at, event.settings,
         event.version, event.due_at, event.table_key, event.created_at, event.changed_at"
    };
}

impl Store {
    /// Reads an event with everything in it. `Conflict` if somebody changed it meanwhile: read again.
    pub async fn load_event(&self, id: EventId) -> Result<WholeEvent, StoreError> {
        const EVENT: &str = concat!("SELECT ", event_columns!(), " FROM event WHERE id = $1");
        const VERSION: &str = "SELECT version FROM event WHERE id = $1";
        let row: EventRow = on_db!(&*self.readers, pool => {
            sqlx::query_as(EVENT).bind(id.as_str()).fetch_one(pool).await?
        });
        let players = self.load_entries(id).await?;
        let rounds = self.load_event_rounds(id).await?;
        let (version,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(VERSION).bind(id.as_str()).fetch_one(pool).await?
        });
        if version != row.version {
            return Err(StoreError::Conflict);
        }
        Ok(WholeEvent { event: row.try_into()?, players, rounds })
    }

    async fn load_entries(&self, id: EventId) -> Result<Vec<StoredEntry>, StoreError> {
        const SQL: &str = "
            SELECT event_player.number, event_player.account_id, COALESCE(account.name, event_player.name) AS name,
                   event_player.seed, event_player.state, event_player.details, event_player.entered_at
            FROM event_player LEFT JOIN account ON account.id = event_player.account_id
            WHERE event_player.event_id = $1 ORDER BY event_player.number";
        let rows: Vec<PlayerRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(StoredEntry::try_from).collect()
    }

    async fn load_event_rounds(&self, id: EventId) -> Result<Vec<StoredRound>, StoreError> {
        const ROUNDS: &str =
            "SELECT round, published_at FROM event_round WHERE event_id = $1 ORDER BY round";
        const BOARDS: &str = "
            SELECT round, board, game_id, result, white_report, black_report
            FROM event_board WHERE event_id = $1 ORDER BY round, board";
        const SEATS: &str = "
            SELECT round, player, board, color, bye FROM event_seat
            WHERE event_id = $1 ORDER BY round, board, player";
        let rounds: Vec<(i64, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(ROUNDS).bind(id.as_str()).fetch_all(pool).await?
        });
        let boards: Vec<BoardRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(BOARDS).bind(id.as_str()).fetch_all(pool).await?
        });
        let seats: Vec<SeatRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SEATS).bind(id.as_str()).fetch_all(pool).await?
        });
        assemble(rounds, boards, seats)
    }

    /// Lists events, the latest first: by [`StoredEvent::begins`].
    pub async fn list_events(&self, query: EventQuery) -> Result<Vec<ListedEvent>, StoreError> {
        const SQL: &str = concat!(
            "SELECT ",
            event_columns!(),
            ",
                (SELECT COUNT(*) FROM event_player WHERE event_player.event_id = event.id) AS players,
                (SELECT COUNT(*) FROM event_round WHERE event_round.event_id = event.id) AS rounds
            FROM event
            WHERE ($1 = 1 OR (event.state <> 'draft' AND (event.visibility = 'public'
                    OR ($2 <> '' AND event.visibility = 'unlisted') OR ($2 <> '' AND EXISTS (
                        SELECT 1 FROM event_player
                        WHERE event_player.event_id = event.id AND event_player.account_id = $2)))))
                AND ($2 = '' OR event.owner_id = $2 OR EXISTS (
                    SELECT 1 FROM event_player WHERE event_player.event_id = event.id AND event_player.account_id = $2))
                AND ($3 = '' OR event.state = $3)
                AND ($4 = '' OR event.name_key LIKE $4 ESCAPE '\\')
                AND (COALESCE(event.starts_at, event.created_at) >= $5 OR $5 = 0)
                AND (COALESCE(event.starts_at, event.created_at) < $6 OR $6 = 0)
                AND (COALESCE(event.starts_at, event.created_at) < $7
                    OR (COALESCE(event.starts_at, event.created_at) = $7 AND event.id < $8))
            ORDER BY COALESCE(event.starts_at, event.created_at) DESC, event.id DESC LIMIT $9"
        );
        let name = query.name.map_or_else(String::new, |name| like(&name));
        let (before, before_id) = query
            .before
            .map_or((i64::MAX, String::new()), |(at, id)| (at.0, id.as_str().to_owned()));
        let sees_all = i64::from(query.all);
        let rows: Vec<ListedRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(sees_all)
                .bind(query.mine.map_or_else(String::new, String::from))
                .bind(query.state.map_or("", EventState::as_str))
                .bind(name)
                .bind(query.from.map_or(0, |at| at.0))
                .bind(query.until.map_or(0, |at| at.0))
                .bind(before)
                .bind(before_id)
                .bind(query.limit)
                .fetch_all(pool)
                .await?
        });
        rows.into_iter()
            .map(|row| {
                let (players, rounds) = (row.players, row.rounds);
                Ok(ListedEvent { event: row.event.try_into()?, players, rounds })
            })
            .collect()
    }

    /// The events that run: for the start.
    pub async fn running_events(&self) -> Result<Vec<EventId>, StoreError> {
        const SQL: &str = "SELECT id FROM event WHERE state = 'running' OR due_at IS NOT NULL";
        let rows: Vec<(String,)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        rows.into_iter().map(|(id,)| parse_id(&id)).collect()
    }

    /// The regulations of the events that run, or of those in which somebody plays.
    pub async fn settings_of_running_events(
        &self,
        player: Option<AccountId>,
    ) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "
            SELECT event.settings FROM event
            WHERE event.state IN ('check_in', 'running') AND ($1 = '' OR EXISTS (
                SELECT 1 FROM event_player
                WHERE event_player.event_id = event.id AND event_player.account_id = $1
                    AND event_player.state <> 'withdrawn'))";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(player.map_or_else(String::new, String::from))
                .fetch_all(pool)
                .await?
        });
        Ok(rows.into_iter().map(|(settings,)| settings).collect())
    }

    /// The event a game belongs to, if any.
    pub async fn event_of_game(&self, game: GameId) -> Result<Option<EventId>, StoreError> {
        const SQL: &str = "SELECT event_id FROM event_board WHERE game_id = $1";
        let row: Option<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).fetch_optional(pool).await?
        });
        row.map(|(id,)| parse_id(&id)).transpose()
    }

    /// Whether a game belongs to an event in which somebody plays.
    pub async fn is_in_event_of(
        &self,
        game: GameId,
        account: AccountId,
    ) -> Result<bool, StoreError> {
        const SQL: &str = "
            SELECT event_player.number FROM event_board
            JOIN event_player ON event_player.event_id = event_board.event_id
            WHERE event_board.game_id = $1 AND event_player.account_id = $2";
        let row: Option<(i64,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).bind(account.as_str()).fetch_optional(pool).await?
        });
        Ok(row.is_some())
    }

    /// What was done in an event, the newest first, from before version `before` on.
    pub async fn event_actions(
        &self,
        id: EventId,
        before: i64,
        limit: i64,
    ) -> Result<Vec<EventAction>, StoreError> {
        const SQL: &str = "
            SELECT version, at, actor_id, act, detail, undo FROM event_action
            WHERE event_id = $1 AND version < $2 ORDER BY version DESC LIMIT $3";
        let rows: Vec<ActionRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).bind(before).bind(limit).fetch_all(pool).await?
        });
        rows.into_iter().map(EventAction::try_from).collect()
    }
}

/// A pattern that finds the text anywhere; its own wildcards stand for themselves.
fn like(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

fn assemble(
    rounds: Vec<(i64, i64)>,
    boards: Vec<BoardRow>,
    seats: Vec<SeatRow>,
) -> Result<Vec<StoredRound>, StoreError> {
    let mut sides: BTreeMap<(i64, i64), [Option<i64>; 2]> = BTreeMap::new();
    let mut byes: BTreeMap<i64, Vec<(i64, String)>> = BTreeMap::new();
    for seat in seats {
        match (seat.board, seat.bye) {
            (Some(board), _) => {
                let side = usize::from(seat.color.as_deref() == Some("black"));
                sides.entry((seat.round, board)).or_default()[side] = Some(seat.player);
            }
            (None, Some(bye)) => byes.entry(seat.round).or_default().push((seat.player, bye)),
            (None, None) => {}
        }
    }
    let mut by_round: BTreeMap<i64, Vec<StoredBoard>> = BTreeMap::new();
    for row in boards {
        let Some([Some(white), Some(black)]) = sides.remove(&(row.round, row.board)) else {
            let place = format!("round {}, board {}", row.round, row.board);
            return Err(StoreError::Damaged(format!("{place} has not two players")));
        };
        by_round.entry(row.round).or_default().push(StoredBoard {
            board: row.board,
            white,
            black,
            game: row.game_id.as_deref().map(parse_id).transpose()?,
            result: row.result,
            white_report: row.white_report,
            black_report: row.black_report,
        });
    }
    let round = |(round, published_at)| StoredRound {
        round,
        published_at: UnixMillis(published_at),
        boards: by_round.remove(&round).unwrap_or_default(),
        byes: byes.remove(&round).unwrap_or_default(),
    };
    Ok(rounds.into_iter().map(round).collect())
}

impl TryFrom<EventRow> for StoredEvent {
    type Error = StoreError;
    fn try_from(row: EventRow) -> Result<StoredEvent, StoreError> {
        Ok(StoredEvent {
            id: parse_id(&row.id)?,
            name: row.name,
            state: EventState::parse(&row.state)?,
            visibility: EventVisibility::parse(&row.visibility)?,
            owner: parse_id(&row.owner_id)?,
            starts_at: row.starts_at.map(UnixMillis),
            settings: row.settings,
            version: row.version,
            due_at: row.due_at.map(UnixMillis),
            table_key: row.table_key,
            created_at: UnixMillis(row.created_at),
            changed_at: UnixMillis(row.changed_at),
        })
    }
}

impl TryFrom<PlayerRow> for StoredEntry {
    type Error = StoreError;
    fn try_from(row: PlayerRow) -> Result<StoredEntry, StoreError> {
        Ok(StoredEntry {
            number: row.number,
            account: row.account_id.as_deref().map(parse_id::<AccountId>).transpose()?,
            name: row.name,
            seed: row.seed,
            state: EntryState::parse(&row.state)?,
            details: row.details,
            entered_at: UnixMillis(row.entered_at),
        })
    }
}

impl TryFrom<ActionRow> for EventAction {
    type Error = StoreError;
    fn try_from(row: ActionRow) -> Result<EventAction, StoreError> {
        Ok(EventAction {
            version: row.version,
            at: UnixMillis(row.at),
            actor: row.actor_id.as_deref().map(parse_id).transpose()?,
            act: row.act,
            detail: row.detail,
            undo: row.undo,
        })
    }
}
