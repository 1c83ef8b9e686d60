//! Rematches: offered, declined, taken back, wanted by both at once; and gone with whoever offered them.

use serde_json::{Value, json};

use crate::client::Browser;
use crate::club::{Club, blitz};

/// A game that is over, and the path of its rematch.
async fn over(club: &Club, time: Value) -> (Browser, Browser, String, String) {
    let (mut white, black, id) = club.game(time).await;
    white.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let path = format!("/api/v1/games/{id}/rematch");
    (white, black, id, path)
}

fn offer(view: &Value) -> &Value {
    &view["around"]["rematch"]
}

#[tokio::test]
async fn two_who_ask_at_the_same_moment_have_one_rematch() {
    let club = Club::open().await;
    for _ in 0..5 {
        let (mut white, mut black, id, path) = over(&club, blitz()).await;
        let (one, other) = tokio::join!(white.post(&path, json!({})), black.post(&path, json!({})));
        one.expect(200);
        other.expect(200);
        let view = white.get(&format!("/api/v1/games/{id}")).await.expect(200);
        let game = offer(&view)["game"].as_str().expect("both wanted it").to_owned();
        assert_eq!(black.get(&format!("/api/v1/games/{game}")).await.expect(200)["you"], "white");
    }
}

#[tokio::test]
async fn in_a_rematch_each_player_keeps_the_own_time() {
    let club = Club::open().await;
    let stage = |ms: i64| json!([{"moves": null, "time_ms": ms, "bonus": {"kind": "none"}}]);
    let time = json!({"kind": "stages", "white": stage(300_000), "black": stage(60_000)});
    let (mut white, mut black, _, path) = over(&club, time).await;
    white.post(&path, json!({})).await.expect(200);
    let view = black.post(&path, json!({})).await.expect(200);
    let again = offer(&view)["game"].as_str().unwrap();
    let game = white.get(&format!("/api/v1/games/{again}")).await.expect(200);
    assert_eq!(game["you"], "black");
    assert_eq!(game["clocks"]["black_ms"], 300_000, "who had five minutes has them again");
    assert_eq!(game["clocks"]["white_ms"], 60_000);
}

#[tokio::test]
async fn a_rematch_is_declined_and_only_who_declined_can_ask_again() {
    let club = Club::open().await;
    let (mut white, mut black, id, path) = over(&club, blitz()).await;
    white.delete(&path).await.expect_problem(409, "no_rematch");
    white.post(&path, json!({})).await.expect(200);
    let mut watching = white.socket().await;
    watching.join_game(&id).await;
    black.delete(&path).await.expect(200);
    let declined = json!({"by": "white", "game": null, "declined": true});
    assert_eq!(offer(&watching.next_of("around").await), &declined);
    let club = club.crash_and_start_after(0).await;
    white.move_to(club.address);
    black.move_to(club.address);
    assert_eq!(offer(&white.post(&path, json!({})).await.expect(200)), &declined);
    let anew = black.post(&path, json!({})).await.expect(200);
    assert_eq!(offer(&anew), &json!({"by": "black", "game": null, "declined": false}));
    let agreed = white.post(&path, json!({})).await.expect(200);
    assert!(offer(&agreed)["game"].is_string());
}

#[tokio::test]
async fn a_rematch_is_taken_back_and_can_be_offered_again() {
    let club = Club::open().await;
    let (white, mut black, id, path) = over(&club, blitz()).await;
    let mut asking = white.socket().await;
    asking.join_game(&id).await;
    asking.send(json!({"t": "rematch", "game": id})).await;
    while offer(&asking.next_of("around").await)["by"] != "white" {}
    asking.send(json!({"t": "decline_rematch", "game": id})).await;
    while !offer(&asking.next_of("around").await).is_null() {}
    let own = black.post(&path, json!({})).await.expect(200);
    assert_eq!(offer(&own)["by"], "black", "there was nothing to accept");
}

#[tokio::test]
async fn an_offer_goes_with_whoever_made_it() {
    let club = Club::open().await;
    let (white, mut black, id, path) = over(&club, blitz()).await;
    let mut asking = white.socket().await;
    asking.join_game(&id).await;
    let mut asked = black.socket().await;
    asked.join_game(&id).await;
    asking.send(json!({"t": "rematch", "game": id})).await;
    while offer(&asked.next_of("around").await)["by"] != "white" {}
    drop(asking);
    let gone = |around: &Value| around["around"]["present"]["white"] == false;
    loop {
        let around = asked.next_of("around").await;
        if gone(&around) {
            assert_eq!(offer(&around)["by"], "white", "a reload takes a moment");
            break;
        }
    }
    club.time.advance(30_000);
    while !offer(&asked.next_of("around").await).is_null() {}
    let own = black.post(&path, json!({})).await.expect(200);
    assert_eq!(offer(&own)["by"], "black");
}

#[tokio::test]
async fn an_offer_over_http_ends_after_an_hour() {
    let club = Club::open().await;
    let (mut white, mut black, id, path) = over(&club, blitz()).await;
    white.post(&path, json!({})).await.expect(200);
    let mut watching = black.socket().await;
    watching.join_game(&id).await;
    club.time.advance(3_600_000);
    while !offer(&watching.next_of("around").await).is_null() {}
    let own = black.post(&path, json!({})).await.expect(200);
    assert_eq!(offer(&own)["by"], "black");
}
