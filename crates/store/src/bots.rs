//! The house's bots: accounts that engines play for, one for each level.
//!
//! Their ids are fixed, so that whoever holds an account knows without asking whether a machine sits behind it.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::{Conn, on_db};
use crate::players::key;
use crate::{AccountId, Store, StoreError};

/// What the ids of bots begin with; the level follows.
const BEGINNING: &str = "RookBot";

impl AccountId {
    /// The account of the bot of a level, 1 to 9.
    pub fn of_bot(level: u8) -> AccountId {
        let id = format!("{BEGINNING}{}", level.clamp(1, 9));
        id.parse().expect("seven letters and a digit are an id")
    }

    /// The level of the bot whose account this is; none if it is somebody else's.
    pub fn bot_level(&self) -> Option<u8> {
        let level = self.as_str().strip_prefix(BEGINNING)?.parse().ok()?;
        (level > 0).then_some(level)
    }
}

impl Account {
    /// Whether a machine plays for it.
    pub fn is_bot(&self) -> bool {
        self.id.bot_level().is_some()
    }
}

/// A bot to be.
#[derive(Debug, Clone)]
pub struct NewBot {
    /// Its level, 1 to 9.
    pub level: u8,
    /// What it is called.
    pub name: String,
    /// How strong it is said to be before anybody knows.
    pub rating: i64,
}

impl Store {
    /// Makes the bots that are not there yet. Gives those that could not be made because somebody else has their name.
    pub async fn make_bots(
        &self,
        bots: Vec<NewBot>,
        now: UnixMillis,
    ) -> Result<Vec<NewBot>, StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut unnamed = Vec::new();
                    for bot in bots {
                        if !make_bot(conn, &bot, now).await? {
                            unnamed.push(bot);
                        }
                    }
                    Ok(unnamed)
                })
            })
            .await
    }

    /// The bots that are there, weakest first.
    pub async fn load_bots(&self) -> Result<Vec<Account>, StoreError> {
        const SQL: &str = "
            SELECT account.id, account.kind, account.name
            FROM player JOIN account ON account.id = player.account_id
            WHERE player.is_bot = 1 AND player.state = 'active'
            ORDER BY account.id";
        let rows: Vec<(String, String, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).fetch_all(pool).await?
        });
        let accounts =
            rows.into_iter().map(|(id, kind, name)| Account::from_columns(&id, &kind, name));
        let accounts = accounts.collect::<Result<Vec<Account>, _>>()?;
        Ok(accounts.into_iter().filter(Account::is_bot).collect())
    }
}

/// Makes a bot; false if its name is somebody else's.
async fn make_bot(conn: &mut Conn, bot: &NewBot, now: UnixMillis) -> Result<bool, StoreError> {
    const KNOWN: &str = "SELECT account_id FROM player WHERE account_id = $1 OR name_key = $2";
    // Who was deleted and comes back has an account still.
    const ACCOUNT: &str = "
        INSERT INTO account (id, kind, name, created_at) VALUES ($1, 'player', $2, $3)
        ON CONFLICT (id) DO UPDATE SET kind = 'player', name = excluded.name";
    const PLAYER: &str = "
        INSERT INTO player (account_id, name_key, must_change_password, state, is_bot, initial_rating,
                            preferences, totp_last_step, created_at, changed_at)
        VALUES ($1, $2, 0, 'active', 1, $3, '{}', 0, $4, $4)";
    let id = AccountId::of_bot(bot.level);
    let name_key = key(&bot.name);
    let known: Vec<(String,)> = on_db!(&mut *conn, c => {
        sqlx::query_as(KNOWN).bind(id.as_str()).bind(&name_key).fetch_all(&mut *c).await?
    });
    if known.iter().any(|(known,)| known == id.as_str()) {
        return Ok(true);
    }
    if !known.is_empty() {
        return Ok(false);
    }
    on_db!(conn, c => {
        sqlx::query(ACCOUNT)
            .bind(id.as_str())
            .bind(&bot.name)
            .bind(now.0)
            .execute(&mut *c)
            .await?;
        sqlx::query(PLAYER)
            .bind(id.as_str())
            .bind(name_key)
            .bind(bot.rating)
            .bind(now.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(true)
}
