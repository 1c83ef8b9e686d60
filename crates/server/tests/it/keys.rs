//! Keys for programs: scoped, expiring, revocable, shown once.

use serde_json::{Value, json};

use crate::client::Browser;
use crate::club::{Club, blitz, settings};
use crate::staff::Person;

const TOKENS: &str = "/api/v1/account/tokens";

async fn key(person: &mut Person, scopes: &[&str]) -> (Browser, String) {
    let body = json!({"name": "bot", "scopes": scopes, "days": 30});
    let made = person.browser.post(TOKENS, body).await.expect(201);
    let secret = made["token"].as_str().unwrap();
    assert!(secret.starts_with("rook_") && secret.len() > 40, "{secret}");
    (person.browser.with_key(secret), made["id"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_key_does_what_its_scope_says_and_its_owner_may() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let mut ann = club.member("annette").await;
    let challenge = json!({"time": blitz(), "color": "white"});
    let checks: &[(&[&str], bool, u16, u16)] = &[
        // scopes, whether the owner is administrator, playing, running the club
        (&["read"], true, 403, 403),
        (&["play"], true, 201, 403),
        (&["admin"], true, 403, 200),
        (&["play", "admin"], true, 201, 200),
        (&["tournament"], true, 403, 403),
        (&["play", "admin"], false, 201, 403),
    ];
    for (scopes, is_boss, playing, running) in checks {
        let person = if *is_boss { &mut boss } else { &mut ann };
        let (mut program, _) = key(person, scopes).await;
        let me = program.get("/api/v1/me").await.expect(200);
        assert_eq!(me["account"]["id"], person.id.as_str());
        let played = program.post("/api/v1/challenges", challenge.clone()).await;
        assert_eq!(played.status, *playing, "{scopes:?}: {}", played.text);
        let ran = program.get("/api/v1/admin/users").await;
        assert_eq!(ran.status, *running, "{scopes:?}: {}", ran.text);
    }
}

#[tokio::test]
async fn no_key_touches_its_owner_s_security() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let (mut program, id) = key(&mut boss, &["read", "play", "tournament", "admin"]).await;
    program.get(TOKENS).await.expect_problem(403, "browser_only");
    program
        .post(TOKENS, json!({"name": "x", "scopes": ["admin"], "days": 1}))
        .await
        .expect_problem(403, "browser_only");
    program.delete(&format!("{TOKENS}/{id}")).await.expect_problem(403, "browser_only");
    program.get("/api/v1/account/sessions").await.expect_problem(403, "browser_only");
    let body = json!({"old_password": "x", "new_password": "y"});
    program.post("/api/v1/account/password", body).await.expect_problem(403, "browser_only");
}

#[tokio::test]
async fn a_key_ends_when_it_is_revoked_too_old_or_its_owner_is_out() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let mut ann = club.member("annette").await;
    let mut eve = club.member("evelyn").await;
    let (mut first, id) = key(&mut ann, &["read"]).await;
    let (mut second, _) = key(&mut ann, &["read"]).await;
    eve.browser.delete(&format!("{TOKENS}/{id}")).await.expect_problem(404, "unknown_key");
    first.get("/api/v1/me").await.expect(200);
    ann.browser.delete(&format!("{TOKENS}/{id}")).await.expect(204);
    first.get("/api/v1/me").await.expect_problem(401, "bad_key");
    let path = format!("/api/v1/admin/users/{}", ann.id);
    boss.browser.patch(&path, json!({"state": "deactivated"})).await.expect(200);
    second.get("/api/v1/me").await.expect_problem(401, "bad_key");
    boss.browser.patch(&path, json!({"state": "active"})).await.expect(200);
    second.get("/api/v1/me").await.expect(200);
    club.time.advance(30 * 24 * 3_600_000);
    second.get("/api/v1/me").await.expect_problem(401, "bad_key");
}

#[tokio::test]
async fn a_key_is_shown_once_and_kept_nowhere() {
    let club = Club::open_as(settings()).await;
    club.administrator().await;
    let mut ann = club.member("annette").await;
    let (mut program, id) = key(&mut ann, &["read", "play"]).await;
    program.get("/api/v1/me").await.expect(200);
    let list = ann.browser.get(TOKENS).await.expect(200);
    let listed = &list["tokens"][0];
    assert_eq!(
        (listed["id"].as_str(), &listed["scopes"]),
        (Some(id.as_str()), &json!(["read", "play"]))
    );
    assert_eq!(listed.get("token"), None::<&Value>);
    assert_eq!(listed["used_at"].as_i64(), Some(club.time.now().0));
}

#[tokio::test]
async fn what_is_no_key_opens_nothing() {
    let club = Club::open_as(settings()).await;
    club.administrator().await;
    let mut ann = club.member("annette").await;
    for bad in ["", "rook_", "rook_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "' OR 1=1 --"] {
        // A good cookie does not help a bad key.
        let mut program = ann.browser.clone();
        program.extra_headers = vec![("Authorization".to_owned(), format!("Bearer {bad}"))];
        program.get("/api/v1/account").await.expect_problem(401, "bad_key");
    }
    for (body, code) in [
        (json!({"name": "x", "scopes": [], "days": 1}), "invalid_fields"),
        (json!({"name": "x", "scopes": ["root"], "days": 1}), "invalid_fields"),
        (json!({"name": "", "scopes": ["read"], "days": 1}), "invalid_fields"),
        (json!({"name": "x", "scopes": ["read"], "days": 366}), "invalid_fields"),
        (json!({"name": "x", "scopes": ["read"], "days": 1, "account": "AAAAAAAA"}), "bad_body"),
    ] {
        ann.browser.post(TOKENS, body).await.expect_problem(422, code);
    }
    for _ in 0..20 {
        key(&mut ann, &["read"]).await;
    }
    let body = json!({"name": "one more", "scopes": ["read"], "days": 1});
    ann.browser.post(TOKENS, body).await.expect_problem(422, "invalid_fields");
}
