use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::people::PASSWORD;
use crate::client::{Answer, Browser};
use crate::club::Club;

const STEP: i64 = 30_000;

/// The authenticator app on somebody's phone.
struct Phone {
    secret: Secret,
}

impl Phone {
    fn new(secret: &str) -> Phone {
        Phone { secret: Secret::try_from_base32(secret).unwrap() }
    }

    fn code(&self, club: &Club) -> String {
        let totp = Builder::new().with_secret(self.secret.clone()).build().unwrap();
        let seconds = u64::try_from(club.time.now().0 / 1_000).unwrap();
        totp.generate(seconds).to_string()
    }
}

/// Somebody with the second factor on: the browser, the phone and the recovery codes.
async fn guarded(club: &Club, name: &str) -> (Browser, Phone, Vec<String>) {
    let mut browser = club.player(name).await;
    let proposal =
        browser.post("/api/v1/account/totp", json!({"password": PASSWORD})).await.expect(200);
    let uri = proposal["otpauth_uri"].as_str().unwrap();
    assert!(uri.starts_with("otpauth://totp/") && uri.contains(name), "{uri}");
    assert!(proposal["qr_svg"].as_str().unwrap().contains("<svg"));
    let phone = Phone::new(proposal["secret"].as_str().unwrap());
    let code = json!({"code": phone.code(club)});
    let codes = browser.post("/api/v1/account/totp/confirm", code).await.expect(200);
    let codes = serde_json::from_value(codes["recovery_codes"].clone()).unwrap();
    club.time.advance(STEP);
    (browser, phone, codes)
}

async fn first_step(browser: &mut Browser, name: &str) -> Value {
    let answer = browser.log_in(name, PASSWORD).await.expect(200);
    assert_eq!(answer["state"], "second_step");
    answer["ticket"].clone()
}

async fn second_step(browser: &mut Browser, ticket: &Value, code: &str) -> Answer {
    let form = json!({"ticket": ticket, "code": code});
    browser.post("/api/v1/log-in/second-step", form).await
}

#[tokio::test]
async fn it_counts_only_after_its_first_code_and_its_seed_is_not_in_the_database_in_clear() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let url = "/api/v1/account/totp";
    anna.post(url, json!({"password": "wrong"}))
        .await
        .expect_fields(&[("password", "wrong_password")]);
    let proposal = anna.post(url, json!({"password": PASSWORD})).await.expect(200);
    let wrong = anna.post("/api/v1/account/totp/confirm", json!({"code": "000000"})).await;
    wrong.expect_fields(&[("code", "wrong_code")]);
    club.browser().log_in("Anna", PASSWORD).await.expect(200);
    let phone = Phone::new(proposal["secret"].as_str().unwrap());
    let stored = club.store().find_player("anna").await.unwrap().unwrap().totp.unwrap();
    assert!(!stored.seed.windows(20).any(|part| part == phone.secret.as_bytes()));
    let code = json!({"code": phone.code(&club)});
    let codes = anna.post("/api/v1/account/totp/confirm", code).await.expect(200);
    assert_eq!(codes["recovery_codes"].as_array().unwrap().len(), 16);
    let account = anna.get("/api/v1/account").await.expect(200);
    assert_eq!((&account["totp"], &account["recovery_codes_left"]), (&json!(true), &json!(16)));
    anna.post(url, json!({"password": PASSWORD})).await.expect_problem(409, "second_factor_state");
}

#[tokio::test]
async fn a_log_in_takes_two_steps_and_a_code_is_good_once() {
    let club = Club::open().await;
    let (_, phone, _) = guarded(&club, "Anna").await;
    let mut browser = club.browser();
    let ticket = first_step(&mut browser, "Anna").await;
    assert_eq!(browser.name().await, json!(null), "the password alone opens nothing");
    let code = phone.code(&club);
    second_step(&mut browser, &ticket, "000000").await.expect_fields(&[("code", "wrong_code")]);
    second_step(&mut browser, &ticket, &code).await.expect(200);
    assert_eq!(browser.name().await, "Anna");

    let mut replayer = club.browser();
    let second = first_step(&mut replayer, "Anna").await;
    let replay = second_step(&mut replayer, &second, &code).await;
    replay.expect_fields(&[("code", "wrong_code")]);
    club.time.advance(STEP);
    second_step(&mut replayer, &ticket, &phone.code(&club)).await.expect_problem(403, "bad_token");
    second_step(&mut replayer, &second, &phone.code(&club)).await.expect(200);
}

#[tokio::test]
async fn a_ticket_ends_after_five_minutes() {
    let club = Club::open().await;
    let (_, phone, _) = guarded(&club, "Anna").await;
    let mut browser = club.browser();
    let ticket = first_step(&mut browser, "Anna").await;
    club.time.advance(5 * 60_000);
    second_step(&mut browser, &ticket, &phone.code(&club)).await.expect_problem(403, "bad_token");
}

