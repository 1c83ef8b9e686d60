//! Ratings: how strong everybody is in each pool, changed in the same transaction as the result that changes it.

use std::collections::HashMap;

use ratings::{Context, Moment, Pool, Score, Standing, System};
use rules::{ByColor, Color, UnixMillis};
use sqlx::QueryBuilder;

use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::recount::recount;
use crate::{AccountId, GameId, Store, StoreError};

/// A finished game that counts.
#[derive(Debug, Clone)]
pub struct RatedGame {
    /// Where it counts.
    pub pool: Pool,
    /// How that pool computes.
    pub system: System,
    /// Who played.
    pub players: ByColor<AccountId>,
    /// How it ended.
    pub score: Score,
    /// When.
    pub at: UnixMillis,
}

/// What a game did to one player's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingChange {
    /// Before the game.
    pub before: Standing,
    /// After it.
    pub after: Standing,
}

/// Accounts that are asked for at once.
const AT_ONCE: usize = 500;

/// A standing with whose it is, and in which pool.
type PoolRow = (String, String, f64, f64, f64, f64, i64, Option<i64>);

/// The columns of a standing.
pub(crate) type Columns = (f64, f64, f64, f64, i64, Option<i64>);

pub(crate) fn standing((rating, deviation, volatility, peak, games, last): Columns) -> Standing {
    Standing {
        rating,
        deviation,
        volatility,
        peak,
        games: u32::try_from(games).unwrap_or(u32::MAX),
        last_game: last.map(Moment),
    }
}

const READ: &str = "
    SELECT rating, deviation, volatility, peak, games, last_game
    FROM rating WHERE account_id = $1 AND pool = $2";

/// What a member said of their strength at sign-up.
const CLAIMED: &str = "SELECT initial_rating FROM player WHERE account_id = $1";

#[allow(clippy::cast_precision_loss, reason = "a rating has four digits")]
pub(crate) fn exact(rating: i64) -> f64 {
    rating as f64
}

impl Store {
    /// What a member said of their strength at sign-up.
    pub async fn claimed_rating(&self, account: AccountId) -> Result<Option<f64>, StoreError> {
        let row: Option<(i64,)> = on_db!(&*self.readers, db => {
            sqlx::query_as(CLAIMED).bind(account.as_str()).fetch_optional(db).await?
        });
        Ok(row.map(|(rating,)| exact(rating)))
    }

    /// Where somebody stands in a pool; none before the first rated game.
    pub async fn standing(
        &self,
        account: AccountId,
        pool: &Pool,
    ) -> Result<Option<Standing>, StoreError> {
        let row: Option<Columns> = on_db!(&*self.readers, db => {
            sqlx::query_as(READ).bind(account.as_str()).bind(pool.to_string()).fetch_optional(db).await?
        });
        Ok(row.map(standing))
    }

