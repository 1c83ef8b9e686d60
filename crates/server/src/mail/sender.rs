//! The task that empties the outbox. The table is its memory: a restart goes on where it was.

use std::sync::Arc;

use rules::UnixMillis;
use store::{StoreError, WaitingMail};
use tokio::sync::Notify;

use super::Mail;
use super::postman::{NotTaken, Postman};

/// The first wait after a mail was not taken; each further one is twice as long …
const FIRST_WAIT: i64 = 30_000;
/// … up to this.
const LONGEST_WAIT: i64 = 15 * 60_000;
/// After this a mail is given up: links in it have ended long before.
const GIVE_UP_AFTER: i64 = 24 * 3_600_000;
/// Given-up mails are shown to administrators for this long.
const REMEMBER_FAILED: i64 = 30 * 24 * 3_600_000;
/// The outbox is looked at this often even if nobody has rung.
const LOOK_EVERY: i64 = 60_000;

/// Starts the task.
pub(super) fn start(mail: Mail, postman: Arc<Postman>, bell: Arc<Notify>) {
    tokio::spawn(async move {
        let time = mail.0.world.time.clone();
        loop {
            let rung = bell.notified();
            let next = match empty(&mail, &postman).await {
                Ok(next) => next,
                Err(error) => {
                    tracing::warn!(%error, "the outbox cannot be read or written; trying again");
                    None
                }
            };
            let latest = UnixMillis(time.now().0 + LOOK_EVERY);
            tokio::select! {
                () = rung => {}
                () = time.sleep_until(next.unwrap_or(latest).min(latest)) => {}
            }
        }
    });
}

/// Sends what is due; gives the moment when the next mail will be.
async fn empty(mail: &Mail, postman: &Postman) -> Result<Option<UnixMillis>, StoreError> {
    let (store, time) = (&mail.0.store, &mail.0.world.time);
    store.forget_failed_mails(UnixMillis(time.now().0 - REMEMBER_FAILED)).await?;
    while let Some(waiting) = store.next_due_mail(time.now()).await? {
        let id = waiting.mail.id;
        match postman.deliver(&waiting.mail, waiting.created_at).await {
            Ok(()) => store.mail_was_sent(id).await?,
            Err(NotTaken::Later(problem)) => {
                tracing::warn!(%id, problem, attempts = waiting.attempts + 1, "a mail must wait");
                match next_attempt(&waiting, time.now()) {
                    Some(at) => store.mail_must_wait(id, problem, at).await?,
                    None => store.mail_has_failed(id, problem).await?,
                }
            }
            Err(NotTaken::Never(problem)) => {
                tracing::warn!(%id, problem, "a mail was refused for good");
                store.mail_has_failed(id, problem).await?;
            }
        }
    }
    store.next_mail_due_at().await
}

/// When to try again; never, if it has been tried for too long.
fn next_attempt(waiting: &WaitingMail, now: UnixMillis) -> Option<UnixMillis> {
    let doublings = u32::try_from(waiting.attempts).unwrap_or(u32::MAX).min(16);
    let wait = (FIRST_WAIT << doublings).min(LONGEST_WAIT);
    (now.0 + wait < waiting.created_at.0 + GIVE_UP_AFTER).then_some(UnixMillis(now.0 + wait))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{MailId, NewMail};

    fn check(attempts: i64, age: i64, expected: Option<i64>) {
        let mail = NewMail {
            id: MailId::from_bits(1),
            recipient: String::new(),
            subject: String::new(),
            plain: String::new(),
            html: String::new(),
            unsubscribe: String::new(),
        };
        let waiting = WaitingMail { mail, attempts, created_at: UnixMillis(0) };
        let wait = next_attempt(&waiting, UnixMillis(age)).map(|at| at.0 - age);
        assert_eq!(wait, expected, "attempt {attempts} at {age}");
    }

    #[test]
    fn waits_grow_to_a_quarter_of_an_hour_and_end_after_a_day() {
        check(0, 0, Some(30_000));
        check(1, 30_000, Some(60_000));
        check(4, 600_000, Some(480_000));
        check(5, 600_000, Some(900_000));
        check(1_000_000, 600_000, Some(900_000));
        check(90, GIVE_UP_AFTER - 900_001, Some(900_000));
        check(90, GIVE_UP_AFTER - 900_000, None);
    }
}
