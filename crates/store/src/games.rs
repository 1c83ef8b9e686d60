//! Games: their rows, their logs, what a start needs to go on with the running ones.

use std::collections::HashMap;

use rules::{ByColor, Color, Event, Outcome, Ply, Setup, UnixMillis};
use sqlx::AssertSqlSafe;

use crate::accounts::Account;
use crate::db::{Conn, Pool, on_db};
use crate::journal::{self, Append};
use crate::{AccountId, GameId, NewDecision, RatedGame, RatingChange, Store, StoreError, log};

/// A game that begins.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Its name, the same as its challenge's.
    pub id: GameId,
    /// Everything about it that never changes.
    pub setup: Setup,
    /// Who plays.
    pub players: ByColor<AccountId>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The pool it belongs to.
    pub pool: Option<String>,
    /// How strong both are thought to be in that pool.
    pub ratings: ByColor<Option<i64>>,
    /// Whether that is still uncertain.
    pub provisional: ByColor<bool>,
    /// Whether only its players and arbiters see it.
    pub private: bool,
    /// The position it begins with.
    pub position: String,
    /// When it begins.
    pub created_at: UnixMillis,
}

/// What a game's row says besides its log: for lists, searches and people who look into the database.
#[derive(Debug, Clone)]
pub struct Summary {
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
    /// The position now.
    pub position: String,
    /// The number of plies.
    pub ply: Ply,
    /// When it ended.
    pub ended_at: Option<UnixMillis>,
    /// The opening, as far as it has a name.
    pub opening: Option<String>,
    /// How it counts, if it does.
    pub rated: Option<Box<RatedGame>>,
    /// The arbiter's decision that brought this about.
    pub decision: Option<Box<NewDecision>>,
}

/// What came of an append besides the events.
#[derive(Debug, Clone, Default)]
pub struct Appended {
    /// What the end of a rated game changed.
    pub ratings: Option<Box<ByColor<RatingChange>>>,
}

/// A game as it is stored: enough to rebuild it.
#[derive(Debug, Clone)]
pub struct StoredGame {
    /// Its name.
    pub id: GameId,
    /// Everything about it that never changes.
    pub setup: Setup,
    /// Who plays.
    pub players: ByColor<Account>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The pool it belongs to.
    pub pool: Option<String>,
    /// How strong both were thought to be when it began.
    pub ratings: ByColor<Option<i64>>,
    /// Whether that was still uncertain.
    pub provisional: ByColor<bool>,
    /// Whether only its players and arbiters see it.
    pub private: bool,
    /// Who makes the moves of both sides, if it is played at one computer.
    pub host: Option<AccountId>,
    /// When it began.
    pub created_at: UnixMillis,
    /// All events of its log, in order.
    pub events: Vec<Event>,
}

/// The columns of a game's row that rebuild it.
#[derive(sqlx::FromRow)]
struct GameRow {
    id: String,
    setup: String,
    white_id: String,
    white_kind: String,
    white_name: String,
    black_id: String,
    black_kind: String,
    black_name: String,
    rated: i64,
    pool: Option<String>,
    white_rating: Option<i64>,
    black_rating: Option<i64>,
    white_provisional: i64,
    black_provisional: i64,
    private: i64,
    host_id: Option<String>,
    created_at: i64,
    log: Option<Vec<u8>>,
    log_version: i64,
}

/// Reads [`GameRow`]s; a condition follows.
macro_rules! select_games {
    ($condition:literal) => {
        concat!(
            "
            SELECT game.id, game.setup,
                   white.id AS white_id, white.kind AS white_kind, white.name AS white_name,
                   black.id AS black_id, black.kind AS black_kind, black.name AS black_name,
                   game.rated, game.pool, game.white_rating, game.black_rating,
                   game.white_provisional, game.black_provisional, game.private,
                   one_computer.host_id, game.created_at, game.log, game.log_version
            FROM game
            JOIN account AS white ON white.id = game.white_id
            JOIN account AS black ON black.id = game.black_id
            LEFT JOIN one_computer ON one_computer.game_id = game.id
            WHERE ",
            $condition
        )
    };
}

impl Store {
    /// Adds events to a game's log; `summary` where the game's row changes. The write is on its way when this
    /// returns, and durable when the future it gives says so.
    pub fn append_events(
        &self,
        game: GameId,
        first_version: u32,
        events: &[Event],
        summary: Option<Summary>,
    ) -> impl Future<Output = Result<Appended, StoreError>> + Send + use<> {
        let goes_back = events.iter().any(|event| matches!(event, Event::TakenBack { .. }));
        let events: Result<_, _> = events.iter().map(serde_json::to_string).collect();
        let writing = events.map(|events| {
            self.writer.append(Append { game, first_version, events, summary, goes_back })
        });
        async move { writing?.await }
    }

