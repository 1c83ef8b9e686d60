//! An engine that misbehaves on request, and the jail for it: `trial-engine MODE TAG`, `trial-engine jail … -- PROGRAM`;
//! and what systemd leaves of the system by a unit: `trial-engine unit FILE jail …`.
//!
//! Only tests use it. What a mode does wrong is said at its arm below; all of them greet as an engine should first,
//! unless that is what they do wrong. The tag is for the tests to find what is left of it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an engine talks, and this one may fail"
)]

use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::Command;
use std::thread;

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let mode = arguments.next().expect("a mode").into_string().expect("a mode in letters");
    let mode = if mode == "unit" {
        enter_unit(&PathBuf::from(arguments.next().expect("a unit")));
        arguments.next().expect("a mode").into_string().expect("a mode in letters")
    } else {
        mode
    };
    if mode == "jail" {
        enter_jail(arguments);
    }
    let tag = arguments.next().expect("a tag").into_string().expect("a tag in letters");
    match mode.as_str() {
        "crash_at_start" => std::process::exit(1),
        "mute" => idle(),
        _ => {}
    }
    let mut games = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        match line.split_whitespace().next() {
            // It cannot be made weaker.
            Some("uci") if mode == "no_skill" => say("id name Trial\nuciok"),
            Some("uci") => {
                say(
                    "id name Trial\noption name MultiPV type spin\noption name Skill Level type spin\nuciok",
                );
            }
            Some("isready") => say("readyok"),
            Some("ucinewgame") => games += 1,
            // Tells how many new games it has heard of, by a pawn.
            Some("go") if mode == "counts_games" => {
                let file = ["a", "b", "c", "d"].get(games).expect("not so many games");
                say(&format!("bestmove {file}2{file}3"));
            }
            Some("go") => go(&mode, &tag),
            Some("stop") if mode == "patient" => say("bestmove e2e4"),
            Some("quit") => return,
            _ => {}
        }
    }
}

fn go(mode: &str, tag: &str) {
    match mode {
        "good" | "no_skill" => say("info depth 1 score cp 20 nodes 20 pv e2e4\nbestmove e2e4"),
        // Answers twice: the second one would be taken for the answer to the next question.
        "answers_twice" => say("bestmove e2e4\nbestmove e2e5"),
        // Searches until it is told to stop.
        "patient" => say("info depth 1 score cp 20 nodes 20 pv e2e4"),
        // Never says anything.
        "silent" => idle(),
        "crash" => std::process::exit(1),
        "illegal" => say("bestmove e2e5"),
        "illegal_line" => say("info depth 1 score cp 20 pv e2e5\nbestmove e2e4"),
        "no_move" => say("bestmove (none)"),
        "garbage" => say("bestmove \u{0}\u{7f}\u{fffd}"),
        "endless_info" => loop {
            say("info depth 1 score cp 20 nodes 20 pv e2e4");
        },
        "long_line" => say(&"x".repeat(10 * 1024 * 1024)),
        // Keeps on telling lines and hears nothing.
        "ignores_stop" => loop {
            say("info depth 1 score cp 20 nodes 20 pv e2e4");
            pause(20);
        },
        // Leaves a child behind that would live for years.
        "forks" => {
            let child = Command::new("sleep").arg(format!("99999999.{tag}")).spawn();
            say(if child.is_ok() { "info string a child" } else { "info string no child" });
            std::process::exit(1);
        }
        "allocates" => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(vec![1; 1024 * 1024]);
            }
        }
        // Answers well only if there is an end to its threads.
        "threads" => say(if start_threads() { "bestmove free" } else { "bestmove e2e4" }),
        // Answers well only if it can change nothing about a file.
        "meddles" => say(if changes(tag) { "bestmove free" } else { "bestmove e2e4" }),
        // Answers well only if it can reach nothing.
        "pries" => say(if pry(tag) { "bestmove free" } else { "bestmove e2e4" }),
        other => panic!("no mode {other}"),
    }
}

/// Whether more threads could be started than any engine needs.
fn start_threads() -> bool {
    let start = |_| thread::Builder::new().stack_size(16 * 1024).spawn(|| idle()).is_ok();
    (0..3_000).all(start)
}

/// Whether anything could be reached: a file, the network, another process.
fn pry(secret: &str) -> bool {
    let reads = std::fs::read(secret).is_ok();
    let writes = std::fs::write(format!("{secret}.new"), "x").is_ok();
    let lists = std::fs::read_dir("/etc").is_ok();
    let connects = std::net::UdpSocket::bind("127.0.0.1:0").is_ok();
    let listens = std::net::TcpListener::bind("127.0.0.1:0").is_ok();
    let starts = Command::new("/bin/true").spawn().is_ok();
    reads || writes || lists || connects || listens || starts || changes(secret)
}

