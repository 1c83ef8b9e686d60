//! How fast events are. Not run by default: `cargo test --release -p server --test it numbers -- --ignored --nocapture`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement needs the real clock and says what it found"
)]

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Desk;

/// Says how long something took, and fails if that is more than was promised.
fn check(what: &str, took: Duration, limit_ms: u128) {
    println!("{what}: {} ms (promised: {limit_ms} ms)", took.as_millis());
    assert!(took.as_millis() <= limit_ms, "{what} took {took:?}");
}

#[tokio::test]
#[ignore = "a measurement"]
async fn three_hundred_players_are_paired_and_shown_within_a_tenth_of_a_second() {
    let (_club, mut desk) = Desk::open(json!({"rounds": 9, "first_color": "white"})).await;
    desk.enter(100).await;
    for part in 1..3 {
        let people: Vec<Value> = (0..100)
            .map(|n| json!({"name": format!("Q{part}{n:02}, Test"), "rating": 1_100 + n * 7}))
            .collect();
        let path = desk.path("/players");
        desk.browser.post(&path, json!({"people": people})).await.expect(201);
    }
    desk.go_to("running").await;
    for round in 1..=4 {
        desk.publish().await;
        for board in 1..=150 {
            let result =
                ["1-0", "0-1", "1/2-1/2"][usize::try_from((board * 7 + round) % 3).unwrap()];
            desk.result(round, board, result).await;
        }
    }
    let began = Instant::now();
    desk.publish().await;
    desk.round(5).await;
    desk.standings().await;
    check("pairing 300 players in round 5, its page and the standings", began.elapsed(), 100);
    let path = desk.path("/rounds/5");
    desk.browser.delete(&path).await.expect(200);
    let began = Instant::now();
    let proposal = desk.path("/proposal");
    desk.browser.get(&proposal).await.expect(200);
    println!("the same with every reason in words: {} ms", began.elapsed().as_millis());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn five_hundred_games_begin_within_two_seconds() {
    let (_club, mut desk) = Desk::open(json!({
        "online": true, "rated": true, "first_color": "white",
        "pace": {"automatic": false, "pause_seconds": 1, "no_show_seconds": 60},
    }))
    .await;
    for class in 0..5 {
        let letters = |n: usize| -> String {
            [n / 26 / 26, n / 26 % 26, n % 26]
                .iter()
                .map(|l| char::from(b'a' + u8::try_from(*l).unwrap()))
                .collect()
        };
        let names: Vec<String> =
            (0..200).map(|n| format!("Test {}", letters(class * 200 + n))).collect();
        let made =
            desk.browser.post("/api/v1/admin/users/bulk", json!({"names": names.join("\n")})).await;
        let cards = made.expect(201)["cards"].as_array().unwrap().clone();
        let members: Vec<Value> = cards.iter().map(|card| card["user_name"].clone()).collect();
        let path = desk.path("/players");
        desk.browser.post(&path, json!({"members": members})).await.expect(201);
    }
    desk.go_to("running").await;
    let began = Instant::now();
    let event = desk.publish().await;
    check("500 games of a round of 1,000 players begin", began.elapsed(), 2_000);
    assert_eq!(event["rounds"][0]["boards"], 500);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn two_thousand_watchers_hear_a_result_within_a_second() {
    const WATCHERS: usize = 2_000;
    let (club, mut desk) = Desk::open(json!({"first_color": "white"})).await;
    desk.enter(100).await;
    desk.go_to("running").await;
    desk.publish().await;
    let mut sockets = Vec::with_capacity(WATCHERS);
    for _ in 0..WATCHERS {
        let mut socket = club.browser().socket().await;
        socket.send(json!({"t": "join", "room": format!("event:{}", desk.id)})).await;
        socket.next_of("state").await;
        sockets.push(socket);
    }
    club.time.advance(1_000);
    let began = Instant::now();
    let hearing: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| {
            tokio::spawn(async move {
                socket.next_of("state").await["state"]["rows"][0]["points"].clone()
            })
        })
        .collect();
    desk.result(1, 1, "1-0").await;
    for heard in hearing {
        assert_eq!(heard.await.unwrap(), "1.0");
    }
    check("2,000 watchers hear a result and the new standings", began.elapsed(), 1_000);
}
