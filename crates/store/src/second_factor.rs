//! The second factor: its seed (encrypted before it comes here), the last used step, the recovery codes.

use rules::UnixMillis;

use crate::audit::insert_audit;
use crate::db::{Conn, on_db, write_one};
use crate::players::{found, one_changed};
use crate::{AccountId, Store, StoreError, TokenHash};

impl Store {
    /// Keeps a seed that does not count yet. `Conflict` if one counts already.
    pub async fn propose_totp(&self, id: AccountId, seed: Vec<u8>) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET totp_seed = $2, totp_last_step = 0
            WHERE account_id = $1 AND totp_confirmed_at IS NULL";
        one_changed(write_one!(self, SQL, id.as_str(), seed)?)
    }

    /// The proposed seed counts from now on, after its code of this step; these are its recovery codes.
    pub async fn confirm_totp(
        &self,
        id: AccountId,
        step: i64,
        codes: Vec<TokenHash>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET totp_confirmed_at = $2, totp_last_step = $3, changed_at = $2
            WHERE account_id = $1 AND totp_seed IS NOT NULL AND totp_confirmed_at IS NULL";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(now.0).bind(step).execute(&mut *c).await?
                    }.rows_affected());
                    if changed == 0 {
                        return Err(StoreError::Conflict);
                    }
                    replace_codes(conn, id, codes).await?;
                    insert_audit(conn, Some(id), "second_factor_on", Some(id), String::new(), now).await
                })
            })
            .await
    }

    /// Uses the code of a step up. `Conflict` if it or a later one was used before: the code is a replay.
    pub async fn use_totp_step(&self, id: AccountId, step: i64) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET totp_last_step = $2 WHERE account_id = $1 AND totp_last_step < $2";
        one_changed(write_one!(self, SQL, id.as_str(), step)?)
    }

    /// Uses a recovery code up. `NotFound` if there is none like it (any more).
    pub async fn use_recovery_code(
        &self,
        id: AccountId,
        code: TokenHash,
    ) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM recovery_code WHERE account_id = $1 AND code_hash = $2";
        found(write_one!(self, SQL, id.as_str(), code.0.as_slice())?)
    }

    /// Makes new recovery codes; the old ones end.
    pub async fn replace_recovery_codes(
        &self,
        id: AccountId,
        codes: Vec<TokenHash>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    replace_codes(conn, id, codes).await?;
                    insert_audit(
                        conn,
                        Some(id),
                        "recovery_codes_made",
                        Some(id),
                        String::new(),
                        now,
                    )
                    .await
                })
            })
            .await
    }

    /// How many recovery codes are left.
    pub async fn recovery_codes_left(&self, id: AccountId) -> Result<i64, StoreError> {
        const SQL: &str = "SELECT COUNT(*) FROM recovery_code WHERE account_id = $1";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_one(pool).await?
        });
        Ok(count)
    }

    /// Turns the second factor off.
    pub async fn remove_totp(
        &self,
        id: AccountId,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE player SET totp_seed = NULL, totp_confirmed_at = NULL, totp_last_step = 0, changed_at = $2
            WHERE account_id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(now.0).execute(&mut *c).await?
                    }.rows_affected());
                    found(changed)?;
                    replace_codes(conn, id, Vec::new()).await?;
                    insert_audit(conn, actor, "second_factor_off", Some(id), String::new(), now)
                        .await
                })
            })
            .await
    }
}

async fn replace_codes(
    conn: &mut Conn,
    id: AccountId,
    codes: Vec<TokenHash>,
) -> Result<(), StoreError> {
    on_db!(conn, c => {
        sqlx::query("DELETE FROM recovery_code WHERE account_id = $1")
            .bind(id.as_str())
            .execute(&mut *c)
            .await?;
        for code in codes {
            sqlx::query("INSERT INTO recovery_code (account_id, code_hash) VALUES ($1, $2)")
                .bind(id.as_str())
                .bind(code.0.as_slice())
                .execute(&mut *c)
                .await?;
        }
    });
    Ok(())
}
