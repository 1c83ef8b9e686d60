//! Accounts: somebody who can sit at a board, guest or player, and what they may do besides.

use rules::UnixMillis;

use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::players::{NewPlayer, insert_player};
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

/// What an account may do beyond playing. Somebody may have several roles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Roles {
    /// Watches over games and results.
    pub arbiter: bool,
    /// Runs tournaments and looks after groups.
    pub director: bool,
    /// Runs the club's server.
    pub administrator: bool,
}

impl Roles {
    pub(crate) fn from_columns(arbiter: i64, director: i64, administrator: i64) -> Roles {
        Roles { arbiter: arbiter > 0, director: director > 0, administrator: administrator > 0 }
    }
}

/// Three columns that make [`Roles`], for a query that has a table `account`.
macro_rules! role_columns {
    () => {
        "(SELECT COUNT(*) FROM account_role AS r WHERE r.account_id = account.id AND r.role = 'arbiter') AS arbiter,
         (SELECT COUNT(*) FROM account_role AS r WHERE r.account_id = account.id AND r.role = 'director') AS director,
         (SELECT COUNT(*) FROM account_role AS r WHERE r.account_id = account.id AND r.role = 'administrator') AS administrator"
    };
}
pub(crate) use role_columns;

/// The SHA-256 of a session's token: what is stored instead of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl Store {
    /// Remembers a new guest and the session they begin with.
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
            INSERT INTO session (token_hash, account_id, created_at, expires_at, last_used_at)
            VALUES ($1, $2, $3, $4, $3)";
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

    /// The name of the club and its first administrator, in one step. `Conflict` if the club was set up before.
    pub async fn set_up_club(
        &self,
        name: String,
        administrator: AccountId,
        player: NewPlayer,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const NAME: &str = "INSERT INTO setting (key, value) VALUES ('club_name', $1)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(&mut *conn, c => {
                        sqlx::query(NAME).bind(name).execute(&mut *c).await?;
                    });
                    insert_player(conn, administrator, player, now).await?;
                    insert_role(conn, administrator, "administrator", now).await
                })
            })
            .await
    }

    /// What somebody may do beyond playing.
    pub async fn roles_of(&self, id: AccountId) -> Result<Roles, StoreError> {
        const SQL: &str =
            concat!("SELECT ", role_columns!(), " FROM account WHERE account.id = $1");
        let (arbiter, director, administrator): (i64, i64, i64) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_one(pool).await?
        });
        Ok(Roles::from_columns(arbiter, director, administrator))
    }
}

/// Gives somebody a role, inside a transaction. Having it already is no error.
pub(crate) async fn insert_role(
    conn: &mut Conn,
    account: AccountId,
    role: &'static str,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO account_role (account_id, role, granted_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, role) DO NOTHING";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(account.as_str()).bind(role).bind(now.0).execute(&mut *c).await?;
    });
    Ok(())
}
