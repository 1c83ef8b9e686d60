//! Boards and their games say the same, and nothing is done by hand that the system forbids.

use serde_json::{Value, json};

use super::Desk;
use super::online::{called, online, open_boards, play_round, players, until};
use crate::club::blitz;
use crate::staff::Person;

/// An online event whose rounds the director publishes, with these players seated in round 1.
async fn seated(
    more: &Value,
    names: &[&str],
) -> (crate::club::Club, Desk, Vec<(Person, crate::client::Socket)>) {
    let mut regulations =
        online(&json!({"pace": {"automatic": false, "no_show_seconds": 60}, "rounds": 3}));
    regulations.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let (club, mut desk) = Desk::open(regulations).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, names).await;
    desk.go_to("running").await;
    desk.publish().await;
    called(&mut all).await;
    (club, desk, all)
}

impl Desk {
    async fn board(&mut self, round: u64, board: usize) -> Value {
        self.round(round).await["boards"][board - 1].clone()
    }

    async fn game_at(&mut self, round: u64, board: usize) -> Value {
        let game = self.board(round, board).await["game"].as_str().unwrap().to_owned();
        self.browser.get(&format!("/api/v1/games/{game}")).await.expect(200)
    }

    async fn rule(&mut self, game: &str, mut ruling: Value) -> crate::client::Answer {
        ruling["reason"] = json!("Both players agree on what happened.");
        self.browser.post(&format!("/api/v1/arbiter/games/{game}/rulings"), ruling).await
    }

    async fn last_act(&mut self) -> Value {
        let path = self.path("/actions");
        self.browser.get(&path).await.expect(200)["actions"][0].clone()
    }
}

#[tokio::test]
async fn what_an_arbiter_rules_in_a_game_is_the_result_of_its_board() {
    let (_club, mut desk, mut all) = seated(&json!({}), &["anna", "bert"]).await;
    let game = desk.board(1, 1).await["game"].as_str().unwrap().to_owned();
    let resignation = format!("/api/v1/games/{game}/resignation");
    all[0].0.browser.post(&resignation, json!({})).await.expect(200);
    until(&mut desk, |event| open_boards(event) == 0).await;
    desk.rule(&game, json!({"act": "result", "result": "draw"})).await.expect(200);
    assert_eq!(desk.board(1, 1).await["result"], "1/2-1/2");
    assert_eq!(desk.standings().await["rows"][0]["points"], "0.5");
    let told = desk.last_act().await;
    assert_eq!((&told["act"], &told["by"]), (&json!("results_followed"), &json!("boss")));
    desk.rule(&game, json!({"act": "reopen"})).await.expect(200);
    assert_eq!(desk.board(1, 1).await["result"], Value::Null, "a game that goes on has no result");
    desk.rule(&game, json!({"act": "result", "result": "white"})).await.expect(200);
    assert_eq!(desk.board(1, 1).await["result"], "1-0");
    desk.rule(&game, json!({"act": "annul"})).await.expect(200);
    assert_eq!(
        desk.board(1, 1).await["result"],
        Value::Null,
        "the director decides what it counts"
    );
}

#[tokio::test]
async fn a_ruling_that_an_event_cannot_bear_is_not_made() {
    let knockout = json!({"system": "knockout"});
    let (_club, mut desk, mut all) = seated(&knockout, &["anna", "bert", "carl", "dora"]).await;
    play_round(&mut desk, 1, &mut all).await;
    until(&mut desk, |event| open_boards(event) == 0).await;
    desk.publish().await;
    let game = desk.board(1, 1).await["game"].as_str().unwrap().to_owned();
    let white = json!({"act": "result", "result": "white"});
    desk.rule(&game, white).await.expect_problem(409, "later_rounds");
    assert_eq!(desk.game_at(1, 1).await["outcome"]["winner"], "black", "the game is as it was");
    assert_eq!(desk.board(1, 1).await["result"], "0-1");
}

