//! Mails, with a real mail server at the other end.

use rules::UnixMillis;
use server::config::{MailTls, Settings};
use server::mail::{Mail, MailError, MailKind, NotTaken};
use server::world::{SimulatedTime, World};
use store::{MailId, NewMail, Place, Store};
use tempfile::TempDir;

use crate::club::Club;
use crate::smtp::MailServer;

/// A post office without the rest of the server.
struct Office {
    mail: Mail,
    store: Store,
    time: SimulatedTime,
    _folder: TempDir,
}

impl Office {
    async fn open(server: &MailServer) -> Office {
        let folder = tempfile::tempdir().unwrap();
        let (world, time) = World::simulated(7);
        let store = open_store(&folder).await;
        let mail = Mail::start(store.clone(), world, &server.config()).unwrap();
        Office { mail, store, time, _folder: folder }
    }

    async fn queue_reset(&self, to: &str) {
        let url = "https://club.example/reset#secret".to_owned();
        let kind = MailKind::PasswordReset { name: "ann".to_owned(), url };
        self.mail.queue(to, kind).await.unwrap();
    }

    async fn counts(&self) -> (i64, usize) {
        let counts = self.mail.counts().await.unwrap();
        (counts.waiting, counts.failed.len())
    }

    async fn wait_for_counts(&self, expected: (i64, usize)) {
        let mut last = self.counts().await;
        for _ in 0..1_000 {
            if last == expected {
                return;
            }
            pause().await;
            last = self.counts().await;
        }
        panic!("waited for {expected:?}, have {last:?}");
    }
}

async fn open_store(folder: &TempDir) -> Store {
    let place = Place::Sqlite(folder.path().join("rookery.db"));
    Store::open(place, &folder.path().join("backups")).await.unwrap()
}

#[expect(clippy::disallowed_methods, reason = "the mail server does not live in simulated time")]
async fn pause() {
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
}

#[tokio::test]
async fn a_mail_arrives_in_plain_text_and_html_over_every_kind_of_line() {
    for tls in [MailTls::None, MailTls::Starttls, MailTls::Tls] {
        let server = MailServer::start(tls).await;
        let office = Office::open(&server).await;
        office.queue_reset("ann@example.org").await;
        let mails = server.wait_for(1).await;
        let mail = &mails[0];
        for part in [
            "From: \"Rook End\" <chess@example.org>",
            "To: ann@example.org",
            "multipart/alternative",
            "text/plain",
            "text/html",
            "https://club.example/reset#secret",
            "Date: Thu, 01 Jan 2026 00:00:00 +0000",
        ] {
            assert!(mail.contains(part), "{tls:?}: no {part} in\n{mail}");
        }
        office.wait_for_counts((0, 0)).await;
    }
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_gets_no_mail() {
    let server = MailServer::start(MailTls::Starttls).await;
    let folder = tempfile::tempdir().unwrap();
    let store = open_store(&folder).await;
    let mut config = server.config();
    config.authority.clear();
    let mail = Mail::start(store, World::simulated(1).0, &config).unwrap();
    let refused = mail.send_test("ann@example.org").await.unwrap_err();
    assert!(matches!(refused, MailError::NotTaken(NotTaken::Later(_))), "{refused}");
    assert!(server.mails().is_empty());
}

#[tokio::test]
async fn while_the_mail_server_is_down_mails_wait_and_nobody_else_does() {
    let mut server = MailServer::new(MailTls::None);
    let office = Office::open(&server).await;
    office.queue_reset("ann@example.org").await;
    office.queue_reset("bob@example.org").await;
    wait_for_problem(&office).await;
    assert_eq!(office.counts().await, (2, 0));
    server.run().await;
    office.time.advance(29_000);
    pause().await;
    assert!(server.mails().is_empty(), "the wait is not over");
    office.time.advance(2_000);
    server.wait_for(2).await;
    office.wait_for_counts((0, 0)).await;
}

async fn wait_for_problem(office: &Office) {
    for _ in 0..1_000 {
        // Both have been tried once their next attempt lies ahead.
        let due = office.store.next_due_mail(office.time.now()).await.unwrap();
        if due.is_none() && office.mail.counts().await.unwrap().problem.is_some() {
            return;
        }
        pause().await;
    }
    panic!("the mail server is down, and nobody noticed");
}

#[tokio::test]
async fn a_crash_loses_no_mail() {
    let mut server = MailServer::new(MailTls::None);
    let settings = Settings { mail: server.config(), ..Settings::default() };
    let club = Club::open_as(settings).await;
    let mail = NewMail {
        id: MailId::from_bits(1),
        recipient: "ann@example.org".to_owned(),
        subject: "Hello".to_owned(),
        plain: "Hello".to_owned(),
        html: "<p>Hello</p>".to_owned(),
        unsubscribe: String::new(),
    };
    club.store().queue_mail(mail, club.time.now()).await.unwrap();
    let club = club.crash_and_start_after(1_000).await;
    assert_eq!(club.store().count_mails().await.unwrap().waiting, 1);
    server.run().await;
    club.time.advance(3_600_000);
    server.wait_for(1).await;
}

#[tokio::test]
async fn a_mail_that_is_refused_for_good_is_kept_without_its_text() {
    let server = MailServer::start_refusing().await;
    let office = Office::open(&server).await;
    office.queue_reset("ann@example.org").await;
    office.wait_for_counts((0, 1)).await;
    let failed = office.mail.counts().await.unwrap().failed.remove(0);
    assert_eq!(failed.recipient, "ann@example.org");
    assert!(failed.problem.contains("552"), "{}", failed.problem);
    let in_an_hour = UnixMillis(office.time.now().0 + 3_600_000);
    assert_eq!(office.store.next_due_mail(in_an_hour).await.unwrap(), None);
    // The sender must have gone to sleep: it looks again a minute after it did.
    pause().await;
    office.time.advance(30 * 24 * 3_600_000 + 1);
    office.wait_for_counts((0, 0)).await;
}

#[tokio::test]
async fn without_a_mail_server_nothing_is_queued() {
    let folder = tempfile::tempdir().unwrap();
    let store = open_store(&folder).await;
    let world = World::simulated(1).0;
    let mail = Mail::start(store, world, &Settings::default().mail).unwrap();
    assert!(!mail.is_configured());
    let refused = mail.queue("ann@example.org", MailKind::Test).await;
    assert!(matches!(refused, Err(MailError::NotConfigured)));
    assert_eq!(mail.counts().await.unwrap().waiting, 0);
}

#[tokio::test]
async fn no_address_and_no_name_reaches_a_second_recipient() {
    let server = MailServer::start(MailTls::None).await;
    let office = Office::open(&server).await;
    for bad in ["ann@example.org\r\nBcc: eve@example.org", "ann@example.org,eve@example.org"] {
        let refused = office.mail.queue(bad, MailKind::Test).await;
        assert!(matches!(refused, Err(MailError::BadAddress)), "{bad:?}");
    }
    let name = "ann\r\nBcc: eve@example.org\r\n.\r\nRCPT TO:<eve@example.org>".to_owned();
    office.mail.queue("ann@example.org", MailKind::PasswordChanged { name }).await.unwrap();
    let mails = server.wait_for(1).await;
    assert!(mails[0].contains("X-RcptTo: ann@example.org\n"), "{}", mails[0]);
    office.wait_for_counts((0, 0)).await;
    assert_eq!(server.mails().len(), 1);
}
