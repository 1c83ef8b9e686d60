//! The list of sessions: where somebody is logged in, and ending what should not be.

use store::TokenHash;

use super::wire::{SessionList, SessionView};
use super::{AccountError, Accounts, Visitor, hex};

/// The name of a session in the list: the beginning of its hash, which opens nothing.
fn session_id(token: TokenHash) -> String {
    hex(&token.0[..8])
}

impl Accounts {
    /// Where the visitor is logged in.
    pub(crate) async fn sessions(&self, visitor: &Visitor) -> Result<SessionList, AccountError> {
        let id = visitor.account_id().ok_or(AccountError::NoSession)?;
        let sessions = self.0.store.list_sessions(id, self.now()).await?;
        let view = |session: store::ListedSession| SessionView {
            id: session_id(session.token),
            device: session.device,
            address: session.address,
            created_at: session.created_at.0,
            last_used_at: session.last_used_at.0,
            current: visitor.token == Some(session.token),
        };
        Ok(SessionList { sessions: sessions.into_iter().map(view).collect() })
    }

    /// Ends one of the visitor's sessions. Others' sessions do not exist here.
    pub(crate) async fn end_session(
        &self,
        visitor: &Visitor,
        name: &str,
    ) -> Result<(), AccountError> {
        let id = visitor.account_id().ok_or(AccountError::NoSession)?;
        let sessions = self.0.store.list_sessions(id, self.now()).await?;
        let session = sessions.into_iter().find(|session| session_id(session.token) == name);
        let token = session.ok_or(AccountError::UnknownSession)?.token;
        self.0.store.end_session(token).await?;
        self.close_session(Some(token));
        Ok(())
    }

    /// Ends all of the visitor's sessions but this one.
    pub(crate) async fn end_other_sessions(&self, visitor: &Visitor) -> Result<(), AccountError> {
        let id = visitor.account_id().ok_or(AccountError::NoSession)?;
        self.0.store.end_sessions(id, visitor.token).await?;
        self.0.live.close_other_sessions(id, visitor.token);
        Ok(())
    }
}
