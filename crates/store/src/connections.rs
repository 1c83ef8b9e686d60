//! Connected accounts: claims to accounts at other sites, their proof, and the games that come in by them.

use std::collections::{BTreeMap, HashMap};

use rules::UnixMillis;
use sqlx::AssertSqlSafe;

use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::journal::{is_numbered, push_parameters};
use crate::library::take_numbers;
use crate::players::found;
use crate::tidying::{AT_ONCE, give_new_numbers};
use crate::{AccountId, LibraryNumber, Store, StoreError};

/// How a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionState {
    /// Somebody says that the account is theirs, and has not shown it yet.
    Unproven,
    /// Its games come in.
    Active,
    /// No more games come; those that are there stay.
    Stopped,
}

impl ConnectionState {
    const fn as_str(self) -> &'static str {
        match self {
            ConnectionState::Unproven => "unproven",
            ConnectionState::Active => "active",
            ConnectionState::Stopped => "stopped",
        }
    }

    fn parse(text: &str) -> Result<ConnectionState, StoreError> {
        use ConnectionState::{Active, Stopped, Unproven};
        let found = [Unproven, Active, Stopped].into_iter().find(|state| state.as_str() == text);
        found.ok_or_else(|| StoreError::Damaged(format!("{text:?} is no state of a connection")))
    }
}

/// An account at a site that a member says is theirs.
#[derive(Clone, PartialEq, Eq)]
pub struct NewConnection {
    /// Who says so.
    pub account: AccountId,
    /// The service.
    pub service: String,
    /// The name at the service.
    pub name: String,
    /// What they have to put into the profile there.
    pub code: String,
    /// When.
    pub created_at: UnixMillis,
}

/// A connection as it is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Connection {
    /// Its number.
    pub id: i64,
    /// Whose it is.
    pub account: AccountId,
    /// The service.
    pub service: String,
    /// The name at the service, in lower case.
    pub name_key: String,
    /// The name as it is written there.
    pub name: String,
    /// How it is.
    pub state: ConnectionState,
    /// What is to be put into the profile there.
    pub code: String,
    /// A key of the site's, encrypted.
    pub token: Option<Vec<u8>>,
    /// The account at the service, once it is proven.
    pub service_account: Option<i64>,
    /// Up to where the games are here.
    pub reached: String,
    /// How much of the first time is done.
    pub done: i64,
    /// How much there is.
    pub total: i64,
    /// Games that came in.
    pub games: i64,
    /// Games that could not be taken.
    pub skipped: i64,
    /// What they were; those from before this was noted are missing in it.
    pub skipped_as: Skipped,
    /// Attempts that failed one after the other for the same reason.
    pub failures: i64,
    /// Why the last one failed, as a word; empty if it did not.
    pub problem: String,
    /// When it was begun.
    pub created_at: UnixMillis,
    /// When it was proven.
    pub proved_at: Option<UnixMillis>,
    /// When the site was last asked.
    pub asked_at: Option<UnixMillis>,
    /// When everything was last here.
    pub synced_at: Option<UnixMillis>,
    /// When the site is to be asked next.
    pub next_at: Option<UnixMillis>,
}

/// Somebody who played at a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePlayer {
    /// The name as it is written there; in lower case it is what the service knows them by.
    pub name: String,
}

/// A game that was played at a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceGame {
    /// Its name at the service.
    pub external_id: String,
    /// Who played, White first, as far as they have accounts there.
    pub players: [Option<ServicePlayer>; 2],
    /// Who played what and when, as a number.
    pub digest: u64,
    /// The packed game.
    pub body: Vec<u8>,
}

/// Games that could not be taken, by their variant; the empty name is for those that could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Skipped(BTreeMap<String, i64>);

/// Names of variants that are told apart: a site may send any number of them.
const MOST_VARIANTS: usize = 20;

impl Skipped {
    /// One more.
    pub fn add(&mut self, variant: &str) {
        self.add_many(variant, 1);
    }

    fn add_many(&mut self, variant: &str, count: i64) {
        let is_told = self.0.contains_key(variant)
            || self.0.len() < MOST_VARIANTS && variant.len() <= MOST_VARIANTS * 2;
        *self.0.entry(if is_told { variant } else { "" }.to_owned()).or_default() += count;
    }

    /// How many there are.
    pub fn count(&self) -> i64 {
        self.0.values().sum()
    }

