//! `rookery doctor`: looks at everything an owner would look at, and says what to do.

use std::io::{ErrorKind, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use server::room;
use store::{Store, StoreError, known_schema};

use crate::config::{Config, Options};
use crate::{block_on, files, instance_key, print_line};

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

/// With room for so many connections a club is open, though for fewer people than its settings say.
const FEW: usize = 500;

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    good: bool,
    detail: String,
}

pub(crate) fn doctor(args: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let config = args.options.resolve()?;
    let mut findings = vec![data_directory(&config)];
    if config.data.exists() {
        findings.extend([privacy(&config), disk(&config), key(&config)]);
    }
    findings.extend([listening(config.listen), open_files(&config)]);
    findings.extend([engines(&config), database(&config)?]);
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

/// Whether others on this machine can read what members trust the club with.
fn privacy(config: &Config) -> Finding {
    let what = "privacy";
    let others = |file: &Path, may: u32| {
        std::fs::metadata(file).is_ok_and(|file| file.permissions().mode() & may != 0)
    };
    let place = config.data.display();
    let read: Vec<String> = ["rookery.db", "rookery.db-wal", "instance.key", "backups"]
        .into_iter()
        .filter(|name| others(&config.data.join(name), 0o004))
        .map(str::to_owned)
        .collect();
    if read.is_empty() || !others(&config.data, 0o001) {
        let detail = format!("{place} is closed to others on this machine");
        return Finding { what, good: true, detail };
    }
    let detail = format!(
        "everybody on this machine can read {}: close the directory with `chmod 700 {place}`",
        read.join(", ")
    );
    Finding { what, good: false, detail }
}

fn disk(config: &Config) -> Finding {
    let what = "disk";
    match room::free(&config.data) {
        Ok(free) => {
            let good = free >= room::LEAST;
            let megabytes = free >> 20;
            let detail = if good {
                format!("{megabytes} MB free")
            } else {
                format!("only {megabytes} MB free: make room, or moves will be refused")
            };
            Finding { what, good, detail }
        }
        Err(error) => {
            Finding { what, good: false, detail: format!("its free space is not known: {error}") }
        }
    }
}

fn key(config: &Config) -> Finding {
    let what = "instance key";
    match instance_key::find(&config.instance_key, &config.data) {
        Ok(Some(_)) if config.instance_key.is_empty() => {
            let detail = "instance.key is there; keep a copy of it with your backups".to_owned();
            Finding { what, good: true, detail }
        }
        Ok(Some(_)) => Finding { what, good: true, detail: "from the settings".to_owned() },
        Ok(None) => {
            let detail = "none yet; the next start makes it".to_owned();
            Finding { what, good: true, detail }
        }
        Err(error) => Finding { what, good: false, detail: format!("{error:#}") },
    }
}

/// Engines make opponents and analysis stronger. A club without them is in order, one with settings that name a program
/// which is not there is not.
fn engines(config: &Config) -> Finding {
    let what = "engines";
    if !config.engines.enabled {
        let detail = "switched off; the built-in engine plays and analyses".to_owned();
        return Finding { what, good: true, detail };
    }
    let installed = match config.engines.pool_settings(Vec::new()) {
        Ok(pool) => pool.engines,
        Err(error) => return Finding { what, good: false, detail: error.to_string() },
    };
    if let Some(missing) = installed.iter().find(|engine| !engine.program.is_file()) {
        let detail = format!(
            "{} is not at {}: install it, or change [engines] in the settings",
            missing.key,
            missing.program.display()
        );
        return Finding { what, good: false, detail };
    }
    let named: Vec<String> = installed
        .iter()
        .map(|engine| format!("{} at {}", engine.key, engine.program.display()))
        .collect();
    let detail = if named.is_empty() {
        "Stockfish is not installed; the built-in engine plays and analyses".to_owned()
    } else {
        named.join(", ")
    };
    Finding { what, good: true, detail }
}

fn listening(address: SocketAddr) -> Finding {
    let (good, detail) = match TcpListener::bind(address) {
        Ok(_) => (true, format!("{address} is free")),
        // Most likely the club itself: not a fault.
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            (true, format!("{address} is in use, by a running rookery or something else"))
        }
        Err(error) => {
            (false, format!("nobody can listen on {address} ({error}): choose another --listen"))
        }
    };
    Finding { what: "address", good, detail }
}

/// Every connection is an open file. With too few of them fewer people are let in, which is no fault of a small club.
fn open_files(config: &Config) -> Finding {
    let wanted = config.limits.connections;
    let files = files::raise_limit();
    let connections = files::connections(wanted, files);
    let allowed = files.map_or("any number".to_owned(), |files| files.to_string());
    let detail = if connections < wanted {
        format!(
            "{allowed} allowed, so {connections} connections at once instead of {wanted}: raise `ulimit -Hn`, or LimitNOFILE of the unit"
        )
    } else {
        format!("{allowed} allowed, enough for {connections} connections at once")
    };
    Finding { what: "open files", good: connections == wanted || connections >= FEW, detail }
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
