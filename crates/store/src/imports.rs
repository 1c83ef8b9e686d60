//! Files on their way into the library: how far they are, what was wrong, and their games.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use rules::UnixMillis;
use sqlx::AssertSqlSafe;
use tokio::sync::Mutex;

use crate::bundles::{self, Whose};
use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::journal::{is_numbered, push_parameters};
use crate::library::take_numbers;
use crate::{AccountId, GameId, LibraryNumber, Store, StoreError, tidying};

/// How an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportState {
    /// The file is not there whole yet.
    Uploading,
    /// It goes on, now or after the next start.
    Running,
    /// The file was read to its end.
    Done,
    /// Its owner has stopped it; what came in before stays.
    Cancelled,
    /// The file could not be read to its end; what came in before stays.
    Failed,
}

impl ImportState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            ImportState::Uploading => "uploading",
            ImportState::Running => "running",
            ImportState::Done => "done",
            ImportState::Cancelled => "cancelled",
            ImportState::Failed => "failed",
        }
    }

    fn parse(text: &str) -> Result<ImportState, StoreError> {
        use ImportState::{Cancelled, Done, Failed, Running, Uploading};
        let mut states = [Uploading, Running, Done, Cancelled, Failed].into_iter();
        let found = states.find(|state| state.as_str() == text);
        found.ok_or_else(|| StoreError::Damaged(format!("{text:?} is no state of an import")))
    }
}

/// An import as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Its number.
    pub id: i64,
    /// Whose it is.
    pub account: AccountId,
    /// The name of the file.
    pub file_name: String,
    /// How it is.
    pub state: ImportState,
    /// How long the file is.
    pub bytes: i64,
    /// How much of it is dealt with.
    pub bytes_done: i64,
    /// Games and problems between them that are dealt with.
    pub items: i64,
    /// Games that are in the library now.
    pub games: i64,
    /// Games that were there before.
    pub duplicates: i64,
    /// Games and passages that could not be read whole.
    pub bad: i64,
    /// Why it failed.
    pub problem: String,
    /// When it began.
    pub created_at: UnixMillis,
    /// When it ended.
    pub ended_at: Option<UnixMillis>,
}

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The line, counted from 1.
    pub line: i64,
    /// What is wrong, in words.
    pub reason: String,
}

/// The next part of a file: written whole or not at all.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// Digest and packed form of each game.
    pub games: Vec<(u64, Vec<u8>)>,
    /// Those of them that say that they are a game of this club, by their place, in its order.
    pub here: Vec<(usize, GameId)>,
    /// What was wrong.
    pub problems: Vec<ImportProblem>,
    /// How many items of the file it holds, good and bad.
    pub items: i64,
    /// How much of the file is dealt with now.
    pub bytes_done: i64,
}

/// How many problems of one import are kept.
const MOST_PROBLEMS: i64 = 1_000;
/// Problems of one statement.
const PROBLEMS_AT_ONCE: usize = 250;
/// What a game adds to the write-ahead log besides its body: its part of a page that is not full.
const ROW_BYTES: usize = 40;

/// The digests of games.
type Digests = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// The games that somebody has, so that none comes in twice.
#[derive(Default)]
struct Had {
    /// Those out of files and from other sites.
    digests: Digests,
    /// Those played here: their digests are not known before they are told by their logs.
    here: HashSet<GameId>,
}

/// A digest is a hash already, and a file has millions of them.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What whoever imports just now has already: read once for a file, not for each of its batches.
///
/// Files come in one after the other, so nobody adds games of files beside an import; whoever takes some out says so.
#[derive(Default)]
pub(crate) struct Known {
    /// Whose, how old, and what.
    held: Mutex<Option<(AccountId, u64, Had)>>,
    forgotten: AtomicU64,
    /// Whether the next commit that brings games is kept without a word.
    #[cfg(feature = "test-hooks")]
    pub(crate) loses_answer: std::sync::atomic::AtomicBool,
}

