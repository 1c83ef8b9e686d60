//! Who may see and do what.

use serde_json::json;

use super::Desk;
use crate::staff::Person;

#[tokio::test]
async fn members_enter_and_leave_by_themselves_within_the_rules() {
    let (club, mut desk) = Desk::open(json!({"entry": {"most_players": 2, "late_until": 0}})).await;
    let (mut anna, mut bert, mut carl) =
        (club.member("anna").await, club.member("bert").await, club.member("carl").await);
    let entry = desk.path("/entry");
    anna.browser.post(&entry, json!({})).await.expect_problem(404, "unknown_event");
    desk.go_to("registration").await;
    let event = anna.browser.post(&entry, json!({})).await.expect(200);
    assert_eq!(event["you"], 1);
    anna.browser.post(&entry, json!({})).await.expect_problem(409, "entered_already");
    bert.browser.post(&entry, json!({})).await.expect(200);
    carl.browser.post(&entry, json!({})).await.expect_problem(409, "event_full");
    bert.browser.delete(&entry).await.expect(200);
    carl.browser.post(&entry, json!({})).await.expect(200);
    desk.go_to("check_in").await;
    let presence = desk.path("/entry/presence");
    anna.browser.put(&presence, json!({"present": true})).await.expect(200);
    carl.browser.put(&presence, json!({"present": true})).await.expect(200);
    desk.go_to("running").await;
    bert.browser.post(&entry, json!({})).await.expect_problem(409, "entry_closed");
    carl.browser.delete(&entry).await.expect(200);
    let states: Vec<String> = desk.show().await["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["state"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(states, ["checked_in", "withdrawn"]);
}

/// Anna tries to withdraw from a running event: before the first round, during her game, and after it.
async fn withdrawals(rule: &str) -> [String; 3] {
    let (club, mut desk) =
        Desk::open(json!({"rounds": 3, "entry": {"withdrawal": rule, "late_until": 3}})).await;
    desk.go_to("registration").await;
    let entry = desk.path("/entry");
    let mut anna = club.member("anna").await;
    club.member("bert").await.browser.post(&entry, json!({})).await.expect(200);
    anna.browser.post(&entry, json!({})).await.expect(200);
    // Before the start everybody can leave.
    anna.browser.delete(&entry).await.expect(200);
    anna.browser.post(&entry, json!({})).await.expect(200);
    desk.go_to("running").await;
    let mut tried = [const { String::new() }; 3];
    for (stage, said) in tried.iter_mut().enumerate() {
        let may = anna.browser.get(&desk.path("")).await.expect(200)["rights"]["leave"] == true;
        let answer = anna.browser.delete(&entry).await;
        assert_eq!(may, answer.status == 200, "the page offers what is allowed: {}", answer.text);
        if may {
            "yes".clone_into(said);
            anna.browser.post(&entry, json!({})).await.expect(200);
        } else {
            let refusal: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
            refusal["code"].as_str().unwrap().clone_into(said);
        }
        match stage {
            0 => drop(desk.publish().await),
            1 => desk.finish(1, "1-0").await,
            // The director is not bound by it.
            _ => {
                let me = anna.browser.get(&desk.path("")).await.expect(200)["you"].clone();
                let withdrawal = desk.path(&format!("/players/{me}/withdrawal"));
                desk.browser.post(&withdrawal, json!({})).await.expect(200);
            }
        }
    }
    tried
}

#[tokio::test]
async fn players_withdraw_by_themselves_when_the_regulations_let_them() {
    assert_eq!(withdrawals("any_time").await, ["yes", "yes", "yes"]);
    assert_eq!(withdrawals("between_games").await, ["yes", "game_first", "yes"]);
    assert_eq!(withdrawals("by_director").await, ["director_withdraws"; 3]);
}

#[tokio::test]
async fn who_does_not_meet_the_conditions_is_told_which() {
    let (club, mut desk) = Desk::open(json!({"entry": {"lowest_rating": 1900}})).await;
    desk.go_to("registration").await;
    let mut anna = club.member("anna").await;
    let answer = anna.browser.post(&desk.path("/entry"), json!({})).await;
    assert!(answer.text.contains("at least 1900"), "{}", answer.text);
    answer.expect_problem(403, "not_eligible");
    // The director is not bound by them.
    let players = desk.path("/players");
    desk.browser.post(&players, json!({"members": ["Anna"]})).await.expect(201);
    desk.browser
        .post(&players, json!({"members": ["nobody"]}))
        .await
        .expect_problem(404, "unknown_player");
}

#[tokio::test]
async fn half_point_byes_are_taken_as_far_as_the_event_allows() {
    let (club, mut desk) = Desk::open(json!({"rounds": 3, "entry": {"own_byes": 1}})).await;
    desk.go_to("registration").await;
    let mut anna = club.member("anna").await;
    anna.browser.post(&desk.path("/entry"), json!({})).await.expect(200);
    let bye = |round: u8| format!("/entry/byes/{round}");
    anna.browser
        .put(&desk.path(&bye(3)), json!({"bye": "half"}))
        .await
        .expect_problem(403, "not_eligible");
    anna.browser.put(&desk.path(&bye(1)), json!({"bye": "half"})).await.expect(200);
    anna.browser
        .put(&desk.path(&bye(2)), json!({"bye": "half"}))
        .await
        .expect_problem(403, "not_eligible");
    anna.browser.put(&desk.path(&bye(1)), json!({"bye": null})).await.expect(200);
    anna.browser.put(&desk.path(&bye(2)), json!({"bye": "half"})).await.expect(200);
    anna.browser.put(&desk.path(&bye(2)), json!({"bye": null})).await.expect(200);
    // What the director has set stays, whatever the player would like better.
    for kind in ["zero", "full"] {
        let set = desk.path("/players/1/byes/1");
        desk.browser.put(&set, json!({"bye": kind})).await.expect(200);
        for wish in [json!(null), json!("half")] {
            let answer = anna.browser.put(&desk.path(&bye(1)), json!({"bye": wish})).await;
            answer.expect_problem(403, "not_eligible");
        }
    }
}

#[tokio::test]
async fn an_arbiter_enters_results_and_a_member_does_not() {
    let (club, mut desk) = Desk::open(json!({"first_color": "white"})).await;
    let mut boss = Person { browser: desk.browser.clone(), id: String::new() };
    let mut arbiter = club.staff(&mut boss, "rita", "arbiter").await;
    let mut member = club.member("mike").await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    let result = desk.path("/rounds/1/boards/1/result");
    member.browser.put(&result, json!({"result": "1-0"})).await.expect_problem(403, "forbidden");
    arbiter.browser.put(&result, json!({"result": "1-0"})).await.expect(200);
    arbiter.browser.post(&desk.path("/rounds"), json!({})).await.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn a_draft_and_a_private_event_are_not_for_everybody() {
    let (club, mut desk) = Desk::open(json!({})).await;
    let (mut anna, mut bert) = (club.member("anna").await, club.member("bert").await);
    anna.browser.get(&desk.path("")).await.expect_problem(404, "unknown_event");
    let path = desk.path("");
    desk.browser
        .put(&path, json!({"name": "Autumn Cup", "visibility": "private"}))
        .await
        .expect(200);
    desk.go_to("registration").await;
    let players = desk.path("/players");
    desk.browser.post(&players, json!({"members": ["anna"]})).await.expect(201);
    anna.browser.get(&desk.path("")).await.expect(200);
    bert.browser.get(&desk.path("/standings")).await.expect_problem(404, "unknown_event");
    let listed = bert.browser.get("/api/v1/events").await.expect(200);
    assert_eq!(listed["events"], json!([]));
    let mine = anna.browser.get("/api/v1/events?mine=1").await.expect(200);
    assert_eq!(mine["events"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn personal_facts_are_for_those_who_run_the_event() {
    let (club, mut desk) = Desk::open(json!({})).await;
    let people = json!({"people": [{"name": "One, Test", "birth_year": 2012, "fide_id": "123", "sex": "w"}]});
    let path = desk.path("/players");
    desk.browser.post(&path, people).await.expect(201);
    desk.enter(2).await;
    desk.go_to("running").await;
    assert_eq!(desk.show().await["players"][0]["birth_year"], 2012);
    let mut stranger = club.browser();
    let seen = stranger.get(&desk.path("")).await.expect(200);
    assert_eq!(
        (&seen["players"][0]["birth_year"], &seen["players"][0]["fide_id"]),
        (&json!(null), &json!(""))
    );
    let report = stranger.get(&desk.path("/export.trf")).await.text;
    assert!(report.contains("One, Test") && !report.contains("2012"), "{report}");
    assert!(desk.browser.get(&desk.path("/export.trf")).await.text.contains("2012"));
}
