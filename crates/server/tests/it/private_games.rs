//! Private games: to anybody but their players and arbiters they are games that do not exist, wherever one asks.

use serde_json::{Value, json};
use server::http::access::{MESSAGES, TABLE};

use crate::client::{Browser, Socket};
use crate::club::{Club, blitz};
use crate::lobby_people::ids;

/// An id that nobody has.
const NOTHING: &str = "ZZZZZZZZ";

/// A private game of two members, White's first.
async fn private_game(club: &Club) -> (Browser, Browser, String) {
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.challenge(json!({"time": blitz(), "color": "white", "private": true})).await;
    bert.accept(&id).await.expect(200);
    (anna, bert, id)
}

/// Messages that are not about one game.
const OTHERS: [&str; 9] = [
    "ping",
    "join",
    "resume",
    "leave",
    "queue_join",
    "queue_leave",
    "event_chat",
    "analyse",
    "stop_analysis",
];

/// A body that has whatever any route of games and challenges asks for.
fn any_body() -> Value {
    json!({"ply": 0, "uci": "e2e4", "by": "position", "room": "watchers", "text": "hello", "reason": "later"})
}

/// What a route answers for an id, with that id taken out of it.
async fn answer(browser: &mut Browser, method: &str, path: &str, id: &str) -> (u16, String) {
    let path = path.replace("{id}", id).replace("{account}", "AAAAAAAA");
    let body = (method != "GET").then(|| any_body().to_string());
    let answer = browser.request(method, &path, body).await;
    (answer.status, answer.text.replace(id, "ID"))
}

#[tokio::test]
async fn every_route_answers_others_as_if_there_were_no_such_game() {
    let club = Club::open().await;
    let (mut anna, _bert, id) = private_game(&club).await;
    let others = [
        ("nobody", club.browser()),
        ("guest", club.guest().await),
        ("member", club.player("carl").await),
    ];
    let of_games = |path: &str| {
        path.starts_with("/api/v1/games/{id}") || path.starts_with("/api/v1/challenges/{id}")
    };
    let mut tried = 0;
    for (who, mut other) in others {
        for (method, path, ..) in TABLE.iter().filter(|(_, path, ..)| of_games(path)) {
            let private = answer(&mut other, method.as_str(), path, &id).await;
            let nothing = answer(&mut other, method.as_str(), path, NOTHING).await;
            assert_eq!(private, nothing, "{who} {method} {path}");
            assert!(private.0 >= 400, "{who} {method} {path}: {private:?}");
            tried += 1;
        }
    }
    assert!(tried >= 3 * 20, "only {tried} routes were tried");
    assert_eq!(anna.get(&format!("/api/v1/games/{id}")).await.expect(200)["private"], true);
    anna.get(&format!("/api/v1/games/{id}/pgn")).await.expect(200);
    assert_eq!(
        anna.get(&format!("/api/v1/challenges/{id}")).await.expect(200)["state"],
        "accepted"
    );
}

/// What the socket answers to a message about a game, with the game's id taken out of it.
async fn socket_answer(socket: &mut Socket, message: &Value, id: &str) -> String {
    let text = message.to_string().replace("ID", id);
    socket.send(serde_json::from_str(&text).unwrap()).await;
    socket.next().await.to_string().replace(id, "ID")
}

#[tokio::test]
async fn every_message_answers_others_as_if_there_were_no_such_game() {
    let club = Club::open().await;
    let (_anna, _bert, id) = private_game(&club).await;
    let members = [club.guest().await, club.player("carl").await];
    for other in members {
        let mut socket = other.socket().await;
        let mut messages = vec![
            json!({"t": "join", "room": "game:ID"}),
            json!({"t": "resume", "room": "game:ID", "version": 0}),
            json!({"t": "join", "room": "challenge:ID"}),
        ];
        let of_a_game = |tag: &str| !OTHERS.contains(&tag);
        for (tag, ..) in MESSAGES.iter().filter(|(tag, ..)| of_a_game(tag)) {
            let mut message = any_body();
            message["t"] = json!(tag);
            message["game"] = json!("ID");
            message["claim"] = json!("win");
            messages.push(message);
        }
        for message in messages {
            let private = socket_answer(&mut socket, &message, &id).await;
            let nothing = socket_answer(&mut socket, &message, NOTHING).await;
            assert_eq!(private, nothing, "{message}");
            assert!(private.contains("unknown_"), "{message} -> {private}");
        }
    }
}

