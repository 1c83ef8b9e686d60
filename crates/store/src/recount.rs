//! Ratings from the games alone: the history of a pool counted again, from a corrected game on.
//!
//! Games count in the order of their ends, those of one moment in the order of their names. A game that is counted
//! live and out of this order has what follows it counted again at once, so that a recount at any later time finds the
//! same numbers. What came before the game in question is as it was: counting begins with everybody as they stood then.
//! Only rows whose numbers differ are written, many at a time, for all moves of the club wait meanwhile.

use std::collections::{HashMap, HashSet};

use ratings::{Context, Moment, Pool, Score, Standing, System, rate};
use rules::{ByColor, Color, Outcome};
use sqlx::QueryBuilder;

use crate::db::{Conn, on_db};
use crate::ratings::{Columns, RatingChange, exact, standing};
use crate::{GameId, StoreError};

/// Rows that one statement writes or asks for. A row of a change has ten values, and SQLite takes 32,766 of them.
const CHUNK: usize = 500;

/// A change as its row holds it: rating, deviation, volatility before and after.
type Change = [f64; 6];

/// Wins, draws, losses.
type Results = [i64; 3];

/// A place in the order in which games count: the moment of an end, and the game's name.
type PlaceInOrder = (i64, String);

/// A recount on its way.
struct Recount<'a> {
    pool: &'a Pool,
    system: &'a System,
    /// The first game that is counted again.
    start: PlaceInOrder,
    /// Whose results may have changed, not only their numbers.
    corrected: HashSet<String>,
    /// What everybody's first change from the start on said of where they began.
    first: HashMap<String, Change>,
    standings: HashMap<String, Standing>,
    written: Vec<ChangeRow>,
    removed: Vec<String>,
}

/// Game, account, moment, numbers.
type ChangeRow = (String, String, i64, Change);

/// Counts the games of a pool again, from one on. Gives what that game changes now, if it counts.
pub(crate) async fn recount(
    conn: &mut Conn,
    pool: &Pool,
    system: &System,
    about: GameId,
) -> Result<Option<ByColor<RatingChange>>, StoreError> {
    const SQL: &str = "
        SELECT white_id, black_id, ended_at, (SELECT MIN(at) FROM rating_change WHERE game_id = game.id)
        FROM game WHERE id = $1";
    type Row = (String, String, Option<i64>, Option<i64>);
    let (white, black, ended_at, counted_at): Row = on_db!(&mut *conn, c => {
        sqlx::query_as(SQL).bind(about.as_str()).fetch_one(&mut *c).await?
    });
    // A game that goes on again has no end any more, but it was counted at one.
    let Some(at) = [ended_at, counted_at].into_iter().flatten().min() else { return Ok(None) };
    let start = (at, about.to_string());
    let corrected = HashSet::from([white, black]);
    Recount::new(pool, system, start, corrected).run(conn, Some(about)).await
}

/// Counts all games of a pool again, results included.
#[cfg(feature = "test-hooks")]
pub(crate) async fn recount_whole(
    conn: &mut Conn,
    pool: &Pool,
    system: &System,
) -> Result<(), StoreError> {
    const SQL: &str = "
        SELECT white_id FROM game WHERE pool = $1 UNION SELECT black_id FROM game WHERE pool = $1";
    let everybody: Vec<(String,)> = on_db!(&mut *conn, c => {
        sqlx::query_as(SQL).bind(pool.to_string()).fetch_all(&mut *c).await?
    });
    let everybody = everybody.into_iter().map(|(account,)| account).collect();
    let start = (i64::MIN, String::new());
    Recount::new(pool, system, start, everybody).run(conn, None).await.map(drop)
}

