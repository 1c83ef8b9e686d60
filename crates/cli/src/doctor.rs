//! `rookery doctor`: looks at everything an owner would look at, and says what to do.

use std::io::Write as _;
use std::net::TcpListener;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use store::{Store, StoreError, known_schema};

use crate::config::{Config, Options};
use crate::{block_on, print_line};

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    good: bool,
    detail: String,
}

pub(crate) fn doctor(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let config = args.options.resolve()?;
    let findings = vec![data_directory(&config), listening(&config), database(&config)?];
    let all_good = findings.iter().all(|finding| finding.good);
    if args.json {
        print_line(&serde_json::to_string_pretty(&findings)?)?;
    } else {
        for Finding { what, good, detail } in &findings {
            print_line(&format!("{} {what}: {detail}", if *good { "ok  " } else { "BAD " }))?;
        }
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn data_directory(config: &Config) -> Finding {
    let what = "data directory";
    let place = config.data.display();
    if !config.data.exists() {
        return Finding {
            what,
            good: true,
            detail: format!("{place} does not exist yet; the first start makes it"),
        };
    }
    let probe = config.data.join(".doctor");
    let written = std::fs::File::create(&probe)
        .and_then(|mut file| file.write_all(b"x").and_then(|()| file.sync_all()));
    let _ = std::fs::remove_file(&probe);
    match written {
        Ok(()) => {
            Finding { what, good: true, detail: format!("{place} can be written and synced") }
        }
        Err(error) => {
            let detail = format!(
                "{place} cannot be written ({error}): make room, or give it to the user who runs rookery"
            );
            Finding { what, good: false, detail }
        }
    }
}

fn listening(config: &Config) -> Finding {
    let address = config.listen;
    let detail = match TcpListener::bind(address) {
        Ok(_) => format!("{address} is free"),
        // Most likely the club itself: not a fault.
        Err(error) => {
            format!("{address} is in use, by a running rookery or something else ({error})")
        }
    };
    Finding { what: "address", good: true, detail }
}

fn database(config: &Config) -> anyhow::Result<Finding> {
    let what = "database";
    let place = config.place()?;
    if let store::Place::Sqlite(file) = &place
        && !file.exists()
    {
        return Ok(Finding {
            what,
            good: true,
            detail: "none yet; the first start makes it".to_owned(),
        });
    }
    let finding = match block_on(async { Ok(Store::check(&place).await) })? {
        Ok(report) if report.problems.is_empty() => {
            let detail = format!(
                "schema {} of {}, {} games replayed ({} running), {} events, no problem",
                report.schema,
                known_schema(),
                report.games,
                report.running,
                report.events
            );
            Finding { what, good: true, detail }
        }
        Ok(report) => Finding { what, good: false, detail: report.problems.join("; ") },
        Err(StoreError::NotFound) => Finding { what, good: false, detail: "not found".to_owned() },
        Err(error) => Finding { what, good: false, detail: error.to_string() },
    };
    Ok(finding)
}