    /// Moves the tail of a quiet or finished game into its row, and waits for it.
    pub async fn fold_game(&self, game: GameId) -> Result<(), StoreError> {
        self.folding.wait(game).await
    }

    /// The same, some time soon: housekeeping that nobody waits for.
    pub fn fold_soon(&self, game: GameId) {
        self.folding.ask(game);
    }

    /// Reads one game.
    pub async fn load_game(&self, id: GameId) -> Result<StoredGame, StoreError> {
        const SQL: &str = select_games!("game.id = $1");
        // First the tail, then the row: a fold in between shows the events twice, never not at all.
        let tail = self.writer.read_tail(id).await?;
        let row: GameRow = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_one(pool).await?
        });
        stored_game(row, tail)
    }

    /// Reads all running games, the journal once and in order. For the start. One that cannot be read is an error of its
    /// own, which names it, and does not hide the others.
    pub async fn load_running_games(
        &self,
    ) -> Result<Vec<Result<StoredGame, StoreError>>, StoreError> {
        const GAMES: &str = select_games!("game.state = 'running'");
        const LINE: &str = "game_id || ' ' || version || ' ' || body";
        let rows: Vec<GameRow> =
            on_db!(&*self.readers, pool => sqlx::query_as(GAMES).fetch_all(pool).await?);
        let ends = journal::ends(&self.readers).await?;
        let mut tails: HashMap<String, Vec<(u32, String)>> = HashMap::new();
        for page in journal::read_pages(&self.readers, LINE, ends).await? {
            for line in page.lines() {
                let [game, version, body] = journal::words(line)?;
                let body = (journal::number(version)?, body.to_owned());
                match tails.get_mut(game) {
                    Some(tail) => tail.push(body),
                    None => drop(tails.insert(game.to_owned(), vec![body])),
                }
            }
        }
        let stored = rows.into_iter().map(|row| {
            let tail = tails.remove(&row.id).unwrap_or_default();
            stored_game(row, tail)
        });
        Ok(stored.collect())
    }
}

/// How much of a game's log is in its row.
pub(crate) struct FoldedSoFar {
    pub(crate) game: GameId,
    pub(crate) version: u32,
    pub(crate) is_finished: bool,
}

/// Reads how much of the logs of these games is in their rows.
pub(crate) async fn folded_so_far(
    readers: &Pool,
    games: Vec<GameId>,
) -> Result<Vec<FoldedSoFar>, StoreError> {
    let mut found = Vec::with_capacity(games.len());
    for games in games.chunks(journal::CHUNK) {
        let mut sql = "SELECT id, log_version, state FROM game WHERE id IN (".to_owned();
        journal::push_parameters(&mut sql, matches!(readers, Pool::Postgres(_)), 1..=games.len());
        sql.push(')');
        let rows: Vec<(String, i64, String)> = on_db!(readers, pool => {
            let mut query = sqlx::query_as(AssertSqlSafe(sql));
            for game in games {
                query = query.bind(game.as_str());
            }
            query.fetch_all(pool).await?
        });
        for (id, version, state) in rows {
            let (game, version) = (parse_id(&id)?, log::version(version)?);
            found.push(FoldedSoFar { game, version, is_finished: state == "finished" });
        }
    }
    Ok(found)
}

/// A game with what its row says of its result and position, for a look through everything.
type CheckedGame = (Result<StoredGame, StoreError>, Result<Option<Outcome>, StoreError>, String);

