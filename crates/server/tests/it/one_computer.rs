//! Two people at one computer: who may sit down, who makes the moves, what is agreed at the table, and the PIN.

use serde_json::{Value, json};

use crate::accounts::people::PASSWORD;
use crate::client::{Answer, Browser};
use crate::club::{Club, blitz, unlimited};

/// Two names and nothing else.
fn names() -> Value {
    json!({"time": blitz(), "white": {"kind": "guest", "name": "Ola"}, "black": {"kind": "guest", "name": "Kari"}})
}

/// Whoever asks against a member who confirms like this.
fn against(member: &Value) -> Value {
    json!({"time": blitz(), "rated": true, "white": {"kind": "me"}, "black": member})
}

fn bert_by(what: &str, secret: &str) -> Value {
    json!({"kind": "member", "name": "bert", what: secret})
}

impl Browser {
    async fn sit_down(&mut self, table: Value) -> Answer {
        self.post("/api/v1/one-computer", table).await
    }

    async fn begin_table(&mut self, table: Value) -> String {
        let view = self.sit_down(table).await.expect(200);
        view["id"].as_str().unwrap().to_owned()
    }

    async fn settle(&mut self, id: &str, act: Value) -> Answer {
        self.post(&format!("/api/v1/games/{id}/table"), act).await
    }

    async fn set_pin(&mut self, pin: &str) -> Answer {
        self.put("/api/v1/account/pin", json!({"pin": pin, "password": PASSWORD})).await
    }

    async fn pin_state(&mut self) -> Value {
        self.get("/api/v1/account").await.expect(200)["pin"].clone()
    }
}

#[tokio::test]
async fn two_names_play_on_one_screen_and_one_browser_makes_all_moves() {
    let club = Club::open().await;
    let mut screen = club.browser();
    let id = screen.begin_table(names()).await;
    let mut socket = screen.socket().await;
    let state = socket.join_game(&id).await;
    assert_eq!(
        (&state["state"]["you"], &state["state"]["one_computer"]),
        (&json!("white"), &json!(true))
    );
    assert_eq!(state["state"]["players"]["black"]["name"], "Kari");
    for (uci, ply) in ["f2f3", "e7e5", "g2g4"].into_iter().zip(0..) {
        socket.play(&id, ply, uci).await;
    }
    let view = screen.make_move(&id, 2, "g2g4").await;
    assert_eq!((&view["ply"], &view["you"]), (&json!(3), &json!("black")), "sent twice, made once");
    socket.play(&id, 3, "d8h4").await;
    let ended = socket.next_change("ended").await;
    assert_eq!(ended["change"]["outcome"]["by"], "mate");
}

#[tokio::test]
async fn nobody_is_waited_for_elsewhere_while_two_sit_at_one_computer() {
    let club = Club::open().await;
    let mut anna = club.player("anna").await;
    let table = json!({"time": unlimited(), "white": {"kind": "me"}, "black": {"kind": "guest", "name": "Kari"}});
    anna.begin_table(table).await;
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    assert_eq!((&mine["your_move"], &mine["games"][0]["is_your_move"]), (&json!(0), &json!(false)));
    let mut socket = anna.socket().await;
    socket.send(json!({"t": "join", "room": "me"})).await;
    let told = socket.next_of("state").await;
    assert_eq!(told["state"]["games"][0]["is_your_move"], false);
}

#[tokio::test]
async fn nobody_else_moves_there_or_knows_of_names_that_were_typed() {
    let club = Club::open().await;
    let mut screen = club.browser();
    let id = screen.begin_table(names()).await;
    let path = format!("/api/v1/games/{id}");
    club.guest().await.get(&path).await.expect_problem(404, "unknown_game");
    assert_eq!(club.browser().get("/api/v1/games").await.expect(200)["games"], json!([]));
    screen.get(&path).await.expect(200);

    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.begin_table(against(&bert_by("password", PASSWORD))).await;
    anna.make_move(&id, 0, "e2e4").await;
    let (moves, settled) = (format!("/api/v1/games/{id}/moves"), json!({"act": "draw"}));
    let answer = bert.post(&moves, json!({"ply": 1, "uci": "e7e5"})).await;
    answer.expect_problem(403, "at_one_computer");
    bert.settle(&id, settled.clone()).await.expect_problem(403, "at_one_computer");
    club.guest().await.settle(&id, settled).await.expect_problem(403, "not_your_game");
    assert_eq!(bert.get("/api/v1/me/games").await.expect(200)["games"], json!([]));
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    assert_eq!((&mine["games"][0]["id"], &mine["your_move"]), (&json!(id), &json!(0)));
}

