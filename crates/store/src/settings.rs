//! What the owner of this instance has set, by key.

use std::collections::HashMap;

use crate::db::{on_db, write_one};
use crate::{Store, StoreError};

impl Store {
    /// All settings that were ever set.
    pub async fn settings(&self) -> Result<HashMap<String, String>, StoreError> {
        const SQL: &str = "SELECT key, value FROM setting";
        let rows: Vec<(String, String)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        Ok(rows.into_iter().collect())
    }

    /// The value of a setting, if it was ever set.
    pub async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT value FROM setting WHERE key = $1";
        let row: Option<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(key).fetch_optional(pool).await?
        });
        Ok(row.map(|(value,)| value))
    }

    /// Sets a setting, whether it was set before or not.
    pub async fn set_setting(&self, key: &'static str, value: String) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO setting (key, value) VALUES ($1, $2)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        write_one!(self, SQL, key, value).map(drop)
    }
}
