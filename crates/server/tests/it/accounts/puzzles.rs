use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use server::config::{CaptchaPolicy, Settings};

use super::people::PASSWORD;
use crate::client::Browser;
use crate::club::{Club, settings};

fn guarded() -> Settings {
    let mut settings = settings();
    settings.accounts.captcha = CaptchaPolicy::Auto;
    settings
}

impl Browser {
    /// Solves a puzzle as the page does.
    async fn solve(&mut self) -> String {
        let challenge = self.get("/api/v1/captcha").await.expect(200);
        assert_eq!(challenge["parameters"]["algorithm"], "SHA-256");
        let challenge: Challenge = serde_json::from_value(challenge).unwrap();
        let solution = solve_challenge(SolveChallengeOptions::new(&challenge)).unwrap().unwrap();
        BASE64_STANDARD.encode(serde_json::to_string(&Payload { challenge, solution }).unwrap())
    }
}

#[tokio::test]
async fn a_sign_up_needs_a_solved_puzzle_and_each_counts_once() {
    let club = Club::open_as(guarded()).await;
    let mut browser = club.browser();
    assert_eq!(browser.get("/api/v1/me").await.expect(200)["club"]["captcha"], true);
    browser.sign_up("Anna", json!({})).await.expect_problem(403, "captcha_required");
    let forged = json!({"captcha": "e30="});
    browser.sign_up("Anna", forged).await.expect_problem(403, "captcha_required");
    let captcha = browser.solve().await;
    browser.sign_up("Anna", json!({"captcha": captcha})).await.expect(201);
    let again = club.browser().sign_up("Berta", json!({"captcha": captcha})).await;
    again.expect_problem(403, "captcha_required");
}

#[tokio::test]
async fn a_mistyped_form_does_not_cost_the_puzzle() {
    let club = Club::open_as(guarded()).await;
    let mut browser = club.browser();
    let captcha = browser.solve().await;
    let weak = json!({"captcha": captcha, "password": "password"});
    browser.sign_up("Anna", weak).await.expect_fields(&[("password", "password_common")]);
    browser.sign_up("Anna", json!({"captcha": captcha})).await.expect(201);
}

#[tokio::test]
async fn a_log_in_needs_one_after_three_failures() {
    let club = Club::open_as(guarded()).await;
    let mut browser = club.browser();
    let captcha = browser.solve().await;
    browser.sign_up("Anna", json!({"captcha": captcha})).await.expect(201);
    for _ in 0..3 {
        browser.log_in("Anna", "wrong").await.expect_problem(401, "bad_credentials");
    }
    browser.log_in("Anna", PASSWORD).await.expect_problem(403, "captcha_required");
    let captcha = browser.solve().await;
    let form = json!({"name_or_email": "Anna", "password": PASSWORD, "captcha": captcha});
    browser.post("/api/v1/log-in", form).await.expect(200);
}

#[tokio::test]
async fn a_classroom_solves_no_puzzles_and_signs_up_thirty_children() {
    let mut settings = guarded();
    settings.accounts.trusted_networks = serde_json::from_value(json!(["127.0.0.0/8"])).unwrap();
    let club = Club::open_as(settings).await;
    assert_eq!(club.browser().get("/api/v1/me").await.expect(200)["club"]["captcha"], false);
    for n in 0..30 {
        club.browser().sign_up(&format!("child{n:02}"), json!({})).await.expect(201);
    }
}

#[tokio::test]
async fn elsewhere_one_network_cannot_make_accounts_without_end() {
    let club = Club::open().await;
    for n in 0..10 {
        club.browser().sign_up(&format!("child{n:02}"), json!({})).await.expect(201);
    }
    let refused = club.browser().sign_up("child10", json!({})).await;
    assert!(refused.header("retry-after").is_some());
    refused.expect_problem(429, "too_many_attempts");
}
