//! `rookery bench library`: brings a file into a library of its own and asks it, beside a reader that only checks moves.

use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use library::intake::{Progress, read_file, unpack_file};
use library::{Filter, Index, Record, View, yardstick};
use rules::UnixMillis;
use rules::pgn::Item;
use rules::shakmaty::{Chess, Position as _};
use serde_json::{Value, json};
use server::library::{Bounds, ImportSpeed, import_file};
use store::{Account, AccountId, AccountKind, Import, Place, Store, TokenHash};
use tempfile::TempDir;

use super::grown;
use super::latency::Latencies;
use super::process::own_cpu_micros;
use super::readers::{self, Compared};
use super::scan;
use crate::{block_on, print_line};

#[derive(Debug, Clone, Args)]
pub(crate) struct LibraryArgs {
    /// The file: PGN, plain or as .zst, .gz or .zip
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Positions that are asked for
    #[arg(long, default_value_t = 4_000, env = "ROOKERY_BENCH_QUERIES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queries: u32,
    /// Make so many games out of those of the file: later ones leave a game of it somewhere and go on by chance
    #[arg(long, env = "ROOKERY_BENCH_GROW", value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    grow: Option<u32>,
    /// How often the import and what it is compared with are measured; the best of each counts
    #[arg(long, default_value_t = 3, env = "ROOKERY_BENCH_ROUNDS", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Where the temporary data goes [default: the system's place]
    #[arg(long, env = "ROOKERY_BENCH_DIR", value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print one JSON object as the last line instead of a table
    #[arg(long)]
    json: bool,
}

/// No file is cut short by the bench.
const NO_LIMIT: u64 = u64::MAX;

