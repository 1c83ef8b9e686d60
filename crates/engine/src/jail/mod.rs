//! Locks the own process in and then becomes an engine: what an engine may do is decided before its first instruction.
//!
//! An engine needs a processor, some memory, two pipes and its own files. So it gets no network, no other files, no
//! children, no signals to others, a bounded number of threads and no way to get any of it back. What the kernel lacks is left out; [`missing`] tells
//! what that is, so that the owner can be told once.
//!
//! There is no code between the lock and the engine: [`enter`] is the last thing a process of ours does.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use rustix::process::{Resource, Rlimit, setrlimit};

/// Who is locked in, and with what.
#[derive(Debug, Clone)]
pub struct Inmate {
    /// The program.
    pub program: PathBuf,
    /// What it is called with.
    pub arguments: Vec<OsString>,
    /// Files and folders it may read besides itself and the system's libraries.
    pub files: Vec<PathBuf>,
    /// All the memory it may take, in megabytes.
    pub memory_mb: u64,
}

/// Why nobody was locked in. The engine was not started.
#[derive(Debug, thiserror::Error)]
pub enum JailError {
    /// The system refused a limit.
    #[error("a limit cannot be set: {0}")]
    Limit(#[from] rustix::io::Errno),
    /// The system refused the lock on files.
    #[cfg(target_os = "linux")]
    #[error("files cannot be locked away: {0}")]
    Files(#[from] landlock::RulesetError),
    /// The system refused the lock on calls.
    #[cfg(target_os = "linux")]
    #[error("calls cannot be locked away: {0}")]
    Calls(#[from] seccompiler::Error),
    /// The program cannot be run.
    #[error("{program} cannot be run: {error}")]
    Program {
        /// Which.
        program: String,
        /// Why.
        error: std::io::Error,
    },
}

/// How much an engine gives way to everything else on the machine.
const NICENESS: i32 = 10;
/// Open files an engine may have.
const OPEN_FILES: u64 = 64;
/// Threads that may come to those there are on the whole machine when an engine starts. The system counts them for a
/// user, so those of the server are among them, and the limit does not hold for the superuser.
const MORE_THREADS: u64 = 1_024;

/// Becomes the inmate; returns only if that fails.
pub fn enter(inmate: &Inmate) -> Result<Infallible, JailError> {
    // Manners, not a lock: a service manager that lets nobody change ranks is no reason to do without the engine.
    let _ = rustix::process::nice(NICENESS);
    #[cfg(target_os = "linux")]
    let calls = {
        // Whoever started us may be killed; the engine shall not outlive it.
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        rustix::thread::set_no_new_privs(true)?;
        if let Some(threads) = threads_now() {
            limit(Resource::Nproc, threads.saturating_add(MORE_THREADS))?;
        }
        // Asked before the files are gone; where it is not possible, [`missing`] says so.
        let is_possible = calls::is_possible();
        files::lock(inmate)?;
        if is_possible { calls::filters()? } else { Vec::new() }
    };
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, OPEN_FILES)?;
    limit(Resource::As, inmate.memory_mb.saturating_mul(1024 * 1024))?;
    #[cfg(target_os = "linux")]
    calls::lock(&calls)?;
    let error = Command::new(&inmate.program).args(&inmate.arguments).exec();
    Err(JailError::Program { program: inmate.program.display().to_string(), error })
}

/// How many threads there are on this machine, where it tells.
#[cfg(target_os = "linux")]
fn threads_now() -> Option<u64> {
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

fn limit(resource: Resource, most: u64) -> Result<(), JailError> {
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// What this system cannot lock away, in words.
pub fn missing() -> Vec<&'static str> {
    #[cfg(target_os = "linux")]
    {
        let files = (!files::is_possible()).then_some(
            "files (there is no Landlock: the kernel lacks it, or a service manager forbids it)",
        );
        let calls = (!calls::is_possible()).then_some(
            "the network, children and signals (the kernel has no seccomp, or not for this processor)",
        );
        files.into_iter().chain(calls).collect()
    }
    #[cfg(not(target_os = "linux"))]
    vec!["files, the network, children and signals (only Linux can)"]
}
