//! What the outside sees of bots.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::wire::PlayerView;

/// An opponent that is an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BotView {
    /// From 1, a beginner, to 8, everything the engine can do.
    pub level: u8,
    /// Its account.
    pub player: PlayerView,
    /// How strong it is said to be. A guess in round numbers.
    pub nominal_rating: i64,
    /// The engine that plays chess for it here; the other games are always the built-in engine's.
    pub engine: String,
}

/// The bots of this club, weakest first; none if it has none.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BotList {
    /// The bots.
    pub bots: Vec<BotView>,
    /// Whether games against them may count, all of them or those of some pools.
    pub rated: bool,
}
