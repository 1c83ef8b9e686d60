//! Reports of games: jobs that wait, and what came of them.

use rules::UnixMillis;

use crate::bundles;
use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::players::found;
use crate::{AccountId, GameId, LibraryNumber, Store, StoreError};

/// How a report stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportState {
    /// It waits for an engine, or one is at it.
    Waiting,
    /// Whoever asked for it wants it later, all of them.
    Paused,
    /// It is there.
    Done,
    /// No engine could make it.
    Failed,
}

impl ReportState {
    fn read(text: &str, is_put_off: bool) -> Result<ReportState, StoreError> {
        match text {
            "waiting" if is_put_off => Ok(ReportState::Paused),
            "waiting" => Ok(ReportState::Waiting),
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
}

/// A report that is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportJob {
    /// Of which game.
    pub of: ReportOf,
    /// Who asked for it.
    pub asked_by: AccountId,
    /// Whether it was asked for with a whole history.
    pub bulk: bool,
    /// Positions an engine looks at for each move.
    pub nodes: u64,
    /// When it was asked for.
    pub asked_at: UnixMillis,
}

/// Somebody's wish for a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportWish {
    /// Whose.
    pub account: AccountId,
    /// Whether it came with a whole history.
    pub bulk: bool,
    /// Whether it is put off.
    pub paused: bool,
}

/// A report as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredReport {
    /// Of which game.
    pub of: ReportOf,
    /// How it stands.
    pub state: ReportState,
    /// Who wants it, or wanted it.
    pub wishes: Vec<ReportWish>,
    /// The report as JSON, once it is done.
    pub result: Option<String>,
    /// Why it failed.
    pub problem: Option<String>,
}

/// Whose report was made last: those who wait take turns, so that nobody's thousand games keep the others waiting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportTurns {
    single: Option<AccountId>,
    bulk: Option<AccountId>,
}

impl ReportTurns {
    /// This report is dealt with.
    pub fn note(&mut self, job: &ReportJob) {
        let last = if job.bulk { &mut self.bulk } else { &mut self.single };
        *last = Some(job.asked_by);
    }

    /// For the query: a text that comes before every account's if there was none.
    fn texts(&self) -> [String; 2] {
        [self.single, self.bulk].map(|last| last.map(String::from).unwrap_or_default())
    }
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

/// Reports that one write asks for: whoever moves a piece meanwhile waits for it.
const ASKED_AT_ONCE: usize = 25;

/// Whether somebody's turn comes only in the next round, given who was last (`$1`, and `$2` among whole histories).
macro_rules! is_next_round {
    () => {
        "CASE WHEN wish.account_id > CASE wish.bulk WHEN 0 THEN $1 ELSE $2 END THEN 0 ELSE 1 END"
    };
}

/// The wishes that are to be met, as rows of `wish` and `report`.
macro_rules! queue {
    ($columns:expr, $rest:expr) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM report_wish AS wish JOIN report ON report.subject = wish.subject
              WHERE report.state = 'waiting' AND wish.paused = 0 ",
            $rest
        )
    };
}

#[derive(sqlx::FromRow)]
struct JobRow {
    subject: String,
    account_id: String,
    bulk: i64,
    nodes: i64,
    asked_at: i64,
}

impl TryFrom<JobRow> for ReportJob {
    type Error = StoreError;
    fn try_from(row: JobRow) -> Result<ReportJob, StoreError> {
        Ok(ReportJob {
            of: ReportOf::read(&row.subject)?,
            asked_by: parse_id(&row.account_id)?,
            bulk: row.bulk != 0,
            nodes: u64::try_from(row.nodes).unwrap_or(0),
            asked_at: UnixMillis(row.asked_at),
        })
    }
}

