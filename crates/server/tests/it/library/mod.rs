//! The game library as its users see it.

mod crash;
mod explorer;
mod import;
mod people;
mod queue;
mod round_trip;
mod search;

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Browser;

/// Three games, one of them with a move that cannot be played.
pub(crate) const THREE: &str = r#"[Event "Casual"]
[White "Anna"]
[Black "Bernd"]
[Result "1-0"]
[WhiteElo "1900"]
[BlackElo "1800"]
[Date "2020.05.04"]
[TimeControl "180+2"]

1. e4 {[%clk 0:03:00] best by test} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 1-0

[Event "Broken"]
[White "Anna"]
[Black "Carla"]
[Result "*"]

1. e4 e5 2. Ke3 *

[Event "Casual"]
[White "Carla"]
[Black "Anna"]
[Result "1/2-1/2"]
[Date "2021.06.05"]

1. d4 d5 2. c4 e6 1/2-1/2

"#;

/// Many games that differ, made of one opening and a number.
pub(crate) fn many(count: usize) -> String {
    let game = |number: usize| {
        format!(
            "[White \"Player {number}\"]\n[Black \"Other\"]\n[Round \"{number}\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
        )
    };
    (0..count).map(game).collect()
}

/// Sends a file in pieces and waits until the import has ended.
pub(crate) async fn import(browser: &mut Browser, name: &str, file: &str) -> Value {
    let id = upload(browser, name, file).await;
    ended(browser, id).await
}

/// Sends a file in pieces of some kilobytes; the import goes on by itself.
pub(crate) async fn upload(browser: &mut Browser, name: &str, file: &str) -> i64 {
    let new = json!({"file_name": name, "bytes": file.len()});
    let import = browser.post("/api/v1/library/imports", new).await.expect(200);
    let id = import["id"].as_i64().unwrap();
    let mut offset = 0;
    for piece in file.as_bytes().chunks(40_000) {
        let url = format!("/api/v1/library/imports/{id}/file?offset={offset}");
        let text = String::from_utf8(piece.to_vec()).unwrap();
        browser.request("PUT", &url, Some(text)).await.expect(200);
        offset += piece.len();
    }
    id
}

/// Waits for the end of an import; the file is read on real threads, whatever the simulated clock says.
pub(crate) async fn ended(browser: &mut Browser, id: i64) -> Value {
    loop {
        let import = browser.get(&format!("/api/v1/library/imports/{id}")).await.expect(200);
        if !import["ended_at"].is_null() {
            return import;
        }
        tokio::task::yield_now().await;
        std::thread::yield_now();
        pause().await;
    }
}

/// A short real wait between two looks.
#[expect(
    clippy::disallowed_methods,
    reason = "a test waits for threads that no simulated clock moves"
)]
pub(crate) async fn pause() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

/// How many games a question finds.
pub(crate) async fn total(browser: &mut Browser, question: &str) -> u64 {
    let url = format!("/api/v1/library/games?{question}");
    browser.get(&url).await.expect(200)["total"].as_u64().unwrap()
}

/// Asks until so many games are found: games that end flow in a moment later.
pub(crate) async fn total_becomes(browser: &mut Browser, question: &str, wanted: u64) {
    for _ in 0..2_000 {
        if total(browser, question).await == wanted {
            return;
        }
        pause().await;
    }
    assert_eq!(total(browser, question).await, wanted, "{question}");
}
