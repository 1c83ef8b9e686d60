//! Invitations: links by which people may sign up where sign-up is by invitation.

use rules::UnixMillis;

use crate::accounts::TokenHash;
use crate::audit::insert_audit;
use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::{AccountId, InviteId, Store, StoreError};

/// An invitation. Its token is known only to those who were given the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// Its name.
    pub id: InviteId,
    /// How many may still use it.
    pub uses_left: i64,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it ends.
    pub expires_at: UnixMillis,
}

impl Store {
    /// Remembers an invitation.
    pub async fn create_invite(
        &self,
        invite: Invite,
        token: TokenHash,
        by: AccountId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO invite (id, token_hash, made_by, uses_left, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(invite.id.as_str())
                            .bind(token.0.as_slice())
                            .bind(by.as_str())
                            .bind(invite.uses_left)
                            .bind(invite.created_at.0)
                            .bind(invite.expires_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    let detail = format!("{} for {} people", invite.id, invite.uses_left);
                    insert_audit(conn, Some(by), "invite_made", None, detail, invite.created_at)
                        .await
                })
            })
            .await
    }

    /// The invitations that can still be used, newest first.
    pub async fn load_invites(&self, now: UnixMillis) -> Result<Vec<Invite>, StoreError> {
        const SQL: &str = "
            SELECT id, uses_left, created_at, expires_at FROM invite
            WHERE uses_left > 0 AND expires_at > $1 ORDER BY created_at DESC, id";
        let rows: Vec<(String, i64, i64, i64)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).bind(now.0).fetch_all(pool).await?);
        rows.into_iter()
            .map(|(id, uses_left, created_at, expires_at)| {
                Ok(Invite {
                    id: parse_id(&id)?,
                    uses_left,
                    created_at: UnixMillis(created_at),
                    expires_at: UnixMillis(expires_at),
                })
            })
            .collect()
    }

    /// Takes an invitation back. `NotFound` if there is none of this name.
    pub async fn delete_invite(
        &self,
        id: InviteId,
        by: AccountId,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM invite WHERE id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let gone = on_db!(conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).execute(&mut *c).await?.rows_affected()
                    });
                    if gone == 0 {
                        return Err(StoreError::NotFound);
                    }
                    insert_audit(conn, Some(by), "invite_withdrawn", None, id.to_string(), now)
                        .await
                })
            })
            .await
    }

    /// Whether somebody with this token may sign up now.
    pub async fn is_invited(&self, token: TokenHash, now: UnixMillis) -> Result<bool, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*) FROM invite
            WHERE token_hash = $1 AND uses_left > 0 AND expires_at > $2";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(token.0.as_slice()).bind(now.0).fetch_one(pool).await?
        });
        Ok(count > 0)
    }
}

/// Uses an invitation up by one, inside the transaction of the sign-up. `NotFound` if it cannot be used (any more).
pub(crate) async fn take_invite(
    conn: &mut Conn,
    token: TokenHash,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const SQL: &str = "
        UPDATE invite SET uses_left = uses_left - 1
        WHERE token_hash = $1 AND uses_left > 0 AND expires_at > $2";
    let taken = on_db!(conn, c => {
        sqlx::query(SQL).bind(token.0.as_slice()).bind(now.0).execute(&mut *c).await?.rows_affected()
    });
    if taken == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}
