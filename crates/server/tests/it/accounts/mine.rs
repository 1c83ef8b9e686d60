use serde_json::{Value, json};
use store::{NewPlayer, PlayerState};

use super::people::PASSWORD;
use crate::client::{Browser, play_moves};
use crate::club::{Club, unlimited};

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

/// Anna has just been mated by a guest in a browser of his own.
async fn mated(club: &Club) -> (Browser, Browser, String) {
    let mut anna = club.player("Anna").await;
    let mut guest = club.browser();
    let new = json!({"time": unlimited(), "color": "white"});
    let made = anna.post("/api/v1/challenges", new).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    guest.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    let (mut white, mut black) = (anna.socket().await, guest.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &FOOLS_MATE).await;
    (anna, guest, id)
}

#[tokio::test]
async fn the_account_page_shows_who_when_and_the_last_game() {
    let club = Club::open().await;
    let (mut anna, _, game) = mated(&club).await;
    let signed_up = club.time.now().0;
    club.time.advance(60_000);
    anna.log_in("Anna", PASSWORD).await.expect(200);
    let account = anna.get("/api/v1/account").await.expect(200);
    assert_eq!(account["name"], "Anna");
    assert_eq!((&account["email"], &account["totp"]), (&json!(null), &json!(false)));
    assert_eq!(
        (&account["created_at"], &account["last_login_at"]),
        (&json!(signed_up), &json!(signed_up))
    );
    assert_eq!(account["current_login_at"], signed_up + 60_000);
    let last = &account["last_game"];
    assert_eq!((&last["id"], &last["played_white"]), (&json!(game), &json!(true)));
    assert_eq!(last["outcome"], json!({"kind": "win", "winner": "black", "by": "mate"}));
    assert!(last["position"].as_str().unwrap().starts_with("rnb1kbnr/pppp1ppp"), "{last}");
}

#[tokio::test]
async fn preferences_are_kept_and_only_what_there_is_can_be_chosen() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let url = "/api/v1/account/preferences";
    let chosen = json!({"notation": "figurine", "piece_set": "cburnett", "board_theme": "blue", "board_side": "black",
        "sounds": false, "move_confirmation": true, "auto_queen": true});
    anna.request("PUT", url, Some(chosen.to_string())).await.expect(204);
    let me = anna.get("/api/v1/me").await.expect(200);
    assert_eq!(me["player"]["preferences"], chosen);
    for nonsense in [json!({"notation": "<script>"}), json!({"sounds": "loud"})] {
        let answer = anna.request("PUT", url, Some(nonsense.to_string())).await;
        answer.expect_problem(422, "bad_body");
    }
    let me = anna.get("/api/v1/me").await.expect(200);
    assert_eq!(me["player"]["preferences"], chosen);
}

#[tokio::test]
async fn a_rating_above_the_cap_is_the_cap() {
    let club = Club::open().await;
    for (name, claimed, expected) in
        [("Anna", None, 1_500), ("Berta", Some(2_000), 2_000), ("Carla", Some(9_999), 2_650)]
    {
        let mut browser = club.browser();
        browser.sign_up(name, json!({"initial_rating": claimed})).await.expect(201);
        let account = browser.get("/api/v1/account").await.expect(200);
        assert_eq!(account["initial_rating"], expected, "{name}");
    }
}

#[tokio::test]
async fn everything_about_me_can_be_taken_along() {
    let club = Club::open().await;
    let (mut anna, _, game) = mated(&club).await;
    let answer = anna.get("/api/v1/account/export").await;
    let name = answer.header("content-disposition").unwrap().to_owned();
    assert_eq!(name, "attachment; filename=\"rookery-Anna.json\"");
    let export = answer.expect(200);
    assert_eq!(export["account"]["name"], "Anna");
    assert_eq!(export["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&export["games"][0]["id"], &export["games"][0]["white"]),
        (&json!(game), &json!("Anna"))
    );
    let secrets = export.to_string();
    assert!(!secrets.contains("argon2") && !secrets.contains("totp_seed"));

    let pgn = anna.get("/api/v1/account/export.pgn").await;
    assert_eq!(pgn.header("content-type"), Some("application/x-chess-pgn; charset=utf-8"));
    assert!(pgn.text.contains("[White \"Anna\"]"), "{}", pgn.text);
    assert!(pgn.text.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{}", pgn.text);
    assert!(pgn.text.contains("[Date \"2026.01.01\"]"), "{}", pgn.text);
}

#[tokio::test]
async fn a_deleted_account_leaves_its_games_under_a_neutral_name_and_nothing_else() {
    let club = Club::open().await;
    let (mut anna, mut guest, game) = mated(&club).await;
    let url = "/api/v1/account";
    let wrong = json!({"password": "wrong"}).to_string();
    anna.request("DELETE", url, Some(wrong)).await.expect_fields(&[("password", "wrong_password")]);
    let form = json!({"password": PASSWORD}).to_string();
    anna.request("DELETE", url, Some(form)).await.expect(204);
    assert_eq!(anna.name().await, json!(null));
    anna.log_in("Anna", PASSWORD).await.expect_problem(401, "bad_credentials");
    let stored = club.store().load_game(game.parse().unwrap()).await.unwrap();
    assert_eq!(stored.players.white.name, "Former member");
    let fetched = guest.get(&format!("/api/v1/games/{game}")).await.expect(200);
    assert_eq!(fetched["ply"], 4, "{fetched}");
    club.player("Anna").await;
}

#[tokio::test]
async fn the_last_administrator_cannot_leave() {
    let club = Club::open().await;
    let mut owner = club.administrator().await.browser;
    let form = json!({"password": PASSWORD}).to_string();
    let answer = owner.request("DELETE", "/api/v1/account", Some(form)).await;
    answer.expect_problem(409, "last_administrator");
    assert_eq!(owner.name().await, "boss");
}

/// A child's account as a teacher makes it, and its card.
async fn child_with_card(club: &Club) -> String {
    let accounts = club.accounts();
    let player = NewPlayer {
        name: "child01".to_owned(),
        email: None,
        password: Some(accounts.hash_password("printed one-time").await.unwrap()),
        must_change_password: true,
        state: PlayerState::Active,
        is_bot: false,
        group_name: Some("3b".to_owned()),
        initial_rating: 1_000,
        preferences: "{}".to_owned(),
    };
    let id = store::AccountId::from_bits(77);
    club.store().create_player(id, player, None, club.time.now()).await.unwrap();
    accounts.new_card_token(id).await.unwrap()
}

#[tokio::test]
async fn a_child_comes_in_by_card_and_chooses_a_password_first() {
    let club = Club::open().await;
    let card = json!({"token": child_with_card(&club).await});
    let mut child = club.browser();
    let signed_in: Value = child.post("/api/v1/log-in/card", card.clone()).await.expect(200);
    assert_eq!(signed_in["state"], "signed_in");
    assert_eq!(child.get("/api/v1/me").await.expect(200)["player"]["must_change_password"], true);
    let export = child.get("/api/v1/account/export").await;
    export.expect_problem(403, "must_change_password");
    let new = json!({"new_password": "my pony eats grass"});
    child.post("/api/v1/account/password", new).await.expect(204);
    child.get("/api/v1/account/export").await.expect(200);
    let other = json!({"new_password": "my horse eats oats"});
    child
        .post("/api/v1/account/password", other)
        .await
        .expect_fields(&[("old_password", "wrong_password")]);
    let again = club.browser().post("/api/v1/log-in/card", card).await;
    again.expect_problem(403, "bad_token");
    club.browser().log_in("child01", "my pony eats grass").await.expect(200);
}
