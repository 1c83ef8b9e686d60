//! Mails to members: written down first, sent by a task of its own, so that a mail server that is down blocks nobody.
//!
//! Every other subject only calls [`Mail::queue`]. Without a mail server in the settings nothing is ever queued.

mod letter;

use std::sync::Arc;

use store::{MailId, NewMail, Store, StoreError};

use crate::config::MailConfig;
use crate::world::World;

pub use letter::MailKind;

/// Why a mail could not be queued.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MailError {
    /// There is no mail server in the settings.
    #[error("this club has no mail server; `[mail]` in the settings names one")]
    NotConfigured,
    /// The text is no address.
    #[error("this is no e-mail address")]
    BadAddress,
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
    config: MailConfig,
}

impl Mail {
    /// Makes ready for mails.
    pub fn new(store: Store, world: World, config: MailConfig) -> Mail {
        Mail(Arc::new(Inner { store, world, config }))
    }

    /// Whether there is a mail server: whether a mail may be promised to anybody.
    pub fn is_configured(&self) -> bool {
        !self.0.config.server.is_empty()
    }

    /// Writes a mail down; it is sent as soon as the mail server takes it.
    pub async fn queue(&self, to: &str, kind: MailKind) -> Result<(), MailError> {
        if !self.is_configured() {
            return Err(MailError::NotConfigured);
        }
        if !is_address(to) {
            return Err(MailError::BadAddress);
        }
        let club = self.0.store.setting("club_name").await?.unwrap_or_else(|| "Rookery".to_owned());
        let letter = letter::write(&kind, &club);
        let mail = NewMail {
            id: MailId::from_bits(self.0.world.chance.bits()),
            recipient: to.to_owned(),
            subject: letter.subject,
            plain: letter.plain,
            html: letter.html,
        };
        Ok(self.0.store.queue_mail(mail, self.0.world.time.now()).await?)
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
