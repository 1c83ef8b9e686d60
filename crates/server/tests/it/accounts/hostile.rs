use serde_json::{Value, json};
use server::config::{Limits, Settings};

use super::people::PASSWORD;
use crate::club::{Club, settings, unlimited};

/// Texts that break out of HTML, JavaScript, headers, SQL, logs or terminals where they are not treated as text.
const CORPUS: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "</title><svg onload=alert(1)>",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "x\r\nSet-Cookie: rookery_session=evil",
    "x\r\n\r\n<html>",
    "x%0d%0aLocation:%20//evil.example",
    "'; DROP TABLE player; --",
    "' OR '1'='1",
    "\u{202e}nimda",
    "ad\u{200b}min",
    "\u{1b}[2J",
    "..\\..\\/etc/passwd",
    "a\0b",
    "Ａｄｍｉｎ",
];

async fn club() -> Club {
    let limits = Limits { requests_per_minute: 0, ..Limits::default() };
    Club::open_as(Settings { limits, ..settings() }).await
}

#[tokio::test]
async fn no_hostile_text_becomes_a_name_or_an_address() {
    let club = club().await;
    let mut browser = club.browser();
    for text in CORPUS {
        let answer = browser.sign_up(text, json!({})).await;
        assert!(answer.headers.iter().filter(|(name, _)| name == "set-cookie").count() <= 1);
        let problem = answer.expect(422);
        assert_eq!(problem["fields"][0]["field"], "name", "{text:?}: {problem}");
        let problem = browser.sign_up("Anna", json!({"email": text})).await.expect(422);
        assert_eq!(problem["fields"][0]["code"], "email_malformed", "{text:?}: {problem}");
    }
}

#[tokio::test]
async fn hostile_text_where_text_is_free_stays_text() {
    let club = club().await;
    let mut anna = club.player("Anna").await;
    for text in CORPUS {
        // A password may be anything, and comes back from nowhere.
        let password = format!("{text} and a rook lift");
        let name = format!("user{}", CORPUS.iter().position(|other| other == text).unwrap());
        let form = json!({"password": password});
        let answer = club.browser().sign_up(&name, form).await;
        if answer.status == 429 {
            club.time.advance(15 * 60_000);
            club.browser().sign_up(&name, json!({"password": password})).await.expect(201);
        }
        club.browser().log_in(&name, &password).await.expect(200);
        club.time.advance(15 * 60_000);
        // What is typed into log-in, reset and links never comes back.
        for (url, form) in [
            ("log-in", json!({"name_or_email": text, "password": text})),
            ("log-in/second-step", json!({"ticket": text, "code": text})),
            ("log-in/card", json!({"token": text})),
            ("activation", json!({"token": text})),
            ("password-reset", json!({"name_or_email": text})),
            ("password-reset/finish", json!({"token": text, "password": text})),
            ("account/email/confirm", json!({"token": text})),
            ("account/totp/confirm", json!({"code": text})),
        ] {
            let answer = anna.post(&format!("/api/v1/{url}"), form).await;
            assert!(answer.status < 500 && !answer.text.contains(text), "{url}: {}", answer.text);
            assert!(answer.headers.iter().all(|(_, value)| !value.contains("evil")), "{url}");
        }
    }
    assert_eq!(anna.name().await, "Anna", "and nothing was dropped on the way");
}

#[tokio::test]
async fn a_club_s_name_is_sent_as_json_and_nothing_else() {
    let club = club().await;
    let token = club.setup_token.clone().unwrap();
    let name = "<script>alert(1)</script>";
    let form = json!({"token": token, "club_name": name, "name": "Olga", "password": PASSWORD});
    let mut owner = club.browser();
    owner.post("/api/v1/setup", form).await.expect(204);
    let answer = owner.get("/api/v1/me").await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.expect(200)["club"]["name"], name);
}

#[tokio::test]
async fn what_a_form_does_not_have_cannot_be_set_by_sending_it() {
    let club = club().await;
    let mut eve = club.browser();
    let more = json!({
        "roles": ["administrator"], "role": "administrator", "id": "AAAAAAAA", "account_id": "AAAAAAAA",
        "state": "active", "email_verified": true, "email_verified_at": 1, "is_bot": true,
        "must_change_password": false, "kind": "player", "created_at": 0, "totp": true,
    });
    eve.sign_up("Evelyn", more.clone()).await.expect(201);
    let me = eve.get("/api/v1/me").await.expect(200);
    assert_eq!((&me["roles"], &me["player"]["totp"]), (&json!([]), &json!(false)));
    assert_ne!(me["account"]["id"], "AAAAAAAA");
    let mut preferences = more.clone();
    preferences["sounds"] = json!(false);
    let url = "/api/v1/account/preferences";
    eve.request("PUT", url, Some(preferences.to_string())).await.expect(204);
    let account = eve.get("/api/v1/account").await.expect(200);
    assert_eq!((&account["roles"], &account["email_verified"]), (&json!([]), &json!(false)));
    let stored = club.store().find_player("evelyn").await.unwrap().unwrap();
    assert!(!stored.is_bot && stored.created_at == club.time.now());
}

#[tokio::test]
async fn somebody_else_s_things_stay_somebody_else_s() {
    let club = club().await;
    let mut anna = club.player("Anna").await;
    let new = json!({"time": unlimited(), "color": "white"});
    let made: Value = anna.post("/api/v1/challenges", new).await.expect(201);
    let id = made["id"].as_str().unwrap();
    let mut eve = club.player("Evelyn").await;
    let answer = eve.delete(&format!("/api/v1/challenges/{id}")).await;
    assert!((400..500).contains(&answer.status), "{}", answer.text);
    club.browser()
        .post(&format!("/api/v1/challenges/{id}/acceptance"), json!({}))
        .await
        .expect(200);
    let moves = format!("/api/v1/games/{id}/moves");
    let stolen = json!({"ply": 0, "uci": "e2e4"});
    eve.post(&moves, stolen).await.expect_problem(403, "not_your_game");
    let export = eve.get("/api/v1/account/export").await;
    assert!(!export.text.contains(id) && !export.text.contains("Anna"), "{}", export.text);
}

#[tokio::test]
async fn a_token_from_before_the_log_in_is_worth_nothing_after_it() {
    let club = club().await;
    club.player("Anna").await;
    let mut victim = club.browser();
    victim.get("/api/v1/me").await.expect(200);
    let planted = victim.clone();
    victim.log_in("Anna", PASSWORD).await.expect(200);
    assert_eq!(planted.clone().name().await, json!(null));
    assert_eq!(victim.name().await, "Anna");
    let before = victim.clone();
    victim.post("/api/v1/log-out", json!({})).await.expect(204);
    assert_eq!(
        before.clone().name().await,
        json!(null),
        "log-out ends the session, not only the cookie"
    );
}
