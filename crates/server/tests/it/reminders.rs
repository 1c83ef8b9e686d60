//! Reminders: once, by mail and in browsers, across stops, and not to somebody who is looking.

use serde_json::{Value, json};
use server::config::{MailConfig, MailTls, PushConfig, Settings};
use store::{NewOneTimeToken, Purpose, ReminderKind, TokenHash};

use crate::client::Browser;
use crate::club::{Club, settings};
use crate::correspondence::slow_game;
use crate::push_service::{PushService, Recipient};
use crate::smtp::MailServer;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
const REMINDERS: &str = "/api/v1/account/reminders";
const BROWSERS: &str = "/api/v1/account/browsers";

/// A mail server that is never there: mails stay in the outbox, where they can be counted.
fn nowhere() -> MailConfig {
    MailServer::new(MailTls::None).config()
}

fn by_mail(what: &Value) -> Value {
    json!({"mail": what, "push": {}})
}

/// Two members who play over days, White to move; both have an address that was confirmed.
async fn two_with_addresses(mail: MailConfig) -> (Club, Browser, Browser) {
    // People sign up without a mail to wait for; the mail server comes later.
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    for name in ["anna", "bert"] {
        club.confirm(name, 9).await;
    }
    let push = PushConfig { local_services: true, ..PushConfig::default() };
    let club = club.restart_as(Settings { mail, push, ..settings() }).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    (club, anna, bert)
}

impl Club {
    /// Somebody's address, as if they had used the link in a mail.
    async fn confirm(&self, name: &str, n: u8) {
        let (account, now) = (self.account_id(name).await, self.time.now());
        let token = TokenHash([n; 32]);
        let email = Some(format!("{name}@example.org"));
        let new = NewOneTimeToken {
            token,
            purpose: Purpose::EmailChange,
            account,
            email: email.clone(),
            expires_at: rules::UnixMillis(now.0 + HOUR),
        };
        self.store().new_one_time_token(new, now).await.unwrap();
        self.store().set_email(account, email, Some(token), None, now).await.unwrap();
    }

    /// Waits until something is noted that is to be told within this time.
    async fn until_noted(&self, within: i64) {
        for _ in 0..5_000 {
            let next = self.store().next_reminder_due_at().await.unwrap();
            if next.is_some_and(|at| at.0 <= self.time.now().0 + within) {
                return;
            }
            self.browser().get("/healthz").await;
        }
        panic!("nothing was noted");
    }

    /// Waits until somebody is to be told of the move with this number.
    async fn until_move_noted(&self, ply: i64) {
        let soon = rules::UnixMillis(self.time.now().0 + MINUTE);
        for _ in 0..5_000 {
            let due = self.store().due_reminders(soon).await.unwrap();
            let is_it = |it: &store::Reminder| it.kind == ReminderKind::Move && it.number == ply;
            if due.iter().any(is_it) {
                return;
            }
            self.browser().get("/healthz").await;
        }
        panic!("move {ply} was not noted");
    }

    /// Lets time pass and waits until everything that is due has been looked at. Gives how many mails
    /// were written so far: there is no server that would take them.
    async fn mails_after(&self, millis: i64) -> i64 {
        self.time.advance(millis);
        for _ in 0..5_000 {
            let now = self.time.now();
            let due = self.store().next_reminder_due_at().await.unwrap();
            if due.is_none_or(|at| at > now) {
                let mails = self.store().count_mails().await.unwrap();
                return mails.waiting + i64::try_from(mails.failed.len()).unwrap();
            }
            self.browser().get("/healthz").await;
        }
        panic!("what is due is not told");
    }

    /// The mail that waits, or the one that would be tried first in a day.
    async fn mail(&self) -> store::NewMail {
        let later = rules::UnixMillis(self.time.now().0 + DAY);
        self.store().next_due_mail(later).await.unwrap().expect("a mail").mail
    }
}

async fn game(anna: &mut Browser, bert: &mut Browser) -> String {
    let new = json!({"kind": "direct", "asked": "bert", "time": crate::correspondence::days(3),
        "color": "white", "rated": true});
    let id = anna.challenge(new).await;
    bert.accept(&id).await.expect(200);
    id
}

