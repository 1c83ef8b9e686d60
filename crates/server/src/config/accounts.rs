//! What the owner decides about accounts. What administrators change in the browser wins over it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::networks::Networks;

/// Who may sign up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignUpPolicy {
    /// Everybody.
    #[default]
    Open,
    /// Whoever has an invitation.
    Invite,
    /// Nobody: administrators make the accounts.
    Closed,
}

/// Whether an address is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmailPolicy {
    /// Who likes.
    #[default]
    Optional,
    /// Everybody.
    Required,
}

/// Whether a new account waits for its address to be confirmed. Without a mail server it never does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivationPolicy {
    /// It does not.
    #[default]
    Off,
    /// It does.
    Required,
}

/// Which passwords are good enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasswordProfile {
    /// 8 to 128 characters of any kind, nothing that everybody would guess first.
    #[default]
    Modern,
    /// At least 6 characters, a capital letter and a digit.
    Classic,
}

/// Whether a small puzzle for the computer keeps robots out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaptchaPolicy {
    /// At sign-up and after repeated failures, except from trusted networks.
    #[default]
    Auto,
    /// Never.
    Off,
}

/// What may be said in chats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatPolicy {
    /// Anything.
    #[default]
    All,
    /// Ready-made phrases.
    Presets,
    /// Nothing.
    Off,
}

/// How much work hashing a password is: argon2id's parameters. Stored hashes follow at the next log-in.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Argon2Config {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub iterations: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Default for Argon2Config {
    /// What OWASP recommends as the least.
    fn default() -> Self {
        Argon2Config { memory_kib: 19_456, iterations: 2, lanes: 1 }
    }
}

/// Accounts.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct AccountsConfig {
    /// Who may sign up.
    pub sign_up: SignUpPolicy,
    /// Whether an address is asked for.
    pub email: EmailPolicy,
    /// Whether a new account waits for its address to be confirmed.
    pub activation: ActivationPolicy,
    /// Which passwords are good enough.
    pub passwords: PasswordProfile,
    /// Passwords hashed at the same time; the others wait their turn.
    pub hash_threads: usize,
    /// The rating of somebody who does not name one.
    pub initial_rating: i64,
    /// The highest rating somebody may claim; above it they get this one.
    pub initial_rating_cap: i64,
    /// Days after which a session that nobody uses ends.
    pub session_days: i64,
    /// Days after which every session ends.
    pub session_max_days: i64,
    /// Whether a small puzzle for the computer keeps robots out.
    pub captcha: CaptchaPolicy,
    /// Hashes a computer has to try for that puzzle, about.
    pub captcha_work: u32,
    /// Networks whose people share an address, `["10.1.0.0/16"]`: a classroom. No captcha, no limit per network.
    pub trusted_networks: Networks,
    /// What may be said in chats.
    pub chat: ChatPolicy,
    /// How much work hashing a password is.
    pub argon2: Argon2Config,
}

impl Default for AccountsConfig {
    fn default() -> Self {
        AccountsConfig {
            sign_up: SignUpPolicy::default(),
            email: EmailPolicy::default(),
            activation: ActivationPolicy::default(),
            passwords: PasswordProfile::default(),
            hash_threads: 1,
            initial_rating: 1_500,
            initial_rating_cap: 2_650,
            session_days: 30,
            session_max_days: 365,
            captcha: CaptchaPolicy::default(),
            captcha_work: 100_000,
            trusted_networks: Networks::default(),
            chat: ChatPolicy::default(),
            argon2: Argon2Config::default(),
        }
    }
}