#[tokio::test]
async fn a_rated_game_counts_for_both_once_the_second_has_confirmed() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    for wrong in [bert_by("password", "not his"), json!({"kind": "member", "name": "bert"})] {
        anna.sit_down(against(&wrong)).await.expect_problem(401, "bad_credentials");
    }
    anna.sit_down(against(&bert_by("pin", "2718"))).await.expect_problem(401, "bad_pin");
    let guest = json!({"kind": "guest", "name": "Kari"});
    anna.sit_down(against(&guest)).await.expect_problem(403, "guests_play_casual");
    let posing = json!({"kind": "guest", "name": "Bert"});
    let casual = json!({"time": unlimited(), "white": {"kind": "me"}, "black": posing});
    anna.sit_down(casual).await.expect_problem(422, "members_name");
    let herself = json!({"kind": "member", "name": "anna", "password": PASSWORD});
    anna.sit_down(against(&herself)).await.expect_problem(422, "same_person");

    let id = anna.begin_table(against(&bert_by("password", PASSWORD))).await;
    anna.settle(&id, json!({"act": "resign", "side": "white"})).await.expect(200);
    let view = bert.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["outcome"], json!({"kind": "win", "winner": "black", "by": "resign"}));
    let change = |side: &str| {
        let change = &view["ratings"][side];
        change["after"].as_i64().unwrap() - change["before"].as_i64().unwrap()
    };
    assert!(change("white") < 0 && change("black") > 0, "{view}");
    anna.post(&format!("/api/v1/games/{id}/rematch"), json!({}))
        .await
        .expect_problem(403, "at_one_computer");
}

#[tokio::test]
async fn draws_and_takebacks_are_agreed_at_the_table() {
    let club = Club::open().await;
    let mut screen = club.browser();
    let id = screen.begin_table(names()).await;
    screen.make_move(&id, 0, "e2e4").await;
    screen.make_move(&id, 1, "e7e5").await;
    for ply in [1, 0] {
        let view = screen.settle(&id, json!({"act": "takeback"})).await.expect(200);
        assert_eq!((&view["ply"], &view["takeback_offer"]), (&json!(ply), &Value::Null));
    }
    screen
        .settle(&id, json!({"act": "takeback"}))
        .await
        .expect_problem(409, "nothing_to_take_back");
    for (uci, ply) in ["d2d4", "d7d5", "c2c4", "e7e6"].into_iter().zip(0..) {
        screen.make_move(&id, ply, uci).await;
    }
    let view = screen.settle(&id, json!({"act": "draw"})).await.expect(200);
    assert_eq!(view["outcome"], json!({"kind": "draw", "by": "agreement"}));
}

#[tokio::test]
async fn the_clock_of_the_side_to_move_runs_and_falls_and_a_crash_keeps_the_table() {
    let club = Club::open().await;
    let mut screen = club.browser();
    let id = screen.begin_table(names()).await;
    for (uci, ply) in ["e2e4", "e7e5"].into_iter().zip(0..) {
        screen.make_move(&id, ply, uci).await;
    }
    let club = club.crash_and_start_after(60_000).await;
    screen.move_to(club.address);
    club.time.advance(10_000);
    let view = screen.make_move(&id, 2, "g1f3").await;
    assert_eq!(
        (&view["clocks"]["white_ms"], &view["you"]),
        (&json!(182_000), &json!("black")),
        "the way back is not charged"
    );
    club.time.advance(180_000);
    let path = format!("/api/v1/games/{id}");
    for _ in 0..5_000 {
        let outcome = screen.get(&path).await.expect(200)["outcome"].clone();
        if outcome != Value::Null {
            assert_eq!((&outcome["winner"], &outcome["by"]), (&json!("white"), &json!("time")));
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the flag never fell");
}

#[tokio::test]
async fn every_variant_is_played_there_and_days_are_not() {
    let club = Club::open().await;
    let mut screen = club.browser();
    for variant in ["standard", "chess960", "defender", "gmo"] {
        let mut table = names();
        table["variant"] = json!(variant);
        assert_eq!(screen.sit_down(table).await.expect(200)["variant"], variant);
    }
    let mut table = names();
    table["time"] = crate::correspondence::days(3);
    screen.sit_down(table).await.expect_problem(422, "not_for_days");
    let mut table = names();
    table["black"]["name"] = json!("OLA");
    screen.sit_down(table.clone()).await.expect_problem(422, "same_person");
    table["black"]["name"] = json!("<script>");
    screen.sit_down(table).await.expect_problem(422, "bad_name");
    for _ in 0..6 {
        screen.sit_down(names()).await.expect(200);
    }
    screen.sit_down(names()).await.expect_problem(429, "too_many_games");
}

#[tokio::test]
async fn armies_are_handed_in_one_after_the_other_and_the_screen_shows_no_dna() {
    let club = Club::open().await;
    let mut screen = club.browser();
    let mut table = names();
    table["variant"] = json!("gmo");
    let id = screen.begin_table(table).await;
    let army = format!("/api/v1/games/{id}/army");
    let view = screen.post(&army, json!({"preset": "classic", "kings": ["e1"]})).await.expect(200);
    assert_eq!((&view["you"], &view["gmo"]["ready"]["black"]), (&json!("black"), &json!(false)));
    assert_eq!(view["fen"], "faces - w 0 -", "nothing of the first army is seen");
    let view = screen.post(&army, json!({"preset": "classic", "kings": ["e8"]})).await.expect(200);
    assert_eq!((&view["you"], &view["to_act"]), (&json!("white"), &json!("white")));
    let genomes = screen.get(&format!("/api/v1/games/{id}/genomes")).await.expect(200);
    let stranger = club.browser().get(&format!("/api/v1/games/{id}/genomes")).await;
    assert_eq!(stranger.status, 404);
    // What is built in is no secret; an own army would be one.
    assert!(genomes["pieces"].is_array());
}

#[tokio::test]
async fn the_second_member_brings_the_own_preset_and_the_screen_learns_no_code() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    bert.set_pin("2718").await.expect(204);
    let back = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "queen"];
    let new = json!({"text": back.join("-"), "name": "Two queens"});
    let stored = bert.post("/api/v1/gmo/presets", new).await.expect(200);
    let code = stored["code"].as_str().unwrap().to_owned();

    let mut table = against(&bert_by("pin", "2718"));
    (table["variant"], table["rated"]) = (json!("gmo"), json!(false));
    let id = anna.begin_table(table).await;
    let (army, presets) =
        (format!("/api/v1/games/{id}/army"), format!("/api/v1/games/{id}/presets"));
    let pin = json!({"pin": "2718"});
    // It is Anna's turn to choose, and her own she sees without this.
    assert_eq!(anna.post(&presets, pin.clone()).await.status, 404);
    anna.post(&army, json!({"preset": "classic", "kings": ["e1"]})).await.expect(200);
    anna.post(&presets, json!({"pin": "3141"})).await.expect_problem(401, "bad_pin");
    anna.post(&presets, json!({})).await.expect_problem(401, "bad_credentials");
    assert_ne!(bert.post(&presets, pin.clone()).await.status, 200, "he sits at Anna's computer");

    let answer = anna.post(&presets, pin).await;
    assert!(!answer.text.contains(&code), "{}", answer.text);
    let shown = answer.expect(200);
    assert_eq!(shown["presets"][0]["name"], "Two queens");
    let looks = shown["presets"][0]["looks"].as_array().unwrap();
    assert_eq!((looks.len(), &looks[3]), (8, &looks[7]));
    let key = shown["presets"][0]["key"].clone();
    let wrong = json!({"preset": "kept:00000000000000000000000000000000", "kings": ["e8"]});
    assert_eq!(anna.post(&army, wrong).await.status, 404);
    let view = anna.post(&army, json!({"preset": key, "kings": ["e8"]})).await.expect(200);
    assert_eq!(view["gmo"]["ready"], json!({"white": true, "black": true}));
    assert_eq!(anna.post(&presets, json!({"pin": "2718"})).await.status, 404, "it is White's turn");
}

