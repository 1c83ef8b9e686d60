//! A server as a process of its own: started, looked at, killed.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, bail};
use rustix::time::{ClockId, clock_gettime};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// A running server. It dies with this value.
pub(super) struct ServerProcess {
    child: Child,
    address: SocketAddr,
    /// Held open: a server that cannot print any more would stop.
    _output: Lines<BufReader<ChildStdout>>,
}

impl ServerProcess {
    /// Starts this very binary with other arguments, and waits until it says where it listens.
    /// With a `trace`, strace writes down there what it does.
    pub(super) async fn start(
        arguments: &[OsString],
        trace: Option<&Path>,
    ) -> anyhow::Result<ServerProcess> {
        let program = std::env::current_exe()?;
        let mut command = match trace {
            None => Command::new(program),
            Some(trace) => traced(&program, trace),
        };
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        // The settings of whoever runs the benchmark are not those of its server.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ROOKERY_") {
                command.env_remove(name);
            }
        }
        let mut child = command.spawn().with_context(|| {
            if trace.is_some() {
                "strace cannot be started: is it installed?"
            } else {
                "the server process cannot be started"
            }
        })?;
        let output = child.stdout.take().context("the server's output was asked for")?;
        let mut output = BufReader::new(output).lines();
        while let Some(line) = output.next_line().await? {
            if let Some(address) = line.strip_prefix("listening on http://") {
                let address = address.parse().context("the server's address")?;
                return Ok(ServerProcess { child, address, _output: output });
            }
        }
        bail!("the server process ended before it listened: {}", child.wait().await?)
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The memory it holds.
    pub(super) fn rss_kb(&self) -> anyhow::Result<u64> {
        let status = self.read_proc("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.and_then(|text| text.parse().ok()).context("the server's memory cannot be read")
    }

    /// The processor time it has used, in microseconds.
    pub(super) fn cpu_micros(&self) -> anyhow::Result<u64> {
        cpu_micros(&self.read_proc("stat")?)
    }

    fn read_proc(&self, file: &str) -> anyhow::Result<String> {
        let id = self.child.id().context("the server process has ended")?;
        Ok(std::fs::read_to_string(format!("/proc/{id}/{file}"))?)
    }

    /// How long its children have run or waited for a processor.
    pub(super) fn demand(&self) -> anyhow::Result<Demand> {
        let id = self.child.id().context("the server process has ended")?;
        let mut demand = Demand::default();
        for child in children(id)? {
            let Ok(threads) = std::fs::read_dir(child.join("task")) else { continue };
            for thread in threads.flatten() {
                let Ok(text) = std::fs::read_to_string(thread.path().join("schedstat")) else {
                    continue;
                };
                let times = text.split_whitespace().take(2);
                demand.nanos += times.filter_map(|time| time.parse::<u64>().ok()).sum::<u64>();
            }
        }
        Ok(demand)
    }

    /// Kills it without a word of warning, and waits until it is gone.
    pub(super) async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("the server process cannot be killed")
    }
}

/// The program under strace, which stays in the background: the process that is started is the program itself.
fn traced(program: &Path, trace: &Path) -> Command {
    const CALLS: &str = "trace=openat,close,lseek,write,writev,pwrite64,sendto,sendmsg,fsync,fdatasync,\
                         ftruncate,unlink,unlinkat";
    let mut command = Command::new("strace");
    command.args(["-D", "-f", "-xx", "-s", "1048576", "-e", CALLS, "-o"]).arg(trace).arg(program);
    command
}

/// The processor time that this process has used itself, in microseconds. By its own clock: `/proc` counts in
/// hundredths of a second.
pub(super) fn own_cpu_micros() -> u64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    let micros = used.tv_sec * 1_000_000 + used.tv_nsec / 1_000;
    u64::try_from(micros).unwrap_or(0)
}

/// The processor time that this process and its living children have used, in microseconds.
pub(super) fn family_cpu_micros() -> anyhow::Result<u64> {
    let mut micros = own_cpu_micros();
    for child in children(std::process::id())? {
        // A process may end while we look at it.
        let Ok(stat) = std::fs::read_to_string(child.join("stat")) else { continue };
        micros += cpu_micros(&stat)?;
    }
    Ok(micros)
}

/// The directories of a process's children under `/proc`.
fn children(of: u32) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let path = entry?.path();
        let stat = std::fs::read_to_string(path.join("stat"));
        if stat.is_ok_and(|stat| parent(&stat) == Some(of)) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The parent in a line of `/proc`: the second field behind the name.
fn parent(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The processor time of the processes that this one has started and that have ended, in microseconds.
pub(super) fn children_cpu_micros() -> anyhow::Result<u64> {
    micros_of(&std::fs::read_to_string("/proc/self/stat")?, 13)
}

fn cpu_micros(stat: &str) -> anyhow::Result<u64> {
    micros_of(stat, 11)
}

fn micros_of(stat: &str, skipped: usize) -> anyhow::Result<u64> {
    // The name in brackets may hold anything; of the fields after it, the 12th and 13th are user and system time, and
    // the two behind them those of children.
    let fields = stat.rsplit_once(')').context("the processor time cannot be read")?.1;
    let times = fields.split_whitespace().skip(skipped).take(2);
    let ticks: u64 = times.filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(ticks * 1_000_000 / rustix::param::clock_ticks_per_second())
}

/// How long processes have run or waited for a processor: as long as they had something to do.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Demand {
    nanos: u64,
}

impl Demand {
    pub(super) fn micros(self) -> u64 {
        self.nanos / 1_000
    }

    pub(super) fn since(self, before: Demand) -> Demand {
        Demand { nanos: self.nanos.saturating_sub(before.nanos) }
    }

    pub(super) fn add(&mut self, other: Demand) {
        self.nanos += other.nanos;
    }
}

/// Processor time of a server and of the load on it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cpu {
    pub(super) server_micros: u64,
    pub(super) load_micros: u64,
}

impl Cpu {
    pub(super) fn of(server: &ServerProcess) -> anyhow::Result<Cpu> {
        Ok(Cpu { server_micros: server.cpu_micros()?, load_micros: own_cpu_micros() })
    }

    pub(super) fn since(self, before: Cpu) -> Cpu {
        Cpu {
            server_micros: self.server_micros - before.server_micros,
            load_micros: self.load_micros - before.load_micros,
        }
    }

    pub(super) fn add(&mut self, other: Cpu) {
        self.server_micros += other.server_micros;
        self.load_micros += other.load_micros;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_behind_the_strangest_name() {
        let stat = "12 (a) b) R 1 2 3 4 5 6 7 8 9 10 30 12 5 2";
        let expected = 42 * 1_000_000 / rustix::param::clock_ticks_per_second();
        assert_eq!(cpu_micros(stat).unwrap(), expected);
        assert_eq!(micros_of(stat, 13).unwrap(), expected / 6, "what children used");
        assert!(cpu_micros("nonsense").is_err());
        assert_eq!((parent(stat), parent("nonsense")), (Some(1), None));
    }
}
