//! The journal: the tails of all games' logs, written in order and removed from the front.

use std::ops::RangeInclusive;

use sqlx::AssertSqlSafe;

use crate::db::{Conn, Db, Pool, on_db};
use crate::games::{Appended, Summary};
use crate::{GameId, StoreError};
use crate::{decisions, ratings, recount};

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
    /// Whether the game goes back: conditional moves were made for what is no longer so.
    pub(crate) goes_back: bool,
}

/// Which lines of the journal belong to a game.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tail {
    pub(crate) next_version: u32,
    /// The lines that are not folded, in order: the last one has the version before `next_version`.
    pub(crate) seqs: Vec<i64>,
}

impl Tail {
    /// Forgets the lines up to a version, which are folded now. Gives how many they were.
    pub(crate) fn fold(&mut self, last: u32) -> usize {
        let newer = (self.next_version.saturating_sub(1)).saturating_sub(last) as usize;
        let folded = self.seqs.len().saturating_sub(newer);
        self.seqs.drain(..folded);
        folded
    }
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

/// Does one statement take this many rows?
pub(crate) fn is_one_statement(rows: usize) -> bool {
    rows == statement_size(rows.max(1))
}

fn insert_text(conn: &Conn, rows: usize) -> String {
    let mut sql = String::with_capacity(64 + rows * 24);
    sql.push_str("INSERT INTO journal (seq, game_id, version, body) VALUES ");
    for row in 0..rows {
        sql.push_str(if row == 0 { "(" } else { ",(" });
        push_parameters(&mut sql, is_numbered(conn), row * 4 + 1..=row * 4 + 4);
        sql.push(')');
    }
    sql
}

pub(crate) fn is_numbered(conn: &Conn) -> bool {
    matches!(conn, Db::Postgres(_))
}

/// Parameters with a comma between them. SQLite gets them without a number: it looks a numbered one up by walking over
/// all that came before, and the driver asks for each, so that a thousand of them cost half a million steps.
pub(crate) fn push_parameters(sql: &mut String, numbered: bool, numbers: RangeInclusive<usize>) {
    use std::fmt::Write as _;
    let first = *numbers.start();
    for number in numbers {
        sql.push_str(if number == first { "" } else { "," });
        if numbered {
            write!(sql, "${number}").expect("a String takes every text");
        } else {
            sql.push('?');
        }
    }
}

/// Line numbers as one statement takes them: filled up with the last one to a power of two, so that few prepared
/// statements serve every tail.
pub(crate) fn padded(seqs: &[i64]) -> impl Iterator<Item = i64> + Clone {
    let last = seqs.last().copied().into_iter();
    seqs.iter().copied().chain(last.cycle()).take(seqs.len().next_power_of_two())
}

/// Lines of [`read_pages`] that come as one text.
const PAGE: i64 = 4_096;

/// Reads the journal in order, for the start: what `line` says of each, a line each, in pages. A row for each would go
/// through the driver's channel one by one, and there may be half a million of them.
pub(crate) async fn read_pages(
    readers: &Pool,
    line: &str,
    (first, next): (i64, i64),
) -> Result<Vec<String>, StoreError> {
    let (join, end) = if let Pool::Postgres(_) = readers {
        ("string_agg", "chr")
    } else {
        ("group_concat", "char")
    };
    let sql = format!(
        "SELECT {join}({line}, {end}(10) ORDER BY seq) FROM journal WHERE seq >= $1 AND seq < $2"
    );
    let mut pages = Vec::new();
    let mut begin = first;
    while begin < next {
        let end = begin + PAGE;
        let (page,): (Option<String>,) = on_db!(readers, pool => {
            let query = sqlx::query_as(AssertSqlSafe(sql.clone()));
            query.bind(begin).bind(end).fetch_one(pool).await?
        });
        pages.extend(page);
        begin = end;
    }
    Ok(pages)
}

/// The first line and the one behind the last.
pub(crate) async fn ends(readers: &Pool) -> Result<(i64, i64), StoreError> {
    const SQL: &str = "SELECT MIN(seq), MAX(seq) FROM journal";
    let (first, last): (Option<i64>, Option<i64>) =
        on_db!(readers, pool => sqlx::query_as(SQL).fetch_one(pool).await?);
    let next = last.map_or(1, |last| last + 1);
    Ok((first.unwrap_or(next), next))
}

/// The words of a line of [`read_pages`].
pub(crate) fn words<const N: usize>(line: &str) -> Result<[&str; N], StoreError> {
    let words: Vec<&str> = line.splitn(N, ' ').collect();
    words.try_into().map_err(|_| StoreError::Damaged("a line of the journal is cut off".to_owned()))
}

/// A number of such a line.
pub(crate) fn number<T: std::str::FromStr>(word: &str) -> Result<T, StoreError> {
    word.parse().map_err(|_| StoreError::Damaged(format!("{word:?} is no number of the journal")))
}

/// Reads the lines with [`padded`] numbers in order, as one text for [`split`]: a row for each would go through the
/// driver's channel one by one.
pub(crate) fn select_text(numbered: bool, seqs: &[i64]) -> String {
    let joined = if numbered {
        "string_agg(version || ' ' || body, chr(10)"
    } else {
        "group_concat(version || ' ' || body, char(10)"
    };
    let mut sql = format!("SELECT {joined} ORDER BY seq) FROM journal WHERE seq IN (");
    push_parameters(&mut sql, numbered, 1..=seqs.len().next_power_of_two());
    sql.push(')');
    sql
}

/// The lines that [`select_text`] has read, with their versions. An event as JSON has no line break of its own.
pub(crate) fn split(text: Option<&str>) -> Result<Vec<(u32, String)>, StoreError> {
    let read = |line| {
        let [version, body] = words(line)?;
        Ok((number(version)?, body.to_owned()))
    };
    text.unwrap_or_default().lines().map(read).collect()
}

/// Brings a game's row up to date. A result that is corrected keeps the moment of its game's end.
pub(crate) async fn summarise(
    conn: &mut Conn,
    game: GameId,
    summary: &Summary,
) -> Result<Appended, StoreError> {
    const SQL: &str = "
        UPDATE game
        SET state = $2, outcome = $3, position = $4, ply = $5, opening = $7,
            ended_at = CASE WHEN CAST($3 AS TEXT) IS NULL THEN NULL ELSE COALESCE(ended_at, $6) END
        WHERE id = $1";
    let outcome = summary.outcome.as_ref().map(serde_json::to_string).transpose()?;
    let state = if outcome.is_some() { "finished" } else { "running" };
    on_db!(&mut *conn, c => {
        sqlx::query(SQL)
            .bind(game.as_str())
            .bind(state)
            .bind(outcome)
            .bind(&summary.position)
            .bind(i64::from(summary.ply.0))
            .bind(summary.ended_at.map(|at| at.0))
            .bind(&summary.opening)
            .execute(&mut *c)
            .await?;
    });
    let recount = summary.decision.as_ref().and_then(|decision| decision.recount.as_ref());
    let changes = match (recount, &summary.rated) {
        (Some((pool, system)), _) => recount::recount(conn, pool, system, game).await?,
        (None, Some(rated)) => ratings::rate_game(conn, game, rated).await?,
        (None, None) => None,
    };
    if let Some(decision) = &summary.decision {
        decisions::insert(conn, game, decision).await?;
    }
    Ok(Appended { ratings: changes.map(Box::new) })
}

/// Forgets the conditional moves of a game that went back, in the transaction that says so.
pub(crate) async fn forget_plans(conn: &mut Conn, game: GameId) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM conditional WHERE game_id = $1";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(game.as_str()).execute(&mut *c).await?;
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
        let sql = select_text(is_numbered(conn), seqs);
        let (text,): (Option<String>,) = on_db!(conn, c => {
            let mut query = sqlx::query_as(AssertSqlSafe(sql));
            for seq in padded(seqs) {
                query = query.bind(seq);
            }
            query.fetch_one(&mut *c).await?
        });
        let found = split(text.as_deref())?;
        if found.len() != seqs.len() {
            return Err(StoreError::Damaged("lines of the journal are missing".to_owned()));
        }
        lines.extend(found);
    }
    Ok(lines)
}