    /// The names of the variants, and how many games of each.
    pub fn variants(&self) -> impl Iterator<Item = (&str, i64)> {
        let named = self.0.iter().filter(|(variant, _)| !variant.is_empty());
        named.map(|(variant, count)| (variant.as_str(), *count))
    }
}

/// Games of a service: written whole, with the mark where to go on, or not at all.
#[derive(Debug, Clone, Default)]
pub struct ServiceBatch {
    /// The games.
    pub games: Vec<ServiceGame>,
    /// Games that could not be taken.
    pub skipped: Skipped,
    /// Games that are still being played.
    pub unfinished: Vec<String>,
    /// Games that are not waited for any more.
    pub ended: Vec<String>,
    /// Up to where the games are here now; none if that is unchanged.
    pub reached: Option<String>,
    /// How much is done now; none if that is unchanged.
    pub done: Option<i64>,
}

/// What became of games of a service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// The number of every game, none for those that were there before.
    pub numbers: Vec<Option<LibraryNumber>>,
    /// Numbers that are no games any more: those games have come back to who played them, under new ones.
    pub gone: Vec<LibraryNumber>,
}

/// What came of asking the site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visit {
    /// Whether everything is here now.
    pub is_whole: bool,
    /// Whether it failed; other visits in between count from the beginning again.
    pub has_failed: bool,
    /// Why it failed, as a word; empty if it did not.
    pub problem: String,
    /// How much there is in all, if it is known now.
    pub total: Option<i64>,
    /// Whether the site's key is of no use.
    pub forget_token: bool,
    /// When to ask next.
    pub next_at: Option<UnixMillis>,
}

#[derive(sqlx::FromRow)]
struct ConnectionRow {
    id: i64,
    account_id: String,
    service_id: String,
    name_key: String,
    name: String,
    state: String,
    code: String,
    token: Option<Vec<u8>>,
    service_account_id: Option<i64>,
    reached: String,
    done: i64,
    total: i64,
    games: i64,
    skipped: i64,
    skipped_as: String,
    failures: i64,
    problem: String,
    created_at: i64,
    proved_at: Option<i64>,
    asked_at: Option<i64>,
    synced_at: Option<i64>,
    next_at: Option<i64>,
}

macro_rules! select_connections {
    ($rest:literal) => {
        concat!(
            "SELECT id, account_id, service_id, name_key, name, state, code, token, service_account_id, reached, done,
                    total, games, skipped, skipped_as, failures, problem, created_at, proved_at, asked_at, synced_at,
                    next_at
             FROM connection WHERE ",
            $rest
        )
    };
}

impl ConnectionRow {
    fn into_connection(self) -> Result<Connection, StoreError> {
        Ok(Connection {
            id: self.id,
            account: parse_id(&self.account_id)?,
            service: self.service_id,
            name_key: self.name_key,
            name: self.name,
            state: ConnectionState::parse(&self.state)?,
            code: self.code,
            token: self.token,
            service_account: self.service_account_id,
            reached: self.reached,
            done: self.done,
            total: self.total,
            games: self.games,
            skipped: self.skipped,
            skipped_as: read_skipped(&self.skipped_as)?,
            failures: self.failures,
            problem: self.problem,
            created_at: UnixMillis(self.created_at),
            proved_at: self.proved_at.map(UnixMillis),
            asked_at: self.asked_at.map(UnixMillis),
            synced_at: self.synced_at.map(UnixMillis),
            next_at: self.next_at.map(UnixMillis),
        })
    }
}

