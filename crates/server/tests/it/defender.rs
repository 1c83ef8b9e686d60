//! ChessDefender between two players: a shelf, a zone, kings, then chess.

use serde_json::{Value, json};

use crate::client::{Browser, Socket};
use crate::club::{Club, blitz};

async fn table(club: &Club, start: &str) -> (Browser, Socket, Socket, String) {
    let (mut white, mut black) = (club.browser(), club.browser());
    let terms = json!({"variant": "defender", "time": blitz(), "color": "white", "start": start});
    let made = white.post("/api/v1/challenges", terms).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    black.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    let (mut one, mut other) = (white.socket().await, black.socket().await);
    one.join_game(&id).await;
    other.join_game(&id).await;
    (white, one, other, id)
}

/// Does something and waits for the answer, whatever ply it leads to.
async fn act(socket: &mut Socket, id: &str, ply: u32, text: &str) -> Value {
    socket.send(json!({"t": "move", "game": id, "ply": ply, "uci": text})).await;
    loop {
        let played = socket.next_of("played").await;
        if played["ply"].as_u64() > Some(u64::from(ply)) {
            return played;
        }
    }
}

const EXAMPLE: &str = "8/8/8/8/8/8/8/8 w - - 0 1 5/5";

#[tokio::test]
async fn the_example_of_the_rules_is_played_and_told_in_pgn() {
    let club = Club::open().await;
    let (mut browser, mut white, mut black, id) = table(&club, EXAMPLE).await;
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    let shelf: Vec<&str> = view["dests"].as_str().unwrap().split(' ').collect();
    let heads: Vec<&str> = shelf.iter().map(|group| &group[..2]).collect();
    assert_eq!(heads, ["P@", "N@", "B@", "R@", "--"], "what five points can pay");
    assert_eq!(act(&mut white, &id, 0, "N@f3").await["fen"], "8/8/8/8/8/5N2/8/8 b - - 0 1 2/5");
    act(&mut black, &id, 1, "R@d8").await;
    let told = act(&mut white, &id, 2, "P@e2").await;
    assert_eq!(
        (&told["ply"], &told["to_act"]),
        (&json!(4), &json!("white")),
        "Black passes by itself"
    );
    act(&mut white, &id, 4, "P@c3").await;
    let told = act(&mut white, &id, 6, "K@g1").await;
    assert_eq!(told["dests"].as_str().map(|text| &text[..2]), Some("K@"));
    let told = act(&mut black, &id, 7, "K@g8").await;
    assert_eq!(told["fen"], "3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 K/K");
    act(&mut white, &id, 8, "f3e5").await;
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    let moves = view["moves"].as_array().unwrap().iter();
    let sans: Vec<&str> = moves.map(|entry| entry["san"].as_str().unwrap()).collect();
    assert_eq!(sans, ["N@f3", "R@d8", "P@e2", "--", "P@c3", "--", "K@g1", "K@g8", "Ne5"]);
    // Lines are broken anywhere between words.
    let flat = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let pgn = flat(browser.get(&format!("/api/v1/games/{id}/pgn")).await.text);
    for part in
        ["[Variant \"ChessDefender\"]", "[DefenderPoints \"5/5\"]", "1. N@f3", "4. K@g1", "5. Ne5"]
    {
        assert!(pgn.contains(part), "{part} in {pgn}");
    }
    let chess = flat(browser.get(&format!("/api/v1/games/{id}/pgn?phase=two")).await.text);
    assert!(chess.contains("[FEN \"3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5\"]"), "{chess}");
    assert!(!chess.contains("Defender") && chess.contains("5. Ne5"), "{chess}");
}

#[tokio::test]
async fn every_entry_of_the_record_tells_whose_it_is() {
    let club = Club::open().await;
    let (mut browser, mut white, mut black, id) = table(&club, EXAMPLE).await;
    assert_eq!(act(&mut white, &id, 0, "N@f3").await["by"], "white");
    let told = act(&mut black, &id, 1, "R@d8").await;
    assert_eq!((&told["by"], &told["freezes"]), (&json!("black"), &json!(false)));
    act(&mut white, &id, 2, "P@e2").await;
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    let entry = |entry: &Value| format!("{} {}", entry["by"], entry["uci"]).replace('"', "");
    let entries: Vec<String> = view["moves"].as_array().unwrap().iter().map(entry).collect();
    assert_eq!(entries, ["white N@f3", "black R@d8", "white P@e2", "black --"]);
}

