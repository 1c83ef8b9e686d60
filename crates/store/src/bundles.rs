//! Bundles: games out of files that lie together in one row, about a page of the database each.
//!
//! A row for every game costs more than reading and checking it. What is asked for one game at a time (a page of a
//! list, a game to show) costs the same either way: a page is read. A game that something refers to becomes a row of
//! its own first.

use sqlx::AssertSqlSafe;

use crate::db::{Conn, Pool, on_db};
use crate::journal::{is_numbered, push_parameters};
use crate::{AccountId, LibraryNumber, StoreError};

/// Digest and packed form of a game.
pub(crate) type Packed = (u64, Vec<u8>);

/// What a bundle may hold: with the rest of its row it fits into a page of 4 kB. A longer game has one for itself.
const FULL: usize = 3_900;
/// Digest and length of a game.
const HEAD: usize = 12;
/// Bundles of one statement.
const ROWS: usize = 256;
/// Bundles that are read at once when somebody goes through all of them.
const AT_ONCE: i64 = 32;

#[derive(sqlx::FromRow)]
pub(crate) struct Bundle {
    seq: i64,
    last_seq: i64,
    pub(crate) importer_id: String,
    import_id: Option<i64>,
    body: Vec<u8>,
}

/// A game of a bundle.
pub(crate) struct Bundled<'b> {
    pub(crate) number: LibraryNumber,
    pub(crate) digest: u64,
    pub(crate) body: &'b [u8],
}

macro_rules! select_bundles {
    ($rest:literal) => {
        concat!(
            "SELECT seq, last_seq, importer_id, import_id, body FROM library_bundle WHERE ",
            $rest
        )
    };
}

impl Bundle {
    /// The games that are left, in the order of their numbers.
    pub(crate) fn games(&self) -> Result<Vec<Bundled<'_>>, StoreError> {
        self.read().ok_or_else(|| StoreError::Damaged(format!("the bundle of game {}", self.seq)))
    }

    /// The same where many bundles are gone through: one that cannot be read is told in the log and must not keep the
    /// others away.
    pub(crate) fn readable(&self) -> Vec<Bundled<'_>> {
        self.games().unwrap_or_else(|error| {
            tracing::error!(%error, "games of the library are left out");
            Vec::new()
        })
    }

    fn read(&self) -> Option<Vec<Bundled<'_>>> {
        let count = usize::try_from(self.last_seq - self.seq + 1).ok()?;
        let (heads, mut bodies) = self.body.split_at_checked(count.checked_mul(HEAD)?)?;
        let mut games = Vec::with_capacity(count);
        for (number, head) in (self.seq..).zip(heads.chunks_exact(HEAD)) {
            let (digest, length) = head.split_first_chunk::<8>()?;
            let length = u32::from_le_bytes(length.try_into().ok()?);
            let (body, rest) = bodies.split_at_checked(usize::try_from(length).ok()?)?;
            bodies = rest;
            if !body.is_empty() {
                let number = LibraryNumber(number);
                games.push(Bundled { number, digest: u64::from_le_bytes(*digest), body });
            }
        }
        bodies.is_empty().then_some(games)
    }
}

/// The bytes of a bundle; a game without bytes is one that is gone.
fn pack<'g>(games: impl Iterator<Item = (u64, &'g [u8])> + Clone) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FULL + 200);
    for (digest, body) in games.clone() {
        bytes.extend_from_slice(&digest.to_le_bytes());
        bytes.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    }
    games.for_each(|(_, body)| bytes.extend_from_slice(body));
    bytes
}

/// How many of these games fill a bundle.
fn fitting(games: &[&Packed]) -> usize {
    let mut length = 0;
    let fits = |(_, body): &&&Packed| {
        length += body.len() + HEAD;
        length <= FULL
    };
    games.iter().take_while(fits).count().max(1)
}

