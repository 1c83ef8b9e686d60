//! A real mail server on loopback: `aiosmtpd`, a process of its own, which puts what it takes into a folder.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use server::config::{MailConfig, MailTls};
use tempfile::TempDir;

/// How long a test waits for a mail before it gives up.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct MailServer {
    address: SocketAddr,
    folder: TempDir,
    tls: MailTls,
    /// Messages beyond this many bytes are refused for good.
    most_bytes: u32,
    process: Option<Child>,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl MailServer {
    /// One that is not running yet.
    pub(crate) fn new(tls: MailTls) -> MailServer {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        let server = MailServer {
            address,
            folder: tempfile::tempdir().unwrap(),
            tls,
            most_bytes: 1_000_000,
            process: None,
        };
        if tls != MailTls::None {
            server.make_certificate();
        }
        server
    }

    pub(crate) async fn start(tls: MailTls) -> MailServer {
        let mut server = MailServer::new(tls);
        server.run().await;
        server
    }

    /// One that finds every mail too large.
    pub(crate) async fn start_refusing() -> MailServer {
        let mut server = MailServer::new(MailTls::None);
        server.most_bytes = 10;
        server.run().await;
        server
    }

    /// Starts the process and waits until it listens.
    pub(crate) async fn run(&mut self) {
        let mut command = Command::new("aiosmtpd");
        command.args(["--nosetuid", "--listen", &self.address.to_string()]);
        command.args(["--size", &self.most_bytes.to_string()]);
        let (certificate, key) = (self.file("certificate.pem"), self.file("key.pem"));
        match self.tls {
            MailTls::None => {}
            MailTls::Starttls => {
                command.arg("--tlscert").arg(certificate).arg("--tlskey").arg(key);
            }
            MailTls::Tls => {
                command.arg("--smtpscert").arg(certificate).arg("--smtpskey").arg(key);
            }
        }
        command.args(["--class", "aiosmtpd.handlers.Mailbox"]).arg(self.file("mails"));
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.process = Some(process.expect(
            "the mail server for tests, `aiosmtpd`: scripts/setup installs it (Debian: python3-aiosmtpd)",
        ));
        wait_until(|| TcpStream::connect(self.address).is_ok(), "the mail server listens").await;
    }

    pub(crate) fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Settings that lead here.
    pub(crate) fn config(&self) -> MailConfig {
        let authority = match self.tls {
            MailTls::None => String::new(),
            _ => self.file("certificate.pem").to_string_lossy().into_owned(),
        };
        MailConfig {
            server: "localhost".to_owned(),
            port: self.address.port(),
            tls: self.tls,
            authority,
            from: "Rook End <chess@example.org>".to_owned(),
            ..MailConfig::default()
        }
    }

    /// The mails taken so far, oldest first.
    pub(crate) fn mails(&self) -> Vec<String> {
        let folder = self.file("mails").join("new");
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort_by_key(|file| std::fs::metadata(file).unwrap().modified().unwrap());
        files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
    }

    /// Waits until this many have come.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<String> {
        wait_until(|| self.mails().len() >= count, "mails arrive").await;
        self.mails()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn make_certificate(&self) {
        let subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
            .args(["-nodes", "-days", "2", "-addext", "basicConstraints=critical,CA:FALSE"])
            .args(subject)
            .arg("-keyout")
            .arg(self.file("key.pem"))
            .arg("-out")
            .arg(self.file("certificate.pem"))
            .stderr(Stdio::null())
            .status();
        assert!(made.expect("openssl: scripts/setup installs it").success());
        assert!(Path::exists(&self.file("certificate.pem")));
    }
}

/// Waits on the real clock for something another process does.
#[expect(clippy::disallowed_methods, reason = "another process does not live in simulated time")]
async fn wait_until(mut is_so: impl FnMut() -> bool, what: &str) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, waiting).await.is_ok(), "waited in vain until {what}");
}
