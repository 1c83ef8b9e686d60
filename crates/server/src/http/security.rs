//! Headers that keep browsers on our side, and the check that a changing request comes from our own page.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::ApiError;
use super::assets::Assets;
use crate::config::WebConfig;

/// Pages made to be shown inside a page of another site. They have nothing to press that changes anything, and they ask
/// for their data without a cookie: they show what everybody may see.
const EMBED: &str = "/embed/";

/// Sets the security headers on every answer.
pub(crate) async fn secure_headers(
    State(assets): State<Assets>,
    request: Request,
    next: Next,
) -> Response {
    let is_data = request.uri().path().starts_with("/api/");
    let is_embed = request.uri().path().starts_with(EMBED);
    let policy = if is_embed {
        assets.embed_policy().clone()
    } else {
        assets.policy_at(request.uri().path()).clone()
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if is_data {
        // What somebody may see is nobody else's on the same machine.
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !is_embed {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    // A picture of a position says itself that other sites may show it.
    let ours = HeaderValue::from_static("same-origin");
    headers.entry(HeaderName::from_static("cross-origin-resource-policy")).or_insert(ours);
    response
}

/// Refuses changing requests and sockets that a page of another origin makes with our cookie.
///
/// Programs send no `Origin` and have no cookie to abuse; browsers always send it with such requests.
pub(crate) async fn same_origin(
    State(web): State<WebConfig>,
    request: Request,
    next: Next,
) -> Response {
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_socket = request.headers().contains_key(header::UPGRADE);
    if (!safe || is_socket) && !is_same_origin(request.headers(), &web.public_url) {
        let detail = "this request comes from a page of another site";
        return ApiError::new(StatusCode::FORBIDDEN, "foreign_origin", detail).into_response();
    }
    next.run(request).await
}

fn is_same_origin(headers: &HeaderMap, public_url: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let authority = |text: &str| {
        text.parse::<Uri>().ok().and_then(|uri| uri.authority().map(ToString::to_string))
    };
    let Some(origin) = origin.to_str().ok().and_then(authority) else { return false };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host == Some(origin.as_str()) || authority(public_url).is_some_and(|own| own == origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(origin: Option<&str>, host: &str, public_url: &str, expected: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        assert_eq!(is_same_origin(&headers, public_url), expected, "{origin:?} at {host}");
    }

    #[test]
    fn only_our_own_page_may_change_things() {
        check(None, "club.example", "", true);
        check(Some("http://club.example"), "club.example", "", true);
        check(Some("http://127.0.0.1:8080"), "127.0.0.1:8080", "", true);
        check(Some("http://evil.example"), "club.example", "", false);
        check(Some("http://club.example.evil.example"), "club.example", "", false);
        check(Some("null"), "club.example", "", false);
    }

    #[test]
    fn behind_a_proxy_the_public_address_counts() {
        check(Some("https://club.example"), "127.0.0.1:8080", "https://club.example", true);
        check(Some("https://other.example"), "127.0.0.1:8080", "https://club.example", false);
    }
}
