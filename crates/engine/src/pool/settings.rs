//! What the owner decides about engines.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rules::Variant;

/// What the owner decides about engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolSettings {
    /// Installed engines, the usual one first.
    pub engines: Vec<EngineSettings>,
    /// Searches at once; 0 for one less than the machine has cores.
    pub workers: usize,
    /// Memory for positions an engine has seen, in megabytes, for each search at once.
    pub hash_mb: usize,
    /// All the memory a process of an engine may take, in megabytes.
    pub memory_mb: usize,
    /// No search takes longer.
    pub longest: Duration,
    /// Questions that may wait, besides those of players.
    pub queue: usize,
    /// The command that locks an engine in: what it is called with is the command of the engine. Empty for none.
    pub jail: Vec<OsString>,
}

impl Default for PoolSettings {
    fn default() -> Self {
        PoolSettings {
            engines: Vec::new(),
            workers: 0,
            hash_mb: 64,
            memory_mb: 1024,
            longest: Duration::from_mins(5),
            queue: 1_000,
            jail: Vec::new(),
        }
    }
}

impl PoolSettings {
    /// Searches at once: at least one, and where nothing is said one core is left for the club.
    pub fn seats(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.workers > 0 { self.workers } else { cores().saturating_sub(1).max(1) }
    }
}

/// An installed engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    /// What it is called here.
    pub key: String,
    /// The program.
    pub program: PathBuf,
    /// What it is called with.
    pub arguments: Vec<OsString>,
    /// The games it knows; of Defender the second phase.
    pub variants: Vec<Variant>,
    /// Files and folders of its own that it may read, such as networks.
    pub files: Vec<PathBuf>,
    /// Options the owner has set; only those of [`crate::uci::OWNERS_OPTIONS`] are sent.
    pub options: Vec<(String, String)>,
}

impl EngineSettings {
    /// A program that knows chess.
    pub fn new(key: &str, program: impl Into<PathBuf>) -> EngineSettings {
        EngineSettings {
            key: key.to_owned(),
            program: program.into(),
            arguments: Vec::new(),
            variants: vec![Variant::Standard, Variant::Chess960, Variant::Defender],
            files: Vec::new(),
            options: Vec::new(),
        }
    }
}

/// Where Debian puts games, which is often not on the path of a service.
const ALSO: [&str; 3] = ["/usr/games", "/usr/local/games", "/usr/local/bin"];

/// Finds a program on the path, and where games are installed.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(ALSO.iter().map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|program| is_program(program))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
