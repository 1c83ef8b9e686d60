//! `rookery backup` and `rookery restore`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use store::{Report, StoreError};

use crate::config::Options;
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
                anyhow::anyhow!("{} exists already; choose another name", args.file.display())
            }
            other => other.into(),
        })
    })?;
    tell(&report, args.json, &format!("written to {}", args.file.display()))
}

pub(crate) fn restore(args: &RestoreArgs) -> anyhow::Result<ExitCode> {
    let config = args.options.resolve()?;
    let report = block_on(async {
        if args.verify {
            return store::verify(&args.file)
                .await
                .with_context(|| format!("{}", args.file.display()));
        }
        store::restore(&args.file, &config.place()?).await.map_err(|error| match error {
            StoreError::Conflict => anyhow::anyhow!(
                "there is data already; a backup is restored into an empty place only"
            ),
            other => other.into(),
        })
    })?;
    tell(&report, args.json, if args.verify { "the backup is whole" } else { "restored" })
}

/// Prints what was found; problems make the command fail.
pub(crate) fn tell(report: &Report, json: bool, done: &str) -> anyhow::Result<ExitCode> {
    if json {
        print_line(&serde_json::to_string(report)?)?;
    } else {
        let Report { schema, games, running, events, problems } = report;
        for problem in problems {
            print_line(&format!("problem: {problem}"))?;
        }
        let word =
            if problems.is_empty() { done } else { "there are problems, nothing was restored" };
        print_line(&format!(
            "{word}: schema {schema}, {games} games ({running} running), {events} events"
        ))?;
    }
    Ok(if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
