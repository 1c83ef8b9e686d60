//! Nobody gets help with a rated game they are playing: through no route and no message.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use server::config::BotsConfig;
use server::http::access::{MESSAGES, TABLE};

use super::{line, play, rated_game, without_programs};
use crate::client::{Browser, Socket};
use crate::club::{Club, blitz, unlimited};

const MOVES: [&str; 8] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"];
const FEN: &str = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5";
const PGN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *";

/// The ways to ask about the position on the board, as questions.
fn questions(id: &str) -> Vec<Value> {
    let later: Vec<&str> = MOVES.into_iter().chain(["e1g1", "f8e7", "f1e1"]).collect();
    let other_turn = FEN.replace(" w ", " b ").replace("KQkq", "-");
    vec![
        line(&MOVES),
        line(&later[..9]),
        line(&later),
        json!({"start": FEN}),
        json!({"start": other_turn}),
        json!({"variant": "chess960", "start": FEN}),
        json!({"game": id}),
        json!({"game": id, "ply": 8, "moves": ["d2d4"]}),
    ]
}

async fn first_word(socket: &mut Socket, question: &Value, aim: &str) -> Value {
    socket
        .send(json!({"t": "analyse", "id": 7, "position": question, "lines": 2, "aim": aim}))
        .await;
    loop {
        let message = socket.next().await;
        let is_about_it = message["t"] == "engine_lines" || message["state"]["kind"] == "refused";
        if message["id"] == 7 && is_about_it {
            socket.send(json!({"t": "stop_analysis"})).await;
            return message;
        }
    }
}

/// Asks in every way there is, and compares what becomes of it.
async fn check(browser: &mut Browser, id: &str, study: Option<&str>, is_helped: bool) {
    for question in questions(id) {
        let answer = browser.post("/api/v1/analysis/position", question.clone()).await;
        if is_helped {
            answer.expect(200);
        } else {
            answer.expect_problem(403, "fair_play");
        }
        let mut socket = browser.socket().await;
        for aim in ["lines", "hint", "threat"] {
            let word = first_word(&mut socket, &question, aim).await;
            if is_helped {
                assert_eq!(word["t"], "engine_lines", "{aim} {question}: {word}");
            } else {
                assert_eq!(word["state"]["code"], "fair_play", "{aim} {question}: {word}");
            }
        }
    }
    let fen = FEN.replace(' ', "%20");
    let explored = browser.get(&format!("/api/v1/library/explorer?scope=club&fen={fen}")).await;
    let walked =
        browser.get(&format!("/api/v1/library/explorer?scope=club&fen={fen}&play=e1g1")).await;
    let listed = browser.get(&format!("/api/v1/library/games?scope=club&fen={fen}")).await;
    let saved = browser.get(&format!("/api/v1/library/export?scope=club&fen={fen}")).await;
    let answer = browser.post("/api/v1/analysis/tree", json!({"pgn": PGN})).await;
    let study = match study {
        Some(study) => {
            let export = browser.get("/api/v1/account/export").await.expect(200);
            let kept = &export["studies"][0];
            assert_eq!((&kept["id"], kept["pgn"].is_string()), (&json!(study), is_helped));
            Some(browser.get(&format!("/api/v1/studies/{study}")).await)
        }
        None => None,
    };
    for answer in [answer, explored, walked, listed, saved].into_iter().chain(study) {
        if is_helped {
            assert_eq!(answer.status, 200, "{}", answer.text);
        } else {
            answer.expect_problem(403, "fair_play");
        }
    }
}

#[tokio::test]
async fn a_rated_game_is_played_without_help_and_others_may_look() {
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta, id) = rated_game(&club).await;
    let moves: Vec<Value> = MOVES.iter().map(|uci| json!({"uci": uci})).collect();
    let new = json!({"name": "Spanish", "tree": {"line": {"moves": moves}}});
    let study = anna.post("/api/v1/studies", new).await.expect(201)["id"].clone();
    let study = study.as_str().unwrap();
    play(&mut anna, &mut berta, &id, &MOVES).await;
    let report = format!("/api/v1/games/{id}/report");

    check(&mut anna, &id, Some(study), false).await;
    for browser in [&mut anna, &mut berta] {
        browser.get(&report).await.expect_problem(409, "still_running");
        browser.post(&report, json!({})).await.expect_problem(409, "still_running");
    }
    let bulk = anna.post("/api/v1/account/reports", json!({})).await.expect(200);
    assert_eq!(bulk["waiting"], 0, "a running game is no part of a history");
    let mut carla = club.player("Carla").await;
    check(&mut carla, &id, None, true).await;

    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    check(&mut anna, &id, Some(study), true).await;
    assert_eq!(anna.post(&report, json!({})).await.status, 200);
}

