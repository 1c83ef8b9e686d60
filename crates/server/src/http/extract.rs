//! What handlers ask for: bodies and ids with errors that say what to do, and the address people use.

use std::net::{IpAddr, Ipv4Addr};

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRef, FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::{StatusCode, header, request::Parts};
use serde::de::DeserializeOwned;

use super::{ApiError, ClientAddress};
use crate::config::WebConfig;
use crate::lobby::wire::ChallengeView;

/// A JSON body.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;
    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "not_json",
                "send the body as application/json",
            )),
            Err(error) => Err(ApiError::new(error.status(), "bad_body", error.body_text())),
        }
    }
}

/// Where a request comes from.
pub(crate) fn client_address(request: &Request) -> IpAddr {
    let client = request.extensions().get::<ClientAddress>();
    client.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |client| client.0)
}

/// What stands behind the question mark of an address.
pub struct Params<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(Params(params)),
            Err(error) => Err(ApiError::bad_request("bad_query", error.body_text())),
        }
    }
}

/// An id in the path.
pub struct Id<T>(pub T);

impl<S: Send + Sync, T: std::str::FromStr + Send> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let unknown = || {
            ApiError::new(
                StatusCode::NOT_FOUND,
                "unknown_id",
                "an id has exactly eight letters or digits",
            )
        };
        let Path(text) =
            Path::<String>::from_request_parts(parts, state).await.map_err(|_| unknown())?;
        text.parse().map(Id).map_err(|_| unknown())
    }
}

/// The address by which people reach this server, without a slash at the end.
pub struct PublicUrl(String);

impl PublicUrl {
    /// The whole address of a page.
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Turns the path in a challenge into the whole address.
    pub fn complete(&self, mut view: ChallengeView) -> ChallengeView {
        view.url.insert_str(0, &self.0);
        view
    }
}

impl<S> FromRequestParts<S> for PublicUrl
where
    S: Send + Sync,
    WebConfig: FromRef<S>,
{
    type Rejection = std::convert::Infallible;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let configured = WebConfig::from_ref(state).public_url;
        if !configured.is_empty() {
            return Ok(PublicUrl(configured.trim_end_matches('/').to_owned()));
        }
        let host = parts
            .headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .unwrap_or("localhost");
        Ok(PublicUrl(format!("http://{host}")))
    }
}
