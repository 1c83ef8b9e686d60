//! The application: one folder per subject, HTTP, the socket, jobs.
//!
//! There is no SQL here and no rule of chess: `store` remembers, `rules` judges. Time and chance come in by [`world`].

pub mod accounts;
pub mod administration;
pub mod bots;
pub mod config;
pub mod games;
pub mod http;
pub mod live;
pub mod lobby;
pub mod mail;
pub mod networks;
pub mod players;
mod storage_watch;
pub mod tournaments;
pub mod world;

use std::sync::Arc;

use engine::pool::Pool;
use store::{AccountId, Store, StoreError};
use tokio::net::TcpListener;
use tokio::sync::watch;

use accounts::{Accounts, Ground};
use administration::{Administration, AdministrationError};
use bots::Bots;
use config::Settings;
use games::Games;
use http::{AppState, Metrics, Rate};
use live::Live;
use lobby::Lobby;
use mail::Mail;
use players::Players;
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
    /// The settings name engines that cannot be used.
    #[error(transparent)]
    Engines(#[from] config::BadEngineSettings),
}

/// A server, built and ready to listen.
pub struct Server {
    app: AppState,
    router: axum::Router,
    connections: usize,
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
            accounts: policy,
            ratings,
            lobby,
            games,
            instance_key,
            ..
        } = settings;
        let engines = Pool::start(settings.engines.pool_settings(settings.jail)?);
        let metrics = Arc::new(Metrics::new());
        let games =
            Games::start(store.clone(), world.clone(), metrics.games.clone(), ratings, &games)
                .await?;
        let lobby = Lobby::start(store.clone(), world.clone(), games.clone(), lobby).await?;
        let tournaments =
            Tournaments::start(store.clone(), world.clone(), games.clone(), lobby.clone()).await?;
        let live = Live::new(
            games.clone(),
            lobby.clone(),
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
        storage_watch::start(store.clone(), world.clone(), live.clone());
        let players = {
            let lobby = lobby.clone();
            let bell = games.bell().clone();
            let is_online = Arc::new(move |id: AccountId| {
                lobby.is_online(id) || (id.bot_level().is_some() && bell.is_answered())
            });
            Players::new(store.clone(), world.clone(), games.pools().clone(), is_online)
        };
        let mail = Mail::start(store.clone(), world.clone(), &mail)?;
        let accounts = Accounts::new(Ground {
            store: store.clone(),
            world: world.clone(),
            limits: limits.clone(),
            config: policy.clone(),
            web: web.clone(),
            mail: mail.clone(),
            live: live.clone(),
            key: instance_key,
        });
        accounts.start_cleaning();
        let rate = Rate::new(
            limits.requests_per_minute,
            policy.trusted_networks.clone(),
            world.time.clone(),
        );
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
        let app = AppState {
            accounts,
            administration,
            assets: http::load_assets(),
            bots,
            engines,
            games,
            live,
            lobby,
            mail,
            metrics,
            players,
            store,
            tournaments,
            web,
        };
        let router = http::router(app.clone(), &limits, rate);
        Ok(Server { app, router, connections: limits.connections, stop: watch::Sender::new(false) })
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
        http::serve(listener, self.router, self.connections, self.stop.subscribe()).await;
    }
}

/// Stops a server in good order.
#[derive(Clone)]
pub struct Stopper {
    app: AppState,
    stop: watch::Sender<bool>,
}

impl Stopper {
    /// No new games; players are told; clocks are paused, on disk; sockets close; then `serve` returns.
    pub async fn drain(&self) {
        self.app.live.notify(
            "draining",
            "The server restarts. Clocks are paused; games go on by themselves.",
        );
        self.app.games.drain().await;
        self.app.live.close_all();
        self.stop.send_replace(true);
    }
}
