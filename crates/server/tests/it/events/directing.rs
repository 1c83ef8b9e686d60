//! From an empty event to the final table.

use serde_json::{Value, json};

use super::{Desk, column};
use crate::club::Club;

#[tokio::test]
async fn a_director_runs_a_round_robin_of_eight_from_empty_to_final_table() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "round_robin", "tie_breaks": ["DE", "SB"]})).await;
    desk.enter(8).await;
    assert_eq!(desk.show().await["suggestion"]["rounds"], 7);
    desk.go_to("running").await;
    for round in 1..=7 {
        let event = desk.publish().await;
        assert_eq!(event["rounds"].as_array().unwrap().len(), usize::try_from(round).unwrap());
        desk.finish(round, "1-0").await;
    }
    let path = desk.path("/rounds");
    desk.browser.post(&path, json!({})).await.expect_problem(409, "all_rounds_played");
    assert_eq!(desk.go_to("finished").await["has_ended"], true);
    let standings = desk.standings().await;
    let points: f64 = column(&standings, "points")
        .iter()
        .map(|p| p.as_str().unwrap().parse::<f64>().unwrap())
        .sum();
    assert!((points - 28.0).abs() < 0.01, "28 games give 28 points");
    let cells = standings["rows"][0]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 7);
    assert!(cells.iter().all(|cell| cell["score"] == "1" || cell["score"] == "0"));
    let path = desk.path("/rounds/1/boards/1/result");
    desk.browser.put(&path, json!({"result": "0-1"})).await.expect_problem(409, "wrong_state");
}

#[tokio::test]
async fn a_knockout_of_seven_has_one_bye_and_a_winner_after_six_matches() {
    let (_club, mut desk) = Desk::open(json!({"system": "knockout"})).await;
    desk.enter(7).await;
    desk.go_to("running").await;
    let mut boards = 0;
    for (round, expected) in [(1, 3), (2, 2), (3, 1)] {
        desk.publish().await;
        let view = desk.round(round).await;
        let found = view["boards"].as_array().unwrap().len();
        assert_eq!(found, expected);
        assert_eq!(view["byes"].as_array().unwrap().len(), usize::from(round == 1));
        boards += found;
        desk.finish(round, "1-0").await;
    }
    assert_eq!(boards, 6);
    let standings = desk.standings().await;
    assert_eq!(
        column(&standings, "rank"),
        [&json!(1), &json!(2), &json!(3), &json!(3), &json!(5), &json!(5), &json!(5)]
    );
    let last = &standings["bracket"]["rounds"][2][0];
    assert_eq!(last["winner"], standings["rows"][0]["player"]);
    desk.go_to("finished").await;
}

#[tokio::test]
async fn a_drawn_match_goes_on_until_somebody_wins_or_the_director_decides() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "knockout", "knockout": {"games": 1}})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.result(1, 1, "1/2-1/2").await;
    desk.result(1, 2, "1-0").await;
    desk.publish().await;
    let (first, again) = (desk.round(1).await, desk.round(2).await);
    assert_eq!(again["boards"].as_array().unwrap().len(), 1, "only the tied match plays on");
    assert_eq!(again["boards"][0]["white"], first["boards"][0]["black"], "with colours reversed");
    desk.result(2, 1, "1/2-1/2").await;
    let (winner, loser) =
        (again["boards"][0]["white"].clone(), again["boards"][0]["black"].clone());
    let path = desk.path("/decisions");
    desk.browser.post(&path, json!({"winner": winner, "loser": loser})).await.expect(200);
    desk.publish().await;
    let last = desk.round(3).await;
    let players = [&last["boards"][0]["white"], &last["boards"][0]["black"]];
    assert!(players.contains(&&winner), "{last}");
}

