//! `rookery bench engines --report`: the report of a long game, with a kill in the middle of it.
//!
//! Whether the engines have enough to do is seen by how long they run or wait for a processor: what else the machine
//! does makes them wait, and then they do not lack work.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::Serialize;
use serde_json::Value;
use server::world::Time;

use super::hall::Hall;
use super::http::Http;
use super::process::{Demand, ServerProcess};
use super::recorded;
use super::run::make_accounts;

/// Forty moves of each side.
const PLIES: usize = 80;
/// Between two looks at the progress, in milliseconds.
const PAUSE: i64 = 20;
/// No report of this length takes longer, in milliseconds.
const PATIENCE: i64 = 900_000;

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct GameReport {
    positions: u64,
    nodes: u64,
    seconds: f64,
    /// How much of the time every engine ran or waited for a processor, in per cent.
    engines_busy_percent: f64,
    /// Positions that were done when the server was killed.
    done_before_kill: u64,
    /// Positions that the next one found on the disk.
    done_after_kill: u64,
}

impl std::fmt::Display for GameReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let GameReport { positions, nodes, seconds, engines_busy_percent, .. } = self;
        let GameReport { done_before_kill, done_after_kill, .. } = self;
        write!(
            f,
            "a report of {positions} positions with {nodes} nodes each: {seconds:.1} s, engines busy \
             {engines_busy_percent:.1} % of it; killed after {done_before_kill} positions, went on from {done_after_kill}"
        )
    }
}

/// One look at the progress.
struct Progress {
    done: u64,
    total: u64,
    report: Option<Value>,
}

/// A game that was played on a server of its own, and who may ask for its report.
struct Played {
    http: Http,
    cookie: String,
    path: String,
}

/// Plays a game, asks for its report, kills the server half-way, and waits for the report.
pub(super) async fn measure() -> anyhow::Result<GameReport> {
    let folder = tempfile::tempdir().context("no temporary directory could be made")?;
    let data = folder.path().join("data");
    let time = Time::real();
    let mut server = start(&data).await?;
    let mut game = play(&time, &server).await?;
    game.http.post(&game.path, Some(&game.cookie), "").await?;
    let (mut micros, mut demand) = (0, Demand::default());
    let half = watch(&time, &server, &game, &mut micros, &mut demand, |seen| {
        seen.total > 0 && seen.done >= seen.total / 2
    })
    .await?;
    server.kill().await?;
    let mut server = start(&data).await?;
    game.http = Http::new(server.address());
    let mut found = None;
    let end = watch(&time, &server, &game, &mut micros, &mut demand, |seen| {
        if seen.total > 0 && found.is_none() {
            found = Some(seen.done);
        }
        seen.report.is_some()
    })
    .await?;
    server.kill().await?;
    let report = end.report.context("there is no report")?;
    let positions = half.total;
    #[allow(clippy::cast_precision_loss, reason = "a share in per cent needs no sixteen digits")]
    let (seconds, busy) = (micros as f64 / 1e6, demand.micros() as f64 / micros.max(1) as f64);
    Ok(GameReport {
        positions,
        nodes: report["nodes"].as_u64().unwrap_or(0),
        seconds,
        engines_busy_percent: busy * 100.0 / f64::from(seats()),
        done_before_kill: half.done,
        done_after_kill: found.unwrap_or(0),
    })
}

/// Engines at once: as the server has them where nothing is said.
fn seats() -> u32 {
    let seats = engine::pool::PoolSettings::default().seats();
    u32::try_from(seats).unwrap_or(u32::MAX)
}

async fn start(data: &Path) -> anyhow::Result<ServerProcess> {
    let mut arguments: Vec<OsString> =
        ["serve", "--listen", "127.0.0.1:0", "--data"].map(OsString::from).into();
    arguments.push(data.into());
    arguments.extend(["--requests-per-minute", "0", "--log", "error"].map(OsString::from));
    ServerProcess::start(&arguments, None).await
}

/// Plays the first of the recorded games and gives it up.
async fn play(time: &Time, server: &ServerProcess) -> anyhow::Result<Played> {
    let hall = Hall::new(time.clone(), server.address(), time.micros(), false);
    let accounts = make_accounts(&hall, 1).await?;
    let cookies = accounts.first().context("two guests were made")?;
    let id = hall.begin_game(cookies).await?;
    let http = Http::new(server.address());
    let games = recorded::games();
    let moves = games.first().context("there are recorded games")?;
    for (ply, uci) in moves.iter().take(PLIES).enumerate() {
        let body = format!(r#"{{"ply":{ply},"uci":"{uci}"}}"#);
        http.post(&format!("/api/v1/games/{id}/moves"), Some(&cookies[ply % 2]), &body).await?;
    }
    http.post(&format!("/api/v1/games/{id}/resignation"), Some(&cookies[0]), "").await?;
    let path = format!("/api/v1/games/{id}/report");
    Ok(Played { http, cookie: cookies[0].clone(), path })
}

/// Looks at the progress until it is as wanted, and adds up the time and what the engines wanted of it.
async fn watch(
    time: &Time,
    server: &ServerProcess,
    game: &Played,
    micros: &mut u64,
    demand: &mut Demand,
    mut is_wanted: impl FnMut(&Progress) -> bool,
) -> anyhow::Result<Progress> {
    let mut begun = None;
    let deadline = time.now().0 + PATIENCE;
    loop {
        let seen = look(game).await?;
        // The clock runs once the engines do: until then the server starts them.
        if seen.total > 0 && begun.is_none() {
            begun = Some((time.micros(), server.demand()?));
        }
        if is_wanted(&seen) {
            if let Some((since, before)) = begun {
                *micros += time.micros() - since;
                demand.add(server.demand()?.since(before));
            }
            return Ok(seen);
        }
        if time.now().0 > deadline {
            bail!("the report does not come: {} of {} positions", seen.done, seen.total);
        }
        time.sleep(PAUSE).await;
    }
}

async fn look(game: &Played) -> anyhow::Result<Progress> {
    let answer = game.http.get(&game.path, Some(&game.cookie)).await?;
    let view: Value = serde_json::from_slice(&answer.body)?;
    if view["state"] == "failed" || !answer.status.is_success() {
        bail!("no report: {view}");
    }
    let number = |name: &str| view[name].as_u64().unwrap_or(0);
    let report = view.get("report").filter(|report| !report.is_null()).cloned();
    Ok(Progress { done: number("done"), total: number("total"), report })
}
