//! What players ask of each other and say: takebacks, time, claims, chat; and clocks of every kind.

use serde_json::json;

use crate::client::play_moves;
use crate::club::{Club, blitz};

#[tokio::test]
async fn a_move_is_taken_back_when_the_other_allows_it_and_the_clock_with_it() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(5_000);
    white.play(&id, 2, "d2d4").await;
    black.next_of("played").await;
    white.send(json!({"t": "offer_takeback", "game": id})).await;
    let offered = black.next_of("changed").await;
    assert_eq!(offered["change"], json!({"kind": "takeback_offered", "by": "white"}));
    black.send(json!({"t": "accept_takeback", "game": id})).await;
    let back = white.next_change("taken_back").await;
    assert_eq!(back["change"]["ply"], 2);
    assert_eq!(back["clocks"]["white_ms"], 180_000, "the five seconds are given back");
    assert_eq!(white.play(&id, 2, "g1f3").await["ply"], 3);
}

#[tokio::test]
async fn a_game_that_is_taken_back_to_its_first_moves_can_be_aborted_again() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    black.send(json!({"t": "offer_takeback", "game": id})).await;
    white.next_change("takeback_offered").await;
    white.send(json!({"t": "accept_takeback", "game": id})).await;
    let back = black.next_change("taken_back").await["change"].clone();
    assert_eq!((&back["ply"], &back["can_abort"]), (&json!(1), &json!(true)));
    assert_eq!(back["can_claim_draw"], false);
    black.send(json!({"t": "abort", "game": id})).await;
    assert_eq!(white.next_change("ended").await["change"]["outcome"]["kind"], "aborted");
}

#[tokio::test]
async fn a_takeback_can_be_declined() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    black.send(json!({"t": "offer_takeback", "game": id})).await;
    white.next_change("takeback_offered").await;
    white.send(json!({"t": "decline_takeback", "game": id})).await;
    assert_eq!(black.next_change("takeback_declined").await["change"]["by"], "white");
    white.send(json!({"t": "accept_takeback", "game": id})).await;
    assert_eq!(white.next_of("rejected").await["code"], "no_offer");
}

#[tokio::test]
async fn a_player_gives_the_other_fifteen_seconds() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    white.send(json!({"t": "give_time", "game": id})).await;
    let given = black.next_change("time_added").await;
    assert_eq!(given["change"], json!({"kind": "time_added", "to": "black", "ms": 15_000}));
    assert_eq!(given["clocks"]["black_ms"], 195_000);
}

