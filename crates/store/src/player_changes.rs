//! Changes to a player that touch security: each ends what it must and is noted, all in one transaction.

use rules::UnixMillis;

use crate::audit::insert_audit;
use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::one_time::take_one_time_token;
use crate::players::{PlayerState, found, key};
use crate::sessions::delete_sessions;
use crate::{AccountId, Purpose, Store, StoreError, TokenHash};

/// How a deleted member is called in the games that stay.
pub const FORMER_MEMBER: &str = "Former member";

/// A new password and what goes with it.
#[derive(Debug, Clone)]
pub struct PasswordChange {
    /// In PHC form.
    pub password: String,
    /// Whether it has to be changed at the next log-in.
    pub must_change: bool,
    /// The session that stays; all others end.
    pub keep: Option<TokenHash>,
    /// The reset link that is used up with it.
    pub by_token: Option<TokenHash>,
    /// Who changes it; none: somebody at the machine itself.
    pub actor: Option<AccountId>,
}

impl Store {
    /// Sets a password and ends the other sessions and all links that could set another one.
    ///
    /// `NotFound` if the reset link was used in the meantime.
    pub async fn set_password(
        &self,
        id: AccountId,
        change: PasswordChange,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET password = $2, must_change_password = $3, changed_at = $4 WHERE account_id = $1";
        const LINKS: &str = "
            DELETE FROM one_time_token
            WHERE account_id = $1 AND purpose IN ('password_reset', 'card', 'second_step')";
        // Who could guess the old password may have set the PIN.
        const PIN: &str = "DELETE FROM pin WHERE account_id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if let Some(token) = change.by_token {
                        take_one_time_token(conn, token, Purpose::PasswordReset, now).await?;
                    }
                    let changed = on_db!(&mut *conn, c => {
                        sqlx::query(LINKS).bind(id.as_str()).execute(&mut *c).await?;
                        sqlx::query(PIN).bind(id.as_str()).execute(&mut *c).await?;
                        sqlx::query(SQL)
                            .bind(id.as_str())
                            .bind(change.password)
                            .bind(i64::from(change.must_change))
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?
                            .rows_affected()
                    });
                    found(changed)?;
                    delete_sessions(conn, id, change.keep).await?;
                    insert_audit(
                        conn,
                        change.actor,
                        "password_changed",
                        Some(id),
                        String::new(),
                        now,
                    )
                    .await
                })
            })
            .await
    }

    /// Keeps a password in a newer form: the same one, hashed with other parameters.
    pub async fn rehash_password(
        &self,
        id: AccountId,
        old: String,
        new: String,
    ) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE player SET password = $3 WHERE account_id = $1 AND password = $2";
        write_one!(self, SQL, id.as_str(), old, new).map(drop)
    }

    /// Activates a new account by its link. The address is confirmed by it.
    pub async fn activate_player(
        &self,
        id: AccountId,
        token: TokenHash,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET state = 'active', email_verified_at = $2, changed_at = $2
            WHERE account_id = $1 AND state = 'pending'";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    take_one_time_token(conn, token, Purpose::Activation, now).await?;
                    let changed = on_db!(conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(now.0).execute(&mut *c).await?
                    }.rows_affected());
                    found(changed)
                })
            })
            .await
    }

    /// Sets a new address, by its confirmation link or (without mail) at once. `Conflict` if it is taken.
    pub async fn set_email(
        &self,
        id: AccountId,
        email: Option<String>,
        by_token: Option<TokenHash>,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET email = $2, email_key = $3, email_verified_at = $4, changed_at = $5
            WHERE account_id = $1";
        const LINKS: &str = "
            DELETE FROM one_time_token
            WHERE account_id = $1 AND purpose IN ('password_reset', 'email_change')";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if let Some(token) = by_token {
                        take_one_time_token(conn, token, Purpose::EmailChange, now).await?;
                    }
                    let verified = by_token.map(|_| now.0);
                    let changed = on_db!(&mut *conn, c => {
                        // A link that went to the old address opens nothing any more.
                        sqlx::query(LINKS).bind(id.as_str()).execute(&mut *c).await?;
                        sqlx::query(SQL)
                            .bind(id.as_str())
                            .bind(email.as_deref())
                            .bind(email.as_deref().map(key))
                            .bind(verified)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?
                            .rows_affected()
                    });
                    found(changed)?;
                    insert_audit(conn, actor, "email_changed", Some(id), String::new(), now).await
                })
            })
            .await
    }

    /// Lets somebody in or keeps them out; who is kept out has no session any more.
    ///
    /// `Conflict` if this would keep out the last administrator who can log in.
    pub async fn set_player_state(
        &self,
        id: AccountId,
        state: PlayerState,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE player SET state = $2, changed_at = $3 WHERE account_id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if state != PlayerState::Active {
                        refuse_last_administrator(conn, id).await?;
                    }
                    let changed = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(state.as_str()).bind(now.0).execute(&mut *c).await?
                    }.rows_affected());
                    found(changed)?;
                    if state != PlayerState::Active {
                        delete_sessions(conn, id, None).await?;
                    }
                    let detail = state.as_str().to_owned();
                    insert_audit(conn, actor, "state_changed", Some(id), detail, now).await
                })
            })
            .await
    }

    /// Deletes a player: everything personal goes, the account stays under a neutral name for the games' sake.
    ///
    /// `Conflict` if this is the last administrator who can log in.
    pub async fn remove_player(
        &self,
        id: AccountId,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    refuse_last_administrator(conn, id).await?;
                    remove(conn, id).await?;
                    insert_audit(conn, actor, "account_deleted", Some(id), String::new(), now).await
                })
            })
            .await
    }

    /// Forgets who signed up before this moment and never activated the account: the name is free again.
    pub async fn remove_pending_players(&self, before: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str =
            "SELECT account_id FROM player WHERE state = 'pending' AND created_at < $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let rows: Vec<(String,)> = on_db!(&mut *conn, c => {
                        sqlx::query_as(SQL).bind(before.0).fetch_all(&mut *c).await?
                    });
                    for (id,) in rows {
                        remove(conn, parse_id(&id)?).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// A club without an administrator could never get one again: the last one stays.
pub(crate) async fn refuse_last_administrator(
    conn: &mut Conn,
    id: AccountId,
) -> Result<(), StoreError> {
    const SQL: &str = "
        SELECT COUNT(*), COALESCE(SUM(CASE WHEN account_role.account_id = $1 THEN 1 ELSE 0 END), 0)
        FROM account_role JOIN player ON player.account_id = account_role.account_id
        WHERE account_role.role = 'administrator' AND player.state = 'active'";
    let (all, own): (i64, i64) = on_db!(conn, c => {
        sqlx::query_as(SQL).bind(id.as_str()).fetch_one(&mut *c).await?
    });
    if own > 0 && all == own { Err(StoreError::Conflict) } else { Ok(()) }
}

/// Removes everything personal, inside a transaction.
pub(crate) async fn remove(conn: &mut Conn, id: AccountId) -> Result<(), StoreError> {
    const MAILS: &str = "
        DELETE FROM mail WHERE recipient IN (SELECT email FROM player WHERE account_id = $1)";
    const OF_ACCOUNT: [&str; 15] = [
        "DELETE FROM session WHERE account_id = $1",
        "DELETE FROM account_role WHERE account_id = $1",
        "DELETE FROM one_time_token WHERE account_id = $1",
        "DELETE FROM recovery_code WHERE account_id = $1",
        "DELETE FROM pin WHERE account_id = $1",
        "DELETE FROM api_token WHERE account_id = $1",
        "DELETE FROM rating WHERE account_id = $1",
        "DELETE FROM chat_line WHERE account_id = $1",
        "DELETE FROM event_chat_line WHERE account_id = $1",
        "DELETE FROM mute WHERE account_id = $1 OR muted_id = $1",
        "DELETE FROM conditional WHERE account_id = $1",
        "DELETE FROM game_note WHERE account_id = $1",
        "DELETE FROM put_away WHERE account_id = $1",
        "DELETE FROM chat_seen WHERE account_id = $1",
        "DELETE FROM gmo_keeper WHERE account_id = $1",
    ];
    const INVITES: &str = "UPDATE invite SET made_by = NULL WHERE made_by = $1";
    const CHALLENGES: &str =
        "UPDATE challenge SET state = 'cancelled' WHERE challenger_id = $1 AND state = 'open'";
    const PLAYER: &str = "DELETE FROM player WHERE account_id = $1";
    const NAME: &str = "UPDATE account SET name = $2 WHERE id = $1";
    let gone = on_db!(conn, c => {
        sqlx::query(MAILS).bind(id.as_str()).execute(&mut *c).await?;
        for sql in OF_ACCOUNT {
            sqlx::query(sql).bind(id.as_str()).execute(&mut *c).await?;
        }
        sqlx::query(INVITES).bind(id.as_str()).execute(&mut *c).await?;
        sqlx::query(CHALLENGES).bind(id.as_str()).execute(&mut *c).await?;
        let gone = sqlx::query(PLAYER).bind(id.as_str()).execute(&mut *c).await?.rows_affected();
        sqlx::query(NAME).bind(id.as_str()).bind(FORMER_MEMBER).execute(&mut *c).await?;
        gone
    });
    crate::library::leave(conn, id, FORMER_MEMBER).await?;
    found(gone)
}
