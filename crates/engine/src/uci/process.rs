//! The process of an engine: started in a group of its own, read with limits, ended as a whole.

use std::ffi::OsString;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::pool::{EngineError, EngineSettings, Stopwatch};

/// The longest line that is read.
const LONGEST_LINE: usize = 16 * 1024;
/// An engine may say so much at once …
const AT_ONCE: u64 = 1024 * 1024;
/// … and so much more every second.
const EACH_SECOND: u64 = 512 * 1024;

/// A running engine. Dropping it ends it and whatever it has started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What has been read of the next line.
    line: Vec<u8>,
    /// Whether `line` was handed out and has to go.
    is_told: bool,
    /// Bytes said since the watch was started.
    said: u64,
    watch: Stopwatch,
}

impl Process {
    /// Starts an engine, through the jail if there is one.
    pub(super) fn start(
        engine: &EngineSettings,
        jail: &[OsString],
        memory_mb: usize,
    ) -> Result<Process, EngineError> {
        let mut command = command(engine, jail, memory_mb);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env_clear().current_dir("/").process_group(0).kill_on_drop(true);
        let failed = |error: std::io::Error| EngineError::Start(error.to_string());
        let mut child = command.spawn().map_err(failed)?;
        let pipe = || EngineError::Start("it has no pipe".to_owned());
        let input = child.stdin.take().ok_or_else(pipe)?;
        let output = child.stdout.take().ok_or_else(pipe)?;
        Ok(Process {
            child,
            input,
            output: BufReader::with_capacity(16 * 1024, output),
            line: Vec::new(),
            is_told: false,
            said: 0,
            watch: Stopwatch::start(),
        })
    }

    /// Tells it something: one line or several.
    pub(super) async fn tell(&mut self, text: &str) -> Result<(), EngineError> {
        let line = format!("{text}\n");
        self.input.write_all(line.as_bytes()).await.map_err(|_| EngineError::Crashed)?;
        self.input.flush().await.map_err(|_| EngineError::Crashed)
    }

    /// From here on it may say much again.
    pub(super) fn forgive(&mut self) {
        self.said = 0;
        self.watch = Stopwatch::start();
    }

    /// The next line. Nothing is lost if the wait is given up.
    pub(super) async fn line(&mut self) -> Result<String, EngineError> {
        if std::mem::take(&mut self.is_told) {
            self.line.clear();
        }
        loop {
            let buffer = self.output.fill_buf().await.map_err(|_| EngineError::Crashed)?;
            if buffer.is_empty() {
                return Err(EngineError::Crashed);
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let taken = end.map_or(buffer.len(), |end| end + 1);
            self.line.extend_from_slice(&buffer[..taken]);
            self.output.consume(taken);
            self.said += taken as u64;
            let allowed = AT_ONCE + EACH_SECOND * self.watch.elapsed().as_secs();
            if self.line.len() > LONGEST_LINE || self.said > allowed {
                return Err(EngineError::Flooded);
            }
            if end.is_some() {
                self.is_told = true;
                return Ok(String::from_utf8_lossy(&self.line).into_owned());
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The leader has not been waited for, so its number still belongs to this group.
        let group = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

fn command(engine: &EngineSettings, jail: &[OsString], memory_mb: usize) -> Command {
    let mut words = jail.iter();
    let Some(keeper) = words.next() else {
        let mut command = Command::new(&engine.program);
        command.args(&engine.arguments);
        return command;
    };
    let mut command = Command::new(keeper);
    command.args(words).arg("--memory-mb").arg(memory_mb.to_string());
    for file in &engine.files {
        command.arg("--read").arg(file);
    }
    command.arg("--").arg(&engine.program).args(&engine.arguments);
    command
}
