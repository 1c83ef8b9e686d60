//! Coming in: the bodies of set-up, sign-up, log-in and reset. Fields that are not here are ignored: nobody can sign
//! up as an administrator by saying so.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::preferences::Preferences;

/// The first set-up.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct ClubSetup {
    /// From the one-time link.
    pub token: String,
    /// What the club is called.
    pub club_name: String,
    /// The first administrator's user name.
    pub name: String,
    /// The first administrator's password.
    pub password: String,
}

/// Parts of a sign-up, to be looked at while they are typed.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SignUpCheck {
    /// The user name.
    pub name: Option<String>,
    /// The address.
    pub email: Option<String>,
    /// The password.
    pub password: Option<String>,
}

/// A sign-up.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SignUp {
    /// The user name.
    pub name: String,
    /// The address.
    pub email: Option<String>,
    /// The password.
    pub password: String,
    /// The rating to begin with.
    pub initial_rating: Option<i64>,
    /// What the player has chosen.
    pub preferences: Option<Preferences>,
    /// The token of an invitation.
    pub invite: Option<String>,
    /// The solved puzzle.
    pub captcha: Option<String>,
}

/// How a sign-up went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum SignUpAnswer {
    /// The account is active and logged in.
    Active,
    /// A mail with a link is on its way.
    ActivationSent,
}

/// A token from a link.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct LinkToken {
    /// What stood behind the `#`.
    pub token: String,
}

/// Somebody who asks for a mail.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct MailRequest {
    /// The user name or the address.
    pub name_or_email: String,
    /// The solved puzzle.
    pub captcha: Option<String>,
}

/// A log-in.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct LogIn {
    /// The user name or the address.
    pub name_or_email: String,
    /// The password.
    pub password: String,
    /// The solved puzzle, if it was asked for.
    pub captcha: Option<String>,
}

/// How a log-in goes on.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum LogInAnswer {
    /// Logged in.
    SignedIn,
    /// The code of the second factor comes next.
    SecondStep {
        /// To be sent along with the code.
        ticket: String,
    },
}

/// The second step of a log-in.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SecondStep {
    /// From the first step.
    pub ticket: String,
    /// The code of the second factor, or a recovery code.
    pub code: String,
}

/// The end of a reset.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct FinishReset {
    /// From the link.
    pub token: String,
    /// The new password.
    pub password: String,
    /// The code of the second factor, where it is on.
    pub code: Option<String>,
}