#[tokio::test]
async fn a_move_is_told_once_also_across_a_crash() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    anna.put(REMINDERS, by_mail(&json!({"move": true}))).await.expect(204);
    let id = game(&mut anna, &mut bert).await;
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(29_000).await, 0, "people change their minds");
    assert_eq!(club.mails_after(1_000).await, 1);
    let mail = club.mail().await;
    assert_eq!(
        (mail.recipient.as_str(), mail.subject.as_str()),
        ("anna@example.org", "Your game against bert has begun – Rookery")
    );
    assert!(
        mail.plain.contains(&format!("/{id}")) && mail.plain.contains("with 2 days left"),
        "{}",
        mail.plain
    );

    let club = club.crash_and_start_after(MINUTE).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    anna.make_move(&id, 0, "e2e4").await;
    bert.make_move(&id, 1, "e7e5").await;
    club.until_move_noted(2).await;
    assert_eq!(
        club.mails_after(30_000).await,
        2,
        "the first was not told again, bert wants nothing"
    );
    let club = club.drain_and_start_after(HOUR).await;
    anna.move_to(club.address);
    anna.make_move(&id, 2, "g1f3").await;
    assert_eq!(club.mails_after(HOUR).await, 2, "who has moved is not reminded");
}

#[tokio::test]
async fn a_move_that_is_made_again_after_a_takeback_is_told_again() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    bert.put(REMINDERS, by_mail(&json!({"move": true}))).await.expect(204);
    let id = game(&mut anna, &mut bert).await;
    anna.make_move(&id, 0, "e2e4").await;
    club.until_move_noted(1).await;
    assert_eq!(club.mails_after(HOUR).await, 1);
    let takeback = format!("/api/v1/games/{id}/takeback");
    anna.post(&takeback, json!({})).await.expect(200);
    bert.post(&takeback, json!({})).await.expect(200);
    anna.make_move(&id, 0, "d2d4").await;
    club.until_move_noted(1).await;
    assert_eq!(club.mails_after(HOUR).await, 2);
}

#[tokio::test]
async fn a_move_that_was_missed_by_a_crash_is_told_after_it() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    let id = game(&mut anna, &mut bert).await;
    anna.make_move(&id, 0, "e2e4").await;
    // As if the server had stopped between the move and the note of it: the choice is in the store, the note is not.
    let choice = store::ReminderChoice {
        account: club.account_id("bert").await,
        choice: by_mail(&json!({"move": true})).to_string(),
        digest_at: None,
        changed_at: club.time.now(),
    };
    club.store().set_reminder_choice(choice).await.unwrap();
    let club = club.crash_and_start_after(1_000).await;
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(30_000).await, 1);
    assert_eq!(club.mail().await.subject, "Your move against anna – Rookery");
}

#[tokio::test]
async fn who_looks_at_the_board_is_told_only_when_it_has_waited() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    anna.put(REMINDERS, by_mail(&json!({"move": true, "result": true}))).await.expect(204);
    let id = game(&mut anna, &mut bert).await;
    let mut socket = anna.socket().await;
    socket.join_game(&id).await;
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(30_000).await, 0, "she is at the board");
    assert_eq!(club.mails_after(HOUR).await, 1, "and has gone, or it waits for an hour");
    let mut socket = anna.socket().await;
    socket.join_game(&id).await;
    bert.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(30_000).await, 1, "she has seen that he resigned");
}

#[tokio::test]
async fn low_time_is_told_when_a_quarter_is_left() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    anna.put(REMINDERS, by_mail(&json!({"low_time": true}))).await.expect(204);
    let id = game(&mut anna, &mut bert).await;
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(30 * HOUR).await, 0);
    anna.post(&format!("/api/v1/games/{id}/leave"), json!({})).await.expect(200);
    assert_eq!(club.mails_after(2 * DAY).await, 0, "leave stops the clock");
    anna.delete(&format!("/api/v1/games/{id}/leave")).await.expect(200);
    assert_eq!(club.mails_after(24 * HOUR - MINUTE).await, 0);
    assert_eq!(club.mails_after(MINUTE).await, 1);
    let mail = club.mail().await;
    assert!(mail.plain.contains("you have 18 hours left"), "{}", mail.plain);
    assert_eq!(club.mails_after(17 * HOUR).await, 1);
}

