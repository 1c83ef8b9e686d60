//! Games of two people at one computer, and the PIN by which a member confirms to sit there.

use rules::UnixMillis;

use crate::accounts::Account;
use crate::db::{on_db, write_one};
use crate::games::insert_game;
use crate::{AccountId, NewGame, Store, StoreError};

/// How somebody's PIN is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinState {
    /// There is none.
    Unset,
    /// It can be used.
    Ready,
    /// It was wrong too often: only the password helps.
    Locked,
}

/// Wrong tries until a PIN is locked, as the schema has it.
const MOST_TRIES: i64 = 5;

impl Store {
    /// Begins a game that is played at one computer, with the people who have a name there and no account.
    pub async fn begin_at_one_computer(
        &self,
        game: NewGame,
        host: AccountId,
        guests: Vec<Account>,
    ) -> Result<(), StoreError> {
        const GUEST: &str =
            "INSERT INTO account (id, kind, name, created_at) VALUES ($1, 'guest', $2, $3)";
        const TABLE: &str = "INSERT INTO one_computer (game_id, host_id) VALUES ($1, $2)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    for guest in guests {
                        on_db!(&mut *conn, c => {
                            sqlx::query(GUEST)
                                .bind(guest.id.as_str())
                                .bind(guest.name)
                                .bind(game.created_at.0)
                                .execute(&mut *c)
                                .await?;
                        });
                    }
                    insert_game(conn, &game).await?;
                    on_db!(conn, c => {
                        sqlx::query(TABLE)
                            .bind(game.id.as_str())
                            .bind(host.as_str())
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// How many games run at somebody's computer.
    pub async fn count_at_one_computer(&self, host: AccountId) -> Result<i64, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*) FROM one_computer JOIN game ON game.id = one_computer.game_id
            WHERE one_computer.host_id = $1 AND game.state = 'running'";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(host.as_str()).fetch_one(pool).await?
        });
        Ok(count)
    }

    /// Sets somebody's PIN, in PHC form, or removes it.
    pub async fn set_pin(
        &self,
        account: AccountId,
        hash: Option<String>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SET: &str = "
            INSERT INTO pin (account_id, hash, tries, set_at) VALUES ($1, $2, 0, $3)
            ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, tries = 0, set_at = excluded.set_at";
        const REMOVE: &str = "DELETE FROM pin WHERE account_id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        let query = match hash {
                            Some(hash) => sqlx::query(SET).bind(account.as_str()).bind(hash).bind(now.0),
                            None => sqlx::query(REMOVE).bind(account.as_str()),
                        };
                        query.execute(&mut *c).await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// How somebody's PIN is.
    pub async fn pin_state(&self, account: AccountId) -> Result<PinState, StoreError> {
        const SQL: &str = "SELECT tries FROM pin WHERE account_id = $1";
        let row: Option<(i64,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_optional(pool).await?
        });
        Ok(match row {
            None => PinState::Unset,
            Some((tries,)) if tries < MOST_TRIES => PinState::Ready,
            Some(_) => PinState::Locked,
        })
    }

    /// Takes one of the tries somebody's PIN has, durable when it returns, and gives what the PIN is compared with; none
    /// if there is no PIN or no try left. Of many guesses at once each takes its own.
    pub async fn try_pin(&self, account: AccountId) -> Result<Option<String>, StoreError> {
        const SQL: &str = "
            UPDATE pin SET tries = tries + 1 WHERE account_id = $1 AND tries < $2 RETURNING hash";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let row: Option<(String,)> = on_db!(conn, c => {
                        sqlx::query_as(SQL)
                            .bind(account.as_str())
                            .bind(MOST_TRIES)
                            .fetch_optional(&mut *c)
                            .await?
                    });
                    Ok(row.map(|(hash,)| hash))
                })
            })
            .await
    }

    /// Gives somebody's PIN all its tries again: its owner has proved to be there.
    pub async fn forgive_pin(&self, account: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "UPDATE pin SET tries = 0 WHERE account_id = $1 AND tries > 0";
        write_one!(self, SQL, account.as_str()).map(drop)
    }
}
