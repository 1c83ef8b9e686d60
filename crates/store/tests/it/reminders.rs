use rules::UnixMillis;
use store::{
    GameId, MailId, NewMail, NewPush, NewSession, PushId, Reminder, ReminderChoice, ReminderKind,
    Store, Subscription, SubscriptionId, Telling,
};

use crate::on_both;
use crate::place::{NOW, TestPlace, player, token};

const LATER: UnixMillis = UnixMillis(NOW.0 + 60_000);

fn reminder(account: store::AccountId, number: i64) -> Reminder {
    let subject = GameId::from_bits(1);
    Reminder { account, kind: ReminderKind::Move, subject, number, since: NOW, due_at: LATER }
}

fn mail() -> NewMail {
    NewMail {
        id: MailId::from_bits(1),
        recipient: "anna@example.org".to_owned(),
        subject: "Your move".to_owned(),
        plain: "Your move".to_owned(),
        html: "<p>Your move</p>".to_owned(),
        unsubscribe: "https://club.example/stop".to_owned(),
    }
}

/// Somebody with a session and a browser that is told.
async fn subscribed(store: &Store, n: u8) -> (store::AccountId, SubscriptionId) {
    let account = player(store, n, &format!("player{n}")).await.id;
    let session = NewSession {
        token: token(n),
        device: "a phone".to_owned(),
        address: "127.0.0.1".to_owned(),
        expires_at: UnixMillis(NOW.0 + 1_000_000),
        replaces: None,
    };
    store.start_session(account, session, NOW).await.unwrap();
    let id = SubscriptionId::from_bits(n.into());
    let subscription = Subscription {
        id,
        account,
        endpoint: format!("https://push.example/{n}"),
        public_key: vec![4; 65],
        auth: vec![1; 16],
        device: "a phone".to_owned(),
        created_at: NOW,
    };
    store.subscribe(subscription, token(n)).await.unwrap();
    (account, id)
}

on_both! {
    async fn a_reminder_is_told_once_with_what_it_puts_into_the_outboxes(place: TestPlace) {
        let store = place.open().await;
        let (account, browser) = subscribed(&store, 1).await;
        let first = reminder(account, 4);
        store.note_reminders(vec![first]).await.unwrap();
        store.note_reminders(vec![Reminder { due_at: NOW, ..first }]).await.unwrap();
        assert_eq!(store.due_reminders(NOW).await.unwrap(), [], "what was noted stays");
        assert_eq!(store.next_reminder_due_at().await.unwrap(), Some(LATER));
        assert_eq!(store.due_reminders(LATER).await.unwrap(), [first]);
        let push = NewPush { id: PushId::from_bits(1), subscription: browser, payload: "{}".to_owned() };
        let telling = Telling { mail: Some(mail()), pushes: vec![push] };
        assert!(store.settle_reminder(first, telling.clone(), LATER).await.unwrap());
        assert!(!store.settle_reminder(first, telling, LATER).await.unwrap(), "once");
        assert_eq!(store.next_due_mail(LATER).await.unwrap().unwrap().mail, mail());
        assert_eq!(store.due_pushes(LATER, 9).await.unwrap().len(), 1);
        store.note_reminders(vec![first]).await.unwrap();
        assert_eq!(store.due_reminders(LATER).await.unwrap(), [], "it was told");
        store.note_reminders(vec![reminder(account, 6)]).await.unwrap();
        assert_eq!(store.due_reminders(LATER).await.unwrap(), [reminder(account, 6)]);
        store.forget_moves_due(GameId::from_bits(1)).await.unwrap();
        assert_eq!(store.next_reminder_due_at().await.unwrap(), None);
    }

    async fn a_browser_goes_with_its_session_and_its_messages_with_it(place: TestPlace) {
        let store = place.open().await;
        let (account, browser) = subscribed(&store, 1).await;
        let (other, _) = subscribed(&store, 2).await;
        let push = NewPush { id: PushId::from_bits(1), subscription: browser, payload: "{}".to_owned() };
        store.queue_pushes(vec![push.clone()], NOW).await.unwrap();
        store.push_must_wait(push.id, LATER).await.unwrap();
        assert_eq!(store.next_push_due_at().await.unwrap(), Some(LATER));
        assert_eq!(store.due_pushes(LATER, 9).await.unwrap()[0].attempts, 1);
        assert!(store.unsubscribe(other, browser).await.is_err(), "it is not theirs");
        store.end_sessions(account, None).await.unwrap();
        assert_eq!(store.subscriptions(account).await.unwrap(), []);
        assert_eq!(store.next_push_due_at().await.unwrap(), None);
        store.queue_pushes(vec![push], NOW).await.unwrap();
        assert_eq!(store.next_push_due_at().await.unwrap(), None, "nobody to tell");
        assert_eq!(store.subscriptions(other).await.unwrap().len(), 1);
        store.set_push_key(vec![1, 2, 3]).await.unwrap();
        assert_eq!(store.push_key().await.unwrap(), Some(vec![1, 2, 3]));
        assert_eq!(store.subscriptions(other).await.unwrap(), [], "they know another key");
    }

    async fn a_daily_letter_is_written_once_a_day(place: TestPlace) {
        let store = place.open().await;
        let account = player(&store, 1, "anna").await.id;
        let choice = ReminderChoice {
            account,
            choice: "{}".to_owned(),
            digest_at: Some(LATER),
            changed_at: NOW,
        };
        store.set_reminder_choice(choice.clone()).await.unwrap();
        assert_eq!(store.reminder_choice(account).await.unwrap(), Some(choice.clone()));
        assert_eq!(store.due_digests(NOW).await.unwrap(), []);
        assert_eq!(store.due_digests(LATER).await.unwrap(), std::slice::from_ref(&choice));
        let next = UnixMillis(LATER.0 + 86_400_000);
        let telling = Telling { mail: Some(mail()), pushes: vec![] };
        assert!(store.settle_digest(choice.clone(), next, telling.clone(), LATER).await.unwrap());
        assert!(!store.settle_digest(choice, next, telling, LATER).await.unwrap());
        assert_eq!(store.count_mails().await.unwrap().waiting, 1);
        assert_eq!(store.next_reminder_due_at().await.unwrap(), Some(next));
        assert_eq!(store.slow_games_ended_since(NOW).await.unwrap(), []);
    }
}
