//! Where installed engines stand between two questions, and what is known of each.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::EngineInfo;
use super::answer::{EngineError, Update};
use super::own::KEY;
use super::seat::{Finished, Interrupt};
use super::settings::{EngineSettings, PoolSettings};
use super::situation::Situation;
use super::stopwatch::Stopwatch;
use super::task::{Choice, Strength, Task};
use crate::uci::Session;

/// So many failures in a row, and an engine is left alone …
const PATIENCE: u32 = 3;
/// … for so long.
const REST_SECONDS: u64 = 30;

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
    /// What it calls itself, once it has said it.
    name: Mutex<Option<String>>,
    conduct: Mutex<Conduct>,
}

#[derive(Debug, Default)]
struct Conduct {
    failures: u32,
    last: Option<Stopwatch>,
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

    /// The usual engine for a position; none where only the built-in one will do.
    pub(super) fn suitable(&self, situation: &Situation) -> Option<&Arc<Keeper>> {
        self.0.iter().find(|keeper| keeper.knows(situation) && !keeper.rests())
    }

    /// The usual engine for a task; the weakest levels are the built-in engine's.
    pub(super) fn for_task(&self, task: &Task) -> Option<&Arc<Keeper>> {
        match task.strength {
            Strength::Level(level) if level.stockfish().is_none() => None,
            _ => self.suitable(&task.situation),
        }
    }

    pub(super) async fn warm_up(&self) {
        for keeper in &self.0 {
            match keeper.open().await {
                Ok(session) => keeper.idle.lock().push(session),
                Err(error) => tracing::warn!(engine = keeper.engine.key, %error, "no such engine"),
            }
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
        let finished = self.try_search(task, settings, lines, interrupt).await;
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
        let rested = self.idle.lock().pop();
        if let Some(mut session) = rested {
            let finished = session.search(task, settings.longest, lines, interrupt).await;
            // It may have died while nobody looked: a new one gets the question.
            if !matches!(finished, Err(EngineError::Crashed)) {
                return self.put_back(session, finished);
            }
        }
        let mut session = self.open().await?;
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
            self.idle.lock().push(session);
        }
        finished
    }

    fn judge(&self, error: Option<&EngineError>) {
        let mut conduct = self.conduct.lock();
        let Some(error) = error else {
            *conduct = Conduct::default();
            return;
        };
        conduct.failures += 1;
        conduct.last = Some(Stopwatch::start());
        let failures = conduct.failures;
        tracing::warn!(engine = self.engine.key, %error, failures, "an engine has failed");
    }
}