impl<'a> Recount<'a> {
    fn new(
        pool: &'a Pool,
        system: &'a System,
        start: PlaceInOrder,
        corrected: HashSet<String>,
    ) -> Recount<'a> {
        Recount {
            pool,
            system,
            start,
            corrected,
            first: HashMap::new(),
            standings: HashMap::new(),
            written: Vec::new(),
            removed: Vec::new(),
        }
    }

    async fn run(
        mut self,
        conn: &mut Conn,
        about: Option<GameId>,
    ) -> Result<Option<ByColor<RatingChange>>, StoreError> {
        let games = games_from(conn, self.pool, &self.start).await?;
        if let Some(about) = about {
            self.take_first(changes_of(conn, about).await?);
            // Games that are not finished are not among those read.
            if !games.iter().any(|game| game.id == about.as_str()) {
                self.removed.push(about.to_string());
            }
        }
        for game in &games {
            self.take_first(game.old_changes());
        }
        let mut asked = None;
        for game in &games {
            let changes = self.count(conn, game).await?;
            if about.is_some_and(|about| game.id == about.as_str()) {
                asked = changes;
            }
        }
        for account in self.corrected.clone() {
            self.stand(conn, &account).await?;
        }
        remove_changes(conn, &self.removed).await?;
        write_changes(conn, self.pool, &self.written).await?;
        self.write_standings(conn).await?;
        Ok(asked)
    }

    fn take_first(&mut self, changes: impl IntoIterator<Item = (String, Change)>) {
        for (account, change) in changes {
            self.first.entry(account).or_insert(change);
        }
    }

    /// Counts one game after those before it.
    async fn count(
        &mut self,
        conn: &mut Conn,
        game: &GameRow,
    ) -> Result<Option<ByColor<RatingChange>>, StoreError> {
        let old = game.old();
        let Some(score) = score(&game.outcome)? else {
            if old.white.is_some() || old.black.is_some() {
                self.removed.push(game.id.clone());
            }
            return Ok(None);
        };
        let white = self.stand(conn, &game.white_id).await?;
        let black = self.stand(conn, &game.black_id).await?;
        let context = Context { at: Moment(game.ended_at), ..Context::default() };
        let after = rate(self.system, &white, &black, score, &context);
        let changes = ByColor {
            white: RatingChange { before: white, after: after.0 },
            black: RatingChange { before: black, after: after.1 },
        };
        for (account, side) in [(&game.white_id, Color::White), (&game.black_id, Color::Black)] {
            self.standings.insert(account.clone(), changes[side].after);
            let new = numbers(&changes[side]);
            // To the last bit: what is the same stays untouched.
            let is_same = |kept: Change| kept.map(f64::to_bits) == new.map(f64::to_bits);
            if !old[side].is_some_and(is_same) {
                self.written.push((game.id.clone(), account.clone(), game.ended_at, new));
            }
        }
        Ok(Some(changes))
    }

    /// How somebody stands at this point of the recount.
    async fn stand(&mut self, conn: &mut Conn, account: &str) -> Result<Standing, StoreError> {
        if let Some(known) = self.standings.get(account) {
            return Ok(*known);
        }
        let before = standing_before(conn, self.pool, account, &self.start).await?;
        let standing = match (before, self.first.get(account)) {
            (Some(before), _) => before,
            // As the first counted game says: a member may have left or changed the claim since.
            (None, Some([rating, deviation, volatility, ..])) => {
                standing((*rating, *deviation, *volatility, *rating, 0, None))
            }
            (None, None) => self.system.newcomer(claimed(conn, account).await?),
        };
        self.standings.insert(account.to_owned(), standing);
        Ok(standing)
    }

    /// Makes the table of standings say what was counted. Who has no game that counts has no standing.
    async fn write_standings(&self, conn: &mut Conn) -> Result<(), StoreError> {
        let accounts: Vec<&str> = self.standings.keys().map(String::as_str).collect();
        let mut old = standing_rows(conn, self.pool, &accounts).await?;
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        for (account, new) in &self.standings {
            let row = old.remove(account);
            if new.games == 0 {
                gone.extend(row.map(|_| account.as_str()));
                continue;
            }
            let results = match row {
                Some((_, results)) if !self.corrected.contains(account) => results,
                _ => results_of(conn, self.pool, account).await?,
            };
            if row != Some((*new, results)) {
                changed.push((account.as_str(), *new, results));
            }
        }
        remove_standings(conn, self.pool, &gone).await?;
        write_standings(conn, self.pool, &changed).await
    }
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

