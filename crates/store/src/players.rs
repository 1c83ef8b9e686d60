//! Players: people who signed up, found by name or address, and everything personal about them.

use rules::UnixMillis;
use sqlx::Row as _;

use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::invites::take_invite;
use crate::{AccountId, Store, StoreError, TokenHash};

/// Whether somebody may log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerState {
    /// Not before the address is confirmed.
    Pending,
    /// Yes.
    Active,
    /// No: an administrator said so.
    Deactivated,
}

impl PlayerState {
    /// The state in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            PlayerState::Pending => "pending",
            PlayerState::Active => "active",
            PlayerState::Deactivated => "deactivated",
        }
    }

    pub(crate) fn from_column(text: &str) -> Result<PlayerState, StoreError> {
        match text {
            "pending" => Ok(PlayerState::Pending),
            "active" => Ok(PlayerState::Active),
            "deactivated" => Ok(PlayerState::Deactivated),
            other => Err(StoreError::Damaged(format!("{other:?} is no state of a player"))),
        }
    }
}

/// Somebody who signs up, or is signed up.
#[derive(Debug, Clone)]
pub struct NewPlayer {
    /// The user name.
    pub name: String,
    /// The address.
    pub email: Option<String>,
    /// The password in PHC form; none: nobody can log in by password yet.
    pub password: Option<String>,
    /// Whether they have to choose a password of their own first.
    pub must_change_password: bool,
    /// Whether they may log in.
    pub state: PlayerState,
    /// Whether this is a program.
    pub is_bot: bool,
    /// The class or group of the club.
    pub group_name: Option<String>,
    /// The rating they begin with.
    pub initial_rating: i64,
    /// JSON, as the application writes it.
    pub preferences: String,
}

/// The second factor as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTotp {
    /// The seed, encrypted.
    pub seed: Vec<u8>,
    /// Since when it counts; none: not confirmed yet.
    pub confirmed_at: Option<UnixMillis>,
    /// The last step whose code was used.
    pub last_step: i64,
}

/// Somebody who signed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The account.
    pub id: AccountId,
    /// The user name.
    pub name: String,
    /// The address.
    pub email: Option<String>,
    /// When the address was confirmed.
    pub email_verified_at: Option<UnixMillis>,
    /// The password in PHC form.
    pub password: Option<String>,
    /// Whether they have to choose a password of their own first.
    pub must_change_password: bool,
    /// Whether they may log in.
    pub state: PlayerState,
    /// Whether this is a program.
    pub is_bot: bool,
    /// The class or group of the club.
    pub group_name: Option<String>,
    /// The rating they began with.
    pub initial_rating: i64,
    /// JSON, as the application wrote it.
    pub preferences: String,
    /// The second factor, confirmed or not.
    pub totp: Option<StoredTotp>,
    /// When they signed up.
    pub created_at: UnixMillis,
    /// When something about the account was last changed.
    pub changed_at: UnixMillis,
    /// The last log-in.
    pub current_login_at: Option<UnixMillis>,
    /// The one before.
    pub last_login_at: Option<UnixMillis>,
}

impl Player {
    /// The second factor, if it counts.
    pub fn second_factor(&self) -> Option<&StoredTotp> {
        self.totp.as_ref().filter(|totp| totp.confirmed_at.is_some())
    }
}

/// Reads [`Player`]s; a condition follows.
macro_rules! select_players {
    ($condition:literal) => {
        concat!(
            "
            SELECT account.id, account.name, player.email, player.email_verified_at, player.password,
                   player.must_change_password, player.state, player.is_bot, player.group_name,
                   player.initial_rating, player.preferences, player.totp_seed, player.totp_confirmed_at,
                   player.totp_last_step, player.created_at, player.changed_at, player.current_login_at,
                   player.last_login_at
            FROM player JOIN account ON account.id = player.account_id
            WHERE ",
            $condition
        )
    };
}

