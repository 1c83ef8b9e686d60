//! Programs that act for somebody: the key in the `Authorization` header.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

use super::{Accounts, Visitor};
use crate::http::ApiError;

/// The key a program sends, if it sends one.
pub(super) fn bearer_of(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Accounts {
    /// Finds out for whom a program acts.
    #[expect(
        clippy::unused_async,
        reason = "the keys are looked up in the store once there are any"
    )]
    pub(super) async fn visitor_of_bearer(
        &self,
        _token: &str,
        _address: IpAddr,
    ) -> Result<Visitor, ApiError> {
        Err(ApiError::bad_key())
    }
}