/// Writes games with consecutive numbers.
pub(crate) async fn insert(
    conn: &mut Conn,
    job: i64,
    account: AccountId,
    first: i64,
    mut games: &[&Packed],
) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    let mut next = first;
    while !games.is_empty() {
        let (these, rest) = games.split_at(fitting(games));
        games = rest;
        let count = i64::try_from(these.len()).unwrap_or(i64::MAX);
        rows.push((next, count, pack(these.iter().map(|(digest, body)| (*digest, &body[..])))));
        next += count;
    }
    for rows in rows.chunks(ROWS) {
        let sql = insert_text(is_numbered(conn), job, account, rows.len());
        on_db!(&mut *conn, c => {
            // There is a text for every import and number of rows: kept, they would push the statements of moves out.
            let mut query = sqlx::query(AssertSqlSafe(sql)).persistent(false);
            for (seq, count, body) in rows {
                query = query.bind(*seq).bind(seq + count - 1).bind(*count).bind(&body[..]);
            }
            query.execute(&mut *c).await?;
        });
    }
    Ok(())
}

fn insert_text(numbered: bool, job: i64, account: AccountId, rows: usize) -> String {
    use std::fmt::Write as _;
    let mut sql = String::with_capacity(128 + rows * 40);
    sql.push_str(
        "INSERT INTO library_bundle (importer_id, import_id, seq, last_seq, games, body) VALUES ",
    );
    for row in 0..rows {
        let comma = if row == 0 { "" } else { "," };
        // An account's id has letters and digits only.
        write!(sql, "{comma}('{}',{job},", account.as_str()).expect("a String takes every text");
        push_parameters(&mut sql, numbered, row * 4 + 1..=row * 4 + 4);
        sql.push(')');
    }
    sql
}

/// The next bundles with games behind a number, and up to where nothing is left out.
pub(crate) async fn after(
    readers: &Pool,
    number: LibraryNumber,
) -> Result<(Vec<Bundle>, LibraryNumber), StoreError> {
    const SQL: &str = select_bundles!("last_seq > $1 AND seq > $2 ORDER BY seq LIMIT $3");
    const BEGIN: &str = "SELECT COALESCE(MAX(seq), 0) FROM library_bundle WHERE seq <= $1";
    let bundles: Vec<Bundle> = on_db!(readers, pool => {
        // The one that the number lies in is found by its key: nothing is looked through from the beginning.
        let (begin,): (i64,) = sqlx::query_as(BEGIN).bind(number.0).fetch_one(pool).await?;
        sqlx::query_as(SQL).bind(number.0).bind(begin - 1).bind(AT_ONCE).fetch_all(pool).await?
    });
    let is_all = i64::try_from(bundles.len()).is_ok_and(|count| count < AT_ONCE);
    let last = bundles.last().filter(|_| !is_all).map_or(i64::MAX, |bundle| bundle.last_seq);
    Ok((bundles, LibraryNumber(last)))
}

/// The bundles in which these numbers lie.
pub(crate) async fn with(
    readers: &Pool,
    numbers: &[LibraryNumber],
) -> Result<Vec<Bundle>, StoreError> {
    let mut bundles = Vec::new();
    for numbers in numbers.chunks(ROWS) {
        // The numbers are ours and plain.
        let begins: Vec<String> = numbers
            .iter()
            .map(|number| {
                format!("(SELECT MAX(seq) FROM library_bundle WHERE seq <= {})", number.0)
            })
            .collect();
        let sql = format!("{} ({})", select_bundles!("seq IN"), begins.join(","));
        let rows: Vec<Bundle> = on_db!(readers, pool => {
            sqlx::query_as(AssertSqlSafe(sql)).fetch_all(pool).await?
        });
        bundles.extend(rows);
    }
    // The last number of one statement and the first of the next may lie in the same bundle.
    bundles.sort_unstable_by_key(|bundle: &Bundle| bundle.seq);
    bundles.dedup_by_key(|bundle| bundle.seq);
    Ok(bundles)
}

