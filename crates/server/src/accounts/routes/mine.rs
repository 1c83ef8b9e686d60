//! HTTP of one's own account: looking at it, choosing, taking everything along, leaving.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use store::Sight;

use crate::accounts::export::Export;
use crate::accounts::preferences::Preferences;
use crate::accounts::proof::Proof;
use crate::accounts::wire::{AccountView, PasswordAndCode};
use crate::accounts::{Accounts, Visitor};
use crate::analysis::{Analysis, Kept};
use crate::http::{ApiError, Body, Problem};

/// Show my account.
#[utoipa::path(get, path = "/api/v1/account", tag = "accounts", responses((status = 200, body = AccountView)))]
pub(crate) async fn show_account(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<AccountView>, ApiError> {
    Ok(Json(accounts.account_view(&visitor).await?))
}

/// Choose notation, pieces, board and manners.
#[utoipa::path(put, path = "/api/v1/account/preferences", tag = "accounts", request_body = Preferences,
    responses((status = 204)))]
pub(crate) async fn set_preferences(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(preferences): Body<Preferences>,
) -> Result<StatusCode, ApiError> {
    accounts.set_preferences(&visitor, preferences).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Delete my account. Personal data goes at once; games stay under a neutral name.
#[utoipa::path(delete, path = "/api/v1/account", tag = "accounts", request_body = PasswordAndCode,
    responses((status = 204), (status = 403, body = Problem, description = "`second_factor_required`"),
        (status = 409, body = Problem, description = "`last_administrator`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn delete_account(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<PasswordAndCode>,
) -> Result<Response, ApiError> {
    let code = form.code.as_deref();
    let proof = Proof { password: &form.password, field: "password", code };
    accounts.delete_own(&visitor, proof).await?;
    Ok(([(header::SET_COOKIE, accounts.no_cookie())], StatusCode::NO_CONTENT).into_response())
}

/// A file to keep. The name is of letters, digits and `_ - .` only, so nothing can end the header early.
fn attachment(visitor: &Visitor, ending: &str) -> (HeaderName, String) {
    let name = visitor.account.as_ref().map_or("me", |account| account.name.as_str());
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .collect();
    (header::CONTENT_DISPOSITION, format!("attachment; filename=\"rookery-{name}.{ending}\""))
}

/// Download everything about me.
#[utoipa::path(get, path = "/api/v1/account/export", tag = "accounts",
    responses((status = 200, body = Object, description = "account, sessions, games, studies and reports")))]
pub(crate) async fn export_account(
    State(accounts): State<Accounts>,
    State(analysis): State<Analysis>,
    visitor: Visitor,
) -> Result<Response, ApiError> {
    let export = accounts.export(&visitor).await?;
    let kept = analysis.kept_by(Sight::from(&visitor)).await?;
    Ok(([attachment(&visitor, "json")], Json(Everything { export, kept })).into_response())
}

/// What accounts know of somebody, and what they have kept.
#[derive(Serialize)]
struct Everything {
    #[serde(flatten)]
    export: Export,
    #[serde(flatten)]
    kept: Kept,
}

/// Download my games as PGN.
#[utoipa::path(get, path = "/api/v1/account/export.pgn", tag = "accounts",
    responses((status = 200, content_type = "application/x-chess-pgn", body = String)))]
pub(crate) async fn export_games(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Response, ApiError> {
    let text = accounts.export_pgn(&visitor).await?;
    let kind = (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned());
    Ok(([kind, attachment(&visitor, "pgn")], text).into_response())
}