#[tokio::test]
async fn no_engine_helps_with_a_rated_game_at_one_computer() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.begin_table(against(&bert_by("password", PASSWORD))).await;
    let fen = anna.make_move(&id, 0, "e2e4").await["fen"].clone();
    let question = json!({ "start": fen });
    for player in [&mut anna, &mut bert] {
        let answer = player.post("/api/v1/analysis/position", question.clone()).await;
        answer.expect_problem(403, "fair_play");
    }
}

#[tokio::test]
async fn five_wrong_pins_lock_it_through_a_crash_until_the_password_is_used() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    bert.set_pin("1234").await.expect_problem(422, "invalid_fields");
    bert.put("/api/v1/account/pin", json!({"pin": "2718", "password": "not his"}))
        .await
        .expect_problem(422, "invalid_fields");
    assert_eq!(bert.pin_state().await, "unset");
    bert.set_pin("2718").await.expect(204);
    anna.begin_table(against(&bert_by("pin", "2718"))).await;
    for _ in 0..4 {
        anna.sit_down(against(&bert_by("pin", "3141"))).await.expect_problem(401, "bad_pin");
    }
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    anna.sit_down(against(&bert_by("pin", "3141"))).await.expect_problem(401, "bad_pin");
    anna.sit_down(against(&bert_by("pin", "2718"))).await.expect_problem(403, "pin_locked");
    assert_eq!(bert.pin_state().await, "locked");
    anna.begin_table(against(&bert_by("password", PASSWORD))).await;
    assert_eq!(bert.pin_state().await, "ready");
    anna.begin_table(against(&bert_by("pin", "2718"))).await;
}

#[tokio::test]
async fn a_pin_opens_no_account_and_goes_with_the_password() {
    let club = Club::open().await;
    let mut bert = club.player("bert").await;
    bert.set_pin("2718").await.expect(204);
    let log_in = json!({"name_or_email": "bert", "password": "2718"});
    club.browser().post("/api/v1/log-in", log_in).await.expect_problem(401, "bad_credentials");
    let change = json!({"old_password": PASSWORD, "new_password": "another long one 77"});
    bert.post("/api/v1/account/password", change).await.expect(204);
    assert_eq!(bert.pin_state().await, "unset");
    let mut anna = club.player("anna").await;
    anna.sit_down(against(&bert_by("pin", "2718"))).await.expect_problem(401, "bad_pin");
    bert.put("/api/v1/account/pin", json!({"pin": "2718", "password": "another long one 77"}))
        .await
        .expect(204);
    bert.delete("/api/v1/account/pin").await.expect(204);
    assert_eq!(bert.pin_state().await, "unset");
}