    /// Of each of these accounts the pool in which it has played most rated games, and where it stands there.
    pub async fn most_played(
        &self,
        accounts: &[AccountId],
    ) -> Result<HashMap<AccountId, (Pool, Standing)>, StoreError> {
        const SQL: &str = "
            SELECT account_id, pool, rating, deviation, volatility, peak, games, last_game
            FROM rating WHERE account_id IN (";
        let mut most = HashMap::new();
        for accounts in accounts.chunks(AT_ONCE) {
            let rows: Vec<PoolRow> = on_db!(&*self.readers, db => {
                let mut query = QueryBuilder::new(SQL);
                let mut list = query.separated(", ");
                for account in accounts {
                    list.push_bind(account.as_str());
                }
                query.push(") ORDER BY games, pool DESC");
                query.build_query_as().persistent(false).fetch_all(db).await?
            });
            for (account, pool, rating, deviation, volatility, peak, games, last) in rows {
                // A pool whose name makes no sense any more is nobody's.
                let Ok(pool) = pool.parse() else { continue };
                let columns = (rating, deviation, volatility, peak, games, last);
                // The last one stays: the most games, and of as many the first name.
                most.insert(parse_id(&account)?, (pool, standing(columns)));
            }
        }
        Ok(most)
    }

    /// What a finished game changed; none if it did not count. Of the standings only rating, deviation and volatility
    /// are kept with a game.
    pub async fn rating_changes(
        &self,
        game: GameId,
    ) -> Result<Option<ByColor<RatingChange>>, StoreError> {
        const SQL: &str = "
            SELECT change.account_id, game.white_id, change.at,
                   change.rating_before, change.deviation_before, change.volatility_before,
                   change.rating_after, change.deviation_after, change.volatility_after
            FROM rating_change AS change JOIN game ON game.id = change.game_id
            WHERE change.game_id = $1";
        type Row = (String, String, i64, f64, f64, f64, f64, f64, f64);
        let rows: Vec<Row> = on_db!(&*self.readers, db => {
            sqlx::query_as(SQL).bind(game.as_str()).fetch_all(db).await?
        });
        let mut changes = ByColor { white: None, black: None };
        for (account, white, at, r0, d0, v0, r1, d1, v1) in rows {
            let side = if account == white { Color::White } else { Color::Black };
            let kept = |rating, deviation, volatility| {
                standing((rating, deviation, volatility, rating, 0, Some(at)))
            };
            changes[side] =
                Some(RatingChange { before: kept(r0, d0, v0), after: kept(r1, d1, v1) });
        }
        Ok(match changes {
            ByColor { white: Some(white), black: Some(black) } => Some(ByColor { white, black }),
            _ => None,
        })
    }
}

/// Counts a game, once: if it was counted before, nothing happens.
pub(crate) async fn rate_game(
    conn: &mut Conn,
    game: GameId,
    rated: &RatedGame,
) -> Result<Option<ByColor<RatingChange>>, StoreError> {
    const COUNTED: &str = "SELECT COUNT(*) FROM rating_change WHERE game_id = $1";
    let (counted,): (i64,) = on_db!(&mut *conn, c => {
        sqlx::query_as(COUNTED).bind(game.as_str()).fetch_one(&mut *c).await?
    });
    if counted > 0 {
        return Ok(None);
    }
    if is_out_of_order(conn, game, rated).await? {
        return recount(conn, &rated.pool, &rated.system, game).await;
    }
    let white = read(conn, rated, Color::White).await?;
    let black = read(conn, rated, Color::Black).await?;
    let context = Context { at: Moment(rated.at.0), ..Context::default() };
    let (white_after, black_after) =
        ratings::rate(&rated.system, &white, &black, rated.score, &context);
    let changes = ByColor {
        white: RatingChange { before: white, after: white_after },
        black: RatingChange { before: black, after: black_after },
    };
    for side in [Color::White, Color::Black] {
        write(conn, game, rated, side, &changes[side]).await?;
    }
    Ok(Some(changes))
}

/// Whether a later game of one of the two was counted before: two ends of one moment, or writes that overtook another.
async fn is_out_of_order(
    conn: &mut Conn,
    game: GameId,
    rated: &RatedGame,
) -> Result<bool, StoreError> {
    const SQL: &str = "
        SELECT at, game_id FROM rating_change WHERE pool = $1 AND account_id IN ($2, $3) AND at >= $4";
    let later: Vec<(i64, String)> = on_db!(conn, c => {
        sqlx::query_as(SQL)
            .bind(rated.pool.to_string())
            .bind(rated.players[Color::White].as_str())
            .bind(rated.players[Color::Black].as_str())
            .bind(rated.at.0)
            .fetch_all(&mut *c)
            .await?
    });
    // Names are compared by us: databases have their own ideas of which letter comes first.
    Ok(later.iter().any(|(at, other)| (*at, other.as_str()) > (rated.at.0, game.as_str())))
}

async fn read(conn: &mut Conn, rated: &RatedGame, side: Color) -> Result<Standing, StoreError> {
    let row: Option<Columns> = on_db!(&mut *conn, c => {
        sqlx::query_as(READ)
            .bind(rated.players[side].as_str())
            .bind(rated.pool.to_string())
            .fetch_optional(&mut *c)
            .await?
    });
    if let Some(row) = row {
        return Ok(standing(row));
    }
    let claimed: Option<(i64,)> = on_db!(conn, c => {
        sqlx::query_as(CLAIMED).bind(rated.players[side].as_str()).fetch_optional(&mut *c).await?
    });
    Ok(rated.system.newcomer(claimed.map(|(rating,)| exact(rating))))
}

async fn write(
    conn: &mut Conn,
    game: GameId,
    rated: &RatedGame,
    side: Color,
    change: &RatingChange,
) -> Result<(), StoreError> {
    const STANDING: &str = "
        INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses, last_game)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (account_id, pool) DO UPDATE SET
            rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,
            peak = excluded.peak, games = excluded.games, last_game = excluded.last_game,
            wins = rating.wins + excluded.wins, draws = rating.draws + excluded.draws,
            losses = rating.losses + excluded.losses";
    const CHANGE: &str = "
        INSERT INTO rating_change (game_id, account_id, pool, at, rating_before, deviation_before, volatility_before,
                                   rating_after, deviation_after, volatility_after)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let account = rated.players[side].as_str();
    let pool = rated.pool.to_string();
    let (before, after) = (&change.before, &change.after);
    let score = match side {
        Color::White => rated.score,
        Color::Black => rated.score.mirrored(),
    };
    let count = |wanted: Score| i64::from(score == wanted);
    on_db!(conn, c => {
        sqlx::query(STANDING)
            .bind(account)
            .bind(&pool)
            .bind(after.rating)
            .bind(after.deviation)
            .bind(after.volatility)
            .bind(after.peak)
            .bind(i64::from(after.games))
            .bind(count(Score::WhiteWins))
            .bind(count(Score::Draw))
            .bind(count(Score::BlackWins))
            .bind(after.last_game.map(|at| at.0))
            .execute(&mut *c)
            .await?;
        sqlx::query(CHANGE)
            .bind(game.as_str())
            .bind(account)
            .bind(&pool)
            .bind(rated.at.0)
            .bind(before.rating)
            .bind(before.deviation)
            .bind(before.volatility)
            .bind(after.rating)
            .bind(after.deviation)
            .bind(after.volatility)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
