//! `rookery bench engines`: what the pool costs against the engine run alone, and how soon the first line is there.
//!
//! Speeds are positions a second of processor time, of the engine and of this process together: what else the machine
//! does slows both down and is no matter of the pool's, and what the pool does besides the engine is counted.

#![allow(clippy::disallowed_methods, reason = "what is measured is real time")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;
use engine::builtin::Limits;
use engine::pool::{
    Choice, EngineSettings, Pool, PoolSettings, Priority, Situation, Task, Update, find_program,
};
use engine::uci::{self, Said};
use rules::Position;
use serde::Serialize;

use super::game_report::{self, GameReport};
use super::latency::Latencies;
use super::matches::{self, Match};
use super::process::family_cpu_micros;
use crate::{block_on, jail, print_line};

/// A middle game with something to think about.
const POSITION: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
/// Megabytes both remember positions in.
const HASH_MB: usize = 64;

#[derive(Debug, Clone, Args)]
pub(crate) struct EnginesArgs {
    /// Searches by each, in turn
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rounds: u32,
    /// Positions of a search
    #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000))]
    nodes: u64,
    /// Questions whose first line is waited for
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    questions: u32,
    /// Play the built-in engine's matches too: 100 games and 200 games, some minutes
    #[arg(long)]
    matches: bool,
    /// Per cent of those games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
    match_percent: u32,
    /// Have a game of forty moves reported on, and kill the server half-way
    #[arg(long)]
    report: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was measured. Speeds are medians of the rounds, by processor time, and so is what the pool costs in each.
#[derive(Debug, Serialize)]
struct Report {
    engine: String,
    alone_nodes_per_s: u64,
    pool_nodes_per_s: u64,
    /// How much slower the engine is in the pool, in per cent; negative if it was faster.
    pool_costs_percent: f64,
    builtin_nodes_per_s: u64,
    first_line_p50_ms: f64,
    first_line_p99_ms: f64,
    /// How the built-in engine did in its matches; empty if they were not played.
    matches: Vec<Match>,
    /// The report of a game; none if it was not asked for.
    game: Option<GameReport>,
}

pub(super) fn engines(args: &EnginesArgs) -> anyhow::Result<ExitCode> {
    let mut report = block_on(measure(args))?;
    if args.matches {
        report.matches = matches::play(args.match_percent);
    }
    if args.report {
        report.game = Some(block_on(game_report::measure())?);
    }
    let text = if args.json {
        serde_json::to_string(&report)?
    } else {
        let mut text = format!(
            "{}: alone {} nodes a second of processor time, in the pool {} ({:+.1} %)\n\
             built-in engine: {} nodes a second of processor time\nfirst line: p50 {:.1} ms, p99 {:.1} ms",
            report.engine,
            report.alone_nodes_per_s,
            report.pool_nodes_per_s,
            -report.pool_costs_percent,
            report.builtin_nodes_per_s,
            report.first_line_p50_ms,
            report.first_line_p99_ms,
        );
        for played in &report.matches {
            text = format!("{text}\nbuilt-in engine {played}");
        }
        if let Some(made) = &report.game {
            text = format!("{text}\n{made}");
        }
        text
    };
    print_line(&text)
}

async fn measure(args: &EnginesArgs) -> anyhow::Result<Report> {
    let program =
        find_program("stockfish").context("Stockfish is needed: scripts/setup test installs it")?;
    let engines = vec![EngineSettings::new("stockfish", &program)];
    let settings = PoolSettings {
        engines,
        workers: 1,
        hash_mb: HASH_MB,
        jail: jail::command(),
        ..PoolSettings::default()
    };
    let pool = Pool::start(settings);
    pool.warm_up().await;
    let mut alone = Alone::start(&program)?;
    let (mut by_itself, mut in_pool, mut built_in) = (Vec::new(), Vec::new(), Vec::new());
    // In turn, so that what else the machine does hits both alike.
    for round in 0..args.rounds {
        let stockfish = Choice::Named("stockfish".to_owned());
        if round % 2 == 0 {
            by_itself.push(alone.speed(args.nodes)?);
            in_pool.push(speed(&pool, args.nodes, stockfish).await?);
        } else {
            in_pool.push(speed(&pool, args.nodes, stockfish).await?);
            by_itself.push(alone.speed(args.nodes)?);
        }
        built_in.push(speed(&pool, args.nodes, Choice::Builtin).await?);
    }
    let mut first_lines = Latencies::default();
    for _ in 0..args.questions {
        first_lines.add(first_line(&pool).await?);
    }
    // Of each round by itself: a machine that is slower for a while is so for both.
    let pairs = by_itself.iter().zip(&in_pool);
    let shares = pairs.map(|(alone, pool)| pool.saturating_mul(100_000) / alone.max(&1));
    #[allow(clippy::cast_precision_loss, reason = "a share in per cent needs no sixteen digits")]
    let share = median(shares.collect()) as f64 / 100_000.0;
    let (alone_nodes_per_s, pool_nodes_per_s) = (median(by_itself), median(in_pool));
    let millis = |micros: u32| f64::from(micros) / 1_000.0;
    Ok(Report {
        engine: pool.engines().first().map_or_else(String::new, |engine| engine.name.clone()),
        alone_nodes_per_s,
        pool_nodes_per_s,
        pool_costs_percent: (1.0 - share) * 100.0,
        builtin_nodes_per_s: median(built_in),
        first_line_p50_ms: millis(first_lines.quantile(500)),
        first_line_p99_ms: millis(first_lines.quantile(990)),
        matches: Vec::new(),
        game: None,
    })
}

fn question(limits: Limits) -> anyhow::Result<Task> {
    Ok(Task::new(Situation::new(Position::from_fen(POSITION)?), limits))
}

/// Positions a second of a search by the pool.
async fn speed(pool: &Pool, nodes: u64, engine: Choice) -> anyhow::Result<u64> {
    let before = family_cpu_micros()?;
    pool.answer(question(Limits::nodes(nodes))?.by(engine), Priority::Analysis).await?;
    Ok(per_second(nodes, family_cpu_micros()? - before))
}

fn per_second(nodes: u64, micros: u64) -> u64 {
    nodes.saturating_mul(1_000_000) / micros.max(1)
}

/// Microseconds from the question to its first line. The question is then taken back.
async fn first_line(pool: &Pool) -> anyhow::Result<u64> {
    let asked = Instant::now();
    let mut ticket = pool.ask(question(Limits::default())?, Priority::Analysis);
    loop {
        match ticket.next().await {
            Some(Update::Line(_)) => return Ok(u64::try_from(asked.elapsed().as_micros())?),
            Some(Update::Waiting { .. }) => {}
            other => bail!("no line: {other:?}"),
        }
    }
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

/// The engine as anybody would run it: no pool, no jail, no rules.
struct Alone {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Alone {
    fn start(program: &Path) -> anyhow::Result<Alone> {
        let mut process =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().context("no pipe")?;
        let output = BufReader::new(process.stdout.take().context("no pipe")?);
        let mut alone = Alone { process, input, output };
        writeln!(alone.input, "uci\nsetoption name Hash value {HASH_MB}\nisready")?;
        alone.hear(|said| matches!(said, Said::ReadyOk))?;
        Ok(alone)
    }

    /// Positions a second of a search.
    fn speed(&mut self, nodes: u64) -> anyhow::Result<u64> {
        let before = family_cpu_micros()?;
        writeln!(self.input, "position fen {POSITION}\ngo nodes {nodes}")?;
        self.hear(|said| matches!(said, Said::BestMove(_)))?;
        Ok(per_second(nodes, family_cpu_micros()? - before))
    }

    /// Listens until something is said.
    fn hear(&mut self, is_last: impl Fn(&Said<'_>) -> bool) -> anyhow::Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("Stockfish has ended");
            }
            if is_last(&uci::read(&line)) {
                return Ok(());
            }
        }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