#[tokio::test]
async fn a_swiss_takes_late_entries_byes_withdrawals_and_forfeits() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "swiss", "rounds": 4, "first_color": "white"})).await;
    desk.enter(6).await;
    let bye = desk.path("/players/6/byes/2");
    desk.browser.put(&bye, json!({"bye": "half"})).await.expect(200);
    desk.go_to("running").await;
    desk.publish().await;
    let boards = desk.round(1).await["boards"].clone();
    assert_eq!(
        (&boards[0]["white"], &boards[0]["black"]),
        (&json!(1), &json!(4)),
        "the first half meets the second"
    );
    desk.result(1, 1, "1-0").await;
    desk.result(1, 2, "+-").await;
    desk.result(1, 3, "1/2-1/2").await;
    // One comes late, one leaves: with the one who asked for a bye, five are left.
    let players = desk.path("/players");
    desk.browser.post(&players, json!({"people": [{"name": "Late, Test"}]})).await.expect(201);
    let withdrawal = desk.path("/players/5/withdrawal");
    desk.browser.post(&withdrawal, json!({})).await.expect(200);
    desk.publish().await;
    let second = desk.round(2).await;
    assert_eq!(second["boards"].as_array().unwrap().len(), 2);
    let mut byes: Vec<(u64, &str)> = second["byes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bye| (bye["player"].as_u64().unwrap(), bye["bye"].as_str().unwrap()))
        .collect();
    byes.sort_unstable();
    assert_eq!(byes.len(), 3);
    assert!(byes.contains(&(5, "zero")) && byes.contains(&(6, "half")), "{byes:?}");
    assert_eq!(byes.iter().filter(|(_, bye)| *bye == "pairing").count(), 1);
    desk.browser.put(&bye, json!({"bye": null})).await.expect_problem(409, "round_paired");
}

#[tokio::test]
async fn a_proposal_says_why_and_what_was_changed_by_hand_is_warned_about() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "swiss", "rounds": 3, "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.finish(1, "1-0").await;
    let path = desk.path("/proposal");
    let proposal = desk.browser.get(&path).await.expect(200);
    assert_eq!(proposal["round"], 2);
    for board in proposal["boards"].as_array().unwrap() {
        assert!(board["why"].as_str().is_some_and(|why| why.len() > 10), "{board}");
        assert!(board["colors"].as_str().is_some_and(|why| why.len() > 10), "{board}");
    }
    let first = desk.round(1).await;
    let again: Vec<Value> = first["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|board| json!({"white": board["black"], "black": board["white"]}))
        .collect();
    let path = desk.path("/proposal/check");
    let told = desk.browser.post(&path, json!({"boards": again})).await.expect(200);
    let words = told["warnings"].as_array().unwrap();
    assert!(words.iter().any(|word| word.as_str().unwrap().contains("met in round 1")), "{told}");
    let path = desk.path("/rounds");
    let short = json!({"boards": again[..1]});
    let answer = desk.browser.post(&path, short).await;
    assert!(answer.text.contains("P0"), "whoever is missing is named: {}", answer.text);
    answer.expect_problem(409, "not_paired");
    let twice = json!({"boards": [again[0], again[0]]});
    desk.browser.post(&path, twice).await.expect_problem(409, "paired_twice");
    desk.browser.post(&path, json!({"boards": again})).await.expect(201);
}

#[tokio::test]
async fn a_proposal_that_something_has_happened_to_since_is_not_published() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "swiss", "rounds": 3, "first_color": "white"})).await;
    desk.enter(6).await;
    desk.go_to("running").await;
    let (proposal, rounds) = (desk.path("/proposal"), desk.path("/rounds"));
    let seen = desk.browser.get(&proposal).await.expect(200);
    let bye = json!({"bye": "half"});
    desk.browser.put(&desk.path("/players/6/byes/1"), bye).await.expect(200);
    // Who looks at the seats alone is told of it, and whoever publishes what they saw is stopped.
    let told = desk.browser.post(&desk.path("/proposal/check"), seen.clone()).await.expect(200);
    assert!(told["warnings"].to_string().contains("P06, Test has a bye"), "{told}");
    desk.browser.post(&rounds, seen).await.expect_problem(409, "changed_since");
    let anew = desk.browser.get(&proposal).await.expect(200);
    assert_eq!(anew["boards"].as_array().unwrap().len(), 2);
    desk.browser.post(&rounds, anew).await.expect(201);
}

#[tokio::test]
async fn whose_game_was_forfeited_may_meet_again_without_a_warning() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "swiss", "rounds": 3, "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.result(1, 1, "+-").await;
    desk.result(1, 2, "1-0").await;
    let first = desk.round(1).await["boards"].as_array().unwrap().clone();
    let again = first.iter().map(|it| json!({"white": it["black"], "black": it["white"]}));
    let form = json!({"boards": again.collect::<Vec<Value>>()});
    let told = desk.browser.post(&desk.path("/proposal/check"), form).await.expect(200);
    let words = told["warnings"].as_array().unwrap().iter();
    let met: Vec<&str> =
        words.filter_map(Value::as_str).filter(|it| it.contains("met in round")).collect();
    assert_eq!(met.len(), 1, "only the second pair has played: {told}");
}