#[tokio::test]
async fn what_may_not_be_placed_is_refused_with_the_code_of_the_rules() {
    let club = Club::open().await;
    let (_, mut white, mut black, id) = table(&club, EXAMPLE).await;
    for (text, code) in [
        ("Q@a1", "D_NO_POINTS"),
        ("N@a4", "D_OUT_OF_ZONE"),
        ("P@a1", "D_PAWN_FIRST_RANK"),
        ("K@a1", "D_KING_TOO_EARLY"),
        ("e2e4", "D_WRONG_PHASE"),
        ("X@a1", "D_UNKNOWN_PIECE"),
    ] {
        white.send(json!({"t": "move", "game": id, "ply": 0, "uci": text})).await;
        assert_eq!(white.next_of("rejected").await["code"], code, "{text}");
    }
    black.send(json!({"t": "move", "game": id, "ply": 0, "uci": "P@a7"})).await;
    assert_eq!(black.next_of("rejected").await["code"], "D_NOT_YOUR_TURN");
    let told = act(&mut white, &id, 0, "--").await;
    assert_eq!(told["fen"], "8/8/8/8/8/8/8/8 b - - 0 1 0/5", "finishing early forfeits the rest");
}

/// Two members at a game, with Anna's white pieces.
async fn members(club: &Club, more: Value) -> (Browser, Browser, String) {
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let mut terms = json!({"variant": "defender", "time": blitz(), "color": "white"});
    terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let id = anna.challenge(terms).await;
    bert.accept(&id).await.expect(200);
    (anna, bert, id)
}

#[tokio::test]
async fn a_rated_game_begins_with_20_and_22_points_and_counts_in_its_own_pool() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = members(&club, json!({"rated": true})).await;
    let path = format!("/api/v1/games/{id}");
    let view = anna.get(&path).await.expect(200);
    assert_eq!((&view["rated"], &view["pool"]), (&json!(true), &json!("defender/blitz")));
    assert_eq!(view["fen"], "8/8/8/8/8/8/8/8 w - - 0 1 20/22");
    let moves = format!("{path}/moves");
    anna.post(&moves, json!({"ply": 0, "uci": "N@c3"})).await.expect(200);
    bert.post(&moves, json!({"ply": 1, "uci": "N@c6"})).await.expect(200);
    bert.post(&format!("{path}/resignation"), json!({})).await.expect(200);
    let ratings = anna.get(&path).await.expect(200)["ratings"].clone();
    assert!(ratings["white"]["after"].as_i64() > ratings["white"]["before"].as_i64(), "{ratings}");
    for name in ["anna", "bert"] {
        let standings = club.store().standings_of(club.account_id(name).await).await.unwrap();
        let pools: Vec<String> = standings.into_iter().map(|it| it.pool).collect();
        assert_eq!(pools, ["defender/blitz"], "{name}");
    }
}

#[tokio::test]
async fn the_history_shows_the_set_up_of_a_game_that_came_to_chess() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = members(&club, json!({"start": EXAMPLE})).await;
    let moves = format!("/api/v1/games/{id}/moves");
    for (ply, uci) in
        [(0, "N@f3"), (1, "R@d8"), (2, "P@e2"), (4, "P@c3"), (6, "K@g1"), (7, "K@g8"), (8, "f3e5")]
    {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut bert };
        mover.post(&moves, json!({"ply": ply, "uci": uci})).await.expect(200);
    }
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let terms = json!({"variant": "defender", "time": blitz(), "color": "white"});
    let placed = anna.challenge(terms).await;
    bert.accept(&placed).await.expect(200);
    let moves = format!("/api/v1/games/{placed}/moves");
    anna.post(&moves, json!({"ply": 0, "uci": "N@c3"})).await.expect(200);
    bert.post(&moves, json!({"ply": 1, "uci": "N@c6"})).await.expect(200);
    anna.post(&format!("/api/v1/games/{placed}/resignation"), json!({})).await.expect(200);
    let history = anna.get("/api/v1/players/anna/games").await.expect(200)["games"].clone();
    let set_up = |id: &str| {
        let game = history.as_array().unwrap().iter().find(|game| game["id"] == id);
        game.unwrap()["set_up"].clone()
    };
    assert_eq!(set_up(&id), "3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5");
    assert_eq!(set_up(&placed), Value::Null, "no king was placed");
}