/// A finished game with what it changed so far.
#[derive(sqlx::FromRow)]
struct GameRow {
    id: String,
    white_id: String,
    black_id: String,
    outcome: String,
    ended_at: i64,
    white_rating_before: Option<f64>,
    white_deviation_before: Option<f64>,
    white_volatility_before: Option<f64>,
    white_rating_after: Option<f64>,
    white_deviation_after: Option<f64>,
    white_volatility_after: Option<f64>,
    black_rating_before: Option<f64>,
    black_deviation_before: Option<f64>,
    black_volatility_before: Option<f64>,
    black_rating_after: Option<f64>,
    black_deviation_after: Option<f64>,
    black_volatility_after: Option<f64>,
}

impl GameRow {
    fn old(&self) -> ByColor<Option<Change>> {
        let whole = |numbers: [Option<f64>; 6]| -> Option<Change> {
            numbers.iter().all(Option::is_some).then(|| numbers.map(Option::unwrap_or_default))
        };
        ByColor {
            white: whole([
                self.white_rating_before,
                self.white_deviation_before,
                self.white_volatility_before,
                self.white_rating_after,
                self.white_deviation_after,
                self.white_volatility_after,
            ]),
            black: whole([
                self.black_rating_before,
                self.black_deviation_before,
                self.black_volatility_before,
                self.black_rating_after,
                self.black_deviation_after,
                self.black_volatility_after,
            ]),
        }
    }

    fn old_changes(&self) -> impl Iterator<Item = (String, Change)> + use<> {
        let ByColor { white, black } = self.old();
        let white = white.map(|change| (self.white_id.clone(), change));
        white.into_iter().chain(black.map(|change| (self.black_id.clone(), change)))
    }
}

/// The games of a pool from a place on, in the order in which they count.
async fn games_from(
    conn: &mut Conn,
    pool: &Pool,
    start: &PlaceInOrder,
) -> Result<Vec<GameRow>, StoreError> {
    const SQL: &str = "
        SELECT game.id, game.white_id, game.black_id, game.outcome, game.ended_at,
               white.rating_before AS white_rating_before, white.deviation_before AS white_deviation_before,
               white.volatility_before AS white_volatility_before, white.rating_after AS white_rating_after,
               white.deviation_after AS white_deviation_after, white.volatility_after AS white_volatility_after,
               black.rating_before AS black_rating_before, black.deviation_before AS black_deviation_before,
               black.volatility_before AS black_volatility_before, black.rating_after AS black_rating_after,
               black.deviation_after AS black_deviation_after, black.volatility_after AS black_volatility_after
        FROM game
        LEFT JOIN rating_change AS white ON white.game_id = game.id AND white.account_id = game.white_id
        LEFT JOIN rating_change AS black ON black.game_id = game.id AND black.account_id = game.black_id
        WHERE game.pool = $1 AND game.ended_at >= $2 AND game.rated = 1 AND game.state = 'finished'";
    let mut games: Vec<GameRow> = on_db!(conn, c => {
        sqlx::query_as(SQL).bind(pool.to_string()).bind(start.0).fetch_all(&mut *c).await?
    });
    // Here and below names are compared by us: databases have their own ideas of which letter comes first.
    games.retain(|game| (game.ended_at, &game.id) >= (start.0, &start.1));
    games.sort_unstable_by(|a, b| (a.ended_at, &a.id).cmp(&(b.ended_at, &b.id)));
    Ok(games)
}

type NumberRow = (String, f64, f64, f64, f64, f64, f64);

fn named(row: NumberRow) -> (String, Change) {
    (row.0, [row.1, row.2, row.3, row.4, row.5, row.6])
}

/// What a game changed so far, by account.
async fn changes_of(conn: &mut Conn, game: GameId) -> Result<Vec<(String, Change)>, StoreError> {
    const SQL: &str = "
        SELECT account_id, rating_before, deviation_before, volatility_before,
               rating_after, deviation_after, volatility_after
        FROM rating_change WHERE game_id = $1";
    let rows: Vec<NumberRow> =
        on_db!(conn, c => sqlx::query_as(SQL).bind(game.as_str()).fetch_all(&mut *c).await?);
    Ok(rows.into_iter().map(named).collect())
}

/// What the games that ended at one moment changed for somebody, by game.
async fn changes_at(
    conn: &mut Conn,
    pool: &Pool,
    account: &str,
    at: i64,
) -> Result<Vec<(String, Change)>, StoreError> {
    const SQL: &str = "
        SELECT game_id, rating_before, deviation_before, volatility_before,
               rating_after, deviation_after, volatility_after
        FROM rating_change WHERE account_id = $1 AND pool = $2 AND at = $3";
    let rows: Vec<NumberRow> = on_db!(conn, c => {
        sqlx::query_as(SQL).bind(account).bind(pool.to_string()).bind(at).fetch_all(&mut *c).await?
    });
    Ok(rows.into_iter().map(named).collect())
}

