//! Quick pairing as players meet it.

use serde_json::{Value, json};

use crate::client::Socket;
use crate::club::{Club, blitz};

/// The place in the queue, once it looks like this.
async fn place(socket: &mut Socket, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let waiting = socket.next_of("queue").await["waiting"].clone();
        if fits(&waiting) {
            return waiting;
        }
    }
}

#[tokio::test]
async fn two_strangers_are_paired() {
    let club = Club::open().await;
    let (mut first, mut second) = (club.guest().await, club.guest().await);
    let (mut one, mut other) = (first.socket().await, second.socket().await);
    let waiting = one.join_queue(&blitz(), false).await;
    let expected = json!({"variant": "standard", "time": blitz(), "rated": false,
        "waited_ms": 0, "range": 50, "players": 1, "bot_at_ms": null});
    assert_eq!(waiting, expected);
    other.join_queue(&blitz(), false).await;
    let begun = one.next_of("begin").await;
    assert_eq!(begun, other.next_of("begin").await);
    assert_eq!(place(&mut one, Value::is_null).await, json!(null));
    let path = format!("/api/v1/games/{}", begun["game"].as_str().unwrap());
    let (view, its) = (first.get(&path).await.expect(200), second.get(&path).await.expect(200));
    assert_eq!((view["time"].clone(), view["outcome"].clone()), (blitz(), json!(null)));
    assert!(view["you"].is_string() && its["you"].is_string() && view["you"] != its["you"]);
}

#[tokio::test]
async fn the_queue_pairs_those_who_want_the_same_variant() {
    let club = Club::open().await;
    let mut sockets = Vec::new();
    for variant in ["defender", "gmo", "standard", "gmo", "defender"] {
        let browser = club.guest().await;
        let mut socket = browser.socket().await;
        socket.send(json!({"t": "queue_join", "variant": variant, "time": blitz()})).await;
        let waiting = socket.next_of("queue").await["waiting"].clone();
        assert!(waiting.is_null() || waiting["variant"] == variant, "{waiting}");
        sockets.push((variant, browser, socket));
    }
    sockets.retain(|(variant, ..)| *variant != "standard");
    for (variant, browser, socket) in &mut sockets {
        let game = socket.next_of("begin").await["game"].as_str().unwrap().to_owned();
        let view = browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
        assert_eq!((&view["variant"], view["you"].is_string()), (&json!(variant), true));
    }
}

#[tokio::test]
async fn somebody_without_an_account_becomes_a_guest_in_the_queue() {
    let club = Club::open().await;
    let mut visitor = club.browser();
    visitor.get("/api/v1/me").await.expect(200);
    let mut socket = visitor.socket().await;
    assert_eq!(socket.join_queue(&blitz(), false).await["players"], 1);
    let mut nobody = club.browser().socket().await;
    nobody.send(json!({"t": "queue_join", "time": blitz()})).await;
    assert_eq!(nobody.next_of("rejected").await["code"], "no_session");
}

#[tokio::test]
async fn the_search_widens_until_both_reach_each_other() {
    let club = Club::open().await;
    let anna = club.rated_player("anna", 1500.0).await;
    let bert = club.rated_player("bert", 1680.0).await;
    let (mut one, mut other) = (anna.socket().await, bert.socket().await);
    one.join_queue(&blitz(), true).await;
    other.join_queue(&blitz(), true).await;
    for range in [100, 150] {
        club.time.advance(5_000);
        for socket in [&mut one, &mut other] {
            let now = place(socket, |waiting| waiting["range"] == range).await;
            assert_eq!((now["players"].as_u64(), now["rated"].as_bool()), (Some(2), Some(true)));
        }
    }
    club.time.advance(5_000);
    assert_eq!(one.next_of("begin").await, other.next_of("begin").await);
}

#[tokio::test]
async fn who_leaves_waits_no_more() {
    let club = Club::open().await;
    let (first, second) = (club.guest().await, club.guest().await);
    let (mut one, mut other) = (first.socket().await, second.socket().await);
    one.join_queue(&blitz(), false).await;
    one.send(json!({"t": "queue_leave"})).await;
    assert_eq!(one.next_of("queue").await["waiting"], json!(null));
    assert_eq!(other.join_queue(&blitz(), false).await["players"], 1);
}

