use serde_json::json;

use super::site::Site;
use super::{
    ask, at, becomes, check_games, connect, connected, game, has_problem, prove, sync_now, synced,
};
use crate::accounts::people::PASSWORD;
use crate::club::Club;
use crate::library::{pause, total};

const TOKEN: &str = "lip_secret_of_anna";

#[tokio::test]
async fn a_token_proves_whose_the_account_is_and_is_never_shown() {
    let site = Site::start("Anna_L").await;
    site.play(game(0, "Anna_L", "Bert"));
    let club = Club::open_as(at(&site)).await;
    let (mut anna, mut eve) = (club.player("Anna").await, club.player("Eveline").await);
    let (other, _) = connect(&mut eve, "lichess", "somebody").await;
    prove(&mut eve, other, json!({"token": TOKEN})).await;
    has_problem(&mut eve, other, "other_token").await;
    assert_eq!(ask(&mut eve, other).await["has_token"], false, "and it is not kept");
    let (id, _) = connect(&mut anna, "lichess", "ANNA_L").await;
    prove(&mut anna, id, json!({"token": "lip_of_nobody"})).await;
    has_problem(&mut anna, id, "bad_token").await;
    club.time.advance(10_000);
    prove(&mut anna, id, json!({"token": TOKEN})).await;
    synced(&mut anna, id).await;
    let used = site.heads().iter().filter(|head| head.contains(TOKEN)).count();
    assert!(used >= 2, "for the proof and for the games");
    let told = anna.get("/api/v1/library/connections").await.text;
    assert!(told.contains("\"has_token\":true") && !told.contains(TOKEN), "{told}");
    let stored = club.store().load_connection(id).await.unwrap().token.unwrap();
    assert!(!stored.windows(8).any(|bytes| TOKEN.as_bytes().windows(8).any(|part| part == bytes)));
    let (third, _) = connect(&mut anna, "chesscom", "AnnaC").await;
    let url = format!("/api/v1/library/connections/{third}/proof");
    anna.post(&url, json!({"token": TOKEN})).await.expect_problem(422, "no_tokens");
}

#[tokio::test]
async fn an_account_belongs_to_one_member_and_its_games_are_seen_by_its_players_alone() {
    let site = Site::start("Anna_L").await;
    site.play(game(0, "Anna_L", "Bert_L"));
    site.play(game(1, "Anna_L", "Carla_L"));
    let club = Club::open_as(at(&site)).await;
    let (mut anna, mut eve) = (club.player("Anna").await, club.player("Eveline").await);
    connected(&mut anna, &site, "lichess", "Anna_L").await;
    // Somebody else who can write into the same profile comes too late.
    let (late, code) = connect(&mut eve, "lichess", "Anna_L").await;
    site.says(&code);
    prove(&mut eve, late, json!({})).await;
    has_problem(&mut eve, late, "taken").await;
    let page = anna.get("/api/v1/library/games?player=bert").await.expect(200);
    let url = format!("/api/v1/library/games/{}", page["games"][0]["number"]);
    let mut guest = club.browser();
    for other in [&mut eve, &mut guest] {
        for scope in ["scope=club", "scope=player:Anna", "scope=player:anna&player=bert"] {
            assert_eq!(total(other, scope).await, 0, "{scope}");
            let explored =
                other.get(&format!("/api/v1/library/explorer?{scope}")).await.expect(200);
            assert_eq!(explored["total"]["games"], 0, "{scope}");
            let sums = other.get(&format!("/api/v1/library/statistics?{scope}")).await.expect(200);
            assert_eq!(sums["games"], 0, "{scope}");
            assert_eq!(
                other.get(&format!("/api/v1/library/export?{scope}")).await.text,
                "",
                "{scope}"
            );
        }
        other.get(&url).await.expect_problem(404, "unknown_game");
        other.get(&format!("{url}/pgn")).await.expect_problem(404, "unknown_game");
    }
    assert_eq!(total(&mut eve, "scope=mine").await, 0);
    eve.get(&format!("/api/v1/library/connections/{}", late - 1))
        .await
        .expect_problem(404, "unknown_connection");
    assert_eq!(total(&mut anna, "scope=player:Anna").await, 2, "one's own are");

    // Bert has been in the library all the time. When he comes, his game is his too, and there is still one of it.
    let bert_site = Site::start("Bert_L").await;
    bert_site.play(game(0, "Anna_L", "Bert_L"));
    let club = club.restart_as(at(&bert_site)).await;
    anna.move_to(club.address);
    let mut bert = club.player("Bert").await;
    connected(&mut bert, &bert_site, "lichess", "bert_l").await;
    assert_eq!(total(&mut bert, "").await, 1);
    assert_eq!(total(&mut anna, "").await, 2);
    bert.get(&url).await.expect(200);
    assert_eq!(total(&mut bert, "scope=player:Anna").await, 1, "the games in which both played");
}

