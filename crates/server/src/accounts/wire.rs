//! What the outside sees of accounts and the club.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::wire::PlayerView;

/// The club.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClubView {
    /// Its name.
    pub name: String,
    /// Whether its owner has used the set-up link.
    pub is_set_up: bool,
}

/// Who asks, and where.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The account; none before the first challenge.
    pub account: Option<PlayerView>,
    /// The club.
    pub club: ClubView,
    /// The server's version.
    pub version: String,
}

/// The first set-up.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClubSetup {
    /// From the one-time link.
    pub token: String,
    /// What the club is called.
    pub club_name: String,
}
