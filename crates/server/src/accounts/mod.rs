//! Who is there: visitors, guests, the session cookie that ties a browser to an account, the first set-up.

pub mod routes;
mod session;
pub mod wire;

use std::sync::Arc;

use rules::UnixMillis;
use store::{Account, AccountId, AccountKind, Store, StoreError, TokenHash};

use crate::config::Limits;
use crate::world::World;

use session::Token;
pub use session::identify;

/// How long a browser is remembered.
const SESSION_MILLIS: i64 = 365 * 24 * 3_600_000;

/// Why an account could not be made or changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AccountError {
    /// Requests without a session cannot do this.
    #[error("open the page in a browser first: this needs its session cookie")]
    NoSession,
    /// The link of the first set-up is wrong or used up.
    #[error(
        "this set-up link is not valid (any more); the server prints a fresh one when it starts"
    )]
    BadSetupToken,
    /// The name of the club is empty or too long.
    #[error("a club's name has 1 to 60 characters")]
    BadClubName,
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whoever makes a request: a browser with a token, perhaps with an account.
#[derive(Clone, Default)]
pub struct Visitor {
    token: Option<TokenHash>,
    /// The account, if there is one already.
    pub account: Option<Account>,
}

impl Visitor {
    /// The account's id, if there is one already.
    pub fn account_id(&self) -> Option<AccountId> {
        self.account.as_ref().map(|account| account.id)
    }
}

/// The accounts. Cheap to clone.
#[derive(Clone)]
pub struct Accounts(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    limits: Limits,
    /// Whether the page is reached by https: then the cookie may demand it.
    secure: bool,
}

impl Accounts {
    /// Makes ready for visitors.
    pub fn new(store: Store, world: World, limits: Limits, secure: bool) -> Accounts {
        Accounts(Arc::new(Inner { store, world, limits, secure }))
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    /// Finds out who holds a token.
    async fn visitor(&self, token: TokenHash) -> Result<Visitor, StoreError> {
        let account = self.0.store.find_session(token, self.now()).await?;
        Ok(Visitor { token: Some(token), account })
    }

    /// The same visitor, with the account that was made since.
    pub async fn look_again(&self, visitor: &Visitor) -> Visitor {
        match visitor.token {
            Some(token) => self.visitor(token).await.unwrap_or_else(|_| visitor.clone()),
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
        let id = AccountId::from_bits(chance.bits());
        let account = Account {
            id,
            kind: AccountKind::Guest,
            name: format!("Guest {:04}", chance.bits() % 10_000),
        };
        let now = self.now();
        let expires = UnixMillis(now.0 + SESSION_MILLIS);
        match self.0.store.create_account(account.clone(), token, now, expires).await {
            // Two requests of one new browser at once: the other one made the account.
            Err(StoreError::Conflict) => {
                self.visitor(token).await?.account.ok_or(AccountError::Store(StoreError::Conflict))
            }
            other => Ok(other.map(|()| account)?),
        }
    }

    /// The club's name, if it was set up.
    pub async fn club_name(&self) -> Result<Option<String>, StoreError> {
        self.0.store.setting("club_name").await
    }

    /// Makes the token of the one-time set-up link, unless the club is set up. An older link ends.
    pub async fn new_setup_token(&self) -> Result<Option<String>, StoreError> {
        if self.club_name().await?.is_some() {
            return Ok(None);
        }
        let token = Token::draw(&self.0.world.chance);
        self.0.store.set_setting("setup_token", hex(&token.hash().0)).await?;
        Ok(Some(token.into_text()))
    }

    /// Names the club and makes the visitor its administrator.
    pub async fn set_up(
        &self,
        visitor: &Visitor,
        token: &str,
        club_name: &str,
    ) -> Result<(), AccountError> {
        let name = club_name.trim();
        if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
            return Err(AccountError::BadClubName);
        }
        let expected = self.0.store.setting("setup_token").await?;
        let given = Token::from_text(token).map(|token| hex(&token.hash().0));
        // Hashes are compared, so the time it takes tells nothing about the token.
        if given.is_none() || given != expected {
            return Err(AccountError::BadSetupToken);
        }
        let account = self.account_of(visitor).await?;
        match self.0.store.set_up_club(name.to_owned(), account.id, self.now()).await {
            Err(StoreError::Conflict) => Err(AccountError::BadSetupToken),
            other => Ok(other?),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every text");
        text
    })
}
