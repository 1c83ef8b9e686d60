//! HTTP of bots.

use axum::Json;
use axum::extract::State;
use engine::builtin::Level;
use engine::pool::{EngineInfo, Pool, Situation};
use rules::Position;

use super::wire::{BotList, BotView};
use super::{Bots, nominal_rating};
use crate::games::Games;
use crate::games::wire::PlayerView;

/// The bots of this club. They accept a direct challenge at once.
#[utoipa::path(get, path = "/api/v1/bots", tag = "lobby", responses((status = 200, body = BotList)))]
pub(crate) async fn list_bots(
    State(bots): State<Bots>,
    State(engines): State<Pool>,
    State(games): State<Games>,
) -> Json<BotList> {
    let usual = engines.usual_engine(&Situation::new(Position::standard()));
    let own = engines.engines().pop().unwrap_or_else(|| usual.clone());
    let engine_of =
        |level: Level| -> &EngineInfo { if level.stockfish().is_some() { &usual } else { &own } };
    let view = |(level, account)| BotView {
        level: Level::number(level),
        player: PlayerView::from(account),
        nominal_rating: nominal_rating(level),
        engine: engine_of(level).name.clone(),
    };
    let pools = games.pools();
    let has_pool = pools.own.values().chain([&pools.default]).any(|rules| rules.includes_bots);
    let rated = games.bell().may_be_rated() || has_pool;
    Json(BotList { bots: bots.all().map(view).collect(), rated })
}
