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
async fn the_set_up_link_works_once_and_makes_the_first_administrator() {
    let club = Club::open().await;
    let token = club.setup_token.clone().expect("a new club prints a link");
    let mut owner = club.browser();
    let setup = |token: &str, club_name: &str, name: &str| json!({"token": token, "club_name": club_name, "name": name, "password": "lucky rook lift"});
    let url = "/api/v1/setup";
    owner
        .post(url, setup("wrong", "Rook End", "Olga"))
        .await
        .expect_problem(403, "bad_setup_token");
    owner.post(url, setup(&token, "   ", "Olga")).await.expect_problem(422, "bad_club_name");
    let long = "x".repeat(61);
    owner.post(url, setup(&token, &long, "Olga")).await.expect_problem(422, "bad_club_name");
    owner.post(url, setup(&token, "Rook End", "O")).await.expect_problem(422, "invalid_fields");
    owner.post(url, setup(&token, " Rook End ", "Olga")).await.expect(204);
    owner.post(url, setup(&token, "Mine", "Mallory")).await.expect_problem(403, "bad_setup_token");
    let me = owner.get("/api/v1/me").await.expect(200);
    assert_eq!((&me["club"]["name"], &me["club"]["is_set_up"]), (&json!("Rook End"), &json!(true)));
    assert_eq!((&me["account"]["name"], &me["roles"]), (&json!("Olga"), &json!(["administrator"])));
}
