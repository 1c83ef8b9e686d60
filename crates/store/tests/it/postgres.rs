//! A real PostgreSQL, started once for all tests on a free port in a temporary directory.
//!
//! It refuses to run as root, so there it runs as the user `postgres`. It ends with this process, however that ends:
//! it is tied to a pipe that only this process holds open.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The address of a fresh, empty database.
pub(crate) fn fresh_database() -> String {
    static SHARED: OnceLock<Server> = OnceLock::new();
    SHARED.get_or_init(Server::start).fresh_database()
}

/// A server that listens to nobody but this process.
pub(crate) struct Server {
    port: u16,
    data: PathBuf,
}

impl Server {
    pub(crate) fn fresh_database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let port = self.port;
        let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        run(tool("createdb").args([
            "-h",
            "127.0.0.1",
            "-p",
            &port.to_string(),
            "-U",
            "rookery",
            &name,
        ]));
        format!("postgres://rookery@127.0.0.1:{port}/{name}")
    }

    /// Lets it say nothing more, like a machine that hangs, until what is given back is dropped.
    pub(crate) fn silence(&self) -> Silence {
        let file = std::fs::read_to_string(self.data.join("postmaster.pid")).expect("it runs");
        let first: u32 = file.lines().next().and_then(|line| line.parse().ok()).expect("a number");
        // The one that would start others first, then those it has started.
        signal("STOP", &[first]);
        let mut processes = children(first);
        signal("STOP", &processes);
        processes.push(first);
        Silence(processes)
    }

    pub(crate) fn start() -> Server {
        let folder = tempfile::Builder::new()
            .prefix("rookery-pg-")
            .tempdir()
            .expect("a temporary directory")
            .keep();
        let data = folder.join("data");
        let is_root = run(Command::new("id").arg("-u")).trim() == "0";
        if is_root {
            run(Command::new("chown").arg("postgres").arg(&folder));
        }
        run(as_postgres(is_root, &bin("initdb"))
            .args(["-A", "trust", "-U", "rookery", "--no-sync", "-D"])
            .arg(&data));
        let port = TcpListener::bind("127.0.0.1:0")
            .expect("a free port")
            .local_addr()
            .expect("its address")
            .port();
        // The shell waits for its input to end, which it does with this process, and then ends the database.
        let script = format!(
            "{} -D {} -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 \
             >{}/log 2>&1 & pid=$!; cat >/dev/null; kill -INT $pid; wait $pid; rm -rf {}",
            bin("postgres").display(),
            data.display(),
            folder.display(),
            folder.display(),
        );
        let mut shell = as_postgres(is_root, Path::new("/bin/sh"));
        let child = shell
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("a shell");
        // Kept open on purpose until the process ends.
        std::mem::forget(child);
        wait_until_ready(port);
        Server { port, data }
    }
}

/// A server that says nothing.
pub(crate) struct Silence(Vec<u32>);

impl Drop for Silence {
    fn drop(&mut self) {
        signal("CONT", &self.0);
    }
}

fn signal(name: &str, processes: &[u32]) {
    let numbers: Vec<String> = processes.iter().map(ToString::to_string).collect();
    run(Command::new("/bin/sh").args(["-c", &format!("kill -{name} {}", numbers.join(" "))]));
}

/// The processes that one has started.
fn children(of: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("the list of processes").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |process: &u32| -> Option<u32> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
    };
    numbers.filter(|process| parent(process) == Some(of)).collect()
}

fn wait_until_ready(port: u16) {
    for _ in 0..600 {
        let ready =
            tool("pg_isready").args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]).status();
        if ready.is_ok_and(|status| status.success()) {
            return;
        }
        #[expect(clippy::disallowed_methods, reason = "another process takes real time to start")]
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("PostgreSQL did not start on port {port}");
}

fn as_postgres(is_root: bool, program: &Path) -> Command {
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=postgres", "--regid=postgres", "--init-groups"])
        .arg(program)
        .current_dir("/");
    command
}

fn tool(name: &str) -> Command {
    Command::new(bin(name))
}

/// `POSTGRES_BIN` says where the server's programs are; Debian keeps them by version, of which the newest is taken;
/// elsewhere they may be on the path.
fn bin(name: &str) -> PathBuf {
    let named = std::env::var_os("POSTGRES_BIN").map(PathBuf::from);
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut of_debian: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    of_debian.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places =
        named.into_iter().chain(of_debian.into_iter().rev()).chain(std::env::split_paths(&path));
    places.map(|folder| folder.join(name)).find(|program| program.exists()).expect(
        "PostgreSQL is needed for this test: `scripts/setup test` installs it (Debian package postgresql), and \
         POSTGRES_BIN says where its programs are",
    )
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
