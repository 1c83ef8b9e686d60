//! `rookery bench crowd`: how soon a server with many running games is ready, and how soon everybody in a crowd of
//! watchers has heard of a move.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use rules::{
    Act, Actor, ByColor, Command, Event, Game, Millis, RuleSet, Setup, TimeControl, UnixMillis,
};
use serde_json::json;
use server::world::Time;
use store::{AccountId, GameId, NewGame, Store};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::frames::{self, Kind};
use super::http::Http;
use super::latency::Latencies;
use super::members;
use super::process::ServerProcess;
use super::recorded::{self, MoveText};
use super::socket::Socket;
use crate::{block_on, files, print_line};

/// How far the games have come when the server starts.
const PLIES: usize = 40;
/// Sockets that are opened at the same time.
const ARRIVING: usize = 64;
/// How long a move may take to reach everybody before the bench gives up.
const PATIENCE_MILLIS: i64 = 60_000;

#[derive(Debug, Clone, Args)]
pub(crate) struct CrowdArgs {
    /// Games that run when the server starts
    #[arg(long, default_value_t = 10_000, env = "ROOKERY_BENCH_GAMES", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// People who watch one of them
    #[arg(long, default_value_t = 10_000, env = "ROOKERY_BENCH_WATCHERS", value_parser = clap::value_parser!(u32).range(1..=50_000))]
    watchers: u32,
    /// Moves they are shown
    #[arg(long, default_value_t = 20, env = "ROOKERY_BENCH_MOVES", value_parser = clap::value_parser!(u32).range(1..=50))]
    moves: u32,
    /// Where the temporary data goes: the disk that is measured [default: the system's place]
    #[arg(long, env = "ROOKERY_BENCH_DIR", value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print one JSON object as the last line instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn crowd(args: &CrowdArgs) -> anyhow::Result<ExitCode> {
    files::need(u64::from(args.watchers) + 256)?;
    let report = block_on(measure(args))?;
    if args.json {
        return print_line(&report.to_string());
    }
    for (name, value) in report.as_object().into_iter().flatten() {
        print_line(&format!("{name:>24}  {value}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn measure(args: &CrowdArgs) -> anyhow::Result<serde_json::Value> {
    let folder = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir),
        None => tempfile::tempdir(),
    };
    let folder = folder.context("no temporary directory could be made")?;
    let (time, data) = (Time::real(), folder.path().join("data"));
    let cookies = members::make(&data, &time, args.games as usize).await?;
    let moves = recorded::games().swap_remove(0);
    let now = time.now();
    members::with_store(&data, async |store| make_games(store, args.games, &moves, now).await)
        .await?;

    let begun = time.micros();
    let mut server = start(&data).await?;
    let start_ms = (time.micros() - begun) / 1_000;
    let ready = Http::new(server.address()).get("/readyz", None).await?;
    ensure!(ready.status.is_success(), "the server does not call itself ready");
    let ready_ms = (time.micros() - begun) / 1_000;

    let rss_before = server.rss_kb()?;
    let crowd = Crowd::gather(server.address(), &time, args.watchers).await?;
    let rss_kb = server.rss_kb()?;
    let mut heard = Latencies::default();
    let mut players = Players::sit_down(server.address(), &cookies[0]).await?;
    for (ply, action) in (PLIES..).zip(&moves[PLIES..]).take(args.moves as usize) {
        heard.add(crowd.hear_of(players.play(ply, *action)).await?);
    }
    server.kill().await?;
    let millis = |micros: u32| f64::from(micros) / 1_000.0;
    Ok(json!({
        "games": args.games,
        "start_ms": start_ms,
        "ready_ms": ready_ms,
        "watchers": args.watchers,
        "moves": args.moves,
        "bytes_per_watcher": rss_kb.saturating_sub(rss_before) * 1_024 / u64::from(args.watchers),
        "all_heard_p50_ms": millis(heard.quantile(500)),
        "all_heard_max_ms": millis(heard.quantile(1_000)),
    }))
}

async fn start(data: &Path) -> anyhow::Result<ServerProcess> {
    let mut arguments: Vec<OsString> =
        ["serve", "--listen", "127.0.0.1:0", "--data"].map(OsString::from).into();
    arguments.push(data.into());
    arguments.extend(["--requests-per-minute", "0", "--log", "error"].map(OsString::from));
    ServerProcess::start(&arguments, None).await
}

/// The game everybody watches is the first one.
fn game_id(number: u32) -> GameId {
    GameId::from_bits(u64::from(number) + 1)
}

/// Games in the middle, written straight into the data: by the pages they would take minutes.
async fn make_games(
    store: &Store,
    games: u32,
    moves: &[MoveText],
    now: UnixMillis,
) -> anyhow::Result<()> {
    // Ten hours: no flag falls while the benchmark runs.
    let time = TimeControl::fischer(Millis::minutes(600), Millis::ZERO);
    let setup = Setup::standard(time, RuleSet::online());
    let mut game = Game::new(setup.clone(), now)?;
    let position = game.position().fen();
    let mut events: Vec<Event> = Vec::new();
    for action in &moves[..PLIES] {
        let by = game.to_act().context("a recorded game that ends too early")?;
        let act = Act::Play { ply: game.ply(), action: action.to_string() };
        for event in game.decide(&Command::new(Actor::Player(by), now, act))? {
            game.apply(&event)?;
            events.push(event);
        }
    }
    let (setup, position, events) = (&setup, &position, &events);
    stream::iter(0..games)
        .map(|number| async move {
            let player = |seat| AccountId::from_bits(u64::from(number) * 2 + seat + 1);
            let game = NewGame {
                id: game_id(number),
                setup: setup.clone(),
                players: ByColor { white: player(0), black: player(1) },
                rated: false,
                pool: None,
                ratings: ByColor::same(None),
                provisional: ByColor::same(false),
                private: false,
                position: position.clone(),
                created_at: now,
            };
            store.begin_game(game).await?;
            store.append_events(game_id(number), 1, events, None).await?;
            anyhow::Ok(())
        })
        .buffer_unordered(256)
        .try_collect()
        .await
}

/// Everybody who watches.
struct Crowd {
    time: Time,
    size: u64,
    heard: Arc<Heard>,
    /// They leave with this value.
    _watchers: JoinSet<()>,
}

/// What they have heard, all together.
#[derive(Default)]
struct Heard {
    moves: AtomicU64,
    /// When the last of them heard the last move.
    last_at: AtomicU64,
    somebody: Notify,
}

impl Crowd {
    async fn gather(address: SocketAddr, time: &Time, size: u32) -> anyhow::Result<Crowd> {
        let heard = Arc::new(Heard::default());
        let sockets: Vec<Socket> = stream::iter(0..size)
            .map(|_| enter(address, None))
            .buffer_unordered(ARRIVING)
            .try_collect()
            .await?;
        let mut watchers = JoinSet::new();
        for mut socket in sockets {
            let (heard, time) = (heard.clone(), time.clone());
            watchers.spawn(async move {
                while let Ok(frame) = socket.next().await {
                    if frames::kind(&frame) == Kind::Played {
                        heard.last_at.fetch_max(time.micros(), Ordering::Relaxed);
                        heard.moves.fetch_add(1, Ordering::Release);
                        heard.somebody.notify_one();
                    }
                }
            });
        }
        Ok(Crowd { time: time.clone(), size: u64::from(size), heard, _watchers: watchers })
    }