#[tokio::test]
async fn the_game_of_somebody_who_has_left_can_be_claimed_but_not_too_soon() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    white.play(&id, 2, "g1f3").await;
    drop(black);
    let gone = loop {
        let around = white.next_of("around").await;
        if !around["around"]["gone"].is_null() {
            break around["around"].clone();
        }
    };
    assert_eq!(gone["gone"]["side"], "black");
    let wait = gone["gone"]["claim_at"].as_i64().unwrap() - gone["now"].as_i64().unwrap();
    assert_eq!(wait, 26_000, "a tenth of 3+2");
    white.send(json!({"t": "claim_abandonment", "game": id, "claim": "win"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "not_abandoned");
    club.time.advance(26_000);
    white.send(json!({"t": "claim_abandonment", "game": id, "claim": "win"})).await;
    let ended = white.next_change("ended").await;
    assert_eq!(ended["change"]["outcome"]["by"], "abandonment");
}

#[tokio::test]
async fn who_plays_without_a_socket_in_the_room_has_not_left() {
    let club = Club::open().await;
    for by_http in [true, false] {
        let (white, mut black, id) = club.game(blitz()).await;
        let mut white = white.socket().await;
        let mut elsewhere = black.socket().await;
        white.join_game(&id).await;
        white.play(&id, 0, "e2e4").await;
        let answer = json!({"ply": 1, "uci": "e7e5"});
        if by_http {
            black.post(&format!("/api/v1/games/{id}/moves"), answer).await.expect(200);
        } else {
            elsewhere.send(json!({"t": "move", "game": id, "ply": 1, "uci": "e7e5"})).await;
        }
        while white.next_of("played").await["ply"] != 2 {}
        white.play(&id, 2, "g1f3").await;
        club.time.advance(100_000);
        white.send(json!({"t": "claim_abandonment", "game": id, "claim": "win"})).await;
        assert_eq!(white.next_of("rejected").await["code"], "not_abandoned", "{by_http}");
        let view = black.get(&format!("/api/v1/games/{id}")).await.expect(200);
        assert_eq!(view["around"]["present"]["black"], true);
        assert_eq!(view["around"]["gone"], json!(null));
    }
}

#[tokio::test]
async fn who_closes_one_of_two_tabs_is_still_there() {
    let club = Club::open().await;
    let (white, black, id) = club.game(blitz()).await;
    let mut white = white.socket().await;
    let (mut one, mut other) = (black.socket().await, black.socket().await);
    white.join_game(&id).await;
    one.join_game(&id).await;
    other.join_game(&id).await;
    let present = |around: &serde_json::Value| around["around"]["present"]["black"].clone();
    while present(&white.next_of("around").await) != true {}
    drop(one);
    other.send(json!({"t": "chat", "game": id, "room": "players", "text": "Hello"})).await;
    loop {
        let told = white.next().await;
        match told["t"].as_str() {
            Some("around") => assert_eq!(present(&told), true),
            Some("chat") => break,
            _ => {}
        }
    }
    drop(other);
    while present(&white.next_of("around").await) != false {}
}

#[tokio::test]
async fn a_delay_and_the_time_for_the_first_move_are_told_with_the_clocks() {
    let club = Club::open().await;
    let side =
        json!([{"moves": null, "time_ms": 300_000, "bonus": {"kind": "delay", "ms": 5_000}}]);
    let time = json!({"kind": "stages", "white": side, "black": side});
    let (mut white, mut black, id) = club.table(time).await;
    let told = |clocks: &serde_json::Value| {
        ["white_ms", "delay_ms", "first_move_ms"].map(|name| clocks[name].as_i64())
    };
    let path = format!("/api/v1/games/{id}");
    let mut watcher = club.browser();
    club.time.advance(100_000);
    let view = watcher.get(&path).await.expect(200);
    assert_eq!(told(&view["clocks"]), [Some(300_000), None, Some(200_000)]);
    let first = white.play(&id, 0, "e2e4").await;
    assert_eq!(told(&first["clocks"]), [Some(300_000), None, Some(300_000)], "Black's first move");
    let second = black.play(&id, 1, "e7e5").await;
    assert_eq!(told(&second["clocks"]), [Some(300_000), Some(5_000), None]);
    club.time.advance(2_000);
    let view = watcher.get(&path).await.expect(200);
    assert_eq!(told(&view["clocks"]), [Some(300_000), Some(3_000), None], "nothing is charged yet");
    club.time.advance(4_000);
    let view = watcher.get(&path).await.expect(200);
    assert_eq!(told(&view["clocks"]), [Some(299_000), None, None]);
}

#[tokio::test]
async fn the_lag_shown_is_that_of_the_last_move_before_and_after_a_restart() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(15_000);
    white.hear_ping().await;
    club.time.advance(300);
    white.answer_ping().await;
    assert_eq!(white.play(&id, 2, "g1f3").await["lag_ms"], 300);
    black.play(&id, 3, "b8c6").await;
    assert_eq!(white.play(&id, 4, "f1c4").await["lag_ms"], 300);
    let path = format!("/api/v1/games/{id}");
    let lag = json!({"white": 300, "black": 0});
    assert_eq!(club.browser().get(&path).await.expect(200)["lag"], lag);
    let club = club.crash_and_start_after(0).await;
    assert_eq!(club.browser().get(&path).await.expect(200)["lag"], lag);
}

