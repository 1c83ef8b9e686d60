//! What is left to do in the library when somebody has left or has another name: many games, some at a time, so that
//! no move of anybody waits behind them.

use sqlx::AssertSqlSafe;

use crate::bundles;
use crate::db::{Conn, on_db};
use crate::library::take_numbers;
use crate::{AccountId, LibraryNumber, Store, StoreError};

/// Games of one commit that get new numbers or go: some milliseconds.
pub(crate) const AT_ONCE: i64 = 256;

/// A part of what was left to do: the index has to do it too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tidied {
    /// Numbers that are no games any more.
    pub gone: Vec<LibraryNumber>,
    /// Numbers that are games now.
    pub fresh: Vec<LibraryNumber>,
    /// Whether there may be more to do.
    pub is_more: bool,
}

/// The games of these accounts at services are known under names they do not have any more.
pub(crate) const NOTE_RENAMED: &str = "
    INSERT INTO library_renamed (service_account_id, up_to)
    SELECT service_account.id, library_number.next - 1 FROM service_account, library_number
    WHERE service_account.account_id = $1 AND (service_account.service_id = 'here' OR $2 = 1)
    ON CONFLICT (service_account_id) DO UPDATE SET up_to = excluded.up_to";

impl Store {
    /// Does a part of what is left to do. Whoever has an index asks until there is no more.
    pub async fn tidy_library(&self) -> Result<Tidied, StoreError> {
        const RENAMED: &str = "
            SELECT service_account_id, up_to FROM library_renamed ORDER BY service_account_id LIMIT 1";
        const LEFT: &str = "SELECT account_id FROM library_left ORDER BY account_id LIMIT 1";
        let (renamed, left): (Option<(i64, i64)>, Option<(String,)>) = on_db!(&*self.readers, pool => {
            let renamed = sqlx::query_as(RENAMED).fetch_optional(pool).await?;
            (renamed, sqlx::query_as(LEFT).fetch_optional(pool).await?)
        });
        if let Some((account, up_to)) = renamed {
            return self.writer.run(move |conn| Box::pin(renumber(conn, account, up_to))).await;
        }
        let Some((account,)) = left else { return Ok(Tidied::default()) };
        let account = crate::games::parse_id(&account)?;
        let done = self.writer.run(move |conn| Box::pin(clear(conn, account))).await;
        self.known.forget();
        done
    }
}

/// Gives some games of an account at a service new numbers.
async fn renumber(conn: &mut Conn, account: i64, up_to: i64) -> Result<Tidied, StoreError> {
    const GAMES: &str = "
        SELECT seq FROM library_game
        WHERE (white_account_id = $1 OR black_account_id = $1) AND seq <= $2 ORDER BY seq LIMIT $3";
    const DONE: &str = "DELETE FROM library_renamed WHERE service_account_id = $1 AND up_to = $2";
    let rows: Vec<(i64,)> = on_db!(&mut *conn, c => {
        sqlx::query_as(GAMES).bind(account).bind(up_to).bind(AT_ONCE).fetch_all(&mut *c).await?
    });
    if rows.is_empty() {
        on_db!(conn, c => {
            sqlx::query(DONE).bind(account).bind(up_to).execute(&mut *c).await?;
        });
        return Ok(Tidied { is_more: true, ..Tidied::default() });
    }
    let gone: Vec<LibraryNumber> = rows.into_iter().map(|(seq,)| LibraryNumber(seq)).collect();
    let fresh = give_new_numbers(conn, &gone).await?;
    Ok(Tidied { gone, fresh, is_more: true })
}

/// Gives games new numbers, in their order. A report stands by the number of its game; it can be asked for again.
pub(crate) async fn give_new_numbers(
    conn: &mut Conn,
    old: &[LibraryNumber],
) -> Result<Vec<LibraryNumber>, StoreError> {
    // The numbers are ours and plain.
    let list: Vec<String> = old.iter().map(|number| number.0.to_string()).collect();
    let list = list.join(",");
    let reports = format!("DELETE FROM report WHERE library_game_id IN ({list})");
    let games = format!(
        "UPDATE library_game SET seq = fresh.seq
         FROM (SELECT seq AS old, $1 + ROW_NUMBER() OVER (ORDER BY seq) - 1 AS seq
               FROM library_game WHERE seq IN ({list})) AS fresh
         WHERE library_game.seq = fresh.old"
    );
    let first = take_numbers(conn, old.len()).await?;
    on_db!(conn, c => {
        sqlx::query(AssertSqlSafe(reports)).execute(&mut *c).await?;
        sqlx::query(AssertSqlSafe(games)).bind(first).execute(&mut *c).await?;
    });
    Ok((first..).take(old.len()).map(LibraryNumber).collect())
}

/// Takes some of the games out that somebody brought who has left.
async fn clear(conn: &mut Conn, account: AccountId) -> Result<Tidied, StoreError> {
    const GAMES: &str = "
        DELETE FROM library_game
        WHERE seq IN (SELECT seq FROM library_game WHERE importer_id = $1 ORDER BY seq LIMIT $2)
        RETURNING seq";
    const DONE: [&str; 2] = [
        "DELETE FROM import_job WHERE account_id = $1",
        "DELETE FROM library_left WHERE account_id = $1",
    ];
    let mut gone = bundles::remove_some(conn, bundles::Whose::Of(account)).await?;
    if gone.is_empty() {
        let rows: Vec<(i64,)> = on_db!(&mut *conn, c => {
            sqlx::query_as(GAMES).bind(account.as_str()).bind(AT_ONCE).fetch_all(&mut *c).await?
        });
        gone.extend(rows.into_iter().map(|(seq,)| LibraryNumber(seq)));
    }
    if gone.is_empty() {
        on_db!(conn, c => {
            for sql in DONE {
                sqlx::query(sql).bind(account.as_str()).execute(&mut *c).await?;
            }
        });
    }
    Ok(Tidied { gone, is_more: true, ..Tidied::default() })
}
