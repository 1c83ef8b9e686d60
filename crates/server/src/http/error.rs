//! Errors as the API gives them: RFC 9457 problems with a stable `code`. The only place that knows status codes.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::StoreError;
use utoipa::ToSchema;

use crate::accounts::AccountError;
use crate::games::GameError;
use crate::games::chat::ChatRefusal;
use crate::lobby::LobbyError;

/// A problem as RFC 9457 describes it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: `code` tells problems apart.
    pub r#type: String,
    /// The status in words.
    pub title: String,
    /// The status.
    pub status: u16,
    /// The reason, for programs. It does not change.
    pub code: String,
    /// The reason, for people.
    pub detail: String,
}

/// An error on its way out.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    detail: String,
    retry_after: Option<u32>,
}

impl ApiError {
    /// Any error.
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<String>,
    ) -> ApiError {
        ApiError { status, code, detail: detail.into(), retry_after: None }
    }

    /// The request makes no sense.
    pub(crate) fn bad_request(code: &'static str, detail: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// Too often; try again after some seconds.
    pub(crate) fn too_many(seconds: u32) -> ApiError {
        let detail = format!("too many requests from your network; try again in {seconds} s");
        ApiError {
            retry_after: Some(seconds),
            ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
        }
    }

    /// A fault of ours: logged here, once, and not explained to the outside.
    pub(crate) fn fault(error: &dyn std::fmt::Display) -> ApiError {
        tracing::error!(%error, "a request failed");
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "fault",
            "something went wrong on our side",
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let problem = Problem {
            r#type: "about:blank".to_owned(),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            code: self.code.to_owned(),
            detail: self.detail,
        };
        let mut response = (self.status, Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Conflict => StatusCode::CONFLICT,
            StoreError::NotFound => StatusCode::NOT_FOUND,
            StoreError::Away(_) | StoreError::Unknown(_) | StoreError::Stopped(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            _ => return ApiError::fault(&error),
        };
        let error = GameError::Store(error);
        ApiError::new(status, error.code(), error.to_string())
    }
}

impl From<GameError> for ApiError {
    fn from(error: GameError) -> Self {
        let status = match error {
            GameError::Store(error) => return error.into(),
            GameError::Fault(error) => return ApiError::fault(&error),
            GameError::Unknown => StatusCode::NOT_FOUND,
            GameError::NotYourGame => StatusCode::FORBIDDEN,
            GameError::Chat(ChatRefusal::Flood) => StatusCode::TOO_MANY_REQUESTS,
            GameError::Chat(ChatRefusal::NotYourRoom | ChatRefusal::Off) => StatusCode::FORBIDDEN,
            GameError::Chat(_) => StatusCode::UNPROCESSABLE_ENTITY,
            GameError::Refused(_) | GameError::StillRunning => StatusCode::CONFLICT,
            GameError::Draining => StatusCode::SERVICE_UNAVAILABLE,
        };
        ApiError::new(status, error.code(), error.to_string())
    }
}

impl From<LobbyError> for ApiError {
    fn from(error: LobbyError) -> Self {
        let (status, code) = match &error {
            LobbyError::Game(error) => return error.clone().into(),
            LobbyError::Unknown => (StatusCode::NOT_FOUND, "unknown_challenge"),
            LobbyError::Time(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_time_control"),
            LobbyError::NotOpen => (StatusCode::CONFLICT, "challenge_not_open"),
            LobbyError::Own => (StatusCode::CONFLICT, "own_challenge"),
            LobbyError::NotForYou => (StatusCode::FORBIDDEN, "not_for_you"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let (status, code) = match &error {
            AccountError::Store(error) => return error.clone().into(),
            AccountError::NoSession => (StatusCode::UNAUTHORIZED, "no_session"),
            AccountError::BadSetupToken => (StatusCode::FORBIDDEN, "bad_setup_token"),
            AccountError::BadClubName => (StatusCode::UNPROCESSABLE_ENTITY, "bad_club_name"),
        };
        ApiError::new(status, code, error.to_string())
    }
}
