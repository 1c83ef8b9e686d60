//! What lives on: games that end flow in, interrupted imports go on, the index is kept in order.

use std::collections::HashSet;

use library::Record;
use rules::UnixMillis;
use store::{GameId, Import, ImportState, LibraryGame, LibraryNumber, StoreError};
use tokio::sync::{MutexGuard, broadcast, mpsc, watch};

use super::importing::{Bounds, import_file, is_passing};
use super::sheets;
use super::{Inner, Library, LibraryError};

/// What the task is asked to do.
pub(super) enum Order {
    /// The file of an import is there whole.
    Import(i64),
}

/// Games that are read at once when the index catches up.
const PAGE: i64 = 512;
/// Games that are read at once when some are missing in the index.
const AT_ONCE: usize = 512;
/// How often it is looked whether somebody has left or is called otherwise, and whether something was missed.
const LOOK: i64 = 2_000;
/// How long after trouble with the storage an import tries again.
const AGAIN: i64 = 5_000;
/// Uploads that did not go on for so long are given up.
const FORGOTTEN: i64 = 24 * HOUR;
const HOUR: i64 = 3_600_000;

/// Starts the two tasks: one for the games that end, one for the files.
pub(super) fn start(
    library: &Library,
    finished: broadcast::Receiver<GameId>,
    orders: mpsc::UnboundedReceiver<Order>,
    ready: watch::Sender<bool>,
) {
    tokio::spawn(keep_up(library.clone(), finished, ready));
    tokio::spawn(import_files(library.clone(), orders));
}

async fn keep_up(
    library: Library,
    mut finished: broadcast::Receiver<GameId>,
    ready: watch::Sender<bool>,
) {
    let time = library.0.world.time.clone();
    while let Err(error) = library.catch_up().await {
        tracing::error!(%error, "the library cannot be brought up to date; trying again");
        time.sleep(AGAIN).await;
    }
    ready.send_replace(true);
    let mut has_missed = false;
    loop {
        let done = tokio::select! {
            ended = finished.recv() => match ended {
                Ok(game) => library.take_in(vec![game]).await,
                Err(broadcast::error::RecvError::Lagged(_)) => library.take_in_missing().await,
                Err(broadcast::error::RecvError::Closed) => return,
            },
            () = time.sleep(LOOK) => match library.tidy().await {
                Ok(()) if has_missed => {
                    let looked = library.look_again().await;
                    has_missed = looked.is_err();
                    looked
                }
                done => done,
            },
        };
        if let Err(error) = done {
            tracing::warn!(%error, "the library missed something; it is looked for again in a moment");
            has_missed = true;
        }
    }
}

/// One file after the other: an import takes the processor it can get, and two would take twice of it.
async fn import_files(library: Library, mut orders: mpsc::UnboundedReceiver<Order>) {
    match library.0.store.open_imports().await {
        Ok(open) => {
            for import in open.into_iter().filter(|import| import.state == ImportState::Running) {
                let _ = library.0.orders.send(Order::Import(import.id));
            }
        }
        Err(error) => tracing::error!(%error, "interrupted imports cannot be found"),
    }
    // The index catches up with the database first: a game that comes in meanwhile would be in it twice.
    library.ready().await;
    while let Some(Order::Import(id)) = orders.recv().await {
        library.run_import(id).await;
    }
}

impl Library {
    /// Brings the index to the state of the database.
    async fn catch_up(&self) -> Result<(), LibraryError> {
        let covered = LibraryNumber(i64::try_from(self.0.index.covered()).unwrap_or(i64::MAX));
        let (stored, _) = self.0.store.count_library_games(covered).await?;
        let known = self.0.index.counts().games;
        let mut after = covered;
        if u64::try_from(stored) != Ok(known) && !self.add_missing(covered).await? {
            tracing::info!(stored, known, "the index of the library is built again");
            self.ask(library::Index::clear).await?;
            after = LibraryNumber(0);
        }
        self.add_after(after).await?;
        self.take_in_missing().await
    }

    /// Puts those stored games up to a number into the index that are not there, if that is all that is different.
    ///
    /// So it is when a game cannot be read: it will be missing at every start, which is no reason to read all others.
    async fn add_missing(&self, up_to: LibraryNumber) -> Result<bool, LibraryError> {
        let stored = self.0.store.library_numbers().await?;
        let known: HashSet<u64> = self.ask(|index| Ok(index.numbers())).await?;
        let stored = stored.into_iter().filter(|number| *number <= up_to);
        let (there, missing): (Vec<LibraryNumber>, Vec<LibraryNumber>) =
            stored.partition(|number| known.contains(&sheets::number(*number)));
        if there.len() != known.len() || missing.len() > there.len() {
            return Ok(false);
        }
        tracing::info!(missing = missing.len(), "games are missing in the index of the library");
        for numbers in missing.chunks(AT_ONCE) {
            let records = self.records_of(self.0.store.load_library_games(numbers).await?).await?;
            self.ask(move |index| {
                index.add(records);
                if index.is_due(true) { index.tend(true) } else { Ok(()) }
            })
            .await?;
        }
        Ok(true)
    }

