//! Reports of finished games: who may ask, how far they are, and the task that makes them.

mod numbers;
mod task;
pub mod wire;

use std::sync::Arc;

use engine::pool::Pool;
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use rules::pgn::Game as Sheet;
use rules::{Corrupt, Game, Outcome, UnixMillis};
use store::{
    AccountId, GameId, LibraryNumber, ReportJob, ReportOf, ReportState, ReportTurns, Sight, Store,
    StoreError, StoredGame, StoredReport,
};
use tokio::sync::watch;

use super::fair_play::FairPlay;
use super::{AnalysisError, Line};
use crate::games::{GameError, Games};
use crate::world::World;
use numbers::Subject;
use wire::{BulkView, GameReport, ReportStateView, ReportView};

/// Positions an engine looks at for each move.
const NODES: u64 = 100_000;
/// Reports that one person may have waiting, besides a whole history.
const MOST_WAITING: u32 = 5;
/// Games of a whole history that wait at once: about what a machine gets done in a night. Whoever asks again when they
/// are done gets the next.
const MOST_OF_A_HISTORY: u32 = 2_000;
/// A game of fewer plies has nothing to report.
const FEWEST_PLIES: usize = 2;

/// Reports of games. Cheap to clone.
#[derive(Clone)]
pub struct Reports(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    games: Games,
    pool: Pool,
    /// Positions that an engine was asked about.
    searches: Counter,
    /// Grows whenever somebody asks, calls off, pauses or resumes: the task looks what is next.
    wishes: watch::Sender<u64>,
    /// The report that is being made.
    current: Mutex<Option<Progress>>,
    /// Whose turn it was last.
    turns: Mutex<ReportTurns>,
}

/// How far the report that is being made has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Progress {
    of: ReportOf,
    done: u32,
    total: u32,
}

impl Reports {
    /// Goes on with what waits.
    pub(super) fn start(
        store: Store,
        world: World,
        games: Games,
        pool: Pool,
        searches: Counter,
    ) -> Reports {
        let wishes = watch::Sender::new(0);
        let heard = wishes.subscribe();
        let (current, turns) = (Mutex::default(), Mutex::default());
        let inner = Inner { store, world, games, pool, searches, wishes, current, turns };
        let reports = Reports(Arc::new(inner));
        // The task holds no handle of its own to the wishes: it ends when nobody can wish any more.
        tokio::spawn(task::run(Arc::downgrade(&reports.0), heard));
        reports
    }

    /// Asks for the report of a finished game.
    pub async fn ask(
        &self,
        game: GameId,
        by: AccountId,
        sight: Sight,
    ) -> Result<ReportView, AnalysisError> {
        let moves = self.reportable(game, sight).await?;
        self.ask_for(game.into(), moves, by).await
    }

    /// The report of a game, or how far it has got. Running games have none.
    pub async fn show(&self, game: GameId, sight: Sight) -> Result<ReportView, AnalysisError> {
        let moves = self.reportable(game, sight).await?;
        self.shown(game.into(), moves, sight.account()).await
    }

    /// Asks for the report of a game of the library, whose sheet the asker may see.
    pub(crate) async fn ask_library(
        &self,
        number: LibraryNumber,
        sheet: &Sheet,
        by: AccountId,
    ) -> Result<ReportView, AnalysisError> {
        let moves = self.reportable_sheet(sheet, Some(by)).await?;
        self.ask_for(number.into(), moves, by).await
    }

    /// The report of a game of the library, whose sheet the asker may see.
    pub(crate) async fn show_library(
        &self,
        number: LibraryNumber,
        sheet: &Sheet,
        account: Option<AccountId>,
    ) -> Result<ReportView, AnalysisError> {
        let moves = self.reportable_sheet(sheet, account).await?;
        self.shown(number.into(), moves, account).await
    }

    /// The report of a game of the library that somebody has asked for.
    pub(crate) async fn show_asked(
        &self,
        number: LibraryNumber,
        by: AccountId,
    ) -> Result<ReportView, AnalysisError> {
        let moves = self.check_fair(self.load(number.into()).await?, Some(by)).await?;
        self.shown(number.into(), moves, Some(by)).await
    }

