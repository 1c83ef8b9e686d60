//! GMO's genomes and presets: texts that are stored once, under codes that never change, and who keeps them.

use rules::UnixMillis;
use rules::gmo::{Code, CodeBook, KNOWN_PRESETS, MIN_CODE_DIGITS, PresetText, Sha, known_genomes};

use crate::db::{Conn, on_db, write_one};
use crate::players::found;
use crate::{AccountId, Store, StoreError};

/// What a text is. Genomes and presets are separate name spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GmoKind {
    /// The DNA of a piece.
    Genome,
    /// Eight codes of genomes.
    Preset,
}

impl GmoKind {
    fn word(self) -> &'static str {
        match self {
            GmoKind::Genome => "genome",
            GmoKind::Preset => "preset",
        }
    }

    /// What every club has without storing it.
    fn built_in(self) -> Vec<(Sha, String)> {
        match self {
            GmoKind::Genome => known_genomes()
                .iter()
                .map(|known| (known.genome.sha(), known.genome.dna().to_owned()))
                .collect(),
            GmoKind::Preset => KNOWN_PRESETS
                .iter()
                .filter_map(|known| PresetText::parse(known.text).ok())
                .map(|preset| (preset.sha(), preset.to_string()))
                .collect(),
        }
    }
}

/// A stored text and what somebody may do with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GmoText {
    /// The whole hash.
    pub sha: String,
    /// The code.
    pub code: String,
    /// DNA or text form.
    pub text: String,
    /// Whether the one who asked may read it: it is built in, published, or theirs.
    pub is_readable: bool,
    /// Whether they may play with it, though perhaps not read it.
    pub is_usable: bool,
}

/// What storing a text gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GmoStored {
    /// The code, new or from before.
    pub code: String,
    /// The whole hash.
    pub sha: String,
    /// Whether nobody had stored it before.
    pub created: bool,
}

/// A text in somebody's library, or one that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GmoKept {
    /// The whole hash.
    pub sha: String,
    /// The code.
    pub code: String,
    /// DNA or text form.
    pub text: String,
    /// How its keeper calls it.
    pub name: String,
    /// Who keeps it.
    pub keeper: String,
    /// Whether everybody may read it.
    pub published: bool,
    /// Whether everybody who knows its code may play with it.
    pub by_code: bool,
    /// Since when it is kept.
    pub kept_at: UnixMillis,
}

/// A text to be stored for somebody.
#[derive(Debug, Clone)]
pub struct NewGmoText {
    /// What it is.
    pub kind: GmoKind,
    /// Its hash.
    pub sha: Sha,
    /// The text, in its one canonical form.
    pub text: String,
    /// How the keeper calls it; a name from before stays if this is empty.
    pub name: String,
    /// Who keeps it.
    pub keeper: AccountId,
    /// How many texts of this kind one account may keep.
    pub most: i64,
}

/// What a keeper changes; `None` leaves it.
#[derive(Debug, Clone, Default)]
pub struct GmoChange {
    /// The name.
    pub name: Option<String>,
    /// Whether everybody may read it.
    pub published: Option<bool>,
    /// Whether everybody who knows its code may play with it.
    pub by_code: Option<bool>,
}

type KeptRow = (String, String, String, String, String, i64, i64, i64);

