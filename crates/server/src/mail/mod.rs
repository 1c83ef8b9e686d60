//! Mails to members: written down first, sent by a task of its own, so that a mail server that is down blocks nobody.
//!
//! Every other subject only calls [`Mail::queue`]. Without a mail server in the settings nothing is ever queued.

mod letter;
mod postman;
mod sender;

use std::sync::Arc;

use store::{MailCounts, MailId, NewMail, Store, StoreError};
use tokio::sync::Notify;

use crate::config::MailConfig;
use crate::world::World;

pub use letter::{MailKind, ReminderMail};
pub use postman::{BadMailSettings, NotTaken, Postman};

/// Why a mail could not be queued.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MailError {
    /// There is no mail server in the settings.
    #[error("this club has no mail server; `[mail]` in the settings names one")]
    NotConfigured,
    /// The text is no address.
    #[error("this is no e-mail address")]
    BadAddress,
    /// The settings name a mail server that cannot be used.
    #[error(transparent)]
    Settings(#[from] BadMailSettings),
    /// The mail server said no.
    #[error("the mail server did not take it: {0}")]
    NotTaken(#[from] NotTaken),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The post office. Cheap to clone.
#[derive(Clone)]
pub struct Mail(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    /// None without a mail server in the settings.
    postman: Option<Arc<Postman>>,
    /// Rung when there is a new mail.
    bell: Arc<Notify>,
}

impl Mail {
    /// Starts sending what the outbox holds, if there is a mail server in the settings.
    pub fn start(store: Store, world: World, config: &MailConfig) -> Result<Mail, BadMailSettings> {
        let postman = match config.server.as_str() {
            "" => None,
            _ => Some(Arc::new(Postman::new(config)?)),
        };
        let bell = Arc::new(Notify::new());
        let mail = Mail(Arc::new(Inner { store, world, postman, bell }));
        if let Some(postman) = mail.0.postman.clone() {
            sender::start(mail.clone(), postman, mail.0.bell.clone());
        }
        Ok(mail)
    }

    /// Whether there is a mail server: whether a mail may be promised to anybody.
    pub fn is_configured(&self) -> bool {
        self.0.postman.is_some()
    }

    /// Writes a mail down; it is sent as soon as the mail server takes it.
    pub async fn queue(&self, to: &str, kind: MailKind) -> Result<(), MailError> {
        if !self.is_configured() {
            return Err(MailError::NotConfigured);
        }
        if !is_address(to) {
            return Err(MailError::BadAddress);
        }
        let mail = self.write(to, &kind).await?;
        self.0.store.queue_mail(mail, self.0.world.time.now()).await?;
        self.0.bell.notify_one();
        Ok(())
    }

    /// Sends a mail past the outbox and waits for the mail server's word on it.
    pub async fn send_test(&self, to: &str) -> Result<(), MailError> {
        let postman = self.0.postman.as_ref().ok_or(MailError::NotConfigured)?;
        if !is_address(to) {
            return Err(MailError::BadAddress);
        }
        let mail = self.write(to, &MailKind::Test).await?;
        Ok(postman.deliver(&mail, self.0.world.time.now()).await?)
    }

    /// Writes a mail that goes into the outbox together with something else; [`Mail::ring`] then sends it.
    pub(crate) async fn compose(&self, to: &str, kind: &MailKind) -> Result<NewMail, MailError> {
        if !self.is_configured() {
            return Err(MailError::NotConfigured);
        }
        if !is_address(to) {
            return Err(MailError::BadAddress);
        }
        Ok(self.write(to, kind).await?)
    }

    /// There is something new in the outbox.
    pub(crate) fn ring(&self) {
        self.0.bell.notify_one();
    }

    /// How the outbox is.
    pub async fn counts(&self) -> Result<MailCounts, StoreError> {
        self.0.store.count_mails().await
    }

    async fn write(&self, to: &str, kind: &MailKind) -> Result<NewMail, StoreError> {
        let club = self.0.store.setting("club_name").await?.unwrap_or_else(|| "Rookery".to_owned());
        Ok(compose(MailId::from_bits(self.0.world.chance.bits()), to, kind, &club))
    }
}

/// Sends a test mail without a running server, for the command line.
pub async fn send_test(
    config: &MailConfig,
    to: &str,
    club: &str,
    world: &World,
) -> Result<(), MailError> {
    if config.server.is_empty() {
        return Err(MailError::NotConfigured);
    }
    let postman = Postman::new(config)?;
    if !is_address(to) {
        return Err(MailError::BadAddress);
    }
    let mail = compose(MailId::from_bits(world.chance.bits()), to, &MailKind::Test, club);
    Ok(postman.deliver(&mail, world.time.now()).await?)
}

fn compose(id: MailId, to: &str, kind: &MailKind, club: &str) -> NewMail {
    let letter = letter::write(kind, club);
    let unsubscribe = match kind {
        MailKind::Reminder(reminder) => reminder.one_click.clone(),
        _ => String::new(),
    };
    NewMail {
        id,
        recipient: to.to_owned(),
        subject: letter.subject,
        plain: letter.plain,
        html: letter.html,
        unsubscribe,
    }
}

/// Whether a text has the form of an e-mail address. Whether anybody reads there only a mail can tell.
pub fn is_address(text: &str) -> bool {
    text.len() <= 254
        && text.parse::<lettre::Address>().is_ok_and(|address| address.domain().contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        assert_eq!(is_address(text), expected, "{text:?}");
    }

    #[test]
    fn an_address_has_a_name_and_a_domain_and_nothing_that_could_end_a_header() {
        check("ann@example.org", true);
        check("ann.lee+chess@mail.example.org", true);
        for bad in [
            "",
            "ann",
            "ann@",
            "@example.org",
            "ann@localhost",
            "ann@example.org\r\nBcc: eve@example.org",
            "ann@example.org\n",
            "ann @example.org",
            "Ann <ann@example.org>",
            "ann@example.org, eve@example.org",
            "ann@exam\0ple.org",
        ] {
            check(bad, false);
        }
        check(&format!("{}@example.org", "a".repeat(250)), false);
    }
}
