//! The real binary as a test runs it: its commands, and a server to ask over HTTP.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

pub fn rookery(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(args).arg("--data").arg(data);
    command
}

fn run(data: &Path, args: &[&str]) -> Output {
    rookery(data, args).output().unwrap()
}

/// What a command that succeeds prints.
pub fn good(data: &Path, args: &[&str]) -> String {
    let output = run(data, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// What a command that fails says.
pub fn bad(data: &Path, args: &[&str]) -> String {
    let output = run(data, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

pub struct Server {
    process: Child,
    /// Kept open: a server whose reader has gone ends.
    _stdout: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    pub fn start(data: &Path) -> Server {
        Server::run(rookery(data, &["serve"]), data)
    }

    /// Runs the command of a server, which may bring its own surroundings.
    pub fn run(mut command: Command, data: &Path) -> Server {
        let log = std::fs::File::create(data.join("log")).unwrap();
        let mut process = command
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").unwrap().to_owned();
        Server { process, _stdout: stdout, address }
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Sends its process a signal.
    pub fn signal(&self, name: &str) {
        let process = self.process_id();
        let sent =
            Command::new("/bin/sh").args(["-c", &format!("kill -{name} {process}")]).status();
        assert!(sent.unwrap().success());
    }

    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Waits until its process has ended.
    pub fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }

    /// The whole answer to a request.
    pub fn ask(&self, method: &str, path: &str, cookie: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Begins a request whose body never comes; returns when the server waits for that body.
    pub fn begin(&self, method: &str, path: &str, length: usize) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Expect: 100-continue\r\nContent-Length: {length}\r\n\r\n",
            self.address
        )
        .unwrap();
        let mut told = [0; 12];
        stream.read_exact(&mut told).unwrap();
        assert_eq!(&told, b"HTTP/1.1 100");
        stream
    }

    /// The body of an answer of any length. The old protocol sends it in one piece.
    pub fn download(&self, path: &str, cookie: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(" 200 "), "{head}");
        body.to_owned()
    }

    /// Logs in; gives the cookie.
    pub fn log_in(&self, name: &str, password: &str) -> String {
        let body = format!("{{\"name_or_email\":\"{name}\",\"password\":\"{password}\"}}");
        let answer = self.ask("POST", "/api/v1/log-in", "", &body);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        self.process.wait().unwrap();
    }
}

pub fn password_in(line: &str) -> &str {
    line.rsplit(' ').next().unwrap()
}
