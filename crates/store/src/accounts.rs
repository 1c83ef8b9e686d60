//! Accounts and the browsers that are known as theirs.

use rules::UnixMillis;

use crate::db::on_db;
use crate::games::parse_id;
use crate::{AccountId, Store, StoreError};

/// Whose account it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountKind {
    /// Somebody who came by a link.
    Guest,
    /// Somebody who signed up.
    Player,
}

impl AccountKind {
    fn as_str(self) -> &'static str {
        match self {
            AccountKind::Guest => "guest",
            AccountKind::Player => "player",
        }
    }
}

/// Somebody who can sit at a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its name among machines.
    pub id: AccountId,
    /// Guest or player.
    pub kind: AccountKind,
    /// Its name among people.
    pub name: String,
}

impl Account {
    pub(crate) fn from_columns(id: &str, kind: &str, name: String) -> Result<Account, StoreError> {
        let kind = match kind {
            "guest" => AccountKind::Guest,
            "player" => AccountKind::Player,
            other => return Err(StoreError::Damaged(format!("{other:?} is no kind of account"))),
        };
        Ok(Account { id: parse_id(id)?, kind, name })
    }
}

/// The SHA-256 of a session's token: what is stored instead of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl Store {
    /// Remembers a new account and the session it begins with.
    pub async fn create_account(
        &self,
        account: Account,
        token: TokenHash,
        now: UnixMillis,
        expires_at: UnixMillis,
    ) -> Result<(), StoreError> {
        const ACCOUNT: &str =
            "INSERT INTO account (id, kind, name, created_at) VALUES ($1, $2, $3, $4)";
        const SESSION: &str = "
            INSERT INTO session (token_hash, account_id, created_at, expires_at)
            VALUES ($1, $2, $3, $4)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(ACCOUNT)
                            .bind(account.id.as_str())
                            .bind(account.kind.as_str())
                            .bind(account.name)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?;
                        sqlx::query(SESSION)
                            .bind(token.0.as_slice())
                            .bind(account.id.as_str())
                            .bind(now.0)
                            .bind(expires_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Who is known by this token.
    pub async fn find_session(
        &self,
        token: TokenHash,
        now: UnixMillis,
    ) -> Result<Option<Account>, StoreError> {
        const SQL: &str = "
            SELECT account.id, account.kind, account.name
            FROM session JOIN account ON account.id = session.account_id
            WHERE session.token_hash = $1 AND session.expires_at > $2";
        let row: Option<(String, String, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(token.0.as_slice()).bind(now.0).fetch_optional(pool).await?
        });
        row.map(|(id, kind, name)| Account::from_columns(&id, &kind, name)).transpose()
    }

    /// The name of the club and its first administrator, in one step. `Conflict` if the club was set up before.
    pub async fn set_up_club(
        &self,
        name: String,
        administrator: AccountId,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const NAME: &str = "INSERT INTO setting (key, value) VALUES ('club_name', $1)";
        const ROLE: &str = "
            INSERT INTO account_role (account_id, role, granted_at)
            VALUES ($1, 'administrator', $2)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(NAME).bind(name).execute(&mut *c).await?;
                        sqlx::query(ROLE).bind(administrator.as_str()).bind(now.0).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }
}
