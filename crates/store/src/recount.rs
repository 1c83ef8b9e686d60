//! Ratings from the games alone: the whole history of a pool counted again.
//!
//! Games count in the order of their ends, those of one moment in the order of their names. A game that is counted
//! live and out of this order has its pool counted again at once, so that a recount at any later time finds the same
//! numbers. Only rows whose numbers differ are written: those of the corrected game and of what came after it.

use std::collections::{HashMap, HashSet};

use ratings::{Context, Moment, Pool, Score, Standing, System, rate};
use rules::{ByColor, Color, Outcome};

use crate::db::{Conn, on_db};
use crate::ratings::{Columns, RatingChange, exact, standing};
use crate::{GameId, StoreError};

/// Somebody's standing with the count of results.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Tally {
    standing: Standing,
    wins: i64,
    draws: i64,
    losses: i64,
}

/// A change as its row holds it: rating, deviation, volatility before and after.
type Change = [f64; 6];

/// Counts all games of a pool again. Gives what the game in question changes now, if it counts.
pub(crate) async fn recount(
    conn: &mut Conn,
    pool: &Pool,
    system: &System,
    about: GameId,
) -> Result<Option<ByColor<RatingChange>>, StoreError> {
    let old = old_changes(conn, pool).await?;
    let first = first_changes(&old);
    let mut tallies: HashMap<String, Tally> = HashMap::new();
    let mut counted: HashSet<(String, String)> = HashSet::new();
    let mut asked = None;
    for (game, white, black, outcome, at) in games(conn, pool).await? {
        let Some(score) = score(&outcome)? else { continue };
        for account in [&white, &black] {
            if !tallies.contains_key(account) {
                let standing = newcomer(conn, system, account, &first).await?;
                let tally = Tally { standing, wins: 0, draws: 0, losses: 0 };
                tallies.insert(account.clone(), tally);
            }
        }
        let before = [tallies[&white].standing, tallies[&black].standing];
        let context = Context { at: Moment(at), ..Context::default() };
        let after = rate(system, &before[0], &before[1], score, &context);
        let changes = ByColor {
            white: RatingChange { before: before[0], after: after.0 },
            black: RatingChange { before: before[1], after: after.1 },
        };
        for (account, side) in [(&white, Color::White), (&black, Color::Black)] {
            let own = if side == Color::White { score } else { score.mirrored() };
            if let Some(tally) = tallies.get_mut(account) {
                tally.standing = changes[side].after;
                tally.wins += i64::from(own == Score::WhiteWins);
                tally.draws += i64::from(own == Score::Draw);
                tally.losses += i64::from(own == Score::BlackWins);
            }
            let key = (game.clone(), account.clone());
            let new = numbers(&changes[side]);
            // To the last bit: what is the same stays untouched.
            let is_same =
                |(_, kept): &(i64, Change)| kept.map(f64::to_bits) == new.map(f64::to_bits);
            if !old.get(&key).is_some_and(is_same) {
                write_change(conn, pool, &key, at, new).await?;
            }
            counted.insert(key);
        }
        if game == about.as_str() {
            asked = Some(changes);
        }
    }
    for key in old.keys().filter(|key| !counted.contains(*key)) {
        remove_change(conn, key).await?;
    }
    write_tallies(conn, pool, &tallies).await?;
    Ok(asked)
}

fn numbers(change: &RatingChange) -> Change {
    let (before, after) = (&change.before, &change.after);
    [
        before.rating,
        before.deviation,
        before.volatility,
        after.rating,
        after.deviation,
        after.volatility,
    ]
}

fn score(outcome: &str) -> Result<Option<Score>, StoreError> {
    Ok(match serde_json::from_str(outcome)? {
        Outcome::Win { winner: Color::White, .. } => Some(Score::WhiteWins),
        Outcome::Win { winner: Color::Black, .. } => Some(Score::BlackWins),
        Outcome::Draw { .. } => Some(Score::Draw),
        Outcome::Aborted { .. } => None,
    })
}

/// Game, White, Black, outcome, end.
type GameRow = (String, String, String, String, i64);

async fn games(conn: &mut Conn, pool: &Pool) -> Result<Vec<GameRow>, StoreError> {
    const SQL: &str = "
        SELECT id, white_id, black_id, outcome, ended_at FROM game
        WHERE pool = $1 AND rated = 1 AND state = 'finished'
        ORDER BY ended_at, id";
    Ok(on_db!(conn, c => sqlx::query_as(SQL).bind(pool.to_string()).fetch_all(&mut *c).await?))
}

/// What every game of the pool changed, by game and account, with its moment.
type Changes = HashMap<(String, String), (i64, Change)>;

async fn old_changes(conn: &mut Conn, pool: &Pool) -> Result<Changes, StoreError> {
    const SQL: &str = "
        SELECT game_id, account_id, at, rating_before, deviation_before, volatility_before,
               rating_after, deviation_after, volatility_after
        FROM rating_change WHERE pool = $1";
    type Row = (String, String, i64, f64, f64, f64, f64, f64, f64);
    let rows: Vec<Row> =
        on_db!(conn, c => sqlx::query_as(SQL).bind(pool.to_string()).fetch_all(&mut *c).await?);
    let change =
        |(game, account, at, a, b, c, d, e, f)| ((game, account), (at, [a, b, c, d, e, f]));
    Ok(rows.into_iter().map(change).collect())
}

