//! The journal: the tails of all games' logs, written in order; and the folding of a tail into its game's row.

use sqlx::AssertSqlSafe;

use crate::db::{Conn, on_db};
use crate::games::Summary;
use crate::log;
use crate::{GameId, StoreError};

/// Rows a single insert takes at most: four parameters each, well below the limits of both databases.
pub(crate) const CHUNK: usize = 256;

/// Events to be added to a game's log.
pub(crate) struct Append {
    pub(crate) game: GameId,
    /// The version of the first of `events`.
    pub(crate) first_version: u32,
    /// Each event as JSON.
    pub(crate) events: Vec<String>,
    /// What the game's row is to say afterwards, where it changes.
    pub(crate) summary: Option<Summary>,
}

/// Which lines of the journal belong to a game.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tail {
    pub(crate) next_version: u32,
    pub(crate) seqs: Vec<i64>,
}

/// A line of the journal about to be written.
pub(crate) struct Row<'a> {
    seq: i64,
    game: GameId,
    version: u32,
    body: &'a str,
}

pub(crate) fn rows<'a>(appends: impl Iterator<Item = &'a Append>, next_seq: i64) -> Vec<Row<'a>> {
    let events = appends.flat_map(|append| {
        let versions = append.first_version..;
        versions.zip(&append.events).map(|(version, event)| (append.game, version, event.as_str()))
    });
    (next_seq..)
        .zip(events)
        .map(|(seq, (game, version, body))| Row { seq, game, version, body })
        .collect()
}

/// Inserts up to [`CHUNK`] rows with as few statements as their prepared forms allow.
pub(crate) async fn insert(conn: &mut Conn, mut rows: &[Row<'_>]) -> Result<(), StoreError> {
    while !rows.is_empty() {
        let (now, later) = rows.split_at(statement_size(rows.len()));
        let sql = insert_text(now.len());
        on_db!(conn, c => {
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for row in now {
                query = query.bind(row.seq).bind(row.game.as_str()).bind(i64::from(row.version)).bind(row.body);
            }
            query.execute(&mut *c).await?;
        });
        rows = later;
    }
    Ok(())
}

/// The sizes are few, so that every statement is prepared once and found again: 1 to 16, and powers of two above.
fn statement_size(rows: usize) -> usize {
    if rows <= 16 { rows } else { CHUNK.min(1 << rows.ilog2()) }
}

fn insert_text(rows: usize) -> String {
    use std::fmt::Write as _;
    let mut sql = String::with_capacity(64 + rows * 24);
    sql.push_str("INSERT INTO journal (seq, game_id, version, body) VALUES ");
    for n in 0..rows {
        let p = n * 4;
        let comma = if n == 0 { "" } else { "," };
        write!(sql, "{comma}(${},${},${},${})", p + 1, p + 2, p + 3, p + 4)
            .expect("a String takes every text");
    }
    sql
}

pub(crate) async fn summarise(
    conn: &mut Conn,
    game: GameId,
    summary: &Summary,
) -> Result<(), StoreError> {
    const SQL: &str = "
        UPDATE game
        SET state = $2, outcome = $3, position = $4, ply = $5, ended_at = $6
        WHERE id = $1";
    let outcome = summary.outcome.as_ref().map(serde_json::to_string).transpose()?;
    let state = if outcome.is_some() { "finished" } else { "running" };
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(game.as_str())
            .bind(state)
            .bind(outcome)
            .bind(&summary.position)
            .bind(i64::from(summary.ply.0))
            .bind(summary.ended_at.map(|at| at.0))
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

/// Reads the lines of a tail in order.
pub(crate) async fn read_tail(
    conn: &mut Conn,
    tail: Option<&Tail>,
) -> Result<Vec<(u32, String)>, StoreError> {
    const SQL: &str = "SELECT version, body FROM journal WHERE seq = $1";
    let mut lines = Vec::new();
    for seq in tail.iter().flat_map(|tail| &tail.seqs) {
        let (version, body): (i64, String) = on_db!(conn, c => {
            sqlx::query_as(SQL).bind(seq).fetch_one(&mut *c).await?
        });
        lines.push((log::version(version)?, body));
    }
    Ok(lines)
}

/// Moves a game's tail into its row. Whether the game is finished.
pub(crate) async fn fold(
    conn: &mut Conn,
    game: GameId,
    tail: Option<&Tail>,
) -> Result<bool, StoreError> {
    const READ: &str = "SELECT log, log_version, state FROM game WHERE id = $1";
    const WRITE: &str = "UPDATE game SET log = $2, log_version = $3 WHERE id = $1";
    const REMOVE: &str = "DELETE FROM journal WHERE seq = $1";

    let lines = read_tail(conn, tail).await?;
    let (packed, folded, state): (Option<Vec<u8>>, i64, String) = on_db!(conn, c => {
        sqlx::query_as(READ).bind(game.as_str()).fetch_one(&mut *c).await?
    });
    let is_finished = state == "finished";
    let Some((last, _)) = lines.last() else { return Ok(is_finished) };
    let last = i64::from(*last);
    let mut events = log::unpack(packed.as_deref())?;
    log::check_continues(game, folded, lines.iter().map(|(version, _)| *version))?;
    events.extend(lines.into_iter().map(|(_, body)| body));
    let packed = log::pack(&events)?;
    on_db!(conn, c => {
        sqlx::query(WRITE).bind(game.as_str()).bind(packed).bind(last).execute(&mut *c).await?;
    });
    for seq in tail.iter().flat_map(|tail| &tail.seqs) {
        on_db!(conn, c => {
            sqlx::query(REMOVE).bind(seq).execute(&mut *c).await?;
        });
    }
    Ok(is_finished)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sizes_of_statement_serve_every_number_of_rows() {
        for rows in 1..=1_000 {
            let mut left: usize = rows;
            let mut statements = 0;
            while left > 0 {
                left -= statement_size(left.min(CHUNK)).min(left);
                statements += 1;
            }
            assert!(statements <= 8, "{rows} rows took {statements} statements");
        }
    }
}
