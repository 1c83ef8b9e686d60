//! ChessDefender for one player: attempts at prepared positions, and the best of them.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::{on_db, write_one};
use crate::games::{NewGame, insert_game, parse_id};
use crate::{AccountId, GameId, Store, StoreError};

/// An attempt that begins.
#[derive(Debug, Clone)]
pub struct NewAttempt {
    /// The prepared position.
    pub position: String,
    /// Who tries.
    pub account: AccountId,
    /// The level of the bot.
    pub level: u8,
    /// The engine that plays for it.
    pub engine: String,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptResult {
    /// Whether the player won.
    pub is_won: bool,
    /// Points spent.
    pub points: u32,
    /// The player's moves of phase two.
    pub moves: u32,
    /// When it ended.
    pub at: UnixMillis,
}

/// An attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its game.
    pub game: GameId,
    /// The prepared position.
    pub position: String,
    /// Who tries.
    pub account: AccountId,
    /// The level of the bot.
    pub level: u8,
    /// The engine that plays for it.
    pub engine: String,
    /// How it ended; none while it runs.
    pub result: Option<AttemptResult>,
}

/// Somebody's best attempt at a position against one level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestAttempt {
    /// Its place among the best of all, from 1.
    pub rank: u32,
    /// Its game.
    pub game: GameId,
    /// Whose.
    pub player: Account,
    /// Against which level.
    pub level: u8,
    /// Points spent.
    pub points: u32,
    /// Moves of phase two.
    pub moves: u32,
    /// When.
    pub at: UnixMillis,
}

type BestRow = (i64, String, String, String, String, i64, i64, i64, i64);

fn small(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(0)
}

fn level(value: i64) -> u8 {
    u8::try_from(value).unwrap_or(0)
}

impl Store {
    /// Begins the game of an attempt.
    pub async fn begin_attempt(
        &self,
        game: NewGame,
        attempt: NewAttempt,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO defender_attempt (game_id, position_id, account_id, level, engine, state)
            VALUES ($1, $2, $3, $4, $5, 'running')";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    insert_game(conn, &game).await?;
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(game.id.as_str())
                            .bind(attempt.position)
                            .bind(attempt.account.as_str())
                            .bind(i64::from(attempt.level))
                            .bind(attempt.engine)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Enters how an attempt ended, or how an arbiter has corrected it. Doing it twice changes nothing; a game that is no
    /// attempt is passed over.
    pub async fn settle_attempt(
        &self,
        game: GameId,
        result: AttemptResult,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE defender_attempt SET state = $2, points = $3, moves = $4, ended_at = $5
            WHERE game_id = $1";
        let state = if result.is_won { "won" } else { "lost" };
        write_one!(
            self,
            SQL,
            game.as_str(),
            state,
            i64::from(result.points),
            i64::from(result.moves),
            result.at.0,
        )
        .map(drop)
    }

    /// Notes that another engine than the expected one has played in an attempt.
    pub async fn change_attempt_engine(
        &self,
        game: GameId,
        engine: String,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE defender_attempt SET engine = $2
            WHERE game_id = $1 AND state = 'running' AND engine <> $2";
        write_one!(self, SQL, game.as_str(), engine).map(drop)
    }

    /// The engines that were beaten at a position on this level, the last one first.
    pub async fn beaten_engines(
        &self,
        position: &str,
        level: u8,
    ) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "
            SELECT attempt.engine FROM defender_attempt AS attempt JOIN account ON account.id = attempt.account_id
            WHERE attempt.position_id = $1 AND attempt.level = $2 AND attempt.state = 'won' AND attempt.points > 0
              AND account.kind = 'player'
            GROUP BY attempt.engine ORDER BY MAX(attempt.ended_at) DESC, attempt.engine";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(position).bind(i64::from(level)).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|(engine,)| engine).collect())
    }