/// How somebody stood before a place in the order; none without a game before it.
async fn standing_before(
    conn: &mut Conn,
    pool: &Pool,
    account: &str,
    start: &PlaceInOrder,
) -> Result<Option<Standing>, StoreError> {
    const SQL: &str = "
        SELECT COUNT(*), MAX(at), MAX(rating_before), MAX(rating_after)
        FROM rating_change WHERE account_id = $1 AND pool = $2 AND at < $3";
    type Row = (i64, Option<i64>, Option<f64>, Option<f64>);
    let (mut games, mut last_at, highest_before, highest_after): Row = on_db!(&mut *conn, c => {
        sqlx::query_as(SQL)
            .bind(account)
            .bind(pool.to_string())
            .bind(start.0)
            .fetch_one(&mut *c)
            .await?
    });
    let mut peak = highest_before.into_iter().chain(highest_after).fold(f64::MIN, f64::max);
    let mut same_moment = changes_at(conn, pool, account, start.0).await?;
    same_moment.retain(|(game, _)| *game < start.1);
    let mut last = match last_at {
        Some(at) if same_moment.is_empty() => changes_at(conn, pool, account, at).await?,
        _ => Vec::new(),
    };
    for (_, [before, _, _, after, ..]) in &same_moment {
        peak = peak.max(*before).max(*after);
        games += 1;
        last_at = Some(start.0);
    }
    last.append(&mut same_moment);
    let last = last.into_iter().max_by(|a, b| a.0.cmp(&b.0));
    Ok(last.map(|(_, [.., rating, deviation, volatility])| {
        standing((rating, deviation, volatility, peak, games, last_at))
    }))
}

async fn claimed(conn: &mut Conn, account: &str) -> Result<Option<f64>, StoreError> {
    const SQL: &str = "SELECT initial_rating FROM player WHERE account_id = $1";
    let claimed: Option<(i64,)> =
        on_db!(conn, c => sqlx::query_as(SQL).bind(account).fetch_optional(&mut *c).await?);
    Ok(claimed.map(|(rating,)| exact(rating)))
}

async fn write_changes(conn: &mut Conn, pool: &Pool, rows: &[ChangeRow]) -> Result<(), StoreError> {
    const INSERT: &str = "
        INSERT INTO rating_change (game_id, account_id, pool, at, rating_before, deviation_before, volatility_before,
                                   rating_after, deviation_after, volatility_after) ";
    const UPDATE: &str = "
        ON CONFLICT (game_id, account_id) DO UPDATE SET
            rating_before = excluded.rating_before, deviation_before = excluded.deviation_before,
            volatility_before = excluded.volatility_before, rating_after = excluded.rating_after,
            deviation_after = excluded.deviation_after, volatility_after = excluded.volatility_after";
    let name = pool.to_string();
    for rows in rows.chunks(CHUNK) {
        on_db!(&mut *conn, c => {
            let mut query = QueryBuilder::new(INSERT);
            query.push_values(rows, |mut row, (game, account, at, change)| {
                row.push_bind(game).push_bind(account).push_bind(&name).push_bind(*at);
                for number in change {
                    row.push_bind(*number);
                }
            });
            query.push(UPDATE);
            query.build().persistent(rows.len() == CHUNK).execute(&mut *c).await?;
        });
    }
    Ok(())
}