impl Store {
    /// Notes that somebody says an account at a site is theirs, and gives the number. `Conflict` if they said so before.
    pub async fn begin_connection(&self, new: NewConnection) -> Result<i64, StoreError> {
        const SQL: &str = "
            INSERT INTO connection (id, account_id, service_id, name_key, name, state, code, reached, done, total, games,
                                    skipped, failures, problem, created_at)
            VALUES ((SELECT COALESCE(MAX(id), 0) + 1 FROM connection), $1, $2, $3, $4, 'unproven', $5, '', 0, 0, 0,
                    0, 0, '', $6)
            ON CONFLICT DO NOTHING RETURNING id";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let id: Option<(i64,)> = on_db!(conn, c => {
                        sqlx::query_as(SQL)
                            .bind(new.account.as_str())
                            .bind(&new.service)
                            .bind(new.name.to_lowercase())
                            .bind(&new.name)
                            .bind(&new.code)
                            .bind(new.created_at.0)
                            .fetch_optional(&mut *c)
                            .await?
                    });
                    id.map(|(id,)| id).ok_or(StoreError::Conflict)
                })
            })
            .await
    }

    /// One connection.
    pub async fn load_connection(&self, id: i64) -> Result<Connection, StoreError> {
        const SQL: &str = select_connections!("id = $1");
        let row: ConnectionRow = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id).fetch_one(pool).await?
        });
        row.into_connection()
    }

    /// Somebody's connections, in the order in which they were made.
    pub async fn connections_of(&self, account: AccountId) -> Result<Vec<Connection>, StoreError> {
        const SQL: &str = select_connections!("account_id = $1 ORDER BY id");
        let rows: Vec<ConnectionRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(ConnectionRow::into_connection).collect()
    }

    /// The connection whose turn it is at a service: somebody who waits for a proof first, then who has waited longest.
    pub async fn due_connection(
        &self,
        service: &str,
        now: UnixMillis,
    ) -> Result<Option<Connection>, StoreError> {
        const SQL: &str = select_connections!(
            "service_id = $1 AND next_at <= $2
             ORDER BY CASE state WHEN 'unproven' THEN 0 ELSE 1 END, next_at, id LIMIT 1"
        );
        let row: Option<ConnectionRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(service).bind(now.0).fetch_optional(pool).await?
        });
        row.map(ConnectionRow::into_connection).transpose()
    }

    /// When somebody's turn comes next at a service.
    pub async fn next_connection_at(
        &self,
        service: &str,
    ) -> Result<Option<UnixMillis>, StoreError> {
        const SQL: &str = "SELECT MIN(next_at) FROM connection WHERE service_id = $1";
        let (at,): (Option<i64>,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(service).fetch_one(pool).await?
        });
        Ok(at.map(UnixMillis))
    }

    /// Somebody wants the site to be asked: at this moment. A connection that was stopped goes on. With a key of the
    /// site's, that one is used from now on.
    pub async fn wake_connection(
        &self,
        id: i64,
        token: Option<Vec<u8>>,
        at: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE connection SET next_at = $2, token = COALESCE($3, token), failures = 0, problem = '',
                   state = CASE state WHEN 'stopped' THEN 'active' ELSE state END
            WHERE id = $1";
        found(write_one!(self, SQL, id, at.0, token)?)
    }

    /// The account at the service is theirs: all its games are, also those that somebody else's games brought.
    ///
    /// `Conflict` if it is somebody else's.
    pub async fn prove_connection(
        &self,
        id: i64,
        name: String,
        total: i64,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const LINK: &str = "
            UPDATE service_account SET account_id = $2
            WHERE id = $1 AND (account_id IS NULL OR account_id = $2)";
        const PROVEN: &str = "
            UPDATE connection SET state = 'active', service_account_id = $2, name = $3, total = $4, proved_at = $5,
                   asked_at = $5, next_at = $5, failures = 0, problem = ''
            WHERE id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let (account, service, state) = head(conn, id).await?;
                    if state != ConnectionState::Unproven {
                        return Ok(());
                    }
                    let seat = service_account(conn, &service, &name).await?;
                    on_db!(conn, c => {
                        let linked = sqlx::query(LINK).bind(seat).bind(&account).execute(&mut *c).await?;
                        if linked.rows_affected() == 0 {
                            return Err(StoreError::Conflict);
                        }
                        sqlx::query(PROVEN)
                            .bind(id)
                            .bind(seat)
                            .bind(&name)
                            .bind(total)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Takes games of a service in.
    ///
    /// `Conflict` if the connection does not run any more; then nothing was taken.
    pub async fn take_service_games(
        &self,
        id: i64,
        batch: ServiceBatch,
    ) -> Result<Taken, StoreError> {
        let taken = self
            .writer
            .run(move |conn| {
                Box::pin(async move {
                    let (_, service, state) = match head(conn, id).await {
                        Err(StoreError::NotFound) => return Err(StoreError::Conflict),
                        other => other?,
                    };
                    if state != ConnectionState::Active {
                        return Err(StoreError::Conflict);
                    }
                    let mut numbers = insert_games(conn, &service, &batch.games).await?;
                    let gone = take_back(conn, id, &service, &batch.games, &mut numbers).await?;
                    note_batch(conn, id, &batch, &numbers).await?;
                    Ok(Taken { numbers, gone })
                })
            })
            .await?;
        self.known.answer(taken)
    }

    /// Games that were still being played when the site told of them.
    pub async fn unfinished_games(&self, id: i64) -> Result<Vec<String>, StoreError> {
        const SQL: &str =
            "SELECT external_id FROM unfinished_game WHERE connection_id = $1 ORDER BY external_id";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Notes what came of asking the site for a connection as it was then. If its owner has wished for something
    /// meanwhile, that counts and nothing is noted.
    pub async fn note_visit(
        &self,
        then: &Connection,
        visit: Visit,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE connection SET asked_at = $2, next_at = $3, problem = $4, total = COALESCE($5, total),
                   failures = CASE WHEN $6 = 0 THEN 0 WHEN problem = $4 THEN failures + 1 ELSE 1 END,
                   synced_at = CASE WHEN $7 = 1 THEN $2 ELSE synced_at END,
                   token = CASE WHEN $8 = 1 THEN NULL ELSE token END
            WHERE id = $1 AND state = $9 AND next_at = $10 AND COALESCE(length(token), 0) = $11";
        let (id, state) = (then.id, then.state);
        let next_at = then.next_at.map(|at| at.0);
        let token = i64::try_from(then.token.as_ref().map_or(0, Vec::len)).unwrap_or(i64::MAX);
        write_one!(
            self,
            SQL,
            id,
            now.0,
            visit.next_at.map(|at| at.0),
            &visit.problem,
            visit.total,
            i64::from(visit.has_failed),
            i64::from(visit.is_whole),
            i64::from(visit.forget_token),
            state.as_str(),
            next_at,
            token,
        )
        .map(drop)
    }

    /// No more games come in by a connection; those that are there stay, and so does the account's owner.
    pub async fn stop_connection(&self, id: i64) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE connection SET state = 'stopped', token = NULL, next_at = NULL, failures = 0, problem = ''
            WHERE id = $1 AND state <> 'unproven'";
        write_one!(self, SQL, id).map(drop)
    }

    /// Takes some of the games of a stopped connection out; gives those that are gone. Games in which somebody else who
    /// is connected played stay. Whoever wants all of them out asks until none is left.
    pub async fn remove_games_of_connection(
        &self,
        id: i64,
    ) -> Result<Vec<LibraryNumber>, StoreError> {
        const SEAT: &str =
            "SELECT service_account_id FROM connection WHERE id = $1 AND state = 'stopped'";
        const GAMES: &str = "
            DELETE FROM library_game WHERE seq IN (
                SELECT seq FROM library_game
                WHERE (white_account_id = $1 OR black_account_id = $1)
                  AND NOT EXISTS (
                    SELECT 1 FROM service_account
                    WHERE service_account.id IN (library_game.white_account_id, library_game.black_account_id)
                      AND service_account.id <> $1 AND service_account.account_id IS NOT NULL)
                ORDER BY seq LIMIT $2)
            RETURNING seq";
        let gone: Vec<(i64,)> = self
            .writer
            .run(move |conn| {
                Box::pin(async move {
                    Ok(on_db!(conn, c => {
                        let seat: Option<(Option<i64>,)> =
                            sqlx::query_as(SEAT).bind(id).fetch_optional(&mut *c).await?;
                        let Some((Some(seat),)) = seat else { return Ok(Vec::new()) };
                        sqlx::query_as(GAMES).bind(seat).bind(AT_ONCE).fetch_all(&mut *c).await?
                    }))
                })
            })
            .await?;
        self.known.forget();
        Ok(gone.into_iter().map(|(seq,)| LibraryNumber(seq)).collect())
    }

    /// Ends a connection: the account at the service is nobody's again.
    pub async fn remove_connection(&self, id: i64) -> Result<(), StoreError> {
        const REMOVE: &str = "DELETE FROM connection WHERE id = $1 RETURNING service_account_id";
        const UNLINK: &str = "UPDATE service_account SET account_id = NULL WHERE id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        let row: Option<(Option<i64>,)> =
                            sqlx::query_as(REMOVE).bind(id).fetch_optional(&mut *c).await?;
                        if let Some((Some(seat),)) = row {
                            sqlx::query(UNLINK).bind(seat).execute(&mut *c).await?;
                        }
                    });
                    Ok(())
                })
            })
            .await
    }
}

