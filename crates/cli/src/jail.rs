//! `rookery jail`: locks itself in and becomes an engine. Not for people; `rookery serve` starts engines through it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use engine::jail::{Inmate, enter};

#[derive(Debug, Args)]
pub(crate) struct JailArgs {
    /// All the memory it may take, in megabytes
    #[arg(long, default_value_t = 1024)]
    memory_mb: u64,
    /// A file or folder it may read, besides itself and the system's libraries
    #[arg(long = "read", value_name = "PATH")]
    files: Vec<PathBuf>,
    /// The engine and what it is called with
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

pub(crate) fn jail(args: JailArgs) -> anyhow::Result<ExitCode> {
    let JailArgs { memory_mb, files, command } = args;
    let mut words = command.into_iter();
    let Some(program) = words.next().map(PathBuf::from) else { bail!("no engine is named") };
    let inmate = Inmate { program, arguments: words.collect(), files, memory_mb };
    let Err(error) = enter(&inmate);
    Err(error.into())
}

/// How `rookery serve` starts engines: through itself.
pub(crate) fn command() -> Vec<OsString> {
    match std::env::current_exe() {
        Ok(program) => vec![program.into(), "jail".into()],
        Err(error) => {
            tracing::warn!(%error, "engines run without a jail: this program cannot find itself");
            Vec::new()
        }
    }
}

/// Says once what the kernel cannot lock away from engines.
pub(crate) fn tell_what_is_missing() {
    for what in engine::jail::missing() {
        tracing::warn!("engines cannot be kept from {what}");
    }
}
