//! Whoever makes a request: a browser with a token, perhaps with an account, or a program with a key.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use rules::UnixMillis;
use store::{Account, AccountId, AccountKind, Roles, Session, TokenHash};

use crate::http::access::Scopes;

/// Whoever makes a request.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// The hash of the browser's token.
    pub(crate) token: Option<TokenHash>,
    /// The account, if there is one already.
    pub account: Option<Account>,
    /// What they may do beyond playing.
    pub roles: Roles,
    /// Whether they have to choose a password of their own first.
    pub must_change_password: bool,
    /// When the password was last asked for in this session; never for guests.
    pub proved_at: Option<UnixMillis>,
    /// What a program's key allows; none for a browser.
    pub scopes: Option<Scopes>,
    /// Where the request comes from.
    pub address: IpAddr,
}

impl Default for Visitor {
    fn default() -> Self {
        Visitor::nobody(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }
}

impl Visitor {
    /// Somebody of whom nothing is known.
    pub(crate) fn nobody(address: IpAddr) -> Visitor {
        Visitor {
            token: None,
            account: None,
            roles: Roles::default(),
            must_change_password: false,
            proved_at: None,
            scopes: None,
            address,
        }
    }

    /// A browser that is known by its token.
    pub(crate) fn of_session(token: TokenHash, session: Session, address: IpAddr) -> Visitor {
        // A guest's session gives no rights, whatever became of the account since.
        let roles = if session.proved_at.is_some() { session.roles } else { Roles::default() };
        Visitor {
            token: Some(token),
            account: Some(session.account),
            roles,
            must_change_password: session.must_change_password,
            proved_at: session.proved_at,
            scopes: None,
            address,
        }
    }

    /// The account's id, if there is one already.
    pub fn account_id(&self) -> Option<AccountId> {
        self.account.as_ref().map(|account| account.id)
    }

    /// Whether this is somebody who signed up and logged in, or their program.
    pub fn is_player(&self) -> bool {
        let is_player =
            self.account.as_ref().is_some_and(|account| account.kind == AccountKind::Player);
        is_player && (self.proved_at.is_some() || self.scopes.is_some())
    }
}

/// What a browser says it is, in a form that can be shown in a list.
pub struct Device(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Device {
    type Rejection = std::convert::Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let text = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(Device(text.unwrap_or_default().chars().take(200).collect()))
    }
}
