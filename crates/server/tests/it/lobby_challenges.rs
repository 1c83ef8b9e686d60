//! Direct challenges, seeks, and what the rooms of the lobby tell of them.

use serde_json::json;

use crate::club::{Club, blitz};
use crate::lobby_people::ids;

#[tokio::test]
async fn a_direct_challenge_is_for_the_asked_alone() {
    let club = Club::open().await;
    let (mut anna, mut bert, mut carl) =
        (club.player("anna").await, club.player("Bert").await, club.player("carl").await);
    let (mut at_anna, mut at_bert) = (anna.socket().await, bert.socket().await);
    at_bert.enter("me").await;
    at_anna.enter("me").await;
    let new = json!({"kind": "direct", "asked": "bert", "rated": true, "time": blitz(), "color": "white"});
    let id = anna.challenge(new).await;
    let told = at_bert.state_where("me", |me| me["challenges"] != json!([])).await;
    let challenge = &told["challenges"][0];
    assert_eq!(
        (challenge["id"].as_str(), challenge["is_mine"].as_bool()),
        (Some(&*id), Some(false))
    );
    let seen = (&challenge["audience"], &challenge["asked"]["name"], &challenge["rated"]);
    assert_eq!(seen, (&json!("direct"), &json!("Bert"), &json!(true)));
    let mine = anna.get("/api/v1/challenges?mine").await.expect(200);
    assert_eq!(
        (ids(&mine["challenges"]), &mine["challenges"][0]["is_mine"]),
        (vec![&*id], &json!(true))
    );

    carl.accept(&id).await.expect_problem(403, "not_for_you");
    carl.refuse(&id, "later").await.expect_problem(403, "not_for_you");
    let game = bert.accept(&id).await.expect(200);
    assert_eq!(game["you"], "black");
    for socket in [&mut at_anna, &mut at_bert] {
        assert_eq!(socket.next_of("begin").await["game"], *id);
        let me = socket.state_where("me", |me| me["games"] != json!([])).await;
        assert_eq!((ids(&me["games"]), ids(&me["challenges"])), (vec![&*id], vec![]));
    }
}

#[tokio::test]
async fn a_refusal_reaches_the_challenger_with_its_reason() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    for reason in
        ["later", "generic", "too_fast", "too_slow", "rated", "casual", "other_variant", "not_bots"]
    {
        let id = anna
            .challenge(
                json!({"kind": "direct", "asked": "bert", "time": blitz(), "color": "random"}),
            )
            .await;
        let mut waiting = anna.socket().await;
        waiting.enter(&format!("challenge:{id}")).await;
        bert.refuse(&id, reason).await.expect(200);
        let told = waiting.state_where("challenge", |it| it["state"] == "declined").await;
        assert_eq!(told["reason"], reason);
        bert.refuse(&id, reason).await.expect_problem(409, "challenge_not_open");
        bert.accept(&id).await.expect_problem(409, "challenge_not_open");
    }
    let id = anna
        .challenge(json!({"kind": "direct", "asked": "bert", "time": blitz(), "color": "random"}))
        .await;
    bert.refuse(&id, "because").await.expect_problem(422, "bad_body");
}

#[tokio::test]
async fn a_direct_challenge_needs_somebody_who_can_be_asked() {
    let club = Club::open().await;
    let mut anna = club.player("anna").await;
    club.player("bert").await;
    let (of_bert, of_anna) = (club.account_id("bert").await, club.account_id("anna").await);
    club.store().mute_for_test(of_bert, of_anna).await.unwrap();
    let guest = club.guest().await.get("/api/v1/me").await.expect(200);
    let guest = guest["account"]["name"].as_str().unwrap().to_owned();
    for (asked, status, code) in [
        (json!(null), 422, "nobody_asked"),
        (json!("nobody"), 404, "unknown_player"),
        (json!(guest), 404, "unknown_player"),
        (json!("ANNA"), 409, "own_challenge"),
        (json!("bert"), 403, "not_welcome"),
    ] {
        let new = json!({"kind": "direct", "asked": asked, "time": blitz(), "color": "white"});
        anna.post("/api/v1/challenges", new).await.expect_problem(status, code);
    }
}

