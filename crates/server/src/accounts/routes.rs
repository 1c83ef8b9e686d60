//! HTTP of accounts and the club.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::wire::{ClubSetup, ClubView, Me};
use super::{Accounts, Visitor};
use crate::games::wire::PlayerView;
use crate::http::{ApiError, Body};

/// Who am I, and where?
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts", responses((status = 200, body = Me)))]
pub(crate) async fn show_me(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<Me>, ApiError> {
    let name = accounts.club_name().await?;
    Ok(Json(Me {
        account: visitor.account.as_ref().map(PlayerView::from),
        club: ClubView {
            is_set_up: name.is_some(),
            name: name.unwrap_or_else(|| "Rookery".to_owned()),
        },
        version: crate::VERSION.to_owned(),
    }))
}

/// Set the club up with the one-time link.
#[utoipa::path(post, path = "/api/v1/setup", tag = "accounts", request_body = ClubSetup,
    responses((status = 204), (status = 403, description = "the link is not valid")))]
pub(crate) async fn set_up_club(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(setup): Body<ClubSetup>,
) -> Result<StatusCode, ApiError> {
    accounts.set_up(&visitor, &setup.token, &setup.club_name).await?;
    Ok(StatusCode::NO_CONTENT)
}