async fn remove_changes(conn: &mut Conn, games: &[String]) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM rating_change WHERE game_id = $1";
    for game in games {
        on_db!(&mut *conn, c => {
            sqlx::query(SQL).bind(game).execute(&mut *c).await?;
        });
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct StandingRow {
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

/// The rows of these accounts as they are.
async fn standing_rows(
    conn: &mut Conn,
    pool: &Pool,
    accounts: &[&str],
) -> Result<HashMap<String, (Standing, Results)>, StoreError> {
    const SQL: &str = "
        SELECT account_id, rating, deviation, volatility, peak, games, last_game, wins, draws, losses
        FROM rating WHERE pool = ";
    let name = pool.to_string();
    let mut found = HashMap::new();
    for accounts in accounts.chunks(CHUNK) {
        let rows: Vec<StandingRow> = on_db!(&mut *conn, c => {
            let mut query = QueryBuilder::new(SQL);
            query.push_bind(&name).push(" AND account_id IN (");
            let mut list = query.separated(", ");
            for account in accounts {
                list.push_bind(*account);
            }
            query.push(")");
            query.build_query_as().persistent(false).fetch_all(&mut *c).await?
        });
        for row in rows {
            let columns: Columns =
                (row.rating, row.deviation, row.volatility, row.peak, row.games, row.last_game);
            let kept = (standing(columns), [row.wins, row.draws, row.losses]);
            found.insert(row.account_id, kept);
        }
    }
    Ok(found)
}

/// Somebody's wins, draws and losses that count in a pool.
async fn results_of(conn: &mut Conn, pool: &Pool, account: &str) -> Result<Results, StoreError> {
    // Nothing but the player is asked for: no other index shall tempt the database to walk through the whole pool.
    const WHITE: &str = "SELECT pool, rated, state, outcome FROM game WHERE white_id = $1";
    const BLACK: &str = "SELECT pool, rated, state, outcome FROM game WHERE black_id = $1";
    type Row = (Option<String>, i64, String, Option<String>);
    let name = pool.to_string();
    let mut results = [0; 3];
    for (sql, is_white) in [(WHITE, true), (BLACK, false)] {
        let rows: Vec<Row> =
            on_db!(&mut *conn, c => sqlx::query_as(sql).bind(account).fetch_all(&mut *c).await?);
        for (pool, rated, state, outcome) in rows {
            if pool.as_deref() != Some(&name) || rated != 1 || state != "finished" {
                continue;
            }
            let own = score(outcome.as_deref().unwrap_or_default())?
                .map(|score| if is_white { score } else { score.mirrored() });
            match own {
                Some(Score::WhiteWins) => results[0] += 1,
                Some(Score::Draw) => results[1] += 1,
                Some(Score::BlackWins) => results[2] += 1,
                None => {}
            }
        }
    }
    Ok(results)
}

/// Who has left the club has no standing.
async fn write_standings(
    conn: &mut Conn,
    pool: &Pool,
    rows: &[(&str, Standing, Results)],
) -> Result<(), StoreError> {
    const INSERT: &str = "
        INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses, last_game)
        SELECT new.column1, new.column2, new.column3, new.column4, new.column5, new.column6, new.column7, new.column8,
               new.column9, new.column10, new.column11
        FROM (";
    const UPDATE: &str = ") AS new
        JOIN account ON account.id = new.column1
        WHERE account.name <> 'Former member'
        ON CONFLICT (account_id, pool) DO UPDATE SET
            rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,
            peak = excluded.peak, games = excluded.games, last_game = excluded.last_game,
            wins = excluded.wins, draws = excluded.draws, losses = excluded.losses";
    let name = pool.to_string();
    for rows in rows.chunks(CHUNK) {
        on_db!(&mut *conn, c => {
            let mut query = QueryBuilder::new(INSERT);
            query.push_values(rows, |mut row, (account, standing, results)| {
                row.push_bind(*account)
                    .push_bind(&name)
                    .push_bind(standing.rating)
                    .push_bind(standing.deviation)
                    .push_bind(standing.volatility)
                    .push_bind(standing.peak)
                    .push_bind(i64::from(standing.games));
                for count in results {
                    row.push_bind(*count);
                }
                row.push_bind(standing.last_game.map(|at| at.0));
            });
            query.push(UPDATE);
            query.build().persistent(false).execute(&mut *c).await?;
        });
    }
    Ok(())
}

async fn remove_standings(
    conn: &mut Conn,
    pool: &Pool,
    accounts: &[&str],
) -> Result<(), StoreError> {
    const SQL: &str = "DELETE FROM rating WHERE account_id = $1 AND pool = $2";
    for account in accounts {
        on_db!(&mut *conn, c => {
            sqlx::query(SQL).bind(*account).bind(pool.to_string()).execute(&mut *c).await?;
        });
    }
    Ok(())
}
