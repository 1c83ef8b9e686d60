//! `rookery backup` and `rookery restore`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use store::{Place, Report, StoreError};

use crate::config::{Config, Options};
use crate::serve::{lock, make_data_directory};
use crate::{block_on, print_line};

#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// The file to write; it must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The backup
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only look whether the backup is whole: every game is replayed, nothing is written
    #[arg(long)]
    verify: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn backup(args: &BackupArgs) -> anyhow::Result<ExitCode> {
    let place = args.options.resolve()?.place()?;
    let report = block_on(async {
        store::backup(&place, &args.file).await.map_err(|error| match error {
            StoreError::Conflict => {
                anyhow::anyhow!(
                    "{} exists already; choose another name",
                    first_in_the_way(&args.file)
                )
            }
            other => other.into(),
        })
    })?;
    let file = args.file.display();
    tell(&report, args.json, &format!("written to {file}"), &format!("{file} has problems"))
}

/// Why a database cannot be written under a name, as far as there is a reason.
fn first_in_the_way(file: &Path) -> String {
    let found = store::in_the_way(file);
    found.first().map_or(file, PathBuf::as_path).display().to_string()
}

pub(crate) fn restore(args: &RestoreArgs) -> anyhow::Result<ExitCode> {
    let config = args.options.resolve()?;
    if args.verify {
        let report = block_on(async {
            store::verify(&args.file).await.with_context(|| format!("{}", args.file.display()))
        })?;
        return tell(&report, args.json, "the backup is whole", "the backup has problems");
    }
    let place = config.place()?;
    if let Place::Sqlite(_) = place {
        make_data_directory(&config.data)?;
    }
    // A server that starts half-way would find half of the data, and one that runs writes into the place already.
    let _lock = if config.data.is_dir() { Some(lock(&config.data)?) } else { None };
    let report = block_on(async {
        store::restore(&args.file, &place).await.map_err(|error| match error {
            StoreError::Conflict => anyhow::anyhow!(refusal(&place)),
            StoreError::NotFound => anyhow::anyhow!("there is no file {}", args.file.display()),
            other => other.into(),
        })
    })?;
    if report.problems.is_empty() {
        forget_index(&config)?;
    }
    tell(&report, args.json, "restored", "there are problems, nothing was restored")
}

/// The index of the library that lies in the data directory is one of other games. The next start makes it anew.
fn forget_index(config: &Config) -> anyhow::Result<()> {
    let Some(folder) = config.library_settings().folder else { return Ok(()) };
    let index = folder.join("index");
    match std::fs::remove_dir_all(&index) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| {
                format!(
                    "the data is restored; now remove {}, which belongs to other data",
                    index.display()
                )
            })
        }
        _ => Ok(()),
    }
}

/// Why nothing is restored into this place.
fn refusal(place: &Place) -> String {
    let only_empty = "there is data already; a backup is restored into an empty place only";
    let Place::Sqlite(file) = place else { return only_empty.to_owned() };
    let left = first_in_the_way(file);
    if file.exists() {
        format!("{only_empty}: move {left} away, with all files whose names begin like that")
    } else {
        format!(
            "{left} is left of another database and would spoil the restored one: move it away, to where its database is"
        )
    }
}

/// Prints what was found; problems make the command fail.
fn tell(report: &Report, json: bool, good: &str, bad: &str) -> anyhow::Result<ExitCode> {
    if json {
        print_line(&serde_json::to_string(report)?)?;
    } else {
        let Report { schema, games, running, events, problems } = report;
        for problem in problems {
            print_line(&format!("problem: {problem}"))?;
        }
        let word = if problems.is_empty() { good } else { bad };
        print_line(&format!(
            "{word}: schema {schema}, {games} games ({running} running), {events} events"
        ))?;
    }
    Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
