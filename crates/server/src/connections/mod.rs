//! Connected accounts: somebody's games at lichess.org and chess.com come into the library by themselves.
//!
//! Nothing is fetched for a name that anybody could type in: first it is proven whose the account is, by a key of the
//! site's or by a code in the profile there. Each site is asked by one task, one question at a time.

mod chesscom;
mod client;
mod error;
mod games;
mod lichess;
mod problem;
mod proof;
pub mod routes;
mod site;
mod split;
mod sync;
mod task;
pub mod wire;

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use rules::UnixMillis;
use store::{AccountId, Connection, ConnectionState, NewConnection, Store, StoreError};

use crate::accounts::InstanceKey;
use crate::config::ConnectionsConfig;
use crate::library::{Library, LibraryError};
use crate::world::World;
use client::{Token, Trouble};
pub use error::ConnectionError;
use problem::ConnectionProblem;
use site::Site;
pub(crate) use site::{Service, game_url};

/// Connections one person may have.
const MOST: usize = 10;
/// How often somebody's wish makes us ask a site.
const BETWEEN: i64 = 10_000;

/// The connected accounts. Cheap to clone.
#[derive(Clone)]
pub struct Connections(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    library: Library,
    key: InstanceKey,
    every: i64,
    sites: Vec<Site>,
    /// Who has got games from a site that they may have had in files before.
    enriched: Mutex<HashSet<AccountId>>,
}

/// Why a visit did not work out.
enum StepError {
    Trouble(Trouble),
    Problem(ConnectionProblem),
    Store(StoreError),
    Library(LibraryError),
}

impl From<Trouble> for StepError {
    fn from(trouble: Trouble) -> StepError {
        StepError::Trouble(trouble)
    }
}

impl From<ConnectionProblem> for StepError {
    fn from(problem: ConnectionProblem) -> StepError {
        StepError::Problem(problem)
    }
}

impl From<StoreError> for StepError {
    fn from(error: StoreError) -> StepError {
        StepError::Store(error)
    }
}

impl From<LibraryError> for StepError {
    fn from(error: LibraryError) -> StepError {
        match error {
            LibraryError::Store(error) => StepError::Store(error),
            other => StepError::Library(other),
        }
    }
}

impl Connections {
    /// Begins to visit the sites of the settings. `address` is where the club itself is found, if it is known.
    pub fn start(
        store: Store,
        world: World,
        library: Library,
        key: InstanceKey,
        config: &ConnectionsConfig,
        address: &str,
    ) -> Connections {
        let contact = if config.contact.is_empty() { address } else { &config.contact };
        let sites = Site::all(config, contact, &world.time);
        let every = i64::from(config.every_hours.max(1)) * 3_600_000;
        let inner = Inner { store, world, library, key, every, sites, enriched: Mutex::default() };
        let connections = Connections(Arc::new(inner));
        for site in &connections.0.sites {
            tokio::spawn(task::visit_site(connections.clone(), site.clone()));
        }
        connections
    }

    fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    /// The sites that accounts can be connected at.
    pub(crate) fn services(&self) -> Vec<Service> {
        self.0.sites.iter().map(|site| site.service).collect()
    }

    fn site(&self, service: Service) -> Result<&Site, ConnectionError> {
        let site = self.0.sites.iter().find(|site| site.service == service);
        site.ok_or(ConnectionError::Off)
    }

    /// Somebody's connections.
    pub(crate) async fn list(&self, of: AccountId) -> Result<Vec<Connection>, ConnectionError> {
        Ok(self.0.store.connections_of(of).await?)
    }

