//! `rookery serve`: opens the data, starts the server, prints its address, and stops in good order.

use std::fs::{File, TryLockError};
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use server::Server;
use server::world::World;
use store::Store;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat, Options};
use crate::files;
use crate::instance_key;
use crate::jail;
use crate::print_line;

/// How long work that cannot be broken off holds up the end of the process.
const WORK_ENDS_WITHIN: Duration = Duration::from_secs(3);

pub(crate) fn serve(options: &Options) -> anyhow::Result<ExitCode> {
    let config = options.resolve()?;
    start_log(&config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(run(config));
    // Work on other threads (a merge of the library's index) is begun again after the next start: nobody waits for it.
    runtime.shutdown_timeout(WORK_ENDS_WITHIN);
    done
}

fn start_log(config: &Config) -> anyhow::Result<()> {
    let filter =
        EnvFilter::try_new(&config.log).with_context(|| format!("--log {:?}", config.log))?;
    let for_people = match config.log_format {
        LogFormat::Text => true,
        LogFormat::Json => false,
        LogFormat::Auto => std::io::stderr().is_terminal(),
    };
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if for_people {
        log.init();
    } else {
        log.json().init();
    }
    Ok(())
}

async fn run(config: Config) -> anyhow::Result<ExitCode> {
    make_data_directory(&config.data)?;
    let _lock = lock(&config.data)?;
    let store = Store::open(config.place()?, &config.backups())
        .await
        .context("the data cannot be opened")?;
    let listener = TcpListener::bind(config.listen).await.with_context(|| {
        format!("cannot listen on {}; choose another with --listen", config.listen)
    })?;
    let address = listener.local_addr()?;
    let key = instance_key::load(&config.instance_key, &config.data)?;
    if config.engines.enabled {
        jail::tell_what_is_missing();
    }
    let mut settings = config.settings(key);
    settings.limits.connections = connections(settings.limits.connections);
    let server = Server::start(store, World::real(), settings).await?;
    // Before anybody is told that it is there, and so can ask it to stop.
    stop_on_signal(&server)?;
    print_line(&format!("listening on http://{address}"))?;
    if let Some(token) = server.accounts().new_setup_token().await? {
        let base = if config.web.public_url.is_empty() {
            format!("http://{address}")
        } else {
            config.web.public_url
        };
        let base = base.trim_end_matches('/');
        print_line(&format!("set the club up (this link works once): {base}/setup?token={token}"))?;
    }
    // The first question shall not wait for an engine that has to be started first.
    let engines = server.engines().clone();
    tokio::spawn(async move { engines.warm_up().await });
    server.serve(listener).await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// How many connections the system has files for.
fn connections(wanted: usize) -> usize {
    let files = files::raise_limit();
    let connections = files::connections(wanted, files);
    if connections < wanted {
        tracing::warn!(
            wanted,
            connections,
            files,
            "the system allows fewer open files than there may be connections: raise `ulimit -Hn`, or LimitNOFILE of the unit"
        );
    }
    connections
}

/// Makes the data directory if there is none.
pub(crate) fn make_data_directory(data: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(data)
        .with_context(|| format!("the data directory {} cannot be made", data.display()))
}

/// Two servers on one directory would write over each other.
pub(crate) fn lock(data: &Path) -> anyhow::Result<File> {
    try_lock(data)?.with_context(|| {
        format!(
            "another rookery already runs on {}; stop it or choose another --data",
            data.display()
        )
    })
}

/// Keeps the data directory for this process; none if another one has it.
pub(crate) fn try_lock(data: &Path) -> anyhow::Result<Option<File>> {
    let file = File::create(data.join("rookery.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(error).context("the data directory cannot be locked")
        }
    }
}

fn stop_on_signal(server: &Server) -> anyhow::Result<()> {
    let stopper = server.stopper();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        let mut asked = async || {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        asked().await;
        tracing::info!("stopping: clocks are paused, games go on after the next start");
        tokio::spawn(async move { stopper.drain().await });
        asked().await;
        // As good as a crash, and that costs nobody a move.
        tracing::warn!("stopping at once, as asked twice");
        std::process::exit(1);
    });
    Ok(())
}
