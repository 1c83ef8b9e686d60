//! A server as a process of its own: started, looked at, killed.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::process::Stdio;

use anyhow::{Context as _, bail};
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
    pub(super) async fn start(arguments: &[OsString]) -> anyhow::Result<ServerProcess> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        // The settings of whoever runs the benchmark are not those of its server.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ROOKERY_") {
                command.env_remove(name);
            }
        }
        let mut child = command.spawn().context("the server process cannot be started")?;
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
        let stat = self.read_proc("stat")?;
        // The name in brackets may hold anything; the fields after it are numbers, user and system time the 12th and 13th.
        let fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace());
        let ticks: u64 = fields
            .context("the server's processor time cannot be read")?
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Ok(ticks * 1_000_000 / rustix::param::clock_ticks_per_second())
    }

    fn read_proc(&self, file: &str) -> anyhow::Result<String> {
        let id = self.child.id().context("the server process has ended")?;
        Ok(std::fs::read_to_string(format!("/proc/{id}/{file}"))?)
    }

    /// Kills it without a word of warning, and waits until it is gone.
    pub(super) async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("the server process cannot be killed")
    }
}