#[tokio::test]
async fn a_game_without_a_clock_is_played_without_engines_unless_both_allow_them() {
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    let terms = |engines: bool| json!({"time": unlimited(), "color": "white", "engines": engines});
    let position = line(&MOVES[..2]);
    for (engines, status) in [(true, 200), (false, 403)] {
        let id = anna.challenge(terms(engines)).await;
        berta.accept(&id).await.expect(200);
        play(&mut anna, &mut berta, &id, &MOVES[..2]).await;
        let answer = anna.post("/api/v1/analysis/position", position.clone()).await;
        assert_eq!(answer.status, status);
    }
    let table = json!({"time": unlimited(), "white": {"kind": "me"}, "black": {"kind": "guest", "name": "Ola"}});
    let mut host = club.player("Carla").await;
    let id = host.post("/api/v1/one-computer", table).await.expect(200)["id"].clone();
    let path = format!("/api/v1/games/{}/moves", id.as_str().unwrap());
    for (uci, ply) in MOVES[..2].iter().zip(0..) {
        host.post(&path, json!({"ply": ply, "uci": uci})).await.expect(200);
    }
    host.post("/api/v1/analysis/position", position).await.expect(200);
}

#[tokio::test]
async fn a_game_with_a_bot_keeps_no_engine_away_unless_it_counts() {
    let mut settings = without_programs();
    settings.bots = BotsConfig { rated: true, ..BotsConfig::default() };
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let position = line(&MOVES[..1]);
    for (terms, status) in [
        (json!({"time": unlimited(), "rated": false}), 200),
        (json!({"time": blitz(), "rated": true}), 403),
    ] {
        let mut asked = json!({"kind": "direct", "asked": "Rook-1", "color": "white"});
        asked.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
        let id = anna.post("/api/v1/challenges", asked).await.expect(201)["id"].clone();
        let path = format!("/api/v1/games/{}/moves", id.as_str().unwrap());
        // Simulated time stands: the bot pretends to think.
        anna.post(&path, json!({"ply": 0, "uci": MOVES[0]})).await.expect(200);
        let answer = anna.post("/api/v1/analysis/position", position.clone()).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
}

#[tokio::test]
async fn the_report_of_another_game_that_went_the_same_way_waits_until_the_rated_one_is_over() {
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta, id) = rated_game(&club).await;
    let mut carla = club.player("Carla").await;
    let asked = json!({"time": blitz(), "color": "white"});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let other = made["id"].as_str().unwrap().to_owned();
    carla.post(&format!("/api/v1/challenges/{other}/acceptance"), json!({})).await.expect(200);
    let later: Vec<&str> = MOVES.into_iter().chain(["e1g1", "f8e7"]).collect();
    play(&mut anna, &mut carla, &other, &later).await;
    anna.post(&format!("/api/v1/games/{other}/resignation"), json!({})).await.expect(200);
    let report = format!("/api/v1/games/{other}/report");
    carla.post(&report, json!({})).await.expect(200);
    anna.post(&report, json!({})).await.expect(200);
    while anna.get(&report).await.expect(200)["state"] != "done" {
        crate::library::pause().await;
    }
    // The same out of a file.
    let file = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n";
    crate::library::import(&mut anna, "file.pgn", file).await;
    crate::library::total_becomes(&mut anna, "scope=mine&source=file", 1).await;
    let page = anna.get("/api/v1/library/games?scope=mine&source=file").await.expect(200);
    let copy = format!("/api/v1/library/games/{}/report", page["games"][0]["number"]);
    anna.post(&copy, json!({})).await.expect(200);
    while anna.get(&copy).await.expect(200)["state"] != "done" {
        crate::library::pause().await;
    }
    let taken_along = async |browser: &mut Browser| {
        let export = browser.get("/api/v1/account/export").await.expect(200);
        let reports = export["reports"].as_array().unwrap();
        reports.iter().map(|kept| kept["report"].is_object()).collect::<Vec<_>>()
    };
    assert_eq!(taken_along(&mut anna).await, [true, true]);

    play(&mut anna, &mut berta, &id, &MOVES).await;
    for browser in [&mut anna, &mut berta] {
        browser.get(&report).await.expect_problem(403, "fair_play");
        browser.post(&report, json!({})).await.expect_problem(403, "fair_play");
    }
    anna.get(&copy).await.expect_problem(403, "fair_play");
    anna.post(&copy, json!({})).await.expect_problem(403, "fair_play");
    carla.get(&report).await.expect(200);
    assert_eq!(taken_along(&mut anna).await, [false, false]);
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    anna.get(&report).await.expect(200);
    assert_eq!(taken_along(&mut anna).await, [true, true]);
}

