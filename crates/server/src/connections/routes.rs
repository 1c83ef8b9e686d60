//! HTTP of connected accounts.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use store::{AccountId, Connection};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::wire::{
    ConnectionList, ConnectionProof, ConnectionView, DisconnectQuery, NewConnectionBody,
};
use super::{ConnectionError, Connections};
use crate::accounts::Visitor;
use crate::http::{ApiError, AppState, Body, Params};
use crate::library::LibraryError;

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_connections, connect_account))
        .routes(routes!(show_connection, disconnect_account))
        .routes(routes!(prove_connection))
        .routes(routes!(sync_connection))
}

fn member(visitor: &Visitor) -> Result<AccountId, LibraryError> {
    visitor.account_id().filter(|_| visitor.is_player()).ok_or(LibraryError::NotLoggedIn)
}

fn view(
    connections: &Connections,
    connection: Connection,
) -> Result<Json<ConnectionView>, ApiError> {
    let view = ConnectionView::new(connection, connections.now());
    Ok(Json(view.ok_or(ConnectionError::Off)?))
}

/// List one's connected accounts.
#[utoipa::path(get, path = "/api/v1/library/connections", tag = "library",
    responses((status = 200, body = ConnectionList)))]
pub(crate) async fn list_connections(
    State(connections): State<Connections>,
    visitor: Visitor,
) -> Result<Json<ConnectionList>, ApiError> {
    let now = connections.now();
    let list = connections.list(member(&visitor)?).await?;
    Ok(Json(ConnectionList {
        services: connections.services(),
        connections: list.into_iter().filter_map(|one| ConnectionView::new(one, now)).collect(),
    }))
}

/// Say that an account at a site is one's own. Nothing is fetched until that is proven.
#[utoipa::path(post, path = "/api/v1/library/connections", tag = "library", request_body = NewConnectionBody,
    responses((status = 200, body = ConnectionView), (status = 409, description = "it is in your list, or sites are switched off"),
        (status = 422, description = "no name")))]
pub(crate) async fn connect_account(
    State(connections): State<Connections>,
    visitor: Visitor,
    Body(new): Body<NewConnectionBody>,
) -> Result<Json<ConnectionView>, ApiError> {
    let made = connections.connect(member(&visitor)?, new.service, &new.name).await?;
    view(&connections, made)
}

/// Show a connected account: how far it is.
#[utoipa::path(get, path = "/api/v1/library/connections/{id}", tag = "library", params(("id" = i64, Path)),
    responses((status = 200, body = ConnectionView), (status = 404, description = "no such connection of yours")))]
pub(crate) async fn show_connection(
    State(connections): State<Connections>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<ConnectionView>, ApiError> {
    let found = connections.find(member(&visitor)?, id).await?;
    view(&connections, found)
}

/// Have the proof looked at: the code in the profile, or a token. The answer comes with the connection, a little later.
#[utoipa::path(post, path = "/api/v1/library/connections/{id}/proof", tag = "library", params(("id" = i64, Path)),
    request_body = ConnectionProof,
    responses((status = 200, body = ConnectionView), (status = 404, description = "no such connection of yours"),
        (status = 422, description = "no token")))]
pub(crate) async fn prove_connection(
    State(connections): State<Connections>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Body(proof): Body<ConnectionProof>,
) -> Result<Json<ConnectionView>, ApiError> {
    let asked = connections.prove(member(&visitor)?, id, proof.token.as_deref()).await?;
    view(&connections, asked)
}

/// Bring the games of a connected account up to date now. One that was stopped goes on.
#[utoipa::path(post, path = "/api/v1/library/connections/{id}/sync", tag = "library", params(("id" = i64, Path)),
    responses((status = 200, body = ConnectionView), (status = 404, description = "no such connection of yours"),
        (status = 409, description = "it is not proven yet")))]
pub(crate) async fn sync_connection(
    State(connections): State<Connections>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<ConnectionView>, ApiError> {
    let asked = connections.sync_now(member(&visitor)?, id).await?;
    view(&connections, asked)
}

/// Disconnect an account. Its games stay in one's library, or go.
#[utoipa::path(delete, path = "/api/v1/library/connections/{id}", tag = "library",
    params(("id" = i64, Path), DisconnectQuery),
    responses((status = 204), (status = 404, description = "no such connection of yours")))]
pub(crate) async fn disconnect_account(
    State(connections): State<Connections>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Params(ask): Params<DisconnectQuery>,
) -> Result<StatusCode, ApiError> {
    connections.disconnect(member(&visitor)?, id, ask.remove_games).await?;
    Ok(StatusCode::NO_CONTENT)
}
