//! When events go on by themselves, and when they wait for somebody.

use serde_json::{Value, json};

use super::Desk;
use super::online::{called, online, open_boards, play_round, players, until};

#[tokio::test]
async fn a_round_that_was_taken_back_waits_until_the_director_publishes_it() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 3}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    desk.browser.delete(&desk.path("/rounds/1")).await.expect(200);
    // Two things to do, one after the other; and a player who leaves meanwhile.
    for player in [3, 4] {
        let withdrawal = desk.path(&format!("/players/{player}/withdrawal"));
        let event = desk.browser.post(&withdrawal, json!({})).await.expect(200);
        assert_eq!(event["stuck"]["code"], "round_taken_back", "{event}");
        assert_eq!((&event["next_at"], &event["rounds"]), (&Value::Null, &json!([])));
    }
    desk.browser.post(&desk.path("/players"), json!({"members": ["dora"]})).await.expect(201);
    assert_eq!(desk.show().await["stuck"]["code"], "round_taken_back");
    let event = desk.publish().await;
    assert_eq!(event["stuck"], Value::Null, "from here on it goes on by itself");
}

#[tokio::test]
async fn two_who_are_alone_in_an_arena_play_again_and_again() {
    let arena = json!({"system": "arena", "arena": {"minutes": 5}});
    let (club, mut desk) = Desk::open(online(&arena)).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    for round in 1..=3_u64 {
        club.time.advance(2_000);
        until(&mut desk, |event| event["rounds"].as_array().unwrap().len() as u64 == round).await;
        called(&mut all).await;
        play_round(&mut desk, round, &mut all).await;
        until(&mut desk, |event| open_boards(event) == 0).await;
    }
}

#[tokio::test]
async fn an_event_whose_start_has_passed_does_not_begin_before_somebody_says_so() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1}))).await;
    let regulations = desk.show().await["regulations"].clone();
    let form = |at: i64| json!({"name": "Autumn Cup", "starts_at": at, "regulations": regulations});
    let now = club.time.now().0;
    desk.browser.put(&desk.path(""), form(now - 60_000)).await.expect(200);
    let event = desk.go_to("registration").await;
    assert_eq!(
        (&event["stuck"]["code"], &event["next_at"]),
        (&json!("start_passed"), &Value::Null)
    );
    let _all = players(&club, &mut desk, &["anna", "bert"]).await;
    let event = desk.go_to("check_in").await;
    assert_eq!(event["stuck"]["code"], "start_passed", "neither does who enters or comes begin it");
    // A new time is waited for; the director begins it at any.
    let event = desk.browser.put(&desk.path(""), form(now + 60_000)).await.expect(200);
    assert_eq!((&event["stuck"], &event["next_at"]), (&Value::Null, &json!(now + 60_000)));
    let event = desk.browser.put(&desk.path(""), form(now - 60_000)).await.expect(200);
    assert_eq!(event["stuck"]["code"], "start_passed");
    desk.go_to("registration").await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
}