#[tokio::test]
async fn a_refused_move_uses_up_no_credit_for_the_network() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(15_000);
    white.hear_ping().await;
    club.time.advance(1_250);
    white.answer_ping().await;
    for _ in 0..10 {
        white.send(json!({"t": "move", "game": id, "ply": 2, "uci": "e1e8"})).await;
        white.next_of("rejected").await;
    }
    assert_eq!(white.play(&id, 2, "g1f3").await["lag_ms"], 1_250);
}

#[tokio::test]
async fn by_the_rules_of_fide_a_repetition_is_claimed_also_with_the_intended_move() {
    let club = Club::open().await;
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    for rules in ["fide", "online"] {
        let (mut white, mut black) = (club.guest().await, club.guest().await);
        let new = json!({"time": blitz(), "color": "white", "rules": rules});
        let made = white.post("/api/v1/challenges", new).await.expect(201);
        assert_eq!(made["rules"], rules);
        let id = made["id"].as_str().unwrap().to_owned();
        let view = black.accept(&id).await.expect(200);
        assert_eq!(view["draws_by_claim"], rules == "fide");
        let (mut white, mut black) = (white.socket().await, black.socket().await);
        white.join_game(&id).await;
        black.join_game(&id).await;
        play_moves(&mut white, &mut black, &id, &shuffle).await;
        if rules == "fide" {
            black.send(json!({"t": "claim_draw", "game": id, "uci": "b8c6"})).await;
            assert_eq!(black.next_of("rejected").await["code"], "nothing_to_claim");
            black.send(json!({"t": "claim_draw", "game": id, "uci": "f6g8"})).await;
        } else {
            black.send(json!({"t": "move", "game": id, "ply": 7, "uci": "f6g8"})).await;
        }
        let ended = white.next_change("ended").await;
        assert_eq!(
            ended["change"]["outcome"],
            json!({"kind": "draw", "by": "threefold"}),
            "{rules}"
        );
    }
}

#[tokio::test]
async fn chat_reaches_its_room_and_no_other_and_survives_a_crash() {
    let club = Club::open().await;
    let (white_browser, black_browser, id) = club.game(blitz()).await;
    let (mut white, mut black) = (white_browser.socket().await, black_browser.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    let mut watcher_browser = club.browser();
    watcher_browser
        .post("/api/v1/challenges", json!({"time": blitz(), "color": "white"}))
        .await
        .expect(201);
    let mut watcher = watcher_browser.socket().await;
    watcher.join_game(&id).await;

    white.send(json!({"t": "chat", "game": id, "room": "players", "text": "good luck"})).await;
    let line = black.next_of("chat").await;
    assert_eq!(line["line"]["text"], "good luck");
    watcher.send(json!({"t": "chat", "game": id, "room": "watchers", "text": "exciting"})).await;
    assert_eq!(
        watcher.next_of("chat").await["line"]["text"],
        "exciting",
        "the first line it hears"
    );
    watcher.send(json!({"t": "chat", "game": id, "room": "players", "text": "move!"})).await;
    assert_eq!(watcher.next_of("rejected").await["code"], "chat_not_your_room");

    let club = club.crash_and_start_after(1_000).await;
    let mut white_browser = white_browser;
    white_browser.move_to(club.address);
    let view = white_browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    let texts: Vec<&str> = view["chat"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["good luck"], "a player does not hear the watchers of a running game");
}

#[tokio::test]
async fn a_talk_that_could_not_be_read_once_goes_on() {
    let club = Club::open().await;
    let (mut white, _black, id) = club.table(blitz()).await;
    let say = |text: &str| json!({"t": "chat", "game": id, "room": "watchers", "text": text});
    let mut watcher_browser = club.guest().await;
    let mut watcher = watcher_browser.socket().await;
    watcher.join_game(&id).await;
    watcher.send(say("one")).await;
    watcher.next_of("chat").await;
    white.send(json!({"t": "resign", "game": id})).await;
    white.next_change("ended").await;

    let club = club.crash_and_start_after(1_000).await;
    watcher_browser.move_to(club.address);
    let rename = |from: &str, to: &str| format!("ALTER TABLE {from} RENAME TO {to}");
    club.store().run_for_test(rename("chat_line", "elsewhere")).await.unwrap();
    let mut watcher = watcher_browser.socket().await;
    watcher.join_game(&id).await;
    watcher.send(say("two")).await;
    assert_eq!(watcher.next_of("rejected").await["code"], "storage");
    club.store().run_for_test(rename("elsewhere", "chat_line")).await.unwrap();
    watcher.send(say("two")).await;
    assert_eq!(watcher.next_of("chat").await["line"]["number"], 2);
    let view = watcher_browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["chat"].as_array().map(Vec::len), Some(2), "{view}");
}

