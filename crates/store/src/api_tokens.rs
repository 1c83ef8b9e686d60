//! Keys by which programs act for somebody. Only their hashes are kept.

use rules::UnixMillis;

use crate::accounts::role_columns;
use crate::audit::insert_audit;
use crate::db::{on_db, write_one};
use crate::games::parse_id;
use crate::players::found;
use crate::{Account, AccountId, Roles, Store, StoreError, TokenHash, TokenId};

/// A key as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiToken {
    /// Its name among machines.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// Words with spaces between: what it may be used for.
    pub scopes: String,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it ends.
    pub expires_at: UnixMillis,
    /// When it was last used, to the hour or so.
    pub used_at: Option<UnixMillis>,
}

/// Whom a program acts for, and how far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The key.
    pub token: TokenId,
    /// Its owner.
    pub account: Account,
    /// What the owner may do.
    pub roles: Roles,
    /// Words with spaces between: what the key may be used for.
    pub scopes: String,
    /// When it was last used, to the hour or so.
    pub used_at: Option<UnixMillis>,
}

impl Store {
    /// Remembers a new key of somebody.
    pub async fn create_api_token(
        &self,
        owner: AccountId,
        token: ApiToken,
        hash: TokenHash,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO api_token (id, account_id, name, token_hash, scopes, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(&mut *conn, c => {
                        sqlx::query(SQL)
                            .bind(token.id.as_str())
                            .bind(owner.as_str())
                            .bind(token.name)
                            .bind(hash.0.as_slice())
                            .bind(&token.scopes)
                            .bind(token.created_at.0)
                            .bind(token.expires_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    let detail = format!("{}: {}", token.id, token.scopes);
                    let at = token.created_at;
                    insert_audit(conn, Some(owner), "token_made", Some(owner), detail, at).await
                })
            })
            .await
    }

    /// Somebody's keys that have not expired, newest first.
    pub async fn load_api_tokens(
        &self,
        owner: AccountId,
        now: UnixMillis,
    ) -> Result<Vec<ApiToken>, StoreError> {
        const SQL: &str = "
            SELECT id, name, scopes, created_at, expires_at, used_at FROM api_token
            WHERE account_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id";
        type Row = (String, String, String, i64, i64, Option<i64>);
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(owner.as_str()).bind(now.0).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(|(id, name, scopes, created_at, expires_at, used_at)| {
                Ok(ApiToken {
                    id: parse_id(&id)?,
                    name,
                    scopes,
                    created_at: UnixMillis(created_at),
                    expires_at: UnixMillis(expires_at),
                    used_at: used_at.map(UnixMillis),
                })
            })
            .collect()
    }

    /// Ends a key. `NotFound` if it is not this owner's.
    pub async fn revoke_api_token(
        &self,
        owner: AccountId,
        id: TokenId,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM api_token WHERE id = $1 AND account_id = $2";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let gone = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(owner.as_str()).execute(&mut *c).await?
                    }.rows_affected());
                    found(gone)?;
                    let detail = id.to_string();
                    insert_audit(conn, Some(owner), "token_revoked", Some(owner), detail, now).await
                })
            })
            .await
    }

    /// Whom a program with this key acts for. A player who is not active, or has to choose a password first, is nobody.
    pub async fn find_bearer(
        &self,
        hash: TokenHash,
        now: UnixMillis,
    ) -> Result<Option<Bearer>, StoreError> {
        const SQL: &str = concat!(
            "SELECT api_token.id, api_token.scopes, api_token.used_at, account.id, account.kind, account.name, ",
            role_columns!(),
            " FROM api_token
            JOIN account ON account.id = api_token.account_id
            JOIN player ON player.account_id = account.id
            WHERE api_token.token_hash = $1 AND api_token.expires_at > $2
              AND player.state = 'active' AND player.must_change_password = 0"
        );
        type Row = (String, String, Option<i64>, String, String, String, i64, i64, i64);
        let row: Option<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(hash.0.as_slice()).bind(now.0).fetch_optional(pool).await?
        });
        row.map(|(token, scopes, used_at, id, kind, name, arbiter, director, administrator)| {
            Ok(Bearer {
                token: parse_id(&token)?,
                account: Account::from_columns(&id, &kind, name)?,
                roles: Roles::from_columns(arbiter, director, administrator),
                scopes,
                used_at: used_at.map(UnixMillis),
            })
        })
        .transpose()
    }

    /// Notes that a key was used.
    pub async fn note_api_token_use(&self, id: TokenId, now: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE api_token SET used_at = $2 WHERE id = $1";
        write_one!(self, SQL, id.as_str(), now.0).map(drop)
    }
}
