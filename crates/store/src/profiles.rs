//! What others may know of a player: the name, how strong, how often won. Nothing private is read here.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::on_db;
use crate::games::parse_id;
use crate::players::key;
use crate::sight::{Sight, is_seen};
use crate::{AccountId, GameId, Store, StoreError};

/// The name of accounts whose owner has gone. Their games stay; a page of their own they have not.
const FORMER_MEMBER: &str = "Former member";

/// The condition that somebody has a page of their own: signed up, and still there.
macro_rules! is_member {
    () => {
        "account.kind = 'player' AND account.name <> 'Former member'"
    };
}
pub(crate) use is_member;

impl Account {
    /// Whether this is somebody who signed up and is still there.
    pub fn is_member(&self) -> bool {
        self.kind == crate::AccountKind::Player && self.name != FORMER_MEMBER
    }
}

/// Somebody with a page of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The account.
    pub account: Account,
    /// Since when it is there.
    pub created_at: UnixMillis,
}

/// Where somebody stands in a pool.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct PoolStanding {
    /// The pool, `standard/blitz`.
    pub pool: String,
    /// The rating, exactly as computed.
    pub rating: f64,
    /// How uncertain it was after the last game.
    pub deviation: f64,
    /// How much the strength wavers.
    pub volatility: f64,
    /// The highest rating ever.
    pub peak: f64,
    /// Rated games.
    pub games: i64,
    /// Won ones.
    pub wins: i64,
    /// Drawn ones.
    pub draws: i64,
    /// Lost ones.
    pub losses: i64,
    /// When the last rated game ended, in Unix milliseconds.
    pub last_game: Option<i64>,
}

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Score {
    /// Won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
}

impl Store {
    /// The player of this name, whatever the case of its letters. Guests and former members have no profile.
    pub async fn find_profile(&self, name: &str) -> Result<Option<Profile>, StoreError> {
        const SQL: &str = concat!(
            "SELECT account.id, account.kind, account.name, account.created_at FROM account
             JOIN player ON player.account_id = account.id
             WHERE player.name_key = $1 AND ",
            is_member!()
        );
        let row: Option<(String, String, String, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(key(name)).fetch_optional(pool).await?
        });
        row.map(|(id, kind, name, created_at)| {
            let account = Account::from_columns(&id, &kind, name)?;
            Ok(Profile { account, created_at: UnixMillis(created_at) })
        })
        .transpose()
    }

    /// Players whose name begins like this, in the order of the alphabet.
    pub async fn search_players(
        &self,
        beginning: &str,
        limit: u32,
    ) -> Result<Vec<Account>, StoreError> {
        const SQL: &str = concat!(
            "SELECT account.id, account.kind, account.name FROM account
             JOIN player ON player.account_id = account.id
             WHERE player.name_key LIKE $1 ESCAPE '!' AND ",
            is_member!(),
            " ORDER BY player.name_key LIMIT $2"
        );
        let pattern = format!("{}%", escaped(&key(beginning)));
        let rows: Vec<(String, String, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(pattern).bind(i64::from(limit)).fetch_all(pool).await?
        });
        rows.into_iter().map(|(id, kind, name)| Account::from_columns(&id, &kind, name)).collect()
    }

    /// Where somebody stands, pool by pool, the most played first.
    pub async fn standings_of(&self, account: AccountId) -> Result<Vec<PoolStanding>, StoreError> {
        const SQL: &str = "
            SELECT pool, rating, deviation, volatility, peak, games, wins, draws, losses, last_game
            FROM rating WHERE account_id = $1 ORDER BY games DESC, pool";
        Ok(on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        }))
    }

    /// The rating after games of a pool, in order, thinned to at most 500 points: the first and the last are there.
    pub async fn rating_points(
        &self,
        account: AccountId,
        rating_pool: &str,
    ) -> Result<Vec<(UnixMillis, f64)>, StoreError> {
        const SQL: &str = "
            SELECT at, rating_after FROM (
                SELECT at, rating_after, ROW_NUMBER() OVER (ORDER BY at, game_id) AS place,
                       COUNT(*) OVER () AS size
                FROM rating_change WHERE account_id = $1 AND pool = $2
            ) AS numbered
            WHERE place = 1 OR (size - place) % ((size + 498) / 499) = 0
            ORDER BY place";
        let rows: Vec<(i64, f64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(rating_pool).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|(at, rating)| (UnixMillis(at), rating)).collect())
    }

    /// The game somebody plays at the moment, of those that somebody else may see; the youngest, if there are several.
    pub async fn running_game_of(
        &self,
        account: AccountId,
        sight: Sight,
    ) -> Result<Option<GameId>, StoreError> {
        const SQL: &str = concat!(
            "SELECT id FROM game WHERE state = 'running' AND (white_id = $1 OR black_id = $1) AND ",
            is_seen!("$2"),
            " ORDER BY created_at DESC, id DESC LIMIT 1"
        );
        let row: Option<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(sight.bound()).fetch_optional(pool).await?
        });
        row.map(|(id,)| parse_id(&id)).transpose()
    }

    /// How somebody's games ended, as far as somebody else may know: all of them or those against one opponent. Aborted
    /// games do not count.
    pub async fn score_of(
        &self,
        account: AccountId,
        opponent: Option<AccountId>,
        sight: Sight,
    ) -> Result<Score, StoreError> {
        const SQL: &str = concat!(
            r#"SELECT COUNT(CASE WHEN (white_id = $1 AND outcome LIKE '%"winner":"white"%')
                                OR (black_id = $1 AND outcome LIKE '%"winner":"black"%') THEN 1 END) AS wins,
                   COUNT(CASE WHEN outcome LIKE '{"kind":"draw"%' THEN 1 END) AS draws,
                   COUNT(CASE WHEN (white_id = $1 AND outcome LIKE '%"winner":"black"%')
                                OR (black_id = $1 AND outcome LIKE '%"winner":"white"%') THEN 1 END) AS losses
            FROM game
            WHERE state = 'finished' AND (white_id = $1 OR black_id = $1)
              AND ($2 IS NULL OR white_id = $2 OR black_id = $2) AND "#,
            is_seen!("$3")
        );
        Ok(on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(account.as_str())
                .bind(opponent.map(String::from))
                .bind(sight.bound())
                .fetch_one(pool)
                .await?
        }))
    }
}

/// Text that `LIKE … ESCAPE '!'` takes as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '!' | '%' | '_') {
            escaped.push('!');
        }
        escaped.push(character);
    }
    escaped
}