impl Known {
    /// Games were taken out: what was known does not hold any more.
    pub(crate) fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::Relaxed);
    }

    fn age(&self) -> u64 {
        self.forgotten.load(Ordering::Relaxed)
    }

    /// What a commit that was kept comes to for whoever waits for it: in tests the answer may get lost.
    #[cfg(feature = "test-hooks")]
    pub(crate) fn answer<T>(&self, kept: T) -> Result<T, StoreError> {
        let is_lost = self.loses_answer.swap(false, Ordering::Relaxed);
        if is_lost { Err(StoreError::Unknown("lost".to_owned())) } else { Ok(kept) }
    }

    #[cfg(not(feature = "test-hooks"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "in tests it does something")]
    pub(crate) fn answer<T>(&self, kept: T) -> Result<T, StoreError> {
        Ok(kept)
    }
}

#[derive(sqlx::FromRow)]
struct ImportRow {
    id: i64,
    account_id: String,
    file_name: String,
    state: String,
    bytes: i64,
    bytes_done: i64,
    items: i64,
    games: i64,
    duplicates: i64,
    bad: i64,
    problem: String,
    created_at: i64,
    ended_at: Option<i64>,
}

macro_rules! select_imports {
    ($rest:literal) => {
        concat!(
            "SELECT id, account_id, file_name, state, bytes, bytes_done, items, games, duplicates, bad,
                    problem, created_at, ended_at
             FROM import_job WHERE ",
            $rest
        )
    };
}

impl ImportRow {
    fn into_import(self) -> Result<Import, StoreError> {
        Ok(Import {
            id: self.id,
            account: parse_id(&self.account_id)?,
            file_name: self.file_name,
            state: ImportState::parse(&self.state)?,
            bytes: self.bytes,
            bytes_done: self.bytes_done,
            items: self.items,
            games: self.games,
            duplicates: self.duplicates,
            bad: self.bad,
            problem: self.problem,
            created_at: UnixMillis(self.created_at),
            ended_at: self.ended_at.map(UnixMillis),
        })
    }
}

