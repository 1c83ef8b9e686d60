//! The journal: the tails of all games' logs, written in order; and the folding of a tail into its game's row.

use std::ops::RangeInclusive;

use sqlx::AssertSqlSafe;

use crate::db::{Conn, Db, on_db};
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
        let sql = insert_text(conn, now.len());
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

fn insert_text(conn: &Conn, rows: usize) -> String {
    let mut sql = String::with_capacity(64 + rows * 24);
    sql.push_str("INSERT INTO journal (seq, game_id, version, body) VALUES ");
    for row in 0..rows {
        sql.push_str(if row == 0 { "(" } else { ",(" });
        push_parameters(&mut sql, conn, row * 4 + 1..=row * 4 + 4);
        sql.push(')');
    }
    sql
}

/// Parameters with a comma between them. SQLite gets them without a number: it looks a numbered one up by walking over
/// all that came before, and the driver asks for each, so that a thousand of them cost half a million steps.
fn push_parameters(sql: &mut String, conn: &Conn, numbers: RangeInclusive<usize>) {
    use std::fmt::Write as _;
    let first = *numbers.start();
    for number in numbers {
        sql.push_str(if number == first { "" } else { "," });
        match conn {
            Db::Sqlite(_) => sql.push('?'),
            Db::Postgres(_) => write!(sql, "${number}").expect("a String takes every text"),
        }
    }
}

/// Line numbers as one statement takes them: filled up with the last one to a power of two, so that few prepared
/// statements serve every tail.
fn padded(seqs: &[i64]) -> impl Iterator<Item = i64> + Clone {
    let last = seqs.last().copied().into_iter();
    seqs.iter().copied().chain(last.cycle()).take(seqs.len().next_power_of_two())
}

/// The list of parameters for [`padded`] line numbers.
fn list(conn: &Conn, seqs: &[i64]) -> String {
    let mut text = String::new();
    push_parameters(&mut text, conn, 1..=seqs.len().next_power_of_two());
    text
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
    let seqs = tail.map_or(&[][..], |tail| &tail.seqs);
    let mut lines = Vec::with_capacity(seqs.len());
    for seqs in seqs.chunks(CHUNK) {
        let numbers = list(conn, seqs);
        let sql =
            format!("SELECT version, body FROM journal WHERE seq IN ({numbers}) ORDER BY seq");
        let found: Vec<(i64, String)> = on_db!(conn, c => {
            let mut query = sqlx::query_as(AssertSqlSafe(sql));
            for seq in padded(seqs) {
                query = query.bind(seq);
            }
            query.fetch_all(&mut *c).await?
        });
        if found.len() != seqs.len() {
            return Err(StoreError::Damaged("lines of the journal are missing".to_owned()));
        }
        for (version, body) in found {
            lines.push((log::version(version)?, body));
        }
    }
    Ok(lines)
}

/// Removes the lines of a tail.
async fn remove_tail(conn: &mut Conn, tail: Option<&Tail>) -> Result<(), StoreError> {
    for seqs in tail.map_or(&[][..], |tail| &tail.seqs).chunks(CHUNK) {
        let sql = format!("DELETE FROM journal WHERE seq IN ({})", list(conn, seqs));
        on_db!(conn, c => {
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for seq in padded(seqs) {
                query = query.bind(seq);
            }
            query.execute(&mut *c).await?;
        });
    }
    Ok(())
}

/// Moves a game's tail into its row. Whether the game is finished.
pub(crate) async fn fold(
    conn: &mut Conn,
    game: GameId,
    tail: Option<&Tail>,
) -> Result<bool, StoreError> {
    const READ: &str = "SELECT log, log_version, state FROM game WHERE id = $1";
    const WRITE: &str = "UPDATE game SET log = $2, log_version = $3 WHERE id = $1";

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
    remove_tail(conn, tail).await?;
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