#[tokio::test]
async fn somebody_seeks_a_game_of_defender_or_gmo_and_finds_it() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    for (variant, begins_with) in
        [("defender", "8/8/8/8/8/8/8/8 w - - 0 1 20/20"), ("gmo", "faces - w 0 -")]
    {
        let seek = json!({"kind": "seek", "variant": variant, "time": blitz(), "color": "white"});
        let id = anna.challenge(seek).await;
        let listed = bert.get("/api/v1/challenges").await.expect(200)["challenges"].clone();
        assert_eq!((&listed[0]["id"], &listed[0]["variant"]), (&json!(id), &json!(variant)));
        let view = bert.accept(&id).await.expect(200);
        assert_eq!((&view["variant"], &view["fen"]), (&json!(variant), &json!(begins_with)));
        let path = format!("/api/v1/games/{id}/resignation");
        bert.post(&path, json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn a_seek_stands_in_the_lobby_for_those_within_its_ratings() {
    let club = Club::open().await;
    let mut anna = club.rated_player("anna", 1777.4).await;
    let mut weak = club.rated_player("bert", 1599.0).await;
    let mut fits = club.rated_player("carl", 1600.0).await;
    let mut at_anna = anna.socket().await;
    let mut lobby = club.browser().socket().await;
    assert_eq!(lobby.enter("lobby").await["seeks"], json!([]));
    let id = anna
        .challenge(json!({"kind": "seek", "rated": true, "time": blitz(), "color": "random",
            "lowest_rating": 1600, "highest_rating": 1900}))
        .await;
    club.time.advance(1_000);
    let seeks = lobby.state_where("lobby", |it| it["seeks"] != json!([])).await["seeks"].clone();
    let seek = &seeks[0];
    assert_eq!(
        (&seek["lowest_rating"], &seek["highest_rating"], &seek["challenger"]["rating"]),
        (&json!(1600), &json!(1900), &json!(1777))
    );
    assert_eq!(
        ids(&club.browser().get("/api/v1/challenges").await.expect(200)["challenges"]),
        [&*id]
    );

    anna.accept(&id).await.expect_problem(409, "own_challenge");
    weak.accept(&id).await.expect_problem(403, "rating_out_of_range");
    club.guest().await.accept(&id).await.expect_problem(403, "rating_out_of_range");
    fits.accept(&id).await.expect(200);
    assert_eq!(at_anna.next_of("begin").await["game"], *id);
    club.time.advance(1_000);
    let after = lobby.state_where("lobby", |it| it["seeks"] == json!([])).await;
    assert_eq!((&after["playing"], &after["featured"]["id"]), (&json!(1), &json!(id)));
}

#[tokio::test]
async fn what_cannot_be_played_or_counted_is_refused() {
    let club = Club::open().await;
    let (mut anna, mut guest) = (club.player("anna").await, club.guest().await);
    let seek = |more: serde_json::Value| {
        let mut new = json!({"kind": "seek", "time": blitz(), "color": "white"});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        new
    };
    guest
        .post("/api/v1/challenges", seek(json!({"rated": true})))
        .await
        .expect_problem(403, "guests_play_casual");
    for (more, code) in [
        (json!({"rated": true, "time": {"kind": "unlimited"}}), "not_rateable"),
        (json!({"rated": true, "start": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}), "not_rateable"),
        (json!({"start": "4k3/8/8/8/8/8/8/8 w - - 0 1"}), "bad_start"),
        (json!({"lowest_rating": 1900, "highest_rating": 1800}), "bad_rating_range"),
    ] {
        anna.post("/api/v1/challenges", seek(more)).await.expect_problem(422, code);
    }
    let id = anna.challenge(seek(json!({"rated": true}))).await;
    guest.accept(&id).await.expect_problem(403, "guests_play_casual");
}

#[tokio::test]
async fn other_variants_and_other_starts_can_be_played() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.guest().await, club.guest().await);
    let shuffled =
        json!({"kind": "link", "variant": "chess960", "time": blitz(), "color": "white"});
    let id = anna.challenge(shuffled).await;
    let game = bert.accept(&id).await.expect(200);
    assert_eq!(game["variant"], "chess960");
    assert!(game["start_fen"].as_str().unwrap().contains("/pppppppp/8/8/8/8/PPPPPPPP/"));
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let id = anna.challenge(json!({"time": blitz(), "color": "white", "start": fen})).await;
    assert_eq!(bert.accept(&id).await.expect(200)["start_fen"], fen);
}

#[tokio::test]
async fn who_has_found_a_game_seeks_no_more() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.guest().await, club.guest().await);
    let mut at_anna = anna.socket().await;
    at_anna.join_queue(&blitz(), false).await;
    let seek = json!({"kind": "seek", "time": blitz(), "color": "white"});
    let seek = anna.challenge(seek).await;
    let link = anna.challenge(json!({"time": blitz(), "color": "white"})).await;
    bert.accept(&link).await.expect(200);
    assert_eq!(at_anna.next_of("queue").await["waiting"], json!(null));
    let after = anna.get(&format!("/api/v1/challenges/{seek}")).await.expect(200);
    assert_eq!(after["state"], "cancelled");
}