/// Reads every game there is. A damaged one is an error of its own and does not hide the others.
pub(crate) async fn all_games(conn: &mut Conn) -> Result<Vec<CheckedGame>, StoreError> {
    // Backups of older schemas are looked through too: only columns that were always there.
    const GAMES: &str = "
        SELECT game.id, game.setup,
               white.id AS white_id, white.kind AS white_kind, white.name AS white_name,
               black.id AS black_id, black.kind AS black_kind, black.name AS black_name,
               CAST(0 AS BIGINT) AS rated, CAST(NULL AS TEXT) AS pool,
               CAST(NULL AS BIGINT) AS white_rating, CAST(NULL AS BIGINT) AS black_rating,
               CAST(0 AS BIGINT) AS white_provisional, CAST(0 AS BIGINT) AS black_provisional,
               CAST(0 AS BIGINT) AS private, CAST(NULL AS TEXT) AS host_id,
               game.created_at, game.log, game.log_version
        FROM game
        JOIN account AS white ON white.id = game.white_id
        JOIN account AS black ON black.id = game.black_id
        ORDER BY game.created_at, game.id";
    const SUMMARIES: &str = "SELECT id, outcome, position FROM game";
    const JOURNAL: &str = "SELECT game_id, version, body FROM journal ORDER BY seq";
    let rows: Vec<GameRow> =
        on_db!(&mut *conn, c => sqlx::query_as(GAMES).fetch_all(&mut *c).await?);
    let summaries: Vec<(String, Option<String>, String)> =
        on_db!(&mut *conn, c => sqlx::query_as(SUMMARIES).fetch_all(&mut *c).await?);
    let lines: Vec<(String, i64, String)> =
        on_db!(&mut *conn, c => sqlx::query_as(JOURNAL).fetch_all(&mut *c).await?);
    let mut tails = tails_of(lines)?;
    let mut summaries: HashMap<_, _> =
        summaries.into_iter().map(|(id, outcome, at)| (id, (outcome, at))).collect();
    Ok(rows
        .into_iter()
        .map(|row| {
            let tail = tails.remove(&row.id).unwrap_or_default();
            let (outcome, position) = summaries.remove(&row.id).unwrap_or_default();
            let outcome = outcome
                .map(|text| serde_json::from_str(&text))
                .transpose()
                .map_err(StoreError::from);
            (stored_game(row, tail), outcome, position)
        })
        .collect())
}

/// Sorts the journal's lines by game, keeping their order.
fn tails_of(
    lines: Vec<(String, i64, String)>,
) -> Result<HashMap<String, Vec<(u32, String)>>, StoreError> {
    let mut tails: HashMap<String, Vec<(u32, String)>> = HashMap::new();
    for (game, version, body) in lines {
        tails.entry(game).or_default().push((log::version(version)?, body));
    }
    Ok(tails)
}

pub(crate) async fn insert_game(conn: &mut Conn, game: &NewGame) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO game (id, setup, white_id, black_id, state, rated, pool, white_rating, black_rating,
                          position, ply, created_at, log_version, private, white_provisional, black_provisional)
        VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8, $9, 0, $10, 0, $11, $12, $13)";
    let setup = serde_json::to_string(&game.setup)?;
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(game.id.as_str())
            .bind(setup)
            .bind(game.players[Color::White].as_str())
            .bind(game.players[Color::Black].as_str())
            .bind(i64::from(game.rated))
            .bind(&game.pool)
            .bind(game.ratings[Color::White])
            .bind(game.ratings[Color::Black])
            .bind(&game.position)
            .bind(game.created_at.0)
            .bind(i64::from(game.private))
            .bind(i64::from(game.provisional[Color::White]))
            .bind(i64::from(game.provisional[Color::Black]))
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

/// A game as it is stored. What cannot be read is an error that names the game.
fn stored_game(row: GameRow, tail: Vec<(u32, String)>) -> Result<StoredGame, StoreError> {
    let name = row.id.clone();
    read_game(row, tail).map_err(|error| match error {
        StoreError::Damaged(what) => StoreError::Damaged(format!("game {name}: {what}")),
        other => other,
    })
}

fn read_game(row: GameRow, tail: Vec<(u32, String)>) -> Result<StoredGame, StoreError> {
    let id = parse_id(&row.id)?;
    let folded = row.log_version;
    let tail: Vec<_> =
        tail.into_iter().filter(|(version, _)| i64::from(*version) > folded).collect();
    log::check_continues(folded, tail.iter().map(|(version, _)| *version))?;
    let folded = log::unpack(row.log.as_deref())?;
    let texts = folded.iter().chain(tail.iter().map(|(_, body)| body));
    let events = texts.map(|text| serde_json::from_str(text)).collect::<Result<_, _>>()?;
    Ok(StoredGame {
        id,
        setup: serde_json::from_str(&row.setup)?,
        players: ByColor {
            white: Account::from_columns(&row.white_id, &row.white_kind, row.white_name)?,
            black: Account::from_columns(&row.black_id, &row.black_kind, row.black_name)?,
        },
        rated: row.rated != 0,
        pool: row.pool,
        ratings: ByColor { white: row.white_rating, black: row.black_rating },
        provisional: ByColor {
            white: row.white_provisional != 0,
            black: row.black_provisional != 0,
        },
        private: row.private != 0,
        host: row.host_id.as_deref().map(parse_id).transpose()?,
        created_at: UnixMillis(row.created_at),
        events,
    })
}

pub(crate) fn parse_id<T: std::str::FromStr>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Damaged(format!("{text:?} is no id")))
}
