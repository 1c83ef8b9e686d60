//! Visitors and guests: who is known by a token, and the account a visitor gets with the first game.

use std::net::IpAddr;

use rules::UnixMillis;
use store::{Account, AccountId, AccountKind, Session, StoreError, TokenHash};

use super::{AccountError, Accounts, DAY, HOUR, Visitor};

/// How long a guest's browser is remembered.
const GUEST_DAYS: i64 = 365;

impl Accounts {
    /// Finds out who holds a token.
    pub(super) async fn visitor(
        &self,
        token: TokenHash,
        address: IpAddr,
    ) -> Result<Visitor, StoreError> {
        match self.0.store.find_session(token, self.now()).await? {
            Some(session) => {
                self.keep_alive(token, &session, address).await;
                Ok(Visitor::of_session(token, session, address))
            }
            None => Ok(Visitor { token: Some(token), ..Visitor::nobody(address) }),
        }
    }

    /// Puts off the end of a player's session that is in use; once an hour is enough.
    async fn keep_alive(&self, token: TokenHash, session: &Session, address: IpAddr) {
        if session.proved_at.is_none() || self.now().0 - session.last_used_at.0 < HOUR {
            return;
        }
        let expires = self.session_end(session.created_at);
        let touched =
            self.0.store.touch_session(token, address.to_string(), self.now(), expires).await;
        if let Err(error) = touched {
            tracing::debug!(%error, "a session's last use could not be noted");
        }
    }

    /// When a session that began then ends unless it is used again: never later than the absolute end.
    pub(super) fn session_end(&self, began: UnixMillis) -> UnixMillis {
        let config = &self.0.config;
        let sliding = self.now().0 + config.session_days * DAY;
        UnixMillis(sliding.min(began.0 + config.session_max_days * DAY))
    }

    /// The same visitor, with the account that was made since.
    pub async fn look_again(&self, visitor: &Visitor) -> Visitor {
        match visitor.token {
            Some(token) => {
                self.visitor(token, visitor.address).await.unwrap_or_else(|_| visitor.clone())
            }
            None => visitor.clone(),
        }
    }

    /// The visitor's account; a guest's is made now.
    pub async fn account_of(&self, visitor: &Visitor) -> Result<Account, AccountError> {
        if let Some(account) = &visitor.account {
            return Ok(account.clone());
        }
        let token = visitor.token.ok_or(AccountError::NoSession)?;
        let chance = &self.0.world.chance;
        let account = Account {
            id: AccountId::from_bits(chance.bits()),
            kind: AccountKind::Guest,
            name: format!("Guest {:04}", chance.bits() % 10_000),
        };
        let expires = self.later(GUEST_DAYS * DAY);
        match self.0.store.create_account(account.clone(), token, self.now(), expires).await {
            // Two requests of one new browser at once: the other one made the account.
            Err(StoreError::Conflict) => {
                let visitor = self.visitor(token, visitor.address).await?;
                visitor.account.ok_or(AccountError::Store(StoreError::Conflict))
            }
            other => Ok(other.map(|()| account)?),
        }
    }
}
