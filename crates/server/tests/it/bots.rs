//! Opponents that are engines: they accept, play every variant, answer offers and survive a crash.
#![allow(
    clippy::disallowed_methods,
    reason = "engines think in real time, whatever the server's clock shows"
)]

use std::time::Duration;

use rules::{Position, Variant};
use serde_json::{Value, json};
use server::config::{BotsConfig, EnginesConfig, Settings};

use crate::client::Browser;
use crate::club::{Club, blitz, settings, unlimited};

fn with_bots(rated: bool) -> Settings {
    let bots = BotsConfig { enabled: true, rated };
    let engines = EnginesConfig { workers: 1, hash_mb: 4, ..EnginesConfig::default() };
    Settings { bots, engines, ..settings() }
}

/// Challenges a bot; gives the id of the game.
async fn challenge(browser: &mut Browser, level: u8, extra: Value) -> String {
    let mut body = json!({
        "kind": "direct", "asked": format!("Rook-{level}"), "time": unlimited(), "color": "white",
    });
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let made = browser.post("/api/v1/challenges", body).await.expect(201);
    assert_eq!(made["state"], "accepted", "{made}");
    made["id"].as_str().unwrap().to_owned()
}

/// The game once something is true of it; simulated time runs meanwhile.
async fn until(
    club: &Club,
    browser: &mut Browser,
    id: &str,
    is_so: impl Fn(&Value) -> bool,
) -> Value {
    for _ in 0..1_500 {
        let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
        if is_so(&view) {
            return view;
        }
        club.time.advance(300);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!(
        "the bot does nothing: {}",
        browser.get(&format!("/api/v1/games/{id}")).await.expect(200)
    );
}

fn moves(view: &Value) -> usize {
    view["moves"].as_array().unwrap().len()
}

/// Plays the first move that the rules allow, for the side whose turn it is.
async fn play_any(browser: &mut Browser, id: &str, view: &Value) {
    let fen = view["fen"].as_str().unwrap();
    let variant: Variant = serde_json::from_value(view["variant"].clone()).unwrap();
    let position = match variant {
        Variant::Standard => Position::from_fen(fen),
        Variant::Chess960 => Position::from_fen_chess960(fen),
        Variant::Defender => Position::from_fen_defender(fen),
        // What GMO's pieces are is no player's to read: the legal moves are told.
        Variant::Gmo => return play_told(browser, id, view).await,
    };
    let action = position.unwrap().actions()[0];
    let body = json!({"ply": moves(view), "uci": action.to_string()});
    browser.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
}

/// Plays the first of the moves that the view names.
async fn play_told(browser: &mut Browser, id: &str, view: &Value) {
    let dests = view["dests"].as_str().unwrap();
    let body = json!({"ply": moves(view), "uci": &dests[..4]});
    browser.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
}

#[tokio::test]
async fn there_is_a_bot_for_every_level_and_it_says_what_it_is() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let list = browser.get("/api/v1/bots").await.expect(200);
    let levels: Vec<i64> =
        list["bots"].as_array().unwrap().iter().map(|bot| bot["level"].as_i64().unwrap()).collect();
    assert_eq!(levels, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(list["rated"], false);
    let profile = browser.get("/api/v1/players/Rook-3").await.expect(200);
    assert_eq!((&profile["player"]["bot"], &profile["online"]), (&json!(true), &json!(true)));
    // A second start makes no second ones.
    let club = club.restart_as(with_bots(false)).await;
    let again = club.browser().get("/api/v1/bots").await.expect(200);
    assert_eq!(again["bots"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn a_bot_plays_every_variant_by_the_rules() {
    let gmo = Position::gmo_default().fen();
    for (variant, level, start) in [
        ("standard", 1, None),
        ("standard", 5, None),
        ("chess960", 2, None),
        ("defender", 3, Some("8/8/8/8/8/8/8/8 w - - 0 1 5/5")),
        ("gmo", 1, Some(gmo.as_str())),
    ] {
        let club = Club::open_as(with_bots(false)).await;
        let mut browser = club.browser();
        let extra = json!({"variant": variant, "start": start});
        let id = challenge(&mut browser, level, extra).await;
        for _ in 0..5 {
            let is_mine = |view: &Value| view["to_act"] == "white" || !view["outcome"].is_null();
            let view = until(&club, &mut browser, &id, is_mine).await;
            if !view["outcome"].is_null() {
                break;
            }
            play_any(&mut browser, &id, &view).await;
        }
        let view = until(&club, &mut browser, &id, |view| moves(view) >= 9).await;
        assert_eq!(view["players"]["black"]["bot"], true, "{variant}");
    }
}

#[tokio::test]
async fn a_bot_goes_on_after_a_crash() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let id = challenge(&mut browser, 1, json!({})).await;
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    play_any(&mut browser, &id, &view).await;
    // Simulated time stands, so the bot still pretends to think when the lights go out.
    let club = club.crash_and_start_after(5_000).await;
    browser.move_to(club.address);
    until(&club, &mut browser, &id, |view| moves(view) == 2).await;
}

#[tokio::test]
async fn a_bot_answers_offers_and_plays_again() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let id = challenge(&mut browser, 2, json!({})).await;
    let game = format!("/api/v1/games/{id}");
    let view = browser.get(&game).await.expect(200);
    play_any(&mut browser, &id, &view).await;
    until(&club, &mut browser, &id, |view| moves(view) == 2).await;
    let mut socket = browser.socket().await;
    socket.join_game(&id).await;
    socket.send(json!({"t": "offer_draw", "game": id})).await;
    socket.next_change("draw_offered").await;
    // The position is level: nobody who plays for fun wants a draw now.
    assert_eq!(socket.next_change("draw_declined").await["change"]["by"], "black");
    socket.send(json!({"t": "offer_takeback", "game": id})).await;
    assert_eq!(socket.next_change("taken_back").await["change"]["ply"], 0);
    socket.play(&id, 0, "e2e4").await;
    socket.send(json!({"t": "resign", "game": id})).await;
    socket.next_change("ended").await;
    browser.post(&format!("{game}/rematch"), json!({})).await.expect(200);
    let again =
        until(&club, &mut browser, &id, |view| !view["around"]["rematch"]["game"].is_null());
    let next = again.await["around"]["rematch"]["game"].as_str().unwrap().to_owned();
    // Now the bot has White, and begins.
    let view = until(&club, &mut browser, &next, |view| moves(view) == 1).await;
    assert_eq!(view["you"], "black");
}

#[tokio::test]
async fn games_against_bots_count_only_if_the_owner_says_so() {
    let rated = json!({
        "kind": "direct", "asked": "Rook-1", "time": blitz(), "color": "white", "rated": true,
    });
    for (is_rated, status) in [(false, 403), (true, 201)] {
        let club = Club::open_as(with_bots(is_rated)).await;
        let mut member = club.player("Tester").await;
        let answer = member.post("/api/v1/challenges", rated.clone()).await;
        let answer = answer.expect(status);
        if is_rated {
            let id = answer["id"].as_str().unwrap();
            let view = member.get(&format!("/api/v1/games/{id}")).await.expect(200);
            assert_eq!(view["rated"], true);
        } else {
            assert_eq!(answer["code"], "bots_play_casual");
        }
    }
}

#[tokio::test]
async fn a_club_without_bots_says_so() {
    let club = Club::open().await;
    let list = club.browser().get("/api/v1/bots").await.expect(200);
    assert_eq!(list["bots"], json!([]));
}
