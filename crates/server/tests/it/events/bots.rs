//! Bots in events: they are always there, and never too busy.
#![allow(
    clippy::disallowed_methods,
    reason = "engines think in real time, whatever the server's clock shows"
)]

use std::time::Duration;

use serde_json::{Value, json};

use super::Desk;
use super::online::{called, online, open_boards, players, until};
use crate::bots::with_bots;
use crate::client::Socket;
use crate::club::Club;
use crate::staff::Person;

/// An online event in a club with bots, in which anna and the weakest bot play.
async fn with_a_bot(more: &Value) -> (Club, Desk, Vec<(Person, Socket)>) {
    let mut regulations = online(more);
    regulations["entry"] = json!({"bots": true});
    let (club, mut desk) = Desk::open_as(with_bots(false), regulations).await;
    desk.go_to("registration").await;
    let all = players(&club, &mut desk, &["anna"]).await;
    let path = desk.path("/players");
    desk.browser.post(&path, json!({"members": ["Rook-1"]})).await.expect(201);
    (club, desk, all)
}

/// Waits for a move of the bot; simulated time runs meanwhile.
async fn bot_moves(club: &Club, person: &mut Person, game: &str, plies: usize) {
    for _ in 0..1_500 {
        let view = person.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
        if view["moves"].as_array().unwrap().len() >= plies {
            return;
        }
        club.time.advance(200);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the bot does not move");
}

#[tokio::test]
async fn a_bot_is_paired_in_an_arena_and_plays_its_game() {
    let patient = json!({"no_show_seconds": 600});
    let arena = json!({"system": "arena", "arena": {"minutes": 60}, "pace": patient});
    let (club, mut desk, mut all) = with_a_bot(&arena).await;
    // It plays elsewhere too, and is no less free for that.
    let mut stranger = club.browser();
    let elsewhere = json!({"kind": "direct", "asked": "Rook-1", "color": "random",
        "time": crate::club::blitz()});
    stranger.post("/api/v1/challenges", elsewhere).await.expect(201);
    desk.go_to("running").await;
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    let game = called(&mut all).await.remove(0);
    let anna = &mut all[0].0;
    let view = anna.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
    let plies = if view["you"] == "white" {
        anna.browser.make_move(&game, 0, "e2e4").await;
        2
    } else {
        1
    };
    bot_moves(&club, anna, &game, plies).await;
    let resignation = format!("/api/v1/games/{game}/resignation");
    anna.browser.post(&resignation, json!({})).await.expect(200);
    until(&mut desk, |event| open_boards(event) == 0).await;
    let winner = desk.standings().await["rows"][0]["player"].clone();
    let event = desk.show().await;
    assert_eq!(event["players"][1]["number"], winner, "{event}");
}

#[tokio::test]
async fn who_does_not_come_to_a_game_with_a_bot_loses_to_it() {
    let (club, mut desk, all) = with_a_bot(&json!({"rounds": 1})).await;
    drop(all);
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    assert_eq!(desk.round(1).await["boards"][0]["white"], 1, "anna is the stronger one");
    club.time.advance(20_000);
    until(&mut desk, |event| open_boards(event) == 0).await;
    assert_eq!(desk.round(1).await["boards"][0]["result"], "-+");
}

#[tokio::test]
async fn bots_play_only_where_the_regulations_let_them_whoever_enters_them() {
    let (_club, mut desk) = Desk::open_as(with_bots(false), online(&json!({}))).await;
    let path = desk.path("/players");
    let bot = json!({"members": ["Rook-1"]});
    desk.browser.post(&path, bot.clone()).await.expect_problem(403, "no_bots");
    assert_eq!(desk.show().await["players"], json!([]));
    let regulations = online(&json!({"entry": {"bots": true}}));
    let form = json!({"name": "Autumn Cup", "regulations": regulations});
    desk.browser.put(&desk.path(""), form).await.expect(200);
    let entered = desk.browser.post(&path, bot).await.expect(201);
    assert_eq!(entered["players"][0]["name"], "Rook-1");
}
