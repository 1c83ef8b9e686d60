//! The game library: every game somebody ever played, in one place, to be searched, explored and taken along.
//!
//! The database holds the games; an index beside it ([`library::Index`]) answers questions and can always be built
//! again. Whose games somebody sees is decided here and nowhere else ([`Library::view`]).

mod doubled;
mod error;
mod explorer;
mod export;
mod game_view;
mod importing;
mod listing;
mod offline;
mod query;
pub mod routes;
mod sheets;
mod statistics;
mod task;
mod upload;
pub mod wire;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use library::{Filter, Index, Subject, View};
use rules::{Position, Variant};
use store::{AccountId, Import, ImportProblem, LibraryNumber, Store, StoreError};
use tokio::sync::{Mutex, mpsc, watch};

use crate::analysis::fair_play::FairPlay;
use crate::config::LibraryConfig;
use crate::games::Games;
use crate::world::World;

pub use error::LibraryError;
pub use export::Format;
pub use importing::{Bounds, ImportSpeed, import_file};
pub use offline::{export_offline, import_offline};
use query::{LibraryQuery, Scope};
use task::Order;

/// The library. Cheap to clone.
#[derive(Clone)]
pub struct Library(Arc<Inner>);

struct Inner {
    store: Store,
    index: Arc<Index>,
    world: World,
    fair_play: FairPlay,
    config: LibraryConfig,
    /// Where files wait that are being imported.
    spool: PathBuf,
    site: String,
    orders: mpsc::UnboundedSender<Order>,
    /// Held while games of the database are on their way into the index.
    filing: Mutex<()>,
    /// Imports whose files are being read just now.
    going: parking_lot::Mutex<Vec<i64>>,
    /// Whether the index may differ from the database since something went wrong.
    has_missed: AtomicBool,
    /// Whether every game of the database is in the index.
    is_ready: watch::Receiver<bool>,
    /// Kept for its life: a folder that goes with the process, if none is configured.
    _folder: Option<tempfile::TempDir>,
}

impl Library {
    /// Opens the index and lets the rest happen in the background: what is missing, what was interrupted, what ends.
    pub async fn start(
        store: Store,
        world: World,
        games: &Games,
        config: LibraryConfig,
        site: String,
    ) -> Result<Library, LibraryError> {
        let (folder, kept) = if let Some(folder) = &config.folder {
            (folder.clone(), None)
        } else {
            let folder = tempfile::tempdir()?;
            (folder.path().to_owned(), Some(folder))
        };
        let spool = folder.join("imports");
        tokio::fs::create_dir_all(&spool).await?;
        let index = open_index(&folder.join("index")).await?;
        let (orders, inbox) = mpsc::unbounded_channel();
        let (ready, is_ready) = watch::channel(false);
        let library = Library(Arc::new(Inner {
            store,
            index: Arc::new(index),
            world,
            fair_play: FairPlay::new(games.clone()),
            config,
            spool,
            site,
            orders,
            filing: Mutex::new(()),
            going: parking_lot::Mutex::default(),
            has_missed: AtomicBool::new(false),
            is_ready,
            _folder: kept,
        }));
        task::start(&library, games.finished(), inbox, ready);
        Ok(library)
    }

    /// Refuses what would help somebody in a rated game that is being played.
    async fn check_fair(
        &self,
        asker: Option<AccountId>,
        line: &[Position],
    ) -> Result<(), LibraryError> {
        let fair = self.0.fair_play.may_ask(asker, Variant::Standard, line).await;
        fair.map_err(|_| LibraryError::FairPlay)
    }

    /// Which games somebody sees who asks for a scope.
    async fn view(&self, scope: &Scope, asker: Option<AccountId>) -> Result<View, LibraryError> {
        match scope {
            Scope::Club => Ok(View::Club),
            Scope::Mine => {
                let me = asker.ok_or(LibraryError::NotLoggedIn)?;
                let accounts = self.accounts_of(me).await?;
                Ok(View::Of { owner: owner_number(me), looker: accounts.clone(), accounts })
            }
            Scope::Whole => match asker {
                Some(me) => {
                    let accounts = self.accounts_of(me).await?;
                    Ok(View::Whole { owner: owner_number(me), accounts })
                }
                None => Ok(View::Club),
            },
            Scope::Player(name) => {
                let profile = self.0.store.find_profile(name).await?;
                let player = profile.ok_or(LibraryError::UnknownPlayer)?.account.id;
                let accounts = self.accounts_of(player).await?;
                let looker = match asker {
                    Some(asker) => self.accounts_of(asker).await?,
                    None => Vec::new(),
                };
                Ok(View::Of { owner: 0, accounts, looker })
            }
        }
    }

