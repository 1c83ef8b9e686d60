//! HTTP of the arbiter's desk.

use axum::Json;
use axum::extract::State;
use store::{GameId, Store};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ArbiterDesk;
use super::wire::{ArbiterGame, NewRuling};
use crate::accounts::{Accounts, Visitor};
use crate::correspondence::wire::DecisionView;
use crate::http::{ApiError, AppState, Body, Id};

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(open_game))
        .routes(routes!(rule_game))
        .routes(routes!(list_last_decisions))
}

/// Open a game with its log, its connections and what was decided about it.
#[utoipa::path(get, path = "/api/v1/arbiter/games/{id}", tag = "arbiter", params(("id" = String, Path)),
    responses((status = 200, body = ArbiterGame), (status = 404, description = "no such game")))]
pub(crate) async fn open_game(
    State(desk): State<ArbiterDesk>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<ArbiterGame>, ApiError> {
    let arbiter = accounts.account_of(&visitor).await?;
    Ok(Json(desk.open(game, arbiter.id).await?))
}

/// Rule: correct a result, annul, reopen, set clocks, adjourn or resume. Ratings are counted again.
#[utoipa::path(post, path = "/api/v1/arbiter/games/{id}/rulings", tag = "arbiter", params(("id" = String, Path)),
    request_body = NewRuling, responses((status = 200, body = ArbiterGame), (status = 409, description = "refused")))]
pub(crate) async fn rule_game(
    State(desk): State<ArbiterDesk>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(ruling): Body<NewRuling>,
) -> Result<Json<ArbiterGame>, ApiError> {
    let arbiter = accounts.account_of(&visitor).await?;
    Ok(Json(desk.rule(game, arbiter.id, ruling).await?))
}

/// List the last decisions about all games, the newest first.
#[utoipa::path(get, path = "/api/v1/arbiter/decisions", tag = "arbiter", responses((status = 200, body = [DecisionView])))]
pub(crate) async fn list_last_decisions(
    State(store): State<Store>,
) -> Result<Json<Vec<DecisionView>>, ApiError> {
    let decisions = store.last_decisions().await?;
    Ok(Json(decisions.into_iter().map(DecisionView::from).collect()))
}