    /// Puts every stored game behind a number into the index.
    async fn add_after(&self, mut after: LibraryNumber) -> Result<(), LibraryError> {
        loop {
            let page = self.0.store.library_games_after(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.number;
            let records = self.records_of(page).await?;
            self.ask(move |index| {
                index.add(records);
                if index.is_due(true) { index.tend(true) } else { Ok(()) }
            })
            .await?;
        }
    }

    /// Finished games that did not flow in, because the process ended before.
    async fn take_in_missing(&self) -> Result<(), LibraryError> {
        loop {
            let missing = self.0.store.games_missing_in_library(PAGE).await?;
            if missing.is_empty() {
                return Ok(());
            }
            self.take_in(missing).await?;
        }
    }

    /// After trouble: finished games that are not in the database's library, and games of it that are not in the index.
    async fn look_again(&self) -> Result<(), LibraryError> {
        self.take_in_missing().await?;
        let _filing = self.filing().await;
        self.add_missing(LibraryNumber(i64::MAX)).await.map(drop)
    }

    /// Takes finished games into the database and the index.
    async fn take_in(&self, games: Vec<GameId>) -> Result<(), LibraryError> {
        let _filing = self.filing().await;
        let numbers = self.0.store.add_played_games(games).await?;
        self.index_games(&numbers).await
    }

    /// Keeps everybody else from filing: held from a commit until its games are in the index, so that nobody who
    /// compares the two in between files them a second time.
    pub(crate) async fn filing(&self) -> MutexGuard<'_, ()> {
        self.0.filing.lock().await
    }

    /// Takes games into the index that have just come into the database.
    pub(crate) async fn index_games(&self, numbers: &[LibraryNumber]) -> Result<(), LibraryError> {
        let records = self.records_of(self.0.store.load_library_games(numbers).await?).await?;
        self.ask(move |index| {
            index.add(records);
            if index.is_due(false) { index.tend(false) } else { Ok(()) }
        })
        .await
    }

    /// Stored games as the index takes them in.
    async fn records_of(&self, stored: Vec<LibraryGame>) -> Result<Vec<Record>, LibraryError> {
        let shown = sheets::show_all(&self.0.store, &self.0.site, stored).await?;
        Ok(shown.iter().map(sheets::Shown::record).collect())
    }

    /// When somebody has left, the games of their files go; when somebody is called otherwise, the games they played
    /// get new numbers. Some at a time: whoever plays or files a game meanwhile waits for one part of it at most.
    async fn tidy(&self) -> Result<(), LibraryError> {
        // What many games are gone of is written anew here: whoever removed them need not wait for it.
        if self.0.index.is_worn() {
            self.ask(library::Index::renew).await?;
        }
        loop {
            let _filing = self.filing().await;
            let done = self.0.store.tidy_library().await?;
            self.forget(done.gone).await?;
            self.index_games(&done.fresh).await?;
            if !done.is_more {
                return Ok(());
            }
        }
    }

    async fn run_import(&self, id: i64) {
        let store = &self.0.store;
        loop {
            let import = match store.load_import(id).await {
                Ok(import) if import.state == ImportState::Running => import,
                Ok(_) | Err(StoreError::NotFound) => break,
                Err(error) => {
                    tracing::warn!(%error, "an import waits for the storage");
                    self.0.world.time.sleep(AGAIN).await;
                    continue;
                }
            };
            let (state, problem) = match self.import(&import).await {
                Ok(()) => (ImportState::Done, String::new()),
                // Its owner has stopped it meanwhile.
                Err(LibraryError::Store(StoreError::Conflict)) => break,
                Err(error) if is_passing(&error) => {
                    self.0.world.time.sleep(AGAIN).await;
                    continue;
                }
                Err(error) => {
                    tracing::info!(%error, import = id, "an import failed");
                    (ImportState::Failed, error.to_string())
                }
            };
            match store.end_import(id, state, problem, self.now()).await {
                Ok(()) => break,
                Err(error) => {
                    tracing::warn!(%error, "an import waits for the storage");
                    self.0.world.time.sleep(AGAIN).await;
                }
            }
        }
        let _ = tokio::fs::remove_file(self.spooled(id)).await;
    }

    async fn import(&self, import: &Import) -> Result<(), LibraryError> {
        let file = self.spooled(import.id);
        let Inner { store, index, world, filing, config, .. } = &*self.0;
        let there = store.count_imported_games(import.account).await?;
        let bounds = Bounds {
            bytes: config.unpacked_bytes,
            games: config.games_per_person.saturating_sub(u64::try_from(there).unwrap_or(0)),
            games_in_all: config.games_per_person,
        };
        let last = world.time.now().0 + i64::from(config.import_hours) * HOUR;
        let may_go_on = || {
            let is_in_time = world.time.now().0 < last;
            is_in_time.then_some(()).ok_or(LibraryError::TooSlow(config.import_hours))
        };
        import_file(store, index, import, &file, bounds, filing, may_go_on).await.map(drop)
    }

    pub(super) fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    /// Gives up uploads that nobody goes on with.
    pub(super) async fn give_up_old_uploads(&self) -> Result<(), LibraryError> {
        let now = self.now();
        for import in self.0.store.open_imports().await? {
            if import.state == ImportState::Uploading && now.0 - import.created_at.0 > FORGOTTEN {
                self.0
                    .store
                    .end_import(import.id, ImportState::Cancelled, String::new(), now)
                    .await?;
                let _ = tokio::fs::remove_file(self.spooled(import.id)).await;
            }
        }
        Ok(())
    }
}
