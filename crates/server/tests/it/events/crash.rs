//! A server that dies while it publishes a round.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Desk;
use super::online::{online, until};

const PLAYERS: usize = 8;

/// Members of a class who play everybody, online.
async fn entered(more: &Value) -> (crate::club::Club, Desk) {
    let (club, mut desk) = Desk::open(online(more)).await;
    let names: Vec<String> = ('a'..).take(PLAYERS).map(|letter| format!("Test {letter}")).collect();
    let class = json!({"names": names.join("\n")});
    let made = desk.browser.post("/api/v1/admin/users/bulk", class).await.expect(201);
    let cards = made["cards"].as_array().unwrap().iter();
    let members: Vec<Value> = cards.map(|card| card["user_name"].clone()).collect();
    let path = desk.path("/players");
    desk.browser.post(&path, json!({"members": members})).await.expect(201);
    (club, desk)
}

/// Everybody sits at one board, and every board has a game that can be played.
async fn check_whole(desk: &mut Desk, round: u64) {
    let boards = desk.round(round).await["boards"].as_array().unwrap().clone();
    let mut seated: Vec<u64> = boards
        .iter()
        .flat_map(|board| [board["white"].as_u64().unwrap(), board["black"].as_u64().unwrap()])
        .collect();
    seated.sort_unstable();
    assert_eq!(seated, (1..=PLAYERS as u64).collect::<Vec<_>>());
    for board in boards {
        let game = board["game"].as_str().expect("a game");
        let view = desk.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
        assert_eq!((&view["outcome"], &view["ply"]), (&Value::Null, &json!(0)));
    }
}

#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "a crash comes at a moment of the real clock")]
async fn a_round_that_a_crash_interrupts_is_there_whole_or_not_at_all() {
    let by_hand = json!({"system": "double_round_robin", "pace": {"automatic": false}});
    let (mut club, mut desk) = entered(&by_hand).await;
    desk.go_to("running").await;
    let start = Instant::now();
    desk.publish().await;
    let usual = start.elapsed();
    desk.finish(1, "1-0").await;
    let (mut whole, mut none) = (0, 0);
    for attempt in 0..24_u32 {
        let next = whole + 2;
        let (mut browser, path) = (desk.browser.clone(), desk.path("/rounds"));
        let publishing =
            tokio::spawn(async move { browser.post(&path, json!({})).await.status == 201 });
        // From at once to long after it should be over, closely around the usual.
        tokio::time::sleep(usual * (attempt % 12) / 6 + Duration::from_micros(attempt.into()))
            .await;
        club = club.crash_and_start_after(1_000).await;
        desk.browser.move_to(club.address);
        // Whoever was not answered knows nothing; whoever was can rely on it.
        let is_acknowledged = publishing.await.unwrap_or(false);
        let rounds = desk.show().await["rounds"].as_array().unwrap().len() as u64;
        if rounds == next {
            check_whole(&mut desk, next).await;
            desk.finish(next, "1/2-1/2").await;
            whole += 1;
        } else {
            assert_eq!(rounds, next - 1);
            assert!(!is_acknowledged, "round {next} was told and is gone");
            none += 1;
        }
        if whole == 2 * (PLAYERS as u64 - 1) - 1 {
            break;
        }
    }
    assert!(whole > 0 && none > 0, "{whole} whole, {none} not at all: the crashes came all alike");
}

#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "a crash comes at a moment of the real clock")]
async fn a_round_that_begins_by_itself_begins_once_though_a_crash_interrupts_it() {
    const PAUSE: i64 = 30_000;
    const LAST: u64 = 2 * (PLAYERS as u64 - 1);
    let by_itself = json!({"system": "double_round_robin"});
    let (mut club, mut desk) = entered(&by_itself).await;
    desk.go_to("running").await;
    let start = Instant::now();
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    let usual = start.elapsed();
    desk.finish(1, "1-0").await;
    let (mut before, mut after) = (0, 0);
    for (attempt, next) in (0_u32..).zip(2..=LAST) {
        // Simulated time stands still until the crash: what is published later was published by the new server. The
        // first crash comes before the round is due, the last after it has begun, the others somewhere between.
        let is_there = |event: &Value| event["rounds"].as_array().unwrap().len() as u64 == next;
        let mut away = 1_000;
        if attempt == 0 {
            away += PAUSE;
        } else {
            club.time.advance(PAUSE);
        }
        let crash = club.time.now().0;
        if next == LAST {
            until(&mut desk, is_there).await;
        } else {
            tokio::time::sleep(usual * attempt / 6).await;
        }
        club = club.crash_and_start_after(away).await;
        desk.browser.move_to(club.address);
        until(&mut desk, is_there).await;
        check_whole(&mut desk, next).await;
        if desk.round(next).await["published_at"].as_i64().unwrap() <= crash {
            before += 1;
        } else {
            after += 1;
        }
        // A round that was begun twice would have left games that belong to nobody.
        let running = desk.browser.get("/api/v1/games").await.expect(200);
        assert_eq!(running["games"].as_array().unwrap().len(), PLAYERS / 2, "{running}");
        desk.finish(next, "1/2-1/2").await;
        let event = desk.show().await;
        assert_eq!(event["rounds"].as_array().unwrap().len() as u64, next, "once: {event}");
    }
    assert!(before > 0 && after > 0, "{before} before, {after} after: the crashes came all alike");
}

#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "a crash comes at a moment of the real clock")]
async fn rounds_that_begin_together_are_all_there_after_a_crash_or_none() {
    let together = json!({
        "system": "round_robin", "at_once": true, "pace": {"automatic": false},
        "time": {"kind": "days", "per_move_ms": 86_400_000},
    });
    let (mut club, mut first) = entered(&together).await;
    let (mut usual, mut whole, mut none) = (Duration::from_millis(50), 0, 0);
    for attempt in 0..16_u32 {
        let copy = first.path("/copy");
        let copy = first.browser.post(&copy, json!({"players": true})).await.expect(201);
        let id = copy["id"].as_str().unwrap().to_owned();
        let mut desk = Desk { browser: first.browser.clone(), id };
        desk.go_to("running").await;
        let (mut browser, path) = (desk.browser.clone(), desk.path("/rounds"));
        let start = Instant::now();
        let publishing =
            tokio::spawn(async move { browser.post(&path, json!({})).await.status == 201 });
        if attempt == 0 {
            // The first one shows how long it takes.
            assert!(publishing.await.unwrap());
            usual = start.elapsed();
            continue;
        }
        tokio::time::sleep(usual * (attempt % 8) / 5).await;
        club = club.crash_and_start_after(1_000).await;
        first.browser.move_to(club.address);
        desk.browser.move_to(club.address);
        let is_acknowledged = publishing.await.unwrap_or(false);
        let rounds = desk.show().await["rounds"].as_array().unwrap().len() as u64;
        if rounds == 0 {
            assert!(!is_acknowledged, "they were told and are gone");
            none += 1;
        } else {
            assert_eq!(rounds, PLAYERS as u64 - 1);
            for round in 1..=rounds {
                check_whole(&mut desk, round).await;
            }
            whole += 1;
        }
    }
    assert!(whole > 0 && none > 0, "{whole} whole, {none} not at all: the crashes came all alike");
}
