//! The one binary: reads the configuration, builds the rest, runs it.

mod admin;
mod backup;
mod bench;
mod config;
mod doctor;
mod files;
mod games;
mod gmo;
mod instance_key;
mod jail;
mod mail;
mod pair;
mod perft;
mod serve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use config::{ConfigCommand, Options};

/// A move makes and drops some thirty small pieces of memory on several threads; the system's allocator took an eighth
/// of its time.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A chess club in one binary.
#[derive(Parser)]
#[command(name = "rookery", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the club: web pages, API, games
    Serve(Options),
    /// Accounts and roles from the machine itself
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Write everything into one file, while the club runs or not
    Backup(backup::BackupArgs),
    /// Bring a backup back into an empty data directory or database
    Restore(backup::RestoreArgs),
    /// Look whether everything is in order, and say what to do where it is not
    Doctor(doctor::DoctorArgs),
    /// Bring a file of games into somebody's library, while the club is closed
    Import(games::ImportArgs),
    /// Write somebody's games as a file, while the club is closed
    Export(games::ExportArgs),
    /// Show the settings in force
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Look whether mails arrive
    #[command(subcommand)]
    Mail(mail::MailCommand),
    /// Count the sequences of moves from a position
    Perft(perft::PerftArgs),
    /// GMO chess: look DNA over, verify test vectors
    #[command(subcommand)]
    Gmo(gmo::GmoCommand),
    /// Pair the next round of a tournament file by the FIDE Dutch system
    Pair(pair::PairArgs),
    /// Print the standings of a tournament file
    Standings(pair::StandingsArgs),
    /// Make up a tournament file, for tests and benchmarks
    TournamentSim(pair::SimArgs),
    /// Measure: games at once, latency, kills
    #[command(subcommand)]
    Bench(bench::BenchCommand),
    /// Lock an engine in and become it
    #[command(hide = true)]
    Jail(jail::JailArgs),
    /// Print the document of the API
    Openapi,
    /// Print the version
    Version,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("rookery: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    // The data, its copies and what is taken out of it: hashes of passwords and addresses are nobody else's business.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    match command {
        Command::Serve(options) => serve::serve(&options),
        Command::Admin(command) => admin::admin(command),
        Command::Backup(args) => backup::backup(&args),
        Command::Restore(args) => backup::restore(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Import(args) => games::import(&args),
        Command::Export(args) => games::export(&args),
        Command::Config(command) => config::show(&command),
        Command::Mail(command) => mail::mail(&command),
        Command::Perft(args) => perft::run(&args),
        Command::Gmo(command) => gmo::run(&command),
        Command::Pair(args) => Ok(pair::pair(&args)),
        Command::Standings(args) => Ok(pair::table(&args)),
        Command::TournamentSim(args) => Ok(pair::tournament_sim(&args)),
        Command::Bench(command) => bench::bench(&command),
        Command::Jail(args) => jail::jail(args),
        Command::Openapi => print_line(&server::http::openapi_json()),
        Command::Version => print_line(&format!("rookery {}", server::VERSION)),
    }
}

/// Prints a line to standard output. A reader that has seen enough (`| head`) ends the program without a word.
pub(crate) fn print_line(text: &str) -> anyhow::Result<ExitCode> {
    use std::io::Write as _;
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        written => Ok(written.map(|()| ExitCode::SUCCESS)?),
    }
}

/// A runtime for commands that wait for something.
pub(crate) fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}
