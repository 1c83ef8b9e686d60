//! Carrying one mail to the mail server.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::response::{Category, Severity};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use rules::UnixMillis;
use store::NewMail;

use crate::config::{MailConfig, MailTls};

/// How long the mail server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why the settings name no mail server that could be used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BadMailSettings {
    /// The sender's address is missing or none.
    #[error(
        "`from` under [mail] must be an address such as \"Rook End <chess@example.org>\", not {0:?}"
    )]
    From(String),
    /// The file of one's own authority cannot be used.
    #[error("`authority` under [mail]: {0}: {1}")]
    Authority(String, String),
    /// The encryption cannot be set up.
    #[error("the encryption for [mail] cannot be set up: {0}")]
    Tls(String),
}

/// Why a mail was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    /// The mail server is away, busy or refuses us: another attempt may help.
    #[error("{0}")]
    Later(String),
    /// The mail server refuses this mail: another attempt would not help.
    #[error("{0}")]
    Never(String),
}

/// Knows the way to the mail server.
pub struct Postman {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Postman {
    /// Makes ready, without asking the mail server yet.
    pub fn new(config: &MailConfig) -> Result<Postman, BadMailSettings> {
        let from = config.from.parse().map_err(|_| BadMailSettings::From(config.from.clone()))?;
        let tls = match config.tls {
            MailTls::None => Tls::None,
            MailTls::Starttls => Tls::Required(tls_parameters(config)?),
            MailTls::Tls => Tls::Wrapper(tls_parameters(config)?),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.server)
            .port(config.port)
            .tls(tls)
            .timeout(Some(PATIENCE));
        if !config.user.is_empty() {
            let (user, password) = (config.user.clone(), config.password.clone());
            builder = builder.credentials(Credentials::new(user, password));
        }
        Ok(Postman { transport: builder.build(), from })
    }

    /// Hands a mail to the mail server.
    pub async fn deliver(&self, mail: &NewMail, written_at: UnixMillis) -> Result<(), NotTaken> {
        let message = self.message(mail, written_at)?;
        self.transport.send(message).await.map(drop).map_err(|error| {
            // 55x speaks of this mail: no such recipient, too large. Other refusals (a wrong password of ours, a
            // blocked address) are about us and end when the owner has mended them.
            let about_the_mail = error.status().is_some_and(|code| {
                code.severity == Severity::PermanentNegativeCompletion
                    && code.category == Category::MailSystem
            });
            let text = whole(&error);
            if about_the_mail { NotTaken::Never(text) } else { NotTaken::Later(text) }
        })
    }

    /// The mail as it travels. Ids and the boundary come from the mail's own id, so that one that is sent twice (the
    /// machine stopped between the mail server's yes and our note of it) can be recognised as one.
    fn message(&self, mail: &NewMail, written_at: UnixMillis) -> Result<Message, NotTaken> {
        let never = |text: String| NotTaken::Never(text);
        let to: lettre::Address =
            mail.recipient.parse().map_err(|_| never("no address".to_owned()))?;
        let written = UNIX_EPOCH + Duration::from_millis(u64::try_from(written_at.0).unwrap_or(0));
        let part = |kind: ContentType, text: &str| {
            SinglePart::builder().content_type(kind).body(text.to_owned())
        };
        let mut builder = Message::builder();
        for (name, value) in unsubscribe_headers(&mail.unsubscribe) {
            builder = builder.raw_header(HeaderValue::new(name, value));
        }
        builder
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&mail.subject)
            .date(written)
            .message_id(Some(format!("<{}@{}>", mail.id, self.from.email.domain())))
            .multipart(
                MultiPart::alternative()
                    .boundary(format!("rookery-{}", mail.id))
                    .singlepart(part(ContentType::TEXT_PLAIN, &mail.plain))
                    .singlepart(part(ContentType::TEXT_HTML, &mail.html)),
            )
            .map_err(|error| never(error.to_string()))
    }
}

/// How a mail program offers to stop such mails: RFC 2369, and at one click RFC 8058.
fn unsubscribe_headers(url: &str) -> Vec<(HeaderName, String)> {
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>');
    if url.is_empty() || !url.chars().all(is_plain) {
        return Vec::new();
    }
    let name = HeaderName::new_from_ascii_str;
    vec![
        (name("List-Unsubscribe"), format!("<{url}>")),
        (name("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click".to_owned()),
        (name("Auto-Submitted"), "auto-generated".to_owned()),
    ]
}

fn tls_parameters(config: &MailConfig) -> Result<TlsParameters, BadMailSettings> {
    let mut builder = TlsParameters::builder(config.server.clone());
    if !config.authority.is_empty() {
        let bad = |why: String| BadMailSettings::Authority(config.authority.clone(), why);
        let pem = std::fs::read(&config.authority).map_err(|error| bad(error.to_string()))?;
        let certificate = Certificate::from_pem(&pem).map_err(|error| bad(error.to_string()))?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(|error| BadMailSettings::Tls(error.to_string()))
}

/// The error with its causes, on one line and not longer than anybody would read.
fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::MailId;

    fn postman(from: &str) -> Result<Postman, BadMailSettings> {
        let config = MailConfig {
            server: "localhost".to_owned(),
            tls: MailTls::None,
            from: from.to_owned(),
            ..MailConfig::default()
        };
        Postman::new(&config)
    }

    #[test]
    fn the_sender_must_be_an_address() {
        for bad in ["", "chess", "a@b\r\nBcc: c@d"] {
            assert!(matches!(postman(bad), Err(BadMailSettings::From(_))), "{bad:?}");
        }
        assert!(postman("Rook End <chess@example.org>").is_ok());
    }

    #[test]
    fn no_text_of_a_mail_makes_a_header() {
        let evil = "x\r\nBcc: eve@example.org\r\n\r\nhello";
        let mail = NewMail {
            id: MailId::from_bits(1),
            recipient: "ann@example.org".to_owned(),
            subject: evil.to_owned(),
            plain: evil.to_owned(),
            html: evil.to_owned(),
            unsubscribe: evil.to_owned(),
        };
        let postman = postman("chess@example.org").unwrap();
        let bytes = postman.message(&mail, UnixMillis(0)).unwrap().formatted();
        let text = String::from_utf8(bytes).unwrap();
        let head = text.split_once("\r\n\r\n").unwrap().0;
        assert!(!head.lines().any(|line| line.to_lowercase().starts_with("bcc")), "{head}");
        let to_two = NewMail {
            recipient: "ann@example.org\r\nRCPT TO:<eve@example.org>".to_owned(),
            ..mail
        };
        assert!(postman.message(&to_two, UnixMillis(0)).is_err());
    }
}
