//! The arbiter's desk: rulings with reasons, ratings counted again, decisions the players can read.

use serde_json::{Value, json};

use crate::club::Club;
use crate::correspondence::slow_game;

fn ruling(act: &str, more: &Value) -> Value {
    let mut ruling = json!({"act": act, "reason": "Both players agree on what happened."});
    ruling.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ruling
}

async fn rating_of(club: &Club, name: &str) -> Option<i64> {
    let profile = club.browser().get(&format!("/api/v1/players/{name}")).await.expect(200);
    profile["pools"][0]["rating"].as_i64()
}

#[tokio::test]
async fn a_corrected_result_changes_the_ratings_and_is_explained_to_the_players() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let mut judge = club.staff(&mut boss, "judge", "arbiter").await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    assert_eq!(
        (rating_of(&club, "anna").await, rating_of(&club, "bert").await),
        (Some(1259), Some(1741))
    );

    let path = format!("/api/v1/arbiter/games/{id}");
    let rulings = format!("{path}/rulings");
    let draw = ruling("result", &json!({"result": "draw"}));
    anna.get(&path).await.expect_problem(403, "forbidden");
    bert.post(&rulings, draw.clone()).await.expect_problem(403, "forbidden");
    judge
        .browser
        .post(&rulings, json!({"act": "annul", "reason": " "}))
        .await
        .expect_problem(422, "no_reason");
    let no_result = ruling("result", &json!({}));
    judge.browser.post(&rulings, no_result).await.expect_problem(422, "incomplete_ruling");

    let after = judge.browser.post(&rulings, draw).await.expect(200);
    assert_eq!(after["game"]["outcome"], json!({"kind": "draw", "by": "arbiter"}));
    assert_eq!(
        (rating_of(&club, "anna").await, rating_of(&club, "bert").await),
        (Some(1500), Some(1500))
    );
    let told = anna.get("/api/v1/me/inbox").await.expect(200)["decisions"].clone();
    assert_eq!((&told[0]["act"], &told[0]["before"]["by"]), (&json!("result"), &json!("resign")));
    assert_eq!(told[0]["reason"], "Both players agree on what happened.");

    judge.browser.post(&rulings, ruling("annul", &json!({}))).await.expect(200);
    assert_eq!(rating_of(&club, "anna").await, None, "a game that was annulled left no trace");
    let all = club.browser().get(&format!("/api/v1/games/{id}/decisions")).await.expect(200);
    assert_eq!(all.as_array().map(Vec::len), Some(2));
    anna.delete("/api/v1/me/inbox/decision:1").await.expect(204);
    assert_eq!(anna.get("/api/v1/me/inbox").await.expect(200)["waiting"], 1);

    let club = club.crash_and_start_after(1_000).await;
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["outcome"], json!({"kind": "aborted", "by": "arbiter"}));
}

#[tokio::test]
async fn a_reopened_game_stands_until_it_is_resumed_and_then_goes_on() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.make_move(&id, 0, "e2e4").await;
    bert.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let rulings = format!("/api/v1/arbiter/games/{id}/rulings");
    boss.browser.post(&rulings, ruling("reopen", &json!({}))).await.expect(200);
    assert_eq!(rating_of(&club, "bert").await, None);
    let waiting =
        bert.post(&format!("/api/v1/games/{id}/moves"), json!({"ply": 1, "uci": "e7e5"})).await;
    waiting.expect_problem(409, "paused");
    let clocks = ruling("clocks", &json!({"clocks": {"white": 86_400_000, "black": 172_800_000}}));
    boss.browser.post(&rulings, clocks).await.expect(200);
    let resumed = boss.browser.post(&rulings, ruling("resume", &json!({}))).await.expect(200);
    assert_eq!(
        resumed["game"]["clocks"],
        json!({"white_ms": 86_400_000, "black_ms": 172_800_000, "running": "black", "frozen_ms": null})
    );
    let mine = bert.get("/api/v1/me/games").await.expect(200);
    assert_eq!(mine["your_move"], 1, "it is on the list of running games again");
    bert.make_move(&id, 1, "e7e5").await;
    let log =
        boss.browser.get(&format!("/api/v1/arbiter/games/{id}")).await.expect(200)["log"].clone();
    let what: Vec<_> =
        log.as_array().unwrap().iter().map(|entry| entry["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["m", "ended", "reopened", "clocks_set", "resumed", "m"]);
}

#[tokio::test]
async fn nobody_judges_a_game_of_their_own_and_an_adjourned_game_stands() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (mut anna, _bert, id) = slow_game(&club).await;
    let anna_id = club.account_id("anna").await;
    boss.browser
        .put(&format!("/api/v1/admin/users/{anna_id}/roles/arbiter"), json!({}))
        .await
        .expect(204);
    let rulings = format!("/api/v1/arbiter/games/{id}/rulings");
    anna.post(&rulings, ruling("result", &json!({"result": "white"})))
        .await
        .expect_problem(403, "own_game");
    boss.browser.post(&rulings, ruling("adjourn", &json!({}))).await.expect(200);
    club.time.advance(30 * 86_400_000);
    let view = anna.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!((&view["paused"], &view["outcome"]), (&json!(true), &Value::Null));
    assert_eq!(view["clocks"]["white_ms"], 3 * 86_400_000);
}
