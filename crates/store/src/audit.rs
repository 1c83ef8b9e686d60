//! Who did what to whom: a log that is only ever added to.

use rules::UnixMillis;

use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::{AccountId, Store, StoreError};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its number; later lines have greater ones.
    pub seq: i64,
    /// When.
    pub at: UnixMillis,
    /// Who, with the name they have now; nobody: somebody at the machine itself, or the program.
    pub actor: Option<(AccountId, String)>,
    /// What, in one word: `role_granted`.
    pub act: String,
    /// To whom, with the name they have now.
    pub subject: Option<(AccountId, String)>,
    /// What else there is to say.
    pub detail: String,
}

/// How many lines one page has at most.
pub const AUDIT_PAGE: usize = 50;

impl Store {
    /// Notes an act that has no other writes to happen with.
    pub async fn audit(
        &self,
        actor: Option<AccountId>,
        act: &'static str,
        subject: Option<AccountId>,
        detail: &str,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let detail = detail.to_owned();
        self.writer
            .run(move |conn| Box::pin(insert_audit(conn, actor, act, subject, detail, now)))
            .await
    }

    /// The number of the newest line; 0 if there is none.
    pub async fn newest_audit(&self) -> Result<i64, StoreError> {
        const SQL: &str = "SELECT COALESCE(MAX(seq), 0) FROM audit";
        let (seq,): (i64,) =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_one(pool).await?);
        Ok(seq)
    }

    /// Whose sessions have ended by an act after line `after`, up to line `until`.
    pub async fn who_was_signed_out(
        &self,
        after: i64,
        until: i64,
    ) -> Result<Vec<AccountId>, StoreError> {
        const SQL: &str = "
            SELECT DISTINCT subject_id FROM audit
            WHERE seq > $1 AND seq <= $2 AND subject_id IS NOT NULL
              AND (act IN ('sessions_ended', 'account_deleted') OR (act = 'state_changed' AND detail <> 'active')
                   OR (act = 'password_changed' AND (actor_id IS NULL OR actor_id <> subject_id)))";
        let rows: Vec<(String,)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(after).bind(until).fetch_all(pool).await?
        });
        rows.iter().map(|(id,)| parse_id(id)).collect()
    }

    /// The lines before `before` (the newest without it), newest first; all of them, or an actor's, or a subject's.
    pub async fn load_audit(
        &self,
        before: Option<i64>,
        actor: Option<AccountId>,
        subject: Option<AccountId>,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        const SQL: &str = "
            SELECT audit.seq, audit.at, audit.actor_id, actor.name, audit.act,
                   audit.subject_id, subject.name, audit.detail
            FROM audit
            LEFT JOIN account AS actor ON actor.id = audit.actor_id
            LEFT JOIN account AS subject ON subject.id = audit.subject_id
            WHERE audit.seq < $1
              AND ($2 = '' OR audit.actor_id = $2)
              AND ($3 = '' OR audit.subject_id = $3)
            ORDER BY audit.seq DESC LIMIT $4";
        type Row = (
            i64,
            i64,
            Option<String>,
            Option<String>,
            String,
            Option<String>,
            Option<String>,
            String,
        );
        let text = |id: Option<AccountId>| id.map(String::from).unwrap_or_default();
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL)
                .bind(before.unwrap_or(i64::MAX))
                .bind(text(actor))
                .bind(text(subject))
                .bind(i64::try_from(AUDIT_PAGE).unwrap_or(i64::MAX))
                .fetch_all(pool)
                .await?
        });
        let person = |id: Option<String>, name: Option<String>| {
            id.map(|id| Ok::<_, StoreError>((parse_id(&id)?, name.unwrap_or_default()))).transpose()
        };
        rows.into_iter()
            .map(|(seq, at, actor, actor_name, act, subject, subject_name, detail)| {
                Ok(AuditEntry {
                    seq,
                    at: UnixMillis(at),
                    actor: person(actor, actor_name)?,
                    act,
                    subject: person(subject, subject_name)?,
                    detail,
                })
            })
            .collect()
    }
}

/// Notes an act inside the transaction that does it: one does not happen without the other.
pub(crate) async fn insert_audit(
    conn: &mut Conn,
    actor: Option<AccountId>,
    act: &'static str,
    subject: Option<AccountId>,
    detail: String,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO audit (seq, at, actor_id, act, subject_id, detail)
        SELECT COALESCE(MAX(seq), 0) + 1, $1, $2, $3, $4, $5 FROM audit";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(now.0)
            .bind(actor.map(String::from))
            .bind(act)
            .bind(subject.map(String::from))
            .bind(detail)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
