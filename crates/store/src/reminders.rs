//! Reminders: what somebody wants to be told, and what they are told once, also if the server stops in between.

use rules::UnixMillis;

use crate::db::{Conn, on_db, write_one};
use crate::games::parse_id;
use crate::mails::insert_mail;
use crate::pushes::insert_push;
use crate::{AccountId, GameId, NewMail, NewPush, Store, StoreError};

/// What somebody wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReminderChoice {
    /// Who.
    pub account: AccountId,
    /// JSON, as the application wrote it.
    pub choice: String,
    /// When the next daily letter is due.
    pub digest_at: Option<UnixMillis>,
    /// When they chose.
    pub changed_at: UnixMillis,
}

/// What somebody can be reminded of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReminderKind {
    /// It is their move.
    Move,
    /// Their time runs out.
    Low,
    /// Somebody invites them.
    Invitation,
    /// A game is over.
    Result,
}

impl ReminderKind {
    /// The kind in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            ReminderKind::Move => "move",
            ReminderKind::Low => "low",
            ReminderKind::Invitation => "invitation",
            ReminderKind::Result => "result",
        }
    }

    fn from_column(text: &str) -> Result<ReminderKind, StoreError> {
        match text {
            "move" => Ok(ReminderKind::Move),
            "low" => Ok(ReminderKind::Low),
            "invitation" => Ok(ReminderKind::Invitation),
            "result" => Ok(ReminderKind::Result),
            other => Err(StoreError::Damaged(format!("{other:?} is no kind of reminder"))),
        }
    }
}

/// Something that somebody is to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reminder {
    /// Whom.
    pub account: AccountId,
    /// Of what.
    pub kind: ReminderKind,
    /// The game, or the challenge.
    pub subject: GameId,
    /// The ply it is about: another one is another reminder.
    pub number: i64,
    /// Since when it waits.
    pub since: UnixMillis,
    /// When to look at it.
    pub due_at: UnixMillis,
}

/// How somebody is told: by what goes into the outboxes.
#[derive(Debug, Clone, Default)]
pub struct Telling {
    /// The mail.
    pub mail: Option<NewMail>,
    /// For each of their browsers.
    pub pushes: Vec<NewPush>,
}

type ChoiceRow = (String, String, Option<i64>, i64);

impl TryFrom<ChoiceRow> for ReminderChoice {
    type Error = StoreError;
    fn try_from((account, choice, digest_at, changed_at): ChoiceRow) -> Result<Self, StoreError> {
        let (digest_at, changed_at) = (digest_at.map(UnixMillis), UnixMillis(changed_at));
        Ok(ReminderChoice { account: parse_id(&account)?, choice, digest_at, changed_at })
    }
}

