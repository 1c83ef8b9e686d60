//! One run: a server process, its tables, its kills, and the reading back.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use server::games::wire::{ChatLineView, RatingChangeView, Sides};
use server::world::Time;
use tokio::task::JoinSet;

use super::checker::{self, FinalGame, FinalPlayer, GameHistory};
use super::hall::Hall;
use super::hostile::Crowd;
use super::latency::Latencies;
use super::live::LiveArgs;
use super::lookers::{Lookers, Sitting};
use super::members;
use super::pace::Pace;
use super::process::{Cpu, ServerProcess};
use super::recorded::MoveText;
use super::report::{Measured, Report};
use super::socket::Socket;
use super::table::{self, Finished, Table};

/// Guests that are made at the same time.
const ARRIVING: usize = 64;
/// Plies of a game whose server is recorded: what it tells of ends is a promise too.
const SHORT: usize = 12;
/// How long the server stays dead. Long enough that a clock that paid for it would be seen.
const DEAD_MILLIS: i64 = 250;

/// What a page listens to that shows the lobby, besides what is played there.
const IDLE_ROOMS: [&str; 2] = ["me", "lobby"];
/// The folder for what was there before a recorded server began.
pub(super) const BEFORE: &str = "before";

/// A run under way.
pub(super) struct Run<'a> {
    args: &'a LiveArgs,
    data: PathBuf,
    server: ServerProcess,
    hall: Arc<Hall>,
    tables: JoinSet<anyhow::Result<Finished>>,
    lookers: Lookers,
    accounts: Vec<[String; 2]>,
    report: Report,
}

