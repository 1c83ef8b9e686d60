use serde_json::json;
use server::config::Limits;
use tokio_tungstenite::tungstenite::Message;

use crate::client::play_moves;
use crate::club::{Club, unlimited};

const SHUFFLE: [&str; 6] = ["g1f3", "g8f6", "b1c3", "b8c6", "e2e4", "e7e5"];

#[tokio::test]
async fn a_resume_brings_exactly_what_was_missed() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    let mut watcher = club.browser().socket().await;
    watcher.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &SHUFFLE).await;
    let mut told = Vec::new();
    for _ in SHUFFLE {
        told.push(watcher.next_of("played").await);
    }
    let mut back = club.browser().socket().await;
    back.send(json!({"t": "resume", "room": format!("game:{id}"), "version": 2})).await;
    for expected in &told[2..] {
        assert_eq!(&back.next().await, expected);
    }
    assert_eq!(back.next().await["t"], "around", "and nothing else");
}

#[tokio::test]
async fn a_resume_brings_what_was_said_meanwhile() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    play_moves(&mut white, &mut black, &id, &SHUFFLE).await;
    black.send(json!({"t": "chat", "game": id, "room": "players", "text": "Good luck"})).await;
    let said = white.next_of("chat").await;
    white.send(json!({"t": "resume", "room": format!("game:{id}"), "version": 6})).await;
    assert_eq!(white.next_of("chat").await, said, "it has no version, so it is told again");
}

#[tokio::test]
async fn sockets_count_among_the_connections() {
    let club = Club::open_with(Limits { connections: 3, ..Limits::default() }).await;
    let browser = club.browser();
    let first = browser.socket().await;
    let _second = browser.socket().await;
    let _third = browser.socket().await;
    let closed = tokio::net::TcpStream::connect(club.address).await.unwrap();
    let mut byte = [0; 1];
    closed.readable().await.unwrap();
    assert_eq!(closed.try_read(&mut byte).unwrap(), 0, "nobody is let in any more");
    drop(first);
    // Whoever leaves makes room, as soon as the server has noticed.
    for _ in 0..1_000 {
        if club.browser().post_quietly("/api/v1/guest", json!({})).await.is_some() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("a socket that has left keeps its seat");
}

#[tokio::test]
async fn who_missed_too_much_or_claims_nonsense_gets_the_whole_state() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    let moves: Vec<&str> =
        SHUFFLE.into_iter().chain(["f1c4", "f8c5", "d2d3", "d7d6", "e1g1"]).collect();
    play_moves(&mut white, &mut black, &id, &moves).await;
    for version in [0, 999] {
        let mut back = club.browser().socket().await;
        back.send(json!({"t": "resume", "room": format!("game:{id}"), "version": version})).await;
        let state = back.next().await;
        assert_eq!((state["t"].as_str(), state["version"].as_u64()), (Some("state"), Some(11)));
    }
}

#[tokio::test]
async fn versions_have_no_gap_and_no_double() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    play_moves(&mut white, &mut black, &id, &SHUFFLE).await;
    white.send(json!({"t": "offer_draw", "game": id})).await;
    black.next_of("changed").await;
    black.send(json!({"t": "resign", "game": id})).await;
    let mut versions = Vec::new();
    while versions.last() != Some(&8) {
        let message = white.next().await;
        versions.extend(message["version"].as_u64());
    }
    assert_eq!(versions, [7, 8]);
}

#[tokio::test]
async fn players_see_whether_the_other_is_there() {
    let club = Club::open().await;
    let (mut white, black, id) = club.table(unlimited()).await;
    let both = white.next_of("around").await;
    assert_eq!(both["around"]["present"], json!({"white": true, "black": true}));
    drop(black);
    assert_eq!(white.next_of("around").await["around"]["present"]["black"], false);
    let mut watcher = club.browser().socket().await;
    watcher.join_game(&id).await;
    club.time.advance(1_000);
    assert_eq!(white.next_of("around").await["around"]["watchers"], 1);
}

#[tokio::test]
async fn a_room_that_is_not_there_says_so() {
    let club = Club::open().await;
    let mut socket = club.browser().socket().await;
    socket.send(json!({"t": "join", "room": "game:AAAAAAAA"})).await;
    assert_eq!(socket.next_of("gone").await["code"], "unknown_game");
    socket.send(json!({"t": "join", "room": "kitchen"})).await;
    assert_eq!(socket.next_of("rejected").await["code"], "bad_message");
    socket.send_raw(Message::text("not json")).await.unwrap();
    assert_eq!(socket.next_of("rejected").await["code"], "bad_message");
}

#[tokio::test]
async fn who_talks_too_much_or_too_big_is_shown_out_and_the_others_play_on() {
    let club = Club::open_with(Limits { messages_per_second: Some(5), ..Limits::default() }).await;
    let (mut white, _black, id) = club.table(unlimited()).await;
    let mut chatterbox = club.browser().socket().await;
    for _ in 0..80 {
        let _ = chatterbox.send_raw(Message::text("{}")).await;
    }
    while chatterbox.next_or_close().await.is_some() {}

    let mut shouter = club.browser().socket().await;
    let _ = shouter.send_raw(Message::text("x".repeat(100_000))).await;
    assert!(shouter.next_or_close().await.is_none());

    let mut mumbler = club.browser().socket().await;
    let _ = mumbler.send_raw(Message::binary(vec![1, 2, 3])).await;
    assert!(mumbler.next_or_close().await.is_none());

    white.play(&id, 0, "e2e4").await;
}

#[tokio::test]
async fn a_reader_that_never_reads_is_dropped_and_delays_nobody() {
    let club = Club::open_with(Limits { messages_per_second: Some(0), ..Limits::default() }).await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    let mut sleeper = club.browser().socket().await;
    sleeper.join_game(&id).await;
    // Whole states are large: asking for many and reading none fills every buffer on the way.
    let mut asked = 0;
    while asked < 20_000 {
        let ask = sleeper.send_raw(Message::text(format!(r#"{{"t":"join","room":"game:{id}"}}"#)));
        match tokio::time::timeout(std::time::Duration::from_secs(2), ask).await {
            Ok(Ok(())) => asked += 1,
            _ => break,
        }
    }
    play_moves(&mut white, &mut black, &id, &SHUFFLE).await;
    // It goes when a frame could not be written for long, or when it was silent for long.
    for _ in 0..1_000 {
        club.time.advance(500);
        let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
        if view["around"]["watchers"] == 0 {
            return;
        }
    }
    panic!("the reader that never reads is still there");
}

#[tokio::test]
async fn a_room_is_counted_once_and_what_every_page_listens_to_not_at_all() {
    let club = Club::open().await;
    let mut watcher = club.browser().socket().await;
    let mut games = Vec::new();
    for _ in 0..64 {
        let (_, _, id) = club.game(unlimited()).await;
        watcher.join_game(&id).await;
        // More than so many messages a second are too many.
        club.time.advance(100);
        games.push(format!("game:{id}"));
    }
    let (_, _, id) = club.game(unlimited()).await;
    watcher.send(json!({"t": "join", "room": format!("game:{id}")})).await;
    assert_eq!(watcher.next_of("gone").await["code"], "too_many_rooms");
    watcher.send(json!({"t": "join", "room": games[0]})).await;
    assert_eq!(watcher.next_of("state").await["room"], games[0]);
    watcher.send(json!({"t": "join", "room": "lobby"})).await;
    assert_eq!(watcher.next_of("state").await["room"], "lobby");
}
