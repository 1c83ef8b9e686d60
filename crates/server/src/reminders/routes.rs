//! HTTP of reminders: choosing, browsers, and the link in every mail that ends them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use store::{AccountId, SubscriptionId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::wire::{BrowserView, MailWay, NewSubscription, RemindersView};
use super::{Choice, Reminders};
use crate::accounts::{AccountError, Device, Visitor};
use crate::http::{ApiError, AppState, Body, Id, Problem};
use crate::push::{NewBrowser, Notification};

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_reminders, set_reminders))
        .routes(routes!(add_browser))
        .routes(routes!(remove_browser))
        .routes(routes!(try_notification))
        .routes(routes!(show_unsubscription, unsubscribe_by_link))
}

fn account_of(visitor: &Visitor) -> Result<AccountId, AccountError> {
    visitor.account_id().ok_or(AccountError::NoSession)
}

/// What am I told, and how?
#[utoipa::path(get, path = "/api/v1/account/reminders", tag = "accounts",
    responses((status = 200, body = RemindersView)))]
pub(crate) async fn show_reminders(
    State(reminders): State<Reminders>,
    visitor: Visitor,
) -> Result<Json<RemindersView>, ApiError> {
    let account = account_of(&visitor)?;
    let ground = &reminders.0.ground;
    let player = ground.store.load_player(account).await?;
    let mail = match (&player.email, player.email_verified_at) {
        _ if !ground.mail.is_configured() => MailWay::NoServer,
        (None, _) => MailWay::NoAddress,
        (Some(_), None) => MailWay::NotConfirmed,
        (Some(_), Some(_)) => MailWay::Open,
    };
    let browsers = ground.store.subscriptions(account).await?;
    let browsers = browsers.into_iter().map(|browser| BrowserView {
        id: browser.id.to_string(),
        device: browser.device,
        created_at: browser.created_at.0,
        endpoint: browser.endpoint,
    });
    Ok(Json(RemindersView {
        choice: reminders.choice(account),
        mail,
        push_key: ground.push.public_key(),
        browsers: browsers.collect(),
    }))
}

/// Choose what I am told, and how.
#[utoipa::path(put, path = "/api/v1/account/reminders", tag = "accounts", request_body = Choice,
    responses((status = 204), (status = 422, body = Problem, description = "`bad_hour`")))]
pub(crate) async fn set_reminders(
    State(reminders): State<Reminders>,
    visitor: Visitor,
    Body(choice): Body<Choice>,
) -> Result<StatusCode, ApiError> {
    reminders.choose(account_of(&visitor)?, choice).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Have this browser told, until it is removed or logs out.
#[utoipa::path(post, path = "/api/v1/account/browsers", tag = "accounts", request_body = NewSubscription,
    responses((status = 204), (status = 409, body = Problem, description = "`push_off`"),
        (status = 422, body = Problem, description = "`bad_endpoint`, `bad_keys`")))]
pub(crate) async fn add_browser(
    State(reminders): State<Reminders>,
    visitor: Visitor,
    Device(device): Device,
    Body(new): Body<NewSubscription>,
) -> Result<StatusCode, ApiError> {
    let account = account_of(&visitor)?;
    let session = visitor.token.ok_or(AccountError::NoSession)?;
    let browser = NewBrowser {
        endpoint: &new.endpoint,
        public_key: &new.keys.p256dh,
        auth: &new.keys.auth,
        device,
    };
    reminders.0.ground.push.subscribe(account, session, browser).await?;
    reminders.choose_by_subscribing(account).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Have one of my browsers told nothing any more.
#[utoipa::path(delete, path = "/api/v1/account/browsers/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, description = "no such browser of mine")))]
pub(crate) async fn remove_browser(
    State(reminders): State<Reminders>,
    visitor: Visitor,
    Id(id): Id<SubscriptionId>,
) -> Result<StatusCode, ApiError> {
    reminders.0.ground.store.unsubscribe(account_of(&visitor)?, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Send a notification to all my browsers, to see whether it arrives.
#[utoipa::path(post, path = "/api/v1/account/browsers/test", tag = "accounts", responses((status = 204)))]
pub(crate) async fn try_notification(
    State(reminders): State<Reminders>,
    visitor: Visitor,
) -> Result<StatusCode, ApiError> {
    let ground = &reminders.0.ground;
    let notification = Notification {
        title: "It works".to_owned(),
        body: "Notifications of your chess club arrive here.".to_owned(),
        url: "/account/preferences".to_owned(),
        tag: "test".to_owned(),
    };
    let pushes = ground.push.compose(account_of(&visitor)?, &notification).await?;
    ground.store.queue_pushes(pushes, ground.world.time.now()).await?;
    ground.push.ring();
    Ok(StatusCode::NO_CONTENT)
}

/// Where a mail program that knows no single click leads its reader.
#[utoipa::path(get, path = "/api/v1/unsubscribe/{token}", tag = "accounts", params(("token" = String, Path)),
    responses((status = 303, description = "the page that asks")))]
pub(crate) async fn show_unsubscription(Path(token): Path<String>) -> Redirect {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let token: String = token.chars().filter(is_plain).take(64).collect();
    Redirect::to(&format!("/unsubscribe#{token}"))
}

/// End all reminder mails to whoever got this link. No log-in is needed.
#[utoipa::path(post, path = "/api/v1/unsubscribe/{token}", tag = "accounts", params(("token" = String, Path)),
    responses((status = 204), (status = 404, body = Problem, description = "`bad_link`")))]
pub(crate) async fn unsubscribe_by_link(
    State(reminders): State<Reminders>,
    Path(token): Path<String>,
) -> Result<StatusCode, ApiError> {
    reminders.unsubscribe(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}