fn read_skipped(text: &str) -> Result<Skipped, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::Damaged(format!("what a connection has skipped: {error}")))
}

/// Whose a connection is, the service, and how it is.
async fn head(conn: &mut Conn, id: i64) -> Result<(String, String, ConnectionState), StoreError> {
    const SQL: &str = "SELECT account_id, service_id, state FROM connection WHERE id = $1";
    let (account, service, state): (String, String, String) =
        on_db!(conn, c => sqlx::query_as(SQL).bind(id).fetch_one(&mut *c).await?);
    Ok((account, service, ConnectionState::parse(&state)?))
}

/// Somebody at a service; made when they are first heard of, whether they ever come here or not.
async fn service_account(conn: &mut Conn, service: &str, name: &str) -> Result<i64, StoreError> {
    const SQL: &str = "
        INSERT INTO service_account (id, service_id, name_key, name)
        VALUES ((SELECT COALESCE(MAX(id), 0) + 1 FROM service_account), $1, $2, $3)
        ON CONFLICT (service_id, name_key) DO UPDATE SET name = excluded.name
        RETURNING id";
    let (id,): (i64,) = on_db!(conn, c => {
        sqlx::query_as(SQL)
            .bind(service)
            .bind(name.to_lowercase())
            .bind(name)
            .fetch_one(&mut *c)
            .await?
    });
    Ok(id)
}

