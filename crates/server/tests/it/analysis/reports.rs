use serde_json::{Value, json};

use super::{play, with_stockfish, without_programs};
use crate::client::{Browser, Socket};
use crate::club::{Club, blitz, unlimited};

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];
/// A short game of both sides' knights, with enough positions to be interrupted in.
const KNIGHTS: [&str; 16] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "b1c3", "g8f6", "f1b5", "f8b4", "e1g1", "e8g8", "d2d3", "d7d6",
    "c1g5", "c8g4", "c3d5", "c6d4",
];

async fn finished_game(club: &Club, time: Value, moves: &[&str]) -> (Browser, Browser, String) {
    let (mut white, mut black, id) = club.game(time).await;
    play(&mut white, &mut black, &id, moves).await;
    let view = white.get(&format!("/api/v1/games/{id}")).await.expect(200);
    if view["outcome"].is_null() {
        white.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    }
    (white, black, id)
}

/// Waits until the report is there, and gives the progress that was told on the way.
async fn wait_for(socket: &mut Socket, id: &str) -> Vec<(u64, u64)> {
    let mut told = Vec::new();
    loop {
        let message = socket.next_of("report_progress").await;
        assert_eq!(message["game"], id);
        match message["state"].as_str() {
            Some("running") => {
                told.push((message["done"].as_u64().unwrap(), message["total"].as_u64().unwrap()));
            }
            Some("done") => return told,
            other => panic!("{other:?}"),
        }
    }
}

async fn searches(club: &Club) -> u64 {
    let text = club.browser().get("/metrics").await.text;
    let line = text.lines().find(|line| line.starts_with("rookery_report_searches_total"));
    line.and_then(|line| line.split(' ').nth(1)).unwrap().parse().unwrap()
}