/// What everybody's first counted game says of where they began.
fn first_changes(old: &Changes) -> HashMap<&str, Change> {
    let mut first: HashMap<&str, (i64, &str, Change)> = HashMap::new();
    for ((game, account), (at, change)) in old {
        let this = (*at, game.as_str(), *change);
        let entry = first.entry(account).or_insert(this);
        if (this.0, this.1) < (entry.0, entry.1) {
            *entry = this;
        }
    }
    first.into_iter().map(|(account, (.., change))| (account, change)).collect()
}

/// Where somebody began: as the first counted game says, for a member may have left or changed the claim since.
async fn newcomer(
    conn: &mut Conn,
    system: &System,
    account: &str,
    first: &HashMap<&str, Change>,
) -> Result<Standing, StoreError> {
    const CLAIMED: &str = "SELECT initial_rating FROM player WHERE account_id = $1";
    if let Some([rating, deviation, volatility, ..]) = first.get(account) {
        return Ok(standing((*rating, *deviation, *volatility, *rating, 0, None)));
    }
    let claimed: Option<(i64,)> =
        on_db!(conn, c => sqlx::query_as(CLAIMED).bind(account).fetch_optional(&mut *c).await?);
    Ok(system.newcomer(claimed.map(|(rating,)| exact(rating))))
}

async fn write_change(
    conn: &mut Conn,
    pool: &Pool,
    (game, account): &(String, String),
    at: i64,
    change: Change,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO rating_change (game_id, account_id, pool, at, rating_before, deviation_before, volatility_before,
                                   rating_after, deviation_after, volatility_after)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (game_id, account_id) DO UPDATE SET
            rating_before = excluded.rating_before, deviation_before = excluded.deviation_before,
            volatility_before = excluded.volatility_before, rating_after = excluded.rating_after,
            deviation_after = excluded.deviation_after, volatility_after = excluded.volatility_after";
    on_db!(conn, c => {
        let mut query = sqlx::query(SQL).bind(game).bind(account).bind(pool.to_string()).bind(at);
        for number in change {
            query = query.bind(number);
        }
        query.execute(&mut *c).await?;
    });
    Ok(())
}

async fn remove_change(
    conn: &mut Conn,
    (game, account): &(String, String),
) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM rating_change WHERE game_id = $1 AND account_id = $2";
    on_db!(conn, c => {
        sqlx::query(SQL).bind(game).bind(account).execute(&mut *c).await?;
    });
    Ok(())
}

/// Account, standing, wins, draws, losses.
#[derive(sqlx::FromRow)]
struct TallyRow {
    account_id: String,
    rating: f64,
    deviation: f64,
    volatility: f64,
    peak: f64,
    games: i64,
    last_game: Option<i64>,
    wins: i64,
    draws: i64,
    losses: i64,
}

/// Makes the table of standings say this and no more. Who has left the club has no standing.
async fn write_tallies(
    conn: &mut Conn,
    pool: &Pool,
    tallies: &HashMap<String, Tally>,
) -> Result<(), StoreError> {
    const OLD: &str = "
        SELECT account_id, rating, deviation, volatility, peak, games, last_game, wins, draws, losses
        FROM rating WHERE pool = $1";
    const GONE: &str = "DELETE FROM rating WHERE account_id = $1 AND pool = $2";
    const NEW: &str = "
        INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses, last_game)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
        WHERE EXISTS (SELECT 1 FROM account WHERE account.id = $1 AND account.name <> 'Former member')
        ON CONFLICT (account_id, pool) DO UPDATE SET
            rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,
            peak = excluded.peak, games = excluded.games, last_game = excluded.last_game,
            wins = excluded.wins, draws = excluded.draws, losses = excluded.losses";
    let name = pool.to_string();
    let rows: Vec<TallyRow> =
        on_db!(&mut *conn, c => sqlx::query_as(OLD).bind(&name).fetch_all(&mut *c).await?);
    let mut same = HashSet::new();
    for row in rows {
        let columns: Columns =
            (row.rating, row.deviation, row.volatility, row.peak, row.games, row.last_game);
        let (wins, draws, losses) = (row.wins, row.draws, row.losses);
        let old = Tally { standing: standing(columns), wins, draws, losses };
        match tallies.get(&row.account_id) {
            Some(tally) if *tally == old => {
                same.insert(row.account_id);
            }
            Some(_) => {}
            None => on_db!(&mut *conn, c => {
                sqlx::query(GONE).bind(&row.account_id).bind(&name).execute(&mut *c).await?;
            }),
        }
    }
    for (account, Tally { standing, wins, draws, losses }) in tallies {
        if same.contains(account) {
            continue;
        }
        on_db!(&mut *conn, c => {
            sqlx::query(NEW)
                .bind(account)
                .bind(&name)
                .bind(standing.rating)
                .bind(standing.deviation)
                .bind(standing.volatility)
                .bind(standing.peak)
                .bind(i64::from(standing.games))
                .bind(*wins)
                .bind(*draws)
                .bind(*losses)
                .bind(standing.last_game.map(|at| at.0))
                .execute(&mut *c)
                .await?;
        });
    }
    Ok(())
}