#[tokio::test]
async fn what_a_director_corrects_is_ruled_in_the_game() {
    let (club, mut desk, mut all) = seated(&json!({}), &["anna", "bert", "carl", "dora"]).await;
    // The first game is decided while it runs, the second one after it was played.
    desk.result(1, 1, "1-0").await;
    assert_eq!(
        desk.game_at(1, 1).await["outcome"],
        json!({"kind": "win", "winner": "white", "by": "arbiter"})
    );
    play_second_board(&mut desk, &mut all).await;
    until(&mut desk, |event| open_boards(event) == 0).await;
    desk.result(1, 2, "1/2-1/2").await;
    assert_eq!(desk.game_at(1, 2).await["outcome"], json!({"kind": "draw", "by": "arbiter"}));
    let undo = desk.last_act().await["version"].clone();
    let undo = desk.path(&format!("/actions/{undo}/undo"));
    desk.browser.post(&undo, json!({})).await.expect(200);
    assert_eq!(desk.game_at(1, 2).await["outcome"]["winner"], "black", "taken back in both");
    // A forfeit is no game.
    desk.result(1, 2, "+-").await;
    assert_eq!(desk.game_at(1, 2).await["outcome"]["kind"], "aborted");
    let path = desk.path("/rounds/1/boards/2/result");
    desk.browser.put(&path, json!({"result": null})).await.expect_problem(409, "game_runs");
    // After a start nothing has drifted apart.
    let club = club.crash_and_start_after(1_000).await;
    desk.browser.move_to(club.address);
    until(&mut desk, |event| event["state"] == "running").await;
    assert_eq!(desk.board(1, 1).await["result"], "1-0");
    assert_eq!(desk.board(1, 2).await["result"], "+-");
}

async fn play_second_board(desk: &mut Desk, all: &mut [(Person, crate::client::Socket)]) {
    let (event, board) = (desk.show().await, desk.board(1, 2).await);
    let game = board["game"].as_str().unwrap().to_owned();
    for (ply, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].iter().enumerate() {
        let side = if ply % 2 == 0 { &board["white"] } else { &board["black"] };
        let number = usize::try_from(side.as_u64().unwrap()).unwrap();
        let account = event["players"][number - 1]["account"].as_str().unwrap();
        let (person, _) = all.iter_mut().find(|(person, _)| person.id == account).unwrap();
        person.browser.make_move(&game, u32::try_from(ply).unwrap(), uci).await;
    }
}

/// Opens an event again that has ended by itself, corrects its first board and ends it by hand.
async fn correct_after_the_end(club: &crate::club::Club, desk: &mut Desk) {
    desk.go_to("running").await;
    // Long after it would have ended by itself a second time.
    club.time.advance(60_000);
    desk.result(1, 1, "1/2-1/2").await;
    club.time.advance(60_000);
    let event = desk.show().await;
    assert_eq!((&event["state"], &event["next_at"]), (&json!("running"), &Value::Null));
    assert_eq!(desk.game_at(1, 1).await["outcome"]["kind"], "draw");
    desk.go_to("finished").await;
    assert_eq!(desk.board(1, 1).await["result"], "1/2-1/2");
}

#[tokio::test]
async fn an_event_that_ended_by_itself_can_be_opened_again_and_corrected() {
    let systems = [
        json!({"rounds": 1}),
        json!({"system": "round_robin"}),
        json!({"system": "arena", "arena": {"minutes": 5}}),
    ];
    for system in systems {
        let (club, mut desk) = Desk::open(online(&system)).await;
        desk.go_to("registration").await;
        let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
        desk.go_to("running").await;
        club.time.advance(2_000);
        until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
        called(&mut all).await;
        play_round(&mut desk, 1, &mut all).await;
        until(&mut desk, |event| open_boards(event) == 0).await;
        // An arena has to wait for its time, and pairs nobody who has gone.
        drop(all);
        club.time.advance(300_000);
        until(&mut desk, |event| event["state"] == "finished").await;
        correct_after_the_end(&club, &mut desk).await;
    }
}