#[tokio::test]
async fn the_last_round_can_be_reseated_and_taken_back_until_something_happens() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "swiss", "rounds": 3, "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    let path = desk.path("/rounds/1");
    let swapped = json!({"boards": [{"white": 2, "black": 1}, {"white": 4, "black": 3}]});
    desk.browser.put(&path, swapped).await.expect(200);
    let round = desk.round(1).await;
    assert_eq!((&round["boards"][0]["white"], &round["can_change"]), (&json!(2), &json!(true)));
    desk.browser.delete(&path).await.expect(200);
    desk.browser.get(&path).await.expect_problem(404, "unknown_board");
    desk.publish().await;
    desk.result(1, 1, "1-0").await;
    assert_eq!(desk.round(1).await["can_change"], false);
    desk.browser.delete(&path).await.expect_problem(409, "round_begun");
}

#[tokio::test]
async fn a_correction_tells_its_consequences_and_can_be_taken_back() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "swiss", "rounds": 3, "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.finish(1, "1-0").await;
    desk.publish().await;
    let before = desk.standings().await;
    let path = desk.path("/rounds/1/boards/1/result");
    let told = desk.browser.put(&path, json!({"result": "0-1", "dry_run": true})).await.expect(200);
    assert_eq!(told["is_done"], false);
    let words = told["changes"].to_string();
    assert!(words.contains("stay as they are") && words.contains("points"), "{words}");
    assert_eq!(desk.standings().await, before, "asking changes nothing");
    desk.browser.put(&path, json!({"result": "0-1"})).await.expect(200);
    assert_ne!(desk.standings().await, before);
    let actions = desk.path("/actions");
    let log = desk.browser.get(&actions).await.expect(200);
    let newest = &log["actions"][0];
    assert_eq!(
        (&newest["act"], &newest["by"], &newest["can_undo"]),
        (&json!("result_corrected"), &json!("boss"), &json!(true))
    );
    let undo = desk.path(&format!("/actions/{}/undo", newest["version"]));
    desk.browser.post(&undo, json!({})).await.expect(200);
    assert_eq!(desk.standings().await, before);
    desk.browser.post(&undo, json!({})).await.expect_problem(409, "changed_since");
}

#[tokio::test]
async fn what_a_running_event_rests_on_stays() {
    let (_club, mut desk) = Desk::open(json!({"system": "swiss", "rounds": 3})).await;
    desk.enter(4).await;
    let event = desk.go_to("running").await;
    let mut regulations = event["regulations"].clone();
    let path = desk.path("");
    regulations["rounds"] = json!(5);
    let form = |regulations: &Value| json!({"name": "Autumn Cup", "regulations": regulations});
    desk.browser.put(&path, form(&regulations)).await.expect(200);
    regulations["system"] = json!("knockout");
    desk.browser.put(&path, form(&regulations)).await.expect_problem(409, "locked");
    regulations["system"] = json!("swiss");
    regulations["rounds"] = json!(0);
    desk.browser.put(&path, form(&regulations)).await.expect_problem(422, "invalid_fields");
}

#[tokio::test]
async fn an_event_is_copied_found_and_deleted_by_its_name() {
    let (_club, mut desk) = Desk::open(json!({"place": "Town hall"})).await;
    desk.enter(3).await;
    desk.go_to("registration").await;
    let path = desk.path("/copy");
    let copy = desk.browser.post(&path, json!({"players": true})).await.expect(201);
    assert_eq!(
        (copy["name"].as_str(), copy["state"].as_str()),
        (Some("Autumn Cup (copy)"), Some("draft"))
    );
    assert_eq!(copy["players"].as_array().unwrap().len(), 3);
    assert_eq!(copy["regulations"]["place"], "Town hall");
    let found =
        desk.browser.get("/api/v1/events?query=autumn&state=registration").await.expect(200);
    assert_eq!(found["events"].as_array().unwrap().len(), 1);
    let path = desk.path("");
    let wrong = Some(json!({"name": "Spring Cup"}).to_string());
    desk.browser.request("DELETE", &path, wrong).await.expect_problem(422, "invalid_fields");
    let right = Some(json!({"name": "Autumn Cup"}).to_string());
    desk.browser.request("DELETE", &path, right).await.expect(204);
    desk.browser.get(&path).await.expect_problem(404, "unknown_event");
}

