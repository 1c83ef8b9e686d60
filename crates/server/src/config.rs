//! What the application needs to know from its configuration. Reading it from files and flags is `cli`'s business.

mod accounts;
mod engines;

use serde::{Deserialize, Serialize};

use crate::accounts::InstanceKey;
use crate::lobby::queue::QueueSettings;
use crate::networks::Networks;
pub use accounts::{
    AccountsConfig, ActivationPolicy, Argon2Config, CaptchaPolicy, ChatPolicy, EmailPolicy,
    PasswordProfile, SignUpPolicy,
};
pub use engines::{BadEngineSettings, BotsConfig, EnginesConfig, InstalledEngine};

/// Limits that keep one client from harming the others.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The largest request body in bytes.
    pub body_bytes: usize,
    /// How long a request may take in seconds.
    pub request_seconds: u64,
    /// Connections at once.
    pub connections: usize,
    /// Connections at once from one address; 0 for no limit of their own.
    pub connections_per_address: usize,
    /// Changing requests and new sockets a minute from one address; 0 for no limit.
    pub requests_per_minute: u32,
    /// Messages a second on one socket; 0 for no limit, none for the usual one.
    pub messages_per_second: Option<i64>,
    /// New genomes and presets that guests may store in a day from one address; 0 for no limit.
    pub guest_texts_per_day: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 64 * 1024,
            request_seconds: 30,
            connections: 20_000,
            connections_per_address: 500,
            requests_per_minute: 600,
            messages_per_second: None,
            guest_texts_per_day: 1_000,
        }
    }
}

/// How the application shows itself.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq, Default)]
#[serde(default, deny_unknown_fields)]
pub struct WebConfig {
    /// The address people use, `https://chess.example.org`; needed behind a reverse proxy. Empty: as the request says.
    pub public_url: String,
    /// Whether `/metrics` answers.
    pub metrics: bool,
    /// Reverse proxies whose word on a client's address (`X-Forwarded-For`, `Forwarded`) counts.
    pub trusted_proxies: Networks,
}

/// The mail server. Without one nothing is sent, and nothing that would need a mail is asked for.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct MailConfig {
    /// The host that takes our mails; empty for no mail.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// How the line is secured.
    pub tls: MailTls,
    /// A file with the certificate of an authority of one's own (PEM), besides those the system trusts; empty for none.
    pub authority: String,
    /// The name to log in with; empty for none.
    pub user: String,
    /// The password to log in with.
    pub password: String,
    /// The address mails come from, `Rook End <chess@example.org>`.
    pub from: String,
}

impl Default for MailConfig {
    fn default() -> Self {
        MailConfig {
            server: String::new(),
            port: 587,
            tls: MailTls::Starttls,
            authority: String::new(),
            user: String::new(),
            password: String::new(),
            from: String::new(),
        }
    }
}

/// Notifications in browsers, by the push service that each browser brings along.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct PushConfig {
    /// Whether browsers may be told. Push services are on the Internet; a club without it can do without them.
    pub enabled: bool,
    /// Whom a push service can ask about us: `mailto:…` or `https://…`. Empty: the sender of our mails, or our address.
    pub contact: String,
    /// Whether push services on this machine or its network may be used, also without https: for tests.
    pub local_services: bool,
}

impl Default for PushConfig {
    fn default() -> Self {
        PushConfig { enabled: true, contact: String::new(), local_services: false }
    }
}

/// How the line to the mail server is secured.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum MailTls {
    /// Plain at first, then always encrypted: port 587.
    Starttls,
    /// Encrypted from the first byte: port 465.
    Tls,
    /// Never encrypted: for a mail server on the same machine.
    None,
}

impl MailTls {
    /// The choice in the word it has in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            MailTls::Starttls => "starttls",
            MailTls::Tls => "tls",
            MailTls::None => "none",
        }
    }
}

