//! Reminders: who asked for it is told once, by mail or in the browser, that something waits for them.
//!
//! What is to be told is a line in the store before anybody thinks of telling it, and goes into the outboxes in the same
//! transaction that marks it as told. So a stop at any moment loses nothing and doubles nothing.

mod choice;
pub mod routes;
mod task;
pub mod wire;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use parking_lot::RwLock;
use sha2::Sha256;
use store::{AccountId, ReminderChoice, Store, StoreError};
use tokio::sync::Notify;

use crate::accounts::InstanceKey;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::mail::Mail;
use crate::push::{Push, PushError};
use crate::world::World;
pub use choice::{Choice, ClockShift, Wanted};

/// Bytes of the signature in a link.
const SIGNATURE: usize = 16;

/// Why a choice was not taken.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReminderError {
    /// Hour or offset make no sense.
    #[error("an hour is between 0 and 23, and no clock is more than 14 hours away from UTC")]
    BadHour,
    /// The link is not one of ours.
    #[error("this link is not complete; take the one in the newest mail")]
    BadLink,
    /// What the notifications said.
    #[error(transparent)]
    Push(#[from] PushError),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What reminders are built on.
pub(crate) struct Ground {
    pub(crate) store: Store,
    pub(crate) world: World,
    pub(crate) games: Games,
    pub(crate) lobby: Lobby,
    pub(crate) mail: Mail,
    pub(crate) push: Push,
    pub(crate) key: InstanceKey,
    /// How links in mails begin.
    pub(crate) site: String,
}

/// Reminders. Cheap to clone.
#[derive(Clone)]
pub struct Reminders(Arc<Inner>);

struct Inner {
    ground: Ground,
    /// What everybody has chosen: it is asked for at every move of a slow game.
    choices: RwLock<HashMap<AccountId, Choice>>,
    /// Rung when somebody has chosen anew.
    bell: Notify,
}

impl Reminders {
    /// Looks for what was missed since the last stop, and watches from now on.
    pub(crate) async fn start(ground: Ground) -> Result<Reminders, StoreError> {
        let stored = ground.store.reminder_choices().await?;
        let choices = stored
            .into_iter()
            .map(|stored| (stored.account, Choice::from_stored(&stored.choice)))
            .collect();
        let reminders = Reminders(Arc::new(Inner {
            ground,
            choices: RwLock::new(choices),
            bell: Notify::new(),
        }));
        task::start(reminders.clone());
        Ok(reminders)
    }

    /// What somebody wants to be told.
    pub(crate) fn choice(&self, account: AccountId) -> Choice {
        self.chosen(account).unwrap_or_default()
    }

    /// The same; none if they never said.
    fn chosen(&self, account: AccountId) -> Option<Choice> {
        self.0.choices.read().get(&account).cloned()
    }

    /// Remembers what somebody wants to be told.
    pub(crate) async fn choose(
        &self,
        account: AccountId,
        choice: Choice,
    ) -> Result<(), ReminderError> {
        if !choice.is_sound() {
            return Err(ReminderError::BadHour);
        }
        let now = self.0.ground.world.time.now();
        let stored = ReminderChoice {
            account,
            choice: choice.to_stored(),
            digest_at: choice.next_digest(now),
            changed_at: now,
        };
        self.0.ground.store.set_reminder_choice(stored).await?;
        self.0.choices.write().insert(account, choice);
        self.0.bell.notify_one();
        Ok(())
    }

    /// Whoever asks for notifications gets them, also if they never chose what to be told.
    pub(crate) async fn choose_by_subscribing(
        &self,
        account: AccountId,
    ) -> Result<(), ReminderError> {
        match self.chosen(account) {
            Some(_) => Ok(()),
            None => self.choose(account, Choice::default()).await,
        }
    }

    /// Ends all mails to whoever this link was written for. Doing it again changes nothing.
    pub(crate) async fn unsubscribe(&self, token: &str) -> Result<(), ReminderError> {
        let account = self.read_token(token).ok_or(ReminderError::BadLink)?;
        let Some(choice) = self.chosen(account) else { return Ok(()) };
        self.choose(account, choice.without_mail()).await
    }

    /// The end of an address that stops the mails to somebody, and nothing else. It never expires: nor does the mail.
    fn token(&self, account: AccountId) -> String {
        format!("{account}{}", BASE64_URL_SAFE_NO_PAD.encode(self.signature(account)))
    }

    fn read_token(&self, token: &str) -> Option<AccountId> {
        let (account, signature) = token.split_at_checked(8)?;
        let account: AccountId = account.parse().ok()?;
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(account).verify_truncated_left(&signature).ok()?;
        (signature.len() == SIGNATURE).then_some(account)
    }

    fn signature(&self, account: AccountId) -> [u8; SIGNATURE] {
        let whole: [u8; 32] = self.mac(account).finalize().into_bytes().into();
        std::array::from_fn(|place| whole[place])
    }

    fn mac(&self, account: AccountId) -> Hmac<Sha256> {
        use hmac::KeyInit as _;
        let key = self.0.ground.key.derive("unsubscribe");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes a key of any length");
        mac.update(account.as_str().as_bytes());
        mac
    }

    fn link(&self, path: &str) -> String {
        format!("{}{path}", self.0.ground.site)
    }
}
