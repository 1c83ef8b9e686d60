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
    static PORT: OnceLock<u16> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let port = *PORT.get_or_init(start);
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

fn start() -> u16 {
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
    port
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

/// Debian keeps the server's programs by version; the newest is taken.
fn bin(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        versions.map(|entry| entry.path().join("bin").join(name)).filter(|p| p.exists()).collect();
    found.sort();
    found.pop().expect(
        "PostgreSQL is needed for this test: `make setup` installs it (Debian package postgresql)",
    )
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
