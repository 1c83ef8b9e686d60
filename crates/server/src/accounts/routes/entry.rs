//! HTTP of coming in: set-up, sign-up, activation, log-in, reset.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::accounts::log_in::LoggedIn;
use crate::accounts::sign_up::SignedUp;
use crate::accounts::wire::{
    ClubSetup, FieldProblems, FinishReset, LinkToken, LogIn, LogInAnswer, MailRequest, SecondStep,
    SignUp, SignUpAnswer, SignUpCheck,
};
use crate::accounts::{Accounts, Device, Token, Visitor};
use crate::http::{ApiError, Body, Problem};

/// An answer that makes the browser known by a new token.
fn with_session(accounts: &Accounts, token: Token, answer: impl IntoResponse) -> Response {
    with_cookie(accounts.cookie(token), answer)
}

fn with_cookie(cookie: HeaderValue, answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

fn logged_in(accounts: &Accounts, how: LoggedIn) -> Response {
    match how {
        LoggedIn::SignedIn(token) => with_session(accounts, token, Json(LogInAnswer::SignedIn)),
        LoggedIn::SecondStep { ticket } => Json(LogInAnswer::SecondStep { ticket }).into_response(),
    }
}

/// Set the club up with the one-time link: its name and its first administrator.
#[utoipa::path(post, path = "/api/v1/setup", tag = "accounts", request_body = ClubSetup,
    responses((status = 204), (status = 403, description = "the link is not valid"),
        (status = 422, body = Problem, description = "`invalid_fields` or `bad_club_name`")))]
pub(crate) async fn set_up_club(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    device: Device,
    Body(form): Body<ClubSetup>,
) -> Result<Response, ApiError> {
    let token = accounts.set_up(&visitor, device, &form).await?;
    Ok(with_session(&accounts, token, StatusCode::NO_CONTENT))
}

/// A puzzle for the browser (ALTCHA proof of work): its solution is sent as `captcha` with a form.
#[utoipa::path(get, path = "/api/v1/captcha", tag = "accounts",
    responses((status = 200, body = Object, description = "an ALTCHA challenge, algorithm SHA-256")))]
pub(crate) async fn show_captcha(
    State(accounts): State<Accounts>,
) -> Result<Json<altcha::Challenge>, ApiError> {
    Ok(Json(accounts.new_captcha()?))
}

/// Look at parts of a sign-up while they are typed. Whether an address has an account is not told.
#[utoipa::path(post, path = "/api/v1/sign-up/check", tag = "accounts", request_body = SignUpCheck,
    responses((status = 200, body = FieldProblems)))]
pub(crate) async fn check_sign_up(
    State(accounts): State<Accounts>,
    Body(form): Body<SignUpCheck>,
) -> Result<Json<FieldProblems>, ApiError> {
    Ok(Json(FieldProblems { fields: accounts.check_sign_up(&form).await? }))
}

/// Sign up. A guest's games become the player's.
#[utoipa::path(post, path = "/api/v1/sign-up", tag = "accounts", request_body = SignUp,
    responses((status = 201, body = SignUpAnswer),
        (status = 403, body = Problem, description = "`sign_up_closed`, `invite_required` or `captcha_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn sign_up(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    device: Device,
    Body(form): Body<SignUp>,
) -> Result<Response, ApiError> {
    let answer = |answer| (StatusCode::CREATED, Json(answer));
    Ok(match accounts.sign_up(&visitor, device, form).await? {
        SignedUp::Active(token) => with_session(&accounts, token, answer(SignUpAnswer::Active)),
        SignedUp::ActivationSent => answer(SignUpAnswer::ActivationSent).into_response(),
    })
}

/// Activate a new account by the link in the mail; then log in.
#[utoipa::path(post, path = "/api/v1/activation", tag = "accounts", request_body = LinkToken,
    responses((status = 204), (status = 403, body = Problem, description = "`bad_token`")))]
