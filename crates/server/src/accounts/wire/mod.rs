//! What the outside sees of accounts and the club.

mod entry;
mod mine;

pub use entry::*;
pub use mine::*;

use serde::{Deserialize, Serialize};
use store::Roles;
use utoipa::ToSchema;

use super::fields::FieldProblem;
use super::preferences::Preferences;
use crate::config::{ActivationPolicy, ChatPolicy, EmailPolicy, PasswordProfile, SignUpPolicy};
use crate::games::wire::PlayerView;

/// The club, and what it asks of those who sign up.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClubView {
    /// Its name.
    pub name: String,
    /// Whether its owner has used the set-up link.
    pub is_set_up: bool,
    /// Who may sign up.
    pub sign_up: SignUpPolicy,
    /// Whether an address is asked for.
    pub email: EmailPolicy,
    /// Whether a new account waits for its address to be confirmed.
    pub activation: ActivationPolicy,
    /// Which passwords are good enough.
    pub passwords: PasswordProfile,
    /// What may be said in chats.
    pub chat: ChatPolicy,
    /// Whether forms from here have to come with a solved puzzle.
    pub captcha: bool,
    /// The rating of somebody who does not name one.
    pub initial_rating: i64,
    /// The highest rating somebody may claim.
    pub initial_rating_cap: i64,
    /// Whether there is a mail server.
    pub mail: bool,
}

/// A role beyond playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoleView {
    /// Watches over games and results.
    Arbiter,
    /// Runs tournaments and looks after groups.
    Director,
    /// Runs the club's server.
    Administrator,
}

/// The roles somebody has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct RoleList(pub Vec<RoleView>);

impl From<Roles> for RoleList {
    fn from(roles: Roles) -> Self {
        let all = [
            (roles.arbiter, RoleView::Arbiter),
            (roles.director, RoleView::Director),
            (roles.administrator, RoleView::Administrator),
        ];
        RoleList(all.into_iter().filter(|(has, _)| *has).map(|(_, role)| role).collect())
    }
}

/// What the page needs to know about somebody who is logged in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "four independent facts, each of them yes or no")]
pub struct MyPlayer {
    /// Whether the address was confirmed.
    pub email_verified: bool,
    /// Whether there is an address.
    pub has_email: bool,
    /// Whether the second factor is on.
    pub totp: bool,
    /// Whether a password of one's own has to be chosen first.
    pub must_change_password: bool,
    /// What they have chosen.
    pub preferences: Preferences,
}

/// Who asks, and where.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The account; none before the first challenge.
    pub account: Option<PlayerView>,
    /// What they may do beyond playing.
    pub roles: RoleList,
    /// More about somebody who is logged in.
    pub player: Option<MyPlayer>,
    /// The club.
    pub club: ClubView,
    /// Whether an event of hidden rules runs for them: nothing about genomes is explained.
    #[serde(default)]
    pub hidden_rules: bool,
    /// The server's version.
    pub version: String,
}

/// What is wrong with a form; empty is good.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FieldProblems {
    /// Field by field.
    pub fields: Vec<FieldProblem>,
}
