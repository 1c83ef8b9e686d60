//! HTTP of members: finding, changing, helping and removing them.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use store::{AccountId, MemberQuery, PlayerState, Role};

use super::wire::{
    BulkResult, BulkUsers, InactiveUsers, OneTimePassword, RemoveInactive, ResetLink, UserChange,
    UserPage, UserQuery, UserState, UserView,
};
use super::{Administration, AdministrationError};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Id, PublicUrl};

/// Find players.
#[utoipa::path(get, path = "/api/v1/admin/users", tag = "administration", params(UserQuery),
    responses((status = 200, body = UserPage)))]
pub(crate) async fn list_users(
    State(office): State<Administration>,
    visitor: Visitor,
    query: Result<Query<UserQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<UserPage>, ApiError> {
    let Query(query) =
        query.map_err(|error| ApiError::bad_request("bad_query", error.body_text()))?;
    let query = read_query(query)?;
    let (members, next) = office.list(&query).await?;
    let users = members.into_iter().map(|member| UserView::new(member, visitor.roles)).collect();
    Ok(Json(UserPage { users, next }))
}

fn read_query(query: UserQuery) -> Result<MemberQuery, ApiError> {
    let role = match query.role.as_str() {
        "" => None,
        text => Some(read_role(text)?),
    };
    let state = match query.state.as_str() {
        "" => None,
        text => Some(serde_json::from_value::<UserState>(text.into()).map_err(|_| {
            ApiError::bad_request("bad_state", "a state is pending, active or deactivated")
        })?),
    };
    let state = state.map(PlayerState::from);
    Ok(MemberQuery { text: query.query, role, state, after: query.after })
}

fn read_role(text: &str) -> Result<Role, ApiError> {
    text.parse().map_err(|error: store::UnknownRole| {
        ApiError::bad_request("unknown_role", error.to_string())
    })
}

/// Show a player.
#[utoipa::path(get, path = "/api/v1/admin/users/{id}", tag = "administration", params(("id" = String, Path)),
    responses((status = 200, body = UserView), (status = 404, description = "no such player")))]
pub(crate) async fn show_user(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<AccountId>,
) -> Result<Json<UserView>, ApiError> {
    Ok(Json(UserView::new(office.show(id).await?, visitor.roles)))
}

/// Change a player's name, address, state or group.
#[utoipa::path(patch, path = "/api/v1/admin/users/{id}", tag = "administration", params(("id" = String, Path)),
    request_body = UserChange,
    responses((status = 200, body = UserView), (status = 409, description = "the last administrator")))]
pub(crate) async fn change_user(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<AccountId>,
    Body(change): Body<UserChange>,
) -> Result<Json<UserView>, ApiError> {
    let member = office.change(actor(&visitor)?, id, change).await?;
    Ok(Json(UserView::new(member, visitor.roles)))
}

/// Delete a player's account; their games stay under a neutral name.
#[utoipa::path(delete, path = "/api/v1/admin/users/{id}", tag = "administration", params(("id" = String, Path)),
    responses((status = 204), (status = 409, description = "the last administrator")))]
pub(crate) async fn delete_user(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<AccountId>,
) -> Result<StatusCode, ApiError> {
    office.delete(actor(&visitor)?, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Give a player a role.
#[utoipa::path(put, path = "/api/v1/admin/users/{id}/roles/{role}", tag = "administration",
    params(("id" = String, Path), ("role" = String, Path)), responses((status = 204)))]
pub(crate) async fn grant_role(
    State(office): State<Administration>,
    visitor: Visitor,
    Path((id, role)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    office.grant(actor(&visitor)?, read_id(&id)?, read_role(&role)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take a role from a player.
#[utoipa::path(delete, path = "/api/v1/admin/users/{id}/roles/{role}", tag = "administration",
    params(("id" = String, Path), ("role" = String, Path)),
    responses((status = 204), (status = 409, description = "the last administrator")))]
pub(crate) async fn revoke_role(
    State(office): State<Administration>,
    visitor: Visitor,
    Path((id, role)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    office.revoke(actor(&visitor)?, read_id(&id)?, read_role(&role)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a link by which a player chooses a new password. Directors for players without a role.
#[utoipa::path(post, path = "/api/v1/admin/users/{id}/reset-link", tag = "administration",
    params(("id" = String, Path)), responses((status = 200, body = ResetLink)))]
pub(crate) async fn make_reset_link(
    State(office): State<Administration>,
    visitor: Visitor,
    base: PublicUrl,
    Id(id): Id<AccountId>,
) -> Result<Json<ResetLink>, ApiError> {
    let (token, expires_at) = office.make_reset_link(&visitor, id).await?;
    Ok(Json(ResetLink { url: base.link(&format!("/reset#{token}")), expires_at: expires_at.0 }))
}

/// Give a player a password that they have to change at once. Directors for players without a role.
#[utoipa::path(post, path = "/api/v1/admin/users/{id}/one-time-password", tag = "administration",
    params(("id" = String, Path)), responses((status = 200, body = OneTimePassword)))]
pub(crate) async fn set_one_time_password(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<AccountId>,
) -> Result<Json<OneTimePassword>, ApiError> {
    Ok(Json(OneTimePassword { password: office.set_one_time_password(&visitor, id).await? }))
}

/// Take a player's second factor away.
#[utoipa::path(delete, path = "/api/v1/admin/users/{id}/totp", tag = "administration",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn remove_user_totp(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<AccountId>,
) -> Result<StatusCode, ApiError> {
    office.remove_second_factor(actor(&visitor)?, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign a player out everywhere.
#[utoipa::path(delete, path = "/api/v1/admin/users/{id}/sessions", tag = "administration",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn end_user_sessions(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<AccountId>,
) -> Result<StatusCode, ApiError> {
    office.end_sessions(actor(&visitor)?, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Find, or remove, accounts that nobody has used for a long time.
#[utoipa::path(post, path = "/api/v1/admin/users/remove-inactive", tag = "administration",
    request_body = RemoveInactive, responses((status = 200, body = InactiveUsers)))]
pub(crate) async fn remove_inactive_users(
    State(office): State<Administration>,
    visitor: Visitor,
    Body(RemoveInactive { days, confirm }): Body<RemoveInactive>,
) -> Result<Json<InactiveUsers>, ApiError> {
    Ok(Json(office.remove_inactive(actor(&visitor)?, days, confirm).await?))
}

/// Make accounts for a class: the answer is what to print.
#[utoipa::path(post, path = "/api/v1/admin/users/bulk", tag = "administration", request_body = BulkUsers,
    responses((status = 201, body = BulkResult)))]
pub(crate) async fn make_accounts(
    State(office): State<Administration>,
    visitor: Visitor,
    base: PublicUrl,
    Body(list): Body<BulkUsers>,
) -> Result<(StatusCode, Json<BulkResult>), ApiError> {
    let page = base.link("/log-in/card");
    let made = office.make_accounts(actor(&visitor)?, &list.names, list.group, &page).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Who acts. The table of rights lets nobody without an account come here.
pub(super) fn actor(visitor: &Visitor) -> Result<AccountId, ApiError> {
    visitor.account_id().ok_or_else(|| AdministrationError::UnknownUser.into())
}

fn read_id(text: &str) -> Result<AccountId, ApiError> {
    text.parse().map_err(|_| AdministrationError::UnknownUser.into())
}