    /// Lets a move be made. Gives the microseconds until the last of the crowd has heard it.
    async fn hear_of(
        &self,
        playing: impl Future<Output = anyhow::Result<()>>,
    ) -> anyhow::Result<u64> {
        let expected = self.heard.moves.load(Ordering::Acquire) + self.size;
        let begun = self.time.micros();
        playing.await?;
        let late = self.time.sleep(PATIENCE_MILLIS);
        tokio::pin!(late);
        while self.heard.moves.load(Ordering::Acquire) < expected {
            tokio::select! {
                () = self.heard.somebody.notified() => {}
                () = &mut late => bail!("not everybody heard of a move"),
            }
        }
        Ok(self.heard.last_at.load(Ordering::Relaxed) - begun)
    }
}

/// The two who play.
struct Players([Socket; 2]);

impl Players {
    async fn sit_down(address: SocketAddr, cookies: &[String; 2]) -> anyhow::Result<Players> {
        let [white, black] = cookies;
        Ok(Players([enter(address, Some(white)).await?, enter(address, Some(black)).await?]))
    }

    /// Makes a move; both read what comes, so that nobody is dropped for not listening.
    async fn play(&mut self, ply: usize, action: MoveText) -> anyhow::Result<()> {
        let id = game_id(0);
        let text = format!(r#"{{"t":"move","game":"{id}","ply":{ply},"uci":"{action}"}}"#);
        self.0[ply % 2].send(text).await?;
        for socket in &mut self.0 {
            hear(socket, Kind::Played).await?;
        }
        Ok(())
    }
}

/// Comes to the board, and waits until all that there is to know has come.
async fn enter(address: SocketAddr, cookie: Option<&str>) -> anyhow::Result<Socket> {
    let mut socket = Socket::open(address, "/ws", cookie).await?;
    socket.send(format!(r#"{{"t":"join","room":"game:{}"}}"#, game_id(0))).await?;
    hear(&mut socket, Kind::Around).await?;
    Ok(socket)
}

async fn hear(socket: &mut Socket, wanted: Kind) -> anyhow::Result<()> {
    loop {
        let frame = socket.next().await?;
        match frames::kind(&frame) {
            Kind::Rejected | Kind::Gone => bail!("the server said {frame}"),
            kind if kind == wanted => return Ok(()),
            _ => {}
        }
    }
}