#[tokio::test]
async fn nothing_is_told_of_a_game_that_is_stopped_and_low_time_after_it_goes_on() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    anna.put(REMINDERS, by_mail(&json!({"move": true, "low_time": true}))).await.expect(204);
    let id = game(&mut anna, &mut bert).await;
    let adjourn = format!("/api/v1/games/{id}/adjournment");
    let agree = async |one: &mut Browser, other: &mut Browser| {
        one.post(&adjourn, json!({})).await.expect(200);
        other.post(&adjourn, json!({})).await.expect(200);
    };
    club.until_noted(MINUTE).await;
    agree(&mut bert, &mut anna).await;
    assert_eq!(club.mails_after(30_000).await, 0, "nobody has to move");
    assert_eq!(club.mails_after(DAY).await, 0);
    agree(&mut bert, &mut anna).await;
    assert_eq!(club.mails_after(10 * MINUTE).await, 1, "it is her move again");
    assert_eq!(club.mails_after(DAY).await, 1);
    agree(&mut anna, &mut bert).await;
    assert_eq!(club.mails_after(9 * DAY).await, 1);
    agree(&mut bert, &mut anna).await;
    assert_eq!(club.mails_after(30 * HOUR).await, 2, "her time runs out");
}

#[tokio::test]
async fn an_invitation_and_a_result_are_told_to_whom_they_concern() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    bert.put(REMINDERS, by_mail(&json!({"invitation": true, "result": true}))).await.expect(204);
    let ask = |message: &str| {
        json!({"kind": "direct", "asked": "bert", "time": crate::correspondence::days(3),
            "color": "white", "message": message})
    };
    let withdrawn = anna.challenge(ask("no, wait")).await;
    club.until_noted(MINUTE).await;
    anna.delete(&format!("/api/v1/challenges/{withdrawn}")).await.expect(204);
    assert_eq!(club.mails_after(30_000).await, 0);
    let id = anna.challenge(ask("A slow one?")).await;
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(30_000).await, 1);
    let mail = club.mail().await;
    assert!(mail.plain.contains("anna invites you") && mail.plain.contains("A slow one?"));
    bert.accept(&id).await.expect(200);
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(30_000).await, 2, "anna wants nothing");
    let club = club.crash_and_start_after(MINUTE).await;
    club.until_settled().await;
    assert_eq!(club.mails_after(MINUTE).await, 2, "a result is told once");
}

impl Club {
    /// Waits until the server has caught up after a start: it then looks for mails that could not be sent.
    async fn until_settled(&self) {
        for _ in 0..50 {
            self.browser().get("/healthz").await;
        }
    }
}

#[tokio::test]
async fn the_daily_letter_lists_all_games_at_the_hour_of_its_reader() {
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    let choice = json!({"digest": true, "digest_hour": 8, "utc_offset_minutes": 60, "push": {}});
    anna.put(REMINDERS, choice).await.expect(204);
    // Midnight in London is one o'clock in Prague: seven hours to go.
    assert_eq!(club.mails_after(7 * HOUR).await, 0, "there is no game yet");
    let first = game(&mut anna, &mut bert).await;
    let second = game(&mut anna, &mut bert).await;
    anna.make_move(&second, 0, "e2e4").await;
    assert_eq!(club.mails_after(DAY - MINUTE).await, 0);
    assert_eq!(club.mails_after(MINUTE).await, 1);
    let mail = club.mail().await;
    assert_eq!(mail.subject, "Your move in 1 game – Rookery");
    assert!(
        mail.plain.contains("- bert: your move, with 48 hours left")
            || mail.plain.contains("- bert: your move, with 2 days left"),
        "{}",
        mail.plain
    );
    assert!(
        mail.plain.contains("- bert: their move") && mail.plain.contains(&format!("/{first}")),
        "{}",
        mail.plain
    );
    let club = club.crash_and_start_after(3 * DAY).await;
    assert_eq!(club.mails_after(0).await, 2, "one letter for all the days without a server");
    anna.move_to(club.address);
    let bad = json!({"digest": true, "digest_hour": 24});
    anna.put(REMINDERS, bad).await.expect_problem(422, "bad_hour");
}

