//! HTTP of the club itself: invitations, the policy, the audit log, the mails.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use store::{AccountId, InviteId, Store};

use super::Administration;
use super::routes::actor;
use super::wire::{
    AuditPage, AuditQuery, FailedMailView, InviteList, InviteView, MailTest, MailView, NewInvite,
    PolicyView,
};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Id, PublicUrl};
use crate::mail::Mail;

/// The invitations that can still be used.
#[utoipa::path(get, path = "/api/v1/admin/invites", tag = "administration",
    responses((status = 200, body = InviteList)))]
pub(crate) async fn list_invites(
    State(office): State<Administration>,
) -> Result<Json<InviteList>, ApiError> {
    let invites = office.invites().await?.into_iter().map(InviteView::from).collect();
    Ok(Json(InviteList { invites }))
}

/// Make an invitation: the answer has the link, which is shown once.
#[utoipa::path(post, path = "/api/v1/admin/invites", tag = "administration", request_body = NewInvite,
    responses((status = 201, body = InviteView)))]
pub(crate) async fn make_invite(
    State(office): State<Administration>,
    visitor: Visitor,
    base: PublicUrl,
    Body(NewInvite { days, uses }): Body<NewInvite>,
) -> Result<(StatusCode, Json<InviteView>), ApiError> {
    let (invite, token) = office.invite(actor(&visitor)?, days, uses).await?;
    let url = Some(base.link(&format!("/sign-up#{token}")));
    Ok((StatusCode::CREATED, Json(InviteView { url, ..InviteView::from(invite) })))
}

/// Take an invitation back.
#[utoipa::path(delete, path = "/api/v1/admin/invites/{id}", tag = "administration",
    params(("id" = String, Path)), responses((status = 204)))]
pub(crate) async fn withdraw_invite(
    State(office): State<Administration>,
    visitor: Visitor,
    Id(id): Id<InviteId>,
) -> Result<StatusCode, ApiError> {
    office.withdraw_invite(actor(&visitor)?, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The policy in force.
#[utoipa::path(get, path = "/api/v1/admin/policy", tag = "administration",
    responses((status = 200, body = PolicyView)))]
pub(crate) async fn show_policy(
    State(office): State<Administration>,
) -> Result<Json<PolicyView>, ApiError> {
    Ok(Json(office.policy().await?))
}

/// Set the policy. It wins over the settings file from now on.
#[utoipa::path(put, path = "/api/v1/admin/policy", tag = "administration", request_body = PolicyView,
    responses((status = 200, body = PolicyView)))]
pub(crate) async fn set_policy(
    State(office): State<Administration>,
    visitor: Visitor,
    Body(policy): Body<PolicyView>,
) -> Result<Json<PolicyView>, ApiError> {
    office.set_policy(actor(&visitor)?, policy).await?;
    Ok(Json(office.policy().await?))
}

/// Who did what to whom, newest first.
#[utoipa::path(get, path = "/api/v1/admin/audit", tag = "administration", params(AuditQuery),
    responses((status = 200, body = AuditPage)))]
pub(crate) async fn show_audit(
    State(store): State<Store>,
    query: Result<Query<AuditQuery>, QueryRejection>,
) -> Result<Json<AuditPage>, ApiError> {
    let Query(query) =
        query.map_err(|error| ApiError::bad_request("bad_query", error.body_text()))?;
    let id = |text: &str| -> Result<Option<AccountId>, ApiError> {
        match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| {
                ApiError::bad_request("unknown_id", "an id has exactly eight letters or digits")
            }),
        }
    };
    let entries = store.load_audit(query.after, id(&query.actor)?, id(&query.subject)?).await?;
    // A page that is not full is the last one.
    let next = entries.get(store::AUDIT_PAGE - 1).map(|entry| entry.seq);
    Ok(Json(AuditPage { lines: entries.into_iter().map(Into::into).collect(), next }))
}

/// How the outbox is.
#[utoipa::path(get, path = "/api/v1/admin/mail", tag = "administration",
    responses((status = 200, body = MailView)))]
pub(crate) async fn show_mail(State(mail): State<Mail>) -> Result<Json<MailView>, ApiError> {
    let counts = mail.counts().await?;
    let failed = counts.failed.into_iter().map(|failed| FailedMailView {
        recipient: failed.recipient,
        subject: failed.subject,
        problem: failed.problem,
        created_at: failed.created_at.0,
    });
    Ok(Json(MailView {
        configured: mail.is_configured(),
        waiting: counts.waiting,
        problem: counts.problem,
        failed: failed.collect(),
    }))
}

/// Send a test mail and wait for the mail server's word on it.
#[utoipa::path(post, path = "/api/v1/admin/mail/test", tag = "administration", request_body = MailTest,
    responses((status = 204), (status = 409, description = "no mail server in the settings"),
        (status = 502, description = "the mail server did not take it")))]
pub(crate) async fn send_test_mail(
    State(office): State<Administration>,
    State(mail): State<Mail>,
    visitor: Visitor,
    Body(MailTest { to }): Body<MailTest>,
) -> Result<StatusCode, ApiError> {
    mail.send_test(&to).await?;
    office.note_test_mail(actor(&visitor)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
