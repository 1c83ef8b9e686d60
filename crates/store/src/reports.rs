//! Reports of games: jobs that wait, and what came of them.

use rules::UnixMillis;

use crate::bundles;
use crate::db::{on_db, write_one};
use crate::games::parse_id;
use crate::players::found;
use crate::{AccountId, GameId, LibraryNumber, Store, StoreError};

/// How a report stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportState {
    /// It waits for an engine, or one is at it.
    Waiting,
    /// Whoever asked for it wants it later.
    Paused,
    /// It is there.
    Done,
    /// No engine could make it.
    Failed,
}

impl ReportState {
    fn read(text: &str) -> Result<ReportState, StoreError> {
        match text {
            "waiting" => Ok(ReportState::Waiting),
            "paused" => Ok(ReportState::Paused),
            "done" => Ok(ReportState::Done),
            "failed" => Ok(ReportState::Failed),
            other => Err(StoreError::Damaged(format!("a report is in no state {other:?}"))),
        }
    }
}

/// What a report is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOf {
    /// A game that was played here.
    Game(GameId),
    /// A game of the library that was not.
    Library(LibraryNumber),
}

impl From<GameId> for ReportOf {
    fn from(game: GameId) -> ReportOf {
        ReportOf::Game(game)
    }
}

impl From<LibraryNumber> for ReportOf {
    fn from(number: LibraryNumber) -> ReportOf {
        ReportOf::Library(number)
    }
}

impl std::fmt::Display for ReportOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReportOf::Game(game) => write!(f, "{game}"),
            ReportOf::Library(number) => write!(f, "#{}", number.0),
        }
    }
}

impl ReportOf {
    fn read(text: &str) -> Result<ReportOf, StoreError> {
        let Some(number) = text.strip_prefix('#') else {
            return Ok(ReportOf::Game(parse_id(text)?));
        };
        let damaged = |_| StoreError::Damaged(format!("a report is of no game {text:?}"));
        Ok(ReportOf::Library(LibraryNumber(number.parse().map_err(damaged)?)))
    }

    fn game(self) -> Option<GameId> {
        match self {
            ReportOf::Game(game) => Some(game),
            ReportOf::Library(_) => None,
        }
    }

    fn library(self) -> Option<i64> {
        match self {
            ReportOf::Game(_) => None,
            ReportOf::Library(number) => Some(number.0),
        }
    }
}

/// A report that is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportJob {
    /// Of which game.
    pub of: ReportOf,
    /// Who asked for it.
    pub asked_by: Option<AccountId>,
    /// Whether it was asked for with a whole history.
    pub bulk: bool,
    /// Positions an engine looks at for each move.
    pub nodes: u64,
    /// When it was asked for.
    pub asked_at: UnixMillis,
}

/// A report as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReport {
    /// The job.
    pub job: ReportJob,
    /// How it stands.
    pub state: ReportState,
    /// The report as JSON, once it is done.
    pub result: Option<String>,
    /// Why it failed.
    pub problem: Option<String>,
}

/// How far somebody's whole history has got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BulkProgress {
    /// Reports that wait for an engine.
    pub waiting: u32,
    /// Reports that wait until they are wanted again.
    pub paused: u32,
    /// Reports that are there.
    pub done: u32,
    /// Reports that could not be made.
    pub failed: u32,
}

#[derive(sqlx::FromRow)]
struct ReportRow {
    subject: String,
    asked_by: Option<String>,
    bulk: i64,
    state: String,
    nodes: i64,
    asked_at: i64,
    result: Option<String>,
    problem: Option<String>,
}

impl TryFrom<ReportRow> for StoredReport {
    type Error = StoreError;
    fn try_from(row: ReportRow) -> Result<StoredReport, StoreError> {
        Ok(StoredReport {
            job: ReportJob {
                of: ReportOf::read(&row.subject)?,
                asked_by: row.asked_by.as_deref().map(parse_id).transpose()?,
                bulk: row.bulk != 0,
                nodes: u64::try_from(row.nodes).unwrap_or(0),
                asked_at: UnixMillis(row.asked_at),
            },
            state: ReportState::read(&row.state)?,
            result: row.result,
            problem: row.problem,
        })
    }
}

