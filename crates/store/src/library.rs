//! The games of the library: those played here, those of other sites, those out of files.

use std::collections::{BTreeSet, HashMap, HashSet};

use sqlx::AssertSqlSafe;

use crate::bundles::{self, Bundled};
use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::tidying::NOTE_RENAMED;
use crate::{AccountId, GameId, Store, StoreError};

/// The number of a game in the library. It is given once and never again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryNumber(pub i64);

/// Who sat at one side: somebody at a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The number of the account at the service.
    pub account: i64,
    /// The name it has now; a neutral one if its user has left.
    pub name: String,
}

/// A game of the library as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryGame {
    /// Its number.
    pub number: LibraryNumber,
    /// The service it was played at; none for a game out of a file.
    pub service: Option<String>,
    /// Its name at that service.
    pub external_id: Option<String>,
    /// The game itself, if it was played here.
    pub game: Option<GameId>,
    /// Whether only its players see it: a private game of this club.
    pub is_private: bool,
    /// Whose alone it is, if it came out of a file.
    pub importer: Option<AccountId>,
    /// Who played, White first, as far as they are accounts at a service.
    pub seats: [Option<Seat>; 2],
    /// The packed game; none if it was played here.
    pub body: Option<Vec<u8>>,
}

#[derive(sqlx::FromRow)]
struct GameRow {
    seq: i64,
    service_id: Option<String>,
    external_id: Option<String>,
    game_id: Option<String>,
    importer_id: Option<String>,
    white_account_id: Option<i64>,
    white_name: Option<String>,
    black_account_id: Option<i64>,
    black_name: Option<String>,
    private: i64,
    body: Option<Vec<u8>>,
}

macro_rules! select_games {
    ($rest:literal) => {
        concat!(
            "SELECT library_game.seq, library_game.service_id, library_game.external_id, library_game.game_id,
                    library_game.importer_id, library_game.white_account_id, white.name AS white_name,
                    library_game.black_account_id, black.name AS black_name, library_game.body,
                    COALESCE(game.private, 0) AS private
             FROM library_game
             LEFT JOIN service_account AS white ON white.id = library_game.white_account_id
             LEFT JOIN service_account AS black ON black.id = library_game.black_account_id
             LEFT JOIN game ON game.id = library_game.game_id
             WHERE ",
            $rest
        )
    };
}

impl GameRow {
    fn into_game(self) -> Result<LibraryGame, StoreError> {
        let seat = |account: Option<i64>, name: Option<String>| {
            account.map(|account| Seat { account, name: name.unwrap_or_default() })
        };
        Ok(LibraryGame {
            number: LibraryNumber(self.seq),
            service: self.service_id,
            external_id: self.external_id,
            game: self.game_id.as_deref().map(parse_id).transpose()?,
            is_private: self.private != 0,
            importer: self.importer_id.as_deref().map(parse_id).transpose()?,
            seats: [
                seat(self.white_account_id, self.white_name),
                seat(self.black_account_id, self.black_name),
            ],
            body: self.body,
        })
    }
}

impl LibraryGame {
    /// A game out of a file.
    fn bundled(importer: AccountId, game: &Bundled<'_>) -> LibraryGame {
        LibraryGame {
            number: game.number,
            service: None,
            external_id: None,
            game: None,
            is_private: false,
            importer: Some(importer),
            seats: [None, None],
            body: Some(game.body.to_vec()),
        }
    }
}

