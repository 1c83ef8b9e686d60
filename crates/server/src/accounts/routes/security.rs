//! HTTP of what guards an account: address, password, second factor, sessions.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use crate::accounts::proof::Proof;
use crate::accounts::wire::{
    CodeOnly, LinkToken, NewEmail, NewPassword, NewPin, PasswordAndCode, PasswordOnly,
    RecoveryCodes, SessionList, TotpProposal,
};
use crate::accounts::{Accounts, Visitor};
use crate::http::{ApiError, Body, Problem};

fn proof(form: &PasswordAndCode) -> Proof<'_> {
    Proof { password: &form.password, field: "password", code: form.code.as_deref() }
}

/// Change my address: at once without a mail server (204), otherwise by a link sent to the new one (202).
#[utoipa::path(post, path = "/api/v1/account/email", tag = "accounts", request_body = NewEmail,
    responses((status = 202), (status = 204),
        (status = 403, body = Problem, description = "`second_factor_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn change_email(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<NewEmail>,
) -> Result<StatusCode, ApiError> {
    let is_on_its_way = accounts.change_email(&visitor, &form).await?;
    Ok(if is_on_its_way { StatusCode::ACCEPTED } else { StatusCode::NO_CONTENT })
}

/// Confirm a new address by the link that was sent to it.
#[utoipa::path(post, path = "/api/v1/account/email/confirm", tag = "accounts", request_body = LinkToken,
    responses((status = 204), (status = 403, body = Problem, description = "`bad_token`")))]
pub(crate) async fn confirm_email(
    State(accounts): State<Accounts>,
    Body(form): Body<LinkToken>,
) -> Result<StatusCode, ApiError> {
    accounts.confirm_email(&form.token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Change my password. The other sessions end.
#[utoipa::path(post, path = "/api/v1/account/password", tag = "accounts", request_body = NewPassword,
    responses((status = 204), (status = 403, body = Problem, description = "`second_factor_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn change_password(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<NewPassword>,
) -> Result<StatusCode, ApiError> {
    accounts.change_password(&visitor, &form).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set my PIN: it lets me confirm a game at somebody else's computer, and nothing else.
#[utoipa::path(put, path = "/api/v1/account/pin", tag = "accounts", request_body = NewPin,
    responses((status = 204), (status = 403, body = Problem, description = "`second_factor_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn set_pin(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<NewPin>,
) -> Result<StatusCode, ApiError> {
    accounts.set_pin(&visitor, &form).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Remove my PIN.
#[utoipa::path(delete, path = "/api/v1/account/pin", tag = "accounts", responses((status = 204)))]
pub(crate) async fn remove_pin(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<StatusCode, ApiError> {
    accounts.remove_pin(&visitor).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ask for a second factor. It counts once it is confirmed with a code.
#[utoipa::path(post, path = "/api/v1/account/totp", tag = "accounts", request_body = PasswordOnly,
    responses((status = 200, body = TotpProposal), (status = 409, body = Problem, description = "it is on already"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn propose_totp(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<PasswordOnly>,
) -> Result<Json<TotpProposal>, ApiError> {
    Ok(Json(accounts.propose_totp(&visitor, &form.password).await?))
}

/// Turn the second factor on with its first code. The recovery codes are shown this once.
#[utoipa::path(post, path = "/api/v1/account/totp/confirm", tag = "accounts", request_body = CodeOnly,
    responses((status = 200, body = RecoveryCodes), (status = 409, body = Problem, description = "nothing to confirm"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn confirm_totp(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<CodeOnly>,
) -> Result<Json<RecoveryCodes>, ApiError> {
    let recovery_codes = accounts.confirm_totp(&visitor, &form.code).await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Turn the second factor off.
#[utoipa::path(delete, path = "/api/v1/account/totp", tag = "accounts", request_body = PasswordAndCode,
    responses((status = 204), (status = 403, body = Problem, description = "`second_factor_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn remove_totp(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<PasswordAndCode>,
) -> Result<StatusCode, ApiError> {
    accounts.remove_totp(&visitor, proof(&form)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make new recovery codes. The old ones end.
#[utoipa::path(post, path = "/api/v1/account/recovery-codes", tag = "accounts", request_body = PasswordAndCode,
    responses((status = 200, body = RecoveryCodes),
        (status = 403, body = Problem, description = "`second_factor_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn renew_recovery_codes(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<PasswordAndCode>,
) -> Result<Json<RecoveryCodes>, ApiError> {
    let recovery_codes = accounts.renew_recovery_codes(&visitor, proof(&form)).await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Where am I logged in?
#[utoipa::path(get, path = "/api/v1/account/sessions", tag = "accounts", responses((status = 200, body = SessionList)))]
pub(crate) async fn list_sessions(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<SessionList>, ApiError> {
    Ok(Json(accounts.sessions(&visitor).await?))
}

/// Log out everywhere else.
#[utoipa::path(delete, path = "/api/v1/account/sessions", tag = "accounts", responses((status = 204)))]
pub(crate) async fn end_other_sessions(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<StatusCode, ApiError> {
    accounts.end_other_sessions(&visitor).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Log one of my sessions out.
#[utoipa::path(delete, path = "/api/v1/account/sessions/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, description = "no such session of mine")))]
pub(crate) async fn end_session(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    accounts.end_session(&visitor, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