impl Run<'_> {
    /// Starts the server, opens all sockets and puts the players to their tables.
    pub(super) async fn begin<'a>(args: &'a LiveArgs, folder: &Path) -> anyhow::Result<Run<'a>> {
        let time = Time::real();
        let data = folder.join("data");
        let games = args.games as usize;
        let members =
            if args.rated { Some(members::make(&data, &time, games).await?) } else { None };
        if args.trace.is_some() {
            copy_data(&data, &folder.join(BEFORE)).context("the data cannot be copied")?;
        }
        let started = time.micros();
        let server = start_server("127.0.0.1:0", &data, args, args.trace.as_deref()).await?;
        let hall = Hall::new(time.clone(), server.address(), started, args.rated);
        let is_recorded = args.trace.is_some();
        let hall = Arc::new(if is_recorded { hall.with_short_games(SHORT) } else { hall });
        let accounts = match members {
            Some(members) => members,
            None => make_accounts(&hall, games).await?,
        };

        let rss_before = server.rss_kb()?;
        let sockets: Vec<_> = stream::iter(0..games)
            .map(|table| {
                let (hall, [white, black]) = (&hall, &accounts[table]);
                async move {
                    anyhow::Ok([hall.open_socket(white).await?, hall.open_socket(black).await?])
                }
            })
            .buffered(64)
            .try_collect()
            .await?;
        time.sleep(300).await;
        let connections = args.games * 2;
        let bytes_each =
            |rss_kb: u64| rss_kb.saturating_sub(rss_before) * 1_024 / u64::from(connections);
        let idle_bytes_per_connection = bytes_each(server.rss_kb()?);
        let mut sockets = in_the_lobby(sockets).await?;
        time.sleep(300).await;
        let report = Report {
            games: args.games,
            rate: args.rate,
            kills: args.kills,
            connections,
            idle_bytes_per_connection,
            idle_bytes_per_player: bytes_each(server.rss_kb()?),
            ..Report::default()
        };
        for socket in sockets.iter_mut().flatten() {
            for room in IDLE_ROOMS {
                socket.send(format!(r#"{{"t":"leave","room":"{room}"}}"#)).await?;
            }
        }

        let mut tables = JoinSet::new();
        for (number, sockets) in sockets.into_iter().enumerate() {
            let pace = Pace::new(time.clone(), args.rate, number, games);
            let cookies = accounts[number].clone();
            tables.spawn(Table::new(hall.clone(), number, cookies, sockets, pace).run());
        }
        let lookers = Lookers::gather(hall.address(), &time, args.lookers);
        Ok(Run { args, data, server, hall, tables, lookers, accounts, report })
    }

    /// Lets them play, kills the server as often as asked, reads everything back and checks it.
    pub(super) async fn finish(mut self) -> anyhow::Result<Report> {
        self.wait_for_all().await?;
        // Caches fill and statements are prepared during the first second.
        self.wait(1_000).await?;
        let is_besieged = self.args.hostile > 0;
        let mut crowd = None;
        let mut besieged = (0, Cpu::default());
        let parts = i64::from(self.args.kills + 1) + i64::from(is_besieged);
        let part = i64::from(self.args.seconds) * 1_000 / parts;
        let (mut counted, mut used) = (0, Cpu::default());
        for life in 0..=self.args.kills {
            if crowd.is_none() {
                let measured = self.measure(part).await?;
                counted += measured.0;
                used.add(measured.1);
            } else {
                self.wait(part).await?;
            }
            if is_besieged && life == 0 {
                crowd =
                    Some(Crowd::gather(self.hall.address(), &self.hall.time, self.args.hostile));
                besieged = self.besiege(part).await?;
            }
            self.report.server_rss_kb = self.report.server_rss_kb.max(self.server.rss_kb()?);
            if life < self.args.kills {
                self.kill_and_start().await?;
                let back_ms = self.wait_for_all().await?;
                self.report.back_ms = self.report.back_ms.max(back_ms);
            }
        }
        self.report.hostile = self.args.hostile;
        self.report.shown_out = crowd.as_ref().map_or(0, Crowd::dropped);
        drop(crowd);
        self.hall.close();
        let (mut games, [latencies, in_siege]) = self.collect().await?;
        self.report.lookers = self.lookers.count();
        seat_lookers(&mut games, self.lookers.send_home().await);
        if self.args.kills > 0 {
            // What is read back afterwards is what is on the disk, not what a process remembers.
            self.kill_and_start().await?;
        }
        self.read_back(&mut games).await?;
        let players = self.read_players().await?;
        self.server.kill().await?;
        self.report.games_played = games.len();
        self.report.verdict = checker::check(&games, &players);
        self.report.play = Measured::new(latencies, counted, used);
        self.report.besieged = Measured::new(in_siege, besieged.0, besieged.1);
        Ok(self.report)
    }

    /// Lets them play on while others mean no good.
    async fn besiege(&mut self, millis: i64) -> anyhow::Result<(u64, Cpu)> {
        self.wait(1_000).await?;
        self.hall.besiege();
        self.measure(millis).await
    }

    /// Lets them play, and counts. Gives how long that was, and the processor time it took.
    async fn measure(&mut self, millis: i64) -> anyhow::Result<(u64, Cpu)> {
        let (begun, cpu) = (self.hall.time.micros(), Cpu::of(&self.server)?);
        self.hall.count(true);
        self.wait(millis).await?;
        self.hall.count(false);
        Ok((self.hall.time.micros() - begun, Cpu::of(&self.server)?.since(cpu)))
    }

    async fn kill_and_start(&mut self) -> anyhow::Result<()> {
        self.hall.expect_all();
        let address = self.server.address().to_string();
        self.server.kill().await?;
        self.hall.time.sleep(DEAD_MILLIS).await;
        self.hall.server_starts();
        self.server = start_server(&address, &self.data, self.args, None).await?;
        Ok(())
    }

    /// Waits until both clients of every table have heard from their game. Gives the milliseconds it took.
    async fn wait_for_all(&mut self) -> anyhow::Result<u64> {
        let begun = self.hall.time.micros();
        while self.hall.tables_back() < self.args.games as usize {
            self.wait(5).await?;
            if self.hall.time.micros() - begun > 90_000_000 {
                bail!(
                    "only {} of {} tables came back in 90 s",
                    self.hall.tables_back(),
                    self.args.games
                );
            }
        }
        Ok((self.hall.time.micros() - begun) / 1_000)
    }

    /// Waits, and stops everything if a table fails meanwhile.
    async fn wait(&mut self, millis: i64) -> anyhow::Result<()> {
        tokio::select! {
            () = self.hall.time.sleep(millis) => Ok(()),
            Some(ended) = self.tables.join_next() => {
                ended??;
                Err(anyhow!("a table ended before its time"))
            }
        }
    }

    /// The tables finish what is under way and bring their histories.
    async fn collect(&mut self) -> anyhow::Result<(Vec<GameHistory>, [Latencies; 2])> {
        let (mut games, mut latencies) = (Vec::new(), <[Latencies; 2]>::default());
        let mut finished = Vec::new();
        let late = self.hall.time.sleep(60_000);
        tokio::pin!(late);
        loop {
            let ended = tokio::select! {
                ended = self.tables.join_next() => ended,
                () = &mut late => bail!("{} tables never finished their last move", self.tables.len()),
            };
            let Some(ended) = ended else { break };
            let mut table = ended??;
            games.append(&mut table.games);
            for (all, own) in latencies.iter_mut().zip(&mut table.latencies) {
                all.append(own);
            }
            self.report.sizes.add(&table.sizes);
            finished.push(table);
        }
        Ok((games, latencies))
    }

    async fn read_back(&self, games: &mut [GameHistory]) -> anyhow::Result<()> {
        #[derive(serde::Deserialize)]
        struct Shown {
            version: u32,
            moves: Vec<Move>,
            outcome: Option<rules::Outcome>,
            chat: Vec<ChatLineView>,
            ratings: Option<Sides<RatingChangeView>>,
        }
        #[derive(serde::Deserialize)]
        struct Move {
            uci: String,
        }
        let (hall, accounts) = (&self.hall, &self.accounts);
        stream::iter(games)
            .map(|game| async move {
                let Some(body) = hall.read_game(&game.id, &accounts[game.table][0]).await? else {
                    return anyhow::Ok(());
                };
                let shown: Shown = serde_json::from_slice(&body)?;
                let actions = shown.moves.iter().map(|played| MoveText::new(&played.uci));
                game.last = Some(FinalGame {
                    version: shown.version,
                    actions: actions.collect::<Option<_>>().context("a move of a final game")?,
                    ended: shown.outcome,
                    chat: shown.chat.iter().map(table::line).collect(),
                    ratings: shown.ratings.as_ref().map(table::rating_steps),
                });
                Ok(())
            })
            .buffer_unordered(8)
            .try_collect::<()>()
            .await
    }

    /// Both players of every table, if their games count.
    async fn read_players(&self) -> anyhow::Result<BTreeMap<usize, [FinalPlayer; 2]>> {
        let tables = if self.args.rated { self.accounts.len() } else { 0 };
        let mut players = BTreeMap::new();
        for table in 0..tables {
            let white = self.read_player(&members::name(table, 0)).await?;
            players.insert(table, [white, self.read_player(&members::name(table, 1)).await?]);
        }
        Ok(players)
    }

    async fn read_player(&self, name: &str) -> anyhow::Result<FinalPlayer> {
        #[derive(serde::Deserialize)]
        struct Shown {
            pools: Vec<Pool>,
        }
        #[derive(serde::Deserialize)]
        struct Pool {
            rating: i64,
            games: u64,
        }
        let body = self.hall.read_player(name).await?.context("a member is gone")?;
        let shown: Shown = serde_json::from_slice(&body)?;
        Ok(match shown.pools.first() {
            Some(pool) => FinalPlayer { rating: pool.rating, games: pool.games },
            None => FinalPlayer { rating: 1_500, games: 0 },
        })
    }
}