/// How many games count for somebody, and how many steps their rating has made.
async fn counted(club: &crate::club::Club, person: &Person) -> (i64, usize) {
    let account = person.id.parse().unwrap();
    let (mut games, mut steps) = (0, 0);
    for standing in club.store().standings_of(account).await.unwrap() {
        assert_eq!(standing.games, standing.wins + standing.draws + standing.losses);
        games += standing.games;
        steps += club.store().rating_points(account, &standing.pool).await.unwrap().len();
    }
    (games, steps)
}

#[tokio::test]
async fn every_game_counts_once_whatever_is_corrected_and_whenever_the_server_dies() {
    let (mut club, mut desk, mut all) = seated(&json!({}), &["anna", "bert", "carl", "dora"]).await;
    play_round(&mut desk, 1, &mut all).await;
    // The first board is corrected again and again, the second one stays as it was played.
    for (result, counts) in [("", 1), ("1/2-1/2", 1), ("+-", 0), ("1-0", 1), ("0-1", 1)] {
        if !result.is_empty() {
            desk.result(1, 1, result).await;
        }
        club = club.crash_and_start_after(1_000).await;
        desk.browser.move_to(club.address);
        until(&mut desk, |event| open_boards(event) == 0).await;
        let board = desk.board(1, 1).await;
        let event = desk.show().await;
        for (person, _) in &all {
            let mut entries = event["players"].as_array().unwrap().iter();
            let entry = entries.find(|it| it["account"] == person.id.as_str()).unwrap();
            let number = &entry["number"];
            let sits = *number == board["white"] || *number == board["black"];
            let expected = if sits { counts } else { 1 };
            let found = counted(&club, person).await;
            assert_eq!(found, (expected, usize::try_from(expected).unwrap()), "after {result}");
        }
    }
}

#[tokio::test]
async fn a_director_who_plays_does_not_judge_the_own_game() {
    let (club, mut desk) =
        Desk::open(online(&json!({"pace": {"automatic": false}, "rounds": 1}))).await;
    let _anna = club.member("anna").await;
    let players = desk.path("/players");
    desk.browser.post(&players, json!({"members": ["anna", "boss"]})).await.expect(201);
    desk.go_to("running").await;
    desk.publish().await;
    let path = desk.path("/rounds/1/boards/1/result");
    desk.browser.put(&path, json!({"result": "1-0"})).await.expect_problem(403, "own_game");
    assert_eq!(desk.board(1, 1).await["result"], Value::Null);
}

#[tokio::test]
async fn whom_the_director_has_withdrawn_does_not_come_back_alone() {
    let (club, mut desk) =
        Desk::open(json!({"rounds": 4, "first_color": "white", "entry": {"late_until": 2}})).await;
    desk.enter(3).await;
    desk.go_to("registration").await;
    let (mut anna, mut bert) = (club.member("anna").await, club.member("bert").await);
    let entry = desk.path("/entry");
    anna.browser.post(&entry, json!({})).await.expect(200);
    bert.browser.post(&entry, json!({})).await.expect(200);
    desk.go_to("running").await;
    let withdrawal = desk.path("/players/4/withdrawal");
    desk.browser.post(&withdrawal, json!({})).await.expect(200);
    let seen = anna.browser.get(&desk.path("")).await.expect(200);
    assert_eq!(seen["rights"]["join"], false);
    anna.browser.post(&entry, json!({})).await.expect_problem(403, "barred");
    desk.browser.delete(&withdrawal).await.expect(200);
    // Who has left by themselves comes back as long as somebody may still enter.
    bert.browser.delete(&entry).await.expect(200);
    bert.browser.post(&entry, json!({})).await.expect(200);
    bert.browser.delete(&entry).await.expect(200);
    for round in 1..=2 {
        desk.publish().await;
        desk.finish(round, "1-0").await;
    }
    bert.browser.post(&entry, json!({})).await.expect_problem(409, "entry_closed");
    let withdrawal = desk.path("/players/5/withdrawal");
    desk.browser.delete(&withdrawal).await.expect(200);
}

