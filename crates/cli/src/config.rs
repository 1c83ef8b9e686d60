//! Settings: flags over environment over `rookery.toml` over defaults.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use server::accounts::InstanceKey;
use server::config::{
    AccountsConfig, BotsConfig, ConnectionsConfig, EnginesConfig, GamesConfig, LibraryConfig,
    Limits, LobbyConfig, MailConfig, PushConfig, Settings, WebConfig,
};
use store::Place;

use crate::print_line;

/// Settings that can be given on the command line or in the environment.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Options {
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, env = "ROOKERY_LISTEN", value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// Directory of everything the club remembers [default: ./data]
    #[arg(long, env = "ROOKERY_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// `sqlite` for the embedded database, or `postgres://USER:PASSWORD@HOST/NAME` [default: sqlite]
    #[arg(long, env = "ROOKERY_DATABASE", value_name = "WHICH", hide_env_values = true)]
    database: Option<String>,
    /// The address people use, needed behind a reverse proxy: `https://chess.example.org`
    #[arg(long, env = "ROOKERY_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// Reverse proxies whose word on a client's address counts, with commas between them
    #[arg(long, env = "ROOKERY_TRUSTED_PROXIES", value_name = "ADDRESSES", value_delimiter = ',')]
    trusted_proxies: Option<Vec<String>>,
    /// Answer at /metrics for Prometheus [default: no]
    #[arg(
        long,
        env = "ROOKERY_METRICS",
        value_name = "YES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        value_parser = clap::builder::FalseyValueParser::new()
    )]
    metrics: Option<bool>,
    /// Log as `text`, `json`, or `auto`: text on a terminal, JSON otherwise [default: auto]
    #[arg(long, env = "ROOKERY_LOG_FORMAT", value_name = "FORMAT")]
    log_format: Option<LogFormat>,
    /// What to log: error, warn, info, debug, or a filter such as `server=debug` [default: info]
    #[arg(long, env = "ROOKERY_LOG", value_name = "FILTER")]
    log: Option<String>,
    /// Changing requests a minute from one address; 0 for no limit [default: 600]
    #[arg(long, env = "ROOKERY_REQUESTS_PER_MINUTE", value_name = "N")]
    requests_per_minute: Option<u32>,
    /// Messages a second on one socket; 0 for no limit [default: 20]
    #[arg(long, env = "ROOKERY_MESSAGES_PER_SECOND", value_name = "N")]
    messages_per_second: Option<i64>,
    /// Password for the mail server of the settings file
    #[arg(long, env = "ROOKERY_MAIL_PASSWORD", value_name = "SECRET", hide_env_values = true)]
    mail_password: Option<String>,
    /// The instance's key in base64 [default: the file instance.key in the data directory]
    #[arg(
        long,
        env = "ROOKERY_INSTANCE_KEY",
        value_name = "KEY",
        hide_env_values = true,
        hide = true
    )]
    instance_key: Option<String>,
    /// Settings file [default: rookery.toml in the data directory, if there is one]
    #[arg(long, env = "ROOKERY_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// How logs look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// Text on a terminal, JSON otherwise.
    #[default]
    Auto,
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) listen: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) database: String,
    pub(crate) log_format: LogFormat,
    pub(crate) log: String,
    pub(crate) instance_key: String,
    pub(crate) web: WebConfig,
    pub(crate) limits: Limits,
    pub(crate) mail: MailConfig,
    pub(crate) push: PushConfig,
    pub(crate) accounts: AccountsConfig,
    pub(crate) ratings: ratings::Pools,
    pub(crate) titles: ratings::TitleClasses,
    pub(crate) lobby: LobbyConfig,
    pub(crate) library: LibraryConfig,
    pub(crate) connections: ConnectionsConfig,
    pub(crate) games: GamesConfig,
    pub(crate) engines: EnginesConfig,
    pub(crate) bots: BotsConfig,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: PathBuf::from("./data"),
            database: "sqlite".to_owned(),
            log_format: LogFormat::Auto,
            log: "info".to_owned(),
            web: WebConfig::default(),
            limits: Limits::default(),
            mail: MailConfig::default(),
            push: PushConfig::default(),
            accounts: AccountsConfig::default(),
            ratings: ratings::Pools::default(),
            titles: ratings::TitleClasses::default(),
            instance_key: String::new(),
            lobby: LobbyConfig::default(),
            library: LibraryConfig::default(),
            connections: ConnectionsConfig::default(),
            games: GamesConfig::default(),
            engines: EnginesConfig::default(),
            bots: BotsConfig::default(),
        }
    }
}