impl Store {
    /// Asks for the report of a finished game. One that is there, or waits for the same person already, stays; one that
    /// failed or was put off is tried anew, and one that waits with a whole history comes before the others of it now.
    pub async fn ask_report(&self, job: ReportJob) -> Result<(), StoreError> {
        const WISH: &str = "
            INSERT INTO report_wish (subject, account_id, bulk, paused, asked_at)
            SELECT subject, CAST($2 AS TEXT), CAST($3 AS BIGINT), 0, CAST($4 AS BIGINT) FROM report
            WHERE subject = $1 AND state = 'waiting'
            ON CONFLICT (subject, account_id) DO UPDATE
            SET bulk = excluded.bulk, paused = 0,
                asked_at = CASE WHEN report_wish.bulk = excluded.bulk THEN report_wish.asked_at ELSE excluded.asked_at END";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    open_report(conn, job.of, job.nodes).await?;
                    on_db!(conn, c => {
                        sqlx::query(WISH)
                            .bind(job.of.to_string())
                            .bind(job.asked_by.as_str())
                            .bind(i64::from(job.bulk))
                            .bind(job.asked_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Asks for the reports of finished games of somebody that have none yet: those played here, then those of their
    /// accounts elsewhere and those they have brought, the newest first, until `most` wait. What has failed is tried
    /// anew. Tells how many came to wait for it.
    ///
    /// What is missing is found beside the writer, which gets it in small pieces: a history may be long.
    pub async fn ask_reports_of(
        &self,
        account: AccountId,
        nodes: u64,
        most: u32,
        now: UnixMillis,
    ) -> Result<u64, StoreError> {
        let progress = self.bulk_progress(account).await?;
        let room = most.saturating_sub(progress.waiting.saturating_add(progress.paused));
        let missing = self.missing_reports_of(account, room).await?;
        let mut added = 0;
        for games in missing.chunks(ASKED_AT_ONCE) {
            added += self.ask_bulk(account, games.to_vec(), nodes, now).await?;
        }
        Ok(added)
    }

    async fn missing_reports_of(
        &self,
        account: AccountId,
        most: u32,
    ) -> Result<Vec<ReportOf>, StoreError> {
        const HERE: &str = r#"
            SELECT id FROM game
            WHERE (white_id = $1 OR black_id = $1) AND state = 'finished' AND ply > 1
              AND outcome NOT LIKE '{"kind":"aborted"%'
              AND NOT EXISTS (
                  SELECT 1 FROM report LEFT JOIN report_wish AS wish
                      ON wish.subject = report.subject AND wish.account_id = $1
                  WHERE report.game_id = game.id
                    AND (report.state = 'done' OR (report.state = 'waiting' AND wish.subject IS NOT NULL)))
            ORDER BY created_at DESC, id LIMIT $2"#;
        const LIBRARY: &str = "
            SELECT seq FROM library_game
            WHERE game_id IS NULL
              AND (importer_id = $1
                   OR white_account_id IN (SELECT id FROM service_account WHERE account_id = $1)
                   OR black_account_id IN (SELECT id FROM service_account WHERE account_id = $1))
              AND NOT EXISTS (
                  SELECT 1 FROM report LEFT JOIN report_wish AS wish
                      ON wish.subject = report.subject AND wish.account_id = $1
                  WHERE report.library_game_id = library_game.seq
                    AND (report.state = 'done' OR (report.state = 'waiting' AND wish.subject IS NOT NULL)))
            ORDER BY seq DESC LIMIT $2";
        let (here, library): (Vec<(String,)>, Vec<(i64,)>) = on_db!(&*self.readers, pool => (
            sqlx::query_as(HERE).bind(account.as_str()).bind(i64::from(most)).fetch_all(pool).await?,
            sqlx::query_as(LIBRARY).bind(account.as_str()).bind(i64::from(most)).fetch_all(pool).await?,
        ));
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut missing = Vec::with_capacity(here.len() + library.len());
        for (id,) in here {
            missing.push(ReportOf::Game(parse_id(&id)?));
        }
        missing.extend(library.into_iter().map(|(seq,)| ReportOf::Library(LibraryNumber(seq))));
        missing.truncate(most);
        let bundled = bundles::newest_of(&self.readers, account, most - missing.len()).await?;
        missing.extend(bundled.into_iter().map(ReportOf::Library));
        Ok(missing)
    }

    async fn ask_bulk(
        &self,
        account: AccountId,
        games: Vec<ReportOf>,
        nodes: u64,
        now: UnixMillis,
    ) -> Result<u64, StoreError> {
        const WISH: &str = "
            INSERT INTO report_wish (subject, account_id, bulk, paused, asked_at)
            SELECT subject, CAST($2 AS TEXT), 1, 0, CAST($3 AS BIGINT) FROM report
            WHERE subject = $1 AND state = 'waiting'
            ON CONFLICT (subject, account_id) DO NOTHING";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut added = 0;
                    for of in games {
                        let is_opened = open_report(conn, of, nodes).await?;
                        let wished = on_db!(&mut *conn, c => {
                            sqlx::query(WISH)
                                .bind(of.to_string())
                                .bind(account.as_str())
                                .bind(now.0)
                                .execute(&mut *c)
                                .await?
                                .rows_affected()
                        });
                        added += u64::from(is_opened || wished > 0);
                    }
                    Ok(added)
                })
            })
            .await
    }

