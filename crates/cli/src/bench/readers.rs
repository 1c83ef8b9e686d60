//! Other programs that read PGN, to compare with where they are installed: their processor time for the same file.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context as _, bail};

use super::process::children_cpu_micros;

/// Where Debian puts programs about games, which not every `PATH` has.
const GAMES: &str = "/usr/games";

/// Games that python-chess reads: it takes minutes for what others do in a second.
pub(super) const PYTHON_GAMES: u64 = 2_000;
const PYTHON: &str = "
import sys, chess.pgn
for _ in range(int(sys.argv[1])):
    if chess.pgn.read_game(sys.stdin) is None: break
";

/// What became of a comparison: microseconds, or why there are none.
pub(super) type Compared = Result<u64, &'static str>;

/// pgn-extract plays every move of every game on its board and writes nothing (`-r`).
pub(super) fn pgn_extract(plain: impl Read + Send) -> anyhow::Result<Compared> {
    let Some(program) = find("pgn-extract") else { return Ok(Err("pgn-extract is not installed")) };
    let mut command = Command::new(program);
    command.args(["-s", "-r"]);
    cpu_of(command, plain).map(Ok)
}

/// python-chess reads the first games, each move checked.
pub(super) fn python_chess(plain: impl Read + Send) -> anyhow::Result<Compared> {
    const MISSING: Compared = Err("python-chess is not installed");
    let Some(program) = find("python3") else { return Ok(MISSING) };
    let known =
        Command::new(&program).args(["-c", "import chess.pgn"]).stderr(Stdio::null()).status();
    if !known.is_ok_and(|status| status.success()) {
        return Ok(MISSING);
    }
    let mut command = Command::new(program);
    command.args(["-c", PYTHON]).arg(PYTHON_GAMES.to_string());
    cpu_of(command, plain).map(Ok)
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).chain([PathBuf::from(GAMES)]);
    places.find_map(|place| Some(place.join(program)).filter(|program| is_file(program)))
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file())
}

/// Hands the text to a program and gives the processor time it took.
fn cpu_of(mut command: Command, mut plain: impl Read + Send) -> anyhow::Result<u64> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = children_cpu_micros()?;
    let mut child = command.spawn().context("a reader to compare with cannot be started")?;
    let mut stdin = child.stdin.take().context("its input was asked for")?;
    let status = thread::scope(|scope| {
        // It may have enough before the text ends.
        scope.spawn(move || io::copy(&mut plain, &mut stdin));
        child.wait()
    })?;
    if !status.success() {
        bail!("a reader to compare with ended with {status}");
    }
    Ok(children_cpu_micros()? - before)
}
