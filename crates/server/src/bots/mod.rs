//! Bots: opponents that are engines. They have accounts, accept challenges, and play by the same handle as people do.
//!
//! A game in which a bot may have something to do rings the [`Bell`]; [`watch`] sends a [`brain`] there, which looks at
//! the game, asks the engines and acts. Nothing is remembered between two rings but what the game knows, so a restart
//! costs a thought and nothing else.

mod bell;
mod brain;
mod hearing;
mod mind;
mod profile;
pub mod routes;
mod seeks;
mod watch;
pub mod wire;

use std::sync::Arc;

use engine::builtin::Level;
use engine::pool::Pool;
use store::{Account, AccountId, Store, StoreError};

pub use bell::Bell;
pub use profile::nominal_rating;

use crate::config::BotsConfig;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::world::World;

/// The bots. Cheap to clone.
#[derive(Clone)]
pub struct Bots(Arc<Vec<Account>>);

impl Bots {
    /// Makes the accounts that are missing and answers the bell from now on, games of before included.
    pub async fn start(
        store: Store,
        world: World,
        games: Games,
        lobby: &Lobby,
        engines: Pool,
        config: BotsConfig,
    ) -> Result<Bots, StoreError> {
        if !config.enabled {
            return Ok(Bots(Arc::default()));
        }
        let now = world.time.now();
        let unnamed = store.make_bots(profile::all(), now).await?;
        let renamed = unnamed.iter().map(profile::renamed).collect();
        for bot in store.make_bots(renamed, now).await? {
            tracing::warn!(level = bot.level, "a bot has no name that is free: it stays away");
        }
        let accounts = Arc::new(store.load_bots().await?);
        let seek_wait = i64::from(config.seek_seconds) * 1_000;
        games.bell().open(config, accounts.clone());
        watch::start(games, store, world.clone(), engines);
        if seek_wait > 0 {
            seeks::start(lobby.clone(), world, seek_wait);
        }
        let bots = Bots(accounts);
        bots.take_up_challenges(lobby).await;
        Ok(bots)
    }

    /// Accepts what was asked just before a stop.
    async fn take_up_challenges(&self, lobby: &Lobby) {
        for bot in self.0.iter() {
            let open = lobby.challenges_of(bot.id).await.unwrap_or_default();
            for challenge in open.iter().filter_map(|challenge| challenge.id.parse().ok()) {
                if let Err(error) = lobby.accept(challenge, bot.clone()).await {
                    tracing::warn!(%challenge, %error, "a bot could not accept a challenge");
                }
            }
        }
    }

    /// The bots that can be challenged, weakest first.
    pub fn all(&self) -> impl Iterator<Item = (Level, &Account)> {
        self.0.iter().filter_map(|bot| Some((level_of(bot.id)?, bot)))
    }
}

/// The level of the bot whose account this is.
fn level_of(account: AccountId) -> Option<Level> {
    account.bot_level().and_then(Level::new)
}
