//! Who is there: visitors, guests and players, from the first visit to the deleted account.
//!
//! One file per chapter of an account's life; [`Accounts`] is the handle they all extend. Nothing here knows SQL, and
//! only `routes` knows HTTP.

mod bearer;
mod captcha;
mod error;
mod export;
pub mod fields;
mod guests;
mod hashing;
mod instance_key;
mod log_in;
mod mine;
mod names;
mod passwords;
pub(crate) mod pin;
mod policy;
mod preferences;
mod proof;
mod reset;
pub mod routes;
mod session;
mod sessions;
mod set_up;
mod sign_up;
mod throttle;
pub mod token_routes;
mod tokens;
mod totp;
mod visitor;
pub mod wire;

use std::net::IpAddr;
use std::sync::Arc;

use rules::UnixMillis;
use store::{AccountId, Store, StoreError, TokenHash};

use crate::config::{AccountsConfig, CaptchaPolicy, Limits, WebConfig};
use crate::live::Live;
use crate::mail::{Mail, MailError, MailKind};
use crate::world::{Chance, World};

use captcha::Captcha;
use hashing::Hashing;
use throttle::{Attempt, Throttle};

pub use error::AccountError;
pub use instance_key::{InstanceKey, NotAKey};
pub use names::{BadName, check_name};
pub use passwords::{WeakPassword, check_password};
pub use policy::Policy;
pub(crate) use session::Token;
pub use session::identify;
pub(crate) use set_up::check_club_name;
pub use visitor::{Device, Visitor};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// Days after which a sign-up that was never activated is forgotten and its name free again.
const PENDING_DAYS: i64 = 7;

/// The accounts. Cheap to clone.
#[derive(Clone)]
pub struct Accounts(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    limits: Limits,
    config: AccountsConfig,
    mail: Mail,
    live: Live,
    key: InstanceKey,
    hashing: Hashing,
    captcha: Captcha,
    throttle: Throttle,
    /// Whether the page is reached by https: then the cookie may demand it.
    secure: bool,
    /// How links in mails begin. Never what a request says: whoever sends one could make it lead elsewhere.
    public_url: String,
}

/// What accounts are built on.
pub(crate) struct Ground {
    pub(crate) store: Store,
    pub(crate) world: World,
    pub(crate) limits: Limits,
    pub(crate) config: AccountsConfig,
    pub(crate) web: WebConfig,
    pub(crate) mail: Mail,
    pub(crate) live: Live,
    pub(crate) key: Option<InstanceKey>,
}

impl Accounts {
    /// Makes ready for visitors.
    pub(crate) fn new(ground: Ground) -> Accounts {
        let Ground { store, world, limits, config, web, mail, live, key } = ground;
        let key = key.unwrap_or_else(|| InstanceKey::draw(&world.chance));
        let public_url = site(&web);
        if !public_url.starts_with("https://") {
            tracing::warn!(
                "without https, passwords and session cookies can be read on their way; for more than this machine or a trusted network set --public-url https://…"
            );
        }
        Accounts(Arc::new(Inner {
            hashing: Hashing::new(&config, world.chance.clone()),
            captcha: Captcha::new(world.clone(), &key, config.captcha_work),
            throttle: Throttle::new(world.time.clone()),
            secure: public_url.starts_with("https://"),
            public_url,
            store,
            world,
            limits,
            config,
            mail,
            live,
            key,
        }))
    }

    /// Removes what nobody can use any more, now and every hour.
    pub(crate) fn start_cleaning(&self) {
        let accounts = self.clone();
        tokio::spawn(async move {
            loop {
                if let Err(error) = accounts.clean().await {
                    tracing::warn!(%error, "what has expired could not be removed");
                }
                accounts.0.world.time.sleep(HOUR).await;
            }
        });
    }

