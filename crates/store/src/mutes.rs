//! Whom somebody does not want to hear or meet.

use rules::UnixMillis;

use crate::db::{on_db, write_one};
use crate::games::parse_id;
use crate::{AccountId, Store, StoreError};

impl Store {
    /// Mutes somebody for somebody. Doing it again changes nothing.
    pub async fn mute(
        &self,
        account: AccountId,
        muted: AccountId,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO mute (account_id, muted_id, at) VALUES ($1, $2, $3)
            ON CONFLICT (account_id, muted_id) DO NOTHING";
        write_one!(self, SQL, account.as_str(), muted.as_str(), now.0).map(drop)
    }

    /// Hears somebody again.
    pub async fn unmute(&self, account: AccountId, muted: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM mute WHERE account_id = $1 AND muted_id = $2";
        write_one!(self, SQL, account.as_str(), muted.as_str()).map(drop)
    }

    /// Who has muted somebody.
    pub async fn muters_of(&self, muted: AccountId) -> Result<Vec<AccountId>, StoreError> {
        const SQL: &str = "SELECT account_id FROM mute WHERE muted_id = $1";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(muted.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(|(id,)| parse_id(&id)).collect()
    }

    /// Whom somebody has muted.
    pub async fn muted_by(&self, account: AccountId) -> Result<Vec<AccountId>, StoreError> {
        const SQL: &str = "SELECT muted_id FROM mute WHERE account_id = $1 ORDER BY at, muted_id";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(|(id,)| parse_id(&id)).collect()
    }
}