#[tokio::test]
async fn a_flood_of_words_is_stopped() {
    let club = Club::open().await;
    let (mut white, _black, id) = club.table(blitz()).await;
    for _ in 0..6 {
        white.send(json!({"t": "chat", "game": id, "room": "players", "text": "!"})).await;
        white.next_of("chat").await;
    }
    white.send(json!({"t": "chat", "game": id, "room": "players", "text": "!"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "chat_flood");
}

#[tokio::test]
async fn a_clock_may_have_stages_and_delays_and_differ_between_the_sides() {
    let club = Club::open().await;
    let time = json!({"kind": "stages",
        "white": [
            {"moves": 40, "time_ms": 5_400_000, "bonus": {"kind": "fischer", "ms": 30_000}},
            {"moves": null, "time_ms": 1_800_000, "bonus": {"kind": "fischer", "ms": 30_000}}],
        "black": [{"moves": null, "time_ms": 300_000, "bonus": {"kind": "delay", "ms": 5_000}}]});
    let (mut white, mut black, id) = club.table(time.clone()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5", "g1f3"]).await;
    club.time.advance(7_000);
    let played = black.play(&id, 3, "b8c6").await;
    assert_eq!(played["clocks"]["black_ms"], 298_000, "five of seven seconds are free");
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["time"], time);
    let bad = json!({"time": {"kind": "stages", "white": [], "black": []}, "color": "white"});
    club.browser().post("/api/v1/challenges", bad).await.expect_problem(422, "bad_time_control");
}

#[tokio::test]
async fn a_rated_game_changes_both_ratings_once_and_says_so() {
    let club = Club::open().await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    let asked = json!({"time": blitz(), "color": "white", "rated": true});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    berta.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    let (mut white, mut black) = (anna.socket().await, berta.socket().await);
    let state = white.join_game(&id).await;
    assert_eq!(state["state"]["players"]["white"]["rating"], 1500);
    assert_eq!(
        (&state["state"]["rated"], &state["state"]["pool"]),
        (&json!(true), &json!("standard/blitz"))
    );
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    for socket in [&mut white, &mut black] {
        let rated = socket.next_of("rated").await;
        // The numbers of the rating specification: an equal beaten at the defaults.
        assert_eq!(rated["black"], json!({"before": 1500, "after": 1741, "provisional": true}));
        assert_eq!(rated["white"]["after"], 1259);
    }
    let club = club.crash_and_start_after(1_000).await;
    let mut browser = club.browser();
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["ratings"]["black"]["after"], 1741, "the game remembers what it changed");
    let profile = browser.get("/api/v1/players/Berta").await.expect(200);
    let pool = &profile["pools"][0];
    assert_eq!(
        (&pool["pool"], &pool["rating"], &pool["games"]),
        (&json!("standard/blitz"), &json!(1741), &json!(1))
    );
    let history = browser.get("/api/v1/players/Berta/games").await.expect(200);
    assert!(
        history["games"][0]["opening"].as_str().unwrap().contains("Barnes"),
        "{}",
        history["games"][0]["opening"]
    );
}

#[tokio::test]
async fn a_game_with_a_guest_never_counts() {
    let club = Club::open().await;
    let (mut anna, mut guest) = (club.player("Anna").await, club.browser());
    let asked = json!({"time": blitz(), "color": "white", "rated": true});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let url = format!("/api/v1/challenges/{}/acceptance", made["id"].as_str().unwrap());
    let answer = guest.post(&url, json!({})).await;
    // Either the guest is turned away, or the game does not count; it must not be rated.
    assert!(answer.status != 200 || answer.expect(200)["rated"] == json!(false));
}

#[tokio::test]
async fn who_is_muted_at_a_board_is_not_heard_there_even_a_guest() {
    let club = Club::open().await;
    let (mut white_browser, mut black_browser, id) = club.game(blitz()).await;
    let (mut white, mut black) = (white_browser.socket().await, black_browser.socket().await);
    let state = white.join_game(&id).await;
    black.join_game(&id).await;
    let say = |text: &str| json!({"t": "chat", "game": id, "room": "players", "text": text});
    black.send(say("you lose")).await;
    white.next_of("chat").await;
    let whom = state["state"]["players"]["black"]["id"].as_str().unwrap();
    let path = format!("/api/v1/games/{id}/mutes/{whom}");
    white_browser.put(&path, json!({})).await.expect(204);
    black.send(say("you really lose")).await;
    black.next_of("chat").await;
    white.send(say("thank you")).await;
    assert_eq!(white.next_of("chat").await["line"]["text"], "thank you", "nothing came between");
    let game = format!("/api/v1/games/{id}");
    let texts = |view: &serde_json::Value| -> Vec<String> {
        let lines = view["chat"].as_array().unwrap().iter();
        lines.map(|line| line["text"].as_str().unwrap().to_owned()).collect()
    };
    let seen = white_browser.get(&game).await.expect(200);
    assert_eq!((texts(&seen), &seen["muted"]), (vec!["thank you".to_owned()], &json!([whom])));
    assert_eq!(texts(&black_browser.get(&game).await.expect(200)).len(), 3);
    white_browser.delete(&path).await.expect(204);
    assert_eq!(texts(&white_browser.get(&game).await.expect(200)).len(), 3);
    let nobody = format!("/api/v1/games/{id}/mutes/AAAAAAAA");
    white_browser.put(&nobody, json!({})).await.expect_problem(404, "nobody_to_mute");
}

#[tokio::test]
async fn a_rematch_draws_its_lots_anew_and_keeps_what_was_chosen() {
    let club = Club::open().await;
    let (mut white, mut black) = (club.guest().await, club.guest().await);
    let chosen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
    for (start, changes) in [(json!(null), true), (json!(chosen), false)] {
        let new = json!({"variant": "chess960", "time": blitz(), "color": "white", "start": start});
        let id = white.challenge(new).await;
        let first = black.accept(&id).await.expect(200)["start_fen"].clone();
        white.post(&format!("/api/v1/games/{id}/abort"), json!({})).await.expect(200);
        let path = format!("/api/v1/games/{id}/rematch");
        white.post(&path, json!({})).await.expect(200);
        let view = black.post(&path, json!({})).await.expect(200);
        let again = view["around"]["rematch"]["game"].as_str().unwrap();
        let second =
            white.get(&format!("/api/v1/games/{again}")).await.expect(200)["start_fen"].clone();
        assert_eq!(first != second, changes, "{first} {second}");
    }
}

#[tokio::test]
async fn the_opening_has_its_name_while_the_game_is_played() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    for (ply, uci, name) in [
        (0, "e2e4", Some("B00 King's Pawn Game")),
        (1, "c7c5", Some("B20 Sicilian Defense")),
        (2, "a2a4", Some("B20 Sicilian Defense: Myers Attack, with a4")),
        (3, "h7h5", None),
    ] {
        let mover = if ply % 2 == 0 { &mut white } else { &mut black };
        let played = mover.play(&id, ply, uci).await;
        assert_eq!(played["opening"].as_str(), name, "{uci}");
    }
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(
        view["opening"], "B20 Sicilian Defense: Myers Attack, with a4",
        "the last name it had"
    );
}
