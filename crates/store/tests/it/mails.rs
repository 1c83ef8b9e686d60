use rules::UnixMillis;
use store::{MailId, NewMail, Store};

use crate::on_both;
use crate::place::{NOW, TestPlace};

fn mail(n: u64) -> NewMail {
    NewMail {
        id: MailId::from_bits(n),
        recipient: format!("player{n}@example.org"),
        subject: "Hello".to_owned(),
        plain: "https://club.example/reset#Zq81xW".to_owned(),
        html: "<p>https://club.example/reset#Zq81xW</p>".to_owned(),
        unsubscribe: String::new(),
    }
}

async fn due(store: &Store, at: UnixMillis) -> Option<(MailId, i64)> {
    let waiting = store.next_due_mail(at).await.unwrap();
    waiting.map(|waiting| (waiting.mail.id, waiting.attempts))
}

on_both! {
    async fn a_mail_is_due_at_once_and_later_again_and_gone_when_sent(place: TestPlace) {
        let store = place.open().await;
        store.queue_mail(mail(1), NOW).await.unwrap();
        let (id, later) = (mail(1).id, UnixMillis(NOW.0 + 30_000));
        assert_eq!(due(&store, NOW).await, Some((id, 0)));
        store.mail_must_wait(id, "away".to_owned(), later).await.unwrap();
        assert_eq!(due(&store, NOW).await, None);
        assert_eq!(store.next_mail_due_at().await.unwrap(), Some(later));
        assert_eq!(store.count_mails().await.unwrap().problem.as_deref(), Some("away"));
        assert_eq!(due(&store, later).await, Some((id, 1)));
        store.mail_was_sent(id).await.unwrap();
        assert_eq!(store.next_mail_due_at().await.unwrap(), None);
    }

    async fn a_failed_mail_is_shown_without_its_text_and_forgotten_in_time(place: TestPlace) {
        let store = place.open().await;
        store.queue_mail(mail(1), NOW).await.unwrap();
        store.mail_has_failed(mail(1).id, "no such user".to_owned()).await.unwrap();
        assert_eq!(due(&store, NOW).await, None);
        let counts = store.count_mails().await.unwrap();
        assert_eq!((counts.waiting, counts.failed[0].problem.as_str()), (0, "no such user"));
        let file = place.folder().join("copy.db");
        store::backup(&place.place, &file).await.unwrap();
        let bytes = std::fs::read(file).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"Zq81xW"), "its link is gone");
        store.forget_failed_mails(UnixMillis(NOW.0 + 1)).await.unwrap();
        assert!(store.count_mails().await.unwrap().failed.is_empty());
    }
}
