use serde_json::json;
use server::config::{ConnectionsConfig, Settings};

use super::site::{Mood, Site};
use super::{ask, at, becomes, check_games, connect, failed, game, has_problem, prove, synced};
use crate::client::Browser;
use crate::club::{Club, settings};
use crate::library::pause;

/// Anna, with a site of thirty games that fails in these ways first.
async fn begin(moods: &[Mood]) -> (Site, Club, Browser, i64) {
    let site = Site::start("Anna_L").await;
    for n in 0..30 {
        site.play(game(n, "Anna_L", "Bert"));
    }
    for mood in moods {
        site.mood(mood.clone());
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = connect(&mut anna, "lichess", "Anna_L").await;
    site.says(&code);
    prove(&mut anna, id, json!({})).await;
    (site, club, anna, id)
}

#[tokio::test]
async fn a_site_that_asks_us_to_wait_is_left_alone_for_so_long() {
    let (site, club, mut anna, id) =
        begin(&[Mood::Refuses(429, "Retry-After: 300\r\n"), Mood::Refuses(429, "")]).await;
    let told = has_problem(&mut anna, id, "busy").await;
    assert_eq!(told["next_at"], club.time.now().0 + 300_000);
    club.time.advance(299_000);
    anna.post(&format!("/api/v1/library/connections/{id}/sync"), json!({})).await.expect(200);
    for _ in 0..20 {
        pause().await;
    }
    assert_eq!(site.asked_for("/games/"), 1, "also if its owner cannot wait");
    club.time.advance(1_000);
    let wait = failed(&club, &mut anna, id, "busy").await;
    assert_eq!(site.asked_for("/games/"), 2);
    assert!(wait >= 60_000, "a minute without a word: {wait}");
    club.time.advance(wait);
    synced(&mut anna, id).await;
    check_games(&mut anna, 30).await;
}

#[tokio::test]
async fn whatever_breaks_on_the_way_no_game_is_lost_and_none_doubled() {
    let troubles = [
        (Mood::Refuses(500, ""), "failing"),
        (Mood::Refuses(502, ""), "failing"),
        (Mood::BreaksOff(7), "away"),
        (Mood::HalfALine(3), "garbled"),
        (Mood::Refuses(503, "Retry-After: 10\r\n"), "busy"),
        (Mood::Drips(4), "away"),
        (Mood::Hangs(3), "away"),
        (Mood::Endless("", "x"), "garbled"),
    ];
    let moods: Vec<Mood> = troubles.iter().map(|(mood, _)| mood.clone()).collect();
    let (site, club, mut anna, id) = begin(&moods).await;
    let mut stalls = 0;
    for (mood, code) in troubles {
        if matches!(mood, Mood::Drips(_) | Mood::Hangs(_)) {
            stalls += 1;
            becomes(&mut anna, id, "silence", |_| site.stalls() == stalls).await;
            // Only now time goes on, until what comes no more, or never to an end, is given up.
            while ask(&mut anna, id).await["state"] == "syncing" {
                club.time.advance(20_000);
                pause().await;
            }
        }
        let wait = failed(&club, &mut anna, id, code).await;
        club.time.advance(wait);
    }
    synced(&mut anna, id).await;
    check_games(&mut anna, 30).await;
}

#[tokio::test]
async fn a_line_that_stays_broken_is_passed_over_in_the_end() {
    let (_site, club, mut anna, id) =
        begin(&[Mood::HalfALine(3), Mood::HalfALine(1), Mood::HalfALine(1), Mood::HalfALine(1)])
            .await;
    for wait in [60_000, 120_000, 240_000] {
        assert_eq!(failed(&club, &mut anna, id, "garbled").await, wait);
        club.time.advance(wait);
    }
    let told = synced(&mut anna, id).await;
    assert_eq!((&told["games"], &told["skipped"]), (&json!(29), &json!(1)));
}

#[tokio::test]
async fn no_request_goes_to_another_host() {
    let elsewhere = Site::start("Anna_L").await;
    let (site, club, mut anna, id) =
        begin(&[Mood::Redirects(format!("{}/moved/games", elsewhere.url()))]).await;
    has_problem(&mut anna, id, "elsewhere").await;
    assert_eq!(elsewhere.asked(), [""; 0]);
    let here = format!("{}/moved/games?sort=dateAsc&pgnInJson=true", site.url());
    site.mood(Mood::Redirects(here));
    club.time.advance(60_000);
    synced(&mut anna, id).await;
    assert_eq!(site.asked_for("/moved/games"), 1, "within the same host it is followed");
    check_games(&mut anna, 30).await;
    site.mood(Mood::Redirects("//127.0.0.2/moved/games".to_owned()));
    club.time.advance(12 * 3_600_000);
    has_problem(&mut anna, id, "elsewhere").await;
}

#[tokio::test]
async fn without_the_internet_it_is_said_in_plain_words_and_tried_again() {
    let site = Site::start("Anna_L").await;
    // Nobody listens on port 1.
    let url = "http://127.0.0.1:1".to_owned();
    let connections = ConnectionsConfig { lichess: url, ..ConnectionsConfig::default() };
    let club = Club::open_as(Settings { connections, ..settings() }).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = connect(&mut anna, "lichess", "Anna_L").await;
    prove(&mut anna, id, json!({})).await;
    let told = has_problem(&mut anna, id, "away").await;
    assert!(told["problem"]["detail"].as_str().unwrap().contains("cannot be reached"), "{told}");
    assert_eq!(told["next_at"], club.time.now().0 + 60_000);
    site.play(game(0, "Anna_L", "Bert"));
    site.says(&code);
    let club = club.restart_as(at(&site)).await;
    anna.move_to(club.address);
    club.time.advance(60_000);
    synced(&mut anna, id).await;
    check_games(&mut anna, 1).await;
}

#[tokio::test]
async fn an_owner_can_switch_it_off() {
    let connections = ConnectionsConfig { enabled: false, ..ConnectionsConfig::default() };
    let club = Club::open_as(Settings { connections, ..settings() }).await;
    let mut anna = club.player("Anna").await;
    let list = anna.get("/api/v1/library/connections").await.expect(200);
    assert_eq!(list, json!({"services": [], "connections": []}));
    let new = json!({"service": "lichess", "name": "anna"});
    anna.post("/api/v1/library/connections", new).await.expect_problem(409, "connections_off");
}