#[tokio::test]
async fn joining_twice_keeps_the_place_and_another_wish_gives_it_up() {
    let club = Club::open().await;
    let guest = club.guest().await;
    let (mut one, mut other) = (guest.socket().await, guest.socket().await);
    one.join_queue(&blitz(), false).await;
    club.time.advance(4_000);
    other.send(json!({"t": "queue_join", "time": blitz()})).await;
    let again = place(&mut other, |waiting| waiting["waited_ms"] == 4_000).await;
    assert_eq!(again["players"], 1);
    let rapid = json!({"kind": "fischer", "initial_ms": 600_000, "increment_ms": 0});
    other.send(json!({"t": "queue_join", "time": rapid})).await;
    let changed = place(&mut other, |waiting| waiting["time"] == rapid).await;
    assert_eq!((changed["waited_ms"].as_i64(), changed["players"].as_i64()), (Some(0), Some(1)));
}

#[tokio::test]
async fn a_closed_page_is_not_paired_and_finds_its_place_again() {
    let club = Club::open().await;
    let (first, second) = (club.guest().await, club.guest().await);
    let mut one = first.socket().await;
    one.join_queue(&blitz(), false).await;
    club.time.advance(5_000);
    drop(one);
    club.until_online(0).await;
    let mut other = second.socket().await;
    let waiting = other.join_queue(&blitz(), false).await;
    assert_eq!(waiting["players"], 1, "nobody is paired with an empty chair");
    club.time.advance(4_000);
    let mut one = first.socket().await;
    let back = one.next_of("queue").await["waiting"].clone();
    assert_eq!((back["waited_ms"].as_i64(), back["range"].as_i64()), (Some(9_000), Some(100)));
    assert_eq!(one.next_of("begin").await, other.next_of("begin").await);
}

#[tokio::test]
async fn a_page_that_stays_closed_loses_its_place() {
    let club = Club::open().await;
    let first = club.guest().await;
    let mut one = first.socket().await;
    one.join_queue(&blitz(), false).await;
    drop(one);
    club.until_online(0).await;
    club.time.advance(10_000);
    let mut one = first.socket().await;
    let waiting = one.join_queue(&blitz(), false).await;
    assert_eq!(waiting["waited_ms"], 0);
}

#[tokio::test]
async fn guests_queue_for_casual_games_only() {
    let club = Club::open().await;
    let mut socket = club.guest().await.socket().await;
    socket.send(json!({"t": "queue_join", "time": blitz(), "rated": true})).await;
    assert_eq!(socket.next_of("rejected").await["code"], "guests_play_casual");
    socket.send(json!({"t": "queue_join", "time": {"kind": "fischer", "initial_ms": 1, "increment_ms": 0}})).await;
    assert_eq!(socket.next_of("rejected").await["code"], "bad_time_control");
}

#[tokio::test]
async fn who_had_white_last_has_black_now() {
    let club = Club::open().await;
    let (white, _, _) = club.game(blitz()).await;
    let new = club.guest().await;
    let (mut one, mut other) = (white.socket().await, new.socket().await);
    one.join_queue(&blitz(), false).await;
    other.join_queue(&blitz(), false).await;
    let game = one.next_of("begin").await["game"].as_str().unwrap().to_owned();
    let view = new.clone().get(&format!("/api/v1/games/{game}")).await.expect(200);
    assert_eq!(view["you"], "white");
}

#[tokio::test]
async fn who_mutes_somebody_does_not_meet_them() {
    let club = Club::open().await;
    let (anna, bert) = (club.player("anna").await, club.player("bert").await);
    let (of_bert, of_anna) = (club.account_id("bert").await, club.account_id("anna").await);
    club.store().mute_for_test(of_bert, of_anna).await.unwrap();
    let (mut one, mut other) = (anna.socket().await, bert.socket().await);
    one.join_queue(&blitz(), true).await;
    other.join_queue(&blitz(), true).await;
    club.time.advance(40_000);
    let both = place(&mut other, |waiting| waiting["range"] == 450).await;
    assert_eq!(both["players"], 2, "both still wait");
}
