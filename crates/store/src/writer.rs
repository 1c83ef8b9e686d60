//! The one writer: takes what has queued while the last commit was on its way to the disk, commits once, answers all.
//!
//! A move's events are rows of the journal and go in by multi-row inserts; anything else is a *unit* that runs in a
//! savepoint of its own, so that one that fails takes nothing else with it. Nobody hears of a write before its commit.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::{AssertSqlSafe, Connection};
use tokio::sync::{mpsc, oneshot, watch};

use crate::checkpoint::{self, LogIsLong};
use crate::db::{Conn, Place, Session, answered, answered_within, on_db, silent};
use crate::folding::{self, WeakFolding};
use crate::games::Appended;
use crate::journal::{self, Append, Folded, Tail};
use crate::{GameId, StoreError};

/// How many writes may wait. Every sender waits for its answer, so this is far above what can really queue.
const QUEUE: usize = 65_536;
/// How many writes one commit takes at most.
const GROUP: usize = 4_096;
/// From this many writes in a group on, the next group is given a moment to gather.
const CROWD: usize = 16;
/// And as long as so many gather in that moment. Fewer, and whoever waits there waits for nobody: the processors have
/// time, and a commit for each handful costs nothing that is missed elsewhere.
const CROWD_STAYS: usize = 40;
const GATHER: Duration = Duration::from_millis(4);
/// Lines that are folded before the journal's front is cleared, and how many one commit clears.
const SWEEP_AFTER: usize = 8_192;
const SWEEP_AT_ONCE: i64 = 4_096;
/// A game whose first line lies this far behind the end is folded though it runs.
const LATE: i64 = 65_536;
/// A checkpoint is asked for after about this many bytes.
const CHECKPOINT_EVERY: usize = 1 << 20;
/// What a unit that does not say otherwise counts for: about one page.
const UNIT_BYTES: usize = 4 << 10;
/// How long PostgreSQL may take for what is between BEGIN and COMMIT of a group: some units have much to do.
const GROUP_WITHIN: Duration = Duration::from_mins(1);

/// How the writer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// It writes.
    Ready,
    /// It cannot write for now; [`crate::Store::probe`] finds out when it can again.
    Away(String),
    /// A sync failed, or the writer has ended: nothing is written until a restart.
    Stopped(String),
}

/// Tells a sender how its write ended, once the commit is decided.
type Tell = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// How a unit's work went, and how to tell its sender.
type UnitDone = (Result<(), StoreError>, Tell);
type AppendAnswer = oneshot::Sender<Result<Appended, StoreError>>;
type Unit = Box<dyn for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, UnitDone> + Send>;

enum Work {
    Append(Append, AppendAnswer),
    /// With about how many bytes it writes.
    Unit(Unit, usize),
    /// Answered with the games whose rows somebody else has changed.
    Fold(Vec<Folded>, oneshot::Sender<Result<Vec<GameId>, StoreError>>),
    Tails(Vec<GameId>, oneshot::Sender<Result<Vec<(GameId, Tail)>, StoreError>>),
    ReadTail(GameId, oneshot::Sender<Result<Vec<(u32, String)>, StoreError>>),
}

impl Work {
    /// About how much of the write-ahead log it fills, besides the events of games.
    fn bytes(&self) -> usize {
        match self {
            Work::Unit(_, bytes) => *bytes,
            _ => 0,
        }
    }
}

/// A handle to the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Work>,
    health: watch::Receiver<Health>,
}

impl Writer {
    /// Starts the writer's thread. `journal` is what it held at start, `checkpoint` is told when one is due.
    ///
    /// A thread of its own, because a group takes several round trips to the database: among thousands of busy tasks on
    /// the shared threads each of them would wait its turn, and every game would wait with it.
    pub(crate) fn start(
        place: Place,
        journal: Journal,
        folding: WeakFolding,
        checkpoint: watch::Sender<()>,
        log_is_long: LogIsLong,
    ) -> Result<Writer, StoreError> {
        let (queue, inbox) = mpsc::channel(QUEUE);
        let (health_tx, health) = watch::channel(Health::Ready);
        let task = WriterTask {
            place,
            conn: None,
            session: None,
            journal,
            folding,
            since_checkpoint: 0,
            checkpoint,
            log_is_long,
            health: Word(health_tx),
        };
        let failed =
            |error: std::io::Error| StoreError::Away(format!("no thread for the writer: {error}"));
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        if let Place::Postgres(_) = &task.place {
            runtime.enable_io();
        }
        // SQLite needs no sockets, and a thread that waits for none is woken more cheaply.
        let runtime = runtime.enable_time().build().map_err(failed)?;
        let thread = std::thread::Builder::new().name("writer".to_owned());
        thread.spawn(move || runtime.block_on(task.run(inbox))).map_err(failed)?;
        Ok(Writer { queue, health })
    }