#[tokio::test]
async fn another_beginning_draws_the_first_colour_anew() {
    let (_club, mut desk) = Desk::open(json!({"first_color": "lot"})).await;
    desk.enter(4).await;
    let color = |event: &Value| event["regulations"]["first_color"].clone();
    let begun = color(&desk.go_to("running").await);
    assert!(begun == "white" || begun == "black", "{begun}");
    let copy = desk.browser.post(&desk.path("/copy"), json!({"players": true})).await.expect(201);
    assert_eq!(color(&copy), "lot");
    assert_eq!(color(&desk.go_to("registration").await), "lot", "it has not begun after all");
}

#[tokio::test]
async fn a_player_card_counts_the_games_that_were_played() {
    let regulations = json!({"system": "round_robin", "first_color": "white"});
    let (_club, mut desk) = Desk::open(regulations).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    for result in ["1-0", "+-", ""] {
        let round = desk.publish().await["rounds"].as_array().unwrap().len() as u64;
        if !result.is_empty() {
            desk.finish(round, result).await;
        }
    }
    let card = desk.browser.get(&desk.path("/players/1")).await.expect(200);
    assert_eq!(card["whites"].as_u64().unwrap() + card["blacks"].as_u64().unwrap(), 1, "{card}");
    let first = desk.round(1).await["boards"].as_array().unwrap().clone();
    let board = first.iter().find(|it| it["white"] == 1 || it["black"] == 1).unwrap();
    let opponent = if board["white"] == 1 { &board["black"] } else { &board["white"] };
    assert_eq!(card["opponents"], 2_000 - 10 * opponent.as_u64().unwrap());
}

#[tokio::test]
async fn over_the_board_a_card_says_what_the_games_would_do_to_a_rating() {
    let (_club, mut desk) = Desk::open(json!({"rounds": 2, "first_color": "white"})).await;
    let rated = |name: &str, rating: Option<u16>| json!({"name": name, "rating": rating});
    // The first meets the third, who is too weak by far; a forfeit in the second round counts for nothing.
    let people = [
        rated("One, Test", Some(2_000)),
        rated("Two, Test", Some(1_900)),
        rated("Three, Test", Some(1_100)),
        rated("Four, Test", None),
    ];
    desk.browser.post(&desk.path("/players"), json!({"people": people})).await.expect(201);
    desk.go_to("running").await;
    desk.publish().await;
    desk.finish(1, "1/2-1/2").await;
    desk.publish().await;
    desk.finish(2, "+-").await;
    let mut changes = Vec::new();
    for player in 1..=4 {
        let card = desk.browser.get(&desk.path(&format!("/players/{player}"))).await.expect(200);
        changes.push(card["expected_change"].clone());
    }
    // A difference of 400 promises 92 percent; half a point is 42 less, a fifth of that with K 20.
    assert_eq!(changes, [json!(-84), Value::Null, json!(84), Value::Null]);
    let card = desk.browser.get(&desk.path("/players/3?k=40")).await.expect(200);
    assert_eq!(card["expected_change"], 168);
}

