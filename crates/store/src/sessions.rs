//! Sessions: the browsers that are known as somebody's.

use rules::UnixMillis;

use crate::accounts::role_columns;
use crate::db::{Conn, on_db, write_one};
use crate::{Account, AccountId, Roles, Store, StoreError, TokenHash};

/// A browser that is known, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Whose.
    pub account: Account,
    /// What they may do.
    pub roles: Roles,
    /// Whether they have to choose a password of their own first.
    pub must_change_password: bool,
    /// When the browser became theirs.
    pub created_at: UnixMillis,
    /// When it was last used, to the hour or so.
    pub last_used_at: UnixMillis,
    /// When the password was last asked for; never for guests.
    pub proved_at: Option<UnixMillis>,
}

/// A session as its owner sees it in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSession {
    /// The hash of its token.
    pub token: TokenHash,
    /// What the browser said it is.
    pub device: String,
    /// Where it was last seen.
    pub address: String,
    /// When it began.
    pub created_at: UnixMillis,
    /// When it was last used, to the hour or so.
    pub last_used_at: UnixMillis,
}

/// A session that begins.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The hash of its token.
    pub token: TokenHash,
    /// What the browser says it is.
    pub device: String,
    /// Where it comes from.
    pub address: String,
    /// When it ends unless it is used.
    pub expires_at: UnixMillis,
    /// The session of the same browser that ends with it: a token does not live through a change of rights.
    pub replaces: Option<TokenHash>,
}

impl Store {
    /// Who is known by this token.
    ///
    /// A player is known by a session that began with a log-in. Somebody who signed up as a guest and has not confirmed
    /// the address yet plays on with the guest's session, which ends when the account becomes active.
    pub async fn find_session(
        &self,
        token: TokenHash,
        now: UnixMillis,
    ) -> Result<Option<Session>, StoreError> {
        const SQL: &str = concat!(
            "SELECT account.id, account.kind, account.name, ",
            role_columns!(),
            ", COALESCE(player.must_change_password, 0), session.created_at, session.last_used_at, session.proved_at
            FROM session
            JOIN account ON account.id = session.account_id
            LEFT JOIN player ON player.account_id = account.id
            WHERE session.token_hash = $1 AND session.expires_at > $2
              AND (account.kind = 'guest'
                   OR (player.state = 'active' AND session.proved_at IS NOT NULL)
                   OR (player.state = 'pending' AND session.proved_at IS NULL))"
        );
        type Row = (String, String, String, i64, i64, i64, i64, i64, i64, Option<i64>);
        let row: Option<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(token.0.as_slice()).bind(now.0).fetch_optional(pool).await?
        });
        row.map(
            |(id, kind, name, arbiter, director, administrator, must, created, used, proved)| {
                Ok(Session {
                    account: Account::from_columns(&id, &kind, name)?,
                    roles: Roles::from_columns(arbiter, director, administrator),
                    must_change_password: must > 0,
                    created_at: UnixMillis(created),
                    last_used_at: UnixMillis(used),
                    proved_at: proved.map(UnixMillis),
                })
            },
        )
        .transpose()
    }

    /// Begins a session after a log-in: the password (and the code) were right just now.
    pub async fn start_session(
        &self,
        account: AccountId,
        session: NewSession,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const LOGIN: &str = "
            UPDATE player SET last_login_at = current_login_at, current_login_at = $2
            WHERE account_id = $1 AND state = 'active'";
        const EXPIRED: &str = "DELETE FROM session WHERE account_id = $1 AND expires_at <= $2";
        const SESSION: &str = "
            INSERT INTO session (token_hash, account_id, created_at, expires_at, device, address, last_used_at, proved_at)
            VALUES ($1, $2, $3, $4, $5, $6, $3, $3)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let id = account.as_str();
                    if let Some(old) = session.replaces {
                        delete_session(conn, old).await?;
                    }
                    on_db!(conn, c => {
                        let login = sqlx::query(LOGIN).bind(id).bind(now.0).execute(&mut *c).await?;
                        // Deactivated or deleted since the password was looked at.
                        if login.rows_affected() == 0 {
                            return Err(StoreError::NotFound);
                        }
                        sqlx::query(EXPIRED).bind(id).bind(now.0).execute(&mut *c).await?;
                        sqlx::query(SESSION)
                            .bind(session.token.0.as_slice())
                            .bind(id)
                            .bind(now.0)
                            .bind(session.expires_at.0)
                            .bind(session.device)
                            .bind(session.address)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Notes that a session is in use, and puts off its end.
    pub async fn touch_session(
        &self,
        token: TokenHash,
        address: String,
        now: UnixMillis,
        expires_at: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE session SET last_used_at = $2, expires_at = $3, address = $4 WHERE token_hash = $1";
        write_one!(self, SQL, token.0.as_slice(), now.0, expires_at.0, address).map(drop)
    }

    /// Notes that the holder of a session has proved the password again.
    pub async fn note_proof(&self, token: TokenHash, now: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE session SET proved_at = $2 WHERE token_hash = $1";
        write_one!(self, SQL, token.0.as_slice(), now.0).map(drop)
    }

    /// The sessions of an account that have not ended, the last used first.
    pub async fn list_sessions(
        &self,
        account: AccountId,
        now: UnixMillis,
    ) -> Result<Vec<ListedSession>, StoreError> {
        const SQL: &str = "
            SELECT token_hash, device, address, created_at, last_used_at FROM session
            WHERE account_id = $1 AND expires_at > $2 ORDER BY last_used_at DESC, created_at DESC, token_hash";
        let rows: Vec<(Vec<u8>, String, String, i64, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(now.0).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(|(token, device, address, created_at, last_used_at)| {
                let token = token.try_into().map_err(|_| damaged_hash())?;
                Ok(ListedSession {
                    token: TokenHash(token),
                    device,
                    address,
                    created_at: UnixMillis(created_at),
                    last_used_at: UnixMillis(last_used_at),
                })
            })
            .collect()
    }

    /// Ends one session.
    pub async fn end_session(&self, token: TokenHash) -> Result<(), StoreError> {
        self.writer.run(move |conn| Box::pin(delete_session(conn, token))).await
    }

    /// Ends all sessions of an account, except perhaps the one that asks for it.
    pub async fn end_sessions(
        &self,
        account: AccountId,
        except: Option<TokenHash>,
    ) -> Result<(), StoreError> {
        self.writer.run(move |conn| Box::pin(delete_sessions(conn, account, except))).await
    }
}

fn damaged_hash() -> StoreError {
    StoreError::Damaged("the hash of a token has 32 bytes".to_owned())
}

async fn delete_session(conn: &mut Conn, token: TokenHash) -> Result<(), StoreError> {
    on_db!(conn, c => {
        sqlx::query("DELETE FROM session WHERE token_hash = $1")
            .bind(token.0.as_slice())
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

/// Ends the sessions of an account inside the transaction that makes it necessary.
pub(crate) async fn delete_sessions(
    conn: &mut Conn,
    account: AccountId,
    except: Option<TokenHash>,
) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM session WHERE account_id = $1 AND token_hash <> $2";
    let except = except.map_or([0; 32], |token| token.0);
    on_db!(conn, c => {
        sqlx::query(SQL).bind(account.as_str()).bind(except.as_slice()).execute(&mut *c).await?;
    });
    Ok(())
}