    async fn ask_for(
        &self,
        of: ReportOf,
        moves: u32,
        by: AccountId,
    ) -> Result<ReportView, AnalysisError> {
        let known = self.0.store.load_report(of).await?;
        let is_stale = known.as_ref().map(|known| is_stale(known, moves)).transpose()?;
        if is_stale == Some(true) {
            self.0.store.forget_report(of).await?;
        }
        let is_new = match &known {
            Some(known) if is_stale == Some(false) => {
                let is_asked = known.wishes.iter().any(|wish| wish.account == by && !wish.bulk);
                known.state != ReportState::Done && !is_asked
            }
            _ => true,
        };
        if is_new && self.0.store.waiting_reports_of(by).await? >= MOST_WAITING {
            return Err(AnalysisError::TooManyReports(MOST_WAITING));
        }
        let asked_at = self.0.world.time.now();
        let job = ReportJob { of, asked_by: by, bulk: false, nodes: NODES, asked_at };
        self.0.store.ask_report(job).await?;
        self.wish();
        self.shown(of, moves, Some(by)).await
    }

    async fn shown(
        &self,
        of: ReportOf,
        total: u32,
        account: Option<AccountId>,
    ) -> Result<ReportView, AnalysisError> {
        if let Some(stored) = self.0.store.load_report(of).await?
            && !is_stale(&stored, total)?
        {
            return self.view(stored, account).await;
        }
        Ok(ReportView {
            state: ReportStateView::None,
            ahead: 0,
            done: 0,
            total,
            problem: None,
            is_mine: false,
            report: None,
        })
    }

    /// Takes back the wish for a report that is not there yet.
    pub async fn cancel(
        &self,
        of: impl Into<ReportOf>,
        by: AccountId,
    ) -> Result<(), AnalysisError> {
        let of = of.into();
        self.0.store.cancel_report(of, by).await.map_err(|error| match error {
            StoreError::NotFound => AnalysisError::NoReport,
            other => other.into(),
        })?;
        self.wish();
        self.tell_how_it_stands(of).await;
        Ok(())
    }

    /// Asks for the reports of finished games of somebody that have none yet, the newest first, as many as may wait.
    pub async fn ask_all(&self, by: AccountId) -> Result<BulkView, AnalysisError> {
        self.0.store.resume_reports_of(by).await?;
        let now = self.0.world.time.now();
        self.0.store.ask_reports_of(by, NODES, MOST_OF_A_HISTORY, now).await?;
        self.wish();
        self.show_all(by).await
    }

    /// How far somebody's whole history has got.
    pub async fn show_all(&self, of: AccountId) -> Result<BulkView, AnalysisError> {
        Ok(BulkView::new(self.0.store.bulk_progress(of).await?, MOST_OF_A_HISTORY))
    }

    /// Puts the rest of it off, or goes on with it.
    pub async fn pause_all(&self, of: AccountId, paused: bool) -> Result<BulkView, AnalysisError> {
        if paused {
            self.0.store.pause_reports_of(of).await?;
        } else {
            self.0.store.resume_reports_of(of).await?;
        }
        self.wish();
        self.show_all(of).await
    }

    /// Takes the wish for the rest of it back.
    pub async fn cancel_all(&self, of: AccountId) -> Result<(), AnalysisError> {
        self.0.store.cancel_reports_of(of).await?;
        self.wish();
        Ok(())
    }

    fn wish(&self) {
        self.0.wishes.send_modify(|wishes| *wishes += 1);
    }

    /// How many moves of a game there are to look at, if somebody may know of it and of what an engine says of it.
    async fn reportable(&self, game: GameId, sight: Sight) -> Result<u32, AnalysisError> {
        let subject = subject_of(&self.0.games.opened(game, sight).await?)?;
        self.check_fair(subject, sight.account()).await
    }

    /// The same for a sheet of PGN.
    async fn reportable_sheet(
        &self,
        sheet: &Sheet,
        account: Option<AccountId>,
    ) -> Result<u32, AnalysisError> {
        self.check_fair(long_enough(Subject::of_sheet(sheet)?)?, account).await
    }

