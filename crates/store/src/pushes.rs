//! Browsers that asked to be told, and what is on its way to them.

use rules::UnixMillis;

use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::players::found;
use crate::{AccountId, PushId, Store, StoreError, SubscriptionId, TokenHash};

/// Browsers of one person that are told at most; a further one takes the place of the oldest.
const MOST_BROWSERS: i64 = 20;

/// A browser that asked to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Its name here.
    pub id: SubscriptionId,
    /// Whose.
    pub account: AccountId,
    /// Where its push service takes messages for it.
    pub endpoint: String,
    /// Its key: a point of P-256, uncompressed.
    pub public_key: Vec<u8>,
    /// The secret it shares with us.
    pub auth: Vec<u8>,
    /// What the browser said it is.
    pub device: String,
    /// Since when.
    pub created_at: UnixMillis,
}

/// Something to be told to a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPush {
    /// Its name here.
    pub id: PushId,
    /// To which browser.
    pub subscription: SubscriptionId,
    /// What it says, in JSON.
    pub payload: String,
}

/// Something on its way, and how often it was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingPush {
    /// Its name here.
    pub id: PushId,
    /// To whom.
    pub to: Subscription,
    /// What it says, in JSON.
    pub payload: String,
    /// Attempts so far.
    pub attempts: i64,
    /// When it was written.
    pub created_at: UnixMillis,
}

type Columns = (String, String, String, Vec<u8>, Vec<u8>, String, i64);

impl TryFrom<Columns> for Subscription {
    type Error = StoreError;
    fn try_from(columns: Columns) -> Result<Self, StoreError> {
        let (id, account, endpoint, public_key, auth, device, created_at) = columns;
        let (id, account) = (parse_id(&id)?, parse_id(&account)?);
        let created_at = UnixMillis(created_at);
        Ok(Subscription { id, account, endpoint, public_key, auth, device, created_at })
    }
}

