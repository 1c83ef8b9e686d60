//! Writing events: each action is one transaction, and of two on the same version one is refused.

use rules::{Color, UnixMillis};

use super::{
    EventAction, EventChange, StoredBoard, StoredEntry, StoredEvent, StoredRound, color_word,
};
use crate::audit::insert_audit;
use crate::db::{Conn, on_db};
use crate::games::insert_game;
use crate::{AccountId, EventId, Store, StoreError};

impl Store {
    /// Remembers a new event with whatever it has already.
    pub async fn create_event(&self, change: EventChange) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    insert_event(conn, &change.event).await?;
                    write_parts(conn, &change).await
                })
            })
            .await
    }

    /// Writes what an action changed. `Conflict` if the event has moved on since the caller looked.
    pub async fn change_event(&self, change: EventChange) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    update_event(conn, &change.event).await?;
                    write_parts(conn, &change).await
                })
            })
            .await
    }

    /// Forgets an event, and notes who did it. Games that were played in it stay. `Conflict` if it has moved on since
    /// the caller looked.
    pub async fn delete_event(
        &self,
        id: EventId,
        version: i64,
        by: AccountId,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        // Seats first: they refer to players, who are not theirs to remove.
        const SEATS: &str = "DELETE FROM event_seat WHERE event_id = $1";
        const EVENT: &str = "DELETE FROM event WHERE id = $1 AND version = $2 RETURNING name";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let gone: Option<(String,)> = on_db!(&mut *conn, c => {
                        sqlx::query(SEATS).bind(id.as_str()).execute(&mut *c).await?;
                        sqlx::query_as(EVENT).bind(id.as_str()).bind(version).fetch_optional(&mut *c).await?
                    });
                    let (name,) = gone.ok_or(StoreError::Conflict)?;
                    insert_audit(conn, Some(by), "event_deleted", None, name, now).await
                })
            })
            .await
    }
}

async fn insert_event(conn: &mut Conn, event: &StoredEvent) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO event (id, name, name_key, state, visibility, owner_id, starts_at, settings, version, due_at,
                           table_key, created_at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(event.id.as_str())
            .bind(&event.name)
            .bind(event.name.to_lowercase())
            .bind(event.state.as_str())
            .bind(event.visibility.as_str())
            .bind(event.owner.as_str())
            .bind(event.starts_at.map(|at| at.0))
            .bind(&event.settings)
            .bind(event.version)
            .bind(event.due_at.map(|at| at.0))
            .bind(&event.table_key)
            .bind(event.created_at.0)
            .bind(event.changed_at.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

async fn update_event(conn: &mut Conn, event: &StoredEvent) -> Result<(), StoreError> {
    const SQL: &str = "
        UPDATE event SET name = $2, name_key = $3, state = $4, visibility = $5, starts_at = $6, settings = $7,
                         version = $8, due_at = $9, changed_at = $10
        WHERE id = $1 AND version = $8 - 1";
    let changed = on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(event.id.as_str())
            .bind(&event.name)
            .bind(event.name.to_lowercase())
            .bind(event.state.as_str())
            .bind(event.visibility.as_str())
            .bind(event.starts_at.map(|at| at.0))
            .bind(&event.settings)
            .bind(event.version)
            .bind(event.due_at.map(|at| at.0))
            .bind(event.changed_at.0)
            .execute(&mut *c)
            .await?
            .rows_affected()
    });
    if changed == 0 { Err(StoreError::Conflict) } else { Ok(()) }
}

async fn write_parts(conn: &mut Conn, change: &EventChange) -> Result<(), StoreError> {
    let id = change.event.id;
    for round in &change.removed_rounds {
        remove_round(conn, id, *round).await?;
    }
    for player in &change.removed_players {
        remove_player(conn, id, *player).await?;
    }
    // Pairing numbers may change places: no two rows share one for a moment.
    if change.players.len() > 1 {
        for player in &change.players {
            clear_seed(conn, id, player.number).await?;
        }
    }
    for player in &change.players {
        upsert_player(conn, id, player).await?;
    }
    for game in &change.games {
        insert_game(conn, game).await?;
    }
    for round in &change.rounds {
        remove_round(conn, id, round.round).await?;
        insert_round(conn, id, round).await?;
    }
    for (round, board) in &change.boards {
        update_board(conn, id, *round, board).await?;
    }
    insert_action(conn, id, &change.action).await
}