#[tokio::test]
async fn who_disconnects_keeps_the_games_or_removes_them() {
    let site = Site::start("Anna_L").await;
    site.play(game(0, "Anna_L", "Bert_L"));
    site.play(game(1, "Anna_L", "Carla_L"));
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let id = connected(&mut anna, &site, "lichess", "Anna_L").await;
    let url = format!("/api/v1/library/connections/{id}");
    anna.delete(&url).await.expect(204);
    let told = ask(&mut anna, id).await;
    assert_eq!((&told["state"], &told["has_token"]), (&json!("stopped"), &json!(false)));
    assert_eq!(total(&mut anna, "").await, 2);
    site.play(game(2, "Anna_L", "Carla_L"));
    let asked = site.asked().len();
    club.time.advance(48 * 3_600_000);
    for _ in 0..20 {
        pause().await;
    }
    assert_eq!((site.asked().len(), total(&mut anna, "").await), (asked, 2), "no more games come");
    sync_now(&club, &mut anna, id).await;
    assert_eq!(total(&mut anna, "").await, 3, "until it is asked for again");

    // A game of two members stays for the other one.
    let bert_site = Site::start("Bert_L").await;
    let club = club.restart_as(at(&bert_site)).await;
    anna.move_to(club.address);
    let mut bert = club.player("Bert").await;
    connected(&mut bert, &bert_site, "lichess", "Bert_L").await;
    anna.delete(&format!("{url}?remove_games=true")).await.expect(204);
    anna.get(&url).await.expect_problem(404, "unknown_connection");
    assert_eq!((total(&mut anna, "").await, total(&mut bert, "").await), (0, 1));
}

#[tokio::test]
async fn who_leaves_the_club_leaves_the_games_to_the_others_under_a_neutral_name() {
    let site = Site::start("Anna_L").await;
    site.play(game(0, "Bert_L", "Anna_L"));
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    connected(&mut anna, &site, "lichess", "Anna_L").await;
    let bert_site = Site::start("Bert_L").await;
    let club = club.restart_as(at(&bert_site)).await;
    anna.move_to(club.address);
    let mut bert = club.player("Bert").await;
    let id = connected(&mut bert, &bert_site, "lichess", "Bert_L").await;
    let body = json!({"password": PASSWORD}).to_string();
    anna.request("DELETE", "/api/v1/account", Some(body)).await.expect(204);
    becomes(&mut bert, id, "the neutral name", |_| true).await;
    for _ in 0..400 {
        club.time.advance(2_000);
        pause().await;
        if total(&mut bert, "player=former").await == 1 {
            break;
        }
    }
    let page = bert.get("/api/v1/library/games").await.expect(200);
    assert_eq!(
        (&page["total"], &page["games"][0]["black"]["name"]),
        (&json!(1), &json!("Former member"))
    );
    let file = bert.get("/api/v1/library/export").await.text;
    assert!(file.contains("Former member won by checkmate") && !file.contains("Anna_L"), "{file}");
}

#[tokio::test]
async fn who_left_and_comes_back_has_the_games_of_the_account_again() {
    let site = Site::start("Anna_L").await;
    for n in 0..3 {
        site.play(game(n, "Anna_L", "Bert_L"));
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    connected(&mut anna, &site, "lichess", "Anna_L").await;
    let body = json!({"password": PASSWORD}).to_string();
    anna.request("DELETE", "/api/v1/account", Some(body)).await.expect(204);
    let mut again = club.player("Annette").await;
    club.time.advance(20_000);
    let id = connected(&mut again, &site, "lichess", "Anna_L").await;
    assert_eq!(ask(&mut again, id).await["games"], 3);
    check_games(&mut again, 3).await;
    let file = again.get("/api/v1/library/export").await.text;
    assert_eq!(file.matches("[White \"Anna_L\"]").count(), 3, "{file}");
    assert_eq!(total(&mut again, "player=former").await, 0);
}

#[tokio::test]
async fn claims_are_bounded_and_names_are_names() {
    let site = Site::start("Anna_L").await;
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    for bad in ["", "a", "../../account", "a b", "anna?x=1", "anna/../eve"] {
        let new = json!({"service": "lichess", "name": bad});
        anna.post("/api/v1/library/connections", new).await.expect_problem(422, "bad_name");
    }
    let (first, _) = connect(&mut anna, "lichess", "name0").await;
    let again = json!({"service": "lichess", "name": "NAME0"});
    anna.post("/api/v1/library/connections", again).await.expect_problem(409, "connected_twice");
    anna.post(&format!("/api/v1/library/connections/{first}/sync"), json!({}))
        .await
        .expect_problem(409, "unproven");
    for n in 1..10 {
        connect(&mut anna, "lichess", &format!("name{n}")).await;
    }
    let more = json!({"service": "lichess", "name": "name10"});
    anna.post("/api/v1/library/connections", more)
        .await
        .expect_problem(409, "too_many_connections");
    assert_eq!(site.asked(), [""; 0]);
    anna.delete(&format!("/api/v1/library/connections/{first}")).await.expect(204);
    connect(&mut anna, "lichess", "name0").await;
}
