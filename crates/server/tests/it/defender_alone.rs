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
    assert_eq!((&seen["points"], &seen["moves"]), (&json!(6), &json!(1)));
    assert_eq!((&seen["best"]["rank"], &seen["best"]["game"]), (&json!(1), &json!(game)));
    assert_eq!(seen["setup"], json!(["B@f3", "B@h1", "K@e2"]));
    let list = anna.get("/api/v1/defender/positions?level=1").await.expect(200);
    let second = &list["positions"][1];
    assert_eq!((&second["id"], &second["par"]), (&json!("2"), &json!(6)));
    assert_eq!(second["mine"], second["best"]);
    assert_eq!((&second["best"]["score"], &second["best"]["game"]), (&json!(167), &json!(game)));
    let pgn = anna.get(&format!("/api/v1/games/{game}/pgn")).await.text;
    for tag in ["[DefenderPosition \"2\"]", "[DefenderScore \"6\"]", "[Engine \""] {
        assert!(pgn.contains(tag), "{tag} in {pgn}");
    }
    let results = "/api/v1/defender/positions/2/results";
    let all = club.browser().get(&format!("{results}?level=1")).await.expect(200);
    assert_eq!(all["results"][0]["player"]["name"], "Anna");
}

#[tokio::test]
async fn a_win_against_a_beginner_is_no_record_of_another_level() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let game = attempt(&mut anna, &MATE).await;
    result(&mut anna, &game).await;
    let results = "/api/v1/defender/positions/2/results";
    for other in [results.to_owned(), format!("{results}?level=2")] {
        assert_eq!(anna.get(&other).await.expect(200)["results"], json!([]), "{other}");
    }
    let strongest = anna.get("/api/v1/defender/positions").await.expect(200);
    let second = &strongest["positions"][1];
    assert_eq!((&second["best"], &second["mine"]), (&json!(null), &json!(null)));
    anna.get(&format!("{results}?level=9")).await.expect_problem(422, "bad_level");
}

#[tokio::test]
async fn results_say_which_engine_was_beaten_and_those_of_another_are_asked_for_by_its_name() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let game = attempt(&mut anna, &MATE).await;
    let engine = result(&mut anna, &game).await["engine"].as_str().unwrap().to_owned();
    let results = "/api/v1/defender/positions/2/results?level=1";
    let now = anna.get(results).await.expect(200);
    assert_eq!((&now["engine"], &now["engines"]), (&json!(engine), &json!([engine])));
    assert_eq!(now["results"].as_array().map(Vec::len), Some(1));
    let other = anna.get(&format!("{results}&engine=Another%201")).await.expect(200);
    assert_eq!((&other["engine"], &other["results"]), (&json!("Another 1"), &json!([])));
}

