use serde_json::json;

use super::{THREE, import, total, total_becomes};
use crate::client::play_moves;
use crate::club::{Club, unlimited};

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

/// Anna is mated by Ben.
async fn mated(club: &Club) -> (crate::client::Browser, crate::client::Browser, String) {
    let (mut anna, mut ben) = (club.player("Anna").await, club.player("Bert").await);
    let new = json!({"time": unlimited(), "color": "white"});
    let id =
        anna.post("/api/v1/challenges", new).await.expect(201)["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    let (mut white, mut black) = (anna.socket().await, ben.socket().await);
    white.join_game(&id).await;
    black.join_game(&id).await;
    play_moves(&mut white, &mut black, &id, &FOOLS_MATE).await;
    (anna, ben, id)
}

#[tokio::test]
async fn a_game_that_ends_here_is_in_the_library_of_both_and_of_the_club() {
    let club = Club::open().await;
    let (mut anna, mut ben, id) = mated(&club).await;
    for browser in [&mut anna, &mut ben] {
        total_becomes(browser, "scope=mine", 1).await;
    }
    let mut guest = club.browser();
    assert_eq!(total(&mut guest, "").await, 1);
    for (question, games) in [
        ("scope=player:anna", 1),
        ("scope=player:anna&side=white", 1),
        ("scope=player:anna&side=black", 0),
        ("scope=player:anna&score=loss", 1),
        ("scope=player:bert&score=loss", 0),
    ] {
        assert_eq!(total(&mut guest, question).await, games, "{question}");
    }
    let page = guest.get("/api/v1/library/games?scope=club").await.expect(200);
    let game = &page["games"][0];
    assert_eq!(
        (&game["game_id"], &game["source"], &game["result"]),
        (&json!(id), &json!("here"), &json!("0-1"))
    );
    let view = guest.get(&format!("/api/v1/library/games/{}", game["number"])).await.expect(200);
    assert_eq!(view["moves"][3]["san"], "Qh4#");
    let explored = guest.get("/api/v1/library/explorer?scope=club&play=f3").await.expect(200);
    assert_eq!(
        (&explored["total"]["black"], &explored["moves"][0]["san"]),
        (&json!(1), &json!("e5"))
    );
}

#[tokio::test]
async fn a_game_played_here_that_comes_back_in_a_file_is_there_once() {
    let club = Club::open().await;
    let (mut anna, mut ben, _) = mated(&club).await;
    for browser in [&mut anna, &mut ben] {
        total_becomes(browser, "scope=mine", 1).await;
    }
    let file = anna.get("/api/v1/library/export").await.text + THREE;
    for browser in [&mut anna, &mut ben] {
        let told = import(browser, "mine.pgn", &file).await;
        assert_eq!((&told["games"], &told["duplicates"]), (&json!(2), &json!(1)));
        assert_eq!(total(browser, "scope=mine").await, 3);
    }
    let mut carla = club.player("Carla").await;
    assert_eq!(import(&mut carla, "theirs.pgn", &file).await["games"], 3, "she did not play it");
}

#[tokio::test]
async fn the_whole_library_is_what_the_club_has_and_what_is_ones_own() {
    let club = Club::open().await;
    let (mut anna, mut ben, _) = mated(&club).await;
    total_becomes(&mut ben, "scope=mine", 1).await;
    import(&mut anna, "three.pgn", THREE).await;
    let (mut carla, mut guest) = (club.player("Carla").await, club.browser());
    for (browser, mine) in [(&mut anna, 3), (&mut ben, 1), (&mut carla, 1), (&mut guest, 1)] {
        assert_eq!(total(browser, "scope=all").await, mine);
        let explored = browser.get("/api/v1/library/explorer?scope=all").await.expect(200);
        assert_eq!(explored["total"]["games"], mine);
    }
    let sums = anna.get("/api/v1/library/statistics?scope=all").await.expect(200);
    assert_eq!(sums["total"], json!({"wins": 1, "draws": 1, "losses": 1}), "seen from Anna");
    anna.get("/api/v1/library/games?scope=some").await.expect_problem(400, "bad_query");
}

#[tokio::test]
async fn nobody_sees_what_another_has_brought() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    let page = anna.get("/api/v1/library/games").await.expect(200);
    let url = format!("/api/v1/library/games/{}", page["games"][0]["number"]);
    let mut ben = club.player("Bert").await;
    let mut guest = club.browser();
    for other in [&mut ben, &mut guest] {
        for scope in ["scope=club", "scope=player:Anna"] {
            assert_eq!(total(other, scope).await, 0, "{scope}");
        }
        other.get(&url).await.expect_problem(404, "unknown_game");
        other.get(&format!("{url}/pgn")).await.expect_problem(404, "unknown_game");
        assert_eq!(other.get("/api/v1/library/export?scope=club").await.text, "");
    }
    assert_eq!(total(&mut ben, "scope=mine").await, 0);
}

#[tokio::test]
async fn who_leaves_takes_the_files_along_and_the_games_stay_under_a_neutral_name() {
    let club = Club::open().await;
    let (mut anna, mut ben, _) = mated(&club).await;
    total_becomes(&mut ben, "scope=mine", 1).await;
    import(&mut anna, "three.pgn", THREE).await;
    let body = json!({"password": crate::accounts::people::PASSWORD}).to_string();
    anna.request("DELETE", "/api/v1/account", Some(body)).await.expect(204);
    passes(&club, &mut ben, "scope=club&player=former", 1).await;
    assert_eq!(total(&mut ben, "scope=club&player=anna").await, 0);
    let page = ben.get("/api/v1/library/games").await.expect(200);
    assert_eq!(
        (&page["total"], &page["games"][0]["white"]["name"]),
        (&json!(1), &json!("Former member"))
    );
}

#[tokio::test]
async fn a_game_that_ends_while_the_storage_fails_comes_in_without_a_restart() {
    let club = Club::open().await;
    // The game itself is written; the library's part of it is not.
    let away = "ALTER TABLE library_number RENAME TO elsewhere";
    club.store().run_for_test(away.to_owned()).await.unwrap();
    let (mut anna, _ben, _) = mated(&club).await;
    for _ in 0..20 {
        super::pause().await;
    }
    assert_eq!(total(&mut anna, "scope=mine").await, 0);
    let back = "ALTER TABLE elsewhere RENAME TO library_number";
    club.store().run_for_test(back.to_owned()).await.unwrap();
    passes(&club, &mut anna, "scope=mine", 1).await;
}

#[tokio::test]
async fn who_is_renamed_is_found_under_the_new_name_alone() {
    let club = Club::open().await;
    let (mut anna, mut ben, _) = mated(&club).await;
    total_becomes(&mut ben, "scope=mine", 1).await;
    let id = club.store().find_profile("Anna").await.unwrap().unwrap().account.id;
    club.store().rename_player(id, "Annette".to_owned(), None, club.time.now()).await.unwrap();
    passes(&club, &mut ben, "scope=club&player=annette", 1).await;
    assert_eq!(total(&mut ben, "scope=club&player=anna").await, 0);
    assert_eq!(total(&mut anna, "scope=mine").await, 1);
    let page = ben.get("/api/v1/library/games").await.expect(200);
    assert_eq!(page["games"][0]["white"]["name"], "Annette");
}

/// Lets time pass until so many games are found: what the library looks for by itself it looks for now and then.
async fn passes(club: &Club, browser: &mut crate::client::Browser, question: &str, wanted: u64) {
    for _ in 0..400 {
        club.time.advance(2_000);
        super::pause().await;
        if total(browser, question).await == wanted {
            return;
        }
    }
    panic!("{question} does not find {wanted}");
}
