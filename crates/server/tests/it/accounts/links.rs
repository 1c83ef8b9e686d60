use rules::UnixMillis;
use serde_json::json;
use server::config::{ActivationPolicy, MailConfig, MailTls, Settings};
use server::world::Time;

use super::people::PASSWORD;
use crate::club::{Club, settings};

const HOUR: i64 = 3_600_000;

/// A club with a mail server that takes nothing: mails stay where the test can read them.
fn with_mail() -> Settings {
    let mut settings = settings();
    "http://chess.example".clone_into(&mut settings.web.public_url);
    settings.mail = MailConfig {
        server: "127.0.0.1".to_owned(),
        port: 9,
        tls: MailTls::None,
        from: "chess@club.example".to_owned(),
        ..MailConfig::default()
    };
    settings
}

fn with_activation() -> Settings {
    let mut settings = with_mail();
    settings.accounts.activation = ActivationPolicy::Required;
    settings
}

/// Lets the server work for a moment of real time: its own stands still.
async fn pause(millis: i64) {
    Time::real().sleep(millis).await;
}

/// Takes the oldest mail out of the outbox: whom it is for, and the token in its link.
async fn take_mail(club: &Club) -> (String, Option<String>) {
    for _ in 0..500 {
        let waiting = club.store().next_due_mail(UnixMillis(i64::MAX)).await.unwrap();
        if let Some(waiting) = waiting {
            club.store().mail_was_sent(waiting.mail.id).await.unwrap();
            let link = waiting.mail.plain.lines().find(|line| line.contains("://"));
            if let Some(link) = link {
                assert!(link.starts_with("http://chess.example/"), "{link}");
            }
            let token = link.and_then(|link| link.split_once('#')).map(|(_, t)| t.to_owned());
            return (waiting.mail.recipient, token);
        }
        pause(10).await;
    }
    panic!("no mail came");
}

async fn no_mail(club: &Club) {
    pause(50).await;
    let waiting = club.store().next_due_mail(UnixMillis(i64::MAX)).await.unwrap();
    assert_eq!(waiting, None);
}

#[tokio::test]
async fn a_new_account_waits_for_the_link_in_its_mail_which_works_once() {
    let club = Club::open_as(with_activation()).await;
    let mut anna = club.browser();
    anna.sign_up("Anna", json!({})).await.expect_fields(&[("email", "email_required")]);
    let answer = anna.sign_up("Anna", json!({"email": "anna@club.example"})).await.expect(201);
    assert_eq!(answer, json!({"state": "activation_sent"}));
    anna.log_in("Anna", PASSWORD).await.expect_problem(403, "not_activated");
    let (to, token) = take_mail(&club).await;
    assert_eq!(to, "anna@club.example");
    let form = json!({"token": token});
    anna.post("/api/v1/activation", form.clone()).await.expect(204);
    anna.post("/api/v1/activation", form).await.expect_problem(403, "bad_token");
    anna.log_in("anna@club.example", PASSWORD).await.expect(200);
    let me = anna.get("/api/v1/me").await.expect(200);
    assert_eq!(me["player"]["email_verified"], true);
}

#[tokio::test]
async fn an_activation_link_ends_after_an_hour_and_can_be_sent_again() {
    let club = Club::open_as(with_activation()).await;
    let mut anna = club.browser();
    anna.sign_up("Anna", json!({"email": "anna@club.example"})).await.expect(201);
    let (_, first) = take_mail(&club).await;
    club.time.advance(HOUR);
    let url = "/api/v1/activation";
    anna.post(url, json!({"token": first})).await.expect_problem(403, "bad_token");
    for unknown in ["anna", "nobody"] {
        let form = json!({"name_or_email": unknown});
        anna.post("/api/v1/activation/resend", form).await.expect(202);
    }
    let (_, second) = take_mail(&club).await;
    anna.post(url, json!({"token": second})).await.expect(204);
    no_mail(&club).await;
}

#[tokio::test]
async fn a_guest_who_waits_for_activation_plays_on_and_has_to_log_in_afterwards() {
    let club = Club::open_as(with_activation()).await;
    let (mut white, _black, id) = club.game(crate::club::blitz()).await;
    white.sign_up("Anna", json!({"email": "anna@club.example"})).await.expect(201);
    let url = format!("/api/v1/games/{id}/moves");
    white.post(&url, json!({"ply": 0, "uci": "e2e4"})).await.expect(200);
    white.get("/api/v1/account").await.expect_problem(401, "not_logged_in");
    let (_, token) = take_mail(&club).await;
    club.browser().post("/api/v1/activation", json!({"token": token})).await.expect(204);
    white.get("/api/v1/account").await.expect_problem(401, "not_logged_in");
    white.log_in("Anna", PASSWORD).await.expect(200);
    white.get("/api/v1/account").await.expect(200);
}

#[tokio::test]
async fn nobody_learns_from_a_sign_up_whether_an_address_is_taken() {
    for settings in [with_mail(), with_activation()] {
        let club = Club::open_as(settings).await;
        let mut answers = Vec::new();
        for name in ["Anna", "Berta"] {
            let mut browser = club.browser();
            let before = club.accounts().hashings();
            let answer = browser.sign_up(name, json!({"email": "anna@club.example"})).await;
            let work = club.accounts().hashings() - before;
            let (to, token) = take_mail(&club).await;
            assert_eq!(to, "anna@club.example");
            let url = if answer.text.contains("active\"") {
                "account/email/confirm"
            } else {
                "activation"
            };
            if name == "Anna" {
                let form = json!({"token": token.expect("the owner gets a link")});
                browser.post(&format!("/api/v1/{url}"), form).await.expect(204);
            } else {
                assert_eq!(token, None, "the owner is told, and no link opens anything");
            }
            let check = json!({"name": name});
            let check = browser.post("/api/v1/sign-up/check", check).await.text;
            answers.push((answer.status, answer.text, work, check));
        }
        assert_eq!(answers[0], answers[1]);
        let owner = club.store().find_player("anna@club.example").await.unwrap().unwrap();
        assert_eq!(owner.name, "Anna");
    }
}

