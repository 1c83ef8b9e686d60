//! Who may do what: every route in one table; what is not in it is refused.

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::ApiError;
use crate::accounts::Visitor;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Everybody, with an account or without.
    Anybody,
    /// Somebody with an account, be it a guest's. Whether they sit at the board is the game's to say.
    Account,
}
use Who::{Account, Anybody};

/// The table.
pub const TABLE: &[(Method, &str, Who)] = &[
    (Method::GET, "/healthz", Anybody),
    (Method::GET, "/readyz", Anybody),
    (Method::GET, "/metrics", Anybody),
    (Method::GET, "/ws", Anybody),
    (Method::GET, "/api/v1/openapi.json", Anybody),
    (Method::GET, "/api/v1/me", Anybody),
    (Method::POST, "/api/v1/setup", Anybody),
    (Method::POST, "/api/v1/challenges", Anybody),
    (Method::GET, "/api/v1/challenges/{id}", Anybody),
    (Method::GET, "/api/v1/challenges/{id}/qr.svg", Anybody),
    (Method::POST, "/api/v1/challenges/{id}/acceptance", Anybody),
    (Method::DELETE, "/api/v1/challenges/{id}", Account),
    (Method::GET, "/api/v1/games", Anybody),
    (Method::GET, "/api/v1/games/{id}", Anybody),
    (Method::POST, "/api/v1/games/{id}/moves", Account),
    (Method::POST, "/api/v1/games/{id}/resignation", Account),
    (Method::POST, "/api/v1/games/{id}/draw", Account),
    (Method::DELETE, "/api/v1/games/{id}/draw", Account),
    (Method::POST, "/api/v1/games/{id}/takeback", Account),
    (Method::DELETE, "/api/v1/games/{id}/takeback", Account),
    (Method::POST, "/api/v1/games/{id}/time", Account),
    (Method::POST, "/api/v1/games/{id}/claim", Account),
    (Method::POST, "/api/v1/games/{id}/chat", Anybody),
    (Method::POST, "/api/v1/games/{id}/abort", Account),
    (Method::POST, "/api/v1/games/{id}/rematch", Account),
];

/// Looks a request up in the table. Routes that are not in it are refused, so that forgetting one is safe.
pub(crate) async fn check_access(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let Some(route) = route else { return next.run(request).await };
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let who =
        TABLE.iter().find(|(m, path, _)| m == method && *path == route).map(|(_, _, who)| *who);
    let has_account =
        request.extensions().get::<Visitor>().is_some_and(|visitor| visitor.account.is_some());
    match who {
        Some(Anybody) => next.run(request).await,
        Some(Account) if has_account => next.run(request).await,
        Some(Account) => {
            let detail = "this needs an account: begin or accept a game first";
            ApiError::new(StatusCode::UNAUTHORIZED, "no_account", detail).into_response()
        }
        None => {
            ApiError::new(StatusCode::FORBIDDEN, "forbidden", "nobody may do this").into_response()
        }
    }
}
