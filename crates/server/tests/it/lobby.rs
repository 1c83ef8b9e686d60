use serde_json::json;

use crate::club::{Club, blitz, unlimited};

#[tokio::test]
async fn a_friend_s_link_becomes_a_game() {
    let club = Club::open().await;
    let mut white = club.browser();
    let made = white
        .post("/api/v1/challenges", json!({"time": blitz(), "color": "white"}))
        .await
        .expect(201);
    let id = made["id"].as_str().unwrap();
    assert_eq!(made["url"], format!("http://{}/{id}", club.address));
    let mut waiting = white.socket().await;
    waiting.send(json!({"t": "join", "room": format!("challenge:{id}")})).await;
    let state = waiting.next_of("state").await;
    assert_eq!(
        (state["state"]["state"].as_str(), state["state"]["is_mine"].as_bool()),
        (Some("open"), Some(true))
    );

    let mut black = club.browser();
    let seen = black.get(&format!("/api/v1/challenges/{id}")).await.expect(200);
    assert_eq!(seen["is_mine"], false);
    let game =
        black.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    assert_eq!((game["id"].as_str(), game["you"].as_str()), (Some(id), Some("black")));
    assert_eq!(waiting.next_of("state").await["state"]["state"], "accepted");
    let third =
        club.browser().post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await;
    third.expect_problem(409, "challenge_not_open");
}

#[tokio::test]
async fn nobody_plays_against_oneself() {
    let club = Club::open().await;
    let mut alone = club.browser();
    let made = alone
        .post("/api/v1/challenges", json!({"time": blitz(), "color": "random"}))
        .await
        .expect(201);
    let path = format!("/api/v1/challenges/{}/acceptance", made["id"].as_str().unwrap());
    alone.post(&path, json!({})).await.expect_problem(409, "own_challenge");
}

#[tokio::test]
async fn a_challenge_is_taken_back_by_its_maker_alone() {
    let club = Club::open().await;
    let (mut white, mut other) = (club.browser(), club.browser());
    let made = white
        .post("/api/v1/challenges", json!({"time": blitz(), "color": "black"}))
        .await
        .expect(201);
    other.post("/api/v1/challenges", json!({"time": blitz(), "color": "black"})).await.expect(201);
    let path = format!("/api/v1/challenges/{}", made["id"].as_str().unwrap());
    club.browser().delete(&path).await.expect_problem(401, "no_account");
    other.delete(&path).await.expect_problem(409, "challenge_not_open");
    white.delete(&path).await.expect(204);
    other
        .post(&format!("{path}/acceptance"), json!({}))
        .await
        .expect_problem(409, "challenge_not_open");
}

#[tokio::test]
async fn a_time_control_nobody_can_play_is_refused() {
    let club = Club::open().await;
    for (initial, increment) in
        [(0, 0), (9_999, 0), (36_000_001, 0), (60_000, -1), (60_000, 600_001), (i64::MAX, 0)]
    {
        let time = json!({"kind": "fischer", "initial_ms": initial, "increment_ms": increment});
        let answer = club
            .browser()
            .post("/api/v1/challenges", json!({"time": time, "color": "white"}))
            .await;
        answer.expect_problem(422, "bad_time_control");
    }
}

#[tokio::test]
async fn the_link_comes_as_a_picture_too() {
    let club = Club::open().await;
    let made = club
        .browser()
        .post("/api/v1/challenges", json!({"time": blitz(), "color": "white"}))
        .await
        .expect(201);
    let path = format!("/api/v1/challenges/{}/qr.svg", made["id"].as_str().unwrap());
    let picture = club.browser().get(&path).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/svg+xml")));
    assert!(picture.text.contains("<svg") && !picture.text.contains("<script"));
}

#[tokio::test]
async fn the_lobby_lists_running_games_newest_first_and_page_by_page() {
    let club = Club::open().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        club.time.advance(1_000);
        ids.push(club.game(unlimited()).await.2);
    }
    ids.reverse();
    let first = club.browser().get("/api/v1/games?state=running&limit=3").await.expect(200);
    let cards = |page: &serde_json::Value| -> Vec<String> {
        page["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(cards(&first), ids[..3]);
    let next = first["next"].as_str().unwrap();
    let second =
        club.browser().get(&format!("/api/v1/games?limit=3&before={next}")).await.expect(200);
    assert_eq!((cards(&second), second["next"].clone()), (ids[3..].to_vec(), json!(null)));

    let mut socket = club.browser().socket().await;
    socket.send(json!({"t": "join", "room": "lobby"})).await;
    let state = socket.next_of("state").await;
    assert_eq!(cards(&state["state"]), ids);
    club.game(unlimited()).await;
    club.time.advance(1_000);
    assert_eq!(socket.next_of("state").await["state"]["games"].as_array().map(Vec::len), Some(6));
}