#[tokio::test]
async fn no_list_of_others_has_a_private_game_while_it_runs_or_afterwards() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = private_game(&club).await;
    let mut carl = club.player("carl").await;
    let mut at_carl = carl.socket().await;
    let lobby = at_carl.enter("lobby").await;
    assert_eq!(
        (&lobby["games"], &lobby["featured"], &lobby["playing"]),
        (&json!([]), &Value::Null, &json!(0))
    );
    assert_eq!(carl.get("/api/v1/games").await.expect(200)["games"], json!([]));
    assert_eq!(carl.get("/api/v1/players/anna").await.expect(200)["playing"], Value::Null);
    assert_eq!(bert.get("/api/v1/players/anna").await.expect(200)["playing"], *id);
    assert_eq!(
        ids(&anna.socket().await.enter("me").await["games"]),
        [&*id],
        "one's own list has it"
    );

    anna.post(&format!("/api/v1/games/{id}/moves"), json!({"ply": 0, "uci": "e2e4"}))
        .await
        .expect(200);
    bert.post(&format!("/api/v1/games/{id}/moves"), json!({"ply": 1, "uci": "e7e5"}))
        .await
        .expect(200);
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    for (browser, count) in
        [(&mut carl, 0), (&mut club.browser(), 0), (&mut anna, 1), (&mut bert, 1)]
    {
        let history = browser.get("/api/v1/players/bert/games").await.expect(200);
        assert_eq!(history["games"].as_array().unwrap().len(), count);
        let versus = browser.get("/api/v1/players/bert/versus/anna").await.expect(200);
        assert_eq!(
            (&versus["wins"], versus["games"].as_array().unwrap().len()),
            (&json!(count), count)
        );
        let profile = browser.get("/api/v1/players/bert").await.expect(200);
        assert_eq!(profile["totals"]["wins"], count);
    }
    let export = bert.get("/api/v1/account/export").await.expect(200);
    assert_eq!(ids(&export["games"]), [&*id], "what is one's own can be taken along");
}

#[tokio::test]
async fn an_arbiter_sees_a_private_game_and_so_does_who_may_more() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let mut arbiter = club.staff(&mut boss, "rosa", "arbiter").await;
    let (_anna, _bert, id) = private_game(&club).await;
    for who in [&mut boss, &mut arbiter] {
        let view = who.browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
        assert_eq!(view["you"], Value::Null);
        who.browser.get(&format!("/api/v1/games/{id}/pgn")).await.expect(200);
        let mut socket = who.browser.socket().await;
        assert_eq!(socket.join_game(&id).await["state"]["id"], *id);
    }
}

#[tokio::test]
async fn whoever_has_the_link_of_a_private_challenge_may_accept_it_and_then_it_is_gone_for_others()
{
    let club = Club::open().await;
    let (mut anna, mut bert, mut carl) =
        (club.guest().await, club.guest().await, club.guest().await);
    let id = anna.challenge(json!({"time": blitz(), "color": "white", "private": true})).await;
    let mut at_carl = carl.socket().await;
    assert_eq!(at_carl.enter(&format!("challenge:{id}")).await["private"], true);
    carl.get(&format!("/api/v1/challenges/{id}/qr.svg")).await.expect(200);
    assert_eq!(bert.accept(&id).await.expect(200)["private"], true);
    let gone = at_carl.next_of("gone").await;
    assert_eq!(
        (gone["room"].as_str(), gone["code"].as_str()),
        (Some(&*format!("challenge:{id}")), Some("unknown_challenge"))
    );
    carl.get(&format!("/api/v1/challenges/{id}")).await.expect_problem(404, "unknown_challenge");
    carl.get(&format!("/api/v1/challenges/{id}/qr.svg"))
        .await
        .expect_problem(404, "unknown_challenge");
}

#[tokio::test]
async fn a_private_question_to_one_player_is_seen_by_the_two_alone() {
    let club = Club::open().await;
    let (mut anna, mut bert, mut carl) =
        (club.player("anna").await, club.player("bert").await, club.player("carl").await);
    let asked = json!({"kind": "direct", "asked": "bert", "time": blitz(), "color": "white", "private": true});
    let id = anna.challenge(asked).await;
    carl.get(&format!("/api/v1/challenges/{id}")).await.expect_problem(404, "unknown_challenge");
    carl.accept(&id).await.expect_problem(404, "unknown_challenge");
    carl.refuse(&id, "later").await.expect_problem(404, "unknown_challenge");
    bert.get(&format!("/api/v1/challenges/{id}")).await.expect(200);
    bert.refuse(&id, "later").await.expect(200);
}

#[tokio::test]
async fn a_private_game_neither_counts_nor_is_sought_and_its_rematch_is_private_too() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = private_game(&club).await;
    for (more, code) in
        [(json!({"rated": true}), "private_is_casual"), (json!({"kind": "seek"}), "seek_is_public")]
    {
        let mut new = json!({"time": blitz(), "color": "white", "private": true});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        anna.post("/api/v1/challenges", new).await.expect_problem(422, code);
    }
    anna.post(&format!("/api/v1/games/{id}/abort"), json!({})).await.expect(200);
    anna.post(&format!("/api/v1/games/{id}/rematch"), json!({})).await.expect(200);
    let view = bert.post(&format!("/api/v1/games/{id}/rematch"), json!({})).await.expect(200);
    let again = view["around"]["rematch"]["game"].as_str().unwrap();
    assert_eq!(bert.get(&format!("/api/v1/games/{again}")).await.expect(200)["private"], true);
    club.browser().get(&format!("/api/v1/games/{again}")).await.expect_problem(404, "unknown_game");
}

#[tokio::test]
async fn a_private_game_stays_private_after_a_crash() {
    let club = Club::open().await;
    let (_anna, mut bert, id) = private_game(&club).await;
    let club = club.crash_and_start_after(1_000).await;
    bert.move_to(club.address);
    club.browser().get(&format!("/api/v1/games/{id}")).await.expect_problem(404, "unknown_game");
    assert_eq!(club.browser().get("/api/v1/games").await.expect(200)["games"], json!([]));
    bert.get(&format!("/api/v1/games/{id}")).await.expect(200);
}
