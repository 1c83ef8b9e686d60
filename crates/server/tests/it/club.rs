//! A whole server in a temporary directory, under simulated time.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use server::accounts::{Accounts, InstanceKey};
use server::config::{AccountsConfig, Argon2Config, BotsConfig, CaptchaPolicy, Limits, Settings};
use server::world::{Chance, SimulatedTime, World};
use server::{Server, Stopper};
use store::{Place, Store};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::client::{Browser, Socket};

pub(crate) struct Club {
    pub(crate) address: SocketAddr,
    pub(crate) time: SimulatedTime,
    pub(crate) setup_token: Option<String>,
    world: World,
    folder: Arc<TempDir>,
    settings: Settings,
    running: Option<Running>,
}

/// What is gone after a crash.
struct Running {
    store: Store,
    stopper: Stopper,
    accounts: Accounts,
    /// The server's own threads: a crash ends them all at once.
    runtime: Runtime,
}

impl Drop for Club {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.runtime.shutdown_background();
        }
    }
}

impl Club {
    pub(crate) async fn open() -> Club {
        Club::open_as(settings()).await
    }

    pub(crate) async fn open_with(limits: Limits) -> Club {
        Club::open_as(Settings { limits, ..settings() }).await
    }

    pub(crate) async fn open_as(settings: Settings) -> Club {
        let (world, time) = World::simulated(42);
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Club::start(world, time, folder, settings).await
    }

    async fn start(
        world: World,
        time: SimulatedTime,
        folder: Arc<TempDir>,
        settings: Settings,
    ) -> Club {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let place = Place::Sqlite(folder.path().join("rookery.db"));
        let backups = folder.path().join("backups");
        let (in_server, mut in_force) = (world.clone(), settings.clone());
        in_force.library.folder = Some(folder.path().join("library"));
        let starting = runtime.spawn(async move {
            let store = Store::open(place, &backups).await.unwrap();
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let server = Server::start(store.clone(), in_server, in_force).await.unwrap();
            let accounts = server.accounts().clone();
            let setup_token = accounts.new_setup_token().await.unwrap();
            let stopper = server.stopper();
            tokio::spawn(server.serve(listener));
            (store, address, setup_token, stopper, accounts)
        });
        let (store, address, setup_token, stopper, accounts) = starting.await.unwrap();
        Club {
            address,
            time,
            setup_token,
            world,
            folder,
            settings,
            running: Some(Running { store, stopper, accounts, runtime }),
        }
    }

    /// As after a crash: nothing is said to anybody, a new server opens what is on disk, some time later.
    pub(crate) async fn crash_and_start_after(mut self, millis: i64) -> Club {
        self.end().await;
        self.time.advance(millis);
        self.start_again().await
    }

    /// A crash, something that happens to the data meanwhile, and a new start.
    pub(crate) async fn crash_and_do(mut self, meanwhile: impl FnOnce()) -> Club {
        self.end().await;
        meanwhile();
        self.start_again().await
    }

    /// Where the data is.
    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// A stop in good order, and a new start some time later.
    pub(crate) async fn drain_and_start_after(mut self, millis: i64) -> Club {
        self.stopper().drain().await;
        self.end().await;
        self.time.advance(millis);
        self.start_again().await
    }

    /// A stop and a new start with other settings.
    pub(crate) async fn restart_as(mut self, settings: Settings) -> Club {
        self.end().await;
        self.settings = settings;
        self.start_again().await
    }