/// How many games there are in bundles up to a number, and the greatest number of all.
pub(crate) async fn count(
    readers: &Pool,
    up_to: LibraryNumber,
) -> Result<(i64, LibraryNumber), StoreError> {
    const SQL: &str = "
        SELECT CAST(COALESCE(SUM(CASE WHEN last_seq <= $1 THEN games END), 0) AS BIGINT), COALESCE(MAX(last_seq), 0)
        FROM library_bundle";
    let (whole, last): (i64, i64) =
        on_db!(readers, pool => sqlx::query_as(SQL).bind(up_to.0).fetch_one(pool).await?);
    let mut part = 0;
    for bundle in with(readers, &[up_to]).await? {
        if bundle.last_seq > up_to.0 {
            part += bundle.readable().iter().filter(|game| game.number <= up_to).count();
        }
    }
    Ok((whole + i64::try_from(part).unwrap_or(i64::MAX), LibraryNumber(last)))
}

/// A bundle without its games.
#[derive(sqlx::FromRow)]
struct Span {
    seq: i64,
    last_seq: i64,
    games: i64,
}

impl Span {
    /// Whether every number of it is a game still.
    fn is_whole(&self) -> bool {
        self.games == self.last_seq - self.seq + 1
    }
}

/// The numbers of all games in bundles. The games themselves are looked at only where some are gone.
pub(crate) async fn numbers(readers: &Pool) -> Result<Vec<LibraryNumber>, StoreError> {
    const SQL: &str = "SELECT seq, last_seq, games FROM library_bundle ORDER BY seq";
    let spans: Vec<Span> = on_db!(readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
    let mut numbers = Vec::new();
    let mut holed = Vec::new();
    for span in &spans {
        if span.is_whole() {
            numbers.extend((span.seq..=span.last_seq).map(LibraryNumber));
        } else {
            holed.push(LibraryNumber(span.seq));
        }
    }
    for holed in holed.chunks(ROWS) {
        for bundle in with(readers, holed).await? {
            numbers.extend(bundle.readable().iter().map(|game| game.number));
        }
    }
    Ok(numbers)
}

/// Hands over the number and the digest of every game in somebody's bundles.
pub(crate) async fn digests(
    readers: &Pool,
    importer: AccountId,
    mut take: impl FnMut(LibraryNumber, u64),
) -> Result<(), StoreError> {
    const SQL: &str =
        select_bundles!("importer_id = $1 AND seq > $2 ORDER BY importer_id, seq LIMIT $3");
    let mut last = 0;
    loop {
        let bundles: Vec<Bundle> = on_db!(readers, pool => {
            let query = sqlx::query_as(SQL).bind(importer.as_str()).bind(last);
            query.bind(AT_ONCE).fetch_all(pool).await?
        });
        let Some(end) = bundles.last() else { return Ok(()) };
        last = end.seq;
        for bundle in &bundles {
            bundle.readable().iter().for_each(|game| take(game.number, game.digest));
        }
    }
}

/// The newest games in somebody's bundles, at most so many.
pub(crate) async fn newest_of(
    readers: &Pool,
    importer: AccountId,
    most: usize,
) -> Result<Vec<LibraryNumber>, StoreError> {
    const SQL: &str = select_bundles!(
        "importer_id = $1 AND seq < $2 ORDER BY importer_id DESC, seq DESC LIMIT $3"
    );
    let mut numbers = Vec::new();
    let mut last = i64::MAX;
    while numbers.len() < most {
        let bundles: Vec<Bundle> = on_db!(readers, pool => {
            let query = sqlx::query_as(SQL).bind(importer.as_str()).bind(last);
            query.bind(AT_ONCE).fetch_all(pool).await?
        });
        let Some(end) = bundles.last() else { break };
        last = end.seq;
        for bundle in &bundles {
            numbers.extend(bundle.games()?.iter().rev().map(|game| game.number));
        }
    }
    numbers.truncate(most);
    Ok(numbers)
}

/// A game that was taken out of its bundle, with what its row needs.
pub(crate) struct Taken {
    importer: String,
    job: Option<i64>,
    digest: u64,
    body: Vec<u8>,
}

/// Takes a game out of its bundle, if it lies in one.
pub(crate) async fn take_out(
    conn: &mut Conn,
    number: LibraryNumber,
    is_wanted: impl FnOnce(&Bundle) -> bool,
) -> Result<Option<Taken>, StoreError> {
    const FIND: &str =
        select_bundles!("seq = (SELECT MAX(seq) FROM library_bundle WHERE seq <= $1)");
    const CHANGE: &str = "UPDATE library_bundle SET games = games - 1, body = $2 WHERE seq = $1";
    const REMOVE: &str = "DELETE FROM library_bundle WHERE seq = $1";
    let found: Option<Bundle> = on_db!(&mut *conn, c => {
        sqlx::query_as(FIND).bind(number.0).fetch_optional(&mut *c).await?
    });
    let Some(bundle) = found.filter(is_wanted) else { return Ok(None) };
    let games = bundle.games()?;
    let Some(taken) = games.iter().find(|game| game.number == number) else { return Ok(None) };
    let left = (bundle.seq..=bundle.last_seq).map(|seq| {
        let game = games.iter().find(|game| game.number.0 == seq && game.number != number);
        game.map_or((0, &[][..]), |game| (game.digest, game.body))
    });
    on_db!(conn, c => {
        if games.len() == 1 {
            sqlx::query(REMOVE).bind(bundle.seq).execute(&mut *c).await?;
        } else {
            sqlx::query(CHANGE).bind(bundle.seq).bind(pack(left)).execute(&mut *c).await?;
        }
    });
    let (digest, body) = (taken.digest, taken.body.to_vec());
    Ok(Some(Taken { digest, body, importer: bundle.importer_id, job: bundle.import_id }))
}

/// Makes a game a row of its own, so that something can refer to it. One that is a row already stays as it is.
pub(crate) async fn release(conn: &mut Conn, number: LibraryNumber) -> Result<(), StoreError> {
    if let Some(taken) = take_out(conn, number, |_| true).await? {
        let game = Bundled { number, digest: taken.digest, body: &taken.body };
        insert_row(conn, &taken.importer, taken.job, &game).await?;
    }
    Ok(())
}

async fn insert_row(
    conn: &mut Conn,
    importer: &str,
    job: Option<i64>,
    game: &Bundled<'_>,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO library_game (seq, importer_id, import_id, digest, body) VALUES ($1, $2, $3, $4, $5)";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(game.number.0)
            .bind(importer)
            .bind(job)
            .bind(game.digest.cast_signed())
            .bind(game.body)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}

/// Which bundles are meant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose {
    /// Everything that somebody brought.
    Of(AccountId),
    /// What one import of somebody brought.
    Import(i64, AccountId),
}

