//! What the application needs to know from its configuration. Reading it from files and flags is `cli`'s business.

use serde::{Deserialize, Serialize};

use crate::lobby::queue::QueueSettings;

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
    /// Changing requests and new sockets a minute from one address; 0 for no limit.
    pub requests_per_minute: u32,
    /// Messages a second on one socket; 0 for no limit, none for the usual one.
    pub messages_per_second: Option<i64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 64 * 1024,
            request_seconds: 30,
            connections: 20_000,
            requests_per_minute: 600,
            messages_per_second: None,
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