impl Store {
    /// The key by which push services know this club, sealed; none before the first start.
    pub async fn push_key(&self) -> Result<Option<Vec<u8>>, StoreError> {
        const SQL: &str = "SELECT sealed FROM push_key WHERE number = 1";
        let row: Option<(Vec<u8>,)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_optional(pool).await?);
        Ok(row.map(|(sealed,)| sealed))
    }

    /// Keeps a new key. Browsers that know the old one cannot be reached any more.
    pub async fn set_push_key(&self, sealed: Vec<u8>) -> Result<(), StoreError> {
        const FORGET: &str = "DELETE FROM push_subscription";
        const SQL: &str = "
            INSERT INTO push_key (number, sealed) VALUES (1, $1)
            ON CONFLICT (number) DO UPDATE SET sealed = excluded.sealed";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(FORGET).execute(&mut *c).await?;
                        sqlx::query(SQL).bind(sealed).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Remembers a browser, as long as this session lasts. One that was known, perhaps as somebody else's, is this
    /// person's now.
    pub async fn subscribe(
        &self,
        subscription: Subscription,
        session: TokenHash,
    ) -> Result<(), StoreError> {
        const FORGET: &str = "DELETE FROM push_subscription WHERE endpoint = $1";
        const OLDEST: &str = "
            DELETE FROM push_subscription WHERE account_id = $1 AND id NOT IN (
                SELECT id FROM push_subscription WHERE account_id = $1
                ORDER BY created_at DESC, id LIMIT $2)";
        const SQL: &str = "
            INSERT INTO push_subscription
                (id, account_id, token_hash, endpoint, public_key, auth, device, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let account = subscription.account;
                    on_db!(conn, c => {
                        sqlx::query(FORGET).bind(&subscription.endpoint).execute(&mut *c).await?;
                        sqlx::query(OLDEST)
                            .bind(account.as_str())
                            .bind(MOST_BROWSERS - 1)
                            .execute(&mut *c)
                            .await?;
                        sqlx::query(SQL)
                            .bind(subscription.id.as_str())
                            .bind(account.as_str())
                            .bind(session.0.as_slice())
                            .bind(subscription.endpoint)
                            .bind(subscription.public_key)
                            .bind(subscription.auth)
                            .bind(subscription.device)
                            .bind(subscription.created_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Somebody's browsers, the newest first.
    pub async fn subscriptions(&self, account: AccountId) -> Result<Vec<Subscription>, StoreError> {
        const SQL: &str = "
            SELECT id, account_id, endpoint, public_key, auth, device, created_at
            FROM push_subscription WHERE account_id = $1 ORDER BY created_at DESC, id";
        let rows: Vec<Columns> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(Subscription::try_from).collect()
    }

    /// Forgets one of somebody's browsers; `NotFound` if it is not theirs.
    pub async fn unsubscribe(
        &self,
        account: AccountId,
        id: SubscriptionId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM push_subscription WHERE account_id = $1 AND id = $2";
        found(write_one!(self, SQL, account.as_str(), id.as_str())?)
    }

    /// Remembers messages, to be sent as soon as possible.
    pub async fn queue_pushes(
        &self,
        pushes: Vec<NewPush>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    for push in pushes {
                        insert_push(conn, push, now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// What should be sent now, the longest due first.
    pub async fn due_pushes(
        &self,
        now: UnixMillis,
        limit: u32,
    ) -> Result<Vec<WaitingPush>, StoreError> {
        const SQL: &str = "
            SELECT message.id, message.payload, message.attempts, message.created_at,
                   browser.id, browser.account_id, browser.endpoint, browser.public_key, browser.auth,
                   browser.device, browser.created_at
            FROM push_message AS message
            JOIN push_subscription AS browser ON browser.id = message.subscription_id
            WHERE message.due_at <= $1 ORDER BY message.due_at, message.id LIMIT $2";
        type Row =
            (String, String, i64, i64, String, String, String, Vec<u8>, Vec<u8>, String, i64);
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(now.0).bind(i64::from(limit)).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(
                |(
                    id,
                    payload,
                    attempts,
                    created_at,
                    to,
                    account,
                    endpoint,
                    key,
                    auth,
                    device,
                    at,
                )| {
                    Ok(WaitingPush {
                        id: parse_id(&id)?,
                        to: (to, account, endpoint, key, auth, device, at).try_into()?,
                        payload,
                        attempts,
                        created_at: UnixMillis(created_at),
                    })
                },
            )
            .collect()
    }

    /// When the next message will be due.
    pub async fn next_push_due_at(&self) -> Result<Option<UnixMillis>, StoreError> {
        const SQL: &str = "SELECT MIN(due_at) FROM push_message";
        let (at,): (Option<i64>,) =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_one(pool).await?);
        Ok(at.map(UnixMillis))
    }

    /// The push service has taken it, or never will.
    pub async fn push_is_done(&self, id: PushId) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM push_message WHERE id = $1";
        write_one!(self, SQL, id.as_str()).map(drop)
    }

    /// It was not taken: to be tried again at `due_at`.
    pub async fn push_must_wait(&self, id: PushId, due_at: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str =
            "UPDATE push_message SET attempts = attempts + 1, due_at = $2 WHERE id = $1";
        write_one!(self, SQL, id.as_str(), due_at.0).map(drop)
    }

    /// The push service does not know this browser any more.
    pub async fn browser_is_gone(&self, id: SubscriptionId) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM push_subscription WHERE id = $1";
        write_one!(self, SQL, id.as_str()).map(drop)
    }
}

/// Remembers a message inside a transaction that does more. A browser that has gone meanwhile is passed over.
pub(crate) async fn insert_push(
    conn: &mut Conn,
    push: NewPush,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO push_message (id, subscription_id, payload, attempts, due_at, created_at)
        SELECT $1, id, $3, 0, CAST($4 AS BIGINT), CAST($4 AS BIGINT)
        FROM push_subscription WHERE id = $2";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(push.id.as_str())
            .bind(push.subscription.as_str())
            .bind(push.payload)
            .bind(now.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