#[tokio::test]
async fn each_recovery_code_works_once_and_new_ones_end_the_old() {
    let club = Club::open().await;
    let (mut anna, phone, codes) = guarded(&club, "Anna").await;
    let mut browser = club.browser();
    let ticket = first_step(&mut browser, "Anna").await;
    let typed = codes[0].replace('-', " ").to_uppercase();
    second_step(&mut browser, &ticket, &typed).await.expect(200);
    let ticket = first_step(&mut browser, "Anna").await;
    let again = second_step(&mut browser, &ticket, &codes[0]).await;
    again.expect_fields(&[("code", "wrong_code")]);
    let left = anna.get("/api/v1/account").await.expect(200)["recovery_codes_left"].clone();
    assert_eq!(left, 15);
    let form = json!({"password": PASSWORD, "code": phone.code(&club)});
    let fresh = anna.post("/api/v1/account/recovery-codes", form).await.expect(200);
    let old = second_step(&mut browser, &ticket, &codes[1]).await;
    old.expect_fields(&[("code", "wrong_code")]);
    let fresh = fresh["recovery_codes"][3].as_str().unwrap();
    second_step(&mut browser, &ticket, fresh).await.expect(200);
}

#[tokio::test]
async fn codes_cannot_be_guessed() {
    let club = Club::open().await;
    let (_, phone, _) = guarded(&club, "Anna").await;
    let mut browser = club.browser();
    let ticket = first_step(&mut browser, "Anna").await;
    let mut heard = 0;
    for n in 0..200 {
        let answer = second_step(&mut browser, &ticket, &format!("{n:06}")).await;
        heard += u32::from(answer.status == 422);
    }
    assert_eq!(heard, 10);
    let right = second_step(&mut browser, &ticket, &phone.code(&club)).await;
    right.expect_problem(429, "too_many_attempts");
}

#[tokio::test]
async fn what_matters_asks_for_password_and_code_again() {
    let club = Club::open().await;
    let (mut anna, phone, _) = guarded(&club, "Anna").await;
    let cases = [
        (
            "POST",
            "/api/v1/account/password",
            json!({"old_password": PASSWORD, "new_password": "a new rook lift"}),
        ),
        ("POST", "/api/v1/account/email", json!({"password": PASSWORD, "email": "a@b.example"})),
        ("POST", "/api/v1/account/recovery-codes", json!({"password": PASSWORD})),
        ("DELETE", "/api/v1/account/totp", json!({"password": PASSWORD})),
        ("DELETE", "/api/v1/account", json!({"password": PASSWORD})),
    ];
    for (method, url, form) in &cases {
        let answer = anna.request(method, url, Some(form.to_string())).await;
        answer.expect_problem(403, "second_factor_required");
        let mut wrong = form.clone();
        wrong["code"] = json!("000000");
        let answer = anna.request(method, url, Some(wrong.to_string())).await;
        answer.expect_fields(&[("code", "wrong_code")]);
        club.time.advance(15 * 60_000);
    }
    let off = json!({"password": PASSWORD, "code": phone.code(&club)});
    anna.request("DELETE", "/api/v1/account/totp", Some(off.to_string())).await.expect(204);
    assert_eq!(club.browser().log_in("Anna", PASSWORD).await.expect(200)["state"], "signed_in");
}

#[tokio::test]
async fn a_reset_does_not_get_around_it() {
    let club = Club::open().await;
    let (_, phone, _) = guarded(&club, "Anna").await;
    let id = club.store().find_player("anna").await.unwrap().unwrap().id;
    let (token, _) = club.accounts().new_reset_link_token(id).await.unwrap();
    let mut browser = club.browser();
    let mut form = json!({"token": token, "password": "a new rook lift"});
    let url = "/api/v1/password-reset/finish";
    browser.post(url, form.clone()).await.expect_problem(403, "second_factor_required");
    form["code"] = json!("000000");
    browser.post(url, form.clone()).await.expect_fields(&[("code", "wrong_code")]);
    form["code"] = json!(phone.code(&club));
    browser.post(url, form).await.expect(204);
    let answer = browser.log_in("Anna", "a new rook lift").await.expect(200);
    assert_eq!(answer["state"], "second_step");
}

#[tokio::test]
async fn a_card_does_not_get_around_it() {
    let club = Club::open().await;
    guarded(&club, "Anna").await;
    let id = club.store().find_player("anna").await.unwrap().unwrap().id;
    let token = club.accounts().new_card_token(id).await.unwrap();
    let answer = club.browser().post("/api/v1/log-in/card", json!({"token": token})).await;
    assert_eq!(answer.expect(200)["state"], "second_step");
}