    /// Attempts whose games are over but whose results were not entered before a stop.
    pub async fn unsettled_attempts(&self) -> Result<Vec<GameId>, StoreError> {
        const SQL: &str = "
            SELECT game.id FROM defender_attempt AS attempt JOIN game ON game.id = attempt.game_id
            WHERE attempt.state = 'running' AND game.state = 'finished'";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).fetch_all(pool).await?
        });
        rows.into_iter().map(|(id,)| parse_id(&id)).collect()
    }

    /// The attempt of a game; `NotFound` if it is none.
    pub async fn load_attempt(&self, game: GameId) -> Result<Attempt, StoreError> {
        const SQL: &str = "
            SELECT position_id, account_id, level, engine, state, points, moves, ended_at
            FROM defender_attempt WHERE game_id = $1";
        type Row = (String, String, i64, String, String, Option<i64>, Option<i64>, Option<i64>);
        let row: Row = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).fetch_one(pool).await?
        });
        let (position, account, level_column, engine, state, points, moves, ended_at) = row;
        let result = ended_at.map(|at| AttemptResult {
            is_won: state == "won",
            points: small(points.unwrap_or(0)),
            moves: small(moves.unwrap_or(0)),
            at: UnixMillis(at),
        });
        let (account, level) = (parse_id(&account)?, level(level_column));
        Ok(Attempt { game, position, account, level, engine, result })
    }

    /// The best attempt of every member at a position against this level of this engine, fewest points first.
    ///
    /// A win against a beginner is no better than one against a master, and a win against one engine tells nothing of
    /// another, so neither are mixed. An attempt without points is allowed but not entered.
    pub async fn best_attempts(
        &self,
        position: &str,
        level: u8,
        engine: &str,
        limit: u32,
    ) -> Result<Vec<BestAttempt>, StoreError> {
        self.ranked_attempts(position, level, engine, None, limit).await
    }

    /// The best attempt of one member at a position against this level of this engine, with its place among all.
    pub async fn best_attempt_of(
        &self,
        position: &str,
        level: u8,
        engine: &str,
        account: AccountId,
    ) -> Result<Option<BestAttempt>, StoreError> {
        Ok(self.ranked_attempts(position, level, engine, Some(account), 1).await?.pop())
    }

    async fn ranked_attempts(
        &self,
        position: &str,
        level: u8,
        engine: &str,
        account: Option<AccountId>,
        limit: u32,
    ) -> Result<Vec<BestAttempt>, StoreError> {
        const SQL: &str = "
            SELECT standing, game_id, account_id, kind, name, level, points, moves, ended_at
            FROM (
                SELECT game_id, account_id, kind, name, level, points, moves, ended_at,
                       ROW_NUMBER() OVER (ORDER BY points, moves, ended_at, game_id) AS standing
                FROM (
                    SELECT attempt.game_id, attempt.account_id, account.kind, account.name, attempt.level,
                           attempt.points, attempt.moves, attempt.ended_at,
                           ROW_NUMBER() OVER (
                               PARTITION BY attempt.account_id
                               ORDER BY attempt.points, attempt.moves, attempt.ended_at, attempt.game_id
                           ) AS place
                    FROM defender_attempt AS attempt JOIN account ON account.id = attempt.account_id
                    WHERE attempt.position_id = $1 AND attempt.state = 'won' AND attempt.points > 0
                      AND account.kind = 'player' AND attempt.level = $2 AND attempt.engine = $5
                ) AS own
                WHERE place = 1
            ) AS ranked
            WHERE $3 = '' OR account_id = $3
            ORDER BY standing
            LIMIT $4";
        let rows: Vec<BestRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(position)
                .bind(i64::from(level))
                .bind(account.map(|account| account.to_string()).unwrap_or_default())
                .bind(i64::from(limit))
                .bind(engine)
                .fetch_all(pool)
                .await?
        });
        rows.into_iter().map(best).collect()
    }
}

fn best(row: BestRow) -> Result<BestAttempt, StoreError> {
    let (rank, game, account, kind, name, level_column, points, moves, at) = row;
    Ok(BestAttempt {
        rank: small(rank),
        game: parse_id(&game)?,
        player: Account::from_columns(&account, &kind, name)?,
        level: level(level_column),
        points: small(points),
        moves: small(moves),
        at: UnixMillis(at),
    })
}
