//! Events by correspondence: all games at once. And private events, whose games only those see who play in them.

use serde_json::{Value, json};

use super::Desk;
use super::online::{FOOLS_MATE, online, open_boards, players, until};
use crate::club::Club;
use crate::staff::Person;

const DAY: i64 = 86_400_000;

/// A round robin by correspondence in which these play.
async fn slow_event(names: &[&str]) -> (Club, Desk, Vec<Person>) {
    let (club, mut desk) = Desk::open(json!({
        "online": true, "rated": true, "system": "round_robin", "at_once": true, "first_color": "white",
        "time": {"kind": "days", "per_move_ms": 3 * DAY, "leave_days": 14, "weekends_free": true},
        "tie_breaks": ["SB"], "pace": {"automatic": true},
    }))
    .await;
    desk.go_to("registration").await;
    let all = players(&club, &mut desk, names).await;
    desk.go_to("running").await;
    let rounds = names.len() - 1 + names.len() % 2;
    until(&mut desk, |event| event["rounds"].as_array().unwrap().len() == rounds).await;
    (club, desk, all.into_iter().map(|(person, _)| person).collect())
}

/// Every board of the event: round, white's and black's account, game.
async fn boards(desk: &mut Desk) -> Vec<(u64, String, String, String)> {
    let event = desk.show().await;
    let account = |number: &Value| {
        let player =
            event["players"].as_array().unwrap().iter().find(|one| one["number"] == *number);
        player.unwrap()["account"].as_str().unwrap().to_owned()
    };
    let mut found = Vec::new();
    for round in 1..=event["rounds"].as_array().unwrap().len() as u64 {
        for board in desk.round(round).await["boards"].as_array().unwrap() {
            let game = board["game"].as_str().unwrap().to_owned();
            found.push((round, account(&board["white"]), account(&board["black"]), game));
        }
    }
    found
}

#[tokio::test]
async fn all_games_of_a_correspondence_event_begin_together_and_end_one_by_one() {
    let (_club, mut desk, mut all) = slow_event(&["anna", "bert", "carl", "dora"]).await;
    let games = boards(&mut desk).await;
    assert_eq!(games.len(), 6, "everybody meets everybody");
    let seen = all[0].browser.get(&desk.path("")).await.expect(200);
    assert_eq!(seen["your_games"].as_array().unwrap().len(), 3);
    let view = all[0].browser.get(&format!("/api/v1/games/{}", games[0].3)).await.expect(200);
    let time = &view["time"];
    assert_eq!(
        (&time["kind"], &time["leave_days"], &time["weekends_free"]),
        (&json!("days"), &json!(14), &json!(true)),
        "as the event says: {view}"
    );
    // The last round's game may be the first that ends.
    for (round, white, black, game) in games.iter().rev() {
        for (ply, uci) in FOOLS_MATE.iter().enumerate() {
            let mover = if ply % 2 == 0 { white } else { black };
            let person = all.iter_mut().find(|person| person.id == *mover).unwrap();
            person.browser.make_move(game, u32::try_from(ply).unwrap(), uci).await;
        }
        let round = usize::try_from(round - 1).unwrap();
        let event = desk.show().await;
        let boards = event["rounds"][round]["boards"].as_u64().unwrap();
        until(&mut desk, |event| event["rounds"][round]["open"].as_u64().unwrap() < boards).await;
    }
    let event = until(&mut desk, |event| event["state"] == "finished").await;
    assert_eq!(open_boards(&event), 0);
    let points: f64 = super::column(&desk.standings().await, "points")
        .iter()
        .map(|points| points.as_str().unwrap().parse::<f64>().unwrap())
        .sum();
    assert!((points - 6.0).abs() < 0.01);
}

#[tokio::test]
async fn who_withdraws_from_a_correspondence_event_resigns_what_is_open() {
    let (_club, mut desk, mut all) = slow_event(&["anna", "bert", "carl"]).await;
    let anna = all[0].id.clone();
    all[0].browser.delete(&desk.path("/entry")).await.expect(200);
    let games = boards(&mut desk).await;
    let mine = |event: &Value| {
        event["rounds"].as_array().unwrap().iter().map(|r| r["open"].as_u64().unwrap()).sum::<u64>()
    };
    until(&mut desk, |event| mine(event) == 1).await;
    for (_, white, black, game) in games {
        let view = desk.browser.get(&format!("/api/v1/games/{game}")).await.expect(200);
        let is_annas = white == anna || black == anna;
        assert_eq!(view["outcome"]["by"] == "resign", is_annas, "{view}");
    }
}

#[tokio::test]
async fn only_a_round_robin_begins_all_games_at_once() {
    let (_club, mut desk) = Desk::open(json!({})).await;
    let path = desk.path("");
    let form = json!({"name": "Autumn Cup", "regulations": {"online": true, "at_once": true}});
    desk.browser.put(&path, form).await.expect_problem(422, "invalid_fields");
}

#[tokio::test]
async fn the_games_of_a_private_event_are_seen_by_those_who_play_in_it() {
    let (club, mut desk) = Desk::open(json!({})).await;
    let path = desk.path("");
    let regulations = online(&json!({"pace": {"automatic": false, "no_show_seconds": 60}}));
    let private = |visibility: &str| json!({"name": "Autumn Cup", "visibility": visibility, "regulations": regulations});
    desk.browser.put(&path, private("private")).await.expect(200);
    let mut insiders = Vec::new();
    for name in ["anna", "bert", "carl", "dora"] {
        insiders.push(club.member(name).await);
        let members = desk.path("/players");
        desk.browser.post(&members, json!({"members": [name]})).await.expect(201);
    }
    let mut stranger = club.member("emil").await;
    desk.go_to("running").await;
    desk.publish().await;
    let game = desk.round(1).await["boards"][0]["game"].as_str().unwrap().to_owned();
    let view = format!("/api/v1/games/{game}");
    for person in &mut insiders {
        assert_eq!(person.browser.get(&view).await.expect(200)["private"], true);
        person.browser.get(&format!("{view}/pgn")).await.expect(200);
        assert_eq!(person.browser.get(&desk.path("/export.pgn")).await.status, 200);
        let mut socket = person.browser.socket().await;
        socket.join_game(&game).await;
    }
    for mut other in [stranger.browser.clone(), club.browser()] {
        other.get(&view).await.expect_problem(404, "unknown_game");
        other.get(&desk.path("/export.pgn")).await.expect_problem(404, "unknown_event");
        let mut socket = other.socket().await;
        socket.send(json!({"t": "join", "room": format!("game:{game}")})).await;
        assert_eq!(socket.next_of("gone").await["code"], "unknown_game");
        socket.send(json!({"t": "join", "room": format!("event:{}", desk.id)})).await;
        assert_eq!(socket.next_of("gone").await["code"], "unknown_event");
    }
    let running = stranger.browser.get("/api/v1/games").await.expect(200);
    assert!(!running.to_string().contains(&game), "{running}");
    let listed = stranger.browser.get("/api/v1/events?query=autumn").await.expect(200);
    assert_eq!(listed["events"], json!([]));
    // What was private is not opened afterwards by the way.
    let mut regulations = desk.show().await["regulations"].clone();
    regulations["description"] = json!("changed");
    let form = json!({"name": "Autumn Cup", "visibility": "public", "regulations": regulations});
    desk.browser.put(&path, form).await.expect_problem(409, "locked");
}