impl Store {
    /// Notes that a file is about to come in, and gives its number.
    pub async fn begin_import(
        &self,
        account: AccountId,
        file_name: String,
        bytes: i64,
        now: UnixMillis,
    ) -> Result<i64, StoreError> {
        const NUMBER: &str =
            "UPDATE import_number SET next = next + 1 WHERE id = 1 RETURNING next - 1";
        const SQL: &str = "
            INSERT INTO import_job (id, account_id, file_name, state, bytes, bytes_done, items, games, duplicates,
                                    bad, problem, created_at)
            VALUES ($1, $2, $3, 'uploading', $4, 0, 0, 0, 0, 0, '', $5)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let id = on_db!(conn, c => {
                        let (id,): (i64,) = sqlx::query_as(NUMBER).fetch_one(&mut *c).await?;
                        sqlx::query(SQL)
                            .bind(id)
                            .bind(account.as_str())
                            .bind(file_name)
                            .bind(bytes)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?;
                        id
                    });
                    Ok(id)
                })
            })
            .await
    }

    /// The file is there whole: from now on its games come in. `Conflict` if it did not wait for that.
    pub async fn start_import(&self, job: i64) -> Result<(), StoreError> {
        const SQL: &str =
            "UPDATE import_job SET state = 'running' WHERE id = $1 AND state = 'uploading'";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(conn, c => {
                        sqlx::query(SQL).bind(job).execute(&mut *c).await?
                    }.rows_affected());
                    if changed == 1 { Ok(()) } else { Err(StoreError::Conflict) }
                })
            })
            .await
    }

    /// Takes the next part of a file in. Gives the number of every game, none for those that were there before.
    ///
    /// `Conflict` if the import does not run any more; then nothing was taken.
    pub async fn import_batch(
        &self,
        job: i64,
        account: AccountId,
        batch: Batch,
    ) -> Result<Vec<Option<LibraryNumber>>, StoreError> {
        let bytes = batch.games.iter().map(|(_, body)| body.len() + ROW_BYTES).sum();
        let mut held = self.known.held.lock().await;
        let age = self.known.age();
        // Taken away until the commit is certain: after any trouble it is read again.
        let mut had = match held.take() {
            Some((of, then, had)) if (of, then) == (account, age) => had,
            _ => self.had_by(account).await?,
        };
        let (numbers, had) = self
            .writer
            .run_big(bytes, move |conn| {
                Box::pin(async move {
                    still_running(conn, job).await?;
                    let numbers = insert_games(conn, job, account, &batch, &mut had).await?;
                    note_progress(conn, job, &batch, &numbers).await?;
                    Ok((numbers, had))
                })
            })
            .await?;
        let numbers = self.known.answer(numbers)?;
        *held = Some((account, age, had));
        Ok(numbers)
    }

    async fn had_by(&self, account: AccountId) -> Result<Had, StoreError> {
        const FILES: &str = "SELECT digest FROM library_game WHERE importer_id = $1";
        const HERE: &str = "
            SELECT game_id FROM library_game
            WHERE game_id IS NOT NULL
              AND (white_account_id IN (SELECT id FROM service_account WHERE account_id = $1)
                OR black_account_id IN (SELECT id FROM service_account WHERE account_id = $1))";
        let (files, here): (Vec<(i64,)>, Vec<(String,)>) = on_db!(&*self.readers, pool => {
            let files = sqlx::query_as(FILES).bind(account.as_str()).fetch_all(pool).await?;
            (files, sqlx::query_as(HERE).bind(account.as_str()).fetch_all(pool).await?)
        });
        let here = here.iter().map(|(id,)| parse_id(id)).collect::<Result<_, _>>()?;
        let mut digests = self.digests_of_sites(account).await?;
        digests.extend(files.iter().map(|(digest,)| digest.cast_unsigned()));
        bundles::digests(&self.readers, account, |_, digest| {
            digests.insert(digest);
        })
        .await?;
        Ok(Had { digests, here })
    }

    /// The digests of the games that came over from other sites to somebody.
    async fn digests_of_sites(&self, account: AccountId) -> Result<Digests, StoreError> {
        const SQL: &str = "
            SELECT digest FROM library_game
            WHERE external_id IS NOT NULL
              AND (white_account_id IN (SELECT id FROM service_account WHERE account_id = $1)
                OR black_account_id IN (SELECT id FROM service_account WHERE account_id = $1))";
        let rows: Vec<(i64,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        Ok(rows.iter().map(|(digest,)| digest.cast_unsigned()).collect())
    }

    /// Games out of somebody's files that came over from another site too, in the order of their numbers.
    pub async fn doubled_games(
        &self,
        account: AccountId,
    ) -> Result<Vec<LibraryNumber>, StoreError> {
        let known = self.digests_of_sites(account).await?;
        let mut doubled = Vec::new();
        if !known.is_empty() {
            bundles::digests(&self.readers, account, |number, digest| {
                doubled.extend(known.contains(&digest).then_some(number));
            })
            .await?;
        }
        Ok(doubled)
    }

    /// Ends an import; one that has ended already stays as it is.
    pub async fn end_import(
        &self,
        job: i64,
        state: ImportState,
        problem: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE import_job SET state = $2, problem = $3, ended_at = $4,
                   bytes_done = CASE WHEN $2 = 'done' THEN bytes ELSE bytes_done END
            WHERE id = $1 AND ended_at IS NULL";
        self.known.held.lock().await.take();
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(job)
                            .bind(state.as_str())
                            .bind(problem)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// How many imports somebody has begun since a moment.
    pub async fn count_imports_since(
        &self,
        account: AccountId,
        since: UnixMillis,
    ) -> Result<i64, StoreError> {
        const SQL: &str =
            "SELECT COUNT(*) FROM import_job WHERE account_id = $1 AND created_at > $2";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(since.0).fetch_one(pool).await?
        });
        Ok(count)
    }

    /// How many games somebody has brought that are still there.
    pub async fn count_imported_games(&self, account: AccountId) -> Result<i64, StoreError> {
        const SQL: &str = "
            SELECT CAST((SELECT COUNT(*) FROM library_game WHERE importer_id = $1)
                      + (SELECT COALESCE(SUM(games), 0) FROM library_bundle WHERE importer_id = $1) AS BIGINT)";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_one(pool).await?
        });
        Ok(count)
    }

    /// One import.
    pub async fn load_import(&self, job: i64) -> Result<Import, StoreError> {
        const SQL: &str = select_imports!("id = $1");
        let row: ImportRow = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(job).fetch_one(pool).await?
        });
        row.into_import()
    }

    /// Somebody's imports, newest first.
    pub async fn imports_of(&self, account: AccountId) -> Result<Vec<Import>, StoreError> {
        const SQL: &str = select_imports!("account_id = $1 ORDER BY id DESC LIMIT 50");
        let rows: Vec<ImportRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(ImportRow::into_import).collect()
    }

    /// Imports that did not come to an end, oldest first: what a start goes on with.
    pub async fn open_imports(&self) -> Result<Vec<Import>, StoreError> {
        const SQL: &str = select_imports!("ended_at IS NULL ORDER BY id");
        let rows: Vec<ImportRow> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        rows.into_iter().map(ImportRow::into_import).collect()
    }

    /// What was wrong in a file, in its order.
    pub async fn import_problems(&self, job: i64) -> Result<Vec<ImportProblem>, StoreError> {
        const SQL: &str =
            "SELECT line, reason FROM import_problem WHERE job_id = $1 ORDER BY number";
        let rows: Vec<(i64, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(job).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|(line, reason)| ImportProblem { line, reason }).collect())
    }

    /// Takes some of what an import brought out again; gives the games that are gone. The import ends with the first
    /// of them. Whoever wants it all out asks until none is left: thousands at once would keep every move waiting.
    pub async fn undo_import(
        &self,
        job: i64,
        account: AccountId,
        now: UnixMillis,
    ) -> Result<Vec<LibraryNumber>, StoreError> {
        const END: &str = "
            UPDATE import_job SET state = 'cancelled', ended_at = $3
            WHERE id = $1 AND account_id = $2 AND ended_at IS NULL";
        const GAMES: &str = "
            DELETE FROM library_game
            WHERE seq IN (SELECT seq FROM library_game WHERE import_id = $1 AND importer_id = $2
                          ORDER BY seq LIMIT $3)
            RETURNING seq";
        const COUNT: &str = "
            UPDATE import_job SET games = CASE WHEN games > $3 AND $3 > 0 THEN games - $3 ELSE 0 END
            WHERE id = $1 AND account_id = $2";
        let gone = self
            .writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut gone =
                        bundles::remove_some(conn, Whose::Import(job, account)).await?;
                    if gone.is_empty() {
                        let rows: Vec<(i64,)> = on_db!(&mut *conn, c => {
                            let query = sqlx::query_as(GAMES).bind(job).bind(account.as_str());
                            query.bind(tidying::AT_ONCE).fetch_all(&mut *c).await?
                        });
                        gone.extend(rows.into_iter().map(|(seq,)| LibraryNumber(seq)));
                    }
                    let count = i64::try_from(gone.len()).unwrap_or(i64::MAX);
                    on_db!(conn, c => {
                        sqlx::query(END).bind(job).bind(account.as_str()).bind(now.0).execute(&mut *c).await?;
                        sqlx::query(COUNT).bind(job).bind(account.as_str()).bind(count).execute(&mut *c).await?;
                    });
                    Ok(gone)
                })
            })
            .await;
        self.known.forget();
        gone
    }
}

