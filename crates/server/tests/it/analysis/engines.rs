use serde_json::{Value, json};

use super::{line, with_stockfish, without_programs};
use crate::client::Socket;
use crate::club::Club;

async fn ask(socket: &mut Socket, id: u32, question: Value, lines: u8, aim: &str) {
    let ask = json!({"t": "analyse", "id": id, "position": question, "lines": lines, "aim": aim});
    socket.send(ask).await;
}

/// The last lines and the last word of an analysis.
async fn end_of(socket: &mut Socket, id: u32) -> (Value, Value) {
    let mut last = Value::Null;
    loop {
        let message = socket.next().await;
        assert_eq!(message["id"], id, "{message}");
        match message["t"].as_str() {
            Some("engine_lines") => last = message,
            _ if ["done", "refused"].contains(&message["state"]["kind"].as_str().unwrap()) => {
                return (last, message["state"].clone());
            }
            _ => {}
        }
    }
}

/// A position with a mate in one.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

async fn an_engine_is_asked(club: Club, engine: &str) {
    let mut socket = club.browser().socket().await;
    ask(&mut socket, 1, json!({"start": MATE}), 3, "hint").await;
    let (told, state) = end_of(&mut socket, 1).await;
    assert_eq!(state, json!({"kind": "done", "engine": engine, "best": "d1d8"}));
    let lines = told["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["score"], json!({"kind": "mate", "value": 1}));
    assert_eq!((&lines[0]["san"][0], &lines[0]["uci"][0]), (&json!("Rd8#"), &json!("d1d8")));
    let ranks: Vec<u64> = lines.iter().map(|line| line["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [1, 2, 3]);
    assert!(told["nodes"].as_u64() > Some(0) && told["depth"].as_u64() > Some(0), "{told}");

    // Black threatens nothing where it is mated, and White's threat is seen from Black's turn.
    let black = MATE.replace(" w ", " b ");
    ask(&mut socket, 2, json!({"start": black, "moves": ["h6"]}), 1, "threat").await;
    let told = socket.next_of("engine_lines").await;
    assert_eq!(told["id"], 2);
    socket.send(json!({"t": "stop_analysis"})).await;
    ask(&mut socket, 3, line(&["e4", "e5", "Qh5", "Ke7"]), 1, "hint").await;
    let mut last = socket.next().await;
    while last["id"] != 3 || last["state"]["kind"] != "done" {
        last = socket.next().await;
    }
    assert_eq!(last["state"]["best"], "h5e5");
}

#[tokio::test]
async fn the_built_in_engine_tells_its_lines_over_the_socket() {
    an_engine_is_asked(Club::open_as(without_programs()).await, "builtin").await;
}

#[tokio::test]
async fn stockfish_tells_its_lines_over_the_socket() {
    an_engine_is_asked(Club::open_as(with_stockfish()).await, "stockfish").await;
}

#[tokio::test]
async fn an_engine_can_be_chosen_and_one_that_is_not_there_is_refused() {
    let club = Club::open_as(with_stockfish()).await;
    let list = club.browser().get("/api/v1/analysis/engines").await.expect(200);
    let keys: Vec<&str> =
        list["engines"].as_array().unwrap().iter().map(|it| it["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["stockfish", "builtin"]);
    let mut socket = club.browser().socket().await;
    for (id, engine, expected) in [(1, "builtin", "done"), (2, "nobody", "refused")] {
        let position = json!({"start": MATE});
        let ask = json!({"t": "analyse", "id": id, "position": position, "aim": "hint", "engine": engine});
        socket.send(ask).await;
        let (_, state) = end_of(&mut socket, id).await;
        assert_eq!(state["kind"], expected, "{state}");
        if expected == "done" {
            assert_eq!(state["engine"], engine);
        }
    }
}

#[tokio::test]
async fn what_cannot_be_analysed_is_refused_with_a_reason() {
    let club = Club::open_as(without_programs()).await;
    let mut socket = club.browser().socket().await;
    let checks = [
        (json!({"start": "nonsense"}), "lines", "bad_position"),
        (line(&["e2e5"]), "lines", "illegal_move"),
        (line(&["f3", "e5", "g4", "Qh4"]), "lines", "bad_position"),
        (line(&["e4", "f5", "Qh5"]), "threat", "bad_position"),
    ];
    for ((question, aim, code), id) in checks.into_iter().zip(1..) {
        ask(&mut socket, id, question, 1, aim).await;
        let (_, state) = end_of(&mut socket, id).await;
        assert_eq!((&state["kind"], &state["code"]), (&json!("refused"), &json!(code)), "{aim}");
    }
}

#[tokio::test]
async fn a_socket_has_one_analysis_and_the_first_line_comes_at_once() {
    let club = Club::open_as(without_programs()).await;
    let mut socket = club.browser().socket().await;
    ask(&mut socket, 1, line(&[]), 1, "lines").await;
    socket.next_of("engine_lines").await;
    ask(&mut socket, 2, line(&["e4"]), 1, "lines").await;
    let told = socket.next_of("engine_lines").await;
    assert_eq!(told["id"], 2, "what was asked before is called off, and nobody waited for a clock");
}
