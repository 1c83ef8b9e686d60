//! Analysis as clients see it: positions, trees, studies, engines on the socket, fair play, reports.

mod engines;
mod fair_play;
mod positions;
mod reports;
mod studies;

use serde_json::{Value, json};
use server::config::{EnginesConfig, Settings, WebConfig};

use crate::client::Browser;
use crate::club::{Club, blitz, settings};

/// A club that has the built-in engine only, so that every machine gives the same answers.
pub(crate) fn without_programs() -> Settings {
    let engines = EnginesConfig { enabled: false, ..EnginesConfig::default() };
    let web = WebConfig { metrics: true, ..WebConfig::default() };
    Settings { engines, web, ..settings() }
}

/// A club with the Stockfish of this machine.
pub(crate) fn with_stockfish() -> Settings {
    let found = engine::pool::find_program("stockfish");
    assert!(found.is_some(), "Stockfish is missing: install the package `stockfish`");
    Settings { web: WebConfig { metrics: true, ..WebConfig::default() }, ..settings() }
}

/// A rated game between two members that has begun.
pub(crate) async fn rated_game(club: &Club) -> (Browser, Browser, String) {
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    let asked = json!({"time": blitz(), "color": "white", "rated": true});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    berta.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    (anna, berta, id)
}

/// Plays these moves over HTTP, each side its own.
pub(crate) async fn play(white: &mut Browser, black: &mut Browser, id: &str, moves: &[&str]) {
    for (uci, ply) in moves.iter().zip(0..) {
        let mover = if ply % 2 == 0 { &mut *white } else { &mut *black };
        let body = json!({"ply": ply, "uci": uci});
        mover.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
    }
}

/// A line of standard chess as a question.
pub(crate) fn line(moves: &[&str]) -> Value {
    json!({"variant": "standard", "moves": moves})
}