#[tokio::test]
async fn the_link_in_a_mail_ends_the_mails_without_a_log_in() {
    let server = MailServer::start(MailTls::None).await;
    let (club, mut anna, mut bert) = two_with_addresses(server.config()).await;
    let choice = json!({"mail": {"move": true}, "push": {"result": true}, "digest": true});
    anna.put(REMINDERS, choice).await.expect(204);
    game(&mut anna, &mut bert).await;
    club.until_noted(MINUTE).await;
    club.time.advance(30_000);
    let mails = server.wait_for(1).await;
    let (_, rest) = mails[0].split_once("List-Unsubscribe:").expect("a header");
    let link = rest.split_once('<').and_then(|(_, rest)| rest.split_once('>')).unwrap().0;
    assert!(mails[0].contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{}", mails[0]);
    let path = link.split_once("//").and_then(|(_, rest)| rest.split_once('/')).unwrap().1;
    let path = format!("/{path}");
    let mut nobody = club.browser();
    let shown = nobody.get(&path).await;
    let token = path.rsplit('/').next().unwrap();
    assert_eq!(shown.header("location"), Some(format!("/unsubscribe#{token}").as_str()));
    assert_eq!(
        anna.get(REMINDERS).await.expect(200)["choice"]["mail"]["move"],
        true,
        "looking ends nothing"
    );
    let forged = format!("/api/v1/unsubscribe/{}", token.replacen(&token[20..21], "-", 1));
    if forged != path {
        nobody.post(&forged, json!({})).await.expect_problem(404, "bad_link");
    }
    nobody.post("/api/v1/unsubscribe/x", json!({})).await.expect_problem(404, "bad_link");
    nobody.request("POST", &path, Some("List-Unsubscribe=One-Click".to_owned())).await.expect(204);
    let chosen = anna.get(REMINDERS).await.expect(200)["choice"].clone();
    assert_eq!((&chosen["mail"]["move"], &chosen["digest"]), (&json!(false), &json!(false)));
    assert_eq!(chosen["push"]["result"], true, "browsers are another matter");
}

#[tokio::test]
async fn without_a_mail_server_or_a_confirmed_address_nothing_is_written() {
    let club = Club::open().await;
    let (mut anna, _bert, _) = slow_game(&club).await;
    assert_eq!(anna.get(REMINDERS).await.expect(200)["mail"], "no_server");
    anna.put(REMINDERS, by_mail(&json!({"move": true}))).await.expect(204);
    let mut club = club.restart_as(Settings { mail: nowhere(), ..settings() }).await;
    anna.move_to(club.address);
    assert_eq!(anna.get(REMINDERS).await.expect(200)["mail"], "no_address");
    let account = club.account_id("anna").await;
    let email = Some("somebody-else@example.org".to_owned());
    club.store().set_email(account, email, None, None, club.time.now()).await.unwrap();
    assert_eq!(anna.get(REMINDERS).await.expect(200)["mail"], "not_confirmed");
    club.until_noted(MINUTE).await;
    assert_eq!(club.mails_after(HOUR).await, 0, "the address may be anybody's");
    club = club.restart_as(settings()).await;
    club.browser().get(REMINDERS).await.expect_problem(401, "not_logged_in");
}

#[tokio::test]
async fn a_browser_is_told_in_secret_and_signed() {
    let mut service = PushService::start().await;
    let (club, mut anna, mut bert) = two_with_addresses(nowhere()).await;
    let phone = Recipient::new(5);
    anna.post(BROWSERS, phone.subscription(&service, "/send/phone")).await.expect(204);
    let view = anna.get(REMINDERS).await.expect(200);
    assert_eq!(
        (view["browsers"].as_array().map(Vec::len), &view["choice"]["push"]["move"]),
        (Some(1), &json!(true))
    );
    let id = game(&mut anna, &mut bert).await;
    anna.make_move(&id, 0, "e2e4").await;
    bert.make_move(&id, 1, "e7e5").await;
    club.until_move_noted(2).await;
    club.time.advance(30_000);
    let handed = service.next().await;
    assert_eq!((handed.path.as_str(), handed.header("ttl")), ("/send/phone", "86400"));
    let claims = handed.claims(view["push_key"].as_str().unwrap());
    assert!(claims["aud"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{claims}");
    assert_eq!(claims["sub"], "mailto:chess@example.org");
    let told = phone.open(&handed);
    assert_eq!(
        (&told["title"], &told["url"]),
        (&json!("Your move against bert"), &json!(format!("/{id}")))
    );
    anna.post(&format!("{BROWSERS}/test"), json!({})).await.expect(204);
    assert_eq!(phone.open(&service.next().await)["title"], "It works");

    // What was handed over and not yet noted as such would be handed over again.
    club.until_pushes_are_out().await;
    // The key is the same after a restart: the browser is still known.
    let club = club.crash_and_start_after(MINUTE).await;
    anna.move_to(club.address);
    let again = anna.get(REMINDERS).await.expect(200);
    assert_eq!(again["push_key"], view["push_key"]);
    anna.post("/api/v1/log-out", json!({})).await.expect(204);
    let account = club.account_id("anna").await;
    assert_eq!(club.store().subscriptions(account).await.unwrap(), [], "signed out, told nothing");
    assert!(service.is_idle());
}

#[tokio::test]
async fn a_browser_that_is_gone_is_forgotten_and_a_busy_service_is_asked_again() {
    let mut service = PushService::start().await;
    let (club, mut anna, _bert) = two_with_addresses(nowhere()).await;
    let [phone, desk] = [5, 6].map(Recipient::new);
    anna.post(BROWSERS, phone.subscription(&service, "/send/phone")).await.expect(204);
    service.will_answer(&["429 Too Many Requests\r\nRetry-After: 120\r\n", "503 Busy\r\n"]);
    anna.post(&format!("{BROWSERS}/test"), json!({})).await.expect(204);
    service.next().await;
    club.until_push_due_in(120_000).await;
    club.time.advance(119_000);
    assert!(service.is_idle(), "it asked for two minutes");
    club.time.advance(1_000);
    service.next().await;
    club.until_push_due_in(60_000).await;
    club.time.advance(60_000);
    assert_eq!(phone.open(&service.next().await)["title"], "It works");

    anna.post(BROWSERS, desk.subscription(&service, "/send/desk")).await.expect(204);
    assert_eq!(anna.get(REMINDERS).await.expect(200)["browsers"].as_array().map(Vec::len), Some(2));
    service.will_answer(&["410 Gone\r\n", "404 Not Found\r\n"]);
    anna.post(&format!("{BROWSERS}/test"), json!({})).await.expect(204);
    service.next().await;
    service.next().await;
    for _ in 0..5_000 {
        if anna.get(REMINDERS).await.expect(200)["browsers"] == json!([]) {
            return;
        }
    }
    panic!("browsers that are gone are still told");
}

impl Club {
    /// Waits until no message is on its way.
    async fn until_pushes_are_out(&self) {
        for _ in 0..5_000 {
            if self.store().next_push_due_at().await.unwrap().is_none() {
                return;
            }
            self.browser().get("/healthz").await;
        }
        panic!("a message is still on its way");
    }

    /// Waits until the next message is to be tried again in exactly this time.
    async fn until_push_due_in(&self, millis: i64) {
        for _ in 0..5_000 {
            let due = self.store().next_push_due_at().await.unwrap();
            if due.is_some_and(|at| at.0 == self.time.now().0 + millis) {
                return;
            }
            self.browser().get("/healthz").await;
        }
        panic!("nothing waits for {millis} ms");
    }
}

#[tokio::test]
async fn no_browser_leads_us_into_our_own_network() {
    let club = Club::open().await;
    let mut anna = club.player("anna").await;
    let service = PushService::start().await;
    let honest = Recipient::new(5).subscription(&service, "/x");
    anna.post(BROWSERS, honest.clone()).await.expect_problem(422, "bad_endpoint");
    for bad in
        ["https://10.0.0.1/x", "https://localhost/x", "https://[::1]/x", "file:///etc/passwd"]
    {
        let mut subscription = honest.clone();
        subscription["endpoint"] = json!(bad);
        anna.post(BROWSERS, subscription).await.expect_problem(422, "bad_endpoint");
    }
    let mut subscription = honest;
    subscription["endpoint"] = json!("https://push.example/x");
    subscription["keys"]["auth"] = json!("short");
    anna.post(BROWSERS, subscription.clone()).await.expect_problem(422, "bad_keys");
    subscription["keys"]["auth"] = json!("AAAAAAAAAAAAAAAAAAAAAA");
    anna.post(BROWSERS, subscription.clone()).await.expect(204);
    let browser = anna.get(REMINDERS).await.expect(200)["browsers"][0]["id"].clone();
    let path = format!("{BROWSERS}/{}", browser.as_str().unwrap());
    club.player("evelyn").await.delete(&path).await.expect(404);
    let export = anna.get("/api/v1/account/export").await;
    assert!(
        !export.text.contains("push.example"),
        "where a browser is reached is nobody's business"
    );
    anna.delete(&path).await.expect(204);
    assert_eq!(anna.get(REMINDERS).await.expect(200)["browsers"], json!([]));
    let push = PushConfig { enabled: false, ..PushConfig::default() };
    let club = club.restart_as(Settings { push, ..settings() }).await;
    anna.move_to(club.address);
    anna.post(BROWSERS, subscription).await.expect_problem(409, "push_off");
}