#[tokio::test]
async fn a_result_that_an_arbiter_corrects_is_corrected_in_the_list() {
    let club = open().await;
    let mut boss = club.administrator().await;
    let mut judge = club.staff(&mut boss, "judge", "arbiter").await;
    let mut anna = club.player("Anna").await;
    let game = attempt(&mut anna, &MATE).await;
    assert_eq!(result(&mut anna, &game).await["won"], true);
    let ruling = json!({"act": "result", "result": "draw", "reason": "The clock was wrong."});
    let rulings = format!("/api/v1/arbiter/games/{game}/rulings");
    judge.browser.post(&rulings, ruling).await.expect(200);
    for _ in 0..500 {
        let seen = anna.get(&format!("/api/v1/defender/attempts/{game}")).await.expect(200);
        if seen["won"] == false {
            let all = anna.get("/api/v1/defender/positions/2/results?level=1").await.expect(200);
            assert_eq!(all["results"], json!([]));
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the result is never corrected");
}

#[tokio::test]
async fn an_attempt_that_is_not_the_best_tells_which_one_is() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let best = attempt(&mut anna, &MATE).await;
    result(&mut anna, &best).await;
    let dear = attempt(&mut anna, &["B@f3", "B@h1", "P@a2", "K@e2", "f3b7"]).await;
    let seen = result(&mut anna, &dear).await;
    assert_eq!((&seen["points"], &seen["best"]["points"]), (&json!(7), &json!(6)));
    assert_eq!((&seen["best"]["rank"], &seen["best"]["game"]), (&json!(1), &json!(best)));
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
    let all = guest.get("/api/v1/defender/positions/2/results?level=1").await.expect(200);
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

#[tokio::test]
async fn a_set_up_is_tried_again_at_once() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let game = attempt(&mut anna, &MATE).await;
    let setup = result(&mut anna, &game).await["setup"].clone();
    let mut wish = json!({"position": "2", "level": 1, "time": unlimited(), "setup": setup});
    let begun = anna.post("/api/v1/defender/attempts", wish.clone()).await.expect(201);
    let again = begun["game"].as_str().unwrap().to_owned();
    let view = anna.get(&format!("/api/v1/games/{again}")).await.expect(200);
    let moves: Vec<&str> =
        view["moves"].as_array().unwrap().iter().map(|it| it["uci"].as_str().unwrap()).collect();
    assert_eq!(moves, ["B@f3", "--", "B@h1", "--", "K@e2", "--"]);
    assert_eq!((&view["to_act"], &view["can_take_back"]), (&json!("white"), &json!(false)));
    anna.post(&format!("/api/v1/games/{again}/moves"), json!({"ply": 6, "uci": "f3b7"}))
        .await
        .expect(200);
    assert_eq!(result(&mut anna, &again).await["won"], true);
    for wrong in [json!(["B@f3", "B@f3"]), json!(["e2e4"]), json!(["--"]), json!(["Q@f8"])] {
        wish["setup"] = wrong;
        let answer = anna.post("/api/v1/defender/attempts", wish.clone()).await;
        answer.expect_problem(422, "bad_set_up");
    }
}

#[tokio::test]
async fn no_engine_helps_with_what_counts() {
    let club = open().await;
    let mut anna = club.player("Anna").await;
    let game = attempt(&mut anna, &["B@f3", "N@d1", "K@e2"]).await;
    let question = json!({"game": game});
    let answer = anna.post("/api/v1/analysis/position", question.clone()).await;
    answer.expect_problem(403, "fair_play");
    anna.post(&format!("/api/v1/games/{game}/resignation"), json!({})).await.expect(200);
    anna.post("/api/v1/analysis/position", question).await.expect(200);
}

/// A rook and a king in their corner.
fn position() -> Value {
    json!({"board": "rk6/pp6/8/8/8/8/8/8", "side": "white", "par": 9})
}

async fn ids(browser: &mut Browser) -> Vec<String> {
    let list = browser.get("/api/v1/defender/positions").await.expect(200);
    let all = list["positions"].as_array().unwrap().iter();
    all.map(|position| position["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn administrators_prepare_positions_and_hide_them() {
    let club = open().await;
    let mut boss = club.administrator().await.browser;
    let mut anna = club.player("Anna").await;
    let positions = "/api/v1/defender/positions";
    anna.post(positions, position()).await.expect_problem(403, "forbidden");
    let made = boss.post(positions, position()).await.expect(201);
    assert_eq!(made["id"], "9", "a number is never used twice, and 5 was dropped");
    boss.post(positions, position()).await.expect_problem(409, "same_position");
    assert_eq!(ids(&mut anna).await, ["1", "2", "3", "4", "6", "7", "8", "9"]);

    let nine = format!("{positions}/9");
    let moved = json!({"board": "rk6/ppp5/8/8/8/8/8/8", "side": "white", "par": 10});
    boss.put(&nine, moved.clone()).await.expect(204);
    let wish = json!({"position": "9", "level": 1, "time": unlimited()});
    anna.post("/api/v1/defender/attempts", wish.clone()).await.expect(201);
    boss.put(&nine, position()).await.expect_problem(409, "position_tried");
    let mut hidden = moved;
    hidden["hidden"] = json!(true);
    boss.put(&nine, hidden.clone()).await.expect(204);
    assert_eq!(ids(&mut anna).await.len(), 7);
    assert_eq!(ids(&mut boss).await.len(), 8, "who hid it can show it again");
    anna.post("/api/v1/defender/attempts", wish).await.expect_problem(404, "unknown_position");

    let two =
        json!({"board": "1bkb4/1rbr4/8/8/8/8/8/8", "side": "white", "par": 7, "hidden": true});
    boss.put(&format!("{positions}/2"), two).await.expect(204);
    assert_eq!(ids(&mut anna).await, ["1", "3", "4", "6", "7", "8"]);
    boss.put(&format!("{positions}/2"), hidden).await.expect_problem(409, "built_in_position");
    boss.put(&format!("{positions}/5"), position()).await.expect_problem(404, "unknown_position");
}

#[tokio::test]
async fn what_cannot_be_played_is_not_prepared() {
    let club = open().await;
    let mut boss = club.administrator().await.browser;
    for (board, par, code) in [
        ("8/8", 9, "bad_board"),
        ("8/8/8/8/8/8/8/8", 9, "one_king"),
        ("kP6/8/8/8/8/8/8/8", 9, "players_piece"),
        ("kp6/8/8/8/8/8/8/8", 9, "pawn_rank"),
        ("krrrrrrr/pppppppp/p7/8/8/8/8/8", 9, "too_many_pieces"),
        ("k7/8/8/8/8/r7/r7/r7", 9, "no_king_square"),
        ("k7/8/8/8/8/8/8/8", 0, "bad_par"),
        ("k7/8/8/8/8/8/8/8", 100, "bad_par"),
    ] {
        let body = json!({"board": board, "side": "white", "par": par});
        boss.post("/api/v1/defender/positions", body).await.expect_problem(422, code);
    }
}