/// All settings the application takes.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Limits.
    pub limits: Limits,
    /// How it shows itself.
    pub web: WebConfig,
    /// The mail server.
    pub mail: MailConfig,
    /// Notifications in browsers.
    pub push: PushConfig,
    /// Accounts.
    pub accounts: AccountsConfig,
    /// How ratings are computed, for all pools or for some.
    pub ratings: ratings::Pools,
    /// The classes by rating.
    pub titles: ratings::TitleClasses,
    /// The lobby.
    pub lobby: LobbyConfig,
    /// The game library.
    pub library: LibraryConfig,
    /// Connected accounts.
    pub connections: ConnectionsConfig,
    /// Games.
    pub games: GamesConfig,
    /// Engines.
    pub engines: EnginesConfig,
    /// Opponents that are engines.
    pub bots: BotsConfig,
    /// The command that locks an engine in; empty for none.
    pub jail: Vec<std::ffi::OsString>,
    /// The secret of this instance. Without one it lasts until the next start, and second factors with it.
    pub instance_key: Option<InstanceKey>,
}

/// The game library: where its index lies, and how much one file may be.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct LibraryConfig {
    /// The folder of the index and of files on their way in; without one it lasts as long as the process.
    #[serde(skip)]
    pub folder: Option<std::path::PathBuf>,
    /// The largest file that may be brought, in bytes.
    pub upload_bytes: u64,
    /// The most that a file may become when it is unpacked, in bytes.
    pub unpacked_bytes: u64,
    /// How many games one person may have out of files.
    pub games_per_person: u64,
    /// How many files one person may bring within 24 hours.
    pub imports_per_day: u32,
    /// After so many hours an import is given up; what came in until then stays.
    pub import_hours: u32,
}

impl Default for LibraryConfig {
    fn default() -> Self {
        LibraryConfig {
            folder: None,
            upload_bytes: 4 << 30,
            unpacked_bytes: 32 << 30,
            games_per_person: 5_000_000,
            imports_per_day: 200,
            import_hours: 24,
        }
    }
}

/// Accounts at other sites that members may connect.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct ConnectionsConfig {
    /// Whether members may connect accounts at all.
    pub enabled: bool,
    /// Where lichess.org is asked; empty for not at all.
    pub lichess: String,
    /// Where chess.com is asked; empty for not at all.
    pub chesscom: String,
    /// How many hours apart the sites are asked for new games.
    pub every_hours: u32,
    /// How the sites can reach the club's owner, told to them with every question; empty for the club's address.
    pub contact: String,
}

impl Default for ConnectionsConfig {
    fn default() -> Self {
        ConnectionsConfig {
            enabled: true,
            lichess: "https://lichess.org".to_owned(),
            chesscom: "https://api.chess.com".to_owned(),
            every_hours: 12,
            contact: String::new(),
        }
    }
}

/// Games: how they are shown.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct GamesConfig {
    /// How many seconds later watchers see a running game; 0 for at once. Players always see it at once.
    pub watch_delay_seconds: u32,
}

/// The lobby: how long challenges wait for somebody, and how the queue pairs.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct LobbyConfig {
    /// How many days a challenge by link stays open.
    pub link_days: u32,
    /// How many hours a challenge to one player stays open.
    pub direct_hours: u32,
    /// How many minutes a seek stays open.
    pub seek_minutes: u32,
    /// How many seconds a seek outlives its maker's last open page.
    pub seek_grace_seconds: u32,
    /// How many seconds a place in the queue is kept for somebody who has closed the page.
    pub queue_grace_seconds: u32,
    /// How the queue pairs.
    pub queue: QueueSettings,
}

impl Default for LobbyConfig {
    fn default() -> Self {
        LobbyConfig {
            link_days: 7,
            direct_hours: 24,
            seek_minutes: 30,
            seek_grace_seconds: 20,
            queue_grace_seconds: 10,
            queue: QueueSettings::default(),
        }
    }
}
