use serde_json::json;

use crate::club::{Club, blitz};

#[tokio::test]
async fn a_visitor_becomes_a_guest_with_the_first_challenge_and_stays_the_same() {
    let club = Club::open().await;
    let mut browser = club.browser();
    let me = browser.get("/api/v1/me").await.expect(200);
    assert_eq!(
        (me["account"].clone(), me["club"]["is_set_up"].clone()),
        (json!(null), json!(false))
    );
    let made = browser
        .post("/api/v1/challenges", json!({"time": blitz(), "color": "white"}))
        .await
        .expect(201);
    let me = browser.get("/api/v1/me").await.expect(200);
    assert_eq!(me["account"], made["challenger"]);
    assert_eq!(me["account"]["guest"], true);
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
    let club = Club::open().await;
    let answer = club.browser().get("/api/v1/me").await;
    let cookie = answer.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"),
        "{cookie}"
    );
}

#[tokio::test]
async fn the_set_up_link_works_once() {
    let club = Club::open().await;
    let token = club.setup_token.clone().expect("a new club prints a link");
    let mut owner = club.browser();
    let setup = |token: &str, name: &str| json!({"token": token, "club_name": name});
    owner
        .post("/api/v1/setup", setup("wrong", "Rook End"))
        .await
        .expect_problem(403, "bad_setup_token");
    owner.post("/api/v1/setup", setup(&token, "   ")).await.expect_problem(422, "bad_club_name");
    owner
        .post("/api/v1/setup", setup(&token, &"x".repeat(61)))
        .await
        .expect_problem(422, "bad_club_name");
    owner.post("/api/v1/setup", setup(&token, " Rook End ")).await.expect(204);
    owner.post("/api/v1/setup", setup(&token, "Mine")).await.expect_problem(403, "bad_setup_token");
    let me = owner.get("/api/v1/me").await.expect(200);
    assert_eq!(me["club"], json!({"name": "Rook End", "is_set_up": true}));
}