#[tokio::test]
async fn while_a_round_is_played_points_count_and_tie_breaks_wait_for_its_end() {
    let rules = json!({"rounds": 3, "first_color": "white", "tie_breaks": ["BH", "WIN"]});
    let (_club, mut desk) = Desk::open(rules).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    let by_player = |standings: &Value, what: &str| {
        let mut all: Vec<(u64, Value)> = standings["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["player"].as_u64().unwrap(), row[what].clone()))
            .collect();
        all.sort_by_key(|(player, _)| *player);
        all
    };
    desk.publish().await;
    desk.finish(1, "1-0").await;
    let before = desk.standings().await;
    assert_eq!(before["tie_breaks_after"], 1);
    desk.publish().await;
    let during = desk.standings().await;
    assert_eq!(by_player(&during, "values"), by_player(&before, "values"));
    assert_eq!((&during["round"], &during["tie_breaks_after"]), (&json!(2), &json!(1)));
    desk.result(2, 1, "1-0").await;
    let during = desk.standings().await;
    assert_eq!(by_player(&during, "values"), by_player(&before, "values"));
    assert_eq!(during["rows"][0]["points"], "2.0", "who has won leads at once");
    desk.finish(2, "1-0").await;
    let after = desk.standings().await;
    assert_eq!(after["tie_breaks_after"], 2);
    assert_ne!(by_player(&after, "values"), by_player(&before, "values"));
}

#[tokio::test]
async fn the_timer_of_the_hall_is_started_stopped_and_extended_by_the_director() {
    let pace = json!({"round_minutes": 60});
    let (club, mut desk) = Desk::open(json!({"first_color": "white", "pace": pace})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    let path = desk.path("/timer");
    let start = json!({"act": "start"});
    desk.browser.put(&path, start.clone()).await.expect_problem(409, "no_timer");
    let event = desk.publish().await;
    assert_eq!(event["timer"], Value::Null, "published is not begun");
    let mut watcher = club.browser().socket().await;
    watcher.send(json!({"t": "join", "room": format!("event:{}", desk.id)})).await;
    watcher.next_of("state").await;
    let event = desk.browser.put(&path, start.clone()).await.expect(200);
    assert_eq!(event["timer"]["since"], event["now"]);
    assert_eq!(watcher.next_of("state").await["state"]["timer"], event["timer"]);
    desk.browser.put(&path, start).await.expect_problem(409, "nothing_to_do");
    club.time.advance(600_000);
    let more = json!({"act": "extend", "minutes": 5});
    desk.browser.put(&path, more).await.expect(200);
    let event = desk.browser.put(&path, json!({"act": "pause"})).await.expect(200);
    let stands = json!({"round": 1, "since": null, "ran_ms": 600_000, "added_minutes": 5});
    assert_eq!(event["timer"], stands);
    club.browser().put(&path, json!({"act": "reset"})).await.expect_problem(401, "not_logged_in");
    let club = club.crash_and_start_after(1_000).await;
    desk.browser.move_to(club.address);
    assert_eq!(desk.show().await["timer"], stands, "a start forgets nothing");
    desk.finish(1, "1-0").await;
    let event = desk.publish().await;
    assert_eq!(event["timer"], Value::Null, "another round has a timer of its own");
}

#[tokio::test]
async fn before_the_first_round_the_numbers_are_drawn_or_given_by_hand() {
    for system in ["knockout", "round_robin"] {
        let (_club, mut desk) = Desk::open(json!({"system": system, "first_color": "white"})).await;
        desk.enter(8).await;
        desk.go_to("running").await;
        let path = desk.path("/numbers");
        let seeds = |event: &Value| super::list(&event["players"], "seed");
        let by_hand = json!({"order": [8, 7, 6, 5, 4, 3, 2, 1]});
        let event = desk.browser.put(&path, by_hand.clone()).await.expect(200);
        assert_eq!(seeds(&event), [8, 7, 6, 5, 4, 3, 2, 1]);
        for wrong in
            [json!([1, 2]), json!([1, 1, 2, 3, 4, 5, 6, 7]), json!([1, 2, 3, 4, 5, 6, 7, 9])]
        {
            let answer = desk.browser.put(&path, json!({"order": wrong})).await;
            answer.expect_problem(409, "no_numbers");
        }
        let event = desk.browser.put(&path, json!({"by_lot": true})).await.expect(200);
        let mut drawn = seeds(&event);
        drawn.sort_by_key(Value::as_u64);
        assert_eq!(drawn, [1, 2, 3, 4, 5, 6, 7, 8], "everybody has a number, and one only");
        let log = desk.browser.get(&desk.path("/actions")).await.expect(200);
        assert_eq!(log["actions"][0]["detail"], "by lot");
        let undo = desk.path(&format!("/actions/{}/undo", log["actions"][0]["version"]));
        desk.browser.post(&undo, json!({})).await.expect(200);
        assert_eq!(seeds(&desk.show().await), [8, 7, 6, 5, 4, 3, 2, 1]);
        desk.publish().await;
        assert_eq!(seeds(&desk.show().await), [8, 7, 6, 5, 4, 3, 2, 1], "they hold");
        desk.browser.put(&path, json!({})).await.expect_problem(409, "no_numbers");
    }
    let (_club, mut desk) = Desk::open(json!({"system": "swiss"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    let lot = json!({"by_lot": true});
    desk.browser.put(&desk.path("/numbers"), lot).await.expect_problem(409, "no_numbers");
}

#[tokio::test]
async fn two_results_at_the_same_moment_both_count() {
    let (_club, mut desk) = Desk::open(json!({"system": "swiss", "first_color": "white"})).await;
    desk.enter(8).await;
    desk.go_to("running").await;
    desk.publish().await;
    let mut tasks = Vec::new();
    for board in 1..=4 {
        let mut browser = desk.browser.clone();
        let path = desk.path(&format!("/rounds/1/boards/{board}/result"));
        tasks.push(tokio::spawn(async move {
            browser.put(&path, json!({"result": "1-0"})).await.status
        }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), 200);
    }
    assert_eq!(desk.show().await["rounds"][0]["open"], 0);
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_server_dies() {
    let (club, mut desk) = Desk::open(json!({"system": "swiss", "first_color": "white"})).await;
    desk.enter(5).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.result(1, 1, "1/2-1/2").await;
    let before =
        (desk.show().await["version"].clone(), desk.round(1).await, desk.standings().await);
    let club: Club = club.crash_and_start_after(5_000).await;
    desk.browser.move_to(club.address);
    assert_eq!(
        (desk.show().await["version"].clone(), desk.round(1).await, desk.standings().await),
        before
    );
}

#[tokio::test]
async fn events_are_listed_by_the_day_they_begin() {
    let (club, mut desk) = Desk::open(json!({})).await;
    for (name, starts_at) in [("June", 3_000), ("May", 2_000), ("July", 4_000)] {
        let form = json!({"name": name, "starts_at": starts_at, "regulations": {}});
        desk.browser.post("/api/v1/events", form).await.expect(201);
    }
    let listed = desk.browser.get("/api/v1/events").await.expect(200);
    assert!(club.time.now().0 > 4_000, "the first one has no date, and was made now");
    assert_eq!(super::list(&listed["events"], "name"), ["Autumn Cup", "July", "June", "May"]);
}

#[tokio::test]
async fn who_comes_late_may_get_points_for_the_rounds_they_missed() {
    let (_club, mut desk) = Desk::open(json!({"rounds": 4, "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    for round in 1..=2 {
        desk.publish().await;
        desk.finish(round, "1/2-1/2").await;
    }
    let people = json!({"people": [{"name": "Late, Test"}]});
    let event = desk.browser.post(&desk.path("/players"), people).await.expect(201);
    assert_eq!(super::list(&event["players"], "missed"), [0, 0, 0, 0, 2]);
    let bye = |player: u8, round: u8| format!("/players/{player}/byes/{round}");
    let half = json!({"bye": "half"});
    for round in 1..=2 {
        desk.browser.put(&desk.path(&bye(5, round)), half.clone()).await.expect(200);
    }
    // Who was there has what they have.
    let answer = desk.browser.put(&desk.path(&bye(1, 1)), half.clone()).await;
    answer.expect_problem(409, "round_paired");
    let standings = desk.standings().await;
    let late = standings["rows"].as_array().unwrap().iter().find(|row| row["player"] == 5);
    assert_eq!(late.unwrap()["points"], "1.0");
    assert_eq!(super::list(&late.unwrap()["cells"], "bye"), ["half", "half"]);
    // Once they have a place in a round, what they missed before can still be set, and that round cannot.
    desk.publish().await;
    desk.browser.put(&desk.path(&bye(5, 2)), json!({"bye": null})).await.expect(200);
    desk.browser.put(&desk.path(&bye(5, 3)), half).await.expect_problem(409, "round_paired");
    let standings = desk.standings().await;
    let late = standings["rows"].as_array().unwrap().iter().find(|row| row["player"] == 5);
    assert_eq!(late.unwrap()["cells"][1]["bye"], json!(null));
}

#[tokio::test]
async fn a_tied_match_has_as_many_further_games_as_it_may_and_then_the_lot_decides() {
    let knockout = json!({"games": 2, "tie_break_games": 1});
    let (_club, mut desk) =
        Desk::open(json!({"system": "knockout", "first_color": "white", "knockout": knockout}))
            .await;
    desk.enter(2).await;
    desk.go_to("running").await;
    for round in 1..=3 {
        desk.publish().await;
        desk.finish(round, "1/2-1/2").await;
    }
    let answer = desk.browser.post(&desk.path("/rounds"), json!({})).await;
    assert!(answer.text.contains("P01, Test – P02, Test"), "{}", answer.text);
    answer.expect_problem(409, "level_match");
    let lot = json!({"winner": 1, "loser": 2, "by_lot": true});
    desk.browser.post(&desk.path("/decisions"), lot).await.expect(200);
    let standings = desk.standings().await;
    let winner = standings["rows"][0]["player"].as_u64().unwrap();
    assert!([1, 2].contains(&winner) && standings["bracket"]["rounds"][0][0]["winner"] == winner);
    let log = desk.browser.get(&desk.path("/actions")).await.expect(200);
    assert!(log["actions"][0]["detail"].as_str().unwrap().ends_with("by lot"), "{log}");
    desk.go_to("finished").await;
}

#[tokio::test]
async fn regulations_that_no_game_can_begin_with_are_refused_with_the_field() {
    let (_club, mut desk) = Desk::open(json!({})).await;
    let refused = [
        (json!({"start": "abc"}), "start"),
        (json!({"online": true, "start": "8/8/8/8/8/8/8/8 w - - 0 1"}), "start"),
        (
            json!({"online": true, "rated": true, "start": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}),
            "rated",
        ),
        (json!({"online": true, "rated": true, "time": {"kind": "unlimited"}}), "rated"),
        (json!({"points": {"win": 10, "draw": 15, "loss": 0, "bye": 10}}), "points"),
        (json!({"points": {"win": 10, "draw": -5, "loss": 0, "bye": 10}}), "points"),
        (json!({"knockout": {"tie_break_games": 13}}), "knockout.tie_break_games"),
        (json!({"knockout": {"tie_break_time": {"kind": "unlimited"}}}), "knockout.tie_break_time"),
    ];
    for (regulations, field) in refused {
        let form = json!({"name": "Autumn Cup", "regulations": regulations});
        let answer = desk.browser.put(&desk.path(""), form).await;
        let told: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
        assert!(super::list(&told["fields"], "field").contains(&json!(field)), "{told}");
        answer.expect_problem(422, "invalid_fields");
    }
    // Chess960 is drawn by lot or given: both can be rated.
    let start = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
    let regulations = json!({"online": true, "rated": true, "variant": "chess960", "start": start});
    let form = json!({"name": "Autumn Cup", "regulations": regulations});
    desk.browser.put(&desk.path(""), form).await.expect(200);
}

#[tokio::test]
async fn events_are_found_by_the_day_they_begin_or_were_made() {
    let (club, mut desk) = Desk::open(json!({})).await;
    desk.go_to("registration").await;
    let (now, day) = (club.time.now().0, 86_400_000);
    let found = |from: i64, until: i64| format!("/api/v1/events?from={from}&until={until}");
    let names = |page: serde_json::Value| page["events"].as_array().unwrap().len();
    assert_eq!(names(desk.browser.get(&found(now - day, now + day)).await.expect(200)), 1);
    assert_eq!(names(desk.browser.get(&found(now + day, now + 2 * day)).await.expect(200)), 0);
    let form = json!({"name": "Autumn Cup", "starts_at": now + 30 * day, "regulations": {}});
    desk.browser.put(&desk.path(""), form).await.expect(200);
    assert_eq!(names(desk.browser.get(&found(now - day, now + day)).await.expect(200)), 0);
    assert_eq!(names(desk.browser.get(&found(now, now + 31 * day)).await.expect(200)), 1);
}

#[tokio::test]
async fn mine_are_the_events_that_one_plays_in_and_can_open() {
    let (club, mut desk) = Desk::open(json!({})).await;
    let mut anna = club.member("anna").await;
    let players = desk.path("/players");
    desk.browser.post(&players, json!({"members": ["anna"]})).await.expect(201);
    let mine = "/api/v1/events?mine=1";
    let ids = |page: serde_json::Value| super::list(&page["events"], "id");
    assert_eq!(ids(anna.browser.get(mine).await.expect(200)), [json!(null); 0], "still a draft");
    assert_eq!(ids(desk.browser.get(mine).await.expect(200)), [desk.id.as_str()]);
    desk.go_to("registration").await;
    for visibility in ["public", "unlisted", "private"] {
        let form = json!({"name": "Autumn Cup", "visibility": visibility, "regulations": {}});
        desk.browser.put(&desk.path(""), form).await.expect(200);
        assert_eq!(ids(anna.browser.get(mine).await.expect(200)), [desk.id.as_str()]);
        anna.browser.get(&desk.path("")).await.expect(200);
    }
    let everything = club.browser().get(mine).await.expect(200);
    assert_eq!(ids(everything), [json!(null); 0], "nobody has no events");
}
