//! Connected accounts as their owners see them, against a site on loopback.

mod chesscom;
mod lichess;
mod owners;
mod site;
mod trouble;

use serde_json::{Value, json};
use server::config::{ConnectionsConfig, Settings};

use crate::client::Browser;
use crate::club::{Club, settings};
use crate::library::{pause, total};
use site::Site;

/// Settings with this site in the place of both.
pub(crate) fn at(site: &Site) -> Settings {
    let connections = ConnectionsConfig {
        lichess: site.url(),
        chesscom: site.url(),
        ..ConnectionsConfig::default()
    };
    Settings { connections, ..settings() }
}

/// A game as lichess.org tells it: the n-th, a minute after the one before.
pub(crate) fn game(n: i64, white: &str, black: &str) -> Value {
    let rated = n % 2 == 0;
    json!({
        "id": format!("game{n:04}"), "rated": rated, "variant": "standard", "speed": "blitz", "perf": "blitz",
        "createdAt": 1_700_000_000_000_i64 + n * 60_000, "lastMoveAt": 1_700_000_000_000_i64 + n * 60_000 + 30_000,
        "status": "mate", "winner": "black",
        "players": {
            "white": {"user": {"name": white, "id": white.to_lowercase()}, "rating": 1500},
            "black": {"user": {"name": black, "id": black.to_lowercase()}, "rating": 1600},
        },
        "moves": "f3 e5 g4 Qh4#",
        "pgn": pgn(n, white, black, ""),
    })
}

/// A short game, every one a little different.
pub(crate) fn pgn(n: i64, white: &str, black: &str, more: &str) -> String {
    let event = if n % 2 == 0 { "Rated blitz game" } else { "Casual blitz game" };
    format!(
        "[Event \"{event}\"]\n[Site \"https://lichess.org/game{n:04}\"]\n[Date \"2023.11.14\"]\n[Round \"{n}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"0-1\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1600\"]\n[TimeControl \"180+2\"]\n[Termination \"{black} won by checkmate\"]\n{more}\n1. f3 {{ [%clk 0:03:00] }} e5 {{ [%clk 0:03:00] }} 2. g4 Qh4# 0-1\n\n\n"
    )
}

/// Says that the account is theirs; gives its number and the code.
pub(crate) async fn connect(browser: &mut Browser, service: &str, name: &str) -> (i64, String) {
    let new = json!({"service": service, "name": name});
    let made = browser.post("/api/v1/library/connections", new).await.expect(200);
    assert_eq!(made["state"], "unproven");
    (made["id"].as_i64().unwrap(), made["code"].as_str().unwrap().to_owned())
}

pub(crate) async fn ask(browser: &mut Browser, id: i64) -> Value {
    browser.get(&format!("/api/v1/library/connections/{id}")).await.expect(200)
}

/// Looks until the connection is as wanted.
pub(crate) async fn becomes(
    browser: &mut Browser,
    id: i64,
    what: &str,
    is_so: impl Fn(&Value) -> bool,
) -> Value {
    let mut told = Value::Null;
    for _ in 0..4_000 {
        told = ask(browser, id).await;
        if is_so(&told) {
            return told;
        }
        pause().await;
    }
    panic!("{what} did not come about: {told}");
}

pub(crate) async fn synced(browser: &mut Browser, id: i64) -> Value {
    becomes(browser, id, "the end of the sync", |told| {
        told["state"] == "waiting" && told["problem"].is_null() && !told["synced_at"].is_null()
    })
    .await
}

pub(crate) async fn has_problem(browser: &mut Browser, id: i64, code: &str) -> Value {
    becomes(browser, id, code, |told| told["problem"]["code"] == code).await
}

/// Waits until a visit has failed in this way, and the next one is some time away.
pub(crate) async fn failed(club: &Club, browser: &mut Browser, id: i64, code: &str) -> i64 {
    let now = club.time.now().0;
    let told = becomes(browser, id, code, |told| {
        told["problem"]["code"] == code && told["next_at"].as_i64() > Some(now)
    })
    .await;
    told["next_at"].as_i64().unwrap() - now
}

/// Connects, proves with the code in the profile, and waits for the games.
pub(crate) async fn connected(
    browser: &mut Browser,
    site: &Site,
    service: &str,
    name: &str,
) -> i64 {
    let (id, code) = connect(browser, service, name).await;
    site.says(&format!("I play. {code}"));
    prove(browser, id, json!({})).await;
    synced(browser, id).await;
    id
}

pub(crate) async fn prove(browser: &mut Browser, id: i64, proof: Value) {
    browser.post(&format!("/api/v1/library/connections/{id}/proof"), proof).await.expect(200);
}

/// Asks for new games, once the site may be asked again.
pub(crate) async fn sync_now(club: &Club, browser: &mut Browser, id: i64) -> Value {
    let before = ask(browser, id).await["synced_at"].clone();
    club.time.advance(10_000);
    browser.post(&format!("/api/v1/library/connections/{id}/sync"), json!({})).await.expect(200);
    becomes(browser, id, "a new sync", |told| {
        told["synced_at"] != before && told["state"] == "waiting"
    })
    .await
}

/// Every game exactly once, by its round, in the list, the file and the sums.
pub(crate) async fn check_games(browser: &mut Browser, games: i64) {
    let text = browser.get("/api/v1/library/export").await.text;
    let mut rounds: Vec<i64> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]")?.parse().ok())
        .collect();
    rounds.sort_unstable();
    assert_eq!(rounds, (0..games).collect::<Vec<_>>());
    assert_eq!(total(browser, "").await, u64::try_from(games).unwrap());
}