    pub(crate) fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    /// Queues the append at the call; the future it gives waits for the commit. So the caller can go on preparing
    /// what it will tell while the disk works.
    pub(crate) fn append(
        &self,
        append: Append,
    ) -> impl Future<Output = Result<Appended, StoreError>> + Send + use<> {
        let (answer, told) = oneshot::channel();
        let queued = self.queue.try_send(Work::Append(append, answer));
        let health = self.health.clone();
        async move {
            match queued {
                Ok(()) => told.await.map_err(|_| refusal(&health))?,
                Err(mpsc::error::TrySendError::Full(_)) => {
                    Err(StoreError::Away("too many writes wait".to_owned()))
                }
                Err(mpsc::error::TrySendError::Closed(_)) => Err(refusal(&health)),
            }
        }
    }

    /// Puts folded logs into their rows. Gives the games whose rows somebody else has changed since they were read.
    pub(crate) async fn fold(&self, rows: Vec<Folded>) -> Result<Vec<GameId>, StoreError> {
        self.ask(|answer| Work::Fold(rows, answer)).await
    }

    /// Which lines of the journal belong to some games.
    pub(crate) async fn tails(
        &self,
        games: Vec<GameId>,
    ) -> Result<Vec<(GameId, Tail)>, StoreError> {
        self.ask(|answer| Work::Tails(games, answer)).await
    }

    pub(crate) async fn read_tail(&self, game: GameId) -> Result<Vec<(u32, String)>, StoreError> {
        self.ask(|answer| Work::ReadTail(game, answer)).await
    }

    /// Runs a unit of writes that must happen together.
    pub(crate) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.run_big(UNIT_BYTES, work).await
    }

    /// The same for one that writes about so many bytes: the write-ahead log is looked after in time.
    pub(crate) async fn run_big<T, F>(&self, bytes: usize, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.ask(|answer: oneshot::Sender<Result<T, StoreError>>| {
            let unit: Unit = Box::new(move |conn| {
                Box::pin(async move {
                    let result = contained(async { work(conn).await }).await;
                    let went = result.as_ref().map(drop).map_err(Clone::clone);
                    let tell = move |commit: Result<(), StoreError>| {
                        // A sender that went away has no use for the answer.
                        let _ = answer.send(commit.and(result));
                    };
                    (went, Box::new(tell) as Tell)
                })
            });
            Work::Unit(unit, bytes)
        })
        .await
    }

    async fn ask<T>(
        &self,
        work: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Work,
    ) -> Result<T, StoreError> {
        let (answer, told) = oneshot::channel();
        self.queue.send(work(answer)).await.map_err(|_| refusal(&self.health))?;
        told.await.map_err(|_| refusal(&self.health))?
    }
}

/// Why an answer never came: a refused write drops it, and the writer's health says why.
fn refusal(health: &watch::Receiver<Health>) -> StoreError {
    match &*health.borrow() {
        Health::Away(why) => StoreError::Away(why.clone()),
        Health::Stopped(why) => StoreError::Stopped(why.clone()),
        // Another write of its group failed, and nothing of the group was kept.
        Health::Ready => StoreError::Database("a write of the same group failed".to_owned()),
    }
}

const ENDED: &str = "the writer has ended";

/// A fault of ours in one write is that write's failure: the thread that all others need goes on.
async fn contained<T>(
    writing: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    AssertUnwindSafe(writing).catch_unwind().await.unwrap_or_else(|_| {
        let error = StoreError::Database("a write panicked".to_owned());
        tracing::error!(%error, "a fault of the program");
        Err(error)
    })
}