#[tokio::test]
async fn one_s_own_room_forgets_a_game_that_is_over() {
    let club = Club::open().await;
    let (white, mut black, id) = club.game(blitz()).await;
    let mut at_white = white.socket().await;
    assert_eq!(ids(&at_white.enter("me").await["games"]), [&*id]);
    black.post(&format!("/api/v1/games/{id}/abort"), json!({})).await.expect(200);
    club.time.advance(1_000);
    at_white.state_where("me", |me| me["games"] == json!([])).await;
    let mut stranger = club.browser().socket().await;
    stranger.send(json!({"t": "join", "room": "me"})).await;
    assert_eq!(stranger.next_of("gone").await["code"], "no_account");
}

#[tokio::test]
async fn who_is_there_is_listed_once_however_many_pages_are_open() {
    let club = Club::open().await;
    let (anna, bert) = (club.player("anna").await, club.player("bert").await);
    let (_one, two, three) = (anna.socket().await, anna.socket().await, bert.socket().await);
    let _nameless = club.browser().socket().await;
    club.until_online(2).await;
    let online = club.browser().get("/api/v1/online").await.expect(200);
    let names: Vec<_> =
        online["players"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["anna", "bert"]);
    drop((two, three));
    club.until_online(1).await;
}

#[tokio::test]
async fn who_is_there_is_as_strong_as_where_they_have_played_most() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let terms = json!({"time": blitz(), "color": "white", "rated": true});
    let id = anna.challenge(terms).await;
    bert.accept(&id).await.expect(200);
    for (ply, uci) in [(0, "e2e4"), (1, "e7e5")] {
        let mover = if ply == 0 { &mut anna } else { &mut bert };
        mover.make_move(&id, ply, uci).await;
    }
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let guest = club.guest().await;
    let _lines = (anna.socket().await, bert.socket().await, guest.socket().await);
    club.until_online(3).await;
    let online = club.browser().get("/api/v1/online").await.expect(200);
    let ratings: Vec<_> =
        online["players"].as_array().unwrap().iter().map(|it| &it["rating"]).collect();
    assert_eq!(ratings, [&json!(1259), &json!(1741), &json!(null)]);
}

#[tokio::test]
async fn an_own_seek_is_listed_however_many_are_newer() {
    let club = Club::open().await;
    let seek = || json!({"kind": "seek", "time": blitz(), "color": "random"});
    let mut anna = club.guest().await;
    let own = anna.challenge(seek()).await;
    for _ in 0..3 {
        let mut other = club.guest().await;
        for _ in 0..34 {
            club.time.advance(1);
            other.challenge(seek()).await;
        }
    }
    let mine = anna.get("/api/v1/challenges").await.expect(200);
    let mine = ids(&mine["challenges"]);
    assert_eq!((mine.len(), mine.last()), (101, Some(&&*own)));
    let others = club.browser().get("/api/v1/challenges").await.expect(200);
    let others = ids(&others["challenges"]);
    assert_eq!((others.len(), others.contains(&&*own)), (100, false));
}

#[tokio::test]
async fn nobody_can_fill_the_lobby_alone() {
    let club = Club::open().await;
    let mut anna = club.guest().await;
    for _ in 0..50 {
        anna.challenge(json!({"time": blitz(), "color": "white"})).await;
    }
    let one_more = json!({"time": blitz(), "color": "white"});
    anna.post("/api/v1/challenges", one_more).await.expect_problem(429, "too_many_challenges");
}

#[tokio::test]
async fn invitations_of_others_keep_nobody_from_inviting() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let ask =
        |asked: &str| json!({"kind": "direct", "asked": asked, "time": blitz(), "color": "white"});
    for _ in 0..50 {
        anna.challenge(ask("bert")).await;
    }
    bert.challenge(ask("anna")).await;
}

#[tokio::test]
async fn a_challenge_names_its_speed_by_all_its_stages() {
    let club = Club::open().await;
    let mut guest = club.guest().await;
    let stages = json!([
        {"moves": 40, "time_ms": 300_000, "bonus": {"kind": "none"}},
        {"moves": null, "time_ms": 300_000, "bonus": {"kind": "none"}}]);
    for (time, speed) in [
        (json!({"kind": "stages", "white": stages, "black": stages}), json!("rapid")),
        (blitz(), json!("blitz")),
        (json!({"kind": "unlimited"}), json!(null)),
    ] {
        let made = guest
            .post("/api/v1/challenges", json!({"time": time, "color": "random"}))
            .await
            .expect(201);
        assert_eq!(made["speed"], speed, "{time}");
    }
}