#[tokio::test]
async fn what_is_said_about_a_game_of_the_library_waits_until_a_rated_one_with_its_position_is_over()
 {
    const TAGS: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]";
    const SPANISH: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta, id) = rated_game(&club).await;
    let files = [
        format!("{TAGS}\n\n{SPANISH} {{[%eval 0.31]}} 5. O-O *\n"),
        format!(
            "{TAGS}\n\n1. e4 (1. d4) (1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. d3) 1... c5 *\n"
        ),
        format!("{TAGS}\n\n{SPANISH} 5. d3 {{Quiet.}} *\n"),
        format!("{TAGS}\n\n{SPANISH} 5. d4 *\n"),
        format!("{TAGS}\n\n1. d4 d5 {{[%eval 0.2]}} 2. c4 $1 *\n"),
    ];
    crate::library::import(&mut anna, "file.pgn", &files.join("\n")).await;
    crate::library::total_becomes(&mut anna, "scope=mine&source=file", 5).await;
    let page = anna.get("/api/v1/library/games?scope=mine&source=file").await.expect(200);
    let mut numbers: Vec<i64> =
        page["games"].as_array().unwrap().iter().map(|it| it["number"].as_i64().unwrap()).collect();
    numbers.sort_unstable();
    let export = "/api/v1/library/export?scope=mine&source=file";
    let check = async |browser: &mut Browser, refused: &[usize]| {
        for (number, index) in numbers.iter().zip(0..) {
            for door in ["", "/pgn"] {
                let answer = browser.get(&format!("/api/v1/library/games/{number}{door}")).await;
                if refused.contains(&index) {
                    answer.expect_problem(403, "fair_play");
                } else {
                    assert_eq!(answer.status, 200, "{index}{door}: {}", answer.text);
                }
            }
        }
        let chosen: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        for asked in [export.to_owned(), format!("{export}&numbers={}", chosen.join(","))] {
            let text = browser.get(&asked).await.text;
            assert_eq!(text.matches("left out").count(), refused.len(), "{asked}: {text}");
            assert_eq!(text.contains("0.31"), refused.is_empty(), "{asked}: {text}");
            assert!(text.contains("0.2"), "{asked}: {text}");
        }
    };
    check(&mut anna, &[]).await;
    play(&mut anna, &mut berta, &id, &MOVES).await;
    check(&mut anna, &[0, 1, 2]).await;
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    check(&mut anna, &[]).await;
}

#[tokio::test]
async fn an_analysis_that_runs_ends_when_the_game_gets_there() {
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta, id) = rated_game(&club).await;
    play(&mut anna, &mut berta, &id, &MOVES[..6]).await;
    let mut socket = anna.socket().await;
    let word = first_word_and_on(&mut socket, &line(&MOVES)).await;
    assert_eq!(word["t"], "engine_lines", "two moves ahead it is any position");
    for (uci, ply) in MOVES[6..].iter().zip(6..) {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut berta };
        let body = json!({"ply": ply, "uci": uci});
        mover.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
    }
    loop {
        club.time.advance(200);
        let message = socket.next().await;
        if message["t"] == "analysis_state" && message["state"]["kind"] == "refused" {
            assert_eq!(message["state"]["code"], "fair_play");
            return;
        }
    }
}

async fn first_word_and_on(socket: &mut Socket, question: &Value) -> Value {
    socket.send(json!({"t": "analyse", "id": 1, "position": question, "lines": 1})).await;
    socket.next_of("engine_lines").await
}

/// Whoever adds a door says in the list whether it leads to help, and then asks at it above.
#[test]
fn every_door_is_known_to_help_or_not() {
    let list = include_str!("doors.txt");
    let known: BTreeSet<&str> = list.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let routes = TABLE.iter().map(|(method, path, ..)| format!("{method} {path}"));
    let doors: BTreeSet<String> =
        routes.chain(MESSAGES.iter().map(|(tag, _)| format!("socket {tag}"))).collect();
    let doors: BTreeSet<&str> = doors.iter().map(String::as_str).collect();
    let new: Vec<_> = doors.difference(&known).collect();
    assert!(new.is_empty(), "do these help anybody? say so in doors.txt: {new:?}");
    let gone: Vec<_> = known.difference(&doors).collect();
    assert!(gone.is_empty(), "these are gone: {gone:?}");
}
