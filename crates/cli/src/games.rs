//! `rookery import` and `rookery export`: somebody's games, in and out, while no server runs.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use serde_json::json;
use server::library::{Format, LibraryError, export_offline, import_offline};
use server::world::World;
use store::{Import, ImportProblem, ImportState, Player, Store};

use crate::config::{Config, Options};
use crate::serve::try_lock;
use crate::{block_on, print_line};

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file: PGN, plain or as .zst, .gz or .zip
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Whose library: user name or e-mail address
    #[arg(long, value_name = "NAME")]
    user: String,
    /// Print what came in as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The file to write; it must not exist yet [default: standard output]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Whose games: user name or e-mail address
    #[arg(long, value_name = "NAME")]
    user: String,
    /// PGN, or NDJSON: a line for each game
    #[arg(long, value_enum, default_value_t = GameFormat::Pgn, env = "ROOKERY_FORMAT")]
    format: GameFormat,
    #[command(flatten)]
    options: Options,
}

/// How games are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameFormat {
    Pgn,
    Ndjson,
}

/// Problems that are printed; the page lists more.
const SHOWN: usize = 20;

/// The data of a club that is closed, and whose games are meant.
struct Shelf {
    store: Store,
    config: Config,
    player: Player,
    /// Held so that no server starts half-way.
    _lock: File,
}

impl Shelf {
    async fn open(options: &Options, user: &str) -> anyhow::Result<Shelf> {
        let config = options.resolve()?;
        let data = config.data.display();
        if !config.data.is_dir() {
            bail!("there is no data directory {data}; name one with --data");
        }
        let Some(lock) = try_lock(&config.data)? else {
            bail!(
                "a server runs on {data}: use its page (Library) or its API (/api/v1/library), or stop it first"
            );
        };
        let store = Store::open(config.place()?, &config.backups())
            .await
            .context("the data cannot be opened")?;
        let player = store.find_player(user).await?.with_context(|| {
            format!("nobody is called {user:?}; `rookery admin list` shows who there is")
        })?;
        Ok(Shelf { store, config, player, _lock: lock })
    }
}

pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let (import, problems) = block_on(async {
        let shelf = Shelf::open(&args.options, &args.user).await?;
        let (world, settings) = (World::real(), shelf.config.library_settings());
        let now = || world.time.now();
        let import = import_offline(&shelf.store, &settings, shelf.player.id, &args.file, now)
            .await
            .with_context(|| format!("{}", args.file.display()))?;
        let problems = shelf.store.import_problems(import.id).await?;
        Ok((import, problems))
    })?;
    tell(&import, &problems, args.json)
}

/// Prints what came in; a file that could not be read to its end makes the command fail.
fn tell(import: &Import, problems: &[ImportProblem], as_json: bool) -> anyhow::Result<ExitCode> {
    let Import { games, duplicates, bad, .. } = import;
    if as_json {
        let problems: Vec<_> = problems
            .iter()
            .map(|problem| json!({"line": problem.line, "reason": problem.reason}))
            .collect();
        let told = json!({
            "games": games, "duplicates": duplicates, "bad": bad,
            "problem": import.problem, "problems": problems,
        });
        print_line(&told.to_string())?;
    } else {
        for ImportProblem { line, reason } in problems.iter().take(SHOWN) {
            print_line(&format!("line {line}: {reason}"))?;
        }
        print_line(&format!("{games} new games, {duplicates} already there, {bad} with errors"))?;
    }
    if import.state != ImportState::Done {
        bail!("the file was not read to its end: {}", import.problem);
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let format = match args.format {
        GameFormat::Pgn => Format::Pgn,
        GameFormat::Ndjson => Format::Ndjson,
    };
    let count = block_on(async {
        let shelf = Shelf::open(&args.options, &args.user).await?;
        let mut out = BufWriter::new(open(args)?);
        let site = shelf.config.web.public_url.trim_end_matches('/');
        let take = |text: &str| out.write_all(text.as_bytes());
        let written = export_offline(&shelf.store, site, shelf.player.id, format, take).await;
        let written = written.and_then(|count| {
            out.flush()?;
            Ok(count)
        });
        match (written, &args.file) {
            (Ok(count), _) => Ok(count),
            // A reader that has seen enough (`| head`) ends the program without a word.
            (Err(LibraryError::File(error)), None) if error.kind() == ErrorKind::BrokenPipe => {
                std::process::exit(0)
            }
            (Err(error), file) => {
                // Half a file would pass for a whole one.
                if let Some(file) = file {
                    let _ = std::fs::remove_file(file);
                }
                Err(error.into())
            }
        }
    })?;
    match &args.file {
        Some(file) => print_line(&format!("{count} games written to {}", file.display())),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn open(args: &ExportArgs) -> anyhow::Result<Box<dyn Write>> {
    let Some(file) = &args.file else { return Ok(Box::new(io::stdout())) };
    match File::create_new(file) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} exists already; choose another name", file.display())
        }
        Err(error) => Err(error).with_context(|| format!("{}", file.display())),
    }
}
