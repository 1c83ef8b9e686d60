//! The commands an owner has for accounts and mail, run as an owner runs them: the real binary, beside a real server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[allow(dead_code, reason = "the tests of the server use more of it")]
#[path = "../../server/tests/it/smtp.rs"]
mod smtp;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use server::config::MailTls;
use smtp::MailServer;

fn rookery(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(args).arg("--data").arg(data);
    command
}

fn run(data: &Path, args: &[&str]) -> Output {
    rookery(data, args).output().unwrap()
}

/// What a command that succeeds prints.
fn good(data: &Path, args: &[&str]) -> String {
    let output = run(data, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// What a command that fails says.
fn bad(data: &Path, args: &[&str]) -> String {
    let output = run(data, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

struct Server {
    process: Child,
    /// Kept open: a server whose reader has gone ends.
    _stdout: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        let log = std::fs::File::create(data.join("log")).unwrap();
        let mut process = rookery(data, &["serve", "--listen", "127.0.0.1:0"])
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

    /// The whole answer to a request.
    fn ask(&self, method: &str, path: &str, cookie: &str, body: &str) -> String {
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

    /// Logs in; gives the cookie.
    fn log_in(&self, name: &str, password: &str) -> String {
        let body = format!("{{\"name_or_email\":\"{name}\",\"password\":\"{password}\"}}");
        let answer = self.ask("POST", "/api/v1/log-in", "", &body);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn password_in(line: &str) -> &str {
    line.rsplit(' ').next().unwrap()
}

#[test]
fn the_machine_s_owner_makes_and_helps_people_with_and_without_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let made = good(data, &["admin", "create", "anna", "--role", "administrator"]);
    assert!(bad(data, &["admin", "create", "Anna"]).contains("taken"));
    assert!(bad(data, &["admin", "create", "a b"]).contains("spaces"));
    assert!(bad(data, &["admin", "create", "bert", "--email", "bert"]).contains("--email"));
    let server = Server::start(data);
    let cookie = server.log_in("anna", password_in(&made));
    let me = server.ask("GET", "/api/v1/me", &cookie, "");
    assert!(me.contains("\"name\":\"anna\"") && me.contains("administrator"), "{me}");

    // From here on beside the running server.
    let made = good(data, &["admin", "create", "bert", "--email", "bert@example.org"]);
    let cookie = server.log_in("bert@example.org", password_in(&made));
    good(data, &["admin", "grant", "bert", "director"]);
    assert!(server.ask("GET", "/api/v1/me", &cookie, "").contains("director"));
    good(data, &["admin", "revoke", "bert", "director"]);
    assert!(bad(data, &["admin", "revoke", "bert", "director"]).contains("no director"));
    assert!(
        bad(data, &["admin", "revoke", "anna", "administrator"]).contains("last administrator")
    );
    good(data, &["admin", "revoke-sessions", "bert"]);
    assert!(server.ask("GET", "/api/v1/me", &cookie, "").contains("\"account\":null"));
    let reset = good(data, &["admin", "reset-password", "bert"]);
    server.log_in("bert", password_in(&reset));
    assert!(bad(data, &["admin", "grant", "nobody", "director"]).contains("nobody is called"));
    assert!(good(data, &["admin", "list", "--role", "administrator"]).starts_with("anna "));
    let list: serde_json::Value =
        serde_json::from_str(&good(data, &["admin", "list", "--json"])).unwrap();
    assert_eq!(list[1]["email"], "bert@example.org");
}

#[test]
fn log_ins_and_refusals_are_in_the_log_with_the_address_and_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let made = good(data, &["admin", "create", "anna"]);
    let server = Server::start(data);
    let cookie = server.log_in("anna", password_in(&made));
    let body = "{\"name_or_email\":\"anna\",\"password\":\"my-secret-guess\"}";
    assert!(server.ask("POST", "/api/v1/log-in", "", body).starts_with("HTTP/1.1 401"));
    server.ask("GET", "/api/v1/admin/users?query=nosy-query", &cookie, "");
    drop(server);
    let log = std::fs::read_to_string(data.join("log")).unwrap();
    let has = |words: &[&str]| log.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(has(&["logged in", "127.0.0.1", "timestamp"]), "{log}");
    assert!(has(&["bad_credentials", "127.0.0.1", "/api/v1/log-in"]), "{log}");
    assert!(has(&["must_change_password", "/api/v1/admin/users"]) || has(&["forbidden"]), "{log}");
    let secret = cookie.split_once('=').unwrap().1;
    for hidden in ["my-secret-guess", "nosy-query", password_in(&made), secret] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
}

#[tokio::test]
async fn a_test_mail_says_what_the_mail_server_said() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let to = ["mail", "test", "ann@example.org"];
    assert!(bad(data, &to).contains("no mail server"));
    let mut server = MailServer::start(MailTls::Tls).await;
    let config = server.config();
    let text = format!(
        "[web]\npublic_url = \"http://localhost\"\n[mail]\nserver = \"localhost\"\nport = {}\ntls = \"tls\"\nauthority = \"{}\"\nfrom = \"{}\"\n",
        config.port, config.authority, config.from
    );
    std::fs::write(data.join("rookery.toml"), text).unwrap();
    good(data, &to);
    assert!(server.mails()[0].contains("To: ann@example.org"));
    assert!(bad(data, &["mail", "test", "ann"]).contains("no e-mail address"));
    server.stop();
    assert!(bad(data, &to).contains("did not take it"));
}
