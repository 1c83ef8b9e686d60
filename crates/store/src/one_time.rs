//! Links and tickets that work once: activation, reset, a new address, a printed card, the second step of a log-in.

use rules::UnixMillis;

use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::{AccountId, Store, StoreError, TokenHash};

/// What a one-time token is good for. One for one thing does nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Activates a new account.
    Activation,
    /// Sets a new password.
    PasswordReset,
    /// Confirms a new address.
    EmailChange,
    /// Logs in with a printed card.
    Card,
    /// Goes on with a log-in whose password was right.
    SecondStep,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Purpose::Activation => "activation",
            Purpose::PasswordReset => "password_reset",
            Purpose::EmailChange => "email_change",
            Purpose::Card => "card",
            Purpose::SecondStep => "second_step",
        }
    }
}

/// How long a password that has to be changed at the first log-in is good for: as long as the card it is printed on.
const ONE_TIME_PASSWORD_MILLIS: i64 = 30 * 24 * 3_600_000;

/// A one-time token to be remembered.
#[derive(Debug, Clone)]
pub struct NewOneTimeToken {
    /// The hash of the token.
    pub token: TokenHash,
    /// What it is good for.
    pub purpose: Purpose,
    /// Whose it is.
    pub account: AccountId,
    /// The address it confirms.
    pub email: Option<String>,
    /// When it ends.
    pub expires_at: UnixMillis,
}

impl Store {
    /// Remembers a one-time token. Older ones of the same account and purpose end: only the newest link works.
    pub async fn new_one_time_token(
        &self,
        new: NewOneTimeToken,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer.run(move |conn| Box::pin(insert_one_time_token(conn, new, now))).await
    }

    /// Whose token this is, and the address it confirms, without using it up.
    pub async fn find_one_time_token(
        &self,
        token: TokenHash,
        purpose: Purpose,
        now: UnixMillis,
    ) -> Result<Option<(AccountId, Option<String>)>, StoreError> {
        const SQL: &str = "
            SELECT account_id, email FROM one_time_token
            WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3";
        let row: Option<(String, Option<String>)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(token.0.as_slice())
                .bind(purpose.as_str())
                .bind(now.0)
                .fetch_optional(pool)
                .await?
        });
        row.map(|(account, email)| Ok((parse_id(&account)?, email))).transpose()
    }

    /// The address that waits to be confirmed.
    pub async fn pending_email(
        &self,
        account: AccountId,
        now: UnixMillis,
    ) -> Result<Option<String>, StoreError> {
        const SQL: &str = "
            SELECT email FROM one_time_token
            WHERE account_id = $1 AND purpose = 'email_change' AND expires_at > $2";
        let row: Option<(Option<String>,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(now.0).fetch_optional(pool).await?
        });
        Ok(row.and_then(|(email,)| email))
    }

    /// Uses a token up that does nothing else. `NotFound` if it was used before or has expired.
    pub async fn use_one_time_token(
        &self,
        token: TokenHash,
        purpose: Purpose,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer.run(move |conn| Box::pin(take_one_time_token(conn, token, purpose, now))).await
    }

    /// Removes what nobody can use any more: tokens and sessions that have expired, and one-time passwords that were
    /// not used in time.
    pub async fn remove_expired(&self, now: UnixMillis) -> Result<(), StoreError> {
        const TOKENS: &str = "DELETE FROM one_time_token WHERE expires_at <= $1";
        const SESSIONS: &str = "DELETE FROM session WHERE expires_at <= $1";
        const KEYS: &str = "DELETE FROM api_token WHERE expires_at <= $1";
        const INVITES: &str = "DELETE FROM invite WHERE expires_at <= $1";
        const PASSWORDS: &str = "
            UPDATE player SET password = NULL
            WHERE must_change_password = 1 AND password IS NOT NULL AND changed_at <= $1";
        let long_ago = now.0 - ONE_TIME_PASSWORD_MILLIS;
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        for sql in [TOKENS, SESSIONS, KEYS, INVITES] {
                            sqlx::query(sql).bind(now.0).execute(&mut *c).await?;
                        }
                        sqlx::query(PASSWORDS).bind(long_ago).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }
}

/// Remembers a one-time token inside a transaction that does more.
pub(crate) async fn insert_one_time_token(
    conn: &mut Conn,
    new: NewOneTimeToken,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const OLDER: &str = "DELETE FROM one_time_token WHERE account_id = $1 AND purpose = $2";
    const NEW: &str = "
        INSERT INTO one_time_token (token_hash, purpose, account_id, email, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    let (account, purpose) = (new.account.as_str(), new.purpose.as_str());
    on_db!(conn, c => {
        // Two tabs may be at the second step of a log-in at the same time.
        if new.purpose != Purpose::SecondStep {
            sqlx::query(OLDER).bind(account).bind(purpose).execute(&mut *c).await?;
        }
        sqlx::query(NEW)
            .bind(new.token.0.as_slice())
            .bind(purpose)
            .bind(account)
            .bind(new.email)
            .bind(now.0)
            .bind(new.expires_at.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

/// Uses a token up inside the transaction that does what it is for.
pub(crate) async fn take_one_time_token(
    conn: &mut Conn,
    token: TokenHash,
    purpose: Purpose,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const SQL: &str = "
        DELETE FROM one_time_token WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3";
    let taken = on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(token.0.as_slice())
            .bind(purpose.as_str())
            .bind(now.0)
            .execute(&mut *c)
            .await?
            .rows_affected()
    });
    if taken == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}