    /// Another game that went the same way as a rated one that runs is as good as an analysis of that.
    async fn check_fair(
        &self,
        subject: Subject,
        account: Option<AccountId>,
    ) -> Result<u32, AnalysisError> {
        let fair_play = FairPlay::new(self.0.games.clone());
        let Line { variant, positions, .. } = &subject.line;
        fair_play.may_see_judged(account, *variant, positions).await?;
        Ok(u32::try_from(subject.moves()).unwrap_or(u32::MAX))
    }

    async fn load(&self, of: ReportOf) -> Result<Subject, AnalysisError> {
        let unknown = |error| match error {
            StoreError::NotFound => GameError::Unknown,
            other => GameError::Store(other),
        };
        match of {
            ReportOf::Game(game) => {
                let stored = self.0.store.load_game(game).await.map_err(unknown)?;
                let (game, moments) = rebuild(&stored)?;
                Ok(subject_of(&game)?.with_moments(&game, stored.created_at, &moments))
            }
            ReportOf::Library(number) => {
                let stored = self.0.store.load_library_games(&[number]).await.map_err(unknown)?;
                let body = stored.into_iter().next().and_then(|stored| stored.body);
                let body = body.ok_or(GameError::Unknown)?;
                let damaged = |_| StoreError::Damaged(format!("library game {}", number.0));
                let sheet = library::body::unpack(&body).map_err(damaged)?;
                long_enough(Subject::of_sheet(&sheet)?)
            }
        }
    }

    async fn view(
        &self,
        stored: StoredReport,
        account: Option<AccountId>,
    ) -> Result<ReportView, AnalysisError> {
        let current = *self.0.current.lock();
        let current = current.filter(|current| current.of == stored.of);
        let (state, ahead) = match (stored.state, current) {
            (ReportState::Waiting, Some(_)) => (ReportStateView::Running, 0),
            (ReportState::Waiting, None) => {
                let turns = *self.0.turns.lock();
                let ahead = self.0.store.reports_before(stored.of, &turns).await?;
                (ReportStateView::Waiting, ahead)
            }
            (state, _) => (state.into(), 0),
        };
        let report = read(&stored)?;
        let moves = report.as_ref().map_or(0, |report| report.moves.len());
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        let (done, total) = current.map_or((moves, moves), |it| (it.done, it.total));
        let is_mine = stored.wishes.iter().any(|wish| Some(wish.account) == account);
        Ok(ReportView { state, ahead, done, total, problem: stored.problem, is_mine, report })
    }
}

/// The game, and when each entry of its record was made.
fn rebuild(stored: &StoredGame) -> Result<(Game, Vec<UnixMillis>), AnalysisError> {
    let damaged = |error: Corrupt| GameError::Fault(format!("its log cannot be replayed: {error}"));
    let begun = Game::new(stored.setup.clone(), stored.created_at);
    let mut game = begun.map_err(|error| damaged(error.into()))?;
    let mut moments = Vec::new();
    for event in &stored.events {
        game.apply(event).map_err(damaged)?;
        // What was taken back goes, what was added came now.
        moments.resize(game.actions().len(), event.at());
    }
    Ok((game, moments))
}

fn read(stored: &StoredReport) -> Result<Option<Box<GameReport>>, AnalysisError> {
    let text = stored.result.as_deref();
    let report = text.map(serde_json::from_str).transpose().map_err(StoreError::from)?;
    Ok(report)
}

/// Whether a report is of a game that was reopened and went on since.
fn is_stale(stored: &StoredReport, moves: u32) -> Result<bool, AnalysisError> {
    let report = read(stored)?;
    Ok(report.is_some_and(|report| u32::try_from(report.moves.len()) != Ok(moves)))
}

/// Refuses games that run, were aborted or have hardly begun.
fn subject_of(game: &Game) -> Result<Subject, AnalysisError> {
    match game.outcome() {
        None => Err(AnalysisError::StillRunning),
        Some(Outcome::Aborted { .. }) => Err(AnalysisError::NothingToReport),
        Some(_) => {
            let subject = Subject::of_game(game)?.ok_or(AnalysisError::NothingToReport)?;
            long_enough(subject)
        }
    }
}

fn long_enough(subject: Subject) -> Result<Subject, AnalysisError> {
    let is_long = subject.moves() >= FEWEST_PLIES;
    is_long.then_some(subject).ok_or(AnalysisError::NothingToReport)
}