/// What the writer knows of the journal without looking.
pub(crate) struct Journal {
    /// Whose lines are whose.
    pub(crate) tails: HashMap<GameId, Tail>,
    /// The first line there may be, and the next free one.
    pub(crate) first_seq: i64,
    pub(crate) next_seq: i64,
    /// Lines that were folded since the front was last looked at.
    pub(crate) folded_lines: usize,
    /// Everything before this line can go.
    pub(crate) sweep_to: i64,
}

impl Journal {
    /// The line before which the next commit clears the journal, if there is anything to clear.
    fn sweep_now(&self) -> Option<i64> {
        (self.first_seq < self.sweep_to).then(|| self.sweep_to.min(self.first_seq + SWEEP_AT_ONCE))
    }

    fn take_folded(&mut self, rows: &[Folded]) {
        for row in rows {
            let Some(tail) = self.tails.get_mut(&row.game) else { continue };
            self.folded_lines += tail.fold(row.last);
            if row.is_finished && tail.seqs.is_empty() {
                self.tails.remove(&row.game);
            }
        }
    }
}

/// Where the writer tells how it is. Its last word is that it has ended, however that came about: nobody shall go on
/// believing that it writes.
struct Word(watch::Sender<Health>);

impl Word {
    fn now(&self) -> Health {
        self.0.borrow().clone()
    }
}

impl Drop for Word {
    fn drop(&mut self) {
        self.0.send_if_modified(|health| {
            let is_news = !matches!(health, Health::Stopped(_));
            if is_news {
                *health = Health::Stopped(ENDED.to_owned());
            }
            is_news
        });
    }
}

struct WriterTask {
    place: Place,
    /// `None` at the start and after the connection broke, until the next group opens a new one.
    conn: Option<Conn>,
    /// The session of the last connection to PostgreSQL, open or lost.
    session: Option<Session>,
    journal: Journal,
    folding: WeakFolding,
    since_checkpoint: usize,
    checkpoint: watch::Sender<()>,
    log_is_long: LogIsLong,
    /// The last of all, so that nothing of the writer is left when its end is told.
    health: Word,
}

impl WriterTask {
    async fn run(mut self, mut inbox: mpsc::Receiver<Work>) {
        let mut group = Vec::new();
        let mut is_crowded = false;
        while inbox.recv_many(&mut group, GROUP).await > 0 {
            let enough = if is_crowded { CROWD_STAYS } else { CROWD };
            if is_crowded {
                gather(&mut inbox, &mut group);
            }
            is_crowded = group.len() >= enough;
            if let Health::Stopped(why) = self.health.now() {
                refuse(group.drain(..), &StoreError::Stopped(why));
                continue;
            }
            self.commit_group(&mut group).await;
        }
    }

    /// Connects to the database. If a connection was lost before, it is not known what it has written: its session is
    /// ended, and the journal read again.
    async fn connect(&mut self) -> Result<Conn, StoreError> {
        let mut conn = self.place.connect_writer().await?;
        if let Some(lost) = &self.session {
            answered(lost.end(&mut conn)).await?;
            let readers = self.place.connect_readers().await?;
            let reading = crate::read_journal(&readers);
            let (journal, unfolded) = answered_within(GROUP_WITHIN, reading).await?;
            on_db!(readers, pool => pool.close().await);
            self.journal = journal;
            for game in unfolded {
                self.folding.ask(game);
            }
        }
        self.session = answered(Session::of(&mut conn)).await?;
        Ok(conn)
    }

