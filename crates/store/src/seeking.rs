//! What has to be known of somebody who looks for a game.

use crate::accounts::Account;
use crate::db::on_db;
use crate::games::parse_id;
use crate::players::key;
use crate::{AccountId, Store, StoreError};

/// Games that decide whose turn it is to have White.
const COLOR_MEMORY: i64 = 20;
/// Most people that somebody is kept apart from.
const AVOIDED: i64 = 100;

impl Store {
    /// Games with White less games with Black, of the last twenty.
    pub async fn color_balance(&self, account: AccountId) -> Result<i32, StoreError> {
        // Each side by its own index: one condition for both would read every game of somebody who has played thousands.
        const SQL: &str = "
            SELECT side FROM (
                SELECT * FROM (SELECT created_at, CAST(1 AS BIGINT) AS side FROM game
                               WHERE white_id = $1 ORDER BY created_at DESC LIMIT $2) AS with_white
                UNION ALL
                SELECT * FROM (SELECT created_at, CAST(-1 AS BIGINT) AS side FROM game
                               WHERE black_id = $1 ORDER BY created_at DESC LIMIT $2) AS with_black
            ) AS last ORDER BY created_at DESC LIMIT $2";
        let rows: Vec<(i64,)> = on_db!(&*self.readers, db => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(COLOR_MEMORY).fetch_all(db).await?
        });
        Ok(rows.iter().map(|(side,)| if *side > 0 { 1 } else { -1 }).sum())
    }

    /// Whom somebody does not want to meet.
    pub async fn avoided_by(&self, account: AccountId) -> Result<Vec<AccountId>, StoreError> {
        const SQL: &str =
            "SELECT muted_id FROM mute WHERE account_id = $1 ORDER BY at DESC LIMIT $2";
        let rows: Vec<(String,)> = on_db!(&*self.readers, db => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(AVOIDED).fetch_all(db).await?
        });
        rows.into_iter().map(|(id,)| parse_id(&id)).collect()
    }

    /// A signed-up player who may play, by name, whatever the case.
    pub async fn find_player_named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        const SQL: &str = "
            SELECT account.id, account.kind, account.name
            FROM player JOIN account ON account.id = player.account_id
            WHERE player.name_key = $1 AND player.state = 'active'";
        let row: Option<(String, String, String)> = on_db!(&*self.readers, db => {
            sqlx::query_as(SQL).bind(key(name)).fetch_optional(db).await?
        });
        row.map(|(id, kind, name)| Account::from_columns(&id, &kind, name)).transpose()
    }
}
