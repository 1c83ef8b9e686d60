//! Giving and taking roles. The last administrator cannot be taken away, and every change is noted.

use std::str::FromStr;

use rules::UnixMillis;

use crate::accounts::insert_role;
use crate::audit::insert_audit;
use crate::db::on_db;
use crate::player_changes::refuse_last_administrator;
use crate::players::found;
use crate::{AccountId, Store, StoreError};

/// What somebody may do beyond playing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Watches over games and results.
    Arbiter,
    /// Runs tournaments and looks after groups.
    Director,
    /// Runs the club's server.
    Administrator,
}

/// A text that names no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a role is arbiter, director or administrator, not {0:?}")]
pub struct UnknownRole(String);

impl Role {
    /// The role in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Arbiter => "arbiter",
            Role::Director => "director",
            Role::Administrator => "administrator",
        }
    }
}

impl FromStr for Role {
    type Err = UnknownRole;
    fn from_str(text: &str) -> Result<Role, UnknownRole> {
        [Role::Arbiter, Role::Director, Role::Administrator]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

impl Store {
    /// Gives a player a role. `NotFound` for guests: who has rights must be able to log in.
    pub async fn grant_role(
        &self,
        id: AccountId,
        role: Role,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const PLAYER: &str = "SELECT COUNT(*) FROM player WHERE account_id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let (players,): (i64,) = on_db!(&mut *conn, c => {
                        sqlx::query_as(PLAYER).bind(id.as_str()).fetch_one(&mut *c).await?
                    });
                    found(players.unsigned_abs())?;
                    insert_role(conn, id, role.as_str(), now).await?;
                    let detail = role.as_str().to_owned();
                    insert_audit(conn, actor, "role_granted", Some(id), detail, now).await
                })
            })
            .await
    }

    /// Takes a role from a player. `Conflict` if this would take the last administrator, `NotFound` if they had it not.
    pub async fn revoke_role(
        &self,
        id: AccountId,
        role: Role,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM account_role WHERE account_id = $1 AND role = $2";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if role == Role::Administrator {
                        refuse_last_administrator(conn, id).await?;
                    }
                    let gone = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(role.as_str()).execute(&mut *c).await?
                    }.rows_affected());
                    found(gone)?;
                    let detail = role.as_str().to_owned();
                    insert_audit(conn, actor, "role_revoked", Some(id), detail, now).await
                })
            })
            .await
    }
}