    async fn commit_group(&mut self, group: &mut Vec<Work>) {
        let mut conn = match self.conn.take() {
            Some(conn) => conn,
            None => match self.connect().await {
                Ok(conn) => conn,
                Err(error) => {
                    let error = StoreError::Away(error.to_string());
                    self.note(&error);
                    return refuse(group.drain(..), &error);
                }
            },
        };
        let (appends, others) = self.sort(group.drain(..));
        let mut tell = Vec::with_capacity(others.len());
        let mut appended = Vec::new();
        if others.is_empty() && appends.is_empty() {
            // Only questions that need no database.
            self.conn = Some(conn);
            return;
        }
        let sweep = self.journal.sweep_now();
        let unit_bytes: usize = others.iter().map(Work::bytes).sum();
        // What is left of them after a failure is dropped at the end, when our health says why.
        let mut others = others.into_iter();
        let result =
            self.write(&mut conn, &appends, &mut others, sweep, &mut tell, &mut appended).await;
        match &result {
            Ok(folded) => {
                self.journal.take_folded(folded);
                self.keep_tails(&appends);
                self.since_checkpoint += unit_bytes;
                if let Some(swept) = sweep {
                    self.journal.first_seq = swept;
                }
                self.health.0.send_if_modified(|health| {
                    std::mem::replace(health, Health::Ready) != Health::Ready
                });
                self.conn = Some(conn);
            }
            Err(error) => {
                self.note(error);
                // SQLite's connection stays good after a full disk; PostgreSQL's is made anew.
                if matches!(conn, Conn::Sqlite(_)) && !matches!(error, StoreError::Stopped(_)) {
                    self.conn = Some(conn);
                }
            }
        }
        let result = result.map(drop);
        if let Err(error) = &result {
            refuse(others, error);
        }
        let mut appended = appended.into_iter().peekable();
        for (number, (_, answer)) in appends.into_iter().enumerate() {
            let of_this = appended.next_if(|(of, _)| *of == number).map(|(_, what)| what);
            let _ = answer.send(result.clone().map(|()| of_this.unwrap_or_default()));
        }
        for tell in tell {
            tell(result.clone());
        }
        self.look_after_log().await;
    }

    /// Takes the appends out of a group; those that do not continue their game's log are refused at once.
    fn sort(&self, group: impl Iterator<Item = Work>) -> (Vec<(Append, AppendAnswer)>, Vec<Work>) {
        let mut appends = Vec::new();
        let mut others = Vec::new();
        for work in group {
            match work {
                Work::Append(append, answer) => {
                    if self
                        .journal
                        .tails
                        .get(&append.game)
                        .is_some_and(|tail| tail.next_version != append.first_version)
                    {
                        let _ = answer.send(Err(StoreError::Conflict));
                    } else {
                        appends.push((append, answer));
                    }
                }
                Work::Tails(games, answer) => {
                    let tails = games.into_iter().filter_map(|game| {
                        self.journal.tails.get(&game).map(|tail| (game, tail.clone()))
                    });
                    let _ = answer.send(Ok(tails.collect()));
                }
                other => others.push(other),
            }
        }
        (appends, others)
    }

    async fn write(
        &self,
        conn: &mut Conn,
        appends: &[(Append, AppendAnswer)],
        others: &mut std::vec::IntoIter<Work>,
        sweep: Option<i64>,
        tell: &mut Vec<Tell>,
        appended: &mut Vec<(usize, Appended)>,
    ) -> Result<Vec<Folded>, StoreError> {
        let rows = journal::rows(appends.iter().map(|(append, _)| append), self.journal.next_seq);
        // A single statement is a transaction of its own: two round trips less for the commonest group. Two would be
        // two transactions: if the disk filled up between them, half of the group would stay and block its games.
        if others.as_slice().is_empty()
            && sweep.is_none()
            && journal::is_one_statement(rows.len())
            && appends.iter().all(|(append, _)| append.summary.is_none() && !append.goes_back)
        {
            let is_postgres = matches!(conn, Conn::Postgres(_));
            let inserting = journal::insert(conn, &rows);
            let inserted = if is_postgres { answered(inserting).await } else { inserting.await };
            return inserted.map(|()| Vec::new()).map_err(|error| in_doubt(conn, error));
        }
        begin(conn).await?;
        let result = self.write_in_time(conn, appends, &rows, others, sweep, tell, appended).await;
        match result {
            Ok(folded) => {
                commit(conn).await.map(|()| folded).map_err(|error| in_doubt(conn, error))
            }
            // A connection that says nothing is dropped, and what was not committed with it.
            Err(error) if matches!(conn, Conn::Postgres(_)) => Err(error),
            Err(error) => {
                // If even this fails, the connection is dropped by the caller or its next BEGIN says so.
                let _ = execute(conn, "ROLLBACK").await;
                Err(error)
            }
        }
    }

