//! The arbiter's desk: rulings with reasons, ratings counted again, decisions the players can read.

use serde_json::{Value, json};

use crate::club::Club;
use crate::correspondence::{outcome_of, slow_game};

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
        json!({"white_ms": 86_400_000, "black_ms": 172_800_000, "running": "black", "delay_ms": null,
            "first_move_ms": null, "frozen_ms": null})
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
async fn a_game_that_is_reopened_after_a_fallen_flag_needs_time_before_it_goes_on() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (mut anna, _bert, id) = slow_game(&club).await;
    club.time.advance(3 * 86_400_000);
    assert_eq!(outcome_of(&club, &id).await["by"], "time");
    let rulings = format!("/api/v1/arbiter/games/{id}/rulings");
    boss.browser.post(&rulings, ruling("reopen", &json!({}))).await.expect(200);
    let resume = ruling("resume", &json!({}));
    boss.browser.post(&rulings, resume.clone()).await.expect_problem(422, "incomplete_ruling");
    let set = |white: i64| ruling("clocks", &json!({"clocks": {"white": white, "black": null}}));
    // A year is the most that any clock has.
    for long in [367 * 86_400_000, i64::MAX] {
        boss.browser.post(&rulings, set(long)).await.expect_problem(422, "incomplete_ruling");
    }
    boss.browser.post(&rulings, set(86_400_000)).await.expect(200);
    boss.browser.post(&rulings, resume).await.expect(200);
    let view = anna.make_move(&id, 0, "e2e4").await;
    assert_eq!((&view["outcome"], &view["ply"]), (&Value::Null, &json!(1)));
}

#[tokio::test]
async fn a_clock_that_is_not_named_goes_on_and_none_is_set_to_zero_by_a_slip() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (mut anna, _bert, id) = slow_game(&club).await;
    let rulings = format!("/api/v1/arbiter/games/{id}/rulings");
    club.time.advance(86_400_000);
    let set = |white: Value, black: Value| {
        ruling("clocks", &json!({"clocks": {"white": white, "black": black}}))
    };
    let slip = set(json!(0), json!(null));
    boss.browser.post(&rulings, slip).await.expect_problem(422, "incomplete_ruling");
    let after = boss.browser.post(&rulings, set(json!(null), json!(3_600_000))).await.expect(200);
    let clocks = json!({"white": 2 * 86_400_000, "black": 3_600_000});
    assert_eq!(after["game"]["clocks"]["white_ms"], clocks["white"]);
    assert_eq!(after["log"][0]["clocks"], clocks);
    let told = anna.get(&format!("/api/v1/games/{id}/decisions")).await.expect(200);
    assert_eq!((&told[0]["act"], &told[0]["clocks"]), (&json!("clocks"), &clocks));
    let inbox = anna.get("/api/v1/me/inbox").await.expect(200);
    assert_eq!(inbox["decisions"][0]["clocks"], clocks);
    let last = boss.browser.get("/api/v1/arbiter/decisions").await.expect(200);
    assert_eq!(last[0]["clocks"], clocks);
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

#[tokio::test]
async fn a_player_calls_the_arbiter_who_reads_notes_and_answers() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let mut judge = club.staff(&mut boss, "judge", "arbiter").await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let calls = format!("/api/v1/games/{id}/calls");
    let call = json!({"text": " My opponent was helped by a friend. "});
    anna.post(&calls, json!({"text": "??"})).await.expect_problem(422, "bad_remark");
    club.player("carl").await.post(&calls, call.clone()).await.expect_problem(403, "not_your_game");
    anna.post(&calls, call.clone()).await.expect(204);
    anna.post(&calls, call.clone()).await.expect_problem(409, "called_already");
    assert_eq!(anna.get("/api/v1/arbiter/calls").await.expect(200), json!([]), "not hers to read");

    let waiting = judge.browser.get("/api/v1/arbiter/calls").await.expect(200);
    assert_eq!(
        (&waiting[0]["game"], &waiting[0]["by"]["name"], &waiting[0]["text"]),
        (&json!(id), &json!("anna"), &json!("My opponent was helped by a friend."))
    );
    let path = format!("/api/v1/arbiter/games/{id}");
    let note = json!({"text": "Asked the friend: he was abroad."});
    bert.post(&format!("{path}/notes"), note.clone()).await.expect_problem(403, "forbidden");
    let opened = judge.browser.post(&format!("{path}/notes"), note).await.expect(200);
    let kinds: Vec<&Value> =
        opened["remarks"].as_array().unwrap().iter().map(|it| &it["is_call"]).collect();
    assert_eq!(kinds, [&json!(true), &json!(false)]);
    let opened = judge.browser.delete(&format!("{path}/calls")).await.expect(200);
    assert!(opened["remarks"][0]["settled_at"].is_number() && opened["decisions"] == json!([]));
    let calls_left = judge.browser.get("/api/v1/arbiter/calls").await.expect(200);
    assert_eq!(calls_left, json!([]));

    // It can be said again, and a ruling answers it too.
    anna.post(&calls, call).await.expect(204);
    let draw = ruling("result", &json!({"result": "draw"}));
    judge.browser.post(&format!("{path}/rulings"), draw).await.expect(200);
    let calls_left = judge.browser.get("/api/v1/arbiter/calls").await.expect(200);
    assert_eq!(calls_left, json!([]));
}
