//! Studies: trees of variations that somebody keeps, as PGN.

use rules::{UnixMillis, Variant};

use crate::db::{on_db, write_one};
use crate::games::parse_id;
use crate::players::found;
use crate::{AccountId, Store, StoreError, StudyId};

/// A study, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Study {
    /// What a list shows of it.
    pub entry: StudyEntry,
    /// Whose it is.
    pub owner: AccountId,
    /// The tree.
    pub pgn: String,
}

/// A study as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyEntry {
    /// Its id.
    pub id: StudyId,
    /// What its owner calls it.
    pub name: String,
    /// Which game it is about.
    pub variant: Variant,
    /// Grows with every change.
    pub version: i64,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it was last changed.
    pub changed_at: UnixMillis,
}

#[derive(sqlx::FromRow)]
struct EntryRow {
    id: String,
    name: String,
    variant: String,
    version: i64,
    created_at: i64,
    changed_at: i64,
}

impl TryFrom<EntryRow> for StudyEntry {
    type Error = StoreError;
    fn try_from(row: EntryRow) -> Result<StudyEntry, StoreError> {
        Ok(StudyEntry {
            id: parse_id(&row.id)?,
            name: row.name,
            variant: serde_json::from_str(&row.variant)?,
            version: row.version,
            created_at: UnixMillis(row.created_at),
            changed_at: UnixMillis(row.changed_at),
        })
    }
}

impl Store {
    /// Keeps a new study. `Conflict` if its owner has `most` already.
    pub async fn create_study(&self, study: Study, most: u32) -> Result<(), StoreError> {
        const COUNT: &str = "SELECT COUNT(*) FROM study WHERE owner_id = $1";
        const SQL: &str = "
            INSERT INTO study (id, owner_id, name, variant, pgn, version, created_at, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let variant = serde_json::to_string(&study.entry.variant)?;
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        let (kept,): (i64,) = sqlx::query_as(COUNT)
                            .bind(study.owner.as_str())
                            .fetch_one(&mut *c)
                            .await?;
                        if kept >= i64::from(most) {
                            return Err(StoreError::Conflict);
                        }
                        sqlx::query(SQL)
                            .bind(study.entry.id.as_str())
                            .bind(study.owner.as_str())
                            .bind(study.entry.name)
                            .bind(variant)
                            .bind(study.pgn)
                            .bind(study.entry.version)
                            .bind(study.entry.created_at.0)
                            .bind(study.entry.changed_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// The studies of somebody, the one that was changed last first.
    pub async fn studies_of(&self, owner: AccountId) -> Result<Vec<StudyEntry>, StoreError> {
        const SQL: &str = "
            SELECT id, name, variant, version, created_at, changed_at FROM study
            WHERE owner_id = $1 ORDER BY changed_at DESC, id";
        let rows: Vec<EntryRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(owner.as_str()).fetch_all(pool).await?
        });
        rows.into_iter().map(StudyEntry::try_from).collect()
    }

    /// A study of this owner. `NotFound` if it is somebody else's.
    pub async fn load_study(&self, id: StudyId, owner: AccountId) -> Result<Study, StoreError> {
        const ENTRY: &str = "
            SELECT id, name, variant, version, created_at, changed_at FROM study
            WHERE id = $1 AND owner_id = $2";
        const PGN: &str = "SELECT pgn FROM study WHERE id = $1 AND owner_id = $2";
        let (row, (pgn,)): (EntryRow, (String,)) = on_db!(&*self.readers, pool => (
            sqlx::query_as(ENTRY).bind(id.as_str()).bind(owner.as_str()).fetch_one(pool).await?,
            sqlx::query_as(PGN).bind(id.as_str()).bind(owner.as_str()).fetch_one(pool).await?,
        ));
        Ok(Study { entry: row.try_into()?, owner, pgn })
    }

    /// Writes a study anew and gives its next version.
    ///
    /// `Conflict` if `version` is not the one that is kept, `NotFound` if there is none of this owner.
    pub async fn save_study(
        &self,
        id: StudyId,
        owner: AccountId,
        version: i64,
        name: String,
        pgn: String,
        now: UnixMillis,
    ) -> Result<i64, StoreError> {
        const FOUND: &str = "SELECT version FROM study WHERE id = $1 AND owner_id = $2";
        const SQL: &str = "
            UPDATE study SET name = $2, pgn = $3, changed_at = $4, version = version + 1
            WHERE id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        let (kept,): (i64,) = sqlx::query_as(FOUND)
                            .bind(id.as_str())
                            .bind(owner.as_str())
                            .fetch_one(&mut *c)
                            .await?;
                        if kept != version {
                            return Err(StoreError::Conflict);
                        }
                        sqlx::query(SQL)
                            .bind(id.as_str())
                            .bind(name)
                            .bind(pgn)
                            .bind(now.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(version + 1)
                })
            })
            .await
    }

    /// Throws a study away. `NotFound` if there is none of this owner.
    pub async fn delete_study(&self, id: StudyId, owner: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM study WHERE id = $1 AND owner_id = $2";
        found(write_one!(self, SQL, id.as_str(), owner.as_str())?)
    }
}
