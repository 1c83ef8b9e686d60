//! Events whose games are played here.

use serde_json::{Value, json};

use super::Desk;
use crate::client::Socket;
use crate::club::Club;
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
    for _ in 0..400 {
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