impl Store {
    /// Stores a text and puts it into its keeper's library. Doing it again changes nothing.
    ///
    /// A built-in text is everybody's already and is not stored. [`StoreError::Conflict`] if the library is full.
    pub async fn store_gmo_text(
        &self,
        new: NewGmoText,
        now: UnixMillis,
    ) -> Result<GmoStored, StoreError> {
        if let Some(stored) = built_in(new.kind, new.sha) {
            return Ok(stored);
        }
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let stored = insert_text(conn, &new, now).await?;
                    keep(conn, &new, &stored.sha, now).await?;
                    Ok(stored)
                })
            })
            .await
    }

    /// The text that a code names, with what `account` may do with it.
    pub async fn find_gmo_text(
        &self,
        kind: GmoKind,
        code: &Code,
        account: Option<AccountId>,
    ) -> Result<Option<GmoText>, StoreError> {
        const TEXT: &str = "
            SELECT sha, code, text FROM gmo_text WHERE kind = $1 AND prefix = $2";
        const RIGHTS: &str = "
            SELECT CAST(COALESCE(SUM(published), 0) AS BIGINT), CAST(COALESCE(SUM(by_code), 0) AS BIGINT),
                COALESCE(SUM(CASE WHEN account_id = $3 THEN 1 ELSE 0 END), 0)
            FROM gmo_keeper WHERE kind = $1 AND sha = $2";
        let prefix = code.as_str()[..MIN_CODE_DIGITS].to_owned();
        let rows: Vec<(String, String, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(TEXT).bind(kind.word()).bind(prefix).fetch_all(pool).await?
        });
        let book = book(kind, rows.iter().map(|(sha, code, _)| (sha.as_str(), code.as_str())))?;
        let Some(sha) = book.find(code) else { return Ok(None) };
        let known = kind.built_in().into_iter().find(|(known, _)| *known == sha);
        if let Some((sha, text)) = known {
            let (code, sha) = (sha.prefix(MIN_CODE_DIGITS), sha.to_string());
            return Ok(Some(GmoText { sha, code, text, is_readable: true, is_usable: true }));
        }
        let sha = sha.to_string();
        let Some((_, code, text)) = rows.into_iter().find(|(stored, ..)| *stored == sha) else {
            return Ok(None);
        };
        let account = account.map(|account| account.to_string()).unwrap_or_default();
        let (published, by_code, own): (i64, i64, i64) = on_db!(&*self.readers, pool => {
            sqlx::query_as(RIGHTS)
                .bind(kind.word())
                .bind(sha.as_str())
                .bind(account)
                .fetch_one(pool)
                .await?
        });
        let is_readable = published > 0 || own > 0;
        Ok(Some(GmoText { sha, code, text, is_readable, is_usable: is_readable || by_code > 0 }))
    }

    /// What somebody keeps, newest first.
    pub async fn gmo_library(
        &self,
        kind: GmoKind,
        account: AccountId,
    ) -> Result<Vec<GmoKept>, StoreError> {
        const SQL: &str = "
            SELECT gmo_text.sha, gmo_text.code, gmo_text.text, gmo_keeper.name, account.name,
                gmo_keeper.published, gmo_keeper.by_code, gmo_keeper.kept_at
            FROM gmo_keeper
            JOIN gmo_text ON gmo_text.kind = gmo_keeper.kind AND gmo_text.sha = gmo_keeper.sha
            JOIN account ON account.id = gmo_keeper.account_id
            WHERE gmo_keeper.kind = $1 AND gmo_keeper.account_id = $2
            ORDER BY gmo_keeper.kept_at DESC, gmo_text.sha";
        let rows: Vec<KeptRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(kind.word()).bind(account.as_str()).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(kept).collect())
    }

    /// What was published, newest first: each text once, as the first of those who published it calls it. `after` is
    /// since when the last one of the page before is kept, and its hash.
    pub async fn published_gmo_texts(
        &self,
        kind: GmoKind,
        after: Option<(UnixMillis, String)>,
        limit: i64,
    ) -> Result<Vec<GmoKept>, StoreError> {
        const SQL: &str = "
            SELECT gmo_text.sha, gmo_text.code, gmo_text.text, keeper.name, account.name,
                keeper.published, keeper.by_code, keeper.kept_at
            FROM gmo_keeper AS keeper
            JOIN gmo_text ON gmo_text.kind = keeper.kind AND gmo_text.sha = keeper.sha
            JOIN account ON account.id = keeper.account_id
            WHERE keeper.kind = $1 AND keeper.published = 1
                AND (keeper.kept_at < $2 OR (keeper.kept_at = $2 AND keeper.sha > $3))
                AND NOT EXISTS (
                    SELECT 1 FROM gmo_keeper AS earlier
                    WHERE earlier.kind = keeper.kind AND earlier.sha = keeper.sha AND earlier.published = 1
                        AND (earlier.kept_at < keeper.kept_at
                            OR (earlier.kept_at = keeper.kept_at AND earlier.account_id < keeper.account_id)))
            ORDER BY keeper.kept_at DESC, keeper.sha LIMIT $4";
        let (kept_at, sha) = after.unwrap_or((UnixMillis(i64::MAX), String::new()));
        let rows: Vec<KeptRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(kind.word())
                .bind(kept_at.0)
                .bind(sha.as_str())
                .bind(limit)
                .fetch_all(pool)
                .await?
        });
        Ok(rows.into_iter().map(kept).collect())
    }

    /// Changes what a keeper decides. `NotFound` if the text is not in the keeper's library.
    pub async fn change_gmo_text(
        &self,
        kind: GmoKind,
        sha: String,
        keeper: AccountId,
        change: GmoChange,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE gmo_keeper SET name = COALESCE($4, name), published = COALESCE($5, published),
                by_code = COALESCE($6, by_code)
            WHERE account_id = $1 AND kind = $2 AND sha = $3";
        let changed = write_one!(
            self,
            SQL,
            keeper.as_str(),
            kind.word(),
            sha.as_str(),
            change.name.as_deref(),
            change.published.map(i64::from),
            change.by_code.map(i64::from),
        )?;
        found(changed)
    }

    /// Takes a text out of a library; the text itself stays for those who play with it. `NotFound` if it is not there.
    pub async fn forget_gmo_text(
        &self,
        kind: GmoKind,
        sha: String,
        keeper: AccountId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM gmo_keeper WHERE account_id = $1 AND kind = $2 AND sha = $3";
        found(write_one!(self, SQL, keeper.as_str(), kind.word(), sha.as_str())?)
    }

    /// Whether somebody keeps the genome of this hash and has not shown it to `account`.
    ///
    /// What nobody keeps is nobody's secret any more: a built-in piece, a mutant, or what its keepers have let go.
    pub async fn is_genome_withheld(
        &self,
        sha: &str,
        account: Option<AccountId>,
    ) -> Result<bool, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*),
                COALESCE(SUM(CASE WHEN published = 1 OR account_id = $2 THEN 1 ELSE 0 END), 0)
            FROM gmo_keeper WHERE kind = 'genome' AND sha = $1";
        let account = account.map(|account| account.to_string()).unwrap_or_default();
        let (keepers, shown): (i64, i64) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(sha).bind(account).fetch_one(pool).await?
        });
        Ok(keepers > 0 && shown == 0)
    }

    /// Whether somebody has published the genome of this hash.
    pub async fn is_genome_published(&self, sha: &str) -> Result<bool, StoreError> {
        const SQL: &str = "
            SELECT COUNT(*) FROM gmo_keeper WHERE kind = 'genome' AND sha = $1 AND published = 1";
        let (count,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(sha).fetch_one(pool).await?
        });
        Ok(count > 0)
    }
}