async fn still_running(conn: &mut Conn, job: i64) -> Result<(), StoreError> {
    const SQL: &str = "SELECT state FROM import_job WHERE id = $1";
    let (state,): (String,) =
        on_db!(conn, c => sqlx::query_as(SQL).bind(job).fetch_one(&mut *c).await?);
    if ImportState::parse(&state)? == ImportState::Running {
        Ok(())
    } else {
        Err(StoreError::Conflict)
    }
}

/// Inserts games with consecutive numbers; those that are there already are passed over.
async fn insert_games(
    conn: &mut Conn,
    job: i64,
    account: AccountId,
    batch: &Batch,
    had: &mut Had,
) -> Result<Vec<Option<LibraryNumber>>, StoreError> {
    let mut here = batch.here.iter().peekable();
    let mut is_there = |place: usize| {
        let named = here.next_if(|(at, _)| *at == place);
        named.is_some_and(|(_, game)| had.here.contains(game))
    };
    let digests = batch.games.iter().map(|(digest, _)| *digest).enumerate();
    let is_fresh: Vec<bool> =
        digests.map(|(place, digest)| !is_there(place) && had.digests.insert(digest)).collect();
    let games = batch.games.iter().zip(&is_fresh);
    let fresh: Vec<&bundles::Packed> =
        games.filter(|(_, is_fresh)| **is_fresh).map(|(game, _)| game).collect();
    if fresh.is_empty() {
        return Ok(vec![None; is_fresh.len()]);
    }
    let first = take_numbers(conn, fresh.len()).await?;
    bundles::insert(conn, job, account, first, &fresh).await?;
    let mut numbers = first..;
    let number = |is_fresh| if is_fresh { numbers.next().map(LibraryNumber) } else { None };
    Ok(is_fresh.into_iter().map(number).collect())
}

