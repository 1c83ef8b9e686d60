//! Hands for tests that must bring about what the public face never does. Compiled for tests only.

use ratings::{Pool, System};
use rules::UnixMillis;

use crate::db::{Conn, on_db, write_one};
use crate::error::from_code;
use crate::folding;
use crate::migrate::run_missing;
use crate::recount::{recount, recount_whole};
use crate::{AccountId, GameId, Place, PoolStanding, Store, StoreError};

impl Store {
    /// Lets the file of the embedded database grow to this many pages only, like a disk that is full.
    pub async fn limit_pages_for_test(&self, pages: u32) -> Result<(), StoreError> {
        let sql = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    if let Conn::Sqlite(c) = conn {
                        sqlx::query(sql).execute(&mut *c).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Keeps the next commit that brings games to the library, and says that nobody knows whether it did.
    pub fn lose_next_answer_for_test(&self) {
        self.known.loses_answer.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// A unit of writes that writes a setting, and then finds a fault of ours.
    pub async fn panic_for_test(&self) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO setting (key, value) VALUES ('half', 'done')";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL).execute(&mut *c).await?;
                    });
                    panic!("a test lets this write fail")
                })
            })
            .await
    }

    /// A unit of writes in which a sync fails, as SQLite says it.
    pub async fn fail_to_sync_for_test(&self) -> Result<(), StoreError> {
        let failed = || from_code(Some("1034"), "disk I/O error");
        self.writer.run(move |_| Box::pin(async move { Err(failed()) })).await
    }

    /// Runs a statement as it is: whether the schema itself lets something be written.
    pub async fn run_for_test(&self, sql: String) -> Result<(), StoreError> {
        let sql = sqlx::AssertSqlSafe(sql);
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(sql).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Folds a game while something else happens between the reading and the writing. Gives whether it was written.
    pub async fn fold_game_for_test(
        &self,
        game: GameId,
        meanwhile: impl Future<Output = ()>,
    ) -> Result<bool, StoreError> {
        let folded = folding::prepare(vec![game], &self.readers, &self.writer).await?;
        meanwhile.await;
        Ok(self.writer.fold(folded).await?.is_empty())
    }

    /// Up to which version a game's log is in its row.
    pub async fn folded_version_for_test(&self, game: GameId) -> Result<usize, StoreError> {
        let (version,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as("SELECT log_version FROM game WHERE id = $1").bind(game.as_str()).fetch_one(pool).await?
        });
        usize::try_from(version).map_err(|_| StoreError::Damaged(format!("version {version}")))
    }

    /// Notes a schema that this program does not know.
    pub async fn note_schema_for_test(&self, number: i64) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query("INSERT INTO schema_migration (number, name) VALUES ($1, 'future')")
                            .bind(number)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Gives somebody a standing without any game.
    pub async fn set_standing_for_test(
        &self,
        account: AccountId,
        standing: PoolStanding,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses,
                                last_game)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        write_one!(
            self,
            SQL,
            account.as_str(),
            standing.pool,
            standing.rating,
            standing.deviation,
            standing.volatility,
            standing.peak,
            standing.games,
            standing.wins,
            standing.draws,
            standing.losses,
            standing.last_game,
        )
        .map(drop)
    }

    /// Notes what a game did to a rating, and what its opening is called.
    pub async fn note_rating_change_for_test(
        &self,
        game: GameId,
        account: AccountId,
        pool: &'static str,
        at: UnixMillis,
        (before, after): (f64, f64),
    ) -> Result<(), StoreError> {
        const CHANGE: &str = "
            INSERT INTO rating_change (game_id, account_id, pool, at, rating_before, deviation_before,
                volatility_before, rating_after, deviation_after, volatility_after)
            VALUES ($1, $2, $3, $4, $5, 60, 0.06, $6, 60, 0.06)";
        const OPENING: &str =
            "UPDATE game SET opening = 'A00 Barnes Opening: Fool''s Mate' WHERE id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(CHANGE)
                            .bind(game.as_str())
                            .bind(account.as_str())
                            .bind(pool)
                            .bind(at.0)
                            .bind(before)
                            .bind(after)
                            .execute(&mut *c)
                            .await?;
                        sqlx::query(OPENING).bind(game.as_str()).execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Notes a long row of changes, a millisecond apart from 1 on, each with a game of its own.
    pub async fn fill_chart_for_test(
        &self,
        account: AccountId,
        opponent: AccountId,
        pool: &'static str,
        length: i64,
    ) -> Result<(), StoreError> {
        const GAME: &str = "
            INSERT INTO game (id, setup, white_id, black_id, state, position, ply, created_at, log_version)
            VALUES ($1, '{}', $2, $3, 'running', '', 0, $4, 0)";
        const CHANGE: &str = "
            INSERT INTO rating_change (game_id, account_id, pool, at, rating_before, deviation_before,
                volatility_before, rating_after, deviation_after, volatility_after)
            VALUES ($1, $2, $3, $4, 1500, 60, 0.06, 1500, 60, 0.06)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    for at in 1..=length {
                        let game = format!("{at:08}");
                        on_db!(&mut *conn, c => {
                            sqlx::query(GAME)
                                .bind(&game)
                                .bind(account.as_str())
                                .bind(opponent.as_str())
                                .bind(at)
                                .execute(&mut *c)
                                .await?;
                            sqlx::query(CHANGE)
                                .bind(&game)
                                .bind(account.as_str())
                                .bind(pool)
                                .bind(at)
                                .execute(&mut *c)
                                .await?;
                        });
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Writes so many finished games of a pool, a minute apart, in which these play each other in turn. They are not
    /// counted yet.
    pub async fn fill_pool_for_test(
        &self,
        pool: Pool,
        players: Vec<AccountId>,
        games: u64,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO game (id, setup, white_id, black_id, state, outcome, position, ply, created_at, ended_at,
                              rated, pool, log_version)
            VALUES ($1, '{}', $2, $3, 'finished', $4, '', 0, 0, $5, 1, $6, 0)";
        const OUTCOMES: [&str; 3] = [
            r#"{"kind":"win","winner":"white","by":"resign"}"#,
            r#"{"kind":"draw","by":"agreement"}"#,
            r#"{"kind":"win","winner":"black","by":"mate"}"#,
        ];
        let (name, count) = (pool.to_string(), players.len());
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    for (number, turn) in (0..games).zip(0_usize..) {
                        let (white, black) =
                            (turn % count, (turn + 1 + turn / count % (count - 1)) % count);
                        on_db!(&mut *conn, c => {
                            sqlx::query(SQL)
                                .bind(GameId::from_bits(number).as_str())
                                .bind(players[white].as_str())
                                .bind(players[black].as_str())
                                .bind(OUTCOMES[turn * 7 / 3 % 3])
                                .bind(i64::try_from(number).unwrap_or_default() * 60_000)
                                .bind(&name)
                                .execute(&mut *c)
                                .await?;
                        });
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Gives a finished game another outcome, and says nothing to anybody.
    pub async fn set_outcome_for_test(
        &self,
        game: GameId,
        outcome: rules::Outcome,
    ) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE game SET outcome = $2 WHERE id = $1";
        write_one!(self, SQL, game.as_str(), serde_json::to_string(&outcome)?).map(drop)
    }

    /// Counts the games of a pool again, from one on or all of them.
    pub async fn recount_for_test(
        &self,
        pool: Pool,
        system: System,
        from: Option<GameId>,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    match from {
                        Some(game) => recount(conn, &pool, &system, game).await.map(drop),
                        None => recount_whole(conn, &pool, &system).await,
                    }
                })
            })
            .await
    }

    /// Makes an empty database of an older schema.
    pub async fn make_older_for_test(place: &Place, schema: i64) -> Result<(), StoreError> {
        let mut conn = place.connect_writer().await?;
        run_missing(&mut conn, 0, schema).await
    }

    /// Gives somebody a rating, as if games had been played.
    pub async fn set_rating_for_test(
        &self,
        account: AccountId,
        pool: &'static str,
        rating: f64,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses)
            VALUES ($1, $2, $3, 60, 0.06, $3, 30, 10, 10, 10)";
        write_one!(self, SQL, account.as_str(), pool, rating).map(drop)
    }

    /// Lets somebody mute another.
    pub async fn mute_for_test(
        &self,
        account: AccountId,
        muted: AccountId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO mute (account_id, muted_id, at) VALUES ($1, $2, 0)";
        write_one!(self, SQL, account.as_str(), muted.as_str()).map(drop)
    }
}