impl Store {
    /// Remembers what somebody wants to be told.
    pub async fn set_reminder_choice(&self, choice: ReminderChoice) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO reminder_choice (account_id, choice, digest_at, changed_at)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id) DO UPDATE SET choice = excluded.choice,
                digest_at = excluded.digest_at, changed_at = excluded.changed_at";
        write_one!(
            self,
            SQL,
            choice.account.as_str(),
            choice.choice,
            choice.digest_at.map(|at| at.0),
            choice.changed_at.0,
        )
        .map(drop)
    }

    /// What somebody wants to be told; none if they never said.
    pub async fn reminder_choice(
        &self,
        account: AccountId,
    ) -> Result<Option<ReminderChoice>, StoreError> {
        const SQL: &str = "
            SELECT account_id, choice, digest_at, changed_at FROM reminder_choice
            WHERE account_id = $1";
        let row: Option<ChoiceRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).fetch_optional(pool).await?
        });
        row.map(ReminderChoice::try_from).transpose()
    }

    /// What everybody wants to be told who ever said so.
    pub async fn reminder_choices(&self) -> Result<Vec<ReminderChoice>, StoreError> {
        const SQL: &str = "SELECT account_id, choice, digest_at, changed_at FROM reminder_choice";
        let rows: Vec<ChoiceRow> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        rows.into_iter().map(ReminderChoice::try_from).collect()
    }

    /// Whose daily letter is due.
    pub async fn due_digests(&self, now: UnixMillis) -> Result<Vec<ReminderChoice>, StoreError> {
        const SQL: &str = "
            SELECT account_id, choice, digest_at, changed_at FROM reminder_choice
            WHERE digest_at <= $1 ORDER BY digest_at LIMIT 100";
        let rows: Vec<ChoiceRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(now.0).fetch_all(pool).await?
        });
        rows.into_iter().map(ReminderChoice::try_from).collect()
    }

    /// Notes what is to be told. What was noted before for the same move stays as it is, told or not.
    pub async fn note_reminders(&self, reminders: Vec<Reminder>) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO reminder (account_id, kind, subject, number, since, due_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (account_id, kind, subject) DO UPDATE SET number = excluded.number,
                since = excluded.since, due_at = excluded.due_at
            WHERE reminder.number <> excluded.number";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    for reminder in reminders {
                        on_db!(&mut *conn, c => {
                            sqlx::query(SQL)
                                .bind(reminder.account.as_str())
                                .bind(reminder.kind.as_str())
                                .bind(reminder.subject.as_str())
                                .bind(reminder.number)
                                .bind(reminder.since.0)
                                .bind(reminder.due_at.0)
                                .execute(&mut *c)
                                .await?;
                        });
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Nobody has to move any more in a game that is over.
    pub async fn forget_moves_due(&self, game: GameId) -> Result<(), StoreError> {
        const SQL: &str = "DELETE FROM reminder WHERE subject = $1 AND kind IN ('move', 'low')";
        write_one!(self, SQL, game.as_str()).map(drop)
    }

    /// Forgets results and invitations that began to wait before a moment.
    pub async fn forget_old_reminders(&self, before: UnixMillis) -> Result<(), StoreError> {
        const SQL: &str =
            "DELETE FROM reminder WHERE kind IN ('invitation', 'result') AND since < $1";
        write_one!(self, SQL, before.0).map(drop)
    }

    /// What is to be looked at, the longest due first.
    pub async fn due_reminders(&self, now: UnixMillis) -> Result<Vec<Reminder>, StoreError> {
        const SQL: &str = "
            SELECT account_id, kind, subject, number, since, due_at FROM reminder
            WHERE due_at <= $1 ORDER BY due_at, account_id, subject LIMIT 100";
        type Row = (String, String, String, i64, i64, i64);
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(now.0).fetch_all(pool).await?
        });
        rows.into_iter()
            .map(|(account, kind, subject, number, since, due_at)| {
                Ok(Reminder {
                    account: parse_id(&account)?,
                    kind: ReminderKind::from_column(&kind)?,
                    subject: parse_id(&subject)?,
                    number,
                    since: UnixMillis(since),
                    due_at: UnixMillis(due_at),
                })
            })
            .collect()
    }

    /// When there is something to look at next: a reminder or a daily letter.
    pub async fn next_reminder_due_at(&self) -> Result<Option<UnixMillis>, StoreError> {
        const REMINDER: &str = "SELECT MIN(due_at) FROM reminder";
        const DIGEST: &str = "SELECT MIN(digest_at) FROM reminder_choice";
        let (reminder, digest): ((Option<i64>,), (Option<i64>,)) = on_db!(&*self.readers, pool => (
            sqlx::query_as(REMINDER).fetch_one(pool).await?,
            sqlx::query_as(DIGEST).fetch_one(pool).await?,
        ));
        Ok([reminder.0, digest.0].into_iter().flatten().min().map(UnixMillis))
    }

    /// Looks at it later.
    pub async fn postpone_reminder(
        &self,
        reminder: Reminder,
        due_at: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(
                    async move { move_reminder(conn, &reminder, Some(due_at)).await.map(drop) },
                )
            })
            .await
    }

    /// Tells it, or settles it without a word: what goes out and that it was told are one transaction. Gives whether
    /// it still had to be told.
    pub async fn settle_reminder(
        &self,
        reminder: Reminder,
        telling: Telling,
        now: UnixMillis,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let is_open = move_reminder(conn, &reminder, None).await?;
                    if is_open {
                        send(conn, telling, now).await?;
                    }
                    Ok(is_open)
                })
            })
            .await
    }

    /// The daily letter is on its way, or there was nothing to write; the next one is due then.
    pub async fn settle_digest(
        &self,
        choice: ReminderChoice,
        next: UnixMillis,
        telling: Telling,
        now: UnixMillis,
    ) -> Result<bool, StoreError> {
        const SQL: &str = "
            UPDATE reminder_choice SET digest_at = $3 WHERE account_id = $1 AND digest_at = $2";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let moved = on_db!(&mut *conn, c => {
                        sqlx::query(SQL)
                            .bind(choice.account.as_str())
                            .bind(choice.digest_at.map(|at| at.0))
                            .bind(next.0)
                            .execute(&mut *c)
                            .await?
                            .rows_affected()
                    });
                    if moved > 0 {
                        send(conn, telling, now).await?;
                    }
                    Ok(moved > 0)
                })
            })
            .await
    }

    /// The slow games of people with reminders that ended since a moment: who played, and when it ended.
    pub async fn slow_games_ended_since(
        &self,
        since: UnixMillis,
    ) -> Result<Vec<(GameId, [AccountId; 2], UnixMillis)>, StoreError> {
        const SQL: &str = "
            SELECT id, white_id, black_id, ended_at, setup FROM game
            WHERE ended_at >= $1 AND state = 'finished'
                AND (white_id IN (SELECT account_id FROM reminder_choice)
                    OR black_id IN (SELECT account_id FROM reminder_choice))
            ORDER BY ended_at LIMIT 10000";
        type Row = (String, String, String, i64, String);
        let rows: Vec<Row> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(since.0).fetch_all(pool).await?
        });
        let mut games = Vec::new();
        for (id, white, black, ended_at, setup) in rows {
            let setup: rules::Setup = serde_json::from_str(&setup)
                .map_err(|error| StoreError::Damaged(format!("game {id}: {error}")))?;
            if !setup.time.is_live() {
                let players = [parse_id(&white)?, parse_id(&black)?];
                games.push((parse_id(&id)?, players, UnixMillis(ended_at)));
            }
        }
        Ok(games)
    }
}

async fn move_reminder(
    conn: &mut Conn,
    reminder: &Reminder,
    due_at: Option<UnixMillis>,
) -> Result<bool, StoreError> {
    const SQL: &str = "
        UPDATE reminder SET due_at = $5
        WHERE account_id = $1 AND kind = $2 AND subject = $3 AND number = $4 AND due_at IS NOT NULL";
    let moved = on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(reminder.account.as_str())
            .bind(reminder.kind.as_str())
            .bind(reminder.subject.as_str())
            .bind(reminder.number)
            .bind(due_at.map(|at| at.0))
            .execute(&mut *c)
            .await?
            .rows_affected()
    });
    Ok(moved > 0)
}

async fn send(conn: &mut Conn, telling: Telling, now: UnixMillis) -> Result<(), StoreError> {
    if let Some(mail) = telling.mail {
        insert_mail(conn, mail, now).await?;
    }
    for push in telling.pushes {
        insert_push(conn, push, now).await?;
    }
    Ok(())
}
