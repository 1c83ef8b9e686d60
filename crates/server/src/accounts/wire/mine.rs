//! One's own account: what its page shows, and the bodies of what can be changed there.

use rules::Outcome;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::RoleList;
use crate::accounts::preferences::Preferences;

/// How somebody's last game ended.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LastGameView {
    /// The game.
    pub id: String,
    /// Its final position as FEN.
    pub position: String,
    /// How it ended.
    pub outcome: Outcome,
    /// When it ended.
    pub ended_at: i64,
    /// Whether the owner of the account played White.
    pub played_white: bool,
}

/// The account as its owner sees it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AccountView {
    /// The user name.
    pub name: String,
    /// The address.
    pub email: Option<String>,
    /// Whether the address was confirmed.
    pub email_verified: bool,
    /// A new address that waits to be confirmed.
    pub pending_email: Option<String>,
    /// When the account was made.
    pub created_at: i64,
    /// When something about it was last changed.
    pub changed_at: i64,
    /// The log-in before the last.
    pub last_login_at: Option<i64>,
    /// The last log-in.
    pub current_login_at: Option<i64>,
    /// Whether the second factor is on.
    pub totp: bool,
    /// The PIN for games at one computer.
    pub pin: PinView,
    /// How many recovery codes are left.
    pub recovery_codes_left: i64,
    /// What the player has chosen.
    pub preferences: Preferences,
    /// What they may do beyond playing.
    pub roles: RoleList,
    /// Whether a password of one's own has to be chosen first.
    pub must_change_password: bool,
    /// The rating they began with.
    pub initial_rating: i64,
    /// How the last game ended.
    pub last_game: Option<LastGameView>,
}

/// How somebody's PIN is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PinView {
    /// There is none.
    Unset,
    /// It can be used.
    Ready,
    /// It was wrong too often, until the password is used.
    Locked,
}

impl From<store::PinState> for PinView {
    fn from(state: store::PinState) -> Self {
        match state {
            store::PinState::Unset => PinView::Unset,
            store::PinState::Ready => PinView::Ready,
            store::PinState::Locked => PinView::Locked,
        }
    }
}

/// A new PIN.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct NewPin {
    /// Four to eight digits.
    pub pin: String,
    /// The password.
    pub password: String,
    /// The code of the second factor, where it is on.
    #[serde(default)]
    pub code: Option<String>,
}

/// A new address.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct NewEmail {
    /// The address; empty for none.
    pub email: String,
    /// The password.
    pub password: String,
    /// The code of the second factor, where it is on.
    pub code: Option<String>,
}

/// A new password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct NewPassword {
    /// The one in force. Not asked for while a password of one's own has to be chosen.
    pub old_password: Option<String>,
    /// The new one.
    pub new_password: String,
    /// The code of the second factor, where it is on.
    pub code: Option<String>,
}

/// The password, once more.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct PasswordOnly {
    /// The password.
    pub password: String,
}

/// The password and the code, once more.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct PasswordAndCode {
    /// The password.
    pub password: String,
    /// The code of the second factor, where it is on.
    pub code: Option<String>,
}

/// A code of the second factor.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct CodeOnly {
    /// The code.
    pub code: String,
}

/// A seed for an authenticator app. It counts once it is confirmed.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct TotpProposal {
    /// The seed, to be typed.
    pub secret: String,
    /// The seed as a link.
    pub otpauth_uri: String,
    /// The link as a QR code.
    pub qr_svg: String,
}

/// Codes that stand in for the second factor, shown once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCodes {
    /// Each works once.
    pub recovery_codes: Vec<String>,
}

/// A session.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    /// Its name in this list.
    pub id: String,
    /// What the browser said it is.
    pub device: String,
    /// Where it was last seen.
    pub address: String,
    /// When it began.
    pub created_at: i64,
    /// When it was last used, to the hour or so.
    pub last_used_at: i64,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Where somebody is logged in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SessionList {
    /// The last used first.
    pub sessions: Vec<SessionView>,
}
