//! `rookery bench live`: plays many games against a server of its own, kills it now and then, and checks everything.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use super::reference::{self, Kind};
use super::report::{Measured, Report};
use super::run::Run;
use super::table::Sizes;
use crate::{block_on, files, print_line};

/// Files that are open besides the sockets of those who play and look on, here or in the server.
const OTHER_FILES: u64 = 128;

#[derive(Debug, Clone, Args)]
pub(crate) struct LiveArgs {
    /// Games at the same time, each with two WebSockets
    #[arg(long, default_value_t = 100, env = "ROOKERY_BENCH_GAMES", value_parser = clap::value_parser!(u32).range(1..=50_000))]
    pub(super) games: u32,
    /// Seconds of play that are measured
    #[arg(long, default_value_t = 10, env = "ROOKERY_BENCH_SECONDS", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(super) seconds: u32,
    /// How often the server is killed and started again during play
    #[arg(long, default_value_t = 0, env = "ROOKERY_BENCH_KILLS")]
    pub(super) kills: u32,
    /// Moves a second in each game; 0 for as fast as it goes
    #[arg(long, default_value_t = 1.0, env = "ROOKERY_BENCH_RATE")]
    pub(super) rate: f64,
    /// Let members play rated games instead of guests who play casual ones
    #[arg(long, env = "ROOKERY_BENCH_RATED")]
    pub(super) rated: bool,
    /// Clients that mean no good, from the second part of play on, through all kills; without kills the others may
    /// notice at most twice the latency
    #[arg(long, default_value_t = 0, env = "ROOKERY_BENCH_HOSTILE")]
    pub(super) hostile: u32,
    /// People who only look: each listens to the lobby and watches a game
    #[arg(long, default_value_t = 0, env = "ROOKERY_BENCH_LOOKERS")]
    pub(super) lookers: u32,
    /// Seconds for each reference [default: as --seconds, at most 10]; 0 for none. The limit is measured twice, as the
    /// disk is not the same every minute: `limit_before_…` before play, `limit_…` after it
    #[arg(long, env = "ROOKERY_BENCH_REFERENCE_SECONDS", value_name = "SECONDS")]
    reference_seconds: Option<u32>,
    /// Where the temporary data goes: the disk that is measured [default: the system's place]
    #[arg(long, env = "ROOKERY_BENCH_DIR", value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print one JSON object as the last line instead of a table
    #[arg(long)]
    json: bool,
    /// Where the calls of the server are recorded, if they are.
    #[arg(skip)]
    pub(super) trace: Option<PathBuf>,
}

impl LiveArgs {
    /// Casual games without kills or references, whose server is recorded.
    pub(super) fn recorded(games: u32, seconds: u32, rate: f64, trace: PathBuf) -> LiveArgs {
        LiveArgs {
            games,
            seconds,
            kills: 0,
            rate,
            rated: false,
            hostile: 0,
            lookers: 0,
            reference_seconds: Some(0),
            dir: None,
            json: false,
            trace: Some(trace),
        }
    }
}

pub(super) fn live(args: &LiveArgs) -> anyhow::Result<ExitCode> {
    files::need(
        u64::from(args.games) * 2
            + u64::from(args.hostile) * 2
            + u64::from(args.lookers)
            + OTHER_FILES,
    )?;
    let report = block_on(measure(args))?;
    for fault in &report.verdict.faults {
        eprintln!("{fault}");
    }
    print_line(&if args.json { report.to_json() } else { report.to_table() })?;
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn measure(args: &LiveArgs) -> anyhow::Result<Report> {
    let folder = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir),
        None => tempfile::tempdir(),
    };
    let folder = folder.context("no temporary directory could be made")?;
    let seconds = args.reference_seconds.unwrap_or(args.seconds.min(10));
    let load = |sizes| {
        let (pairs, rate) = (args.games as usize, args.rate);
        reference::Load { pairs, rate, seconds, sizes }
    };
    let limit_before = if seconds > 0 {
        reference::measure(Kind::Limit, &load(Sizes::USUAL), folder.path()).await?
    } else {
        Measured::default()
    };
    let mut report = Run::begin(args, folder.path()).await?.finish().await?;
    report.limit_before = limit_before;
    if seconds > 0 {
        let load = load(report.sizes);
        report.limit = reference::measure(Kind::Limit, &load, folder.path()).await?;
        report.echo = reference::measure(Kind::Echo, &load, folder.path()).await?;
    }
    Ok(report)
}
