//! Where installed engines stand between two questions, and what is known of each.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::EngineInfo;
use super::answer::{EngineError, Update};
use super::own::KEY;
use super::seat::{Finished, Interrupt};
use super::settings::{EngineSettings, PoolSettings};
use super::situation::Situation;
use super::stopwatch::{Stopwatch, within};
use super::task::{Choice, Strength, Task};
use crate::uci::Session;

/// So many failures in a row, and an engine is left alone …
const PATIENCE: u32 = 3;
/// … for so long.
const REST_SECONDS: u64 = 30;
/// How long after its time an engine may be waited for where another one can answer.
const GRACE: Duration = Duration::from_secs(5);

/// All installed engines, the usual one first.
#[derive(Debug)]
pub(super) struct Stable(Vec<Arc<Keeper>>);

/// One installed engine: its processes that have nothing to do, and how it has behaved.
#[derive(Debug)]
pub(super) struct Keeper {
    engine: EngineSettings,
    jail: Vec<std::ffi::OsString>,
    hash_mb: usize,
    memory_mb: usize,
    idle: Mutex<Vec<Session>>,
    /// Processes that may wait for a question: never more than can be asked at once.
    most_idle: usize,
    /// How many processes are being asked something.
    asked: AtomicUsize,
    /// Held by whoever gets a process ready before anybody asks, so that a crowd gets one and not one each.
    warming: tokio::sync::Mutex<()>,
    /// What it calls itself, once it has said it.
    name: Mutex<Option<String>>,
    conduct: Mutex<Conduct>,
}

#[derive(Debug, Default)]
struct Conduct {
    failures: u32,
    last: Option<Stopwatch>,
}

/// Counts a process for as long as it is asked something, however that ends.
struct Asked<'a>(&'a AtomicUsize);

impl Asked<'_> {
    fn new(count: &AtomicUsize) -> Asked<'_> {
        count.fetch_add(1, Ordering::Relaxed);
        Asked(count)
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stable {
    pub(super) fn new(settings: &PoolSettings) -> Stable {
        let keeper = |engine: &EngineSettings| {
            Arc::new(Keeper {
                engine: engine.clone(),
                jail: settings.jail.clone(),
                hash_mb: settings.hash_mb,
                memory_mb: settings.memory_mb,
                idle: Mutex::default(),
                most_idle: settings.seats(),
                asked: AtomicUsize::new(0),
                warming: tokio::sync::Mutex::default(),
                name: Mutex::default(),
                conduct: Mutex::default(),
            })
        };
        Stable(settings.engines.iter().map(keeper).collect())
    }

    pub(super) fn engines(&self) -> Vec<EngineInfo> {
        self.0.iter().map(|keeper| keeper.info()).collect()
    }

    /// Whether this choice can be met at all.
    pub(super) fn check(&self, choice: &Choice, situation: &Situation) -> Result<(), EngineError> {
        match choice {
            Choice::Any | Choice::Builtin => Ok(()),
            Choice::Named(key) if key == KEY => Ok(()),
            Choice::Named(key) => self.named(key, situation).map(drop),
        }
    }

    pub(super) fn named(
        &self,
        key: &str,
        situation: &Situation,
    ) -> Result<&Arc<Keeper>, EngineError> {
        let keeper = self.0.iter().find(|keeper| keeper.engine.key == key);
        let keeper = keeper.ok_or_else(|| EngineError::Unknown(key.to_owned()))?;
        let knows = keeper.knows(situation);
        knows.then_some(keeper).ok_or_else(|| EngineError::Unsuitable(key.to_owned()))
    }

    /// Engines for a position, the usual one first; none where only the built-in one will do.
    pub(super) fn suitable(&self, situation: &Situation) -> impl Iterator<Item = &Arc<Keeper>> {
        self.0.iter().filter(move |keeper| keeper.knows(situation) && !keeper.rests())
    }

    /// Engines for a task, the usual one first; the weakest levels are the built-in engine's.
    pub(super) fn for_task(&self, task: &Task) -> impl Iterator<Item = &Arc<Keeper>> {
        let is_builtins =
            matches!(task.strength, Strength::Level(level) if level.stockfish().is_none());
        self.suitable(&task.situation).filter(move |_| !is_builtins)
    }

    pub(super) async fn warm_up(&self) {
        for keeper in &self.0 {
            keeper.warm_up().await;
        }
    }
}

