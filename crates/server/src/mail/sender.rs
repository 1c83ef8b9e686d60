//! The task that empties the outbox. The table is its memory: a restart goes on where it was.

use std::sync::Arc;

use rules::UnixMillis;
use store::{StoreError, WaitingMail};
use tokio::sync::Notify;

use super::Mail;
use super::postman::{NotTaken, Postman};
use crate::outbox::{self, Untaken};

/// The longest wait between two attempts.
const LONGEST_WAIT: i64 = 15 * 60_000;
/// Given-up mails are shown to administrators for this long.
const REMEMBER_FAILED: i64 = 30 * 24 * 3_600_000;

/// Starts the task.
pub(super) fn start(mail: Mail, postman: Arc<Postman>, bell: Arc<Notify>) {
    tokio::spawn(async move {
        let time = mail.0.world.time.clone();
        loop {
            let rung = bell.notified();
            let next = empty(&mail, &postman).await;
            outbox::rest("mails", &time, rung, next).await;
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

fn next_attempt(waiting: &WaitingMail, now: UnixMillis) -> Option<UnixMillis> {
    let WaitingMail { attempts, created_at, .. } = *waiting;
    Untaken { attempts, created_at, longest_wait: LONGEST_WAIT, asked: 0 }.next_attempt(now)
}