impl Store {
    /// Games with greater numbers than this, in their order: the next ones, not all, but none only if there is none.
    pub async fn library_games_after(
        &self,
        after: LibraryNumber,
        limit: i64,
    ) -> Result<Vec<LibraryGame>, StoreError> {
        const SQL: &str = select_games!("library_game.seq > $1 ORDER BY library_game.seq LIMIT $2");
        let rows: Vec<GameRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(after.0).bind(limit).fetch_all(pool).await?
        });
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut end = rows.last().filter(|_| rows.len() >= most).map_or(i64::MAX, |row| row.seq);
        let mut games = rows.into_iter().map(GameRow::into_game).collect::<Result<Vec<_>, _>>()?;
        let (bundles, told) = bundles::after(&self.readers, after).await?;
        end = end.min(told.0);
        for bundle in &bundles {
            let importer = parse_id(&bundle.importer_id)?;
            let wanted = bundle.readable().into_iter().filter(|game| game.number > after);
            games.extend(wanted.map(|game| LibraryGame::bundled(importer, &game)));
        }
        games.retain(|game| game.number.0 <= end);
        games.sort_unstable_by_key(|game| game.number);
        games.truncate(most);
        Ok(games)
    }

    /// These games, in the order asked for; those that are gone are left out.
    pub async fn load_library_games(
        &self,
        numbers: &[LibraryNumber],
    ) -> Result<Vec<LibraryGame>, StoreError> {
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        // The numbers are ours and plain: written into the text, the statement has no limit of parameters.
        let list: Vec<String> = numbers.iter().map(|number| number.0.to_string()).collect();
        let sql = format!("{} ({})", select_games!("library_game.seq IN"), list.join(","));
        let rows: Vec<GameRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(AssertSqlSafe(sql)).fetch_all(pool).await?
        });
        let mut games = rows.into_iter().map(GameRow::into_game).collect::<Result<Vec<_>, _>>()?;
        let found: HashSet<LibraryNumber> = games.iter().map(|game| game.number).collect();
        let missing: HashSet<LibraryNumber> =
            numbers.iter().filter(|number| !found.contains(number)).copied().collect();
        let in_order: BTreeSet<LibraryNumber> = missing.iter().copied().collect();
        let in_order: Vec<LibraryNumber> = in_order.into_iter().collect();
        for bundle in bundles::with(&self.readers, &in_order).await? {
            let importer = parse_id(&bundle.importer_id)?;
            let wanted = bundle.readable().into_iter();
            let wanted = wanted.filter(|game| missing.contains(&game.number));
            games.extend(wanted.map(|game| LibraryGame::bundled(importer, &game)));
        }
        let places: HashMap<LibraryNumber, usize> =
            numbers.iter().enumerate().map(|(place, number)| (*number, place)).collect();
        games.sort_by_key(|game| places.get(&game.number).copied());
        Ok(games)
    }

    /// How many games there are up to a number, and the greatest number of all.
    pub async fn count_library_games(
        &self,
        up_to: LibraryNumber,
    ) -> Result<(i64, LibraryNumber), StoreError> {
        const SQL: &str = "
            SELECT COUNT(CASE WHEN seq <= $1 THEN 1 END), COALESCE(MAX(seq), 0) FROM library_game";
        let (count, last): (i64, i64) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(up_to.0).fetch_one(pool).await?
        });
        let (bundled, last_bundled) = bundles::count(&self.readers, up_to).await?;
        Ok((count + bundled, LibraryNumber(last).max(last_bundled)))
    }

    /// The numbers of all games, in their order.
    pub async fn library_numbers(&self) -> Result<Vec<LibraryNumber>, StoreError> {
        const SQL: &str = "SELECT seq FROM library_game ORDER BY seq";
        let rows: Vec<(i64,)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        let mut numbers: Vec<LibraryNumber> =
            rows.into_iter().map(|(seq,)| LibraryNumber(seq)).collect();
        numbers.extend(bundles::numbers(&self.readers).await?);
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The accounts at services that belong to somebody.
    pub async fn service_accounts_of(&self, account: AccountId) -> Result<Vec<i64>, StoreError> {
        const SQL: &str = "SELECT id FROM service_account WHERE account_id = $1 ORDER BY id";
        let rows: Vec<(i64,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Finished games with moves that are not in the library yet, oldest first. Games that were broken off stay out.
    pub async fn games_missing_in_library(&self, limit: i64) -> Result<Vec<GameId>, StoreError> {
        const SQL: &str = "
            SELECT game.id FROM game
            WHERE game.state = 'finished' AND game.ply > 0 AND game.outcome NOT LIKE '{\"kind\":\"aborted\"%'
              AND NOT EXISTS (SELECT 1 FROM library_game WHERE library_game.game_id = game.id)
            ORDER BY game.ended_at, game.id LIMIT $1";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(limit).fetch_all(pool).await?
        });
        rows.iter().map(|(id,)| parse_id(id)).collect()
    }

    /// Takes finished games of this club in, with an account at the service "here" for everybody who played.
    ///
    /// Gives the numbers of those that were not there yet.
    pub async fn add_played_games(
        &self,
        games: Vec<GameId>,
    ) -> Result<Vec<LibraryNumber>, StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut numbers = Vec::new();
                    for game in games {
                        numbers.extend(add_played_game(conn, game).await?);
                    }
                    Ok(numbers)
                })
            })
            .await
    }

    /// Takes games out that somebody brought; gives those that are gone.
    pub async fn remove_library_games(
        &self,
        importer: AccountId,
        numbers: Vec<LibraryNumber>,
    ) -> Result<Vec<LibraryNumber>, StoreError> {
        const SQL: &str = "DELETE FROM library_game WHERE seq = $1 AND importer_id = $2";
        let gone = self
            .writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut gone = Vec::new();
                    for number in numbers {
                        let removed = on_db!(&mut *conn, c => {
                            sqlx::query(SQL).bind(number.0).bind(importer.as_str()).execute(&mut *c).await?
                        }.rows_affected());
                        let is_own =
                            |bundle: &bundles::Bundle| bundle.importer_id == importer.as_str();
                        if removed > 0 || bundles::take_out(conn, number, is_own).await?.is_some() {
                            gone.push(number);
                        }
                    }
                    Ok(gone)
                })
            })
            .await;
        self.known.forget();
        gone
    }
}