/// A game's row with its tail taken in.
pub(crate) struct Folded {
    pub(crate) game: GameId,
    /// The version up to which the log was folded before.
    pub(crate) before: i64,
    /// The version up to which it is now.
    pub(crate) last: u32,
    /// What the row is to hold; none if it holds that already.
    pub(crate) log: Option<Vec<u8>>,
    pub(crate) is_finished: bool,
}

/// Writes folded rows. A row that somebody else has changed meanwhile stays as it is. Gives the rows that are in their
/// places now, and the games of the others: their lines are still needed.
pub(crate) async fn fold(
    conn: &mut Conn,
    rows: Vec<Folded>,
) -> Result<(Vec<Folded>, Vec<GameId>), StoreError> {
    const SQL: &str =
        "UPDATE game SET log = $2, log_version = $3 WHERE id = $1 AND log_version = $4";
    let (mut folded, mut changed) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        let is_there = match &row.log {
            None => true,
            Some(log) => on_db!(&mut *conn, c => {
                let done = sqlx::query(SQL)
                    .bind(row.game.as_str())
                    .bind(log)
                    .bind(i64::from(row.last))
                    .bind(row.before)
                    .execute(&mut *c)
                    .await?;
                done.rows_affected() == 1
            }),
        };
        if is_there { folded.push(row) } else { changed.push(row.game) }
    }
    Ok((folded, changed))
}

/// Removes all lines before one.
pub(crate) async fn remove_before(conn: &mut Conn, seq: i64) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM journal WHERE seq < $1";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(seq).execute(&mut *c).await?;
    });
    Ok(())
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
