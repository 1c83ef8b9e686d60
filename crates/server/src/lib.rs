//! The application: one folder per subject, HTTP, the socket, jobs.
//!
//! There is no SQL here and no rule of chess: `store` remembers, `rules` judges. Time and chance come in by [`world`].

pub mod accounts;
pub mod administration;
pub mod analysis;
pub mod arbiter;
pub mod bots;
pub mod config;
pub mod connections;
pub mod correspondence;
pub mod defender;
pub mod games;
pub mod gmo;
pub mod http;
pub mod library;
mod line;
pub mod live;
pub mod lobby;
pub mod mail;
pub mod networks;
pub mod one_computer;
mod outbox;
mod pictures;
pub mod players;
pub mod push;
pub mod reminders;
pub mod room;
mod storage_watch;
pub mod tournaments;
pub mod world;

use std::sync::Arc;

use engine::pool::Pool;
use store::{AccountId, Store, StoreError};
use tokio::net::TcpListener;
use tokio::sync::watch;

use accounts::{Accounts, Ground, InstanceKey};
use administration::{Administration, AdministrationError};
use analysis::Analysis;
use arbiter::ArbiterDesk;
use bots::Bots;
use config::Settings;
use connections::Connections;
use correspondence::Correspondence;
use correspondence::clock_guard::Bureau;
use defender::Defender;
use games::Games;
use gmo::{Gmo, LookKey};
use http::{AppState, Doors, Heavy, Metrics, Rate};
use library::{Library, LibraryError};
use live::Live;
use lobby::Lobby;
use mail::Mail;
use one_computer::OneComputer;
use players::Players;
use push::Push;
use reminders::Reminders;
use room::Disk;
use tournaments::Tournaments;
use world::World;

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The lobby cannot be opened.
    #[error(transparent)]
    Lobby(#[from] lobby::LobbyError),
    /// The policy cannot be read.
    #[error(transparent)]
    Policy(#[from] AdministrationError),
    /// The settings name a mail server that cannot be used.
    #[error(transparent)]
    Mail(#[from] mail::BadMailSettings),
    /// The game library cannot be opened.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The settings name engines that cannot be used.
    #[error(transparent)]
    Engines(#[from] config::BadEngineSettings),
}

/// A server, built and ready to listen.
pub struct Server {
    app: AppState,
    router: axum::Router,
    doors: Doors,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Builds the application on an open store and brings the running games back.
    pub async fn start(
        store: Store,
        world: World,
        settings: Settings,
    ) -> Result<Server, StartError> {
        let Settings {
            limits,
            web,
            mail,
            push,
            accounts: policy,
            ratings,
            titles,
            lobby,
            games,
            library,
            instance_key,
            ..
        } = settings;
        let engines = Pool::start(settings.engines.pool_settings(settings.jail)?);
        let metrics = Arc::new(Metrics::new());
        let instance_key = instance_key.unwrap_or_else(|| InstanceKey::draw(&world.chance));
        let looks = LookKey::of_instance(&instance_key);
        let disk = Disk::of(library.folder.clone());
        let games = {
            let (metrics, looks) = (metrics.games.clone(), looks.clone());
            Games::start(store.clone(), world.clone(), metrics, ratings, &games, looks).await?
        };
        let gmo = {
            let (store, world, games) = (store.clone(), world.clone(), games.clone());
            Gmo::new(store, world, games, looks.clone(), limits.guest_texts_per_day)
        };
        let site = web.public_url.trim_end_matches('/').to_owned();
        let address = site.clone();
        let library = Library::start(store.clone(), world.clone(), &games, library, site).await?;
        let connections = Connections::start(
            store.clone(),
            world.clone(),
            library.clone(),
            instance_key.clone(),
            &settings.connections,
            &address,
        );
        let lobby = Lobby::start(store.clone(), world.clone(), games.clone(), lobby).await?;
        let analysis = Analysis::start(
            store.clone(),
            world.clone(),
            games.clone(),
            engines.clone(),
            metrics.searches.clone(),
        );
        let tournaments =
            Tournaments::start(store.clone(), world.clone(), games.clone(), lobby.clone()).await?;
        let live = Live::new(
            games.clone(),
            lobby.clone(),
            analysis.clone(),
            tournaments.clone(),
            world.clone(),
            metrics.open_sockets.clone(),
        );
        let bots = Bots::start(
            store.clone(),
            world.clone(),
            games.clone(),
            &lobby,
            engines.clone(),
            settings.bots,
        )
        .await?;
        let defender =
            Defender::start(store.clone(), world.clone(), games.clone(), engines.clone()).await?;
        storage_watch::start(store.clone(), world.clone(), live.clone());
        let players = {
            let lobby = lobby.clone();
            let bell = games.bell().clone();
            let is_online = Arc::new(move |id: AccountId| {
                lobby.is_online(id) || (id.bot_level().is_some() && bell.is_answered())
            });
            let pools = games.pools().clone();
            Players::new(store.clone(), world.clone(), pools, titles, is_online, looks)
        };
        let contact = push_contact(&push.contact, &mail.from, &web.public_url);
        let mail = Mail::start(store.clone(), world.clone(), &mail)?;
        let bureau =
            Bureau { store: store.clone(), mail: mail.clone(), site: accounts::site(&web) };
        let correspondence =
            Correspondence::start(world.clone(), games.clone(), lobby.clone(), bureau);
        let arbiter_desk =
            ArbiterDesk::new(store.clone(), world.clone(), games.clone(), tournaments.clone());
        let push =
            Push::start(store.clone(), world.clone(), &push, &instance_key, &contact).await?;
        let reminders = Reminders::start(reminders::Ground {
            store: store.clone(),
            world: world.clone(),
            games: games.clone(),
            lobby: lobby.clone(),
            mail: mail.clone(),
            push,
            key: instance_key.clone(),
            site: accounts::site(&web),
        })
        .await?;
        let accounts = Accounts::new(Ground {
            store: store.clone(),
            world: world.clone(),
            limits: limits.clone(),
            config: policy.clone(),
            web: web.clone(),
            mail: mail.clone(),
            live: live.clone(),
            key: Some(instance_key),
        });
        accounts.start_cleaning();
        let trusted_networks = policy.trusted_networks.clone();
        let rate =
            Rate::new(limits.requests_per_minute, trusted_networks.clone(), world.time.clone());
        let administration = Administration::start(
            accounts.clone(),
            store.clone(),
            world.clone(),
            live.clone(),
            policy,
            mail.is_configured(),
            games.chat_rule().clone(),
        );
        games.chat_rule().set(administration.policy().await?.chat);
        let one_computer =
            OneComputer::new(store.clone(), world.clone(), games.clone(), accounts.clone());
        let app = AppState {
            accounts,
            administration,
            analysis,
            arbiter_desk,
            assets: http::load_assets(),
            bots,
            connections,
            correspondence,
            defender,
            disk,
            engines,
            games,
            gmo,
            library,
            live,
            lobby,
            mail,
            metrics,
            one_computer,
            players,
            reminders,
            store,
            tournaments,
            web,
        };
        let heavy = Heavy::new(trusted_networks.clone());
        let router = http::router(app.clone(), &limits, rate, heavy);
        let doors = Doors::new(
            limits.connections,
            limits.connections_per_address,
            vec![app.web.trusted_proxies.clone(), trusted_networks],
        );
        Ok(Server { app, router, doors, stop: watch::Sender::new(false) })
    }

    /// The engines.
    pub fn engines(&self) -> &Pool {
        &self.app.engines
    }

    /// The accounts, for the set-up link.
    pub fn accounts(&self) -> &Accounts {
        &self.app.accounts
    }

    /// How to stop it from elsewhere.
    pub fn stopper(&self) -> Stopper {
        Stopper { app: self.app.clone(), stop: self.stop.clone() }
    }

    /// Serves until the stopper is used.
    pub async fn serve(self, listener: TcpListener) {
        let time = self.app.games.time();
        http::serve(listener, self.router, self.doors, time, self.stop.subscribe()).await;
    }
}

/// Whom a push service can ask about us: what the settings say, the sender of our mails, or our address.
fn push_contact(contact: &str, from: &str, public_url: &str) -> String {
    if !contact.is_empty() {
        return contact.to_owned();
    }
    match from.parse::<lettre::message::Mailbox>() {
        Ok(sender) => format!("mailto:{}", sender.email),
        Err(_) if public_url.starts_with("https://") => public_url.to_owned(),
        Err(_) => String::new(),
    }
}

/// How long games may take to write that they are paused, in milliseconds.
const DRAIN_WITHIN: i64 = 10_000;

/// Stops a server in good order.
#[derive(Clone)]
pub struct Stopper {
    app: AppState,
    stop: watch::Sender<bool>,
}

impl Stopper {
    /// No new games; players are told; clocks are paused, on disk; sockets close; then `serve` returns.
    pub async fn drain(&self) {
        self.pause().await;
        self.app.live.close_all();
        self.stop.send_replace(true);
    }

    /// The first half of a stop: players are told, and clocks are paused, on disk.
    pub async fn pause(&self) {
        self.app.live.notify(
            "draining",
            "The server restarts. Clocks are paused; games go on by themselves.",
        );
        let time = self.app.games.time();
        tokio::select! {
            () = self.app.games.drain() => {}
            // A storage that does not answer must not keep the process alive: what is not written is as after a crash.
            () = time.sleep(DRAIN_WITHIN) => {
                tracing::error!("some games could not note that their clocks stand");
            }
        }
    }
}