    /// The report that is to be made next: what somebody waits for before whole histories. Those who wait take turns;
    /// of what is theirs, the oldest wish comes first.
    pub async fn next_report(&self, turns: &ReportTurns) -> Result<Option<ReportJob>, StoreError> {
        const SQL: &str = queue!(
            "wish.subject, wish.account_id, wish.bulk, wish.asked_at, report.nodes",
            concat!(
                "ORDER BY wish.bulk, ",
                is_next_round!(),
                ", wish.account_id, wish.asked_at, wish.subject LIMIT 1"
            )
        );
        let [single, bulk] = turns.texts();
        let row: Option<JobRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(single).bind(bulk).fetch_optional(pool).await?
        });
        row.map(ReportJob::try_from).transpose()
    }

    /// How many reports are made before this one, as things stand.
    pub async fn reports_before(
        &self,
        of: ReportOf,
        turns: &ReportTurns,
    ) -> Result<u32, StoreError> {
        const SQL: &str = concat!(
            "WITH waiting AS (",
            queue!(
                concat!(
                    "wish.subject, wish.account_id, wish.bulk, ",
                    is_next_round!(),
                    " AS later, ROW_NUMBER() OVER
                        (PARTITION BY wish.bulk, wish.account_id ORDER BY wish.asked_at, wish.subject) AS turn"
                ),
                ""
            ),
            "), queue AS (
                SELECT subject, MIN(place) AS place
                FROM (SELECT subject, ROW_NUMBER() OVER (ORDER BY bulk, turn, later, account_id) AS place FROM waiting)
                     AS places
                GROUP BY subject)
            SELECT COUNT(*) FROM queue WHERE place < (SELECT place FROM queue WHERE subject = $3)"
        );
        let [single, bulk] = turns.texts();
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(single).bind(bulk).bind(of.to_string()).fetch_one(pool).await?
        });
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The report of a game, however it stands. One that is not there and that nobody wants any more is none.
    pub async fn load_report(
        &self,
        of: impl Into<ReportOf>,
    ) -> Result<Option<StoredReport>, StoreError> {
        const REPORT: &str = "SELECT state, result, problem FROM report WHERE subject = $1";
        const WISHES: &str = "
            SELECT account_id, bulk, paused FROM report_wish WHERE subject = $1 ORDER BY asked_at, account_id";
        type Row = (String, Option<String>, Option<String>);
        let of = of.into();
        let subject = of.to_string();
        let (row, wished): (Option<Row>, Vec<(String, i64, i64)>) = on_db!(&*self.readers, pool => (
            sqlx::query_as(REPORT).bind(subject.as_str()).fetch_optional(pool).await?,
            sqlx::query_as(WISHES).bind(subject.as_str()).fetch_all(pool).await?,
        ));
        let Some((state, result, problem)) = row else { return Ok(None) };
        let mut wishes = Vec::with_capacity(wished.len());
        for (account, bulk, paused) in wished {
            let account = parse_id(&account)?;
            wishes.push(ReportWish { account, bulk: bulk != 0, paused: paused != 0 });
        }
        let all_paused = wishes.iter().all(|wish| wish.paused);
        let state = ReportState::read(&state, all_paused)?;
        let is_known = state == ReportState::Done || !wishes.is_empty();
        Ok(is_known.then_some(StoredReport { of, state, wishes, result, problem }))
    }

    /// The reports somebody has asked for that are there, the oldest wish first.
    pub async fn reports_of(&self, account: AccountId) -> Result<Vec<ReportOf>, StoreError> {
        const SQL: &str = "
            SELECT wish.subject FROM report_wish AS wish JOIN report ON report.subject = wish.subject
            WHERE wish.account_id = $1 AND report.state = 'done' ORDER BY wish.asked_at, wish.subject";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(|(subject,)| ReportOf::read(&subject)).collect()
    }

    /// How many reports somebody asked for one by one still wait.
    pub async fn waiting_reports_of(&self, account: AccountId) -> Result<u32, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*) FROM report_wish AS wish JOIN report ON report.subject = wish.subject
            WHERE wish.account_id = $1 AND wish.bulk = 0 AND report.state = 'waiting'";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_one(pool).await?
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

    /// Takes back somebody's wish for a report that is not there yet; if nobody else wants it, it is forgotten. `NotFound`
    /// if they have none.
    pub async fn cancel_report(
        &self,
        of: impl Into<ReportOf>,
        by: AccountId,
    ) -> Result<(), StoreError> {
        const WISH: &str = "
            DELETE FROM report_wish WHERE subject = $1 AND account_id = $2
                AND EXISTS (SELECT 1 FROM report WHERE report.subject = report_wish.subject AND report.state <> 'done')";
        const REPORT: &str = "
            DELETE FROM report WHERE subject = $1 AND state <> 'done'
                AND NOT EXISTS (SELECT 1 FROM report_wish AS wish WHERE wish.subject = report.subject)";
        let of = of.into().to_string();
        let taken_back = self
            .writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        let query = sqlx::query(WISH).bind(of.as_str()).bind(by.as_str());
                        let taken_back = query.execute(&mut *c).await?.rows_affected();
                        sqlx::query(REPORT).bind(of.as_str()).execute(&mut *c).await?;
                        Ok(taken_back)
                    })
                })
            })
            .await?;
        found(taken_back)
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
            SELECT report.state, wish.paused, COUNT(*)
            FROM report_wish AS wish JOIN report ON report.subject = wish.subject
            WHERE wish.account_id = $1 AND wish.bulk = 1 GROUP BY report.state, wish.paused";
        let rows: Vec<(String, i64, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        let mut progress = BulkProgress::default();
        for (state, paused, count) in rows {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            match ReportState::read(&state, paused != 0)? {
                ReportState::Waiting => progress.waiting += count,
                ReportState::Paused => progress.paused += count,
                ReportState::Done => progress.done += count,
                ReportState::Failed => progress.failed += count,
            }
        }
        Ok(progress)
    }

    /// Puts the rest of somebody's history off.
    pub async fn pause_reports_of(&self, account: AccountId) -> Result<(), StoreError> {
        self.put_off(account, 1).await
    }

    /// Goes on with it.
    pub async fn resume_reports_of(&self, account: AccountId) -> Result<(), StoreError> {
        self.put_off(account, 0).await
    }

    async fn put_off(&self, account: AccountId, paused: i64) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE report_wish SET paused = $2
            WHERE account_id = $1 AND bulk = 1 AND paused <> $2
              AND EXISTS (SELECT 1 FROM report WHERE report.subject = report_wish.subject AND report.state = 'waiting')";
        write_one!(self, SQL, account.as_str(), paused).map(drop)
    }

    /// Takes the wish for the rest of it back; what is there stays, and what somebody else wants too.
    pub async fn cancel_reports_of(&self, account: AccountId) -> Result<(), StoreError> {
        const REPORTS: &str = "
            DELETE FROM report
            WHERE state <> 'done'
              AND subject IN (SELECT subject FROM report_wish WHERE account_id = $1 AND bulk = 1)
              AND NOT EXISTS (SELECT 1 FROM report_wish AS other
                              WHERE other.subject = report.subject AND other.account_id <> $1)";
        const WISHES: &str = "
            DELETE FROM report_wish WHERE account_id = $1 AND bulk = 1
                AND EXISTS (SELECT 1 FROM report WHERE report.subject = report_wish.subject AND report.state <> 'done')";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        for sql in [REPORTS, WISHES] {
                            sqlx::query(sql).bind(account.as_str()).execute(&mut *c).await?;
                        }
                    });
                    Ok(())
                })
            })
            .await
    }
}