    async fn clean(&self) -> Result<(), StoreError> {
        self.0.store.remove_expired(self.now()).await?;
        let long_ago = UnixMillis(self.now().0 - PENDING_DAYS * DAY);
        self.0.store.remove_pending_players(long_ago).await
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    fn later(&self, millis: i64) -> UnixMillis {
        UnixMillis(self.now().0 + millis)
    }

    /// The policy in force.
    pub async fn policy(&self) -> Result<Policy, StoreError> {
        Policy::load(&self.0.store, &self.0.config, self.0.mail.is_configured()).await
    }

    /// How many passwords were hashed or compared so far: what an answer cost.
    pub fn hashings(&self) -> u64 {
        self.0.hashing.done()
    }

    /// Hashes a password on the pool, into the form in which it is stored.
    pub async fn hash_password(&self, password: &str) -> Result<String, AccountError> {
        self.0.hashing.hash(password).await
    }

    /// Whether people of this address share it and are known to.
    fn is_trusted(&self, address: IpAddr) -> bool {
        self.0.config.trusted_networks.contains(address)
    }

    /// Whether a form from this address has to come with a solved puzzle.
    pub(crate) fn wants_captcha(&self, address: IpAddr) -> bool {
        self.0.config.captcha == CaptchaPolicy::Auto && !self.is_trusted(address)
    }

    /// A new puzzle.
    pub(crate) fn new_captcha(&self) -> Result<altcha::Challenge, AccountError> {
        self.0.captcha.challenge().map_err(|error| AccountError::Fault(error.to_string()))
    }

    fn check_captcha(&self, address: IpAddr, solved: Option<&str>) -> Result<(), AccountError> {
        let is_fine = !self.wants_captcha(address)
            || solved.is_some_and(|solved| self.0.captcha.accepts(solved));
        if is_fine { Ok(()) } else { Err(AccountError::CaptchaRequired) }
    }

    fn attempt(&self, what: &'static str, account: &str, address: IpAddr) -> Attempt {
        Attempt::new(what, account, address, self.is_trusted(address))
    }

    /// Counts something that anybody may do, but not too often from one place. A classroom may.
    fn limit(&self, what: &'static str, address: IpAddr) -> Result<(), AccountError> {
        if self.is_trusted(address) {
            return Ok(());
        }
        let attempt = self.attempt(what, &address.to_string(), address);
        self.0.throttle.check(&attempt).map_err(AccountError::TooManyAttempts)?;
        self.0.throttle.count(&attempt);
        Ok(())
    }

    /// The whole address of a page, for a mail. A token comes behind `#`, so that it reaches no log.
    fn link(&self, page: &str, token: &str) -> String {
        format!("{}/{page}#{token}", self.0.public_url)
    }

    /// Queues a mail. What a mail says is never worth failing what it tells of.
    pub(crate) async fn tell(&self, to: Option<&str>, kind: MailKind) {
        let Some(to) = to.filter(|_| self.0.mail.is_configured()) else { return };
        match self.0.mail.queue(to, kind).await {
            Ok(()) | Err(MailError::NotConfigured) => {}
            Err(error) => tracing::warn!(%error, "a mail could not be queued"),
        }
    }

    /// Ends all sessions of an account and closes their sockets.
    pub async fn sign_out_everywhere(&self, id: AccountId) -> Result<(), StoreError> {
        self.0.store.end_sessions(id, None).await?;
        self.0.live.close_account(id);
        Ok(())
    }

    fn close_session(&self, token: Option<TokenHash>) {
        if let Some(token) = token {
            self.0.live.close_session(token);
        }
    }
}

/// How links in mails begin.
pub(crate) fn site(web: &WebConfig) -> String {
    match web.public_url.trim_end_matches('/') {
        "" => "http://localhost:8080".to_owned(),
        url => url.to_owned(),
    }
}

/// Hashes a password without a running server, for the command line.
pub async fn hash_password(
    config: &AccountsConfig,
    chance: Chance,
    password: &str,
) -> Result<String, AccountError> {
    Hashing::new(config, chance).hash(password).await
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every text");
        text
    })
}
