//! `rookery bench`: the load generator, its two references and the history checker.
//!
//! Everything is measured in one run on one machine, so that ratios mean something where absolute numbers do not.

mod checker;
mod crowd;
mod engines;
mod frames;
mod game_report;
mod grown;
mod hall;
mod hostile;
mod http;
mod latency;
mod library;
mod live;
mod lookers;
mod matches;
mod members;
mod pace;
mod power_cut;
mod process;
mod readers;
mod recorded;
mod reference;
mod report;
mod run;
mod scan;
mod socket;
mod table;

use std::process::ExitCode;

use clap::Subcommand;

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Play many games against a server of its own, kill it now and then, and check what everybody saw
    Live(live::LiveArgs),
    /// Start a server with many running games, and let a crowd watch one of them
    Crowd(crowd::CrowdArgs),
    /// Bring a file of games into a library and ask it for positions
    Library(library::LibraryArgs),
    /// Record what a server writes during play, cut its power many times over, and check what comes back (needs strace)
    PowerCut(power_cut::PowerCutArgs),
    /// Stockfish alone and in the pool, the built-in engine, and how soon the first line is there
    Engines(engines::EnginesArgs),
    /// The reference for the sockets alone; `live` starts it
    #[command(hide = true)]
    EchoServer(reference::EchoArgs),
    /// The reference with a plain file for a store; `live` starts it
    #[command(hide = true)]
    LimitServer(reference::LimitArgs),
}

pub(crate) fn bench(command: &BenchCommand) -> anyhow::Result<ExitCode> {
    match command {
        BenchCommand::Live(args) => live::live(args),
        BenchCommand::Crowd(args) => crowd::crowd(args),
        BenchCommand::Library(args) => library::library(args),
        BenchCommand::PowerCut(args) => power_cut::power_cut(args),
        BenchCommand::Engines(args) => engines::engines(args),
        BenchCommand::EchoServer(args) => reference::serve_echo(args),
        BenchCommand::LimitServer(args) => reference::serve_limit(args),
    }
}