    /// A crash, and some time later a start that comes to nothing, for the disk takes no event of a game.
    pub(crate) async fn crash_and_fail_to_start_after(mut self, millis: i64) -> Club {
        const BREAK: &str = "
            CREATE TRIGGER no_events BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'no'); END";
        self.store().run_for_test(BREAK.to_owned()).await.unwrap();
        self.end().await;
        self.time.advance(millis);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let place = Place::Sqlite(self.folder.path().join("rookery.db"));
        let backups = self.folder.path().join("backups");
        let (world, mut settings) = (self.world.clone(), self.settings.clone());
        settings.library.folder = Some(self.folder.path().join("library"));
        let starting = runtime.spawn(async move {
            let store = Store::open(place, &backups).await.unwrap();
            assert!(Server::start(store.clone(), world, settings).await.is_err());
            // Whatever it would still write, it writes before this.
            store.run_for_test("DROP TRIGGER no_events".to_owned()).await.unwrap();
            store.health()
        });
        let mut health = starting.await.unwrap();
        tokio::task::spawn_blocking(|| runtime.shutdown_timeout(Duration::from_secs(10)))
            .await
            .unwrap();
        while health.changed().await.is_ok() {}
        self
    }

    /// Starts it some time after it has ended.
    pub(crate) async fn start_after(self, millis: i64) -> Club {
        self.time.advance(millis);
        self.start_again().await
    }

    async fn start_again(&self) -> Club {
        let (world, time) = (self.world.clone(), self.time.clone());
        Club::start(world, time, self.folder.clone(), self.settings.clone()).await
    }

    /// Ends the server as a crash would, and waits until its writer is gone too: two never write at once.
    async fn end(&mut self) {
        let Running { store, stopper, accounts, runtime } = self.running.take().expect("it runs");
        let mut health = store.health();
        drop((store, stopper, accounts));
        tokio::task::spawn_blocking(|| runtime.shutdown_timeout(Duration::from_secs(10)))
            .await
            .unwrap();
        while health.changed().await.is_ok() {}
    }

    fn stopper(&self) -> &Stopper {
        &self.running.as_ref().expect("it runs").stopper
    }

    pub(crate) fn store(&self) -> &Store {
        &self.running.as_ref().expect("it runs").store
    }

    pub(crate) fn accounts(&self) -> &Accounts {
        &self.running.as_ref().expect("it runs").accounts
    }

    /// The clocks stand; the sockets are still open.
    pub(crate) async fn pause(&self) {
        self.stopper().pause().await;
    }

    pub(crate) async fn drain(&self) {
        self.stopper().drain().await;
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.address)
    }

    /// Two browsers with a game between them: White's, Black's, the game's id.
    pub(crate) async fn game(&self, time: Value) -> (Browser, Browser, String) {
        let (mut white, mut black) = (self.browser(), self.browser());
        let made = white
            .post("/api/v1/challenges", json!({"time": time, "color": "white"}))
            .await
            .expect(201);
        let id = made["id"].as_str().unwrap().to_owned();
        black.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
        (white, black, id)
    }

    /// The same with their sockets in the game's room, past its state and the news of who is there.
    pub(crate) async fn table(&self, time: Value) -> (Socket, Socket, String) {
        let (white, black, id) = self.game(time).await;
        let (mut white, mut black) = (white.socket().await, black.socket().await);
        white.join_game(&id).await;
        black.join_game(&id).await;
        (white, black, id)
    }
}

/// Settings under which passwords cost next to nothing and nobody solves puzzles.
pub(crate) fn settings() -> Settings {
    let accounts = AccountsConfig {
        argon2: Argon2Config { memory_kib: 8, iterations: 1, lanes: 1 },
        captcha: CaptchaPolicy::Off,
        captcha_work: 50,
        ..AccountsConfig::default()
    };
    let instance_key = Some(InstanceKey::draw(&Chance::from_seed(7)));
    // Bots would be in every list of players; their own tests switch them on.
    let bots = BotsConfig { enabled: false, ..BotsConfig::default() };
    Settings { accounts, instance_key, bots, ..Settings::default() }
}

pub(crate) fn blitz() -> Value {
    json!({"kind": "fischer", "initial_ms": 180_000, "increment_ms": 2_000})
}

pub(crate) fn unlimited() -> Value {
    json!({"kind": "unlimited"})
}