async fn upsert_player(
    conn: &mut Conn,
    event: EventId,
    player: &StoredEntry,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO event_player (event_id, number, account_id, name, seed, state, details, entered_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (event_id, number) DO UPDATE
        SET account_id = $3, name = $4, seed = $5, state = $6, details = $7";
    // An account is called what it is called: its name is never copied.
    let name = if player.account.is_some() { "" } else { player.name.as_str() };
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(event.as_str())
            .bind(player.number)
            .bind(player.account.map(String::from))
            .bind(name)
            .bind(player.seed)
            .bind(player.state.as_str())
            .bind(&player.details)
            .bind(player.entered_at.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

async fn clear_seed(conn: &mut Conn, event: EventId, number: i64) -> Result<(), StoreError> {
    const SQL: &str = "UPDATE event_player SET seed = NULL WHERE event_id = $1 AND number = $2 AND seed IS NOT NULL";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(event.as_str()).bind(number).execute(&mut *c).await?;
    });
    Ok(())
}

async fn remove_player(conn: &mut Conn, event: EventId, number: i64) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM event_player WHERE event_id = $1 AND number = $2";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(event.as_str()).bind(number).execute(&mut *c).await?;
    });
    Ok(())
}

async fn remove_round(conn: &mut Conn, event: EventId, round: i64) -> Result<(), StoreError> {
    // Boards and seats go with it.
    const SQL: &str = "DELETE FROM event_round WHERE event_id = $1 AND round = $2";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(event.as_str()).bind(round).execute(&mut *c).await?;
    });
    Ok(())
}

async fn insert_round(
    conn: &mut Conn,
    event: EventId,
    round: &StoredRound,
) -> Result<(), StoreError> {
    const ROUND: &str =
        "INSERT INTO event_round (event_id, round, published_at) VALUES ($1, $2, $3)";
    const BOARD: &str = "
        INSERT INTO event_board (event_id, round, board, game_id, result, white_report, black_report)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const SEAT: &str = "
        INSERT INTO event_seat (event_id, round, player, board, color, bye) VALUES ($1, $2, $3, $4, $5, $6)";
    on_db!(conn, c => {
        sqlx::query(ROUND).bind(event.as_str()).bind(round.round).bind(round.published_at.0).execute(&mut *c).await?;
        for board in &round.boards {
            sqlx::query(BOARD)
                .bind(event.as_str())
                .bind(round.round)
                .bind(board.board)
                .bind(board.game.map(String::from))
                .bind(board.result.as_deref())
                .bind(board.white_report.as_deref())
                .bind(board.black_report.as_deref())
                .execute(&mut *c)
                .await?;
            for (color, player) in [(Color::White, board.white), (Color::Black, board.black)] {
                sqlx::query(SEAT)
                    .bind(event.as_str())
                    .bind(round.round)
                    .bind(player)
                    .bind(Some(board.board))
                    .bind(Some(color_word(color)))
                    .bind(None::<&str>)
                    .execute(&mut *c)
                    .await?;
            }
        }
        for (player, bye) in &round.byes {
            sqlx::query(SEAT)
                .bind(event.as_str())
                .bind(round.round)
                .bind(*player)
                .bind(None::<i64>)
                .bind(None::<&str>)
                .bind(Some(bye.as_str()))
                .execute(&mut *c)
                .await?;
        }
    });
    Ok(())
}

async fn update_board(
    conn: &mut Conn,
    event: EventId,
    round: i64,
    board: &StoredBoard,
) -> Result<(), StoreError> {
    const SQL: &str = "
        UPDATE event_board SET game_id = $4, result = $5, white_report = $6, black_report = $7
        WHERE event_id = $1 AND round = $2 AND board = $3";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(event.as_str())
            .bind(round)
            .bind(board.board)
            .bind(board.game.map(String::from))
            .bind(board.result.as_deref())
            .bind(board.white_report.as_deref())
            .bind(board.black_report.as_deref())
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

async fn insert_action(
    conn: &mut Conn,
    event: EventId,
    action: &EventAction,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO event_action (event_id, version, at, actor_id, act, detail, undo)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(event.as_str())
            .bind(action.version)
            .bind(action.at.0)
            .bind(action.actor.map(String::from))
            .bind(&action.act)
            .bind(&action.detail)
            .bind(action.undo.as_deref())
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
