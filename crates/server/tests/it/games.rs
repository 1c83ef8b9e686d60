use serde_json::json;

use crate::client::play_moves;
use crate::club::{Club, blitz, unlimited};

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

#[tokio::test]
async fn a_game_is_played_to_mate_and_both_see_the_same() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &FOOLS_MATE).await;
    for socket in [&mut white, &mut black] {
        let ended = socket.next_of("changed").await;
        let mate = json!({"kind": "win", "winner": "black", "by": "mate"});
        assert_eq!(
            (&ended["change"]["kind"], &ended["change"]["outcome"]),
            (&json!("ended"), &mate)
        );
        assert_eq!(ended["version"], 5);
    }
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["moves"].as_array().map(Vec::len), Some(4));
    assert_eq!(view["moves"][3]["san"], "Qh4#");
    assert_eq!(view["dests"], "");
    assert_eq!(view["clocks"]["running"], json!(null));
}

#[tokio::test]
async fn an_illegal_move_is_refused_with_a_reason_and_changes_nothing() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    for (ply, uci, code) in
        [(0, "e2e5", "illegal_move"), (0, "zzz", "bad_move_text"), (4, "e2e4", "future_ply")]
    {
        white.send(json!({"t": "move", "game": id, "ply": ply, "uci": uci})).await;
        let rejected = white.next_of("rejected").await;
        assert_eq!(
            (rejected["code"].as_str(), rejected["ply"].as_u64()),
            (Some(code), Some(ply)),
            "{rejected}"
        );
    }
    black.send(json!({"t": "move", "game": id, "ply": 0, "uci": "e7e5"})).await;
    assert_eq!(black.next_of("rejected").await["code"], "not_your_turn");
    assert_eq!(white.play(&id, 0, "e2e4").await["version"], 1);
}

#[tokio::test]
async fn a_move_may_be_written_as_people_write_it() {
    let club = Club::open().await;
    let (mut white, _black, id) = club.table(unlimited()).await;
    white.send(json!({"t": "move", "game": id, "ply": 0, "uci": "Nf3"})).await;
    assert_eq!(white.next_of("played").await["uci"], "g1f3");
}

#[tokio::test]
async fn a_move_that_is_sent_twice_is_played_once() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    white.play(&id, 0, "e2e4").await;
    white.send(json!({"t": "move", "game": id, "ply": 0, "uci": "e2e4"})).await;
    let again = white.next_of("state").await;
    assert_eq!(again["version"], 1);
    assert_eq!(again["state"]["moves"].as_array().map(Vec::len), Some(1));
    // Another move for the same ply is stale, not a resend.
    white.send(json!({"t": "move", "game": id, "ply": 0, "uci": "d2d4"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "stale_ply");
    assert_eq!(black.play(&id, 1, "e7e5").await["version"], 2);
}

#[tokio::test]
async fn who_does_not_play_may_look_but_not_touch() {
    let club = Club::open().await;
    let (mut white, _black, id) = club.table(unlimited()).await;
    let mut watcher = club.browser().socket().await;
    let state = watcher.join_game(&id).await;
    assert_eq!(state["state"]["you"], json!(null));
    for message in [
        json!({"t": "move", "game": id, "ply": 0, "uci": "e2e4"}),
        json!({"t": "resign", "game": id}),
    ] {
        watcher.send(message).await;
        assert_eq!(watcher.next_of("rejected").await["code"], "not_your_game");
    }
    let told = white.play(&id, 0, "e2e4").await;
    assert_eq!(watcher.next_of("played").await, told);
}

#[tokio::test]
async fn a_flag_falls_without_any_client() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    drop((white, black));
    club.time.advance(179_999);
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(
        (view["outcome"].clone(), view["clocks"]["white_ms"].clone()),
        (json!(null), json!(1))
    );
    club.time.advance(1);
    let mut watcher = club.browser().socket().await;
    let state = watcher.join_game(&id).await;
    if state["state"]["outcome"].is_null() {
        watcher.next_of("changed").await;
    }
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["outcome"], json!({"kind": "win", "winner": "black", "by": "time"}));
}