/// Inserts games with consecutive numbers; those that are there already are passed over, their numbers stay unused.
async fn insert_games(
    conn: &mut Conn,
    service: &str,
    games: &[ServiceGame],
) -> Result<Vec<Option<LibraryNumber>>, StoreError> {
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let mut known: HashMap<&str, i64> = HashMap::new();
    for game in games {
        for player in game.players.iter().flatten() {
            if !known.contains_key(player.name.as_str()) {
                known.insert(&player.name, service_account(conn, service, &player.name).await?);
            }
        }
    }
    // A game in which nobody has an account there would be nobody's.
    let owned: Vec<&ServiceGame> =
        games.iter().filter(|game| game.players.iter().any(Option::is_some)).collect();
    let first = take_numbers(conn, games.len()).await?;
    if owned.is_empty() {
        return Ok(vec![None; games.len()]);
    }
    let mut sql = String::with_capacity(160 + games.len() * 24);
    sql.push_str(
        "INSERT INTO library_game
           (seq, service_id, external_id, white_account_id, black_account_id, digest, body) VALUES ",
    );
    for row in 0..owned.len() {
        sql.push_str(if row == 0 { "(" } else { ",(" });
        push_parameters(&mut sql, is_numbered(conn), row * 7 + 1..=row * 7 + 7);
        sql.push(')');
    }
    sql.push_str(" ON CONFLICT DO NOTHING RETURNING seq");
    let rows: Vec<(i64,)> = on_db!(conn, c => {
        let mut query = sqlx::query_as(AssertSqlSafe(sql)).persistent(false);
        let numbered = (first..).zip(games);
        for (seq, game) in numbered.filter(|(_, game)| game.players.iter().any(Option::is_some)) {
            let seat = |side: usize| {
                let player = game.players[side].as_ref();
                player.and_then(|player| known.get(player.name.as_str()).copied())
            };
            query = query
                .bind(seq)
                .bind(service)
                .bind(&game.external_id)
                .bind(seat(0))
                .bind(seat(1))
                .bind(game.digest.cast_signed())
                .bind(game.body.as_slice());
        }
        query.fetch_all(&mut *c).await?
    });
    let mut kept: Vec<i64> = rows.into_iter().map(|(seq,)| seq).collect();
    kept.sort_unstable();
    let number = |seq: i64| kept.binary_search(&seq).ok().map(|_| LibraryNumber(seq));
    Ok((first..).take(games.len()).map(number).collect())
}

