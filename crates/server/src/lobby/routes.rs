//! HTTP of challenges and of who is there.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;
use store::GameId;
use utoipa::IntoParams;

use super::Lobby;
use super::wire::{ChallengeList, ChallengeView, NewChallenge, OnlineList, Refusal};
use crate::accounts::{Accounts, Visitor};
use crate::games::wire::GameView;
use crate::http::{ApiError, Body, Id, PublicUrl};

/// Make a challenge: a link to hand on, a question to one player, or a seek for everybody in the lobby.
#[utoipa::path(post, path = "/api/v1/challenges", tag = "lobby", request_body = NewChallenge,
    responses((status = 201, body = ChallengeView), (status = 404, description = "no player of this name"),
        (status = 422, description = "a game nobody can play")))]
pub(crate) async fn create_challenge(
    State(lobby): State<Lobby>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    base: PublicUrl,
    Body(new): Body<NewChallenge>,
) -> Result<(StatusCode, Json<ChallengeView>), ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let challenge = lobby.challenge(account, &new).await?;
    Ok((StatusCode::CREATED, Json(base.complete(challenge))))
}

/// Which challenges to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// If given, those to and by the one who asks; otherwise the seeks in the lobby.
    mine: Option<String>,
}

/// List open challenges, the newest first.
#[utoipa::path(get, path = "/api/v1/challenges", tag = "lobby", params(ListQuery),
    responses((status = 200, body = ChallengeList)))]
pub(crate) async fn list_challenges(
    State(lobby): State<Lobby>,
    visitor: Visitor,
    base: PublicUrl,
    Query(query): Query<ListQuery>,
) -> Result<Json<ChallengeList>, ApiError> {
    let challenges = match (query.mine, visitor.account_id()) {
        (None, account) => lobby.seeks(account),
        (Some(_), Some(account)) => lobby.challenges_of(account).await?,
        (Some(_), None) => Vec::new(),
    };
    let challenges = challenges.into_iter().map(|view| base.complete(view)).collect();
    Ok(Json(ChallengeList { challenges }))
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
    Ok(Json(base.complete(lobby.show(id, &visitor).await?)))
}

/// The link of a challenge as a QR code.
#[utoipa::path(get, path = "/api/v1/challenges/{id}/qr.svg", tag = "lobby", params(("id" = String, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String)))]
pub(crate) async fn show_challenge_qr(
    State(lobby): State<Lobby>,
    visitor: Visitor,
    base: PublicUrl,
    Id(id): Id<GameId>,
) -> Result<Response, ApiError> {
    let url = base.complete(lobby.show(id, &visitor).await?).url;
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

/// Decline a challenge, with a reason that its maker is told.
#[utoipa::path(post, path = "/api/v1/challenges/{id}/refusal", tag = "lobby", params(("id" = String, Path)),
    request_body = Refusal, responses((status = 200, body = ChallengeView),
        (status = 403, description = "it asks somebody else"), (status = 409, description = "no longer open")))]
pub(crate) async fn decline_challenge(
    State(lobby): State<Lobby>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    base: PublicUrl,
    Id(id): Id<GameId>,
    Body(refusal): Body<Refusal>,
) -> Result<Json<ChallengeView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let view = lobby.decline(id, account.id, refusal.reason.into()).await?;
    Ok(Json(base.complete(view)))
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

/// Become a guest: who has no account gets one, and the cookie that goes with it.
#[utoipa::path(post, path = "/api/v1/guest", tag = "lobby", responses((status = 204)))]
pub(crate) async fn become_guest(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<StatusCode, ApiError> {
    accounts.account_of(&visitor).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who is there.
#[utoipa::path(get, path = "/api/v1/online", tag = "lobby", responses((status = 200, body = OnlineList)))]
pub(crate) async fn list_online(State(lobby): State<Lobby>) -> Result<Json<OnlineList>, ApiError> {
    Ok(Json(lobby.online().await?))
}