fn kept((sha, code, text, name, keeper, published, by_code, kept_at): KeptRow) -> GmoKept {
    let (published, by_code) = (published != 0, by_code != 0);
    GmoKept { sha, code, text, name, keeper, published, by_code, kept_at: UnixMillis(kept_at) }
}

fn built_in(kind: GmoKind, sha: Sha) -> Option<GmoStored> {
    kind.built_in().iter().any(|(known, _)| *known == sha).then(|| GmoStored {
        code: sha.prefix(MIN_CODE_DIGITS),
        sha: sha.to_string(),
        created: false,
    })
}

/// The codes of these rows and of what is built in, which came first.
fn book<'a>(
    kind: GmoKind,
    rows: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<CodeBook, StoreError> {
    let mut book = CodeBook::new();
    for (sha, _) in kind.built_in() {
        book.assign(sha);
    }
    for (sha, code) in rows {
        let damaged = || StoreError::Damaged(format!("the code {code} does not fit {sha}"));
        let code = Code::parse(code).map_err(|_| damaged())?;
        if !book.restore(read_sha(sha).ok_or_else(damaged)?, code) {
            return Err(damaged());
        }
    }
    Ok(book)
}

fn read_sha(text: &str) -> Option<Sha> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut sha = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in sha.iter_mut().zip(text.as_bytes().as_chunks::<2>().0) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(Sha(sha))
}

async fn insert_text(
    conn: &mut Conn,
    new: &NewGmoText,
    now: UnixMillis,
) -> Result<GmoStored, StoreError> {
    const SAME: &str = "SELECT sha, code FROM gmo_text WHERE kind = $1 AND prefix = $2";
    const INSERT: &str = "
        INSERT INTO gmo_text (kind, sha, prefix, code, text, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    let (sha, prefix) = (new.sha.to_string(), new.sha.prefix(MIN_CODE_DIGITS));
    let kind = new.kind.word();
    let rows: Vec<(String, String)> = on_db!(&mut *conn, c => {
        sqlx::query_as(SAME).bind(kind).bind(prefix.as_str()).fetch_all(&mut *c).await?
    });
    let mut book = book(new.kind, rows.iter().map(|(sha, code)| (sha.as_str(), code.as_str())))?;
    if let Some(code) = book.code_of(new.sha) {
        return Ok(GmoStored { code: code.to_string(), sha, created: false });
    }
    let code = book.assign(new.sha).to_string();
    on_db!(conn, c => {
        sqlx::query(INSERT)
            .bind(kind)
            .bind(sha.as_str())
            .bind(prefix.as_str())
            .bind(code.as_str())
            .bind(new.text.as_str())
            .bind(now.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(GmoStored { code, sha, created: true })
}

async fn keep(
    conn: &mut Conn,
    new: &NewGmoText,
    sha: &str,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const COUNT: &str = "
        SELECT COUNT(*), COALESCE(SUM(CASE WHEN sha = $3 THEN 1 ELSE 0 END), 0)
        FROM gmo_keeper WHERE account_id = $1 AND kind = $2";
    const KEEP: &str = "
        INSERT INTO gmo_keeper (account_id, kind, sha, name, published, by_code, kept_at)
        VALUES ($1, $2, $3, $4, 0, 0, $5)
        ON CONFLICT (account_id, kind, sha) DO UPDATE
        SET name = CASE WHEN $4 = '' THEN gmo_keeper.name ELSE $4 END";
    let kind = new.kind.word();
    let (count, own): (i64, i64) = on_db!(&mut *conn, c => {
        sqlx::query_as(COUNT)
            .bind(new.keeper.as_str())
            .bind(kind)
            .bind(sha)
            .fetch_one(&mut *c)
            .await?
    });
    if own == 0 && count >= new.most {
        return Err(StoreError::Conflict);
    }
    on_db!(conn, c => {
        sqlx::query(KEEP)
            .bind(new.keeper.as_str())
            .bind(kind)
            .bind(sha)
            .bind(new.name.as_str())
            .bind(now.0)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
