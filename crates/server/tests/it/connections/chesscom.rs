use serde_json::{Value, json};

use super::site::{Mood, Site};
use super::{ask, at, check_games, connected, failed, pgn, sync_now, synced};
use crate::club::Club;
use crate::library::total;

fn game(n: i64, white: &str, black: &str) -> Value {
    json!({
        "url": format!("https://www.chess.com/game/live/{}", 1_000 + n), "uuid": format!("aaaa-{n}"),
        "time_control": "180+2", "end_time": 1_700_000_000 + n, "rated": n % 2 == 0, "time_class": "blitz",
        "rules": "chess", "pgn": pgn(n, white, black, ""),
        "white": {"username": white, "rating": 1500, "result": "checkmated", "@id": "https://api.chess.com/pub/player/x"},
        "black": {"username": black, "rating": 1600, "result": "win"},
    })
}

#[tokio::test]
async fn months_come_in_one_by_one_and_the_last_ones_are_read_again() {
    let site = Site::start("AnnaC").await;
    for (n, month) in [(0, "2023/10"), (1, "2023/11"), (2, "2023/12"), (3, "2023/12")] {
        site.play_in(month, game(n, "AnnaC", "Bert"));
    }
    let mut strange = game(9, "AnnaC", "Bert");
    strange["rules"] = json!("bughouse");
    strange["pgn"] = json!("");
    site.play_in("2023/10", strange);
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let id = connected(&mut anna, &site, "chesscom", "AnnaC").await;
    let told = ask(&mut anna, id).await;
    assert_eq!(
        (&told["games"], &told["skipped"], &told["name"]),
        (&json!(4), &json!(1), &json!("AnnaC")),
        "{told}"
    );
    assert_eq!(told["skipped_variants"], json!([{"variant": "bughouse", "games": 1}]));
    assert_eq!((&told["done"], &told["total"]), (&json!(3), &json!(3)));
    check_games(&mut anna, 4).await;
    let page = anna.get("/api/v1/library/games?source=chesscom").await.expect(200);
    let number = &page["games"][0]["number"];
    let shown = anna.get(&format!("/api/v1/library/games/{number}")).await.expect(200);
    assert!(
        shown["source_url"].as_str().unwrap().starts_with("https://www.chess.com/game/live/10"),
        "{shown}"
    );

    site.play_in("2023/11", game(4, "AnnaC", "Bert"));
    site.play_in("2024/01", game(5, "AnnaC", "Bert"));
    let told = sync_now(&club, &mut anna, id).await;
    assert_eq!((&told["games"], &told["skipped"]), (&json!(6), &json!(1)));
    check_games(&mut anna, 6).await;
    assert_eq!(site.asked_for("2023/10"), 1, "what is long past is not asked for again");
    assert_eq!(site.most_at_once(), 1);
}

#[tokio::test]
async fn a_month_that_breaks_off_or_never_ends_is_read_again_and_nothing_is_doubled() {
    let site = Site::start("AnnaC").await;
    for n in 0..150 {
        site.play_in("2023/10", game(n, "AnnaC", "Bert"));
    }
    for mood in [Mood::BreaksOff(120), Mood::Endless("", " "), Mood::Endless("{\"pgn\":\"", "x")] {
        site.mood(mood);
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = super::connect(&mut anna, "chesscom", "AnnaC").await;
    site.says(&code);
    super::prove(&mut anna, id, json!({})).await;
    failed(&club, &mut anna, id, "away").await;
    assert_eq!(total(&mut anna, "").await, 120, "what has come is kept");
    club.time.advance(60_000);
    failed(&club, &mut anna, id, "garbled").await;
    assert!(site.sent() < 40 << 20, "{} bytes of a gigabyte were read", site.sent());
    let before = site.sent();
    club.time.advance(120_000);
    failed(&club, &mut anna, id, "garbled").await;
    let read = site.sent() - before;
    assert!(read < 40 << 20, "{read} bytes of one game were read");
    club.time.advance(240_000);
    synced(&mut anna, id).await;
    check_games(&mut anna, 150).await;
}

#[tokio::test]
async fn a_month_of_any_size_comes_in() {
    let site = Site::start("AnnaC").await;
    for n in 0..80 {
        let mut long = game(n, "AnnaC", "Bert");
        long["tcn"] = json!("x".repeat(900 << 10));
        site.play_in("2023/10", long);
    }
    site.play_in("2023/11", game(80, "AnnaC", "Bert"));
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    connected(&mut anna, &site, "chesscom", "AnnaC").await;
    assert!(site.sent() > 70 << 20);
    check_games(&mut anna, 81).await;
}

#[tokio::test]
async fn a_game_that_is_too_long_to_be_one_is_passed_over_in_the_end() {
    let site = Site::start("AnnaC").await;
    for n in 0..30 {
        site.play_in("2023/10", game(n, "AnnaC", "Bert"));
    }
    let mut endless = game(99, "AnnaC", "Bert");
    endless["pgn"] = json!("x".repeat(3 << 20));
    site.play_in("2023/11", endless);
    for n in 30..40 {
        site.play_in("2023/11", game(n, "AnnaC", "Bert"));
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = super::connect(&mut anna, "chesscom", "AnnaC").await;
    site.says(&code);
    super::prove(&mut anna, id, json!({})).await;
    for _ in 0..3 {
        let wait = failed(&club, &mut anna, id, "garbled").await;
        assert_eq!(total(&mut anna, "").await, 30);
        club.time.advance(wait);
    }
    let told = synced(&mut anna, id).await;
    assert_eq!((&told["games"], &told["skipped"]), (&json!(40), &json!(1)), "{told}");
    check_games(&mut anna, 40).await;
}