impl Options {
    /// Puts the settings together.
    pub(crate) fn resolve(&self) -> anyhow::Result<Config> {
        let mut config = self.read_file()?;
        let given = self.clone();
        config.listen = given.listen.unwrap_or(config.listen);
        config.data = given.data.unwrap_or(config.data);
        config.database = given.database.unwrap_or(config.database);
        if let Some(proxies) = given.trusted_proxies {
            let proxies: Vec<String> =
                proxies.into_iter().filter(|proxy| !proxy.is_empty()).collect();
            config.web.trusted_proxies = proxies.try_into().context("--trusted-proxies")?;
        }
        config.log_format = given.log_format.unwrap_or(config.log_format);
        config.log = given.log.unwrap_or(config.log);
        config.instance_key = given.instance_key.unwrap_or(config.instance_key);
        config.web.public_url = given.public_url.unwrap_or(config.web.public_url);
        config.web.metrics = given.metrics.unwrap_or(config.web.metrics);
        config.limits.requests_per_minute =
            given.requests_per_minute.unwrap_or(config.limits.requests_per_minute);
        config.limits.messages_per_second =
            given.messages_per_second.or(config.limits.messages_per_second);
        config.mail.password = given.mail_password.unwrap_or(config.mail.password);
        config.check()?;
        Ok(config)
    }

    fn read_file(&self) -> anyhow::Result<Config> {
        let beside_data =
            self.data.clone().unwrap_or_else(|| Config::default().data).join("rookery.toml");
        let file = match &self.config {
            Some(file) => file.clone(),
            None if beside_data.exists() => beside_data,
            None => return Ok(Config::default()),
        };
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("the settings file {} cannot be read", file.display()))?;
        toml::from_str(&text)
            .with_context(|| format!("the settings file {} makes no sense", file.display()))
    }
}

impl Config {
    fn check(&self) -> anyhow::Result<()> {
        let url = &self.web.public_url;
        if !url.is_empty() && !url.starts_with("http://") && !url.starts_with("https://") {
            bail!("--public-url begins with http:// or https://, not {url:?}");
        }
        if !self.mail.server.is_empty() && url.is_empty() {
            bail!("mails hold links: with [mail] set, --public-url has to say how they begin");
        }
        self.place().map(drop)
    }

    /// Where the database is.
    pub(crate) fn place(&self) -> anyhow::Result<Place> {
        Place::parse(&self.database, &self.data).context("--database")
    }

    /// What the application takes of it.
    pub(crate) fn settings(&self, key: InstanceKey) -> Settings {
        Settings {
            limits: self.limits.clone(),
            web: self.web.clone(),
            mail: self.mail.clone(),
            push: self.push.clone(),
            accounts: self.accounts.clone(),
            ratings: self.ratings.clone(),
            titles: self.titles.clone(),
            lobby: self.lobby.clone(),
            library: self.library_settings(),
            connections: self.connections.clone(),
            games: self.games.clone(),
            engines: self.engines.clone(),
            bots: self.bots.clone(),
            jail: crate::jail::command(),
            instance_key: Some(key),
        }
    }

    /// The library, with its folder among the data.
    pub(crate) fn library_settings(&self) -> LibraryConfig {
        LibraryConfig { folder: Some(self.data.join("library")), ..self.library.clone() }
    }

    /// Where copies of older data go.
    pub(crate) fn backups(&self) -> PathBuf {
        Path::new(&self.data).join("backups")
    }

    /// The settings with the secrets covered.
    fn masked(mut self) -> Config {
        if !self.mail.password.is_empty() {
            "***".clone_into(&mut self.mail.password);
        }
        self.database = masked_address(&self.database);
        if !self.instance_key.is_empty() {
            "***".clone_into(&mut self.instance_key);
        }
        self
    }
}

/// The address of a database without its user and password, wherever they stand in it.
fn masked_address(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let masked = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if name.to_ascii_lowercase().ends_with("password") => format!("{name}=***"),
        _ => pair.to_owned(),
    };
    let pairs: Vec<String> = rest.split('&').map(masked).collect();
    let rest = pairs.join("&");
    match rest.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}"),
        None => format!("{scheme}://{rest}"),
    }
}

/// What can be done with settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the settings in force, secrets covered
    Show {
        /// As JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        options: Box<Options>,
    },
}

