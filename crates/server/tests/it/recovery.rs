use rules::{Event, UnixMillis};
use serde_json::json;
use store::StoreError;

use crate::client::{Browser, play_moves, play_moves_from};
use crate::club::{Club, blitz, unlimited};

#[tokio::test]
async fn a_crash_costs_nobody_a_move_or_a_second() {
    let club = Club::open().await;
    let (mut white_browser, mut black_browser, id) = club.game(blitz()).await;
    let (mut white, mut black) = (white_browser.socket().await, black_browser.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(10_000);
    let told = white.play(&id, 2, "g1f3").await;
    club.time.advance(60_000);

    let club = club.crash_and_start_after(3_600_000).await;
    white_browser.move_to(club.address);
    black_browser.move_to(club.address);
    let view = black_browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!(view["clocks"], told["clocks"], "the clocks are those of the last event");

    let mut black = black_browser.socket().await;
    black.send(json!({"t": "resume", "room": format!("game:{id}"), "version": 3})).await;
    let state = black.next().await;
    assert_eq!(state["version"], 4, "the restart is an event of its own: {state}");
    let played = black.play(&id, 3, "b8c6").await;
    assert_eq!(played["clocks"]["black_ms"], told["clocks"]["black_ms"].as_i64().unwrap() + 2_000);
}

/// A game of ten seconds in which White is to act and has four left.
async fn hurried_game(club: &Club) -> (Browser, Browser, String) {
    let bullet = json!({"kind": "fischer", "initial_ms": 10_000, "increment_ms": 0});
    let (white_browser, black_browser, id) = club.game(bullet).await;
    let (mut white, mut black) = (white_browser.socket().await, black_browser.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(6_000);
    play_moves_from(2, &mut white, &mut black, &id, &["g1f3", "b8c6"]).await;
    (white_browser, black_browser, id)
}

#[tokio::test]
async fn nobody_is_charged_for_the_way_back_after_a_start() {
    let club = Club::open().await;
    let (mut white_browser, mut black_browser, id) = hurried_game(&club).await;
    let club = club.crash_and_start_after(1_000).await;
    white_browser.move_to(club.address);
    black_browser.move_to(club.address);
    let mut black = black_browser.socket().await;
    black.join_game(&id).await;
    club.time.advance(5_000);
    let mut white = white_browser.socket().await;
    let state = white.join_game(&id).await;
    assert_eq!(state["state"]["clocks"]["white_ms"], 4_000, "{state}");
    assert_eq!(black.next_of("changed").await["clocks"]["white_ms"], 4_000);
    // From here on time is charged, also to whoever has been there and left again.
    club.time.advance(1_000);
    let left = white.play(&id, 4, "f1c4").await["clocks"]["white_ms"].as_i64().unwrap();
    assert!((3_000..3_500).contains(&left), "{left}, with a credit for the line");
    black.next_of("played").await;
    club.time.advance(9_000);
    let left = black.play(&id, 5, "g8f6").await["clocks"]["black_ms"].as_i64().unwrap();
    assert!((1_000..1_500).contains(&left), "{left}");
}

#[tokio::test]
async fn who_does_not_come_back_after_a_start_is_waited_for_only_so_long() {
    let club = Club::open().await;
    let (_, _, id) = hurried_game(&club).await;
    let club = club.crash_and_start_after(1_000).await;
    let began = club.time.now().0;
    loop {
        let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
        if !view["outcome"].is_null() {
            assert_eq!(view["outcome"], json!({"kind": "win", "winner": "black", "by": "time"}));
            break;
        }
        club.time.advance(500);
    }
    assert!(club.time.now().0 - began >= 19_000, "fifteen seconds, and the four that were left");
}

#[tokio::test]
async fn a_stop_in_good_order_tells_the_players_pauses_the_clocks_and_takes_no_new_games() {
    let club = Club::open().await;
    let (white_browser, black_browser, id) = club.game(blitz()).await;
    let (mut white, mut black) = (white_browser.socket().await, black_browser.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.time.advance(5_000);
    let mut late = club.browser();
    let club = {
        club.drain().await;
        assert_eq!(white.next_of("changed").await["change"]["kind"], "paused");
        let refused = late
            .post_quietly("/api/v1/challenges", json!({"time": blitz(), "color": "white"}))
            .await;
        assert!(refused.is_none_or(|answer| answer.status == 503));
        club.drain_and_start_after(86_400_000).await
    };
    let mut white = white_browser.clone();
    white.move_to(club.address);
    let view = white.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(
        (view["paused"].clone(), view["clocks"]["running"].clone()),
        (json!(false), json!("white"))
    );
    assert_eq!(
        view["clocks"]["white_ms"], 175_000,
        "what was thought before the stop is charged, the stop is not"
    );
}

#[tokio::test]
async fn a_full_disk_refuses_moves_with_a_reason_stops_the_clock_and_play_resumes_by_itself() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    fill_the_disk(&club).await;

    white.send(json!({"t": "move", "game": id, "ply": 2, "uci": "g1f3"})).await;
    let rejected = white.next_of("rejected").await;
    assert_eq!(rejected["code"], "storage");
    assert!(rejected["reason"].as_str().unwrap().contains("nothing was lost"));
    assert_eq!(black.next_of("notice").await["code"], "storage");
    let mut newcomer = club.browser().socket().await;
    assert_eq!(newcomer.next_of("notice").await["code"], "storage", "who comes now is told too");
    club.browser().get("/readyz").await.expect_problem(503, "not_ready");
    club.time.advance(20_000);

    make_room(&club).await;
    assert_eq!(white.next_of("changed").await["change"]["kind"], "resumed");
    let played = white.play(&id, 2, "g1f3").await;
    assert_eq!(played["clocks"]["white_ms"], 182_000);
    assert_eq!(black.next_of("played").await, played);
    assert_eq!(club.browser().get("/readyz").await.status, 200);
}

#[tokio::test]
async fn a_move_on_its_way_at_a_stop_is_no_answer_short_and_is_played_after_the_restart() {
    let club = Club::open().await;
    let (white_browser, black_browser, id) = club.game(blitz()).await;
    let (mut white, mut black) = (white_browser.socket().await, black_browser.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.pause().await;
    assert_eq!(white.next_of("changed").await["change"]["kind"], "paused");
    let late = json!({"t": "move", "game": id, "ply": 2, "uci": "g1f3"});
    white.send(late.clone()).await;
    // The answer to what comes after it: until then the move is on its way, for all that White's page knows.
    white.send(json!({"t": "offer_adjournment", "game": id})).await;
    let answer = white.next_of("rejected").await;
    assert_eq!((&answer["code"], &answer["ply"]), (&json!("paused"), &json!(null)), "{answer}");

    let club = club.drain_and_start_after(60_000).await;
    let (mut white, mut black) = (white_browser, black_browser);
    white.move_to(club.address);
    black.move_to(club.address);
    let (mut white, mut black) = (white.socket().await, black.socket().await);
    black.join_game(&id).await;
    white.join_game(&id).await;
    white.send(late).await;
    assert_eq!(black.next_of("played").await["uci"], "g1f3");
}

#[tokio::test]
async fn a_disk_that_fails_stops_everything_and_says_so() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    club.store().fail_to_sync_for_test().await.unwrap_err();
    assert_eq!(black.next_of("notice").await["code"], "storage_failed");
    white.send(json!({"t": "move", "game": id, "ply": 2, "uci": "g1f3"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "storage");
    let mut newcomer = club.browser().socket().await;
    assert_eq!(newcomer.next_of("notice").await["code"], "storage_failed");
    club.browser().get("/readyz").await.expect_problem(503, "not_ready");
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["ply"], 2, "what is there can be looked at");

    let club = club.crash_and_start_after(60_000).await;
    assert_eq!(club.browser().get("/readyz").await.status, 200);
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!((&view["ply"], &view["outcome"]), (&json!(2), &json!(null)));
}

#[tokio::test]
async fn a_full_disk_that_then_fails_is_told_as_a_failed_one() {
    let club = Club::open().await;
    let (mut white, _black, _id) = club.table(blitz()).await;
    fill_the_disk(&club).await;
    assert_eq!(white.next_of("notice").await["code"], "storage");
    // It may share a group with a try of the server's own, which fails for want of room.
    for _ in 0..100 {
        if let Err(StoreError::Stopped(_)) = club.store().fail_to_sync_for_test().await {
            break;
        }
    }
    assert_eq!(white.next_of("notice").await["code"], "storage_failed");
}

/// The disk has room again. The word may share a group with a try of the server's own that still fails: say it again.
pub(crate) async fn make_room(club: &Club) {
    for _ in 0..100 {
        if club.store().limit_pages_for_test(1_000_000).await.is_ok() {
            return;
        }
    }
    panic!("the writer never came back");
}

/// Leaves no room for as much as the shortest event.
pub(crate) async fn fill_the_disk(club: &Club) {
    let (_, _, other) = club.game(unlimited()).await;
    club.store().limit_pages_for_test(1).await.unwrap();
    let short = [Event::Resumed { at: UnixMillis(1) }];
    for version in 1..10_000 {
        if club.store().append_events(other.parse().unwrap(), version, &short, None).await.is_err()
        {
            return;
        }
    }
    panic!("the disk never filled up");
}

#[tokio::test]
async fn a_write_that_fails_once_stops_the_clocks_for_a_moment_only() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    // The storage is well and refuses this one write: nobody will say that it is back.
    let refuse = "CREATE TRIGGER no_events BEFORE INSERT ON journal WHEN NEW.body LIKE '%g1f3%'
        BEGIN SELECT RAISE(ABORT, 'no'); END";
    club.store().run_for_test(refuse.to_owned()).await.unwrap();
    white.send(json!({"t": "move", "game": id, "ply": 2, "uci": "g1f3"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "storage");
    club.time.advance(1_000);
    assert_eq!(white.next_of("changed").await["change"]["kind"], "resumed");
    club.time.advance(190_000);
    let outcome = white.next_change("ended").await["change"]["outcome"].clone();
    assert_eq!(outcome, json!({"kind": "win", "winner": "black", "by": "time"}));
}

#[tokio::test]
async fn whoever_looks_at_a_game_that_is_read_again_goes_on_looking() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(blitz()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    // Something else has written into the game's log: what its task knows is in doubt.
    let foreign = [Event::Resumed { at: club.time.now() }];
    club.store().append_events(id.parse().unwrap(), 3, &foreign, None).await.unwrap();
    white.send(json!({"t": "move", "game": id, "ply": 2, "uci": "g1f3"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "conflict");
    for player in [&mut white, &mut black] {
        assert_eq!(player.next_of("state").await["state"]["ply"], 2, "nobody has to ask for it");
    }
    let played = white.play(&id, 2, "g1f3").await;
    assert_eq!(black.next_of("played").await, played);
    drop(black);
    loop {
        let around = white.next_of("around").await;
        if around["around"]["present"]["black"] == false || around["present"]["black"] == false {
            break;
        }
    }
}

#[tokio::test]
async fn a_game_in_doubt_is_read_again_however_long_the_storage_is_away() {
    let club = Club::open().await;
    // On a busy machine hours pass here between the deciding and the writing: no flag shall fall.
    let ten_hours = json!({"kind": "fischer", "initial_ms": 36_000_000, "increment_ms": 0});
    let (mut white, mut black, id) = club.table(ten_hours).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    let foreign = [Event::Resumed { at: club.time.now() }];
    club.store().append_events(id.parse().unwrap(), 3, &foreign, None).await.unwrap();
    // A disk that is full may still take something small; here no event of a game is taken.
    let refuse =
        "CREATE TRIGGER no_events BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'no'); END";
    club.store().run_for_test(refuse.to_owned()).await.unwrap();
    white.send(json!({"t": "move", "game": id, "ply": 2, "uci": "g1f3"})).await;
    assert_eq!(white.next_of("rejected").await["code"], "conflict");
    for _ in 0..60 {
        club.time.advance(30_000);
        assert!(!runs(&club, &id).await, "it cannot note that it goes on");
    }
    // It shares a group with tries of the game's own, which fail.
    for _ in 0..100 {
        if club.store().run_for_test("DROP TRIGGER no_events".to_owned()).await.is_ok() {
            break;
        }
    }
    for _ in 0..1_000 {
        club.time.advance(30_000);
        if runs(&club, &id).await {
            return;
        }
    }
    panic!("the game was given up");
}

/// Whether a game is among those that run, without touching it.
async fn runs(club: &Club, id: &str) -> bool {
    let running = club.browser().get("/api/v1/games").await.expect(200);
    running["games"].as_array().unwrap().iter().any(|game| game["id"] == id)
}

#[tokio::test]
async fn a_game_that_cannot_be_read_does_not_keep_the_club_closed() {
    let club = Club::open().await;
    let (_, _, torn) = club.game(unlimited()).await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    play_moves(&mut white, &mut black, &id, &["e2e4", "e7e5"]).await;
    let damage = format!("UPDATE game SET setup = 'nonsense' WHERE id = '{torn}'");
    club.store().run_for_test(damage).await.unwrap();
    let club = club.crash_and_start_after(1_000).await;
    assert_eq!(club.browser().get("/readyz").await.status, 200);
    assert!(runs(&club, &id).await && !runs(&club, &torn).await);
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["ply"], 2);
    club.browser().get(&format!("/api/v1/games/{torn}")).await.expect_problem(500, "fault");
}

#[tokio::test]
async fn a_finished_game_is_there_after_a_restart() {
    let club = Club::open().await;
    let (mut white, mut black, id) = club.table(unlimited()).await;
    play_moves(&mut white, &mut black, &id, &["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    let club = club.crash_and_start_after(1).await;
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["outcome"], json!({"kind": "win", "winner": "black", "by": "mate"}));
    let running = club.browser().get("/api/v1/games").await.expect(200);
    assert_eq!(running["games"], json!([]));
}
