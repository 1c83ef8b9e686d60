//! Challenges that nobody answers, makers who leave, and what a restart leaves open.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Socket;
use crate::club::{Club, blitz};
use crate::correspondence::days;
use crate::lobby_people::ids;

const DAY: i64 = 86_400_000;

fn seek() -> Value {
    json!({"kind": "seek", "time": blitz(), "color": "white"})
}

fn direct() -> Value {
    json!({"kind": "direct", "asked": "bert", "time": blitz(), "color": "white"})
}

/// Waits until the list has so many seeks. It is told once a second at most, and nobody knows when that second began.
async fn listed_seeks(club: &Club, lobby: &mut Socket, seeks: usize) -> Value {
    let told = lobby.state_where("lobby", |it| it["seeks"].as_array().map(Vec::len) == Some(seeks));
    let mut told = std::pin::pin!(told);
    loop {
        club.time.advance(1_000);
        if let Ok(state) = tokio::time::timeout(Duration::from_millis(100), &mut told).await {
            return state;
        }
    }
}

/// Waits until the server has ended a challenge.
async fn until_expired(club: &Club, id: &str) {
    for _ in 0..5_000 {
        let view = club.browser().get(&format!("/api/v1/challenges/{id}")).await.expect(200);
        if view["state"] == "expired" {
            return;
        }
    }
    panic!("the challenge {id} never ended");
}

/// `step` is how far time may go without the maker's page saying something: a silent one is taken for gone.
async fn check_expiry(new: Value, lifetime: i64, step: i64) {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let mut page = anna.socket().await;
    let id = anna.challenge(new).await;
    let path = format!("/api/v1/challenges/{id}");
    for _ in 1..lifetime / step {
        club.time.advance(step);
        page.enter(&format!("challenge:{id}")).await;
    }
    club.time.advance(step - 1);
    assert_eq!(bert.get(&path).await.expect(200)["state"], "open");
    club.time.advance(1);
    bert.accept(&id).await.expect_problem(409, "challenge_not_open");
    until_expired(&club, &id).await;
}

#[tokio::test]
async fn a_link_is_good_for_a_week() {
    check_expiry(json!({"time": blitz(), "color": "white"}), 7 * 86_400_000, 7 * 86_400_000).await;
}

#[tokio::test]
async fn a_direct_challenge_is_good_for_a_day() {
    check_expiry(direct(), 86_400_000, 86_400_000).await;
}

#[tokio::test]
async fn a_seek_is_good_for_half_an_hour() {
    check_expiry(seek(), 1_800_000, 30_000).await;
}

#[tokio::test]
async fn a_seek_outlives_its_maker_s_page_by_twenty_seconds() {
    let club = Club::open().await;
    let mut anna = club.player("anna").await;
    let page = anna.socket().await;
    let id = anna.challenge(seek()).await;
    let path = format!("/api/v1/challenges/{id}");
    drop(page);
    club.until_online(0).await;
    club.time.advance(19_000);
    let back = anna.socket().await;
    club.until_online(1).await;
    club.time.advance(5_000);
    assert_eq!(anna.get(&path).await.expect(200)["state"], "open", "back in time");

    let mut lobby = club.browser().socket().await;
    assert_eq!(ids(&lobby.enter("lobby").await["seeks"]), [&*id]);
    drop(back);
    club.until_online(0).await;
    club.time.advance(20_000);
    until_expired(&club, &id).await;
    listed_seeks(&club, &mut lobby, 0).await;
}

#[tokio::test]
async fn open_challenges_survive_a_crash_and_seeks_wait_for_their_makers() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let _pages = (anna.socket().await, bert.socket().await);
    let (hers, his) = (anna.challenge(seek()).await, bert.challenge(seek()).await);
    let asked = anna.challenge(direct()).await;

    let club = club.crash_and_start_after(60_000).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    let listed = club.browser().get("/api/v1/challenges").await.expect(200);
    let mut open = ids(&listed["challenges"]);
    open.sort_unstable();
    let mut both = [&*hers, &*his];
    both.sort_unstable();
    assert_eq!(open, both, "the time in between is not held against them");

    let mut page = anna.socket().await;
    let me = page.enter("me").await;
    assert_eq!(me["challenges"].as_array().map(Vec::len), Some(2));
    let mut lobby = club.browser().socket().await;
    lobby.enter("lobby").await;
    club.time.advance(20_000);
    until_expired(&club, &his).await;
    let left = listed_seeks(&club, &mut lobby, 1).await;
    assert_eq!(ids(&left["seeks"]), [&*hers]);
    bert.accept(&asked).await.expect(200);
}

#[tokio::test]
async fn a_seek_for_a_game_of_days_waits_though_its_maker_has_gone() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let page = anna.socket().await;
    let id = anna.challenge(json!({"kind": "seek", "time": days(3), "color": "white"})).await;
    let live = anna.challenge(seek()).await;
    drop(page);
    club.until_online(0).await;
    club.time.advance(6 * DAY);
    until_expired(&club, &live).await;

    let club = club.crash_and_start_after(DAY).await;
    bert.move_to(club.address);
    club.time.advance(DAY);
    let asked = club.browser().get("/api/v1/challenges").await.expect(200);
    assert_eq!(ids(&asked["challenges"]), [&*id]);
    let game = bert.accept(&id).await.expect(200);
    assert_eq!((&game["speed"], &game["you"]), (&json!("correspondence"), &json!("black")));
}

#[tokio::test]
async fn who_finds_a_live_game_still_seeks_one_of_days() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let _pages = (anna.socket().await, bert.socket().await);
    let slow = anna.challenge(json!({"kind": "seek", "time": days(3), "color": "white"})).await;
    let (live, other) = (anna.challenge(seek()).await, anna.challenge(seek()).await);
    bert.accept(&live).await.expect(200);
    // The seeks are withdrawn before the answer is given.
    let path = |id: &str| format!("/api/v1/challenges/{id}");
    assert_eq!(anna.get(&path(&other)).await.expect(200)["state"], "cancelled");
    assert_eq!(anna.get(&path(&slow)).await.expect(200)["state"], "open");
}
