//! A whole server in a temporary directory, under simulated time.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use server::config::{Limits, LobbyConfig, WebConfig};
use server::world::{SimulatedTime, World};
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
    running: Option<Running>,
}

/// What is gone after a crash.
struct Running {
    store: Store,
    stopper: Stopper,
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
        Club::open_with(Limits::default()).await
    }

    pub(crate) async fn open_with(limits: Limits) -> Club {
        let (world, time) = World::simulated(42);
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Club::start(world, time, folder, limits).await
    }

    async fn start(
        world: World,
        time: SimulatedTime,
        folder: Arc<TempDir>,
        limits: Limits,
    ) -> Club {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let place = Place::Sqlite(folder.path().join("rookery.db"));
        let backups = folder.path().join("backups");
        let in_server = world.clone();
        let starting = runtime.spawn(async move {
            let store = Store::open(place, &backups).await.unwrap();
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (web, lobby) = (WebConfig::default(), LobbyConfig::default());
            let server = Server::start(store.clone(), in_server, limits, web, lobby).await.unwrap();
            let setup_token = server.accounts().new_setup_token().await.unwrap();
            let stopper = server.stopper();
            tokio::spawn(server.serve(listener));
            (store, address, setup_token, stopper)
        });
        let (store, address, setup_token, stopper) = starting.await.unwrap();
        Club {
            address,
            time,
            setup_token,
            world,
            folder,
            running: Some(Running { store, stopper, runtime }),
        }
    }

    /// As after a crash: nothing is said to anybody, a new server opens what is on disk, some time later.
    pub(crate) async fn crash_and_start_after(mut self, millis: i64) -> Club {
        self.end().await;
        self.time.advance(millis);
        Club::start(self.world.clone(), self.time.clone(), self.folder.clone(), Limits::default())
            .await
    }

    /// A stop in good order, and a new start some time later.
    pub(crate) async fn drain_and_start_after(mut self, millis: i64) -> Club {
        self.stopper().drain().await;
        self.end().await;
        self.time.advance(millis);
        Club::start(self.world.clone(), self.time.clone(), self.folder.clone(), Limits::default())
            .await
    }

    /// Ends the server as a crash would, and waits until its writer is gone too: two never write at once.
    async fn end(&mut self) {
        let Running { store, stopper, runtime } = self.running.take().expect("it runs");
        let mut health = store.health();
        drop((store, stopper));
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

pub(crate) fn blitz() -> Value {
    json!({"kind": "fischer", "initial_ms": 180_000, "increment_ms": 2_000})
}

pub(crate) fn unlimited() -> Value {
    json!({"kind": "unlimited"})
}
