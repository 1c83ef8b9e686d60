//! Events whose games are played here.

use serde_json::{Value, json};
use server::config::{GamesConfig, Settings};

use super::Desk;
use crate::client::Socket;
use crate::club::{Club, settings};
use crate::staff::Person;

pub(super) const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

pub(super) fn online(more: &Value) -> Value {
    let mut regulations = json!({
        "online": true, "rated": true, "first_color": "white",
        "time": {"kind": "fischer", "initial_ms": 180_000, "increment_ms": 0},
        "pace": {"automatic": true, "pause_seconds": 30, "no_show_seconds": 20},
    });
    regulations.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    regulations
}

/// Members who have entered, with their sockets.
pub(super) async fn players(club: &Club, desk: &mut Desk, names: &[&str]) -> Vec<(Person, Socket)> {
    let mut all = Vec::new();
    for name in names {
        let mut person = club.member(name).await;
        person.browser.post(&desk.path("/entry"), json!({})).await.expect(200);
        let socket = person.browser.socket().await;
        all.push((person, socket));
    }
    all
}

/// Every player's next game, told by the server without having asked.
pub(super) async fn called(all: &mut [(Person, Socket)]) -> Vec<String> {
    let mut games = Vec::new();
    for (_, socket) in all.iter_mut() {
        games.push(socket.next_of("begin").await["game"].as_str().unwrap().to_owned());
    }
    games
}

