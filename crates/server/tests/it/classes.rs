//! Accounts for a class: cards with a user name, a one-time password and a log-in by QR code.

use serde_json::{Value, json};

use crate::club::{Club, settings};
use crate::staff::Person;

async fn cards(teacher: &mut Person, names: &str) -> Vec<Value> {
    let body = json!({"names": names, "group": "Class 4b"});
    let made = teacher.browser.post("/api/v1/admin/users/bulk", body).await.expect(201);
    assert_eq!(made["problems"], json!([]));
    made["cards"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_class_gets_its_cards_and_every_card_works() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let mut teacher = club.staff(&mut boss, "teacher", "director").await;
    let cards = cards(&mut teacher, "Anna Nowak\nNowak, Anna\nŁucja Żółkiewska\n").await;
    let names: Vec<_> = cards.iter().map(|card| card["user_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["anna.nowak", "anna.nowak2", "lucja.zolkiewska"]);
    assert_eq!(cards[2]["name"], "Łucja Żółkiewska");
    for card in &cards {
        let svg = card["qr_svg"].as_str().unwrap();
        assert!(
            svg.contains("<svg") && !svg.contains("style"),
            "a picture that the page's policy allows"
        );
        let mut browser = club
            .log_in(card["user_name"].as_str().unwrap(), card["password"].as_str().unwrap())
            .await;
        assert_eq!(
            browser.get("/api/v1/me").await.expect(200)["player"]["must_change_password"],
            true
        );
        let new = json!({"old_password": card["password"], "new_password": "my own long password"});
        browser.post("/api/v1/account/password", new).await.expect(204);
        club.log_in(card["user_name"].as_str().unwrap(), "my own long password").await;
    }
    let page = boss.browser.get("/api/v1/admin/users?query=class%204b").await.expect(200);
    assert_eq!(page["users"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_card_s_link_logs_in_until_a_password_is_chosen_and_a_month_at_most() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let cards = cards(&mut boss, "Anna Nowak\nBert Lang\nCarla Diaz").await;
    let token = |n: usize| {
        let url = cards[n]["login_url"].as_str().unwrap();
        json!({"token": url.split_once("/log-in/card#").unwrap().1})
    };
    let mut anna = club.browser();
    anna.post("/api/v1/log-in/card", token(0)).await.expect(200);
    let me = anna.get("/api/v1/me").await.expect(200);
    assert_eq!(
        (me["account"]["name"].clone(), me["player"]["must_change_password"].clone()),
        (json!("anna.nowak"), json!(true))
    );
    let new = json!({"new_password": "my own long password"});
    anna.post("/api/v1/account/password", new).await.expect(204);
    assert_ne!(club.browser().post("/api/v1/log-in/card", token(0)).await.status, 200, "used up");
    let users = boss.browser.get("/api/v1/admin/users?query=bert").await.expect(200);
    let bert = users["users"][0]["id"].as_str().unwrap().to_owned();
    boss.browser
        .post(&format!("/api/v1/admin/users/{bert}/one-time-password"), json!({}))
        .await
        .expect(200);
    assert_ne!(club.browser().post("/api/v1/log-in/card", token(1)).await.status, 200, "replaced");
    club.time.advance(30 * 24 * 3_600_000);
    assert_ne!(club.browser().post("/api/v1/log-in/card", token(2)).await.status, 200, "too old");
}

#[tokio::test]
async fn bad_lines_are_named_and_the_others_are_made() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let body = json!({"names": "Anna Nowak\n???\n\nBo\n"});
    let made = boss.browser.post("/api/v1/admin/users/bulk", body).await.expect(201);
    assert_eq!(made["problems"][0]["line"], 2);
    assert_eq!(made["cards"].as_array().unwrap().len(), 2);
    for bad in ["", "\n \n"] {
        let body = json!({"names": bad});
        boss.browser
            .post("/api/v1/admin/users/bulk", body)
            .await
            .expect_problem(422, "invalid_fields");
    }
    let too_many = json!({"names": "Anna Nowak\n".repeat(201)});
    boss.browser
        .post("/api/v1/admin/users/bulk", too_many)
        .await
        .expect_problem(422, "invalid_fields");
}