    /// Which games are asked for: those that the asker sees, what they are to be like, and whose they are.
    async fn question(
        &self,
        asked: &LibraryQuery,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<(View, Filter, Subject), LibraryError> {
        let scope = asked.scope(is_member)?;
        let view = self.view(&scope, asker).await?;
        let subject = self.subject(&scope, &view, asker).await?;
        let filter = Filter { subject: subject.clone(), ..asked.filter()? };
        Ok((view, filter, subject.unwrap_or_default()))
    }

    /// Whose games a scope asks for; nobody's if it asks for the club's.
    async fn subject(
        &self,
        scope: &Scope,
        view: &View,
        asker: Option<AccountId>,
    ) -> Result<Option<Subject>, LibraryError> {
        let accounts = match view {
            View::Of { accounts, .. } | View::Whole { accounts, .. } => accounts.clone(),
            View::Club | View::Everything => return Ok(None),
        };
        let name = match (scope, asker) {
            (Scope::Player(name), _) => name.clone(),
            // Games out of files know their players by name alone.
            (_, Some(asker)) => match self.0.store.load_player(asker).await {
                Ok(player) => player.name,
                Err(StoreError::NotFound) => String::new(),
                Err(error) => return Err(error.into()),
            },
            (_, None) => return Ok(None),
        };
        Ok(Some(Subject::new(accounts, &name)))
    }

    async fn accounts_of(&self, account: AccountId) -> Result<Vec<u32>, LibraryError> {
        let accounts = self.0.store.service_accounts_of(account).await?;
        Ok(accounts.into_iter().filter_map(|id| u32::try_from(id).ok()).collect())
    }

    /// Asks the index on a thread that may wait for the disk.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Index) -> Result<T, library::IndexError> + Send + 'static,
    ) -> Result<T, LibraryError> {
        let index = self.0.index.clone();
        let answer = tokio::task::spawn_blocking(move || question(&index)).await;
        Ok(answer.map_err(|error| LibraryError::Fault(error.to_string()))??)
    }

    /// Whether every game of the database is in the index; if not, answers are true for a part of them.
    pub(crate) fn is_ready(&self) -> bool {
        *self.0.is_ready.borrow()
    }

    /// Waits until every game of the database is in the index.
    pub async fn ready(&self) {
        let mut is_ready = self.0.is_ready.clone();
        let _ = is_ready.wait_for(|ready| *ready).await;
    }

    /// Somebody's imports, newest first.
    pub(crate) async fn imports(&self, of: AccountId) -> Result<Vec<Import>, LibraryError> {
        Ok(self.0.store.imports_of(of).await?)
    }

    /// What was wrong in the file of an import.
    pub(crate) async fn problems(&self, import: i64) -> Result<Vec<ImportProblem>, LibraryError> {
        Ok(self.0.store.import_problems(import).await?)
    }

    /// Takes games out that somebody brought.
    pub(crate) async fn remove_games(
        &self,
        of: AccountId,
        numbers: Vec<LibraryNumber>,
    ) -> Result<usize, LibraryError> {
        // A game of an import that runs may be in the database and on its way into the index.
        let _filing = self.filing().await;
        let gone = self.watch(self.0.store.remove_library_games(of, numbers).await)?;
        let count = gone.len();
        self.forget(gone).await?;
        Ok(count)
    }

    /// Leaves games out of the index that are gone from the database. Whoever calls it has held [`Library::filing`]
    /// since before they went: a game that is filed in between would never leave the index again.
    pub(crate) async fn forget(&self, gone: Vec<LibraryNumber>) -> Result<(), LibraryError> {
        if gone.is_empty() {
            return Ok(());
        }
        let gone = gone.into_iter().filter_map(|number| u64::try_from(number.0).ok()).collect();
        let done = self.ask(move |index| index.remove(&gone)).await;
        if done.is_err() {
            self.note_missed();
        }
        done
    }

    fn spooled(&self, import: i64) -> PathBuf {
        self.0.spool.join(format!("{import}.upload"))
    }
}

async fn open_index(folder: &Path) -> Result<Index, LibraryError> {
    let folder = folder.to_owned();
    let opened = tokio::task::spawn_blocking(move || Index::open(&folder)).await;
    Ok(opened.map_err(|error| LibraryError::Fault(error.to_string()))??)
}

/// An account as the index knows the owner of private games: its eight characters, read as a number.
fn owner_number(account: AccountId) -> u64 {
    account.as_str().as_bytes().try_into().map_or(0, u64::from_le_bytes)
}