async fn start_server(
    listen: &str,
    data: &Path,
    args: &LiveArgs,
    trace: Option<&Path>,
) -> anyhow::Result<ServerProcess> {
    let mut arguments: Vec<OsString> = ["serve", "--listen", listen].map(OsString::from).into();
    arguments.extend(["--data".into(), data.into()]);
    arguments.extend(["--requests-per-minute", "0", "--log", "error"].map(OsString::from));
    if args.hostile == 0 {
        // Against those who mean no good the usual limits hold.
        arguments.extend(["--messages-per-second", "0"].map(OsString::from));
    }
    ServerProcess::start(&arguments, trace).await
}

/// Has everybody listen to what an idle page listens to, and waits until each has been told all of it.
async fn in_the_lobby(sockets: Vec<[Socket; 2]>) -> anyhow::Result<Vec<[Socket; 2]>> {
    let enter = async |mut socket: Socket| {
        for room in IDLE_ROOMS {
            socket.send(format!(r#"{{"t":"join","room":"{room}"}}"#)).await?;
        }
        let mut untold =
            IDLE_ROOMS.map(|room| format!(r#"{{"t":"state","room":"{room}""#)).to_vec();
        while !untold.is_empty() {
            let frame = socket.next().await?;
            untold.retain(|state| !frame.starts_with(state));
        }
        anyhow::Ok(socket)
    };
    stream::iter(sockets)
        .map(|[white, black]| async move { anyhow::Ok([enter(white).await?, enter(black).await?]) })
        .buffered(64)
        .try_collect()
        .await
}

/// Copies the files of a database that nobody has open.
fn copy_data(data: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    if !data.exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(data)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Makes the guests that play, two for every table: each gets its cookie with its first challenge.
///
/// Nobody sits at two tables: whoever begins a game is told so on all open pages, and a guest at a hundred tables would
/// be told a hundred times.
pub(super) async fn make_accounts(hall: &Hall, games: usize) -> anyhow::Result<Vec<[String; 2]>> {
    let cookies: Vec<String> = stream::iter(0..games * 2)
        .map(|_| async { hall.challenge(None).await?.1.context("a guest got no cookie") })
        .buffered(ARRIVING)
        .try_collect()
        .await?;
    Ok(cookies.chunks_exact(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect())
}

/// Puts what those who looked on were told beside what the players were told.
fn seat_lookers(games: &mut [GameHistory], sittings: Vec<Sitting>) {
    let mut places: HashMap<String, usize> = HashMap::with_capacity(games.len());
    places.extend(games.iter().enumerate().map(|(place, game)| (game.id.clone(), place)));
    for Sitting { game, notes } in sittings {
        if let Some(place) = places.get(&game) {
            games[*place].watchers.push(notes);
        }
    }
}
