//! What all tables share: the way to the server, the recorded games, and the words "count", "stop" and "we are back".

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use anyhow::{Context as _, bail};
use bytes::Bytes;
use hyper::StatusCode;
use server::world::Time;
use tokio::sync::Semaphore;

use super::http::{Answer, Http};
use super::recorded::{self, MoveText};
use super::socket::Socket;

/// How long a table waits for a server that is away before it gives up.
const PATIENCE_MICROS: u64 = 60_000_000;
/// How long until it tries again.
const RETRY_MILLIS: i64 = 25;
/// Sockets opened at the same time, below what the system queues for a listener.
const OPENING: usize = 256;

pub(super) struct Hall {
    pub(super) time: Time,
    pub(super) http: Http,
    pub(super) recorded: Vec<Vec<MoveText>>,
    address: SocketAddr,
    /// Whether the games count.
    is_rated: bool,
    opening: Semaphore,
    over: AtomicBool,
    counting: AtomicBool,
    /// Whether clients that mean no good are about.
    besieged: AtomicBool,
    server_started: AtomicU64,
    back: AtomicUsize,
}

impl Hall {
    pub(super) fn new(
        time: Time,
        address: SocketAddr,
        server_started: u64,
        is_rated: bool,
    ) -> Hall {
        Hall {
            time,
            http: Http::new(address),
            recorded: recorded::games(),
            address,
            is_rated,
            opening: Semaphore::new(OPENING),
            over: AtomicBool::new(false),
            counting: AtomicBool::new(false),
            besieged: AtomicBool::new(false),
            server_started: AtomicU64::new(server_started),
            back: AtomicUsize::new(0),
        }
    }

    /// The same with games that are resigned after so many plies: in few seconds some end.
    pub(super) fn with_short_games(mut self, plies: usize) -> Hall {
        self.recorded.iter_mut().for_each(|game| game.truncate(plies));
        self
    }

    /// Nobody makes another move.
    pub(super) fn close(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether latencies count: not while the server is away or its clients come back.
    pub(super) fn count(&self, counting: bool) {
        self.counting.store(counting, Ordering::Relaxed);
    }

    /// Clients that mean no good have come.
    pub(super) fn besiege(&self) {
        self.besieged.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_besieged(&self) -> bool {
        self.besieged.load(Ordering::Relaxed)
    }

    pub(super) fn is_counting(&self) -> bool {
        self.counting.load(Ordering::Relaxed)
    }

    /// The server is about to be started again; no table is back yet.
    pub(super) fn expect_all(&self) {
        self.back.store(0, Ordering::Relaxed);
    }

    /// Notes the moment just before the server's process was started.
    pub(super) fn server_starts(&self) {
        self.server_started.store(self.time.micros(), Ordering::Relaxed);
    }

    /// How long ago that was.
    pub(super) fn since_start_ms(&self) -> i64 {
        let since = self.time.micros() - self.server_started.load(Ordering::Relaxed);
        i64::try_from(since / 1_000).unwrap_or(i64::MAX)
    }

    /// Both clients of a table have heard from their game.
    pub(super) fn table_is_back(&self) {
        self.back.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn tables_back(&self) -> usize {
        self.back.load(Ordering::Relaxed)
    }

    /// Where the server listens.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Opens a socket, as soon as the server lets it.
    pub(super) async fn open_socket(&self, cookie: &str) -> anyhow::Result<Socket> {
        let patience = Patience::new(&self.time);
        loop {
            let opened = {
                let _turn = self.opening.acquire().await?;
                Socket::open(self.address, "/ws", Some(cookie)).await
            };
            match opened {
                Ok(socket) => return Ok(socket),
                Err(error) => patience.after(error.into()).await.context("no socket opens")?,
            }
        }
    }

    /// Begins a game between two accounts, as soon as the server lets it. Gives its id.
    pub(super) async fn begin_game(&self, cookies: &[String; 2]) -> anyhow::Result<String> {
        let patience = Patience::new(&self.time);
        loop {
            match self.try_to_begin_game(cookies).await {
                Ok(id) => return Ok(id),
                Err(error) => patience.after(error).await.context("no game begins")?,
            }
        }
    }

    /// Reads a game as one of its players; none if the server says that there is no such game.
    pub(super) async fn read_game(&self, id: &str, cookie: &str) -> anyhow::Result<Option<Bytes>> {
        self.read(&format!("/api/v1/games/{id}"), Some(cookie)).await
    }

    /// Reads the page of a player.
    pub(super) async fn read_player(&self, name: &str) -> anyhow::Result<Option<Bytes>> {
        self.read(&format!("/api/v1/players/{name}"), None).await
    }

    /// A line that breaks proves nothing about the game (the server hangs up on those who are silent for ten seconds):
    /// the question is asked again until there is an answer.
    async fn read(&self, path: &str, cookie: Option<&str>) -> anyhow::Result<Option<Bytes>> {
        let patience = Patience::new(&self.time);
        loop {
            match self.http.get(path, cookie).await {
                Ok(Answer { status: StatusCode::OK, body, .. }) => return Ok(Some(body)),
                Ok(Answer { status: StatusCode::NOT_FOUND, .. }) => return Ok(None),
                Ok(Answer { status, body, .. }) => {
                    bail!("{path}: {status} {}", String::from_utf8_lossy(&body))
                }
                Err(error) => patience.after(error).await.context("an answer cannot be read")?,
            }
        }
    }

    async fn try_to_begin_game(&self, cookies: &[String; 2]) -> anyhow::Result<String> {
        let (id, _) = self.challenge(Some(&cookies[0])).await?;
        let path = format!("/api/v1/challenges/{id}/acceptance");
        self.http.post(&path, Some(&cookies[1]), "").await?;
        Ok(id)
    }

    /// Makes a challenge for White; without a cookie this makes a guest. Gives the id and the cookie.
    pub(super) async fn challenge(
        &self,
        cookie: Option<&str>,
    ) -> anyhow::Result<(String, Option<String>)> {
        #[derive(serde::Deserialize)]
        struct Made {
            id: String,
        }
        // Ten hours: no flag falls while the benchmark runs.
        let body = format!(
            r#"{{"time":{{"kind":"fischer","initial_ms":36000000,"increment_ms":0}},"color":"white","rated":{}}}"#,
            self.is_rated && cookie.is_some()
        );
        let answer = self.http.post("/api/v1/challenges", cookie, &body).await?;
        let made: Made = serde_json::from_slice(&answer.body)?;
        Ok((made.id, answer.cookie))
    }
}

/// Waiting for a server that is away.
struct Patience<'a> {
    time: &'a Time,
    begun: u64,
}

impl Patience<'_> {
    fn new(time: &Time) -> Patience<'_> {
        Patience { time, begun: time.micros() }
    }

    /// Waits a little after a failure; gives it back when it has lasted too long.
    async fn after(&self, failure: anyhow::Error) -> anyhow::Result<()> {
        if self.time.micros() - self.begun > PATIENCE_MICROS {
            return Err(failure);
        }
        self.time.sleep(RETRY_MILLIS).await;
        Ok(())
    }
}
