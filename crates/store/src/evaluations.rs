//! What engines said of positions: a cache, so that no position is searched twice to the same depth.

use rules::UnixMillis;

use crate::db::{on_db, write_one};
use crate::{Store, StoreError};

/// What one write forgets: whoever moves a piece meanwhile waits for it.
const TRIMMED_AT_ONCE: i64 = 500;

/// Which position: sixteen bytes of a hash of the variant and of what stands where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvaluationKey(pub [u8; 16]);

/// What an engine said of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// Which position.
    pub position: EvaluationKey,
    /// Which engine.
    pub engine: String,
    /// How many lines were asked for, 1 to 5.
    pub lines: u8,
    /// How many positions it was allowed to look at.
    pub nodes: u64,
    /// How deep it looked.
    pub depth: u8,
    /// The lines as JSON, best first.
    pub found: String,
}

impl Store {
    /// What is known of a position from a search at least this far; it counts as used.
    pub async fn find_evaluation(
        &self,
        position: EvaluationKey,
        engine: &str,
        lines: u8,
        nodes: u64,
    ) -> Result<Option<Evaluation>, StoreError> {
        const SQL: &str = "
            SELECT lines, nodes, depth, found FROM evaluation
            WHERE position = $1 AND engine = $2 AND lines >= $3 AND nodes >= $4";
        let row: Option<(i64, i64, i64, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(position.0.as_slice())
                .bind(engine)
                .bind(i64::from(lines))
                .bind(bounded(nodes))
                .fetch_optional(pool)
                .await?
        });
        Ok(row.map(|(lines, nodes, depth, found)| Evaluation {
            position,
            engine: engine.to_owned(),
            lines: u8::try_from(lines).unwrap_or(u8::MAX),
            nodes: u64::try_from(nodes).unwrap_or(0),
            depth: u8::try_from(depth).unwrap_or(u8::MAX),
            found,
        }))
    }

    /// Remembers what an engine said. A search that went less far does not replace one that went further.
    pub async fn keep_evaluation(
        &self,
        evaluation: Evaluation,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO evaluation (position, engine, lines, nodes, depth, found, used_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (position, engine) DO UPDATE
            SET lines = excluded.lines, nodes = excluded.nodes, depth = excluded.depth,
                found = excluded.found, used_at = excluded.used_at
            WHERE evaluation.lines <= excluded.lines AND evaluation.nodes <= excluded.nodes";
        write_one!(
            self,
            SQL,
            evaluation.position.0.as_slice(),
            evaluation.engine,
            i64::from(evaluation.lines),
            bounded(evaluation.nodes),
            i64::from(evaluation.depth),
            evaluation.found,
            now.0,
        )
        .map(drop)
    }

    /// Notes that these were used, in one write.
    pub async fn touch_evaluations(
        &self,
        engine: String,
        positions: Vec<EvaluationKey>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE evaluation SET used_at = $3 WHERE position = $1 AND engine = $2";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        for position in positions {
                            sqlx::query(SQL)
                                .bind(position.0.as_slice())
                                .bind(engine.as_str())
                                .bind(now.0)
                                .execute(&mut *c)
                                .await?;
                        }
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Forgets what was not used for the longest time until at most `most` are left. Tells how many went.
    ///
    /// Counting so many takes long: it is done beside the writer, which only gets small pieces to remove.
    pub async fn trim_evaluations(&self, most: u32) -> Result<u64, StoreError> {
        const COUNT: &str = "SELECT COUNT(*) FROM evaluation";
        const SQL: &str = "
            DELETE FROM evaluation WHERE (position, engine) IN
                (SELECT position, engine FROM evaluation ORDER BY used_at, position LIMIT $1)";
        let (kept,): (i64,) =
            on_db!(&*self.readers, pool => sqlx::query_as(COUNT).fetch_one(pool).await?);
        let surplus = (kept - i64::from(most)).max(0);
        let mut gone = 0;
        while gone < surplus {
            let piece = (surplus - gone).min(TRIMMED_AT_ONCE);
            let removed = write_one!(self, SQL, piece)?;
            if removed == 0 {
                break;
            }
            gone += i64::try_from(removed).unwrap_or(i64::MAX);
        }
        Ok(u64::try_from(gone).unwrap_or(0))
    }
}

fn bounded(nodes: u64) -> i64 {
    i64::try_from(nodes).unwrap_or(i64::MAX)
}
