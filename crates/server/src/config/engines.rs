//! Settings of engines and of the opponents they make.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use engine::pool::{EngineSettings, PoolSettings, find_program};
use rules::Variant;
use serde::{Deserialize, Serialize};

/// Engines: who analyses and plays besides the built-in one.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct EnginesConfig {
    /// Whether installed engines are used. Without them the built-in one does everything.
    pub enabled: bool,
    /// Searches at once; 0 for one less than the machine has cores.
    pub workers: usize,
    /// Megabytes in which an engine remembers positions, for each search at once.
    pub hash_mb: usize,
    /// Megabytes that a process of an engine may take in all.
    pub memory_mb: usize,
    /// The longest search in seconds.
    pub longest_seconds: u64,
    /// Installed engines, the usual one first; empty for Stockfish where it is installed.
    pub installed: Vec<InstalledEngine>,
}

impl Default for EnginesConfig {
    fn default() -> Self {
        let usual = PoolSettings::default();
        EnginesConfig {
            enabled: true,
            workers: usual.workers,
            hash_mb: usual.hash_mb,
            memory_mb: usual.memory_mb,
            longest_seconds: usual.longest.as_secs(),
            installed: Vec::new(),
        }
    }
}

/// An engine that is a program of its own and speaks UCI.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct InstalledEngine {
    /// What it is called here.
    pub name: String,
    /// The program; a bare name is looked for on the path.
    pub path: PathBuf,
    /// What it is called with.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The games it knows: `standard`, `chess960`, and `defender` for its second phase.
    #[serde(default = "chess")]
    pub variants: Vec<Variant>,
    /// Files and folders of its own that it may read, such as networks and tablebases.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// Its options, of those that may be set.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

fn chess() -> Vec<Variant> {
    vec![Variant::Standard, Variant::Chess960, Variant::Defender]
}

/// Why the settings of engines cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadEngineSettings {
    /// Two would answer to one name.
    #[error("two engines are called {0:?}")]
    SameName(String),
    /// An engine would be ended as soon as it takes what it was told to take.
    #[error(
        "engines.hash_mb is {hash_mb}, but a process of an engine may take {memory_mb} MB in all: raise engines.memory_mb above it, or lower engines.hash_mb"
    )]
    Memory {
        /// For positions it has seen.
        hash_mb: usize,
        /// In all.
        memory_mb: usize,
    },
    /// An option nobody may set, or a value that is none.
    #[error("the option {option:?} of the engine {engine:?} cannot be set; allowed are: {allowed}", allowed = engine::uci::OWNERS_OPTIONS.join(", "))]
    Option {
        /// Whose.
        engine: String,
        /// Which.
        option: String,
    },
}

impl EnginesConfig {
    /// What the pool of engines takes of it. `jail` is the command that locks an engine in.
    pub fn pool_settings(&self, jail: Vec<OsString>) -> Result<PoolSettings, BadEngineSettings> {
        let mut engines: Vec<EngineSettings> = Vec::new();
        for installed in self.installed.iter().filter(|_| self.enabled) {
            let engine = installed.settings()?;
            if engines.iter().any(|other| other.key == engine.key) {
                return Err(BadEngineSettings::SameName(engine.key));
            }
            engines.push(engine);
        }
        if self.enabled && self.installed.is_empty() {
            let found = find_program("stockfish");
            engines.extend(found.map(|program| EngineSettings::new("stockfish", program)));
        }
        let hash_mb = self.hash_mb.clamp(1, 65_536);
        let memory_mb = self.memory_mb.max(64);
        if self.enabled && hash_mb >= memory_mb {
            return Err(BadEngineSettings::Memory { hash_mb, memory_mb });
        }
        Ok(PoolSettings {
            engines,
            workers: self.workers,
            hash_mb,
            memory_mb,
            longest: Duration::from_secs(self.longest_seconds.clamp(1, 24 * 3_600)),
            jail,
            ..PoolSettings::default()
        })
    }
}

impl InstalledEngine {
    fn settings(&self) -> Result<EngineSettings, BadEngineSettings> {
        let is_allowed = |(name, value): &(&String, &String)| engine::uci::is_allowed(name, value);
        if let Some((option, _)) = self.options.iter().find(|option| !is_allowed(option)) {
            let (engine, option) = (self.name.clone(), option.clone());
            return Err(BadEngineSettings::Option { engine, option });
        }
        let bare = self.path.to_str().filter(|path| !path.contains('/'));
        let program = bare.and_then(find_program).unwrap_or_else(|| self.path.clone());
        Ok(EngineSettings {
            key: self.name.clone(),
            program,
            arguments: self.arguments.iter().map(OsString::from).collect(),
            variants: self.variants.clone(),
            files: self.files.clone(),
            options: self.options.clone().into_iter().collect(),
        })
    }
}

/// Opponents that are engines.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct BotsConfig {
    /// Whether there are any.
    pub enabled: bool,
    /// Whether they play games that count.
    pub rated: bool,
    /// Seconds after which one plays with somebody in quick pairing who would like a computer too; 0 for never.
    pub queue_seconds: u32,
    /// Seconds after which one accepts an open casual seek for a live game; 0 for never.
    pub seek_seconds: u32,
}

impl Default for BotsConfig {
    fn default() -> Self {
        BotsConfig { enabled: true, rated: false, queue_seconds: 15, seek_seconds: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &str, option: &str) -> InstalledEngine {
        InstalledEngine {
            name: name.to_owned(),
            path: "/opt/engine".into(),
            arguments: Vec::new(),
            variants: chess(),
            files: Vec::new(),
            options: [(option.to_owned(), "1".to_owned())].into(),
        }
    }

    #[test]
    fn engines_have_names_of_their_own_and_only_harmless_options() {
        let check = |installed: Vec<InstalledEngine>, expected: Option<BadEngineSettings>| {
            let config = EnginesConfig { installed, ..EnginesConfig::default() };
            assert_eq!(config.pool_settings(Vec::new()).err(), expected);
        };
        let (good, log) = ("Move Overhead", "Debug Log File");
        check(vec![engine("a", good), engine("b", good)], None);
        let same = BadEngineSettings::SameName("a".to_owned());
        check(vec![engine("a", good), engine("a", good)], Some(same));
        let (engine_name, option) = ("a".to_owned(), log.to_owned());
        let bad = BadEngineSettings::Option { engine: engine_name, option };
        check(vec![engine("a", log)], Some(bad));
    }

    #[test]
    fn an_engine_is_not_told_to_take_more_memory_than_it_may() {
        let check = |hash_mb, memory_mb, expected: Option<BadEngineSettings>| {
            let config = EnginesConfig { hash_mb, memory_mb, ..EnginesConfig::default() };
            assert_eq!(config.pool_settings(Vec::new()).err(), expected);
        };
        check(64, 1_024, None);
        let (hash_mb, memory_mb) = (2_048, 1_024);
        check(hash_mb, memory_mb, Some(BadEngineSettings::Memory { hash_mb, memory_mb }));
    }

    #[test]
    fn switched_off_engines_are_not_even_looked_for() {
        let config = EnginesConfig { enabled: false, ..EnginesConfig::default() };
        assert!(config.pool_settings(Vec::new()).unwrap().engines.is_empty());
    }
}
