use serde_json::json;

use super::people::PASSWORD;
use crate::club::{Club, blitz};

#[tokio::test]
async fn somebody_who_signs_up_is_logged_in_and_can_log_out_and_in_again() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let me = anna.get("/api/v1/me").await.expect(200);
    assert_eq!(me["account"]["name"], "Anna");
    assert_eq!((&me["account"]["guest"], &me["roles"]), (&json!(false), &json!([])));
    assert_eq!(me["player"]["totp"], false);
    anna.post("/api/v1/log-out", json!({})).await.expect(204);
    assert_eq!(anna.name().await, json!(null));
    anna.log_in("anna", PASSWORD).await.expect(200);
    assert_eq!(anna.name().await, "Anna");
}

#[tokio::test]
async fn a_guest_who_signs_up_keeps_account_and_games_and_gets_a_new_token() {
    let club = Club::open().await;
    let (mut white, _black, id) = club.game(blitz()).await;
    let guest = white.get("/api/v1/me").await.expect(200)["account"]["id"].clone();
    let before = white.clone();
    white.sign_up("Anna", json!({})).await.expect(201);
    let me = white.get("/api/v1/me").await.expect(200);
    assert_eq!((&me["account"]["id"], &me["account"]["name"]), (&guest, &json!("Anna")));
    let url = format!("/api/v1/games/{id}/moves");
    white.post(&url, json!({"ply": 0, "uci": "e2e4"})).await.expect(200);
    assert_eq!(before.clone().name().await, json!(null), "the guest's token has ended");
}

#[tokio::test]
async fn each_field_of_a_sign_up_has_its_own_message() {
    let club = Club::open().await;
    club.player("Anna").await;
    let mut browser = club.browser();
    browser.sign_up("ANNA", json!({})).await.expect_fields(&[("name", "name_taken")]);
    browser.sign_up("Б", json!({"email": "nowhere", "password": "secret"})).await.expect_fields(&[
        ("name", "name_has_foreign_character"),
        ("email", "email_malformed"),
        ("password", "password_too_short"),
    ]);
    let check = json!({"name": "Anna", "password": "password1"});
    let found = browser.post("/api/v1/sign-up/check", check).await.expect(200);
    assert_eq!(found["fields"][0]["code"], "name_taken");
    assert_eq!(found["fields"][1]["code"], "password_common");
}
