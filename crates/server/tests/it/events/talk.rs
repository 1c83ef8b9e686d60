//! What is said in the room of an event, and who hears it.

use serde_json::json;

use super::{Desk, list};
use crate::client::Socket;

async fn listen(socket: &mut Socket, event: &str) -> serde_json::Value {
    socket.send(json!({"t": "join", "room": format!("event:{event}")})).await;
    socket.next_of("state").await["state"].clone()
}

#[tokio::test]
async fn who_is_muted_is_not_heard_in_the_room_of_an_event() {
    let (club, mut desk) = Desk::open(json!({})).await;
    desk.go_to("registration").await;
    let (anna, mut bert, carl) =
        (club.member("anna").await, club.member("bert").await, club.member("carl").await);
    bert.browser.put("/api/v1/players/anna/mute", json!({})).await.expect(204);
    let mut sockets = Vec::new();
    for person in [&anna, &bert, &carl] {
        let mut socket = person.browser.socket().await;
        listen(&mut socket, &desk.id).await;
        sockets.push(socket);
    }
    let say = |text: &str| json!({"t": "event_chat", "event": desk.id, "text": text});
    sockets[0].send(say("buy my book")).await;
    assert_eq!(sockets[2].next_of("event_chat").await["line"]["text"], "buy my book");
    sockets[2].send(say("good luck")).await;
    assert_eq!(sockets[1].next_of("event_chat").await["line"]["text"], "good luck");
    // Who comes again, and whoever hears of a change, reads the same.
    let mut again = bert.browser.socket().await;
    assert_eq!(list(&listen(&mut again, &desk.id).await["chat"], "text"), ["good luck"]);
    desk.enter(1).await;
    assert_eq!(list(&again.next_of("state").await["state"]["chat"], "text"), ["good luck"]);
    let mut stranger = club.browser().socket().await;
    let heard = listen(&mut stranger, &desk.id).await;
    assert_eq!(list(&heard["chat"], "text"), ["buy my book", "good luck"]);
}

#[tokio::test]
async fn a_director_takes_a_line_away_for_everybody() {
    let (club, mut desk) = Desk::open(json!({})).await;
    desk.go_to("registration").await;
    let mut anna = club.member("anna").await;
    let (mut speaker, mut watcher) = (anna.browser.socket().await, club.browser().socket().await);
    for socket in [&mut speaker, &mut watcher] {
        listen(socket, &desk.id).await;
    }
    for text in ["an insult", "an excuse"] {
        speaker.send(json!({"t": "event_chat", "event": desk.id, "text": text})).await;
        watcher.next_of("event_chat").await;
    }
    let path = desk.path("/talk/1");
    anna.browser.request("DELETE", &path, None).await.expect_problem(403, "forbidden");
    desk.browser.request("DELETE", &path, None).await.expect(204);
    assert_eq!(list(&watcher.next_of("state").await["state"]["chat"], "text"), ["an excuse"]);
    desk.browser.request("DELETE", &path, None).await.expect_problem(404, "unknown_line");
    let log = desk.browser.get("/api/v1/admin/audit").await.expect(200);
    let newest = &log["lines"][0];
    assert_eq!(
        (&newest["act"], &newest["subject"]["name"]),
        (&json!("event_line_removed"), &json!("anna"))
    );
    assert_eq!(newest["detail"], "Autumn Cup: an insult");
}

#[tokio::test]
async fn whoever_comes_later_is_told_the_same_state_with_the_moment_of_now() {
    let (club, mut desk) = Desk::open(json!({})).await;
    desk.go_to("registration").await;
    let mut first = club.browser().socket().await;
    let mut before = listen(&mut first, &desk.id).await;
    club.time.advance(5_000);
    let mut second = club.browser().socket().await;
    let after = listen(&mut second, &desk.id).await;
    assert_eq!(after["now"].as_i64().unwrap() - before["now"].as_i64().unwrap(), 5_000);
    before["now"] = after["now"].clone();
    assert_eq!(after, before);
}
