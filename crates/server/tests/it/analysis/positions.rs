use serde_json::{Value, json};

use super::{line, without_programs};
use crate::club::{Club, unlimited};

const POSITION: &str = "/api/v1/analysis/position";

#[tokio::test]
async fn a_line_is_played_out_with_everything_a_board_needs() {
    let club = Club::open_as(without_programs()).await;
    let mut browser = club.browser();
    let view = browser.post(POSITION, line(&["e4", "e7e5", "Nf3", "Nc6", "Bb5"])).await.expect(200);
    let sans: Vec<&str> =
        view["moves"].as_array().unwrap().iter().map(|it| it["san"].as_str().unwrap()).collect();
    assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
    assert_eq!(view["moves"][4]["uci"], "f1b5");
    assert_eq!(view["fen"], "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    assert_eq!((&view["to_act"], &view["outcome"]), (&json!("black"), &Value::Null));
    assert_eq!(view["opening"], json!({"eco": "C60", "name": "Ruy Lopez", "ply": 5}));
    let dests = view["dests"].as_str().unwrap();
    assert!(dests.split(' ').any(|group| group == "a7a5a6"), "{dests}");
    assert!(view["start_dests"].as_str().unwrap().contains("e2e3e4"));

    let mate = browser.post(POSITION, line(&["f3", "e5", "g4", "Qh4"])).await.expect(200);
    assert_eq!(mate["outcome"], json!({"kind": "win", "winner": "black", "by": "mate"}));
    assert_eq!((&mate["dests"], &mate["check"]), (&json!(""), &json!("e1")));
}

#[tokio::test]
async fn what_is_no_position_or_no_move_is_refused_with_the_reason() {
    let club = Club::open_as(without_programs()).await;
    let mut browser = club.browser();
    for (question, code) in [
        (line(&["e4", "e4"]), "illegal_move"),
        (line(&["e2e5"]), "illegal_move"),
        (line(&["?"]), "illegal_move"),
        (json!({"start": "8/8/8/8/8/8/8/8 w - - 0 1"}), "bad_position"),
        (json!({"start": "nonsense"}), "bad_position"),
        (json!({"variant": "gmo"}), "bad_position"),
        (line(&["Nf3", "Nf6", "Ng1", "Ng8"].repeat(251)), "line_too_long"),
    ] {
        browser.post(POSITION, question).await.expect_problem(422, code);
    }
    browser.post(POSITION, json!({"game": "AAAAAAAA"})).await.expect_problem(404, "unknown_game");
}

#[tokio::test]
async fn every_variant_can_be_set_up() {
    let club = Club::open_as(without_programs()).await;
    let mut browser = club.browser();
    let shuffled = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1";
    let question = json!({"variant": "chess960", "start": shuffled, "moves": ["e4"]});
    let view = browser.post(POSITION, question).await.expect(200);
    assert_eq!((&view["variant"], &view["opening"]), (&json!("chess960"), &Value::Null));
    let question = json!({"variant": "defender", "moves": ["N@f3"]});
    let view = browser.post(POSITION, question).await.expect(200);
    assert_eq!(view["moves"][0]["san"], "N@f3");
}

#[tokio::test]
async fn more_than_the_usual_material_can_be_looked_at() {
    let club = Club::open_as(without_programs()).await;
    let mut browser = club.browser();
    let battle = "4k3/pppppppp/8/8/8/NN4NN/PPPPPPPP/4K3 w - - 0 1";
    let pgn = format!("[SetUp \"1\"]\n[FEN \"{battle}\"]\n\n1. Nc4 (1. Nc5) d5 *");
    let tree = browser.post("/api/v1/analysis/tree", json!({"pgn": pgn})).await.expect(200);
    assert_eq!(tree["problems"], json!([]));
    let question = json!({"variant": tree["variant"], "start": tree["start"], "moves": ["Nc4"]});
    let view = browser.post(POSITION, question).await.expect(200);
    assert_eq!((&view["start_fen"], &view["variant"]), (&json!(battle), &json!("standard")));
    let explorer = format!("/api/v1/library/explorer?fen={}", battle.replace(' ', "%20"));
    assert_eq!(browser.get(&explorer).await.expect(200)["fen"], battle);
    let crowd = "4k3/pppppppp/pppppppp/8/NNNNNNNN/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1";
    browser.post(POSITION, json!({"start": crowd})).await.expect_problem(422, "bad_position");
}

#[tokio::test]
async fn a_position_that_only_chess960_knows_keeps_its_castling() {
    let club = Club::open_as(without_programs()).await;
    let mut browser = club.browser();
    for rights in ["KQkq", "HEhe"] {
        let start = format!("bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w {rights} - 0 1");
        let question = json!({"start": start, "moves": ["Ng3", "g6", "O-O"]});
        let view = browser.post(POSITION, question).await.expect(200);
        assert_eq!(view["variant"], "chess960");
        assert_eq!(view["moves"][2]["san"], "O-O");
    }
}

#[tokio::test]
async fn a_game_can_be_looked_at_from_any_ply() {
    let club = Club::open_as(without_programs()).await;
    let (mut white, mut black, id) = club.game(unlimited()).await;
    super::play(&mut white, &mut black, &id, &["e2e4", "c7c5", "g1f3"]).await;
    let mut browser = club.browser();
    let all = browser.post(POSITION, json!({"game": id})).await.expect(200);
    assert_eq!(all["moves"].as_array().unwrap().len(), 3);
    let question = json!({"game": id, "ply": 2, "moves": ["Nc3"]});
    let other = browser.post(POSITION, question).await.expect(200);
    assert_eq!(other["moves"][2]["san"], "Nc3");
    assert!(other["opening"]["name"].as_str().unwrap().starts_with("Sicilian Defense"));
}

#[tokio::test]
async fn a_tree_is_read_from_pgn_and_written_again() {
    let club = Club::open_as(without_programs()).await;
    let mut browser = club.browser();
    let pgn = "[White \"A\"]\n\n1. e4! {Best by test} (1. d4 d5) 1... e5 1-0\n";
    let tree = browser.post("/api/v1/analysis/tree", json!({"pgn": pgn})).await.expect(200);
    let first = &tree["line"]["moves"][0];
    assert_eq!(first["notes"]["nags"], json!([1]));
    assert_eq!(first["notes"]["comments"], json!(["Best by test"]));
    assert_eq!(first["variations"][0]["moves"][1]["san"], "d5");
    assert!(first["dests"].as_str().unwrap().contains("e7e5e6"));
    let answer = browser.post("/api/v1/analysis/pgn", tree).await;
    assert_eq!(answer.header("content-type"), Some("application/x-chess-pgn; charset=utf-8"));
    assert!(
        answer.text.contains("1. e4 $1 {Best by test} (1. d4 d5) 1... e5 1-0"),
        "{}",
        answer.text
    );
    let bad = json!({"line": {"moves": [{"uci": "e2e5"}]}});
    browser.post("/api/v1/analysis/pgn", bad).await.expect_problem(422, "bad_tree");
}