/// Lets the report of a game wait that is still there, unless it is done. Tells whether it did not before.
async fn open_report(conn: &mut Conn, of: ReportOf, nodes: u64) -> Result<bool, StoreError> {
    const HERE: &str = "
        INSERT INTO report (subject, game_id, state, nodes)
        SELECT CAST($1 AS TEXT), id, 'waiting', CAST($3 AS BIGINT) FROM game WHERE id = $2
        ON CONFLICT (subject) DO UPDATE SET state = 'waiting', problem = NULL WHERE report.state = 'failed'";
    const LIBRARY: &str = "
        INSERT INTO report (subject, library_game_id, state, nodes)
        SELECT CAST($1 AS TEXT), seq, 'waiting', CAST($3 AS BIGINT) FROM library_game WHERE seq = $2
        ON CONFLICT (subject) DO UPDATE SET state = 'waiting', problem = NULL WHERE report.state = 'failed'";
    let nodes = i64::try_from(nodes).unwrap_or(i64::MAX);
    let subject = of.to_string();
    if let ReportOf::Library(number) = of {
        bundles::release(conn, number).await?;
    }
    let opened = on_db!(conn, c => {
        let query = match of {
            ReportOf::Game(game) => sqlx::query(HERE).bind(subject).bind(String::from(game)),
            ReportOf::Library(number) => sqlx::query(LIBRARY).bind(subject).bind(number.0),
        };
        query.bind(nodes).execute(&mut *c).await?.rows_affected()
    });
    Ok(opened > 0)
}