#[tokio::test]
async fn without_mail_a_taken_address_is_a_mistake_in_the_form() {
    let club = Club::open().await;
    let address = json!({"email": "Anna@Club.Example"});
    club.browser().sign_up("Anna", address).await.expect(201);
    let again = club.browser().sign_up("Berta", json!({"email": "anna@club.example"})).await;
    again.expect_fields(&[("email", "email_taken")]);
}

/// A club with mail, and somebody in it whose address is known.
async fn club_with_anna() -> (Club, crate::client::Browser) {
    let club = Club::open_as(with_mail()).await;
    let mut anna = club.browser();
    anna.sign_up("Anna", json!({"email": "anna@club.example"})).await.expect(201);
    let (_, token) = take_mail(&club).await;
    anna.post("/api/v1/account/email/confirm", json!({"token": token})).await.expect(204);
    (club, anna)
}

#[tokio::test]
async fn a_reset_link_works_once_within_an_hour_and_ends_all_sessions() {
    let (club, mut anna) = club_with_anna().await;
    let mut tokens = Vec::new();
    for who in ["nobody@club.example", "anna@club.example", "Anna"] {
        let form = json!({"name_or_email": who});
        let answer = anna.post("/api/v1/password-reset", form).await;
        assert_eq!((answer.status, answer.text.as_str()), (202, ""), "{who}");
        if who.to_lowercase().starts_with("anna") {
            tokens.push(take_mail(&club).await.1);
        }
    }
    let [older, token] = tokens.try_into().unwrap();
    let form = |token: &Option<String>, password| json!({"token": token, "password": password});
    let url = "/api/v1/password-reset/finish";
    let mut browser = club.browser();
    browser.post(url, form(&older, "a new rook lift")).await.expect_problem(403, "bad_token");
    browser
        .post(url, form(&token, "anna1234"))
        .await
        .expect_fields(&[("password", "password_context")]);
    browser.post(url, form(&token, "a new rook lift")).await.expect(204);
    browser.post(url, form(&token, "yet another one")).await.expect_problem(403, "bad_token");
    assert_eq!(anna.name().await, json!(null), "the old session has ended");
    anna.log_in("Anna", PASSWORD).await.expect_problem(401, "bad_credentials");
    anna.log_in("Anna", "a new rook lift").await.expect(200);

    anna.post("/api/v1/password-reset", json!({"name_or_email": "Anna"})).await.expect(202);
    let told = take_mail(&club).await;
    assert_eq!(told, ("anna@club.example".to_owned(), None), "the change was told");
    let (_, late) = take_mail(&club).await;
    club.time.advance(HOUR);
    browser.post(url, form(&late, "a late rook lift")).await.expect_problem(403, "bad_token");
}

#[tokio::test]
async fn a_link_for_one_thing_does_nothing_else() {
    let (club, mut anna) = club_with_anna().await;
    anna.post("/api/v1/password-reset", json!({"name_or_email": "Anna"})).await.expect(202);
    let (_, reset) = take_mail(&club).await;
    for url in ["activation", "log-in/card", "account/email/confirm"] {
        let answer = anna.post(&format!("/api/v1/{url}"), json!({"token": reset})).await;
        answer.expect_problem(403, "bad_token");
    }
    let step = json!({"ticket": reset, "code": "123456"});
    anna.post("/api/v1/log-in/second-step", step).await.expect_problem(403, "bad_token");
}

#[tokio::test]
async fn a_new_address_counts_once_it_has_confirmed_itself_and_the_old_one_is_told() {
    let (club, mut anna) = club_with_anna().await;
    let form = |password: &str| json!({"email": "anna@new.example", "password": password});
    let url = "/api/v1/account/email";
    anna.post(url, form("wrong")).await.expect_fields(&[("password", "wrong_password")]);
    anna.post(url, form(PASSWORD)).await.expect(202);
    let account = anna.get("/api/v1/account").await.expect(200);
    assert_eq!(account["email"], "anna@club.example");
    assert_eq!(account["pending_email"], "anna@new.example");
    let (to, token) = take_mail(&club).await;
    assert_eq!(to, "anna@new.example");
    let confirm = json!({"token": token});
    let url = "/api/v1/account/email/confirm";
    club.browser().post(url, confirm.clone()).await.expect(204);
    club.browser().post(url, confirm).await.expect_problem(403, "bad_token");
    assert_eq!(take_mail(&club).await.0, "anna@club.example");
    let account = anna.get("/api/v1/account").await.expect(200);
    assert_eq!(
        (&account["email"], &account["pending_email"]),
        (&json!("anna@new.example"), &json!(null))
    );
}

#[tokio::test]
async fn a_sign_up_that_is_never_activated_frees_its_name_after_a_week() {
    let club = Club::open_as(with_activation()).await;
    club.browser().sign_up("Anna", json!({"email": "anna@club.example"})).await.expect(201);
    for _ in 0..8 * 24 {
        club.time.advance(HOUR);
        pause(1).await;
    }
    for _ in 0..500 {
        if club.store().is_free("anna").await.unwrap() {
            return;
        }
        club.time.advance(HOUR);
        pause(10).await;
    }
    panic!("the name is still taken");
}