/// Plays the fool's mate at every board of a round.
pub(super) async fn play_round(desk: &mut Desk, round: u64, all: &mut [(Person, Socket)]) {
    let event = desk.show().await;
    let place = |number: &Value| {
        let player = event["players"]
            .as_array()
            .unwrap()
            .iter()
            .find(|player| player["number"] == *number)
            .unwrap();
        let account = player["account"].as_str().unwrap();
        all.iter().position(|(person, _)| person.id == account).unwrap()
    };
    let boards = desk.round(round).await["boards"].as_array().unwrap().clone();
    let seats: Vec<(usize, usize, String)> = boards
        .iter()
        .map(|board| {
            (
                place(&board["white"]),
                place(&board["black"]),
                board["game"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    for (white, black, game) in seats {
        for (ply, uci) in FOOLS_MATE.iter().enumerate() {
            let mover = if ply % 2 == 0 { white } else { black };
            let path = format!("/api/v1/games/{game}/moves");
            all[mover].0.browser.post(&path, json!({"ply": ply, "uci": uci})).await.expect(200);
        }
    }
}

/// Waits until the event looks like this.
pub(super) async fn until(desk: &mut Desk, fits: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..2_000 {
        let event = desk.show().await;
        if fits(&event) {
            return event;
        }
        tokio::task::yield_now().await;
        #[allow(clippy::disallowed_methods, reason = "the server's own tasks need real time")]
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("it never came: {}", desk.show().await);
}

pub(super) fn open_boards(event: &Value) -> u64 {
    event["rounds"].as_array().unwrap().last().map_or(0, |round| round["open"].as_u64().unwrap())
}

#[tokio::test]
async fn an_online_swiss_runs_by_itself_and_takes_a_late_entry() {
    let (club, mut desk) =
        Desk::open(online(&json!({"rounds": 3, "entry": {"late_until": 2}}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    for round in 1..=3 {
        until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == round).await;
        let games = called(&mut all).await;
        assert_eq!(games.len(), all.len());
        play_round(&mut desk, round as u64, &mut all).await;
        let event = until(&mut desk, |event| open_boards(event) == 0).await;
        if round == 1 {
            assert!(event["next_at"].is_number(), "the next round is announced");
            all.extend(players(&club, &mut desk, &["emil", "fine"]).await);
        }
        if round < 3 {
            club.time.advance(30_000);
        }
    }
    let event = until(&mut desk, |event| event["state"] == "finished").await;
    assert_eq!(event["has_ended"], true);
    let standings = desk.standings().await;
    assert_eq!(standings["rows"].as_array().unwrap().len(), 6);
    let card = desk.browser.get(&desk.path("/players/1")).await.expect(200);
    assert!(card["rating_change"].is_number(), "rated games change ratings: {card}");
    let pgn = desk.browser.get(&desk.path("/export.pgn")).await.text;
    assert!(pgn.contains("[Event \"Autumn Cup\"]") && pgn.contains("Qh4#"), "{pgn}");
}

#[tokio::test]
async fn a_director_who_publishes_by_hand_is_warned_of_a_player_in_another_game() {
    let by_hand = json!({"rounds": 2, "pace": {"automatic": false}});
    let (club, mut desk) = Desk::open(online(&by_hand)).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    let proposal = desk.path("/proposal");
    let proposed = desk.browser.get(&proposal).await.expect(200);
    assert_eq!(proposed["warnings"], json!([]));

    let fresh = json!({"time": crate::club::blitz(), "color": "white"});
    let game = all[0].0.browser.challenge(fresh).await;
    club.guest().await.accept(&game).await.expect(200);
    let proposed = desk.browser.get(&proposal).await.expect(200);
    let warned = |answer: &Value| {
        let warnings = answer["warnings"].as_array().unwrap().clone();
        warnings
            .iter()
            .filter(|it| it.as_str().unwrap().starts_with("anna is in another game"))
            .count()
    };
    assert_eq!(warned(&proposed), 1, "{proposed}");
    let form = json!({"boards": proposed["boards"], "byes": []});
    let checked = desk.browser.post(&desk.path("/proposal/check"), form).await.expect(200);
    assert_eq!(warned(&checked), 1, "{checked}");
    // It is a warning: the director knows best.
    desk.publish().await;
    called(&mut all[1..]).await;
}

#[tokio::test]
async fn an_event_may_be_played_by_the_rules_of_fide() {
    for rules in ["online", "fide"] {
        let (club, mut desk) = Desk::open(online(&json!({"rounds": 1, "rules": rules}))).await;
        desk.go_to("registration").await;
        let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
        desk.go_to("running").await;
        let game = called(&mut all).await.remove(0);
        let view = club.browser().get(&format!("/api/v1/games/{game}")).await.expect(200);
        assert_eq!(view["draws_by_claim"], rules == "fide");
    }
}

#[tokio::test]
async fn who_does_not_come_loses_by_forfeit() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 2}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    club.time.advance(20_000);
    until(&mut desk, |event| open_boards(event) == 0).await;
    assert_eq!(desk.round(1).await["boards"][0]["result"], "-+", "White was to move first");
    let pgn = desk.browser.get(&desk.path("/export.pgn")).await.text;
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.trim_end().ends_with("0-1"), "{pgn}");
}

/// A round of GMO at two boards, of which these sides hand in their armies: the results once the wait is over.
async fn results_without_armies(ready: [&[&str]; 2]) -> [Value; 2] {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1, "variant": "gmo"}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    let event = desk.show().await;
    let boards = desk.round(1).await["boards"].as_array().unwrap().clone();
    for (board, sides) in boards.iter().zip(ready) {
        let game = board["game"].as_str().unwrap();
        for side in sides {
            let mut entrants = event["players"].as_array().unwrap().iter();
            let entrant = entrants.find(|it| it["number"] == board[*side]).unwrap();
            let is_one = |(it, _): &&mut (Person, Socket)| entrant["account"] == it.id.as_str();
            let (person, _) = all.iter_mut().find(is_one).unwrap();
            let king = if *side == "white" { "e1" } else { "e8" };
            let army = json!({"preset": "classic", "kings": [king]});
            person.browser.post(&format!("/api/v1/games/{game}/army"), army).await.expect(200);
        }
    }
    // Twenty seconds to come, and three minutes to choose.
    club.time.advance(199_000);
    assert_eq!(open_boards(&desk.show().await), 2);
    club.time.advance(1_000);
    until(&mut desk, |event| open_boards(event) == 0).await;
    let boards = desk.round(1).await["boards"].clone();
    [boards[0]["result"].clone(), boards[1]["result"].clone()]
}

#[tokio::test]
async fn who_hands_in_no_army_in_time_loses_by_forfeit() {
    assert_eq!(results_without_armies([&["white"], &["black"]]).await, ["+-", "-+"]);
    assert_eq!(results_without_armies([&[], &["white"]]).await, ["--", "+-"]);
}

#[tokio::test]
async fn within_a_window_a_game_begins_when_its_players_like_and_no_clock_runs_before() {
    const DAY: i64 = 86_400_000;
    let pace = json!({"automatic": true, "pause_seconds": 30, "no_show_seconds": 2 * DAY / 1_000});
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1, "pace": pace}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    club.time.advance(2 * DAY - 60_000);
    let boards = desk.round(1).await["boards"].as_array().unwrap().clone();
    let game = boards[0]["game"].as_str().unwrap().to_owned();
    let event = desk.show().await;
    let white = event["players"].as_array().unwrap().iter();
    let white = white.clone().find(|it| it["number"] == boards[0]["white"]).unwrap();
    let (person, _) = all.iter_mut().find(|(it, _)| white["account"] == it.id.as_str()).unwrap();
    let path = format!("/api/v1/games/{game}/moves");
    let view = person.browser.post(&path, json!({"ply": 0, "uci": "e2e4"})).await.expect(200);
    assert_eq!(view["clocks"]["white_ms"], 180_000, "{view}");
    // The other pair has let its time pass.
    club.time.advance(60_000);
    until(&mut desk, |event| open_boards(event) == 1).await;
    let boards = desk.round(1).await["boards"].clone();
    assert_eq!((&boards[0]["result"], &boards[1]["result"]), (&Value::Null, &json!("-+")));
}

#[tokio::test]
async fn a_knockout_goes_on_with_the_higher_seed_if_neither_comes() {
    let (club, mut desk) = Desk::open(online(&json!({"system": "knockout"}))).await;
    desk.go_to("registration").await;
    let all = players(&club, &mut desk, &["anna", "bert"]).await;
    for (_, socket) in all {
        drop(socket);
    }
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    club.time.advance(20_000);
    until(&mut desk, |event| event["state"] == "finished").await;
    let standings = desk.standings().await;
    assert_eq!(standings["rows"][0]["player"], 1);
    assert_eq!(desk.round(1).await["boards"][0]["result"], "--");
}

#[tokio::test]
async fn a_knockout_goes_on_without_empty_rounds_if_both_of_a_match_have_withdrawn() {
    let pace = json!({"automatic": true, "pause_seconds": 0, "no_show_seconds": 20});
    let regulations = online(&json!({"system": "knockout", "pace": pace}));
    let (club, mut desk) = Desk::open(regulations).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora", "emil"]).await;
    desk.go_to("running").await;
    // The last two of the list meet first; the others stand in the next round already.
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    for player in [2, 3] {
        let withdrawal = desk.path(&format!("/players/{player}/withdrawal"));
        desk.browser.post(&withdrawal, json!({})).await.expect(200);
    }
    called(&mut all[3..]).await;
    play_round(&mut desk, 1, &mut all).await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 2).await;
    let second = desk.round(2).await["boards"].clone();
    assert_eq!(second.as_array().unwrap().len(), 1, "nobody plays the other match: {second}");
    play_round(&mut desk, 2, &mut all).await;
    let event = until(&mut desk, |event| event["state"] == "finished").await;
    assert_eq!(event["rounds"].as_array().unwrap().len(), 3);
    let last = desk.round(3).await["boards"][0].clone();
    let absent = if last["white"] == 2 { "-+" } else { "+-" };
    assert_eq!(last["result"], absent, "the higher seed of the two went on: {last}");
}

#[tokio::test]
async fn an_event_that_cannot_begin_says_why_to_those_who_run_it_and_begins_once_it_can() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1}))).await;
    let regulations = desk.show().await["regulations"].clone();
    let soon = club.time.now().0 + 60_000;
    let form = json!({"name": "Autumn Cup", "starts_at": soon, "regulations": regulations});
    desk.browser.put(&desk.path(""), form).await.expect(200);
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna"]).await;
    assert_eq!(desk.show().await["next_at"], soon);
    club.time.advance(60_000);
    let event = until(&mut desk, |event| !event["stuck"].is_null()).await;
    assert_eq!(event["stuck"]["code"], "too_few_players", "{event}");
    assert_eq!(event["next_at"], Value::Null, "no clock stands at nought");
    let seen = all[0].0.browser.get(&desk.path("")).await.expect(200);
    assert_eq!(seen["stuck"], Value::Null, "it is nothing a player could change");
    let club = club.crash_and_start_after(1_000).await;
    desk.browser.move_to(club.address);
    assert_eq!(desk.show().await["stuck"]["code"], "too_few_players", "a start forgets nothing");
    all.extend(players(&club, &mut desk, &["bert"]).await);
    let event = until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    assert_eq!((&event["state"], &event["stuck"]), (&json!("running"), &Value::Null));
}