impl Store {
    /// Asks for the report of a finished game. One that is there, or waits already, stays; one that failed or was put
    /// off is tried anew, and one that waits with a whole history comes before the others of it now.
    pub async fn ask_report(&self, job: ReportJob) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO report (subject, game_id, library_game_id, asked_by, bulk, state, nodes, asked_at)
            VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7)
            ON CONFLICT (subject) DO UPDATE SET state = 'waiting', bulk = excluded.bulk, problem = NULL
            WHERE report.state <> 'done'";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if let Some(number) = job.of.library() {
                        bundles::release(conn, LibraryNumber(number)).await?;
                    }
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(job.of.to_string())
                            .bind(job.of.game().map(String::from))
                            .bind(job.of.library())
                            .bind(job.asked_by.map(String::from))
                            .bind(i64::from(job.bulk))
                            .bind(i64::try_from(job.nodes).unwrap_or(i64::MAX))
                            .bind(job.asked_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Asks for the reports of all finished games of somebody that have none yet: those played here, those of their
    /// accounts elsewhere, and those they have brought. What has failed is tried anew. Tells how many wait for it now.
    pub async fn ask_reports_of(
        &self,
        account: AccountId,
        nodes: u64,
        now: UnixMillis,
    ) -> Result<u64, StoreError> {
        const HERE: &str = r#"
            INSERT INTO report (subject, game_id, asked_by, bulk, state, nodes, asked_at)
            SELECT id, id, CAST($1 AS TEXT), 1, 'waiting', CAST($2 AS BIGINT), CAST($3 AS BIGINT)
            FROM game
            WHERE (white_id = $1 OR black_id = $1) AND state = 'finished' AND ply > 1
              AND outcome NOT LIKE '{"kind":"aborted"%'
            ON CONFLICT (subject) DO UPDATE
            SET state = 'waiting', asked_by = excluded.asked_by, bulk = 1, asked_at = excluded.asked_at, problem = NULL
            WHERE report.state = 'failed'"#;
        const LIBRARY: &str = "
            INSERT INTO report (subject, library_game_id, asked_by, bulk, state, nodes, asked_at)
            SELECT '#' || CAST(seq AS TEXT), seq, CAST($1 AS TEXT), 1, 'waiting', CAST($2 AS BIGINT), CAST($3 AS BIGINT)
            FROM library_game
            WHERE game_id IS NULL
              AND (importer_id = $1
                   OR white_account_id IN (SELECT id FROM service_account WHERE account_id = $1)
                   OR black_account_id IN (SELECT id FROM service_account WHERE account_id = $1))
            ON CONFLICT (subject) DO UPDATE
            SET state = 'waiting', asked_by = excluded.asked_by, bulk = 1, asked_at = excluded.asked_at, problem = NULL
            WHERE report.state = 'failed'";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    bundles::release_all(conn, account).await?;
                    let mut added = 0;
                    for sql in [HERE, LIBRARY] {
                        added += on_db!(conn, c => {
                            sqlx::query(sql)
                                .bind(account.as_str())
                                .bind(i64::try_from(nodes).unwrap_or(i64::MAX))
                                .bind(now.0)
                                .execute(&mut *c)
                                .await?
                                .rows_affected()
                        });
                    }
                    Ok(added)
                })
            })
            .await
    }

    /// The report that is to be made next: what somebody waits for before whole histories, the oldest first.
    pub async fn next_report(&self) -> Result<Option<ReportJob>, StoreError> {
        const SQL: &str = "
            SELECT subject, asked_by, bulk, state, nodes, asked_at, result, problem FROM report
            WHERE state = 'waiting' ORDER BY bulk, asked_at, subject LIMIT 1";
        let row: Option<ReportRow> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_optional(pool).await?);
        row.map(|row| StoredReport::try_from(row).map(|report| report.job)).transpose()
    }

    /// The report of a game, however it stands.
    pub async fn load_report(
        &self,
        of: impl Into<ReportOf>,
    ) -> Result<Option<StoredReport>, StoreError> {
        const SQL: &str = "
            SELECT subject, asked_by, bulk, state, nodes, asked_at, result, problem FROM report
            WHERE subject = $1";
        let of = of.into().to_string();
        let row: Option<ReportRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(of).fetch_optional(pool).await?
        });
        row.map(StoredReport::try_from).transpose()
    }

    /// How many reports somebody asked for one by one still wait.
    pub async fn waiting_reports_of(&self, account: AccountId) -> Result<u32, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*) FROM report WHERE asked_by = $1 AND bulk = 0 AND state = 'waiting'";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_one(pool).await?
        });
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// How many reports are made before this one.
    pub async fn reports_before(&self, job: &ReportJob) -> Result<u32, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*) FROM report
            WHERE state = 'waiting' AND (bulk, asked_at, subject) < ($1, $2, $3)";
        let (bulk, asked_at, of) = (i64::from(job.bulk), job.asked_at.0, job.of.to_string());
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(bulk)
                .bind(asked_at)
                .bind(of)
                .fetch_one(pool)
                .await?
        });
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// A report is there. One that was cancelled meanwhile stays cancelled.
    pub async fn finish_report(
        &self,
        of: impl Into<ReportOf>,
        result: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE report SET state = 'done', result = $2, problem = NULL, finished_at = $3
            WHERE subject = $1 AND state = 'waiting'";
        self.end_report(SQL, of.into(), result, now).await
    }

    /// A report cannot be made.
    pub async fn fail_report(
        &self,
        of: impl Into<ReportOf>,
        problem: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE report SET state = 'failed', problem = $2, finished_at = $3
            WHERE subject = $1 AND state = 'waiting'";
        self.end_report(SQL, of.into(), problem, now).await
    }

    async fn end_report(
        &self,
        sql: &'static str,
        of: ReportOf,
        text: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        write_one!(self, sql, of.to_string(), text, now.0).map(drop)
    }

    /// Takes back the wish for a report that is not there yet; only who asked may. `NotFound` if there is none.
    pub async fn cancel_report(
        &self,
        of: impl Into<ReportOf>,
        by: AccountId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            DELETE FROM report WHERE subject = $1 AND asked_by = $2 AND state <> 'done'";
        let of = of.into().to_string();
        found(write_one!(self, SQL, of, by.as_str())?)
    }

    /// Forgets the report of a game that has gone on since.
    pub async fn forget_report(&self, of: impl Into<ReportOf>) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM report WHERE subject = $1";
        let of = of.into().to_string();
        write_one!(self, SQL, of).map(drop)
    }

    /// How far somebody's whole history has got.
    pub async fn bulk_progress(&self, account: AccountId) -> Result<BulkProgress, StoreError> {
        const SQL: &str = "
            SELECT state, COUNT(*) FROM report WHERE asked_by = $1 AND bulk = 1 GROUP BY state";
        let rows: Vec<(String, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        let mut progress = BulkProgress::default();
        for (state, count) in rows {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            match ReportState::read(&state)? {
                ReportState::Waiting => progress.waiting = count,
                ReportState::Paused => progress.paused = count,
                ReportState::Done => progress.done = count,
                ReportState::Failed => progress.failed = count,
            }
        }
        Ok(progress)
    }

    /// Puts the rest of somebody's history off.
    pub async fn pause_reports_of(&self, account: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE report SET state = 'paused'
            WHERE asked_by = $1 AND bulk = 1 AND state = 'waiting'";
        self.change_bulk(SQL, account).await
    }

    /// Goes on with it.
    pub async fn resume_reports_of(&self, account: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE report SET state = 'waiting'
            WHERE asked_by = $1 AND bulk = 1 AND state = 'paused'";
        self.change_bulk(SQL, account).await
    }

    /// Takes the wish for the rest of it back; what is there stays.
    pub async fn cancel_reports_of(&self, account: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "
            DELETE FROM report WHERE asked_by = $1 AND bulk = 1 AND state <> 'done'";
        self.change_bulk(SQL, account).await
    }

    async fn change_bulk(&self, sql: &'static str, account: AccountId) -> Result<(), StoreError> {
        write_one!(self, sql, account.as_str()).map(drop)
    }
}
