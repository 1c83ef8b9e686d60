//! What the outside sees of reminders.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Choice;

/// Whether mails can come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MailWay {
    /// They can.
    Open,
    /// The club has no mail server.
    NoServer,
    /// The player has given no address.
    NoAddress,
    /// The address is not confirmed.
    NotConfirmed,
}

/// A browser that is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BrowserView {
    /// Its name here.
    pub id: String,
    /// What it said it is.
    pub device: String,
    /// Since when.
    pub created_at: i64,
    /// The address of its push service, by which a browser knows itself in the list.
    pub endpoint: String,
}

/// What somebody is told, and how they can be.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RemindersView {
    /// What they have chosen.
    pub choice: Choice,
    /// Whether mails can come.
    pub mail: MailWay,
    /// The club's public key for push services; none if there are no notifications.
    pub push_key: Option<String>,
    /// Their browsers, the newest first.
    pub browsers: Vec<BrowserView>,
}

/// The keys of a browser, in base64 for addresses.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BrowserKeys {
    /// Its public key: 65 bytes.
    pub p256dh: String,
    /// The secret it shares with us: 16 bytes.
    pub auth: String,
}

/// A browser that wants to be told, as the browser itself writes it (`PushSubscription.toJSON`).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewSubscription {
    /// Where its push service takes messages for it.
    pub endpoint: String,
    /// Its keys.
    pub keys: BrowserKeys,
}