async fn a_lost_game_is_explained(club: Club, engine: &str) {
    let (mut white, _, id) = finished_game(&club, blitz(), &FOOLS_MATE).await;
    let path = format!("/api/v1/games/{id}/report");
    let none = white.get(&path).await.expect(200);
    assert_eq!((&none["state"], &none["total"]), (&json!("none"), &json!(4)));
    let mut socket = white.socket().await;
    socket.join_game(&id).await;
    let asked = white.post(&path, json!({})).await.expect(200);
    assert_eq!(asked["is_mine"], true);
    let told = wait_for(&mut socket, &id).await;
    assert_eq!(told.last(), Some(&(5, 5)), "the first position and one after each move");

    let view = club.browser().get(&path).await.expect(200);
    assert_eq!((&view["state"], &view["is_mine"]), (&json!("done"), &json!(false)));
    let report = &view["report"];
    assert!(report["engine"].as_str().unwrap().contains(engine), "{}", report["engine"]);
    let moves = report["moves"].as_array().unwrap();
    let sans: Vec<&str> = moves.iter().map(|it| it["san"].as_str().unwrap()).collect();
    assert_eq!(sans, ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(moves[2]["judgement"], "blunder", "{}", moves[2]);
    assert_eq!(moves[3]["judgement"], Value::Null);
    assert_eq!(moves[3]["score"], json!({"kind": "won", "value": "black"}));
    assert_eq!(moves[2]["score"], json!({"kind": "mate", "value": -1}));
    assert!(!moves[2]["better_san"].as_array().unwrap().is_empty());
    assert_ne!(moves[2]["better_san"][0], "g4");
    assert_eq!(report["start_win"], 51.4);
    assert_eq!(moves[3]["win"], 2.5);
    let (white, black) = (&report["white"], &report["black"]);
    assert_eq!((&white["blunders"], &black["blunders"]), (&json!(1), &json!(0)));
    assert!(white["accuracy"].as_f64() < Some(60.0), "{white}");
    assert!(black["accuracy"].as_f64() > Some(80.0), "{black}");
    assert!(white["acpl"].as_u64() > Some(400), "{white}");
    assert_eq!(report["opening"]["ply"], 4);
    assert_eq!(white["opening"]["moves"], 2);
}

#[tokio::test]
async fn a_lost_game_is_explained_by_the_built_in_engine() {
    a_lost_game_is_explained(Club::open_as(without_programs()).await, "built-in").await;
}

#[tokio::test]
async fn a_lost_game_is_explained_by_stockfish() {
    a_lost_game_is_explained(Club::open_as(with_stockfish()).await, "tockfish").await;
}

#[tokio::test]
async fn a_report_that_is_interrupted_goes_on_and_no_position_is_searched_twice() {
    let club = Club::open_as(without_programs()).await;
    let (mut white, _, id) = finished_game(&club, unlimited(), &KNIGHTS).await;
    let path = format!("/api/v1/games/{id}/report");
    let mut socket = white.socket().await;
    socket.join_game(&id).await;
    white.post(&path, json!({})).await.expect(200);
    let mut told = 0;
    while told < 4 {
        told = socket.next_of("report_progress").await["done"].as_u64().unwrap();
    }

    let club = club.crash_and_start_after(60_000).await;
    white.move_to(club.address);
    let mut last = white.get(&path).await.expect(200);
    while last["state"] != "done" {
        assert_ne!(last["state"], "failed", "{last}");
        tokio::task::yield_now().await;
        last = white.get(&path).await.expect(200);
    }
    assert_eq!(last["report"]["moves"].as_array().unwrap().len(), 16);
    let again = searches(&club).await;
    assert!(again <= 17 - told, "{told} were told before the crash, {again} searched after it");

    // The same moves in another game: everything is known.
    let (mut other, _, second) = finished_game(&club, unlimited(), &KNIGHTS).await;
    let mut socket = other.socket().await;
    socket.join_game(&second).await;
    other.post(&format!("/api/v1/games/{second}/report"), json!({})).await.expect(200);
    assert_eq!(wait_for(&mut socket, &second).await, [(17, 17)]);
    assert_eq!(searches(&club).await, again);
}

#[tokio::test]
async fn a_position_that_comes_again_in_a_game_is_searched_once() {
    let club = Club::open_as(without_programs()).await;
    let to_and_fro = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"];
    let (mut white, _, id) = finished_game(&club, unlimited(), &to_and_fro).await;
    let mut socket = white.socket().await;
    socket.join_game(&id).await;
    white.post(&format!("/api/v1/games/{id}/report"), json!({})).await.expect(200);
    assert_eq!(wait_for(&mut socket, &id).await.last(), Some(&(7, 7)));
    assert_eq!(searches(&club).await, 4);
}

#[tokio::test]
async fn a_history_with_a_game_that_ended_while_pieces_were_placed_comes_to_its_end() {
    const ALL: &str = "/api/v1/account/reports";
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    let asked = json!({"variant": "defender", "time": unlimited(), "color": "white"});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    berta.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    play(&mut anna, &mut berta, &id, &["N@f3", "N@f6"]).await;
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    assert_eq!(anna.post(ALL, json!({})).await.expect(200)["waiting"], 1);
    let view = until(&mut anna, ALL, |view| view["waiting"] == 0).await;
    assert_eq!((&view["failed"], &view["done"]), (&json!(0), &json!(0)), "{view}");
}

#[tokio::test]
async fn a_report_can_be_called_off_by_who_asked_and_nobody_else() {
    let club = Club::open_as(without_programs()).await;
    let (mut white, mut black, id) = finished_game(&club, unlimited(), &KNIGHTS).await;
    let path = format!("/api/v1/games/{id}/report");
    let mut socket = black.socket().await;
    socket.join_game(&id).await;
    white.post(&path, json!({})).await.expect(200);
    socket.next_of("report_progress").await;
    black.delete(&path).await.expect_problem(404, "no_report");
    white.delete(&path).await.expect(204);
    assert_eq!(white.get(&path).await.expect(200)["state"], "none");
    // The other player, who watches, is told.
    while socket.next_of("report_progress").await["state"] != "none" {}
    club.browser().post(&path, json!({})).await.expect_problem(401, "no_account");
}

#[tokio::test]
async fn who_watches_a_report_is_told_that_another_one_comes_first() {
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    let asked = json!({"time": unlimited(), "color": "white"});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    berta.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    play(&mut anna, &mut berta, &id, &KNIGHTS).await;
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let (mut carla, _, first) = finished_game(&club, unlimited(), &FOOLS_MATE).await;
    let mut socket = anna.socket().await;
    socket.join_game(&id).await;
    anna.post("/api/v1/account/reports", json!({})).await.expect(200);
    while socket.next_of("report_progress").await["state"] != "running" {}
    // Whoever waits for one game comes before a whole history.
    carla.post(&format!("/api/v1/games/{first}/report"), json!({})).await.expect(200);
    while socket.next_of("report_progress").await["state"] != "waiting" {}
    while socket.next_of("report_progress").await["state"] != "done" {}
}

#[tokio::test]
async fn games_without_moves_or_without_end_have_no_report() {
    let club = Club::open_as(without_programs()).await;
    let (mut white, _, id) = club.game(unlimited()).await;
    let path = format!("/api/v1/games/{id}/report");
    white.post(&path, json!({})).await.expect_problem(409, "still_running");
    white.post(&format!("/api/v1/games/{id}/abort"), json!({})).await.expect(200);
    white.post(&path, json!({})).await.expect_problem(422, "nothing_to_report");
    white.get("/api/v1/games/AAAAAAAA/report").await.expect_problem(404, "unknown_game");
}

#[tokio::test]
async fn a_whole_history_is_reported_on_paused_resumed_and_called_off() {
    const ALL: &str = "/api/v1/account/reports";
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    for _ in 0..3 {
        let asked = json!({"time": unlimited(), "color": "white"});
        let made = anna.post("/api/v1/challenges", asked).await.expect(201);
        let id = made["id"].as_str().unwrap().to_owned();
        berta.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
        play(&mut anna, &mut berta, &id, &KNIGHTS).await;
        anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    }
    let sum = |view: &Value| {
        ["waiting", "paused", "done", "failed"]
            .iter()
            .map(|it| view[it].as_u64().unwrap())
            .sum::<u64>()
    };
    let begun = anna.post(ALL, json!({})).await.expect(200);
    assert_eq!(sum(&begun), 3);
    let pause = |paused: bool| Some(json!({"paused": paused}).to_string());
    let paused = anna.request("PATCH", ALL, pause(true)).await.expect(200);
    assert_eq!((&paused["waiting"], sum(&paused)), (&json!(0), 3), "{paused}");
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    let still = anna.get(ALL).await.expect(200);
    assert_eq!((&still["waiting"], sum(&still)), (&json!(0), 3), "a pause outlasts a restart");
    anna.request("PATCH", ALL, pause(false)).await.expect(200);
    let mut view = anna.get(ALL).await.expect(200);
    while view["done"] != 3 {
        assert_eq!(view["failed"], 0, "{view}");
        tokio::task::yield_now().await;
        view = anna.get(ALL).await.expect(200);
    }
    anna.delete(ALL).await.expect(204);
    assert_eq!(anna.get(ALL).await.expect(200)["done"], 3, "what is there stays");
    club.browser().get(ALL).await.expect_problem(401, "not_logged_in");
}

const SHORT: &str = r#"[White "Anna"]
[Black "Bernd"]
[Result "0-1"]
[TimeControl "60+1"]

1. f3 {[%clk 0:00:59]} e5 {[%clk 0:00:58]} 2. g4 {[%clk 0:00:50]} Qh4# {[%clk 0:00:57]} 0-1
"#;

/// Asks until something is true of the answer: games of the library have no room to listen in.
async fn until(browser: &mut Browser, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    loop {
        let view = browser.get(path).await.expect(200);
        if is_so(&view) {
            return view;
        }
        crate::library::pause().await;
    }
}

#[tokio::test]
async fn games_of_the_library_are_reported_on_one_by_one_and_with_the_whole_history() {
    let club = Club::open_as(without_programs()).await;
    let mut anna = club.player("Anna").await;
    crate::library::import(&mut anna, "short.pgn", SHORT).await;
    crate::library::total_becomes(&mut anna, "scope=mine", 1).await;
    let page = anna.get("/api/v1/library/games?scope=mine").await.expect(200);
    let number = page["games"][0]["number"].as_i64().unwrap();
    let path = format!("/api/v1/library/games/{number}/report");
    assert_eq!(anna.get(&path).await.expect(200)["total"], 4);
    anna.post(&path, json!({})).await.expect(200);
    let view = until(&mut anna, &path, |view| view["state"] == "done").await;
    let report = &view["report"];
    assert_eq!(report["moves"][2]["judgement"], "blunder");
    let spent = |index: usize| report["moves"][index]["spent_ms"].clone();
    assert_eq!([spent(0), spent(1), spent(2)], [2_000, 3_000, 10_000].map(Value::from));
    let mut berta = club.player("Berta").await;
    berta.get(&path).await.expect_problem(404, "unknown_game");

    crate::library::import(&mut anna, "three.pgn", crate::library::THREE).await;
    let bulk = "/api/v1/account/reports";
    anna.post(bulk, json!({})).await.expect(200);
    let paused =
        anna.request("PATCH", bulk, Some(r#"{"paused":true}"#.to_owned())).await.expect(200);
    assert_eq!(paused["waiting"], 0, "{paused}");
    anna.request("PATCH", bulk, Some(r#"{"paused":false}"#.to_owned())).await.expect(200);
    let done = until(&mut anna, bulk, |view| view["waiting"] == 0).await;
    assert_eq!((&done["done"], &done["failed"]), (&json!(2), &json!(0)), "{done}");
    assert_eq!(anna.post(bulk, json!({})).await.expect(200)["waiting"], 0);
}