    /// What is between BEGIN and COMMIT, as long as the database goes on answering.
    #[expect(clippy::too_many_arguments, reason = "they are the parts of one group")]
    async fn write_in_time(
        &self,
        conn: &mut Conn,
        appends: &[(Append, AppendAnswer)],
        rows: &[journal::Row<'_>],
        others: &mut std::vec::IntoIter<Work>,
        sweep: Option<i64>,
        tell: &mut Vec<Tell>,
        appended: &mut Vec<(usize, Appended)>,
    ) -> Result<Vec<Folded>, StoreError> {
        let is_postgres = matches!(conn, Conn::Postgres(_));
        let mut writing = std::pin::pin!(async {
            let folded = self.write_inside(conn, appends, rows, others, tell, appended).await?;
            if let Some(before) = sweep {
                journal::remove_before(conn, before).await?;
            }
            Ok(folded)
        });
        if !is_postgres {
            return writing.await;
        }
        let written = tokio::time::timeout(GROUP_WITHIN, writing.as_mut()).await;
        written.unwrap_or_else(|_| {
            let error = silent(GROUP_WITHIN);
            // Before the unit that was at work is dropped with `writing`: its sender asks our health for the reason.
            self.note(&error);
            Err(error)
        })
    }

    async fn write_inside(
        &self,
        conn: &mut Conn,
        appends: &[(Append, AppendAnswer)],
        rows: &[journal::Row<'_>],
        others: &mut std::vec::IntoIter<Work>,
        tell: &mut Vec<Tell>,
        appended: &mut Vec<(usize, Appended)>,
    ) -> Result<Vec<Folded>, StoreError> {
        let mut all_folded = Vec::new();
        for chunk in rows.chunks(journal::CHUNK) {
            journal::insert(conn, chunk).await?;
        }
        for (number, (append, _)) in appends.iter().enumerate() {
            if append.goes_back {
                journal::forget_plans(conn, append.game).await?;
            }
            if let Some(summary) = &append.summary {
                let summarising = journal::summarise(conn, append.game, summary);
                appended.push((number, contained(summarising).await?));
            }
        }
        for (number, work) in others.enumerate() {
            match number {
                0 => execute(conn, "SAVEPOINT unit").await?,
                _ => next_savepoint(conn).await?,
            }
            let (went, told) = match work {
                Work::Unit(unit, _) => unit(conn).await,
                Work::Fold(rows, answer) => {
                    let folding = contained(journal::fold(conn, rows)).await;
                    let changed = folding.map(|(folded, changed)| {
                        all_folded.extend(folded);
                        changed
                    });
                    (changed.as_ref().map(drop).map_err(Clone::clone), boxed(answer, changed))
                }
                Work::ReadTail(game, answer) => {
                    let reading = journal::read_tail(conn, self.journal.tails.get(&game));
                    let tail = contained(reading).await;
                    (tail.as_ref().map(drop).map_err(Clone::clone), boxed(answer, tail))
                }
                Work::Append(..) | Work::Tails(..) => unreachable!("they were sorted out before"),
            };
            tell.push(told);
            match went {
                Ok(()) => {}
                // A full disk rolls the whole transaction back by itself: the group shares the fate of its unit.
                Err(error) if error.is_trouble() => return Err(error),
                Err(_) => execute(conn, "ROLLBACK TO SAVEPOINT unit").await?,
            }
        }
        // The last savepoint ends with the transaction.
        Ok(all_folded)
    }

    fn keep_tails(&mut self, appends: &[(Append, AppendAnswer)]) {
        for (append, _) in appends {
            let tail = self.journal.tails.entry(append.game).or_default();
            for event in &append.events {
                tail.seqs.push(self.journal.next_seq);
                self.journal.next_seq += 1;
                self.since_checkpoint += event.len() + 64;
            }
            tail.next_version =
                append.first_version + u32::try_from(append.events.len()).unwrap_or(u32::MAX);
        }
    }

    async fn look_after_log(&mut self) {
        if self.journal.folded_lines >= SWEEP_AFTER {
            self.journal.folded_lines = 0;
            let (first_needed, holding_up) =
                folding::sweep(&self.journal.tails, self.journal.next_seq, LATE);
            self.journal.sweep_to = first_needed;
            for game in holding_up {
                self.folding.ask(game);
            }
        }
        if self.since_checkpoint > CHECKPOINT_EVERY {
            self.since_checkpoint = 0;
            self.checkpoint.send_replace(());
        }
        if let Some(Conn::Sqlite(conn)) = &mut self.conn
            && self.log_is_long.swap(false, Ordering::Relaxed)
        {
            checkpoint::checkpoint(conn).await;
        }
    }

    fn note(&self, error: &StoreError) {
        let health = match error {
            StoreError::Stopped(why) => Health::Stopped(why.clone()),
            StoreError::Away(why) | StoreError::Unknown(why) => Health::Away(why.clone()),
            _ => {
                tracing::error!(%error, "a group of writes failed");
                return;
            }
        };
        if self.health.now() != health {
            tracing::error!(%error, "storage trouble");
            self.health.0.send_replace(health);
        }
    }
}

/// Lets a group grow for a moment. With so much to do every processor is busy and everybody waits for a turn: fewer
/// commits leave more time for the moves. With little to do nobody waits here.
#[allow(clippy::disallowed_methods)] // The writer has a thread of its own, and no decision depends on this moment.
fn gather(inbox: &mut mpsc::Receiver<Work>, group: &mut Vec<Work>) {
    std::thread::sleep(GATHER);
    while group.len() < GROUP
        && let Ok(work) = inbox.try_recv()
    {
        group.push(work);
    }
}

/// A lost connection during a commit leaves it open whether PostgreSQL kept it.
fn in_doubt(conn: &Conn, error: StoreError) -> StoreError {
    match (conn, error) {
        (Conn::Postgres(_), StoreError::Away(why)) => StoreError::Unknown(why),
        (_, error) => error,
    }
}

fn boxed<T: Send + 'static>(
    answer: oneshot::Sender<Result<T, StoreError>>,
    result: Result<T, StoreError>,
) -> Tell {
    Box::new(move |commit| {
        let _ = answer.send(commit.and(result));
    })
}

fn refuse(group: impl Iterator<Item = Work>, error: &StoreError) {
    for work in group {
        match work {
            Work::Append(_, answer) => drop(answer.send(Err(error.clone()))),
            Work::Fold(_, answer) => drop(answer.send(Err(error.clone()))),
            Work::Tails(_, answer) => drop(answer.send(Err(error.clone()))),
            Work::ReadTail(_, answer) => drop(answer.send(Err(error.clone()))),
            Work::Unit(unit, _) => drop(unit),
        }
    }
}

async fn begin(conn: &mut Conn) -> Result<(), StoreError> {
    match conn {
        // IMMEDIATE: a transaction that begins as a reader could fail half-way when it turns to writing.
        Conn::Sqlite(_) => execute(conn, "BEGIN IMMEDIATE").await,
        Conn::Postgres(_) => answered(execute(conn, "BEGIN")).await,
    }
}

async fn commit(conn: &mut Conn) -> Result<(), StoreError> {
    match conn {
        Conn::Sqlite(_) => execute(conn, "COMMIT").await,
        Conn::Postgres(_) => answered(execute(conn, "COMMIT")).await,
    }
}

/// From one unit to the next in one round trip to the database.
async fn next_savepoint(conn: &mut Conn) -> Result<(), StoreError> {
    const BOTH: &str = "RELEASE SAVEPOINT unit; SAVEPOINT unit";
    match conn {
        Conn::Sqlite(_) => execute(conn, BOTH).await,
        // It prepares no two statements at once, but takes them as they are.
        Conn::Postgres(c) => {
            sqlx::raw_sql(BOTH).execute(&mut *c).await?;
            Ok(())
        }
    }
}

pub(crate) async fn execute(conn: &mut Conn, sql: &'static str) -> Result<(), StoreError> {
    on_db!(conn, c => {
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *c).await?;
    });
    Ok(())
}

/// Asks the connection whether it is alive, for start-up and for tests.
pub(crate) async fn ping(conn: &mut Conn) -> Result<(), StoreError> {
    on_db!(conn, c => c.ping().await?);
    Ok(())
}
