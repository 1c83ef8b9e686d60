use std::collections::BTreeSet;

use serde_json::json;
use server::config::Limits;
use server::http::access::TABLE;

use crate::club::{Club, blitz};

#[test]
fn every_route_of_the_document_has_its_line_in_the_table_of_rights() {
    let document = serde_json::to_value(server::http::openapi()).unwrap();
    let mut documented = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            documented.insert((method.to_uppercase(), path.clone()));
        }
    }
    let table: BTreeSet<_> = TABLE
        .iter()
        .filter(|(_, path, ..)| {
            let is_ours = ["/api/v1/", "/genome", "/preset"].iter().any(|it| path.starts_with(it));
            is_ours && *path != "/api/v1/openapi.json"
        })
        .map(|(method, path, ..)| (method.to_string(), (*path).to_owned()))
        .collect();
    assert_eq!(documented, table);
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_keep_browsers_on_our_side() {
    let club = Club::open().await;
    for path in ["/", "/api/v1/me", "/healthz", "/nothing/here.js"] {
        let answer = club.browser().get(path).await;
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'self'"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert!(answer.header("x-request-id").is_some(), "{path}");
        let is_data = path.starts_with("/api/");
        assert_eq!(answer.header("cache-control") == Some("no-store"), is_data, "{path}");
    }
}

#[tokio::test]
async fn bad_requests_get_an_answer_that_says_what_is_wrong() {
    let club = Club::open().await;
    let mut browser = club.browser();
    browser.get("/api/v1/nothing").await.expect_problem(404, "unknown_route");
    browser.get("/api/v1/games/short").await.expect_problem(404, "unknown_id");
    browser.get("/api/v1/games/AAAAAAAA").await.expect_problem(404, "unknown_game");
    browser.get("/api/v1/challenges/AAAAAAAA").await.expect_problem(404, "unknown_challenge");
    browser.get("/api/v1/games?state=finished").await.expect_problem(400, "bad_state");
    browser.get("/api/v1/games?before=x").await.expect_problem(400, "bad_cursor");
    browser
        .request("POST", "/api/v1/challenges", Some("{".to_owned()))
        .await
        .expect_problem(400, "bad_body");
    browser
        .post("/api/v1/challenges", json!({"color": "green"}))
        .await
        .expect_problem(422, "bad_body");
    browser.request("POST", "/api/v1/challenges", None).await.expect_problem(415, "not_json");
    browser.request("POST", "/watch", None).await.expect_problem(405, "method_not_allowed");
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_not_read() {
    let club = Club::open().await;
    let body = format!("{{\"color\": \"{}\"}}", "x".repeat(100_000));
    let answer = club.browser().request("POST", "/api/v1/challenges", Some(body)).await;
    assert_eq!(answer.status, 413, "{}", answer.text);
}

#[tokio::test]
async fn a_page_of_another_site_cannot_use_our_cookie() {
    let club = Club::open().await;
    let mut browser = club.browser();
    let new = json!({"time": blitz(), "color": "white"});
    browser.extra_headers = vec![("Origin".to_owned(), "http://evil.example".to_owned())];
    browser.post("/api/v1/challenges", new.clone()).await.expect_problem(403, "foreign_origin");
    browser.extra_headers.push(("Upgrade".to_owned(), "websocket".to_owned()));
    browser.get("/ws").await.expect_problem(403, "foreign_origin");
    browser.extra_headers = vec![("Origin".to_owned(), format!("http://{}", club.address))];
    browser.post("/api/v1/challenges", new).await.expect(201);
}

#[tokio::test]
async fn one_address_cannot_flood_the_club() {
    let club = Club::open_with(Limits { requests_per_minute: 5, ..Limits::default() }).await;
    let mut browser = club.browser();
    let new = json!({"time": blitz(), "color": "white"});
    for _ in 0..5 {
        browser.post("/api/v1/challenges", new.clone()).await.expect(201);
    }
    let refused = browser.post("/api/v1/challenges", new.clone()).await;
    assert_eq!(refused.header("retry-after"), Some("13"));
    refused.expect_problem(429, "too_many_requests");
    assert_eq!(browser.get("/api/v1/me").await.status, 200, "reading is free");
    club.time.advance(13_000);
    browser.post("/api/v1/challenges", new).await.expect(201);
}

#[tokio::test]
async fn supervisors_learn_how_the_server_is() {
    let club = Club::open().await;
    assert_eq!(club.browser().get("/healthz").await.text, "ok\n");
    assert_eq!(club.browser().get("/readyz").await.text, "ready\n");
    club.browser().get("/metrics").await.expect_problem(404, "metrics_off");
}
