//! Watching: where the house shows running games late, everybody but the players sees them late, everywhere.

use serde_json::{Value, json};
use server::config::{GamesConfig, Settings};

use crate::client::play_moves;
use crate::club::{Club, blitz, settings};

/// A club whose watchers see games ten seconds late.
async fn late_club() -> Club {
    Club::open_as(Settings { games: GamesConfig { watch_delay_seconds: 10 }, ..settings() }).await
}

/// The ply at which each way of looking shows a game to somebody who does not play it.
async fn plies_seen(club: &Club, id: &str) -> Vec<u64> {
    let mut watcher = club.browser();
    let view = watcher.get(&format!("/api/v1/games/{id}")).await.expect(200);
    let list = watcher.get("/api/v1/games").await.expect(200);
    let pgn = watcher.get(&format!("/api/v1/games/{id}/pgn")).await.text;
    let mut socket = watcher.socket().await;
    let state = socket.join_game(id).await;
    assert_eq!(state["version"], state["state"]["version"]);
    let lobby = socket.enter("lobby").await;
    let in_pgn =
        ["1. e4", "1... e5", "2. Nf3"].iter().filter(|it| plain(&pgn).contains(*it)).count() as u64;
    let plies = [
        &view["ply"],
        &list["games"][0]["ply"],
        &state["state"]["ply"],
        &lobby["games"][0]["ply"],
        &lobby["featured"]["ply"],
    ];
    plies.into_iter().map(|ply| ply.as_u64().unwrap()).chain([in_pgn]).collect()
}

/// The moves of a PGN with a number before each, without what is said of them.
fn plain(pgn: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for letter in pgn.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn watchers_see_a_running_game_late_wherever_they_look() {
    let club = late_club().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    assert_eq!(plies_seen(&club, &id).await, [0; 6]);
    club.time.advance(6_000);
    white.play(&id, 2, "g1f3").await;
    assert_eq!(plies_seen(&club, &id).await, [0; 6]);
    club.time.advance(4_000);
    assert_eq!(plies_seen(&club, &id).await, [2; 6]);
    club.time.advance(6_000);
    assert_eq!(plies_seen(&club, &id).await, [3; 6]);
}

#[tokio::test]
async fn a_watcher_is_told_every_move_in_order_and_the_end_at_once() {
    let club = late_club().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    let mut watcher = club.browser().socket().await;
    watcher.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(10_000);
    for (version, uci) in [(1, "e2e4"), (2, "e7e5")] {
        let told = watcher.next_of("played").await;
        assert_eq!((&told["version"], &told["uci"]), (&json!(version), &json!(uci)));
    }
    white.play(&id, 2, "g1f3").await;
    watcher.send(json!({"t": "resume", "room": format!("game:{id}"), "version": 1})).await;
    assert_eq!(
        watcher.next_of("state").await["version"],
        2,
        "what is too new is not in the state either"
    );
    black.send(json!({"t": "resign", "game": id})).await;
    assert_eq!(watcher.next_of("played").await["uci"], "g1f3", "no reason to wait once it is over");
    let ended = watcher.next_change("ended").await;
    assert_eq!(
        (&ended["version"], &ended["change"]["outcome"]["winner"]),
        (&json!(4), &json!("white"))
    );
}

#[tokio::test]
async fn the_clock_of_a_late_game_is_the_one_of_that_moment() {
    let club = late_club().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(12_000);
    let clock = |view: &Value| view["clocks"]["white_ms"].as_i64().unwrap();
    let seen = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(clock(&seen), 178_000);
    let path = format!("/api/v1/games/{id}");
    assert_eq!(seen["to_act"], "white");
    assert_eq!(clock(&club.browser().get(&path).await.expect(200)), 178_000);
}

#[tokio::test]
async fn watchers_are_told_that_they_see_a_game_late_and_not_who_is_waited_for() {
    let club = late_club().await;
    let (mut white_browser, black_browser, id) = club.game(blitz()).await;
    let mut white = white_browser.socket().await;
    let mut black = black_browser.socket().await;
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5", "g1f3"]).await;
    drop(black);
    while white.next_of("around").await["around"]["gone"].is_null() {}
    let path = format!("/api/v1/games/{id}");
    let playing = white_browser.get(&path).await.expect(200);
    assert_eq!(playing["delay_ms"], json!(null));
    assert_eq!(playing["around"]["gone"]["side"], "black");
    let watching = club.browser().get(&path).await.expect(200);
    assert_eq!(watching["delay_ms"], 10_000);
    assert_eq!(watching["around"]["gone"], json!(null), "it would tell that White has moved");
    let mut watcher = club.browser().socket().await;
    watcher.send(json!({"t": "join", "room": format!("game:{id}")})).await;
    assert_eq!(watcher.next_of("around").await["around"]["gone"], json!(null));
    white.send(json!({"t": "resign", "game": id})).await;
    watcher.next_change("ended").await;
    let over = club.browser().get(&path).await.expect(200);
    assert_eq!(over["delay_ms"], json!(null), "nothing is late once it is over");
}

#[tokio::test]
async fn a_restart_shows_watchers_nothing_early() {
    let club = late_club().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(8_000);
    white.play(&id, 2, "g1f3").await;
    let club = club.crash_and_start_after(3_000).await;
    assert_eq!(plies_seen(&club, &id).await, [2; 6]);
    club.time.advance(8_000);
    assert_eq!(plies_seen(&club, &id).await, [3; 6]);
}