/// Takes some of the bundles out; gives the numbers of their games, none if there is none left. A number may be among
/// them that was gone before.
pub(crate) async fn remove_some(
    conn: &mut Conn,
    whose: Whose,
) -> Result<Vec<LibraryNumber>, StoreError> {
    const OF: &str = "
        SELECT seq, last_seq, games FROM library_bundle WHERE importer_id = $1 ORDER BY seq LIMIT $2";
    const IMPORT: &str = "
        SELECT seq, last_seq, games FROM library_bundle
        WHERE importer_id = $1 AND import_id = $3 ORDER BY seq LIMIT $2";
    let most = i64::try_from(ROWS).unwrap_or(i64::MAX);
    let spans: Vec<Span> = on_db!(&mut *conn, c => match whose {
        Whose::Of(account) => {
            sqlx::query_as(OF).bind(account.as_str()).bind(most).fetch_all(&mut *c).await?
        }
        Whose::Import(job, account) => {
            let query = sqlx::query_as(IMPORT).bind(account.as_str()).bind(most).bind(job);
            query.fetch_all(&mut *c).await?
        }
    });
    if spans.is_empty() {
        return Ok(Vec::new());
    }
    let list: Vec<String> = spans.iter().map(|span| span.seq.to_string()).collect();
    let remove = format!("DELETE FROM library_bundle WHERE seq IN ({})", list.join(","));
    on_db!(conn, c => {
        sqlx::query(AssertSqlSafe(remove)).execute(&mut *c).await?;
    });
    Ok(spans.iter().flat_map(|span| span.seq..=span.last_seq).map(LibraryNumber).collect())
}
