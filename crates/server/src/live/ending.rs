//! Ended sessions: their sockets close at once.

use store::{AccountId, TokenHash};
use tokio::sync::broadcast;

use super::Live;
use crate::accounts::Visitor;

/// Endings a socket may have missed while it was busy. One that missed more closes: its client comes back if it may.
const DEPTH: usize = 64;

/// What has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ended {
    /// One session.
    Session(TokenHash),
    /// All sessions of an account, except perhaps one.
    Account(AccountId, Option<TokenHash>),
    /// A key of an account: its programs come back with those that are still good.
    Key(AccountId),
}

impl Ended {
    /// Whether this visitor's session is among them.
    pub(crate) fn concerns(self, visitor: &Visitor) -> bool {
        match self {
            Ended::Session(token) => visitor.token == Some(token),
            Ended::Key(id) => visitor.account_id() == Some(id) && visitor.scopes.is_some(),
            Ended::Account(id, except) => {
                visitor.account_id() == Some(id) && (except.is_none() || visitor.token != except)
            }
        }
    }
}

/// Where endings are told to all sockets.
pub(super) type Endings = broadcast::Sender<Ended>;

pub(super) fn endings() -> Endings {
    broadcast::Sender::new(DEPTH)
}

impl Live {
    /// Closes the sockets of one session.
    pub fn close_session(&self, token: TokenHash) {
        let _ = self.0.endings.send(Ended::Session(token));
    }

    /// Closes all sockets of an account.
    pub fn close_account(&self, id: AccountId) {
        let _ = self.0.endings.send(Ended::Account(id, None));
    }

    /// Closes the sockets of an account's programs.
    pub fn close_programs(&self, id: AccountId) {
        let _ = self.0.endings.send(Ended::Key(id));
    }

    /// Closes all sockets of an account but those of one session.
    pub fn close_other_sessions(&self, id: AccountId, except: Option<TokenHash>) {
        let _ = self.0.endings.send(Ended::Account(id, except));
    }

    /// Waits until the visitor's session ends.
    pub(super) async fn session_ended(endings: &mut broadcast::Receiver<Ended>, visitor: &Visitor) {
        loop {
            match endings.recv().await {
                Ok(ended) if !ended.concerns(visitor) => {}
                // The one it waited for, or it missed some: closing is the safe answer.
                Ok(_) | Err(_) => return,
            }
        }
    }
}