/// The first of so many fresh numbers.
pub(crate) async fn take_numbers(conn: &mut Conn, count: usize) -> Result<i64, StoreError> {
    const SQL: &str = "UPDATE library_number SET next = next + $1 WHERE id = 1 RETURNING next";
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let (next,): (i64,) =
        on_db!(conn, c => sqlx::query_as(SQL).bind(count).fetch_one(&mut *c).await?);
    Ok(next - count)
}

async fn add_played_game(
    conn: &mut Conn,
    game: GameId,
) -> Result<Option<LibraryNumber>, StoreError> {
    const PLAYERS: &str = "
        SELECT white.id, white.name, black.id, black.name
        FROM game
        JOIN account AS white ON white.id = game.white_id
        JOIN account AS black ON black.id = game.black_id
        WHERE game.id = $1 AND game.state = 'finished' AND game.ply > 0
          AND game.outcome NOT LIKE '{\"kind\":\"aborted\"%'";
    const GAME: &str = "
        INSERT INTO library_game (seq, service_id, game_id, white_account_id, black_account_id, digest)
        VALUES ($1, 'here', $2, $3, $4, 0)
        ON CONFLICT (game_id) DO NOTHING";
    let players: Option<(String, String, String, String)> = on_db!(&mut *conn, c => {
        sqlx::query_as(PLAYERS).bind(game.as_str()).fetch_optional(&mut *c).await?
    });
    let Some((white, white_name, black, black_name)) = players else { return Ok(None) };
    let white = account_here(conn, &white, &white_name).await?;
    let black = account_here(conn, &black, &black_name).await?;
    let seq = take_numbers(conn, 1).await?;
    let added = on_db!(conn, c => {
        sqlx::query(GAME).bind(seq).bind(game.as_str()).bind(white).bind(black).execute(&mut *c).await?
    }.rows_affected());
    Ok((added > 0).then_some(LibraryNumber(seq)))
}

/// The account at the service "here" of one of our accounts; made at its first game.
async fn account_here(conn: &mut Conn, account: &str, name: &str) -> Result<i64, StoreError> {
    const SQL: &str = "
        INSERT INTO service_account (id, service_id, name_key, name, account_id)
        VALUES ((SELECT COALESCE(MAX(id), 0) + 1 FROM service_account), 'here', $1, $2, $1)
        ON CONFLICT (service_id, name_key) DO UPDATE SET name = excluded.name
        RETURNING id";
    let (id,): (i64,) = on_db!(conn, c => {
        sqlx::query_as(SQL).bind(account).bind(name).fetch_one(&mut *c).await?
    });
    Ok(id)
}

/// What becomes of somebody's library when they leave: their files' games go, the games they played stay under a
/// neutral name. Both are noted here and done some at a time ([`Store::tidy_library`]).
pub(crate) async fn leave(conn: &mut Conn, id: AccountId, name: &str) -> Result<(), StoreError> {
    const FILES: [&str; 4] = [
        "DELETE FROM report_wish WHERE account_id = $1",
        "DELETE FROM connection WHERE account_id = $1",
        "UPDATE import_job SET state = 'cancelled', ended_at = created_at
         WHERE account_id = $1 AND ended_at IS NULL",
        "INSERT INTO library_left (account_id) VALUES ($1) ON CONFLICT DO NOTHING",
    ];
    const ACCOUNTS: &str = "
        UPDATE service_account SET account_id = NULL, name = $2,
               name_key = CASE WHEN service_id = 'here' THEN name_key ELSE CONCAT('gone ', CAST(id AS TEXT)) END
        WHERE account_id = $1";
    on_db!(conn, c => {
        for sql in FILES {
            sqlx::query(sql).bind(id.as_str()).execute(&mut *c).await?;
        }
        sqlx::query(NOTE_RENAMED).bind(id.as_str()).bind(1_i64).execute(&mut *c).await?;
        sqlx::query(ACCOUNTS).bind(id.as_str()).bind(name).execute(&mut *c).await?;
    });
    Ok(())
}

/// Somebody is called otherwise from now on: so they are in the games they have played here.
pub(crate) async fn rename(conn: &mut Conn, id: AccountId, name: &str) -> Result<(), StoreError> {
    const NAME: &str =
        "UPDATE service_account SET name = $2 WHERE service_id = 'here' AND name_key = $1";
    on_db!(conn, c => {
        sqlx::query(NAME).bind(id.as_str()).bind(name).execute(&mut *c).await?;
        sqlx::query(NOTE_RENAMED).bind(id.as_str()).bind(0_i64).execute(&mut *c).await?;
    });
    Ok(())
}