/// Whether anything about a file could be changed that is not in it: its mode, its owner, its time.
fn changes(secret: &str) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let opens = std::fs::set_permissions(secret, std::fs::Permissions::from_mode(0o600)).is_ok();
    let takes = std::os::unix::fs::chown(secret, None, None).is_ok();
    let leaves = std::os::unix::fs::lchown(secret, None, None).is_ok();
    opens || takes || leaves || touches(secret)
}

#[cfg(target_os = "linux")]
fn touches(secret: &str) -> bool {
    use rustix::fs::{AtFlags, CWD, Mode, Timespec, Timestamps, XattrFlags};
    let long_ago = Timespec { tv_sec: 1, tv_nsec: 0 };
    let times = Timestamps { last_access: long_ago, last_modification: long_ago };
    let dates = rustix::fs::utimensat(CWD, secret, &times, AtFlags::empty()).is_ok();
    let chmods = rustix::fs::chmodat(CWD, secret, Mode::RUSR, AtFlags::empty()).is_ok();
    let refused = Err(rustix::io::Errno::PERM);
    // A file system without attributes refuses too, in other words.
    let marks = rustix::fs::setxattr(secret, "user.trial", b"x", XattrFlags::empty()) != refused;
    let unmarks = rustix::fs::removexattr(secret, "user.trial") != refused;
    dates || chmods || marks || unmarks
}

#[cfg(not(target_os = "linux"))]
fn touches(_secret: &str) -> bool {
    false
}

fn say(text: &str) {
    // A reader that has gone away ends this engine, as it should.
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

#[allow(clippy::disallowed_methods, reason = "a process of its own has only the real clock")]
fn pause(milliseconds: u64) {
    thread::sleep(std::time::Duration::from_millis(milliseconds));
}

fn idle() -> ! {
    loop {
        pause(1_000);
    }
}

/// What matters here of systemd's groups of calls, as version 252 has them: newer ones allow the locks by themselves.
#[cfg(target_os = "linux")]
const GROUPS: [(&str, &[(&str, i64)]); 2] = [
    (
        "@resources",
        &[
            ("setpriority", libc::SYS_setpriority),
            ("setrlimit", libc::SYS_setrlimit),
            ("sched_setaffinity", libc::SYS_sched_setaffinity),
            ("sched_setscheduler", libc::SYS_sched_setscheduler),
            ("ioprio_set", libc::SYS_ioprio_set),
            ("mbind", libc::SYS_mbind),
            ("set_mempolicy", libc::SYS_set_mempolicy),
        ],
    ),
    // In no group of `@system-service`: closed until they are named.
    (
        "",
        &[
            ("landlock_create_ruleset", libc::SYS_landlock_create_ruleset),
            ("landlock_add_rule", libc::SYS_landlock_add_rule),
            ("landlock_restrict_self", libc::SYS_landlock_restrict_self),
            ("seccomp", libc::SYS_seccomp),
        ],
    ),
];

/// Takes the calls away that systemd would take away for a unit: its lines of `SystemCallFilter` in their order.
#[cfg(target_os = "linux")]
fn enter_unit(unit: &std::path::Path) {
    use seccompiler::{SeccompAction, SeccompFilter};
    let mut closed: std::collections::BTreeMap<i64, Vec<seccompiler::SeccompRule>> =
        GROUPS[1].1.iter().map(|(_, call)| (*call, Vec::new())).collect();
    let text = std::fs::read_to_string(unit).unwrap();
    for line in text.lines().filter_map(|line| line.strip_prefix("SystemCallFilter=")) {
        let (words, closes) = line.strip_prefix('~').map_or((line, false), |rest| (rest, true));
        for word in words.split_whitespace() {
            let all = GROUPS.iter().flat_map(|(group, calls)| {
                calls.iter().filter(move |(name, _)| *group == word || *name == word)
            });
            for (_, call) in all {
                if closes {
                    closed.insert(*call, Vec::new());
                } else {
                    closed.remove(call);
                }
            }
        }
    }
    let refuse = SeccompAction::Errno(u32::try_from(libc::EPERM).unwrap());
    let machine = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(closed, SeccompAction::Allow, refuse, machine).unwrap();
    let filter: seccompiler::BpfProgram = filter.try_into().unwrap();
    seccompiler::apply_filter(&filter).unwrap();
}

#[cfg(not(target_os = "linux"))]
fn enter_unit(_unit: &std::path::Path) {}

fn enter_jail(mut arguments: impl Iterator<Item = std::ffi::OsString>) -> ! {
    let (mut memory_mb, mut files) = (256, Vec::new());
    let program = loop {
        match arguments.next().expect("a program").to_str() {
            Some("--memory-mb") => {
                memory_mb = arguments.next().unwrap().to_str().unwrap().parse().unwrap();
            }
            Some("--read") => files.push(PathBuf::from(arguments.next().unwrap())),
            Some("--") => break PathBuf::from(arguments.next().unwrap()),
            other => panic!("what is {other:?}?"),
        }
    };
    let arguments = arguments.collect();
    let inmate = engine::jail::Inmate { program, arguments, files, memory_mb };
    let Err(error) = engine::jail::enter(&inmate);
    panic!("{error}");
}
