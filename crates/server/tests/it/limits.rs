//! Limits per network and per account, proxies, and the classroom exemption.

use serde_json::json;
use server::config::{Limits, Settings, WebConfig};
use server::networks::Networks;

use crate::client::Browser;
use crate::club::{Club, blitz, settings};

fn networks(text: &str) -> Networks {
    Networks::try_from(vec![text.to_owned()]).unwrap()
}

fn strict() -> Settings {
    Settings { limits: Limits { requests_per_minute: 5, ..Limits::default() }, ..settings() }
}

/// How many changing requests in a row are taken, of ten.
async fn taken(browser: &mut Browser) -> usize {
    let new = json!({"time": blitz(), "color": "white"});
    let mut taken = 0;
    for _ in 0..10 {
        let answer = browser.post("/api/v1/challenges", new.clone()).await;
        match answer.status {
            201 => taken += 1,
            429 => assert!(answer.header("retry-after").is_some()),
            other => panic!("{other}: {}", answer.text),
        }
    }
    taken
}

fn from(club: &Club, address: &str) -> Browser {
    let mut browser = club.browser();
    browser.extra_headers = vec![("X-Forwarded-For".to_owned(), address.to_owned())];
    browser
}

#[tokio::test]
async fn without_a_trusted_proxy_nobody_can_pose_as_many() {
    let club = Club::open_as(strict()).await;
    assert_eq!(taken(&mut from(&club, "203.0.113.1")).await, 5);
    assert_eq!(taken(&mut from(&club, "203.0.113.2")).await, 0);
}

#[tokio::test]
async fn behind_a_trusted_proxy_every_client_has_a_limit_of_its_own() {
    let web = WebConfig { trusted_proxies: networks("127.0.0.0/8"), ..WebConfig::default() };
    let club = Club::open_as(Settings { web, ..strict() }).await;
    assert_eq!(taken(&mut from(&club, "203.0.113.1")).await, 5);
    assert_eq!(taken(&mut from(&club, "203.0.113.2")).await, 5);
    assert_eq!(taken(&mut from(&club, "8.8.8.8, 203.0.113.2")).await, 0, "the proxy's word counts");
    assert_eq!(taken(&mut from(&club, "2001:db8::1")).await, 5);
    assert_eq!(taken(&mut from(&club, "2001:db8::2")).await, 0, "the same house");
}

#[tokio::test]
async fn a_classroom_shares_an_address_but_each_pupil_has_a_limit() {
    let mut settings = strict();
    settings.accounts.trusted_networks = networks("127.0.0.1");
    let club = Club::open_as(settings).await;
    for _ in 0..3 {
        assert!(taken(&mut club.browser()).await >= 5);
    }
    let mut one = club.browser();
    taken(&mut one).await;
    assert_eq!(taken(&mut one).await, 0);
    assert!(taken(&mut club.browser()).await >= 5, "the others go on");
}

#[tokio::test]
async fn an_account_has_one_limit_wherever_it_comes_from() {
    let web = WebConfig { trusted_proxies: networks("127.0.0.0/8"), ..WebConfig::default() };
    let club = Club::open_as(Settings { web, ..strict() }).await;
    let mut browser = from(&club, "203.0.113.1");
    taken(&mut browser).await;
    browser.extra_headers = vec![("X-Forwarded-For".to_owned(), "203.0.113.2".to_owned())];
    assert!(taken(&mut browser).await <= 1, "only what the guest's first request did not count");
}

#[tokio::test]
async fn questions_of_the_lab_count_as_a_tenth_of_a_request() {
    let club = Club::open_as(strict()).await;
    let mut browser = club.browser();
    let dna = "AHHHSHHAACHACHACHAHHASASAAAAAAAAA";
    let board = json!({"pieces": [{"square": "a1", "owner": "white", "dna": dna}]});
    let mut answered = 0;
    for _ in 0..60 {
        answered +=
            u32::from(browser.post("/api/v1/gmo/lab/targets", board.clone()).await.status == 200);
    }
    assert_eq!(answered, 50, "five whole ones a minute");
}

#[tokio::test]
async fn guests_of_one_network_store_only_so_many_new_texts_a_day() {
    let limits = Limits { guest_texts_per_day: 2, ..Limits::default() };
    let web = WebConfig { trusted_proxies: networks("127.0.0.0/8"), ..WebConfig::default() };
    let club = Club::open_as(Settings { limits, web, ..settings() }).await;
    let dna = |step: &str| Some(format!("AHHHSHHACCHACHACHAHHA{step}"));
    let store = async |address: &str, step: &str| {
        from(&club, address).request("POST", "/genome", dna(step)).await
    };
    store("203.0.113.1", "SAS").await.expect(201);
    store("203.0.113.1", "SAS").await.expect(200);
    store("203.0.113.1", "SAC").await.expect(201);
    store("203.0.113.1", "SAA").await.expect_problem(429, "too_many_texts");
    store("203.0.113.2", "SAA").await.expect(201);
    // Who has an account is bounded by the own library.
    let mut member = club.player("anna").await;
    member.extra_headers = vec![("X-Forwarded-For".to_owned(), "203.0.113.1".to_owned())];
    member.request("POST", "/genome", dna("CASSAS")).await.expect(201);
    club.time.advance(86_400_000);
    store("203.0.113.1", "CACSAS").await.expect(201);
}
