//! Ended sessions: their sockets close at once.

use store::{AccountId, TokenHash};

use super::Live;
use super::outbox::Farewell;
use crate::accounts::Visitor;

/// By what right a socket is open.
pub(super) struct Holder {
    token: Option<TokenHash>,
    account: Option<AccountId>,
    /// A program's key instead of a browser's session.
    by_key: bool,
}

impl From<&Visitor> for Holder {
    fn from(visitor: &Visitor) -> Holder {
        let (token, account) = (visitor.token, visitor.account_id());
        Holder { token, account, by_key: visitor.scopes.is_some() }
    }
}

impl Live {
    /// Closes the sockets of one session.
    pub fn close_session(&self, token: TokenHash) {
        self.sign_out(|holder| holder.token == Some(token));
    }

    /// Closes all sockets of an account.
    pub fn close_account(&self, id: AccountId) {
        self.sign_out(|holder| holder.account == Some(id));
    }

    /// Closes the sockets of an account's programs: they come back with the keys that are still good.
    pub fn close_programs(&self, id: AccountId) {
        self.sign_out(|holder| holder.account == Some(id) && holder.by_key);
    }

    /// Closes all sockets of an account but those of one session.
    pub fn close_other_sessions(&self, id: AccountId, except: Option<TokenHash>) {
        self.sign_out(|holder| {
            holder.account == Some(id) && (except.is_none() || holder.token != except)
        });
    }

    fn sign_out(&self, concerns: impl Fn(&Holder) -> bool) {
        let sockets = self.0.sockets.lock();
        let concerned = sockets.values().filter(|open| concerns(&open.holder));
        concerned.for_each(|open| open.outbox.close(Farewell::SignedOut));
    }
}