#[tokio::test]
async fn a_flag_waits_for_a_move_that_is_on_its_way() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    // The line takes 300 ms there and back.
    club.time.advance(15_000);
    white.hear_ping().await;
    club.time.advance(300);
    white.answer_ping().await;
    assert_eq!(white.play(&id, 2, "g1f3").await["lag_ms"], 300);
    let left = black.play(&id, 3, "b8c6").await["clocks"]["white_ms"].as_i64().unwrap();

    club.time.advance(left + 150);
    let played = white.play(&id, 4, "f1c4").await;
    assert_eq!(
        played["clocks"]["white_ms"], 2_150,
        "sent 300 ms ago with 150 ms to go, and 2 s for the move"
    );

    black.play(&id, 5, "g8f6").await;
    club.time.advance(2_150 + 301);
    let outcome = &white.next_of("changed").await["change"]["outcome"];
    assert_eq!(outcome, &json!({"kind": "win", "winner": "black", "by": "time"}));
}

#[tokio::test]
async fn draws_are_offered_declined_and_agreed() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    white.send(json!({"t": "offer_draw", "game": id})).await;
    assert_eq!(
        black.next_of("changed").await["change"],
        json!({"kind": "draw_offered", "by": "white"})
    );
    black.send(json!({"t": "decline_draw", "game": id})).await;
    assert_eq!(
        black.next_of("changed").await["change"],
        json!({"kind": "draw_declined", "by": "black"})
    );
    black.send(json!({"t": "accept_draw", "game": id})).await;
    assert_eq!(black.next_of("rejected").await["code"], "no_offer");
    black.send(json!({"t": "offer_draw", "game": id})).await;
    white.next_of("changed").await;
    white.next_of("changed").await;
    white.next_of("changed").await;
    white.send(json!({"t": "accept_draw", "game": id})).await;
    let ended = white.next_of("changed").await;
    assert_eq!(ended["change"]["outcome"], json!({"kind": "draw", "by": "agreement"}));
}

#[tokio::test]
async fn everything_the_socket_can_do_http_can_do() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.game(unlimited()).await;
    let at = |what: &str| format!("/api/v1/games/{id}/{what}");
    white.post(&at("moves"), json!({"ply": 0, "uci": "e2e4"})).await.expect(200);
    black
        .post(&at("moves"), json!({"ply": 0, "uci": "e7e5"}))
        .await
        .expect_problem(409, "stale_ply");
    black.post(&at("moves"), json!({"ply": 1, "uci": "e7e5"})).await.expect(200);
    let view = white.post(&at("draw"), json!({})).await.expect(200);
    assert_eq!(view["draw_offer"], "white");
    let view = black.delete(&at("draw")).await.expect(200);
    assert_eq!(view["draw_offer"], json!(null));
    white.post(&at("abort"), json!({})).await.expect_problem(409, "too_late_to_abort");
    let view = black.post(&at("resignation"), json!({})).await.expect(200);
    assert_eq!(view["outcome"]["winner"], "white");
    club.browser().post(&at("resignation"), json!({})).await.expect_problem(401, "no_account");
}

#[tokio::test]
async fn a_game_that_has_not_begun_can_be_aborted() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    white.play(&id, 0, "e2e4").await;
    black.send(json!({"t": "abort", "game": id})).await;
    assert_eq!(white.next_of("changed").await["change"]["outcome"]["kind"], "aborted");
}

#[tokio::test]
async fn a_rematch_swaps_the_colours_and_is_found_by_both() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.game(blitz()).await;
    let rematch = format!("/api/v1/games/{id}/rematch");
    white.post(&rematch, json!({})).await.expect_problem(409, "still_running");
    white.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let mut watching = white.socket().await;
    watching.join_game(&id).await;
    let mut elsewhere = black.socket().await;
    black.post(&rematch, json!({})).await.expect(200);
    assert_eq!(
        watching.next_of("around").await["around"]["rematch"],
        json!({"by": "black", "game": null, "declined": false})
    );
    black.post(&rematch, json!({})).await.expect(200);
    let view = white.post(&rematch, json!({})).await.expect(200);
    let next = view["around"]["rematch"]["game"].as_str().expect("the new game").to_owned();
    let game = black.get(&format!("/api/v1/games/{next}")).await.expect(200);
    assert_eq!(game["you"], "white", "who had Black has White now");
    assert_eq!(game["time"], blitz());
    let begun = elsewhere.next_of("begin").await;
    assert_eq!((&begun["game"], &begun["live"]), (&json!(next), &json!(true)), "it is called");
    // Whoever comes later finds the way too.
    let late = white.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(late["around"]["rematch"]["game"], next);
}