impl Keeper {
    pub(super) fn info(&self) -> EngineInfo {
        let key = self.engine.key.clone();
        let name = self.name.lock().clone().unwrap_or_else(|| key.clone());
        EngineInfo { key, name, variants: self.engine.variants.clone() }
    }

    fn knows(&self, situation: &Situation) -> bool {
        situation.as_chess().is_some() && self.engine.variants.contains(&situation.variant())
    }

    fn rests(&self) -> bool {
        let conduct = self.conduct.lock();
        let since = conduct.last.map_or(u64::MAX, |last| last.elapsed().as_secs());
        conduct.failures >= PATIENCE && since < REST_SECONDS
    }

    /// Gets a process ready, unless there is one already.
    async fn warm_up(&self) {
        let _alone = self.warming.lock().await;
        let is_warm = !self.idle.lock().is_empty() || self.asked.load(Ordering::Relaxed) > 0;
        if is_warm || self.rests() {
            return;
        }
        match self.open().await {
            Ok(session) => self.keep(session),
            Err(error) => {
                tracing::warn!(engine = self.engine.key, %error, "no such engine");
                self.judge(Some(&error));
            }
        }
    }

    /// Keeps a process for the next question, unless enough are kept: then it ends here.
    fn keep(&self, session: Session) {
        let mut idle = self.idle.lock();
        if idle.len() < self.most_idle {
            idle.push(session);
        }
    }

    async fn open(&self) -> Result<Session, EngineError> {
        let session = Session::open(&self.engine, &self.jail, self.hash_mb, self.memory_mb).await?;
        *self.name.lock() = Some(session.name().to_owned());
        Ok(session)
    }

    pub(super) async fn search(
        &self,
        task: &Task,
        settings: &PoolSettings,
        lines: &mpsc::Sender<Update>,
        interrupt: &mut Interrupt,
    ) -> Result<Finished, EngineError> {
        if self.rests() {
            return Err(EngineError::Resting);
        }
        // Whoever does not insist on this engine is not kept waiting by it: a greeting that does not come counts too.
        let most = task.limits.most.unwrap_or(settings.longest).min(settings.longest);
        let patience = if task.engine == Choice::Any { most + GRACE } else { Duration::MAX };
        let searching = self.try_search(task, settings, lines, interrupt);
        let finished = within(patience, searching).await.unwrap_or(Err(EngineError::Hung));
        self.judge(finished.as_ref().err());
        finished
    }

    async fn try_search(
        &self,
        task: &Task,
        settings: &PoolSettings,
        lines: &mpsc::Sender<Update>,
        interrupt: &mut Interrupt,
    ) -> Result<Finished, EngineError> {
        let _asked = Asked::new(&self.asked);
        let rested = self.idle.lock().pop();
        if let Some(mut session) = rested {
            let finished = session.search(task, settings.longest, lines, interrupt).await;
            // It may have died while nobody looked: a new one gets the question.
            if !matches!(finished, Err(EngineError::Crashed)) {
                return self.put_back(session, finished);
            }
        }
        let mut session = match interrupt.unless_it_comes(self.open()).await {
            Ok(session) => session?,
            Err(why) => return Ok(Finished::Interrupted(why)),
        };
        let finished = session.search(task, settings.longest, lines, interrupt).await;
        self.put_back(session, finished)
    }

    /// A process that knows where it is may be asked again; any other is ended.
    fn put_back(
        &self,
        session: Session,
        finished: Result<Finished, EngineError>,
    ) -> Result<Finished, EngineError> {
        if session.is_idle() {
            self.keep(session);
        }
        finished
    }

    fn judge(&self, error: Option<&EngineError>) {
        let mut conduct = self.conduct.lock();
        let Some(error) = error else {
            *conduct = Conduct::default();
            return;
        };
        // One that is not meant for the question has not failed.
        if matches!(error, EngineError::Unsuitable(_)) {
            return;
        }
        // One that does not answer costs a player time: it is not tried three times first.
        let hangs = *error == EngineError::Hung;
        conduct.failures =
            if hangs { PATIENCE.max(conduct.failures + 1) } else { conduct.failures + 1 };
        conduct.last = Some(Stopwatch::start());
        let failures = conduct.failures;
        tracing::warn!(engine = self.engine.key, %error, failures, "an engine has failed");
    }
}
