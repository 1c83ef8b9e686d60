//! ChessDefender for one player: an attempt is won with few points, entered, and shown.
#![allow(clippy::disallowed_methods, reason = "bots enter results when they have seen the end")]

use std::time::Duration;

use serde_json::{Value, json};
use server::config::{BotsConfig, Settings};

use crate::client::Browser;
use crate::club::{Club, settings, unlimited};

async fn open() -> Club {
    Club::open_as(Settings { bots: BotsConfig::default(), ..settings() }).await
}

/// Begins an attempt at position 2 and plays these actions, each answered by the computer's automatic pass.
async fn attempt(browser: &mut Browser, actions: &[&str]) -> String {
    let wish = json!({"position": "2", "level": 1, "time": unlimited()});
    let begun = browser.post("/api/v1/defender/attempts", wish).await.expect(201);
    let game = begun["game"].as_str().unwrap().to_owned();
    for (uci, slot) in actions.iter().zip(0..) {
        let body = json!({"ply": 2 * slot, "uci": uci});
        browser.post(&format!("/api/v1/games/{game}/moves"), body).await.expect(200);
    }
    game
}

/// The attempt once its result is entered.
async fn result(browser: &mut Browser, game: &str) -> Value {
    for _ in 0..500 {
        let seen = browser.get(&format!("/api/v1/defender/attempts/{game}")).await.expect(200);
        if !seen["won"].is_null() {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the result is never entered");
}

/// Two bishops on the long diagonal: the first move is mate.
const MATE: [&str; 4] = ["B@f3", "B@h1", "K@e2", "f3b7"];

#[tokio::test]
async fn a_win_with_few_points_is_entered_and_ranked() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let game = attempt(&mut anna, &MATE).await;
    let seen = result(&mut anna, &game).await;
    assert_eq!(seen["won"], true);
    assert_eq!((&seen["points"], &seen["moves"], &seen["rank"]), (&json!(6), &json!(1), &json!(1)));
    assert_eq!(seen["setup"], json!(["B@f3", "B@h1", "K@e2"]));
    let list = anna.get("/api/v1/defender/positions").await.expect(200);
    let second = &list["positions"][1];
    assert_eq!((&second["id"], &second["par"]), (&json!("2"), &json!(6)));
    assert_eq!(second["mine"], second["best"]);
    assert_eq!((&second["best"]["score"], &second["best"]["game"]), (&json!(167), &json!(game)));
    let results = "/api/v1/defender/positions/2/results";
    let all = club.browser().get(results).await.expect(200);
    assert_eq!(all["results"][0]["player"]["name"], "Anna");
    let others = club.browser().get(&format!("{results}?level=2")).await.expect(200);
    assert_eq!(others["results"], json!([]));
}

#[tokio::test]
async fn a_loss_and_a_guest_are_in_no_list() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let lost = attempt(&mut anna, &["Q@d1"]).await;
    anna.post(&format!("/api/v1/games/{lost}/resignation"), json!({})).await.expect(200);
    assert_eq!(result(&mut anna, &lost).await["won"], false);
    let mut guest = club.browser();
    let game = attempt(&mut guest, &MATE).await;
    assert_eq!(result(&mut guest, &game).await["won"], true);
    let all = guest.get("/api/v1/defender/positions/2/results").await.expect(200);
    assert_eq!(all["results"], json!([]));
}

#[tokio::test]
async fn nonsense_is_refused_with_a_reason() {
    let club = open().await;
    let mut browser = club.browser();
    let mut check = async |wish: Value, status, code| {
        browser.post("/api/v1/defender/attempts", wish).await.expect_problem(status, code);
    };
    check(json!({"position": "5", "level": 1}), 404, "unknown_position").await;
    check(json!({"position": "1", "level": 9}), 422, "bad_level").await;
    check(json!({"position": "1", "level": 1, "budget": 0}), 422, "bad_budget").await;
    check(json!({"position": "1", "level": 1, "budget": 100}), 422, "bad_budget").await;
    let mut browser = club.browser();
    let unknown = browser.get("/api/v1/defender/attempts/AAAAAAAA").await;
    unknown.expect_problem(404, "unknown_attempt");
}