#[tokio::test]
async fn games_that_end_while_nobody_counts_are_counted_after_a_start() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    play_round(&mut desk, 1, &mut all).await;
    let club = club.crash_and_start_after(1_000).await;
    desk.browser.move_to(club.address);
    until(&mut desk, |event| event["state"] == "finished").await;
    assert_eq!(desk.round(1).await["boards"][0]["result"], "0-1");
}

#[tokio::test]
async fn the_file_of_all_games_shows_a_running_one_as_late_as_its_watchers_see_it() {
    let late = GamesConfig { watch_delay_seconds: 10 };
    let (club, mut desk) =
        Desk::open_as(Settings { games: late, ..settings() }, online(&json!({"rounds": 1}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    let game = called(&mut all).await.remove(0);
    let path = format!("/api/v1/games/{game}/moves");
    // Whoever has White.
    for (person, _) in &mut all {
        person.browser.post(&path, json!({"ply": 0, "uci": "e2e4"})).await;
    }
    let file = desk.path("/export.pgn");
    let mut watcher = club.browser();
    let seen = watcher.get(&file).await.text;
    assert!(seen.contains("[White \"") && !seen.contains("e4"), "{seen}");
    let own = all[0].0.browser.get(&file).await.text;
    assert!(own.contains("1. e4"), "those who play see their game: {own}");
    club.time.advance(10_000);
    let seen = watcher.get(&file).await.text;
    assert!(seen.contains("1. e4"), "{seen}");
}

#[tokio::test]
async fn the_room_of_an_event_hears_rounds_results_and_words() {
    let (club, mut desk) = Desk::open(json!({"first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    let mut watcher = club.browser().socket().await;
    watcher.send(json!({"t": "join", "room": format!("event:{}", desk.id)})).await;
    let state = watcher.next_of("state").await;
    assert_eq!((&state["state"]["kind"], &state["state"]["playing"]), (&json!("event"), &json!(4)));
    desk.publish().await;
    let state = watcher.next_of("state").await;
    assert_eq!(state["state"]["round"]["boards"].as_array().unwrap().len(), 2);
    club.time.advance(1_000);
    desk.result(1, 1, "1-0").await;
    let state = watcher.next_of("state").await;
    assert_eq!(state["state"]["rows"][0]["points"], "1.0");
    let mut member = club.member("anna").await.browser.socket().await;
    member.send(json!({"t": "event_chat", "event": desk.id, "text": " good luck "})).await;
    let line = watcher.next_of("event_chat").await;
    assert_eq!(
        (&line["line"]["text"], &line["line"]["by"]["name"]),
        (&json!("good luck"), &json!("anna"))
    );
    watcher.send(json!({"t": "event_chat", "event": desk.id, "text": "me too"})).await;
    assert_eq!(watcher.next_of("rejected").await["code"], "not_your_game");
}

#[tokio::test]
async fn whoever_listens_to_an_event_is_told_when_it_is_deleted_and_its_games_go_on() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    let game = called(&mut all).await.remove(0);
    let (_, listener) = &mut all[0];
    let room = format!("event:{}", desk.id);
    listener.send(json!({"t": "join", "room": room})).await;
    listener.next_of("state").await;
    let confirmed = Some(json!({"name": "Autumn Cup"}).to_string());
    desk.browser.request("DELETE", &desk.path(""), confirmed).await.expect(204);
    let gone = listener.next_of("gone").await;
    assert_eq!((&gone["room"], &gone["code"]), (&json!(room), &json!("unknown_event")));
    let log = desk.browser.get("/api/v1/admin/audit").await.expect(200);
    let newest = &log["lines"][0];
    assert_eq!(
        (&newest["act"], &newest["detail"], &newest["actor"]["name"]),
        (&json!("event_deleted"), &json!("Autumn Cup"), &json!("boss"))
    );
    let resignation = format!("/api/v1/games/{game}/resignation");
    all[0].0.browser.post(&resignation, json!({})).await.expect(200);
}

#[tokio::test]
async fn an_arena_pairs_whoever_is_free_until_its_time_is_over() {
    let (club, mut desk) =
        Desk::open(online(&json!({"system": "arena", "arena": {"minutes": 5}}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    for round in 1..=2_u64 {
        club.time.advance(2_000);
        until(&mut desk, |event| event["rounds"].as_array().unwrap().len() as u64 == round).await;
        called(&mut all).await;
        if round == 1 {
            go_berserk(&mut desk, &mut all).await;
        }
        play_round(&mut desk, round, &mut all).await;
        until(&mut desk, |event| open_boards(event) == 0).await;
    }
    club.time.advance(300_000);
    until(&mut desk, |event| event["state"] == "finished").await;
    let points: u64 = super::column(&desk.standings().await, "points")
        .iter()
        .map(|points| points.as_str().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(points, 8, "four wins of two points, too short for a further one");
}

#[tokio::test]
async fn the_room_of_an_arena_hears_the_open_boards_of_all_waves() {
    let (club, mut desk) =
        Desk::open(online(&json!({"system": "arena", "arena": {"minutes": 5}}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    all.extend(players(&club, &mut desk, &["carl", "dora"]).await);
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 2).await;
    let mut watcher = club.browser().socket().await;
    watcher.send(json!({"t": "join", "room": format!("event:{}", desk.id)})).await;
    let state = watcher.next_of("state").await["state"].clone();
    assert_eq!(super::list(&state["open"], "round"), [1, 2]);
    assert_eq!(state["round"]["boards"].as_array().unwrap().len(), 1, "the last wave");
    for row in desk.standings().await["rows"].as_array().unwrap() {
        assert_eq!(row["cells"].as_array().unwrap().len(), 1, "not the waves of others");
    }
}

#[tokio::test]
async fn a_game_names_its_event_to_those_who_may_know_of_it() {
    for (visibility, watcher_knows) in [("public", true), ("unlisted", false), ("private", false)] {
        let (club, mut desk) =
            Desk::open(online(&json!({"system": "arena", "arena": {"minutes": 5}}))).await;
        let mut form = desk.show().await;
        form["visibility"] = json!(visibility);
        desk.browser.put(&desk.path(""), form).await.expect(200);
        desk.go_to("registration").await;
        let (mut anna, bert) = (club.member("anna").await, club.member("bert").await);
        let path = desk.path("/players");
        desk.browser.post(&path, json!({"members": ["anna", "bert"]})).await.expect(201);
        desk.go_to("running").await;
        let _here = (anna.browser.socket().await, bert.browser.socket().await);
        club.time.advance(2_000);
        until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
        let game = desk.round(1).await["boards"][0]["game"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/games/{game}/event");
        let told = anna.browser.get(&path).await.expect(200);
        assert_eq!(
            (&told["event"]["name"], &told["event"]["berserk"]),
            (&json!("Autumn Cup"), &json!(true))
        );
        let answer = club.browser().get(&path).await;
        if visibility == "private" {
            answer.expect_problem(404, "unknown_game");
        } else {
            let told = answer.expect(200);
            assert_eq!(told["event"]["id"] == desk.id.as_str(), watcher_knows, "{visibility}");
            assert_ne!(told["event"]["berserk"], true, "of others");
        }
        let elsewhere = "/api/v1/games/AAAAAAAA/event";
        anna.browser.get(elsewhere).await.expect_problem(404, "unknown_game");
    }
}

#[tokio::test]
async fn a_private_arena_comes_back_from_its_file_as_it_was() {
    let (club, mut desk) =
        Desk::open(online(&json!({"system": "arena", "arena": {"minutes": 5}}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    play_round(&mut desk, 1, &mut all).await;
    until(&mut desk, |event| open_boards(event) == 0).await;
    let withdrawal = desk.path("/players/2/withdrawal");
    desk.browser.post(&withdrawal, json!({})).await.expect(200);
    let before = desk.standings().await;
    let text = desk.browser.get(&desk.path("/export.json")).await.text;
    let mut file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&file["visibility"], &file["players"][1]["barred"]),
        (&json!("public"), &json!(true))
    );
    assert_eq!(file["rounds"][0]["boards"][0]["moves"], 2);
    file["visibility"] = json!("private");
    // As if it had been a long game that Black won with half the clock.
    let black = file["rounds"][0]["boards"][0]["black"].clone();
    file["rounds"][0]["boards"][0]["moves"] = json!(40);
    file["rounds"][0]["boards"][0]["berserks"] = json!([black]);
    let form = json!({"text": file.to_string()});
    let made = desk.browser.post("/api/v1/events/import", form).await.expect(201);
    assert_eq!(
        (&made["visibility"], &made["ends_at"]),
        (&json!("private"), &desk.show().await["ends_at"])
    );
    let again = format!("/api/v1/events/{}", made["id"].as_str().unwrap());
    let points = |standings: &Value, player: &Value| -> u64 {
        let rows = standings["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["player"] == *player).unwrap();
        row["points"].as_str().unwrap().parse().unwrap()
    };
    let after = desk.browser.get(&format!("{again}/standings")).await.expect(200);
    assert_eq!(points(&after, &black), points(&before, &black) + 1);
    let written = desk.browser.get(&format!("{again}/export.json")).await.text;
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap()["rounds"], file["rounds"]);
}

/// Black of the first board halves the clock; a second time, or as somebody else, it is refused.
async fn go_berserk(desk: &mut Desk, all: &mut [(Person, Socket)]) {
    let event = desk.show().await;
    let board = desk.round(1).await["boards"][0].clone();
    let game = board["game"].as_str().unwrap();
    let path = desk.path(&format!("/games/{game}/berserk"));
    for (person, _) in all.iter_mut() {
        let number = event["players"]
            .as_array()
            .unwrap()
            .iter()
            .find(|player| player["account"] == person.id.as_str());
        let sits_black = number.is_some_and(|player| player["number"] == board["black"]);
        let answer = person.browser.post(&path, json!({})).await;
        match (sits_black, number.is_some_and(|player| player["number"] == board["white"])) {
            (true, _) => {
                answer.expect(200);
                let view = person.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
                assert_eq!(view["clocks"]["black_ms"], 90_000);
                person.browser.post(&path, json!({})).await.expect_problem(409, "nothing_to_do");
            }
            (false, true) => drop(answer.expect(200)),
            (false, false) => answer.expect_problem(409, "nothing_to_do"),
        }
    }
}

#[tokio::test]
async fn an_online_round_is_taken_back_as_long_as_nobody_has_moved() {
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 3}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl", "dora"]).await;
    desk.go_to("running").await;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    let games = called(&mut all).await;
    assert_eq!(desk.round(1).await["can_unpair"], true);
    let first = desk.path("/rounds/1");
    let event = desk.browser.delete(&first).await.expect(200);
    assert_eq!(event["rounds"], json!([]));
    assert_eq!(
        event["stuck"]["code"], "round_taken_back",
        "nothing begins before the director says so"
    );
    for game in &games {
        let view = desk.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
        assert_eq!(view["outcome"]["kind"], "aborted", "{view}");
    }
    desk.publish().await;
    let again = called(&mut all).await;
    assert!(again.iter().all(|game| !games.contains(game)), "other games");
    // Whoever has White of that game.
    let path = format!("/api/v1/games/{}/moves", again[0]);
    for (person, _) in &mut all {
        person.browser.post(&path, json!({"ply": 0, "uci": "e2e4"})).await;
    }
    desk.browser.delete(&first).await.expect_problem(409, "round_begun");
    let view = desk.browser.get(&format!("/api/v1/games/{}", again[1])).await.expect(200);
    assert_eq!(view["outcome"], Value::Null, "nothing was annulled: {view}");
}

#[tokio::test]
async fn ties_of_an_online_knockout_are_played_off_with_the_faster_clock() {
    let faster = json!({"kind": "fischer", "initial_ms": 60_000, "increment_ms": 0});
    let rules = json!({"games": 1, "tie_break_games": 1, "tie_break_time": faster});
    let more = json!({"system": "knockout", "knockout": rules,
        "pace": {"automatic": true, "pause_seconds": 0, "no_show_seconds": 20}});
    let (club, mut desk) = Desk::open(online(&more)).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    for (round, initial) in [(1, 180_000), (2, 60_000)] {
        until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == round).await;
        let game = called(&mut all).await.remove(0);
        let view = desk.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
        assert_eq!(view["time"]["initial_ms"], initial, "round {round}: {view}");
        desk.result(round as u64, 1, "1/2-1/2").await;
    }
    let event = until(&mut desk, |event| !event["stuck"].is_null()).await;
    assert_eq!(event["stuck"]["code"], "level_match", "{event}");
    let lot = json!({"winner": 1, "loser": 2, "by_lot": true});
    desk.browser.post(&desk.path("/decisions"), lot).await.expect(200);
    until(&mut desk, |event| event["state"] == "finished").await;
}

#[tokio::test]
async fn an_event_whose_games_cannot_begin_stands_still_and_says_why() {
    use server::tournaments::event::{Deed, Doing, change_between, from_store};
    let (club, mut desk) = Desk::open(online(&json!({"rounds": 1}))).await;
    desk.go_to("registration").await;
    players(&club, &mut desk, &["anna", "bert"]).await;
    // As a program may have left it that did not look at the first position.
    let old = from_store(club.store().load_event(desk.id.parse().unwrap()).await.unwrap()).unwrap();
    let mut new = old.clone();
    new.regulations.start = Some("abc".to_owned());
    new.version += 1;
    let deed = Deed { act: "described", detail: String::new(), undo: None };
    let doing = Doing { actor: None, at: club.time.now() };
    let change = change_between(&old, &new, Vec::new(), &deed, doing).unwrap();
    club.store().change_event(change).await.unwrap();
    desk.go_to("running").await;
    let event = until(&mut desk, |event| !event["stuck"].is_null()).await;
    assert_eq!(event["stuck"]["code"], "no_game", "{event}");
    let answer = desk.browser.post(&desk.path("/rounds"), json!({})).await;
    answer.expect_problem(409, "no_game");
}

#[tokio::test]
async fn the_room_of_an_event_hears_of_everything_that_a_page_shows() {
    let (club, mut desk) = Desk::open(json!({"rounds": 3, "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("registration").await;
    let mut watcher = club.browser().socket().await;
    watcher.send(json!({"t": "join", "room": format!("event:{}", desk.id)})).await;
    let mut known = watcher.next_of("state").await["state"]["facts"].as_i64().unwrap();
    assert_eq!(desk.show().await["facts"], known);
    let regulations = desk.show().await["regulations"].clone();
    let form = json!({"name": "Winter Cup", "regulations": regulations});
    let person = json!({"name": "P01, Other", "rating": 1990});
    for (path, body) in [
        ("/players/1/presence", json!({"present": true})),
        ("/players/1", person),
        ("/players/2/byes/3", json!({"bye": "half"})),
        ("", form),
    ] {
        desk.browser.put(&desk.path(path), body).await.expect(200);
        club.time.advance(1_000);
        let facts = watcher.next_of("state").await["state"]["facts"].as_i64().unwrap();
        assert!(facts > known, "{path}");
        known = facts;
    }
    desk.go_to("running").await;
    for round in 1..=2 {
        desk.publish().await;
        desk.finish(round, "1-0").await;
    }
    let before = desk.show().await["facts"].clone();
    desk.publish().await;
    desk.result(3, 1, "1-0").await;
    assert_eq!(
        desk.show().await["facts"],
        before,
        "results of the last round are told as they are"
    );
    desk.result(1, 1, "0-1").await;
    assert_ne!(desk.show().await["facts"], before, "those of an earlier one change the table");
}

#[tokio::test]
async fn who_does_not_come_to_an_arena_is_not_paired_again_though_the_director_withdraws_players() {
    let arena = json!({"system": "arena", "arena": {"minutes": 5},
        "entry": {"withdrawal": "by_director"}});
    let (club, mut desk) = Desk::open(online(&arena)).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert"]).await;
    desk.go_to("running").await;
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    called(&mut all).await;
    club.time.advance(20_000);
    let withdrawn = |event: &Value| {
        let players = event["players"].as_array().unwrap();
        players.iter().filter(|player| player["state"] == "withdrawn").count()
    };
    let event = until(&mut desk, |event| withdrawn(event) == 1).await;
    assert_eq!(event["rounds"].as_array().unwrap().len(), 1);
    // Who has come meanwhile plays on.
    let absent =
        event["players"].as_array().unwrap().iter().position(|it| it["state"] == "withdrawn");
    let person = &mut all[absent.unwrap()].0;
    person.browser.post(&desk.path("/entry"), json!({})).await.expect(200);
}

#[tokio::test]
async fn a_game_of_an_arena_that_is_annulled_blocks_nobody() {
    let (club, mut desk) =
        Desk::open(online(&json!({"system": "arena", "arena": {"minutes": 5}}))).await;
    desk.go_to("registration").await;
    let mut all = players(&club, &mut desk, &["anna", "bert", "carl"]).await;
    desk.go_to("running").await;
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 1).await;
    let game = desk.round(1).await["boards"][0]["game"].as_str().unwrap().to_owned();
    let ruling = json!({"act": "annul", "reason": "The board was set up wrongly."});
    let path = format!("/api/v1/arbiter/games/{game}/rulings");
    desk.browser.post(&path, ruling).await.expect(200);
    until(&mut desk, |event| open_boards(event) == 0).await;
    let event = desk.show().await;
    assert!(
        super::list(&event["players"], "state")
            .iter()
            .all(|state| state == "checked_in" || state == "entered")
    );
    let points =
        super::column(&desk.standings().await, "points").into_iter().cloned().collect::<Vec<_>>();
    assert_eq!(points, ["0", "0", "0"], "it counts for nobody");
    club.time.advance(2_000);
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == 2).await;
    drop(all.drain(..));
}
