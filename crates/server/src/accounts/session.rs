//! The session cookie: an opaque random token; only its hash is kept.

use axum::extract::{FromRef, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use store::TokenHash;

use super::bearer::bearer_of;
use super::{Accounts, Visitor};
use crate::http::{ApiError, client_address};
use crate::world::Chance;

const COOKIE: &str = "rookery_session";
/// The prefix makes browsers insist on https and on this very host.
const SECURE_COOKIE: &str = "__Host-rookery_session";

/// A secret of 256 random bits.
pub(crate) struct Token([u8; 32]);

impl Token {
    pub(crate) fn draw(chance: &Chance) -> Token {
        Token(chance.bytes())
    }

    pub(crate) fn from_text(text: &str) -> Option<Token> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Token)
    }

    pub(crate) fn into_text(self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.0)
    }

    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0).into())
    }
}

/// Finds out who makes a request, and gives a browser that comes for the first time its cookie.
pub async fn identify(
    State(accounts): State<Accounts>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let address = client_address(&request);
    if let Some(key) = bearer_of(request.headers()) {
        let visitor = accounts.visitor_of_bearer(key, address).await?;
        request.extensions_mut().insert(visitor);
        return Ok(next.run(request).await);
    }
    let known = token_of(request.headers());
    // A socket cannot take a cookie along; everything else that may lead to a game gets one.
    let fresh =
        (known.is_none() && wants_cookie(&request)).then(|| Token::draw(&accounts.0.world.chance));
    let visitor = match (&known, &fresh) {
        (Some(token), _) => accounts.visitor(token.hash(), address).await?,
        (None, Some(token)) => Visitor { token: Some(token.hash()), ..Visitor::nobody(address) },
        (None, None) => Visitor::nobody(address),
    };
    request.extensions_mut().insert(visitor);
    let mut response = next.run(request).await;
    // A log-in has set its own cookie, which must not be overwritten.
    if let Some(token) = fresh
        && !response.headers().contains_key(header::SET_COOKIE)
    {
        response.headers_mut().append(header::SET_COOKIE, accounts.cookie(token));
    }
    Ok(response)
}

fn wants_cookie(request: &Request) -> bool {
    request.method() != Method::GET || request.uri().path() == "/api/v1/me"
}

fn token_of(headers: &HeaderMap) -> Option<Token> {
    let pairs = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    pairs
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE || *name == SECURE_COOKIE)
        .and_then(|(_, value)| Token::from_text(value))
}

impl Accounts {
    /// The cookie that makes a browser known by this token.
    pub(super) fn cookie(&self, token: Token) -> HeaderValue {
        cookie(&token.into_text(), 31_536_000, self.0.secure)
    }

    /// The cookie that makes a browser forget its token.
    pub(super) fn no_cookie(&self) -> HeaderValue {
        cookie("", 0, self.0.secure)
    }
}

fn cookie(value: &str, seconds: u32, secure: bool) -> HeaderValue {
    let (name, extra) = if secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{extra}");
    HeaderValue::from_str(&text).expect("a cookie of base64 is a valid header")
}

impl<S> FromRequestParts<S> for Visitor
where
    S: Send + Sync,
    Accounts: FromRef<S>,
{
    type Rejection = std::convert::Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get::<Visitor>().cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_its_text_and_nothing_else_is_one() {
        let token = Token::draw(&Chance::from_seed(1));
        let hash = token.hash();
        let text = token.into_text();
        assert!(Token::from_text(&text).is_some_and(|token| token.hash() == hash));
        for bad in ["", "abc", &text[1..], &format!("{text}A"), "../../../../etc/passwd"] {
            assert!(Token::from_text(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let text = Token::draw(&Chance::from_seed(2)).into_text();
        let mut headers = HeaderMap::new();
        headers
            .insert(header::COOKIE, format!("theme=dark; {COOKIE}={text}; x=y").parse().unwrap());
        assert!(token_of(&headers).is_some());
        headers.insert(header::COOKIE, "theme=dark".parse().unwrap());
        assert!(token_of(&headers).is_none());
    }

    #[test]
    fn behind_https_the_cookie_demands_it() {
        assert!(cookie("x", 9, true).to_str().unwrap().starts_with("__Host-"));
        assert!(cookie("x", 9, true).to_str().unwrap().ends_with("; Secure"));
        assert!(!cookie("x", 9, false).to_str().unwrap().contains("Secure"));
    }
}
