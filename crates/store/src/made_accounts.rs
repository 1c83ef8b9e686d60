//! Accounts that those who run the club make for others: a class, a new administrator.

use rules::UnixMillis;

use crate::accounts::insert_role;
use crate::audit::insert_audit;
use crate::db::{Conn, on_db};
use crate::one_time::{NewOneTimeToken, insert_one_time_token};
use crate::players::{NewPlayer, insert_player};
use crate::{AccountId, Role, Store, StoreError};

/// Somebody who gets an account from others.
#[derive(Debug, Clone)]
pub struct MadeAccount {
    /// The account.
    pub id: AccountId,
    /// The player.
    pub player: NewPlayer,
    /// What they may do beyond playing.
    pub role: Option<Role>,
    /// The token of the card they log in with for the first time.
    pub card: Option<NewOneTimeToken>,
}

impl Store {
    /// Makes accounts for others: all of them or none. `Conflict` if a name is taken.
    pub async fn make_accounts(
        &self,
        accounts: Vec<MadeAccount>,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    for account in accounts {
                        make(conn, account, actor, now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Sets several settings at once, and notes it.
    pub async fn set_policy(
        &self,
        settings: Vec<(&'static str, String)>,
        actor: AccountId,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO setting (key, value) VALUES ($1, $2)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut words = Vec::with_capacity(settings.len());
                    for (key, value) in settings {
                        on_db!(&mut *conn, c => {
                            sqlx::query(SQL).bind(key).bind(&value).execute(&mut *c).await?;
                        });
                        words.push(format!("{key}: {value}"));
                    }
                    let detail = words.join(", ");
                    insert_audit(conn, Some(actor), "policy_changed", None, detail, now).await
                })
            })
            .await
    }
}

async fn make(
    conn: &mut Conn,
    account: MadeAccount,
    actor: Option<AccountId>,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let MadeAccount { id, player, role, card } = account;
    let detail = player.name.clone();
    insert_player(conn, id, player, now).await?;
    insert_audit(conn, actor, "account_made", Some(id), detail, now).await?;
    if let Some(role) = role {
        insert_role(conn, id, role.as_str(), now).await?;
        let detail = role.as_str().to_owned();
        insert_audit(conn, actor, "role_granted", Some(id), detail, now).await?;
    }
    match card {
        Some(card) => insert_one_time_token(conn, card, now).await,
        None => Ok(()),
    }
}