pub(super) fn library(args: &LibraryArgs) -> anyhow::Result<ExitCode> {
    let home = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir)?,
        None => tempfile::tempdir()?,
    };
    let file = match args.grow {
        Some(games) => grown::grow(&args.file, games, home.path())?,
        None => args.file.clone(),
    };
    let Imported { speed: imported, reference_cpu, cpu, wall: seconds, peak_memory, home: club } =
        measure(&file, args.rounds, home.path())?;
    let pgn_extract = readers::pgn_extract(open(&file)?)?;
    let python_chess = readers::python_chess(open(&file)?)?;
    let index = club.path().join("index");
    let opened = now();
    let index = Index::open(&index)?;
    index.explore(&Chess::default(), &View::Everything, &Filter::default())?;
    let first_answer = opened.elapsed();
    let counts = index.counts();
    // As people ask: whoever brought the file, who sees these games and no others.
    let owner = View::Of { owner: owner_of(&index)?, accounts: Vec::new(), looker: Vec::new() };
    let positions = positions_of(&file, args.queries as usize)?;
    let mut plain = ask(&index, &positions, &owner, &Filter::default())?;
    let filter =
        Filter { elo: Some(2_200..=2_600), played: Some(0..=i32::MAX), ..Filter::default() };
    let mut filtered = ask(&index, &positions, &owner, &filter)?;
    let different = scan::different(&index, &owner, &positions, &file)?;
    let mut changed = {
        change(&index, &file)?;
        ask(&index, &positions, &owner, &Filter::default())?
    };
    let database = std::fs::metadata(club.path().join("rookery.db"))?.len();
    let length = unpacked_length(&file)?;
    let games = counts.games.max(1);
    let millis = |micros: u32| f64::from(micros) / 1_000.0;
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^52 games")]
    let mut report = json!({
        "games": imported.games,
        "bad_games": imported.bad,
        "duplicates": imported.duplicates,
        "cpu_s": cpu as f64 / 1e6,
        "wall_s": seconds,
        "games_per_s": (imported.games as f64 / seconds).round(),
        "reference_cpu_s": reference_cpu as f64 / 1e6,
        "import_ratio": reference_cpu as f64 / cpu.max(1) as f64,
        "pgn_extract_cpu_s": seconds_of(pgn_extract),
        "pgn_extract_ratio": pgn_extract.ok().map(|micros| micros as f64 / cpu.max(1) as f64),
        "python_chess_cpu_s": seconds_of(python_chess),
        "python_chess_games": python_chess.ok().map(|_| readers::PYTHON_GAMES),
        "missing": missing([pgn_extract, python_chess]),
        "bytes_per_game": counts.bytes / games,
        "database_bytes_per_game": database / games,
        "index_ratio": counts.bytes as f64 / length.max(1) as f64,
        "segments": counts.segments,
        "queries": positions.len(),
        "query_p50_ms": millis(plain.quantile(500)),
        "query_p99_ms": millis(plain.quantile(990)),
        "filtered_p50_ms": millis(filtered.quantile(500)),
        "filtered_p99_ms": millis(filtered.quantile(990)),
        "changed_p50_ms": millis(changed.quantile(500)),
        "changed_p99_ms": millis(changed.quantile(990)),
        "different_counts": different,
        "first_answer_ms": first_answer.as_secs_f64() * 1e3,
        "peak_memory_mb": peak_memory,
    });
    report["goals"] = goals(&report);
    if args.json {
        return print_line(&report.to_string());
    }
    for (name, value) in report.as_object().into_iter().flatten() {
        print_line(&format!("{name:>24}  {value}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the library promises, each with whether it holds here; nothing where there was nothing to compare with.
fn goals(report: &Value) -> Value {
    const AT_LEAST: [(&str, f64); 2] = [("import_ratio", 0.4), ("pgn_extract_ratio", 3.0)];
    const AT_MOST: [(&str, f64); 9] = [
        ("query_p50_ms", 0.1),
        ("query_p99_ms", 2.0),
        ("changed_p50_ms", 0.1),
        ("changed_p99_ms", 2.0),
        ("filtered_p99_ms", 30.0),
        ("different_counts", 0.0),
        ("index_ratio", 0.6),
        ("first_answer_ms", 100.0),
        ("peak_memory_mb", 300.0),
    ];
    let least = AT_LEAST.map(|(name, goal)| (name, report[name].as_f64().map(|is| is >= goal)));
    let most = AT_MOST.map(|(name, goal)| (name, report[name].as_f64().map(|is| is <= goal)));
    let told = least.into_iter().chain(most).filter_map(|(name, holds)| Some((name, holds?)));
    told.map(|(name, holds)| (name.to_owned(), Value::from(holds))).collect()
}

#[expect(clippy::disallowed_methods, reason = "a bench is there to look at the clock")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::cast_precision_loss, reason = "no reader takes 2^52 microseconds")]
fn seconds_of(compared: Compared) -> Option<f64> {
    compared.ok().map(|micros| micros as f64 / 1e6)
}

/// What could not be compared, in words; nothing if all is there.
fn missing(compared: [Compared; 2]) -> Option<String> {
    let words: Vec<&str> = compared.into_iter().filter_map(Result::err).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// An import, and what it is compared with.
struct Imported {
    speed: ImportSpeed,
    reference_cpu: u64,
    cpu: u64,
    wall: f64,
    /// In megabytes, after the first import: later ones find what it has left behind.
    peak_memory: u64,
    /// Where the last import put everything.
    home: TempDir,
}

/// Imports the file and reads it with the reference, in turns: whatever else the machine does meanwhile slows down both.
/// The best of each counts.
fn measure(file: &Path, rounds: u32, home: &Path) -> anyhow::Result<Imported> {
    let mut best: Option<Imported> = None;
    forget_peak_memory();
    for _ in 0..rounds {
        let (reference_cpu, ()) = cpu_of(|| Ok(yardstick::check_moves(open(file)?)?))?;
        let home = tempfile::tempdir_in(home)?;
        let begin = now();
        let (cpu, speed) = cpu_of(|| import(file, home.path()))?;
        let wall = begin.elapsed().as_secs_f64();
        best = Some(match best {
            None => {
                let peak_memory = peak_memory_kb()? / 1024;
                Imported { speed, reference_cpu, cpu, wall, peak_memory, home }
            }
            Some(best) => Imported {
                reference_cpu: best.reference_cpu.min(reference_cpu),
                cpu: best.cpu.min(cpu),
                wall: best.wall.min(wall),
                home,
                ..best
            },
        });
    }
    best.context("there is at least one round")
}

fn cpu_of<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<(u64, T)> {
    let before = own_cpu_micros();
    let done = work()?;
    Ok((own_cpu_micros() - before, done))
}

/// Unpacks a file while it is read, as the importer does.
fn open(path: &Path) -> anyhow::Result<Box<dyn Read + Send>> {
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    Ok(match extension {
        Some("zst") => Box::new(zstd::Decoder::new(file)?),
        Some("gz") => Box::new(flate2::read::MultiGzDecoder::new(file)),
        Some("zip") => {
            let (reader, mut writer) = std::io::pipe()?;
            // Whoever reads may have enough before the end.
            std::thread::spawn(move || unpack_file(file, &mut writer));
            Box::new(reader)
        }
        _ => Box::new(file),
    })
}

/// Brings the file in as the server does: checked, named, written to a database and to the index.
fn import(file: &Path, home: &Path) -> anyhow::Result<ImportSpeed> {
    block_on(async {
        let place = Place::Sqlite(home.join("rookery.db"));
        let store = Store::open(place, &home.join("backups")).await?;
        let id = AccountId::from_bits(1);
        let account = Account { id, kind: AccountKind::Guest, name: "Bench".to_owned() };
        let moment = UnixMillis(0);
        store.create_account(account, TokenHash([1; 32]), moment, moment).await?;
        let job = store.begin_import(id, "bench.pgn".to_owned(), 0, moment).await?;
        store.start_import(job).await?;
        let import: Import = store.load_import(job).await?;
        let index = Arc::new(Index::open(&home.join("index"))?);
        let bounds = Bounds { bytes: NO_LIMIT, games: NO_LIMIT, games_in_all: NO_LIMIT };
        let filing = tokio::sync::Mutex::new(());
        let go_on = || Ok(());
        let done = import_file(&store, &index, &import, file, bounds, &filing, go_on).await?;
        Ok(done)
    })
}

/// Positions as people ask for them: half out of openings, half from anywhere in a game.
fn positions_of(path: &Path, wanted: usize) -> anyhow::Result<Vec<Chess>> {
    let mut positions = Vec::with_capacity(wanted);
    let mut draw = 0x9e37_79b9_7f4a_7c15_u64;
    let mut pick = |below: usize| {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(draw >> 33).unwrap_or(0) % below.max(1)
    };
    let file = File::open(path)?;
    read_file(file, NO_LIMIT, &Progress::default(), &mut |item| {
        let Item::Game(read) = item else { return ControlFlow::Continue(()) };
        let record = Record::of(&read.game);
        if record.start.as_deref() != Some("") || pick(5) > 0 {
            return ControlFlow::Continue(());
        }
        let deepest = if positions.len().is_multiple_of(2) { 20 } else { usize::MAX };
        let plies = pick(record.moves.len().min(deepest) + 1);
        let mut position = Chess::default();
        for packed in &record.moves[..plies] {
            let Some(played) = packed.on(&position) else { break };
            position.play_unchecked(played);
        }
        positions.push(position);
        if positions.len() == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(positions)
}

/// Whose the games are.
fn owner_of(index: &Index) -> anyhow::Result<u64> {
    let mut owner = 0;
    index.each(&View::Everything, &Filter::default(), |facts| owner = facts.owner)?;
    Ok(owner)
}

/// Makes the index what it is in a club that lives: one game of the file is gone, and a thousand wait in memory.
fn change(index: &Index, path: &Path) -> anyhow::Result<()> {
    let gone = index.list(None, &View::Everything, &Filter::default(), None, 1)?.games;
    index.remove(&gone.iter().map(|found| found.seq).collect())?;
    let owner = owner_of(index)?;
    let mut records = Vec::new();
    read_file(File::open(path)?, NO_LIMIT, &Progress::default(), &mut |item| {
        if let Item::Game(read) = item {
            let mut record = Record::of(&read.game);
            (record.facts.owner, record.facts.seq) = (owner, u64::MAX - records.len() as u64);
            records.push(record);
        }
        if records.len() < 1_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    index.add(records);
    Ok(())
}

/// Asks for every position once to warm up, and once with the clock.
fn ask(
    index: &Index,
    positions: &[Chess],
    view: &View,
    filter: &Filter,
) -> anyhow::Result<Latencies> {
    let mut latencies = Latencies::default();
    for is_measured in [false, true] {
        for position in positions {
            let begin = now();
            black_box(index.explore(position, view, filter)?);
            if is_measured {
                let micros = begin.elapsed().as_micros();
                latencies.add(u64::try_from(micros).unwrap_or(u64::MAX));
            }
        }
    }
    Ok(latencies)
}

fn unpacked_length(path: &Path) -> anyhow::Result<u64> {
    Ok(std::io::copy(&mut open(path)?, &mut std::io::sink())?)
}

/// Makes the kernel look for the peak from here on: games that were grown have filled much memory before. Where it
/// cannot, the peak is too big rather than too small.
fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn peak_memory_kb() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.context("the kernel does not tell how much memory was used")
}
