//! A file that comes in while the real server is killed again and again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod binary;

use std::time::Duration;

use binary::{Server, good, password_in};
use serde_json::Value;

const GAMES: usize = 200_000;
const LINES: [&str; 4] = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7",
    "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. Bd3 d5 6. Nf3 c5 7. O-O Nc6 8. a3 Bxc3",
    "1. c4 e5 2. Nc3 Nf6 3. Nf3 Nc6 4. g3 d5 5. cxd5 Nxd5 6. Bg2 Nb6 7. O-O Be7 8. d3 O-O",
];

/// The games of the file: their rounds tell them apart.
fn file() -> String {
    let game = |round: usize| {
        let moves = LINES[round % LINES.len()];
        format!("[White \"Anna\"]\n[Black \"Bernd\"]\n[Round \"{round}\"]\n\n{moves} *\n\n")
    };
    (0..GAMES).map(game).collect()
}

/// Round and moves of every game in a text, in the order of the rounds.
fn games_of(text: &str) -> Vec<(usize, String)> {
    let mut games = Vec::new();
    let mut round = None;
    for part in text.split("\n\n") {
        let tag = part.lines().find_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]"));
        if let Some(tag) = tag {
            round = tag.parse().ok();
        } else if let Some(round) = round.take() {
            games.push((round, part.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    games.sort_unstable();
    games
}

fn body_of(answer: &str) -> Value {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap()
}

/// Looks at the import until it is far enough, or over.
fn watch(server: &Server, cookie: &str, import: &str, is_enough: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..4_000 {
        let told = body_of(&server.ask("GET", import, cookie, ""));
        if is_enough(&told) || !told["ended_at"].is_null() {
            return told;
        }
        #[expect(clippy::disallowed_methods, reason = "the server runs by the real clock")]
        std::thread::sleep(Duration::from_millis(30));
    }
    panic!("the import does not go on");
}

#[test]
fn an_import_that_is_killed_three_times_brings_every_game_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let made = good(data, &["admin", "create", "anna"]);
    let mut server = Server::start(data);
    let cookie = server.log_in("anna", password_in(&made));
    let own = "{\"new_password\":\"a long walk to the library\"}";
    let changed = server.ask("POST", "/api/v1/account/password", &cookie, own);
    assert!(changed.starts_with("HTTP/1.1 2"), "{changed}");
    let text = file();
    let new = format!("{{\"file_name\":\"many.pgn\",\"bytes\":{}}}", text.len());
    let begun = body_of(&server.ask("POST", "/api/v1/library/imports", &cookie, &new));
    let import = format!("/api/v1/library/imports/{}", begun["id"]);
    let mut offset = 0;
    for piece in text.as_bytes().chunks(4 << 20) {
        let piece = std::str::from_utf8(piece).unwrap();
        body_of(&server.ask("PUT", &format!("{import}/file?offset={offset}"), &cookie, piece));
        offset += piece.len();
    }
    let mut kept = 0;
    for _ in 0..3 {
        let told = watch(&server, &cookie, &import, |told| told["games"].as_u64() > Some(kept));
        assert_eq!(told["state"], "running", "over before it could be killed: {told}");
        kept = told["games"].as_u64().unwrap();
        // Dropping it is SIGKILL.
        drop(server);
        server = Server::start(data);
        let told = body_of(&server.ask("GET", &import, &cookie, ""));
        assert!(told["games"].as_u64() >= Some(kept), "what was told is there: {told}");
    }
    let told = watch(&server, &cookie, &import, |_| false);
    assert_eq!(
        (told["state"].as_str(), told["games"].as_u64()),
        (Some("done"), Some(GAMES as u64))
    );
    assert_eq!((told["duplicates"].as_u64(), told["bad"].as_u64()), (Some(0), Some(0)));
    let exported = server.download("/api/v1/library/export?scope=mine", &cookie);
    let (expected, found) = (games_of(&text), games_of(&exported));
    assert_eq!((expected.len(), found.len()), (GAMES, GAMES));
    assert!(expected == found, "games are missing, doubled or changed");
    let listed = body_of(&server.ask("GET", "/api/v1/library/games?scope=mine", &cookie, ""));
    assert_eq!(listed["total"].as_u64(), Some(GAMES as u64), "the index knows them all, once");
}
