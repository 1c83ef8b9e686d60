//! HTTP of keys for programs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{ApiToken, StoreError, TokenId};
use utoipa::ToSchema;

use super::fields::FieldProblem;
use super::{AccountError, Accounts, Visitor};
use crate::http::access::Scopes;
use crate::http::{ApiError, Body, Id};

/// A key to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewApiToken {
    /// What its owner calls it.
    pub name: String,
    /// `read`, `play`, `tournament`, `admin`.
    pub scopes: Vec<String>,
    /// How many days it is good for, 365 at most.
    pub days: i64,
}

/// A key.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ApiTokenView {
    /// Its id, which is no secret.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// What it may be used for.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: i64,
    /// When it ends.
    pub expires_at: i64,
    /// When it was last used, to the hour or so.
    pub used_at: Option<i64>,
    /// The key itself, for `Authorization: Bearer …`; only in the answer that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl From<ApiToken> for ApiTokenView {
    fn from(token: ApiToken) -> Self {
        ApiTokenView {
            id: token.id.to_string(),
            name: token.name,
            scopes: token.scopes.split_whitespace().map(str::to_owned).collect(),
            created_at: token.created_at.0,
            expires_at: token.expires_at.0,
            used_at: token.used_at.map(|at| at.0),
            token: None,
        }
    }
}

/// Somebody's keys.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ApiTokenList {
    /// Newest first.
    pub tokens: Vec<ApiTokenView>,
}

/// My keys for programs.
#[utoipa::path(get, path = "/api/v1/account/tokens", tag = "accounts",
    responses((status = 200, body = ApiTokenList)))]
pub(crate) async fn list_tokens(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<ApiTokenList>, ApiError> {
    let owner = visitor.account_id().ok_or(AccountError::NoSession)?;
    let tokens = accounts.tokens(owner).await?.into_iter().map(ApiTokenView::from).collect();
    Ok(Json(ApiTokenList { tokens }))
}

/// Make a key for a program: it is shown once.
#[utoipa::path(post, path = "/api/v1/account/tokens", tag = "accounts", request_body = NewApiToken,
    responses((status = 201, body = ApiTokenView)))]
pub(crate) async fn make_token(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(new): Body<NewApiToken>,
) -> Result<(StatusCode, Json<ApiTokenView>), ApiError> {
    let owner = visitor.account_id().ok_or(AccountError::NoSession)?;
    let scopes = Scopes::from_words(new.scopes.iter().map(String::as_str)).ok_or_else(|| {
        let detail = "a scope is read, play, tournament or admin";
        AccountError::Fields(vec![FieldProblem::new("scopes", "unknown_scope", detail)])
    })?;
    let (token, secret) = accounts.make_token(owner, &new.name, scopes, new.days).await?;
    let view = ApiTokenView { token: Some(secret), ..ApiTokenView::from(token) };
    Ok((StatusCode::CREATED, Json(view)))
}

/// End a key.
#[utoipa::path(delete, path = "/api/v1/account/tokens/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204), (status = 404, description = "no such key of yours")))]
pub(crate) async fn revoke_token(
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(id): Id<TokenId>,
) -> Result<StatusCode, ApiError> {
    let owner = visitor.account_id().ok_or(AccountError::NoSession)?;
    match accounts.revoke_token(owner, id).await {
        Err(AccountError::Store(StoreError::NotFound)) => {
            let detail = "you have no key of this id";
            Err(ApiError::new(StatusCode::NOT_FOUND, "unknown_key", detail))
        }
        other => Ok(other.map(|()| StatusCode::NO_CONTENT)?),
    }
}
