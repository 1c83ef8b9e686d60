//! Mails on their way out: kept until the mail server has taken them.

use rules::UnixMillis;

use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::{MailId, Store, StoreError};

/// A mail to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMail {
    /// Its name here.
    pub id: MailId,
    /// The address it goes to.
    pub recipient: String,
    /// What it is about.
    pub subject: String,
    /// Its text.
    pub plain: String,
    /// Its text with marks.
    pub html: String,
    /// Where its reader says that no more should come; empty for mails that nobody can do without.
    pub unsubscribe: String,
}

/// A mail that waits, and how often it was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingMail {
    /// The mail.
    pub mail: NewMail,
    /// Attempts so far.
    pub attempts: i64,
    /// When it was written.
    pub created_at: UnixMillis,
}

/// A mail that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedMail {
    /// Its name here.
    pub id: MailId,
    /// The address it should have gone to.
    pub recipient: String,
    /// What it was about.
    pub subject: String,
    /// What the mail server or the line said the last time.
    pub problem: String,
    /// When it was written.
    pub created_at: UnixMillis,
}

/// How the outbox is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailCounts {
    /// Mails that wait.
    pub waiting: i64,
    /// The last problem of a mail that waits, if one had any.
    pub problem: Option<String>,
    /// The newest that were given up.
    pub failed: Vec<FailedMail>,
}

impl Store {
    /// Remembers a mail, to be sent as soon as possible.
    pub async fn queue_mail(&self, mail: NewMail, now: UnixMillis) -> Result<(), StoreError> {
        self.writer.run(move |conn| Box::pin(insert_mail(conn, mail, now))).await
    }

    /// The mail that should be sent now, if any: the one that has been due for the longest time.
    pub async fn next_due_mail(&self, now: UnixMillis) -> Result<Option<WaitingMail>, StoreError> {
        const SQL: &str = "
            SELECT id, recipient, subject, plain, html, unsubscribe, attempts, created_at FROM mail
            WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at, id LIMIT 1";
        type Row = (String, String, String, String, String, String, i64, i64);
        let row: Option<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(now.0).fetch_optional(pool).await?
        });
        row.map(|(id, recipient, subject, plain, html, unsubscribe, attempts, created_at)| {
            let id = parse_id(&id)?;
            let mail = NewMail { id, recipient, subject, plain, html, unsubscribe };
            Ok(WaitingMail { mail, attempts, created_at: UnixMillis(created_at) })
        })
        .transpose()
    }

    /// When the next mail will be due.
    pub async fn next_mail_due_at(&self) -> Result<Option<UnixMillis>, StoreError> {
        const SQL: &str = "SELECT MIN(due_at) FROM mail WHERE state = 'waiting'";
        let (at,): (Option<i64>,) =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_one(pool).await?);
        Ok(at.map(UnixMillis))
    }

    /// The mail server has taken it.
    pub async fn mail_was_sent(&self, id: MailId) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM mail WHERE id = $1";
        write_one!(self, SQL, id.as_str()).map(drop)
    }

    /// It was not taken: to be tried again at `due_at`.
    pub async fn mail_must_wait(
        &self,
        id: MailId,
        problem: String,
        due_at: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE mail SET attempts = attempts + 1, problem = $2, due_at = $3 WHERE id = $1";
        write_one!(self, SQL, id.as_str(), problem, due_at.0).map(drop)
    }

    /// It will never be taken. Its text goes: it may hold a link that opens an account.
    pub async fn mail_has_failed(&self, id: MailId, problem: String) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE mail
            SET state = 'failed', attempts = attempts + 1, problem = $2, plain = '', html = '', unsubscribe = ''
            WHERE id = $1";
        write_one!(self, SQL, id.as_str(), problem).map(drop)
    }

    /// Forgets failed mails that were written before `before`.
    pub async fn forget_failed_mails(&self, before: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM mail WHERE state = 'failed' AND created_at < $1";
        write_one!(self, SQL, before.0).map(drop)
    }

    /// How the outbox is.
    pub async fn count_mails(&self) -> Result<MailCounts, StoreError> {
        // One statement, so that a mail that fails meanwhile is not counted as both.
        const SQL: &str = "
            SELECT (SELECT COUNT(*) FROM mail WHERE state = 'waiting') AS waiting,
                   (SELECT problem FROM mail WHERE state = 'waiting' AND problem <> ''
                    ORDER BY due_at DESC LIMIT 1) AS waits_for,
                   failed.id, failed.recipient, failed.subject, failed.problem, failed.created_at
            FROM (SELECT 1 AS number) AS one
            LEFT JOIN (
                SELECT id, recipient, subject, problem, created_at FROM mail
                WHERE state = 'failed' ORDER BY created_at DESC, id LIMIT 50
            ) AS failed ON one.number = 1
            ORDER BY failed.created_at DESC, failed.id";
        let rows: Vec<OutboxRow> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        let mut counts = MailCounts { waiting: 0, problem: None, failed: Vec::new() };
        for row in rows {
            counts.waiting = row.waiting;
            counts.problem = row.waits_for;
            let failed = row.id.zip(row.recipient).zip(row.subject).zip(row.problem);
            if let Some(((((id, recipient), subject), problem), created_at)) =
                failed.zip(row.created_at)
            {
                let (id, created_at) = (parse_id(&id)?, UnixMillis(created_at));
                counts.failed.push(FailedMail { id, recipient, subject, problem, created_at });
            }
        }
        Ok(counts)
    }
}

/// The outbox's state beside each mail that failed; those columns are empty if none did.
#[derive(sqlx::FromRow)]
struct OutboxRow {
    waiting: i64,
    waits_for: Option<String>,
    id: Option<String>,
    recipient: Option<String>,
    subject: Option<String>,
    problem: Option<String>,
    created_at: Option<i64>,
}

/// Remembers a mail inside a transaction that does more.
pub(crate) async fn insert_mail(
    conn: &mut Conn,
    mail: NewMail,
    now: UnixMillis,
) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO mail
            (id, recipient, subject, plain, html, unsubscribe, state, attempts, due_at, problem, created_at)
        VALUES ($1, $2, $3, $4, $5, $7, 'waiting', 0, $6, '', $6)";
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(mail.id.as_str())
            .bind(mail.recipient)
            .bind(mail.subject)
            .bind(mail.plain)
            .bind(mail.html)
            .bind(now.0)
            .bind(mail.unsubscribe)
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
