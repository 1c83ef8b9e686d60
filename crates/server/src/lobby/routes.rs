//! HTTP of challenges.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use qrcode::QrCode;
use qrcode::render::svg;
use store::GameId;

use super::Lobby;
use super::wire::{ChallengeView, NewChallenge};
use crate::accounts::{Accounts, Visitor};
use crate::games::wire::GameView;
use crate::http::{ApiError, Body, Id, PublicUrl};

/// Challenge a friend: the answer has the link to hand on.
#[utoipa::path(post, path = "/api/v1/challenges", tag = "lobby", request_body = NewChallenge,
    responses((status = 201, body = ChallengeView), (status = 422, description = "a time control nobody can play")))]
pub(crate) async fn create_challenge(
    State(lobby): State<Lobby>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    base: PublicUrl,
    Body(new): Body<NewChallenge>,
) -> Result<(StatusCode, Json<ChallengeView>), ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let id = account.id;
    let challenge = lobby.challenge(account, &new).await?;
    Ok((StatusCode::CREATED, Json(base.complete(Lobby::view(&challenge, Some(id))))))
}

/// Show a challenge.
#[utoipa::path(get, path = "/api/v1/challenges/{id}", tag = "lobby", params(("id" = String, Path)),
    responses((status = 200, body = ChallengeView), (status = 404, description = "no such challenge")))]
pub(crate) async fn show_challenge(
    State(lobby): State<Lobby>,
    visitor: Visitor,
    base: PublicUrl,
    Id(id): Id<GameId>,
) -> Result<Json<ChallengeView>, ApiError> {
    let challenge = lobby.find(id).await?;
    Ok(Json(base.complete(Lobby::view(&challenge, visitor.account_id()))))
}

/// The link of a challenge as a QR code.
#[utoipa::path(get, path = "/api/v1/challenges/{id}/qr.svg", tag = "lobby", params(("id" = String, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String)))]
pub(crate) async fn show_challenge_qr(
    State(lobby): State<Lobby>,
    base: PublicUrl,
    Id(id): Id<GameId>,
) -> Result<Response, ApiError> {
    let challenge = lobby.find(id).await?;
    let url = base.complete(Lobby::view(&challenge, None)).url;
    let code = QrCode::new(url.as_bytes()).map_err(|error| ApiError::fault(&error))?;
    let picture = code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build();
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("image/svg+xml"));
    Ok((headers, picture).into_response())
}

/// Accept a challenge: the game begins.
#[utoipa::path(post, path = "/api/v1/challenges/{id}/acceptance", tag = "lobby", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 409, description = "no longer open")))]
pub(crate) async fn accept_challenge(
    State(lobby): State<Lobby>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(id): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(lobby.accept(id, account).await?))
}

/// Take a challenge back.
#[utoipa::path(delete, path = "/api/v1/challenges/{id}", tag = "lobby", params(("id" = String, Path)),
    responses((status = 204), (status = 409, description = "no longer open, or not yours")))]
pub(crate) async fn cancel_challenge(
    State(lobby): State<Lobby>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(id): Id<GameId>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    lobby.cancel(id, account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