async fn note_progress(
    conn: &mut Conn,
    job: i64,
    batch: &Batch,
    numbers: &[Option<LibraryNumber>],
) -> Result<(), StoreError> {
    const JOB: &str = "
        UPDATE import_job SET items = items + $2, games = games + $3, duplicates = duplicates + $4, bad = bad + $5,
               bytes_done = $6
        WHERE id = $1";
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let kept = count(numbers.iter().flatten().count());
    on_db!(conn, c => {
        sqlx::query(JOB)
            .bind(job)
            .bind(batch.items)
            .bind(kept)
            .bind(count(numbers.len()) - kept)
            .bind(count(batch.problems.len()))
            .bind(batch.bytes_done)
            .execute(&mut *c)
            .await?;
    });
    note_problems(conn, job, &batch.problems).await
}

/// Keeps problems until there are enough of them. Counted once: a file of nothing but broken games must not hold up
/// the moves that wait behind it.
async fn note_problems(
    conn: &mut Conn,
    job: i64,
    problems: &[ImportProblem],
) -> Result<(), StoreError> {
    const LAST: &str = "SELECT COALESCE(MAX(number), 0) FROM import_problem WHERE job_id = $1";
    if problems.is_empty() {
        return Ok(());
    }
    let (last,): (i64,) =
        on_db!(&mut *conn, c => sqlx::query_as(LAST).bind(job).fetch_one(&mut *c).await?);
    let room = usize::try_from(MOST_PROBLEMS - last).unwrap_or(0).min(problems.len());
    let mut numbers = last + 1..;
    for problems in problems[..room].chunks(PROBLEMS_AT_ONCE) {
        let sql = problems_text(is_numbered(conn), job, problems.len());
        on_db!(&mut *conn, c => {
            let mut query = sqlx::query(AssertSqlSafe(sql)).persistent(false);
            for (problem, number) in problems.iter().zip(&mut numbers) {
                query = query.bind(number).bind(problem.line).bind(&problem.reason);
            }
            query.execute(&mut *c).await?;
        });
    }
    Ok(())
}

fn problems_text(numbered: bool, job: i64, rows: usize) -> String {
    use std::fmt::Write as _;
    let mut sql = "INSERT INTO import_problem (job_id, number, line, reason) VALUES ".to_owned();
    for row in 0..rows {
        let comma = if row == 0 { "" } else { "," };
        write!(sql, "{comma}({job},").expect("a String takes every text");
        push_parameters(&mut sql, numbered, row * 3 + 1..=row * 3 + 3);
        sql.push(')');
    }
    sql
}