/// Gives the account of a connection the games back that it left here when its owner left the club: they were kept
/// under a neutral name, and the site says now whose they are. They get new numbers, which the answer has in their
/// places; gives the old ones.
async fn take_back(
    conn: &mut Conn,
    id: i64,
    service: &str,
    games: &[ServiceGame],
    numbers: &mut [Option<LibraryNumber>],
) -> Result<Vec<LibraryNumber>, StoreError> {
    const OWN: &str = "
        SELECT service_account.id, service_account.name_key FROM connection
        JOIN service_account ON service_account.id = connection.service_account_id WHERE connection.id = $1";
    // No site has names with a space in them.
    const ANY: &str = "
        SELECT COUNT(*) FROM service_account WHERE service_id = $1 AND name_key > 'gone ' AND name_key < 'gone!'";
    const FIND: &str = "
        SELECT library_game.seq FROM library_game
        JOIN service_account ON service_account.id =
            CASE WHEN $3 = 0 THEN library_game.white_account_id ELSE library_game.black_account_id END
        WHERE library_game.service_id = $1 AND library_game.external_id = $2
          AND service_account.account_id IS NULL AND service_account.name_key LIKE 'gone %'";
    const SEATS: [&str; 2] = [
        "UPDATE library_game SET white_account_id = $2 WHERE seq = $1",
        "UPDATE library_game SET black_account_id = $2 WHERE seq = $1",
    ];
    let (own, any): ((i64, String), (i64,)) = on_db!(&mut *conn, c => {
        let own = sqlx::query_as(OWN).bind(id).fetch_one(&mut *c).await?;
        (own, sqlx::query_as(ANY).bind(service).fetch_one(&mut *c).await?)
    });
    let mut gone = Vec::new();
    if any.0 == 0 {
        return Ok(gone);
    }
    let known = games.iter().zip(numbers).filter(|(_, number)| number.is_none());
    for (game, number) in known {
        let is_own = |player: &Option<ServicePlayer>| {
            player.as_ref().is_some_and(|player| player.name.to_lowercase() == own.1)
        };
        let Some(side) = game.players.iter().position(is_own) else { continue };
        let black = i64::try_from(side).unwrap_or(0);
        let found: Option<(i64,)> = on_db!(&mut *conn, c => {
            let query = sqlx::query_as(FIND).bind(service).bind(&game.external_id).bind(black);
            query.fetch_optional(&mut *c).await?
        });
        let Some((seq,)) = found else { continue };
        on_db!(&mut *conn, c => {
            sqlx::query(SEATS[side]).bind(seq).bind(own.0).execute(&mut *c).await?;
        });
        let old = LibraryNumber(seq);
        *number = give_new_numbers(conn, &[old]).await?.first().copied();
        gone.push(old);
    }
    Ok(gone)
}

async fn note_batch(
    conn: &mut Conn,
    id: i64,
    batch: &ServiceBatch,
    numbers: &[Option<LibraryNumber>],
) -> Result<(), StoreError> {
    const COUNTS: &str = "
        UPDATE connection SET games = games + $2, skipped = skipped + $3, reached = COALESCE($4, reached),
               done = COALESCE($5, done)
        WHERE id = $1";
    const UNFINISHED: &str = "
        INSERT INTO unfinished_game (connection_id, external_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    const ENDED: &str = "DELETE FROM unfinished_game WHERE connection_id = $1 AND external_id = $2";
    const NOTED: &str = "SELECT skipped_as FROM connection WHERE id = $1";
    const NOTE: &str = "UPDATE connection SET skipped_as = $2 WHERE id = $1";
    let kept = i64::try_from(numbers.iter().flatten().count()).unwrap_or(i64::MAX);
    if batch.skipped.count() > 0 {
        on_db!(&mut *conn, c => {
            let noted: Option<(String,)> =
                sqlx::query_as(NOTED).bind(id).fetch_optional(&mut *c).await?;
            let mut noted = noted.map_or(Ok(Skipped::default()), |(text,)| read_skipped(&text))?;
            for (variant, count) in &batch.skipped.0 {
                noted.add_many(variant, *count);
            }
            let text = serde_json::to_string(&noted).expect("names and numbers are JSON");
            sqlx::query(NOTE).bind(id).bind(text).execute(&mut *c).await?;
        });
    }
    on_db!(conn, c => {
        sqlx::query(COUNTS)
            .bind(id)
            .bind(kept)
            .bind(batch.skipped.count())
            .bind(batch.reached.as_deref())
            .bind(batch.done)
            .execute(&mut *c)
            .await?;
        for (sql, names) in [(UNFINISHED, &batch.unfinished), (ENDED, &batch.ended)] {
            for name in names {
                sqlx::query(sql).bind(id).bind(name).execute(&mut *c).await?;
            }
        }
    });
    Ok(())
}
