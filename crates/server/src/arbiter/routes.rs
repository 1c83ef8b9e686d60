//! HTTP of the arbiter's desk.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use store::{GameId, Store};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ArbiterDesk;
use super::wire::{ArbiterGame, NewRemark, NewRuling, RemarkView};
use crate::accounts::{Accounts, Visitor};
use crate::correspondence::decisions::with_clocks;
use crate::correspondence::wire::DecisionView;
use crate::http::{ApiError, AppState, Body, Id};

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(open_game))
        .routes(routes!(rule_game))
        .routes(routes!(list_last_decisions))
        .routes(routes!(call_arbiter))
        .routes(routes!(list_calls))
        .routes(routes!(settle_calls))
        .routes(routes!(note_game))
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
    desk.check_arbiter(game, &visitor).await?;
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
    desk.check_arbiter(game, &visitor).await?;
    let arbiter = accounts.account_of(&visitor).await?;
    Ok(Json(desk.rule(game, arbiter.id, ruling).await?))
}

/// List the last decisions about all games, the newest first.
#[utoipa::path(get, path = "/api/v1/arbiter/decisions", tag = "arbiter", responses((status = 200, body = [DecisionView])))]
pub(crate) async fn list_last_decisions(
    State(store): State<Store>,
) -> Result<Json<Vec<DecisionView>>, ApiError> {
    let decisions = store.last_decisions().await?;
    Ok(Json(with_clocks(&store, decisions).await?))
}

/// Call an arbiter to a game of mine, running or over. Arbiters read what I write; my opponent does not.
#[utoipa::path(post, path = "/api/v1/games/{id}/calls", tag = "arbiter", params(("id" = String, Path)), request_body = NewRemark,
    responses((status = 204), (status = 403, description = "`not_your_game`"),
        (status = 409, description = "`called_already`"), (status = 422, description = "`bad_remark`: too short or too long")))]
pub(crate) async fn call_arbiter(
    State(desk): State<ArbiterDesk>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(remark): Body<NewRemark>,
) -> Result<StatusCode, ApiError> {
    let player = accounts.account_of(&visitor).await?;
    desk.call(game, player.id, &remark.text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the calls that wait for me, the oldest first: an arbiter sees all of them, whom an event has named those from its
/// games.
#[utoipa::path(get, path = "/api/v1/arbiter/calls", tag = "arbiter", responses((status = 200, body = [RemarkView])))]
pub(crate) async fn list_calls(
    State(desk): State<ArbiterDesk>,
    visitor: Visitor,
) -> Result<Json<Vec<RemarkView>>, ApiError> {
    Ok(Json(desk.calls(&visitor).await?))
}

/// Say that the calls about a game are seen to, without a ruling.
#[utoipa::path(delete, path = "/api/v1/arbiter/games/{id}/calls", tag = "arbiter", params(("id" = String, Path)),
    responses((status = 200, body = ArbiterGame)))]
pub(crate) async fn settle_calls(
    State(desk): State<ArbiterDesk>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<ArbiterGame>, ApiError> {
    desk.check_arbiter(game, &visitor).await?;
    let arbiter = accounts.account_of(&visitor).await?;
    Ok(Json(desk.settle_calls(game, arbiter.id).await?))
}

/// Note something about a game, for other arbiters to read.
#[utoipa::path(post, path = "/api/v1/arbiter/games/{id}/notes", tag = "arbiter", params(("id" = String, Path)), request_body = NewRemark,
    responses((status = 200, body = ArbiterGame), (status = 422, description = "`bad_remark`: too short or too long")))]
pub(crate) async fn note_game(
    State(desk): State<ArbiterDesk>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(remark): Body<NewRemark>,
) -> Result<Json<ArbiterGame>, ApiError> {
    desk.check_arbiter(game, &visitor).await?;
    let arbiter = accounts.account_of(&visitor).await?;
    Ok(Json(desk.note(game, arbiter.id, &remark.text).await?))
}