pub(crate) async fn activate_account(
    State(accounts): State<Accounts>,
    Body(form): Body<LinkToken>,
) -> Result<StatusCode, ApiError> {
    accounts.activate(&form.token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Have the activation link sent again. The answer is the same whether there is anybody or not.
#[utoipa::path(post, path = "/api/v1/activation/resend", tag = "accounts", request_body = MailRequest,
    responses((status = 202)))]
pub(crate) async fn resend_activation(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<MailRequest>,
) -> Result<StatusCode, ApiError> {
    accounts.resend_activation(&visitor, form.name_or_email, form.captcha.as_deref())?;
    Ok(StatusCode::ACCEPTED)
}

/// Log in with name or address and password.
#[utoipa::path(post, path = "/api/v1/log-in", tag = "accounts", request_body = LogIn,
    responses((status = 200, body = LogInAnswer),
        (status = 401, body = Problem, description = "`bad_credentials`"),
        (status = 403, body = Problem, description = "`captcha_required`, `not_activated` or `deactivated`"),
        (status = 429, body = Problem, description = "`too_many_attempts`")))]
pub(crate) async fn log_in(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    device: Device,
    Body(form): Body<LogIn>,
) -> Result<Response, ApiError> {
    let LogIn { name_or_email, password, captcha } = form;
    let how =
        accounts.log_in(&visitor, device, &name_or_email, &password, captcha.as_deref()).await?;
    Ok(logged_in(&accounts, how))
}

/// The second step of a log-in: a code of the second factor, or a recovery code.
#[utoipa::path(post, path = "/api/v1/log-in/second-step", tag = "accounts", request_body = SecondStep,
    responses((status = 200, body = LogInAnswer),
        (status = 403, body = Problem, description = "`bad_token`: begin again"),
        (status = 422, body = Problem, description = "`invalid_fields`: the code is wrong")))]
pub(crate) async fn finish_log_in(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    device: Device,
    Body(form): Body<SecondStep>,
) -> Result<Response, ApiError> {
    let token = accounts.second_step(&visitor, device, &form.ticket, &form.code).await?;
    Ok(logged_in(&accounts, LoggedIn::SignedIn(token)))
}

/// Log in with the QR code of a printed card.
#[utoipa::path(post, path = "/api/v1/log-in/card", tag = "accounts", request_body = LinkToken,
    responses((status = 200, body = LogInAnswer), (status = 403, body = Problem, description = "`bad_token`")))]
pub(crate) async fn log_in_by_card(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    device: Device,
    Body(form): Body<LinkToken>,
) -> Result<Response, ApiError> {
    let how = accounts.log_in_by_card(&visitor, device, &form.token).await?;
    Ok(logged_in(&accounts, how))
}

/// Log out.
#[utoipa::path(post, path = "/api/v1/log-out", tag = "accounts", responses((status = 204)))]
pub(crate) async fn log_out(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Response, ApiError> {
    accounts.log_out(&visitor).await?;
    Ok(with_cookie(accounts.no_cookie(), StatusCode::NO_CONTENT))
}

/// Have a reset link sent. The answer is the same whether there is anybody or not.
#[utoipa::path(post, path = "/api/v1/password-reset", tag = "accounts", request_body = MailRequest,
    responses((status = 202)))]
pub(crate) async fn request_password_reset(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<MailRequest>,
) -> Result<StatusCode, ApiError> {
    accounts.request_reset(&visitor, form.name_or_email, form.captcha.as_deref())?;
    Ok(StatusCode::ACCEPTED)
}

/// Choose a new password by a reset link. All sessions end.
#[utoipa::path(post, path = "/api/v1/password-reset/finish", tag = "accounts", request_body = FinishReset,
    responses((status = 204),
        (status = 403, body = Problem, description = "`bad_token` or `second_factor_required`"),
        (status = 422, body = Problem, description = "`invalid_fields`")))]
pub(crate) async fn finish_password_reset(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(form): Body<FinishReset>,
) -> Result<StatusCode, ApiError> {
    accounts.finish_reset(&visitor, &form).await?;
    Ok(StatusCode::NO_CONTENT)
}
