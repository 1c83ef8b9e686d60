//! Who may see and do what.

use serde_json::{Value, json};

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

/// What a member is told who wants to enter an event with these conditions.
async fn told(conditions: Value, group: &str) -> (u16, String) {
    let (club, mut desk) = Desk::open(json!({"entry": conditions})).await;
    desk.go_to("registration").await;
    let mut anna = club.member("anna").await;
    let user = format!("/api/v1/admin/users/{}", anna.id);
    desk.browser.patch(&user, json!({"group": group})).await.expect(200);
    let answer = anna.browser.post(&desk.path("/entry"), json!({})).await;
    (answer.status, answer.text)
}

#[tokio::test]
async fn every_condition_of_entry_lets_in_whom_it_names_and_nobody_else() {
    let refusals = [
        (json!({"highest_rating": 400}), "Class 4b", "up to 400"),
        (json!({"least_games": 3}), "Class 4b", "needs 3 rated games, you have 0"),
        (json!({"group": "Class 4b"}), "Class 4a", "one group of the club"),
    ];
    for (conditions, group, words) in refusals {
        let (status, text) = told(conditions.clone(), group).await;
        assert!(status == 403 && text.contains(words), "{conditions}: {text}");
    }
    let (status, text) = told(json!({"invite_only": true}), "Class 4b").await;
    assert!(status == 409 && text.contains("entry_closed"), "{text}");
    for conditions in
        [json!({"group": "Class 4b"}), json!({"lowest_rating": 400, "highest_rating": 3_000})]
    {
        assert_eq!(told(conditions.clone(), "Class 4b").await.0, 200, "{conditions}");
    }
}

