//! Notifications in browsers by the Web Push standard: written down first, sent by a task of its own.
//!
//! What a browser is told is encrypted for it alone (RFC 8291) and signed as ours (RFC 8292); the push service that the
//! browser chose carries it and cannot read it. Nobody else is involved.

mod address;
mod sealing;
mod sender;
mod service;
mod vapid;

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use store::{
    AccountId, NewPush, PushId, Store, StoreError, Subscription, SubscriptionId, TokenHash,
};
use tokio::sync::Notify;

use crate::accounts::InstanceKey;
use crate::config::PushConfig;
use crate::world::World;
use address::Endpoint;
use service::PushService;
use vapid::VapidKey;

/// Letters an address of a push service may have.
const LONGEST_ENDPOINT: usize = 1_000;
/// Under this name the key is sealed.
const OWNER: &str = "push key";

/// Why a browser could not be remembered.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PushError {
    /// The settings say so.
    #[error("this club sends no notifications to browsers")]
    Off,
    /// The address is none of a push service.
    #[error("this is no address of a push service: {0}")]
    BadEndpoint(&'static str),
    /// The browser's keys are none.
    #[error("the keys of the browser are not complete; reload the page and try again")]
    BadKeys,
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a browser shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Notification {
    /// The first line.
    pub(crate) title: String,
    /// What it says.
    pub(crate) body: String,
    /// The page it leads to, as a path.
    pub(crate) url: String,
    /// A later one with the same tag takes its place.
    pub(crate) tag: String,
}

/// A browser as it presents itself.
pub(crate) struct NewBrowser<'a> {
    pub(crate) endpoint: &'a str,
    pub(crate) public_key: &'a str,
    pub(crate) auth: &'a str,
    pub(crate) device: String,
}

/// The way to browsers. Cheap to clone.
#[derive(Clone)]
pub struct Push(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    /// None if the settings say so.
    key: Option<VapidKey>,
    /// Whether services on this machine and its network may be used.
    allows_local: bool,
    /// Rung when there is something new to send.
    bell: Notify,
}

impl Push {
    /// Takes the key of before, or makes one at the first start, and begins to send what waits.
    pub(crate) async fn start(
        store: Store,
        world: World,
        config: &PushConfig,
        instance: &InstanceKey,
        contact: &str,
    ) -> Result<Push, StoreError> {
        let key = if config.enabled {
            Some(load_key(&store, &world, instance, contact).await?)
        } else {
            None
        };
        let allows_local = config.local_services;
        let is_on = key.is_some();
        let push = Push(Arc::new(Inner { store, world, key, allows_local, bell: Notify::new() }));
        if is_on {
            sender::start(push.clone(), PushService::new(allows_local));
        }
        Ok(push)
    }

    /// The public half of our key, which browsers ask for; none if there are no notifications.
    pub(crate) fn public_key(&self) -> Option<String> {
        self.0.key.as_ref().map(VapidKey::public_text)
    }

    /// Remembers a browser for as long as this session lasts.
    pub(crate) async fn subscribe(
        &self,
        account: AccountId,
        session: TokenHash,
        browser: NewBrowser<'_>,
    ) -> Result<SubscriptionId, PushError> {
        if self.0.key.is_none() {
            return Err(PushError::Off);
        }
        if browser.endpoint.len() > LONGEST_ENDPOINT {
            return Err(PushError::BadEndpoint("it is too long"));
        }
        Endpoint::parse(browser.endpoint, self.0.allows_local).map_err(PushError::BadEndpoint)?;
        let bytes = |text: &str| {
            BASE64_URL_SAFE_NO_PAD
                .decode(text.trim_end_matches('='))
                .map_err(|_| PushError::BadKeys)
        };
        let (public_key, auth) = (bytes(browser.public_key)?, bytes(browser.auth)?);
        if !sealing::is_public_key(&public_key) || auth.len() != 16 {
            return Err(PushError::BadKeys);
        }
        let id = SubscriptionId::from_bits(self.0.world.chance.bits());
        let subscription = Subscription {
            id,
            account,
            endpoint: browser.endpoint.to_owned(),
            public_key,
            auth,
            device: browser.device,
            created_at: self.0.world.time.now(),
        };
        self.0.store.subscribe(subscription, session).await?;
        Ok(id)
    }

    /// A message for each of somebody's browsers, to be put into the outbox together with something else.
    pub(crate) async fn compose(
        &self,
        account: AccountId,
        notification: &Notification,
    ) -> Result<Vec<NewPush>, StoreError> {
        if self.0.key.is_none() {
            return Ok(Vec::new());
        }
        let payload = payload(notification);
        let browsers = self.0.store.subscriptions(account).await?;
        let to = |browser: Subscription| NewPush {
            id: PushId::from_bits(self.0.world.chance.bits()),
            subscription: browser.id,
            payload: payload.clone(),
        };
        Ok(browsers.into_iter().map(to).collect())
    }

    /// There is something new in the outbox.
    pub(crate) fn ring(&self) {
        self.0.bell.notify_one();
    }
}

/// What travels. Names are bounded elsewhere; a text that is too long all the same is cut.
fn payload(notification: &Notification) -> String {
    let cut = |text: &str| text.chars().take(200).collect::<String>();
    let notification = Notification {
        title: cut(&notification.title),
        body: cut(&notification.body),
        url: cut(&notification.url),
        tag: cut(&notification.tag),
    };
    serde_json::to_string(&notification).expect("texts are plain data")
}

async fn load_key(
    store: &Store,
    world: &World,
    instance: &InstanceKey,
    contact: &str,
) -> Result<VapidKey, StoreError> {
    if let Some(sealed) = store.push_key().await? {
        let opened = instance.open(OWNER, &sealed);
        if let Some(key) = opened.and_then(|secret| VapidKey::from_secret(&secret, contact)) {
            return Ok(key);
        }
        tracing::warn!(
            "the key for notifications is sealed with another instance key: a new one is made, browsers have to ask again"
        );
    }
    let chance = world.chance.apart();
    let (key, secret) = VapidKey::draw(&chance, contact);
    store.set_push_key(instance.seal(&chance, OWNER, &secret)).await?;
    Ok(key)
}