/// Makes a [`Player`] of a row of either database.
macro_rules! read_player {
    ($row:expr) => {{
        let row = $row;
        let moment = |name: &str| row.try_get::<Option<i64>, _>(name).map(|at| at.map(UnixMillis));
        let confirmed_at = moment("totp_confirmed_at")?;
        let last_step = row.try_get("totp_last_step")?;
        let seed: Option<Vec<u8>> = row.try_get("totp_seed")?;
        Ok::<Player, StoreError>(Player {
            id: parse_id(&row.try_get::<String, _>("id")?)?,
            name: row.try_get("name")?,
            email: row.try_get("email")?,
            email_verified_at: moment("email_verified_at")?,
            password: row.try_get("password")?,
            must_change_password: row.try_get::<i64, _>("must_change_password")? > 0,
            state: PlayerState::from_column(&row.try_get::<String, _>("state")?)?,
            is_bot: row.try_get::<i64, _>("is_bot")? > 0,
            group_name: row.try_get("group_name")?,
            initial_rating: row.try_get("initial_rating")?,
            preferences: row.try_get("preferences")?,
            totp: seed.map(|seed| StoredTotp { seed, confirmed_at, last_step }),
            created_at: UnixMillis(row.try_get("created_at")?),
            changed_at: UnixMillis(row.try_get("changed_at")?),
            current_login_at: moment("current_login_at")?,
            last_login_at: moment("last_login_at")?,
        })
    }};
}

/// How names and addresses are compared: without regard to case.
pub(crate) fn key(text: &str) -> String {
    text.to_lowercase()
}

impl Store {
    /// Signs somebody up: a guest's account becomes the player's, any other is made.
    ///
    /// `Conflict` if the name or the address is taken, `NotFound` if the invitation cannot be used (any more).
    pub async fn create_player(
        &self,
        id: AccountId,
        player: NewPlayer,
        invite: Option<TokenHash>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if let Some(invite) = invite {
                        take_invite(conn, invite, now).await?;
                    }
                    insert_player(conn, id, player, now).await
                })
            })
            .await
    }

    /// A player by account.
    pub async fn load_player(&self, id: AccountId) -> Result<Player, StoreError> {
        const SQL: &str = select_players!("player.account_id = $1");
        on_db!(&*self.readers, pool => {
            read_player!(sqlx::query(SQL).bind(id.as_str()).fetch_one(pool).await?)
        })
    }

    /// A player by user name or address. A user name has no `@`, so it is never both.
    pub async fn find_player(&self, name_or_email: &str) -> Result<Option<Player>, StoreError> {
        const SQL: &str = select_players!("player.name_key = $1 OR player.email_key = $1");
        on_db!(&*self.readers, pool => {
            match sqlx::query(SQL).bind(key(name_or_email)).fetch_optional(pool).await? {
                Some(row) => read_player!(row).map(Some),
                None => Ok(None),
            }
        })
    }

    /// Whether nobody is called or reached by this.
    pub async fn is_free(&self, name_or_email: &str) -> Result<bool, StoreError> {
        const SQL: &str = "SELECT COUNT(*) FROM player WHERE name_key = $1 OR email_key = $1";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(key(name_or_email)).fetch_one(pool).await?
        });
        Ok(count == 0)
    }

    /// Remembers what somebody has chosen.
    pub async fn set_preferences(
        &self,
        id: AccountId,
        preferences: String,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str =
            "UPDATE player SET preferences = $2, changed_at = $3 WHERE account_id = $1";
        found(write_one!(self, SQL, id.as_str(), preferences, now.0)?)
    }
}

/// A change that must have met a row.
pub(crate) fn found(rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

/// A change that met nothing because somebody was faster.
pub(crate) fn one_changed(rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::Conflict) } else { Ok(()) }
}

/// Makes a player inside a transaction.
pub(crate) async fn insert_player(
    conn: &mut Conn,
    id: AccountId,
    player: NewPlayer,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const ACCOUNT: &str = "
        INSERT INTO account (id, kind, name, created_at) VALUES ($1, 'player', $2, $3)
        ON CONFLICT (id) DO UPDATE SET kind = 'player', name = excluded.name
        WHERE account.kind = 'guest'";
    const PLAYER: &str = "
        INSERT INTO player (account_id, name_key, email, email_key, password, must_change_password, state,
                            is_bot, group_name, initial_rating, preferences, totp_last_step, created_at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $12)";
    on_db!(conn, c => {
        sqlx::query(ACCOUNT)
            .bind(id.as_str())
            .bind(&player.name)
            .bind(now.0)
            .execute(&mut *c)
            .await?;
        sqlx::query(PLAYER)
            .bind(id.as_str())
            .bind(key(&player.name))
            .bind(&player.email)
            .bind(player.email.as_deref().map(key))
            .bind(&player.password)
            .bind(i64::from(player.must_change_password))
            .bind(player.state.as_str())
            .bind(i64::from(player.is_bot))
            .bind(&player.group_name)
            .bind(player.initial_rating)
            .bind(&player.preferences)
            .bind(now.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
