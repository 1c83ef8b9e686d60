use serde_json::json;
use server::config::{Limits, Settings};
use store::PlayerState;

use super::people::PASSWORD;
use crate::club::{Club, settings};

/// A club that counts failures only, not requests.
async fn club() -> Club {
    let limits = Limits { requests_per_minute: 0, ..Limits::default() };
    Club::open_as(Settings { limits, ..settings() }).await
}

#[tokio::test]
async fn a_thousand_guesses_are_ten_and_the_owner_gets_in_afterwards() {
    let club = club().await;
    club.player("Anna").await;
    let mut guesser = club.browser();
    let before = club.accounts().hashings();
    let mut refused = 0;
    for n in 0..1_000 {
        let answer = guesser.log_in("Anna", &format!("guess {n}")).await;
        if answer.status == 401 {
            answer.expect_problem(401, "bad_credentials");
        } else {
            assert!(answer.header("retry-after").is_some());
            answer.expect_problem(429, "too_many_attempts");
            refused += 1;
        }
    }
    assert_eq!((refused, club.accounts().hashings() - before), (990, 10));
    // Even the right password is not heard now: a guesser does not learn that it was right.
    let answer = guesser.log_in("Anna", PASSWORD).await;
    let seconds: i64 = answer.header("retry-after").unwrap().parse().unwrap();
    answer.expect_problem(429, "too_many_attempts");
    club.time.advance(seconds * 1_000);
    guesser.log_in("Anna", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn guesses_at_the_password_in_a_session_count_as_well() {
    let club = club().await;
    let mut anna = club.player("Anna").await;
    for _ in 0..10 {
        let form = json!({"old_password": "not it at all", "new_password": "another rook lift"});
        anna.post("/api/v1/account/password", form)
            .await
            .expect_fields(&[("old_password", "wrong_password")]);
    }
    let form = json!({"old_password": PASSWORD, "new_password": "another rook lift"});
    anna.post("/api/v1/account/password", form).await.expect_problem(429, "too_many_attempts");
}

#[tokio::test]
async fn an_unknown_name_gets_the_same_answer_for_the_same_work() {
    let club = club().await;
    let mut anna = club.browser();
    anna.sign_up("Anna", json!({"email": "anna@club.example"})).await.expect(201);
    let mut browser = club.browser();
    browser.log_in("Nobody", "wrong").await.expect_problem(401, "bad_credentials");
    let mut answers = Vec::new();
    for name in ["Anna", "Nobody", "anna@club.example", "nobody@club.example", "", "a\0b"] {
        let before = club.accounts().hashings();
        let answer = browser.log_in(name, "wrong").await;
        answers.push((answer.status, answer.text, club.accounts().hashings() - before));
    }
    for answer in &answers {
        assert_eq!(answer, &answers[0]);
    }
}

#[tokio::test]
async fn why_an_account_is_closed_is_told_to_its_owner_only() {
    let club = club().await;
    let mut anna = club.player("Anna").await;
    let id = anna.get("/api/v1/me").await.expect(200)["account"]["id"].clone();
    let id = id.as_str().unwrap().parse().unwrap();
    let mut browser = club.browser();
    for (state, code) in
        [(PlayerState::Deactivated, "deactivated"), (PlayerState::Pending, "not_activated")]
    {
        club.store().set_player_state(id, state, None, club.time.now()).await.unwrap();
        browser.log_in("Anna", "wrong").await.expect_problem(401, "bad_credentials");
        browser.log_in("Anna", PASSWORD).await.expect_problem(403, code);
    }
    assert_eq!(anna.name().await, json!(null), "the session has ended");
}

#[tokio::test]
async fn a_hash_of_older_parameters_is_upgraded_at_log_in() {
    let club = club().await;
    let mut anna = club.player("Anna").await;
    let stored = || async { club.store().find_player("anna").await.unwrap().unwrap().password };
    assert!(stored().await.unwrap().contains("m=8,t=1,p=1"));
    let mut newer = settings();
    newer.accounts.argon2.iterations = 2;
    let club = club.restart_as(newer).await;
    anna.move_to(club.address);
    let mut browser = club.browser();
    browser.log_in("Anna", PASSWORD).await.expect(200);
    let stored = club.store().find_player("anna").await.unwrap().unwrap().password.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=8,t=2,p=1$"), "{stored}");
    browser.log_in("Anna", PASSWORD).await.expect(200);
    assert_eq!(anna.name().await, "Anna", "an upgrade ends no session");
}
