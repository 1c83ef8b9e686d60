//! Programs that act for somebody: the key in the `Authorization` header.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

use super::tokens::hash_of;
use super::{Accounts, Visitor};
use crate::http::ApiError;
use crate::http::access::Scopes;

/// The key a program sends, if it sends one.
pub(super) fn bearer_of(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    // A scheme without a key is a bad key, not none: otherwise a cookie would answer for it.
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl Accounts {
    /// Finds out for whom a program acts, and how far it may go.
    pub(super) async fn visitor_of_bearer(
        &self,
        key: &str,
        address: IpAddr,
    ) -> Result<Visitor, ApiError> {
        let hash = hash_of(key).ok_or_else(ApiError::bad_key)?;
        let found = self.0.store.find_bearer(hash, self.now()).await?;
        let bearer = found.ok_or_else(ApiError::bad_key)?;
        self.note_use(bearer.token, bearer.used_at).await?;
        let scopes = Scopes::from_words(bearer.scopes.split_whitespace());
        Ok(Visitor {
            account: Some(bearer.account),
            roles: bearer.roles,
            // Scopes that this program does not know allow nothing.
            scopes: Some(scopes.unwrap_or_default()),
            ..Visitor::nobody(address)
        })
    }
}