pub(crate) fn show(command: &ConfigCommand) -> anyhow::Result<ExitCode> {
    let ConfigCommand::Show { json, options } = command;
    let config = options.resolve()?.masked();
    let text =
        if *json { serde_json::to_string_pretty(&config)? } else { toml::to_string(&config)? };
    print_line(text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_file(text: &str) -> (tempfile::TempDir, Options) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rookery.toml"), text).unwrap();
        let options = Options { data: Some(folder.path().to_owned()), ..Options::default() };
        (folder, options)
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let (_folder, mut options) =
            in_file("listen = \"127.0.0.1:9000\"\n[limits]\nrequests_per_minute = 5\n");
        let config = options.resolve().unwrap();
        assert_eq!(config.listen.port(), 9000);
        assert_eq!(config.limits.requests_per_minute, 5);
        assert_eq!(config.limits.body_bytes, Limits::default().body_bytes);
        options.listen = Some("127.0.0.1:9001".parse().unwrap());
        assert_eq!(options.resolve().unwrap().listen.port(), 9001);
    }

    #[test]
    fn a_misspelt_setting_is_an_error_that_names_it() {
        let (_folder, options) = in_file("listne = \"127.0.0.1:9000\"\n");
        let error = format!("{:#}", options.resolve().unwrap_err());
        assert!(error.contains("listne"), "{error}");
    }

    #[test]
    fn passwords_are_never_shown() {
        let mail = MailConfig { password: "s3cret".to_owned(), ..MailConfig::default() };
        let config = Config {
            database: "postgres://club:s3cret@db/rookery".to_owned(),
            mail,
            ..Config::default()
        };
        let shown = serde_json::to_string(&config.masked()).unwrap();
        assert!(
            !shown.contains("s3cret") && shown.contains("postgres://***@db/rookery"),
            "{shown}"
        );
        assert_eq!(
            masked_address("postgres://db/rookery?user=club&password=s3cr@t&sslmode=require"),
            "postgres://db/rookery?user=club&password=***&sslmode=require"
        );
        assert_eq!(
            masked_address("postgres://db/rookery?password=s3cret"),
            "postgres://db/rookery?password=***"
        );
        assert_eq!(masked_address("postgres://club:s3cret@db/a?x"), "postgres://***@db/a?x");
        assert_eq!(masked_address("sqlite"), "sqlite");
    }

    #[test]
    fn metrics_that_the_file_switches_on_can_be_switched_off() {
        let (_folder, mut options) = in_file("[web]\nmetrics = true\n");
        assert!(options.resolve().unwrap().web.metrics);
        options.metrics = Some(false);
        assert!(!options.resolve().unwrap().web.metrics);
    }

    /// The example with the `#` taken away, but for the lines that show what is not there by default.
    fn example() -> String {
        let mut is_extra = false;
        let wanted = |line: &&str| {
            if line.starts_with('[') || line.starts_with("#[") {
                is_extra = line.starts_with("#[");
            }
            !is_extra
        };
        let bare = |line: &'static str| match line.strip_prefix('#') {
            Some(rest) if !rest.starts_with(' ') => rest,
            _ => line,
        };
        let lines = include_str!("../../../packaging/rookery.toml").lines();
        lines.filter(wanted).map(bare).collect::<Vec<_>>().join("\n")
    }

    /// The names of settings that `example` lacks; lists need not be there.
    fn missing(settings: &toml::Table, example: &toml::Table) -> Vec<String> {
        let below = |(name, value): (&String, &toml::Value)| match (value, example.get(name)) {
            (toml::Value::Table(inner), Some(toml::Value::Table(shown))) => missing(inner, shown),
            (toml::Value::Array(_), _) | (_, Some(_)) => Vec::new(),
            (toml::Value::Table(inner), None) if inner.is_empty() => Vec::new(),
            (_, None) => vec![name.clone()],
        };
        settings.iter().flat_map(below).collect()
    }

    #[test]
    fn the_example_file_has_every_setting_with_its_default() {
        let mut shown: Config = toml::from_str(&example()).unwrap();
        // The usual number stands in `live`; none in the settings means that one.
        assert_eq!(shown.limits.messages_per_second.take(), Some(20));
        assert_eq!(shown, Config::default());
        let settings = toml::Table::try_from(Config::default()).unwrap();
        assert_eq!(missing(&settings, &example().parse().unwrap()), Vec::<String>::new());
    }
}