    /// Somebody's connection.
    pub(crate) async fn find(&self, of: AccountId, id: i64) -> Result<Connection, ConnectionError> {
        match self.0.store.load_connection(id).await {
            Ok(connection) if connection.account == of => Ok(connection),
            Ok(_) | Err(StoreError::NotFound) => Err(ConnectionError::Unknown),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes that somebody says an account at a site is theirs. It gives nothing until it is proven.
    pub(crate) async fn connect(
        &self,
        of: AccountId,
        service: Service,
        name: &str,
    ) -> Result<Connection, ConnectionError> {
        self.site(service)?;
        let name = Service::user_name(name).ok_or(ConnectionError::BadName)?;
        if self.list(of).await?.len() >= MOST {
            return Err(ConnectionError::TooMany);
        }
        let new = NewConnection {
            account: of,
            service: service.name().to_owned(),
            name,
            code: self.draw_code(),
            created_at: self.now(),
        };
        match self.0.store.begin_connection(new).await {
            Ok(id) => self.find(of, id).await,
            Err(StoreError::Conflict) => Err(ConnectionError::Twice),
            Err(error) => Err(error.into()),
        }
    }

    /// Somebody says that the code is in the profile, or hands a key over: the site is asked, as soon as it is its turn.
    pub(crate) async fn prove(
        &self,
        of: AccountId,
        id: i64,
        token: Option<&str>,
    ) -> Result<Connection, ConnectionError> {
        let connection = self.find(of, id).await?;
        let service = Service::parse(&connection.service).ok_or(ConnectionError::Off)?;
        let sealed = match token.map(str::trim).filter(|token| !token.is_empty()) {
            None => None,
            Some(_) if service != Service::Lichess => return Err(ConnectionError::NoTokens),
            Some(text) => {
                let token = Token::parse(text).ok_or(ConnectionError::BadToken)?;
                Some(self.0.key.seal(&self.0.world.chance, &owner(&connection), token.bytes()))
            }
        };
        self.wake(&connection, sealed).await
    }

    /// Somebody wants their games to be brought up to date now.
    pub(crate) async fn sync_now(
        &self,
        of: AccountId,
        id: i64,
    ) -> Result<Connection, ConnectionError> {
        let connection = self.find(of, id).await?;
        if connection.state == ConnectionState::Unproven {
            return Err(ConnectionError::Unproven);
        }
        self.wake(&connection, None).await
    }

    async fn wake(
        &self,
        connection: &Connection,
        token: Option<Vec<u8>>,
    ) -> Result<Connection, ConnectionError> {
        let service = Service::parse(&connection.service).ok_or(ConnectionError::Off)?;
        let site = self.site(service)?;
        let earliest = connection.asked_at.map_or(0, |at| at.0 + BETWEEN);
        // What the site asked us to wait is waited, whatever somebody wishes.
        let busy = (connection.problem == ConnectionProblem::Busy.code())
            .then_some(connection.next_at)
            .flatten();
        let at = self.now().0.max(earliest).max(busy.map_or(0, |at| at.0));
        self.0.store.wake_connection(connection.id, token, UnixMillis(at)).await?;
        site.bell.notify_one();
        self.find(connection.account, connection.id).await
    }

    /// Ends a connection. The games stay in its owner's library, or go.
    pub(crate) async fn disconnect(
        &self,
        of: AccountId,
        id: i64,
        remove_games: bool,
    ) -> Result<(), ConnectionError> {
        let connection = self.find(of, id).await?;
        // What is still on its way is not taken any more.
        self.0.store.stop_connection(id).await?;
        if connection.state != ConnectionState::Unproven && !remove_games {
            return Ok(());
        }
        let connections = self.clone();
        // Goes on when whoever asked does not wait for it.
        let removed = tokio::spawn(async move { connections.remove(id).await }).await;
        removed.map_err(|error| LibraryError::Fault(error.to_string()))?
    }

    /// Takes the games of a connection out, some at a time, and then ends it.
    async fn remove(&self, id: i64) -> Result<(), ConnectionError> {
        loop {
            let _filing = self.0.library.filing().await;
            let removed = self.0.store.remove_games_of_connection(id).await;
            let gone = self.0.library.watch(removed)?;
            if gone.is_empty() {
                return Ok(self.0.store.remove_connection(id).await?);
            }
            self.0.library.forget(gone).await?;
        }
    }

    /// The key that a member has left with us for this connection.
    fn open_token(&self, connection: &Connection) -> Option<Token> {
        let opened = self.0.key.open(&owner(connection), connection.token.as_deref()?)?;
        Token::parse(std::str::from_utf8(&opened).ok()?)
    }
}

/// Whom a sealed key belongs to: it opens for this member's claim to this account and for nothing else.
fn owner(connection: &Connection) -> String {
    let Connection { account, service, name_key, .. } = connection;
    format!("connection {} {service} {name_key}", account.as_str())
}