#[tokio::test]
async fn who_is_out_of_a_knockout_stays_out() {
    let (_club, mut desk) = Desk::open(json!({"system": "knockout"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.finish(1, "1-0").await;
    let loser = desk.board(1, 1).await["black"].clone();
    let withdrawal = desk.path(&format!("/players/{loser}/withdrawal"));
    desk.browser.post(&withdrawal, json!({})).await.expect(200);
    desk.browser.delete(&withdrawal).await.expect_problem(409, "is_out");
}

#[tokio::test]
async fn a_bracket_cannot_be_broken_by_hand() {
    let (_club, mut desk) = Desk::open(json!({"system": "knockout", "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    let rounds = desk.path("/rounds");
    let pairs = |pairs: &[(u8, u8)]| {
        let board = |(white, black): &(u8, u8)| json!({"white": white, "black": black});
        json!({"boards": pairs.iter().map(board).collect::<Vec<_>>()})
    };
    for wrong in [&[(1, 2), (3, 4)][..], &[(1, 4)], &[(1, 4), (2, 3), (1, 2)]] {
        let refused = desk.browser.post(&rounds, pairs(wrong)).await;
        assert_eq!(refused.status, 409, "{wrong:?}");
    }
    // Boards and colours are the director's to change.
    desk.browser.post(&rounds, pairs(&[(3, 2), (4, 1)])).await.expect(201);
    let first = desk.path("/rounds/1");
    let broken = desk.browser.put(&first, pairs(&[(1, 2), (3, 4)])).await;
    broken.expect_problem(409, "not_in_bracket");
    desk.browser.put(&first, pairs(&[(1, 4), (2, 3)])).await.expect(200);
    let decisions = desk.path("/decisions");
    desk.browser.post(&decisions, json!({"winner": 1, "loser": 4})).await.expect(200);
    desk.browser.delete(&first).await.expect_problem(409, "decided_since");
    desk.finish(1, "1-0").await;
    desk.publish().await;
    assert_eq!(desk.round(2).await["boards"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn late_entries_are_numbered_by_strength_until_round_four_is_paired() {
    let (_club, mut desk) =
        Desk::open(json!({"rounds": 7, "first_color": "white", "entry": {"late_until": 9}})).await;
    desk.enter(6).await;
    desk.go_to("running").await;
    let seeds = |event: &Value| -> Vec<u64> {
        let players = event["players"].as_array().unwrap();
        players.iter().map(|player| player["seed"].as_u64().unwrap()).collect()
    };
    let players = desk.path("/players");
    let late = |name: &str, rating: u16| json!({"people": [{"name": name, "rating": rating}]});
    let event = desk.browser.post(&players, late("Strong, Test", 2_200)).await.expect(201);
    assert_eq!(seeds(&event), [2, 3, 4, 5, 6, 7, 1], "before round 1 as if they had been there");
    desk.publish().await;
    let before = desk.round(1).await;
    let event = desk.browser.post(&players, late("Middle, Test", 1_965)).await.expect(201);
    assert_eq!(seeds(&event), [2, 3, 4, 6, 7, 8, 1, 5]);
    assert_eq!(desk.round(1).await, before, "what is paired stays");
    for round in 1..=4 {
        desk.finish(round, "1-0").await;
        if round < 4 {
            desk.publish().await;
        }
    }
    let event = desk.browser.post(&players, late("Latest, Test", 2_300)).await.expect(201);
    assert_eq!(seeds(&event), [2, 3, 4, 6, 7, 8, 1, 5, 9], "the others keep their numbers now");
}

#[tokio::test]
async fn a_table_takes_late_entries_until_it_is_drawn() {
    let (_club, mut desk) = Desk::open(json!({"system": "round_robin"})).await;
    desk.enter(3).await;
    desk.go_to("running").await;
    let players = desk.path("/players");
    let one = json!({"people": [{"name": "Late, Test", "rating": 2_500}]});
    let event = desk.browser.post(&players, one).await.expect(201);
    assert_eq!(event["players"][3]["seed"], 1);
    desk.publish().await;
    let two = json!({"people": [{"name": "Later, Test"}]});
    desk.browser.post(&players, two).await.expect_problem(409, "entry_closed");
}

#[tokio::test]
async fn a_round_waits_for_those_who_are_in_another_game_but_not_for_ever() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 2}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "dora", "emil"]).await;
    let mut carl = club.player("carl").await;
    let other = all[0].0.browser.challenge(json!({"time": blitz(), "color": "white"})).await;
    carl.accept(&other).await.expect(200);
    desk.go_to("running").await;
    for _ in 0..3 {
        club.time.advance(5_000);
        assert_eq!(desk.show().await["rounds"], json!([]), "anna plays elsewhere");
    }
    carl.post(&format!("/api/v1/games/{other}/resignation"), json!({})).await.expect(200);
    as_time_goes_by(&club, &mut desk, 1).await;
    play_round(&mut desk, 1, &mut all).await;
    until(&mut desk, |event| open_boards(event) == 0).await;
    let other = all[1].0.browser.challenge(json!({"time": blitz(), "color": "white"})).await;
    carl.accept(&other).await.expect(200);
    as_time_goes_by(&club, &mut desk, 2).await;
}

/// Lets time go on, five seconds a step, until so many rounds are published.
async fn as_time_goes_by(club: &crate::club::Club, desk: &mut Desk, rounds: usize) {
    for _ in 0..55 {
        if desk.show().await["rounds"].as_array().unwrap().len() == rounds {
            return;
        }
        club.time.advance(5_000);
        #[allow(clippy::disallowed_methods, reason = "the server's own tasks need real time")]
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("round {rounds} never came: {}", desk.show().await);
}

#[tokio::test]
async fn an_event_says_how_long_an_absent_player_is_waited_for() {
    let pace = json!({"automatic": false, "no_show_seconds": 60, "disconnect": "claim",
        "disconnect_seconds": 7});
    let (club, mut desk, mut all) = seated(&json!({ "pace": pace }), &["anna", "bert"]).await;
    let (event, board) = (desk.show().await, desk.board(1, 1).await);
    let game = board["game"].as_str().unwrap().to_owned();
    let number = usize::try_from(board["white"].as_u64().unwrap()).unwrap();
    let white = event["players"][number - 1]["account"].clone();
    if all[0].0.id != white.as_str().unwrap() {
        all.reverse();
    }
    for (_, socket) in &mut all {
        socket.join_game(&game).await;
    }
    for (ply, side, uci) in [(0, 0, "e2e4"), (1, 1, "e7e5"), (2, 0, "g1f3")] {
        all[side].0.browser.make_move(&game, ply, uci).await;
    }
    let (_, black) = all.pop().unwrap();
    drop(black);
    let (_, mut white) = all.pop().unwrap();
    while white.next_of("around").await["around"]["present"]["black"] != json!(false) {}
    let claim = json!({"t": "claim_abandonment", "game": game, "claim": "win"});
    club.time.advance(6_000);
    white.send(claim.clone()).await;
    assert_eq!(white.next_of("rejected").await["code"], "not_abandoned");
    club.time.advance(2_000);
    white.send(claim).await;
    until(&mut desk, |event| open_boards(event) == 0).await;
    assert_eq!(desk.board(1, 1).await["result"], "1-0");
}

#[tokio::test]
async fn a_correction_says_why_to_the_log_and_to_the_players() {
    let (_club, mut desk, mut all) = seated(&json!({}), &["anna", "bert"]).await;
    let game = desk.board(1, 1).await["game"].as_str().unwrap().to_owned();
    let resignation = format!("/api/v1/games/{game}/resignation");
    all[0].0.browser.post(&resignation, json!({})).await.expect(200);
    until(&mut desk, |event| open_boards(event) == 0).await;
    let form = json!({"result": "1/2-1/2", "reason": " A wrong button was pressed. "});
    let path = desk.path("/rounds/1/boards/1/result");
    desk.browser.put(&path, form).await.expect(200);
    let told = desk.last_act().await;
    assert!(told["detail"].as_str().unwrap().ends_with(": A wrong button was pressed."), "{told}");
    let decisions = format!("/api/v1/games/{game}/decisions");
    let read = all[0].0.browser.get(&decisions).await.expect(200);
    assert!(read.to_string().contains("A wrong button was pressed."), "{read}");
}
