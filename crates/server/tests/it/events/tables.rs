//! Results by those who sit at the table.

use serde_json::{Value, json};

use super::Desk;

/// An event over the board whose first round is published.
async fn begun() -> (crate::club::Club, Desk) {
    let (club, mut desk) =
        Desk::open(json!({"results_by": "players", "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    (club, desk)
}

fn report(code: &str, side: &str, result: &str) -> Value {
    json!({"code": code, "round": 1, "side": side, "result": result})
}

/// The code behind the picture of a table, as the store keeps the secret.
async fn code(club: &crate::club::Club, desk: &Desk, table: u16) -> String {
    let whole = club.store().load_event(desk.id.parse().unwrap()).await.unwrap();
    let event = server::tournaments::event::from_store(whole).unwrap();
    server::tournaments::table_code(&event, table)
}

#[tokio::test]
async fn a_result_counts_when_both_players_say_the_same() {
    let (club, mut desk) = begun().await;
    let code = code(&club, &desk, 1).await;
    let path = desk.path("/tables/1");
    let mut phone = club.browser();
    let table = phone.get(&format!("{path}?code={code}")).await.expect(200);
    assert_eq!(
        (&table["white"], &table["round"], &table["open"]),
        (&json!("P01, Test"), &json!(1), &json!(true))
    );
    let told = phone.post(&path, report(&code, "white", "1-0")).await.expect(200);
    assert_eq!((&told["result"], &told["white_report"]), (&json!(null), &json!("1-0")));
    let mut other = club.browser();
    let told = other.post(&path, report(&code, "black", "1/2-1/2")).await.expect(200);
    assert_eq!(told["result"], json!(null), "they do not agree");
    let told = other.post(&path, report(&code, "black", "1-0")).await.expect(200);
    assert_eq!(told["result"], "1-0");
    phone.post(&path, report(&code, "black", "0-1")).await.expect_problem(409, "changed_since");
    assert_eq!(desk.round(1).await["boards"][0]["result"], "1-0");
}

#[tokio::test]
async fn the_code_of_another_table_opens_nothing() {
    let (club, desk) = begun().await;
    let other = code(&club, &desk, 2).await;
    let path = desk.path("/tables/1");
    let mut phone = club.browser();
    phone.get(&path).await.expect_problem(403, "not_at_this_table");
    phone.get(&format!("{path}?code={other}")).await.expect_problem(403, "not_at_this_table");
    phone
        .post(&path, report(&other, "white", "1-0"))
        .await
        .expect_problem(403, "not_at_this_table");
    let own = code(&club, &desk, 1).await;
    phone.post(&path, report(&own, "white", "+-")).await.expect_problem(422, "unusual_result");
}

#[tokio::test]
async fn a_player_who_is_logged_in_speaks_for_the_own_side_only() {
    let (club, mut desk) =
        Desk::open(json!({"results_by": "players", "first_color": "white"})).await;
    let mut anna = club.member("anna").await;
    desk.go_to("registration").await;
    let players = desk.path("/players");
    let form = json!({"members": ["anna"], "people": [{"name": "Other, Test"}]});
    desk.browser.post(&players, form).await.expect(201);
    desk.go_to("running").await;
    desk.publish().await;
    let board = desk.round(1).await["boards"][0].clone();
    let (own, other) = if board["white"] == 1 { ("white", "black") } else { ("black", "white") };
    let path = desk.path("/tables/1");
    let say = |side: &str| json!({"round": 1, "side": side, "result": "1/2-1/2"});
    anna.browser.post(&path, say(other)).await.expect_problem(403, "not_at_this_table");
    anna.browser.post(&path, say(own)).await.expect(200);
}

#[tokio::test]
async fn the_codes_to_print_are_for_those_who_run_the_event() {
    let (club, mut desk) = begun().await;
    let path = desk.path("/tables/1/qr.svg");
    let picture = desk.browser.get(&path).await;
    assert_eq!(picture.status, 200);
    assert!(picture.text.contains("<svg"));
    club.browser().get(&path).await.expect_problem(401, "not_logged_in");
}

#[tokio::test]
async fn an_arbiter_at_a_table_may_set_any_result() {
    let (club, mut desk) = Desk::open(json!({"first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    let code = code(&club, &desk, 1).await;
    let path = format!("{}?code={code}", desk.path("/tables/1"));
    let table = club.browser().get(&path).await.expect(200);
    assert_eq!((&table["open"], &table["staff"]), (&json!(false), &json!(false)));
    let table = desk.browser.get(&path).await.expect(200);
    assert_eq!((&table["open"], &table["staff"]), (&json!(false), &json!(true)));
    desk.result(1, 1, "+-").await;
    assert_eq!(desk.browser.get(&path).await.expect(200)["result"], "+-");
}

#[tokio::test]
async fn one_phone_with_the_code_does_not_speak_for_both_players() {
    let (club, mut desk) = begun().await;
    let code = code(&club, &desk, 1).await;
    let path = desk.path("/tables/1");
    let mut phone = club.browser();
    phone.post(&path, report(&code, "white", "1-0")).await.expect(200);
    for result in ["1-0", "1/2-1/2"] {
        let answer = phone.post(&path, report(&code, "black", result)).await;
        answer.expect_problem(403, "same_device");
    }
    // What was said can be said otherwise, and the other phone still has its say.
    phone.post(&path, report(&code, "white", "1/2-1/2")).await.expect(200);
    assert_eq!(desk.round(1).await["boards"][0]["result"], Value::Null);
    let told = club.browser().post(&path, report(&code, "black", "1/2-1/2")).await.expect(200);
    assert_eq!(told["result"], "1/2-1/2");
}