#[tokio::test]
async fn a_director_chooses_among_the_groups_that_there_are() {
    let (club, mut desk) = Desk::open(json!({})).await;
    for (name, group) in [("anna", "Class 4b"), ("bert", "Class 4a"), ("carl", "Class 4b")] {
        let user = format!("/api/v1/admin/users/{}", club.member(name).await.id);
        desk.browser.patch(&user, json!({"group": group})).await.expect(200);
    }
    let path = "/api/v1/events/groups";
    let found = desk.browser.get(path).await.expect(200);
    assert_eq!(found["groups"], json!(["Class 4a", "Class 4b"]));
    club.member("dora").await.browser.get(path).await.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn who_was_put_out_before_the_start_does_not_come_back_by_leaving() {
    let (club, mut desk) = Desk::open(json!({})).await;
    desk.go_to("registration").await;
    let mut anna = club.member("anna").await;
    let entry = desk.path("/entry");
    anna.browser.post(&entry, json!({})).await.expect(200);
    desk.browser.post(&desk.path("/players/1/withdrawal"), json!({})).await.expect(200);
    anna.browser.delete(&entry).await.expect_problem(409, "nothing_to_do");
    anna.browser.post(&entry, json!({})).await.expect_problem(403, "barred");
    assert_eq!(desk.show().await["players"][0]["state"], "withdrawn");
}

#[tokio::test]
async fn another_beginning_after_a_check_in_has_everybody_on_its_list_again() {
    let (club, mut desk) = Desk::open(json!({})).await;
    desk.go_to("registration").await;
    desk.enter(4).await;
    let mut anna = club.member("anna").await;
    anna.browser.post(&desk.path("/entry"), json!({})).await.expect(200);
    desk.browser.post(&desk.path("/players/4/withdrawal"), json!({})).await.expect(200);
    desk.go_to("check_in").await;
    for player in [1, 2, 5] {
        let presence = desk.path(&format!("/players/{player}/presence"));
        desk.browser.put(&presence, json!({"present": true})).await.expect(200);
    }
    let begun = desk.go_to("running").await;
    let states = |event: &Value| super::list(&event["players"], "state");
    let there = json!("checked_in");
    let gone = json!("withdrawn");
    assert_eq!(states(&begun), [&there, &there, &gone, &gone, &there].map(Clone::clone));
    // Who leaves by themselves has left, and whom the director has put out stays out.
    anna.browser.delete(&desk.path("/entry")).await.expect(200);
    let back = desk.go_to("check_in").await;
    let entered = json!("entered");
    assert_eq!(states(&back), [&there, &there, &entered, &gone, &gone].map(Clone::clone));
}

#[tokio::test]
async fn several_members_are_entered_together_or_not_at_all() {
    let (club, mut desk) = Desk::open(json!({})).await;
    for name in ["anna", "bert"] {
        club.member(name).await;
    }
    let players = desk.path("/players");
    let form =
        json!({"members": ["anna", "nobody", "bert", "noone"], "people": [{"name": "One, Test"}]});
    let answer = desk.browser.post(&players, form).await;
    assert!(answer.text.contains("nobody, noone"), "{}", answer.text);
    answer.expect_problem(404, "unknown_player");
    assert_eq!(desk.show().await["players"], json!([]));
    let form = json!({"members": ["anna", "bert"], "people": [{"name": "One, Test"}]});
    let event = desk.browser.post(&players, form).await.expect(201);
    assert_eq!(super::list(&event["players"], "name"), ["anna", "bert", "One, Test"]);
    let answer = desk.browser.post(&players, json!({"members": ["bert", "anna"]})).await;
    assert!(answer.text.contains("bert, anna"), "{}", answer.text);
    answer.expect_problem(409, "entered_already");
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
    member.browser.put(&result, json!({"result": "1-0"})).await.expect_problem(403, "not_staff");
    arbiter.browser.put(&result, json!({"result": "1-0"})).await.expect(200);
    arbiter.browser.post(&desk.path("/rounds"), json!({})).await.expect_problem(403, "forbidden");
}

#[tokio::test]
async fn an_arbiter_of_one_event_judges_there_and_nowhere_else() {
    let (club, mut desk) = Desk::open(super::online::online(
        &json!({"rounds": 2, "pace": {"automatic": false, "no_show_seconds": 60}}),
    ))
    .await;
    let mut anna = club.member("anna").await;
    for name in ["bert", "carl", "dora"] {
        club.member(name).await;
    }
    let members = json!({"members": ["anna", "bert", "carl", "dora"]});
    desk.browser.post(&desk.path("/players"), members).await.expect(201);
    let mut rita = club.member("rita").await;
    rita.browser.get(&desk.path("")).await.expect_problem(404, "unknown_event");
    let named = json!({"name": "rita"});
    let arbiters = desk.path("/arbiters");
    rita.browser.post(&arbiters, named.clone()).await.expect_problem(403, "forbidden");
    let event = desk.browser.post(&arbiters, named.clone()).await.expect(201);
    assert_eq!(super::list(&event["arbiters"], "name"), ["rita"]);
    desk.browser.post(&arbiters, named.clone()).await.expect_problem(409, "nothing_to_do");
    // Now she sees the draft, and later judges; she does not run it.
    let seen = rita.browser.get(&desk.path("")).await.expect(200);
    assert_eq!(
        (&seen["rights"]["results"], &seen["rights"]["manage"]),
        (&json!(true), &json!(false))
    );
    desk.go_to("running").await;
    desk.publish().await;
    rita.browser.post(&desk.path("/rounds"), json!({})).await.expect_problem(403, "forbidden");
    let game = desk.round(1).await["boards"][1]["game"].as_str().unwrap().to_owned();
    let file = format!("/api/v1/arbiter/games/{game}");
    rita.browser.get(&file).await.expect(200);
    // The game's page knows the way for her, and for nobody else.
    let of_game = format!("/api/v1/games/{game}/event");
    assert_eq!(rita.browser.get(&of_game).await.expect(200)["event"]["judges"], true);
    assert_eq!(club.browser().get(&of_game).await.expect(200)["event"]["judges"], false);
    let ruling = json!({"act": "result", "result": "draw", "reason": "Both players agree."});
    rita.browser.post(&format!("{file}/rulings"), ruling.clone()).await.expect(200);
    // She is called to a game of the event, and to no other.
    let new = json!({"time": crate::club::blitz(), "color": "white"});
    let casual = anna.browser.challenge(new).await;
    club.guest().await.accept(&casual).await.expect(200);
    let of_event = desk.round(1).await["boards"].clone();
    for game in super::list(&of_event, "game").into_iter().chain([json!(casual)]) {
        let calls = format!("/api/v1/games/{}/calls", game.as_str().unwrap());
        // At one board of the round she does not sit.
        anna.browser.post(&calls, json!({"text": "Please have a look."})).await;
    }
    let calls = rita.browser.get("/api/v1/arbiter/calls").await.expect(200);
    let called = super::list(&calls, "game");
    assert!(called.len() == 1 && super::list(&of_event, "game").contains(&called[0]), "{calls}");
    let all = desk.browser.get("/api/v1/arbiter/calls").await.expect(200);
    assert_eq!(all.as_array().map(Vec::len), Some(2));
    let result = desk.path("/rounds/1/boards/1/result");
    rita.browser.put(&result, json!({"result": "1-0"})).await.expect(200);
    let boards = desk.round(1).await["boards"].clone();
    assert_eq!(super::list(&boards, "result"), ["1-0", "1/2-1/2"]);
    // Games of nobody's event, and other events, are not hers.
    let (_, _, elsewhere) = club.game(crate::club::blitz()).await;
    let other = format!("/api/v1/arbiter/games/{elsewhere}");
    rita.browser.get(&other).await.expect_problem(403, "forbidden");
    rita.browser
        .post(&format!("{other}/rulings"), ruling.clone())
        .await
        .expect_problem(403, "forbidden");
    let form = json!({"name": "Winter Cup", "regulations": {}});
    let made = desk.browser.post("/api/v1/events", form).await.expect(201);
    let path = format!("/api/v1/events/{}", made["id"].as_str().unwrap());
    rita.browser.get(&path).await.expect_problem(404, "unknown_event");
    // What was given can be taken back.
    desk.browser.delete(&desk.path(&format!("/arbiters/{}", rita.id))).await.expect(200);
    rita.browser.put(&result, json!({"result": "0-1"})).await.expect_problem(403, "not_staff");
    rita.browser.get(&file).await.expect_problem(403, "forbidden");
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
