//! Files that come in beside everything else: what waits, what goes first, and what a lost answer leaves behind.

use serde_json::json;

use super::{THREE, ended, import, many, pause, total, upload};
use crate::client::Browser;
use crate::club::Club;

/// A file that is there whole and was not told to whoever reads the files; gives the number of its import.
async fn lies_there(club: &Club, name: &str, file: &str) -> i64 {
    let account = club.store().find_profile("Anna").await.unwrap().unwrap().account.id;
    let bytes = i64::try_from(file.len()).unwrap();
    let id = club.store().begin_import(account, name.to_owned(), bytes, club.time.now());
    let id = id.await.unwrap();
    let spool = club.folder().join("library/imports");
    std::fs::write(spool.join(format!("{id}.upload")), file).unwrap();
    club.store().start_import(id).await.unwrap();
    id
}

async fn state(browser: &mut Browser, id: i64) -> serde_json::Value {
    browser.get(&format!("/api/v1/library/imports/{id}")).await.expect(200)["state"].clone()
}

/// Lets time pass, as often as the library looks around by itself, until something is so.
async fn passes(club: &Club, browser: &mut Browser, is_so: impl AsyncFn(&mut Browser) -> bool) {
    for _ in 0..4_000 {
        club.time.advance(2_000);
        pause().await;
        if is_so(browser).await {
            return;
        }
    }
    panic!("it does not come about");
}

#[tokio::test]
async fn a_big_file_lets_a_small_one_past_that_says_meanwhile_that_it_waits() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let big = lies_there(&club, "big.pgn", &many(5_000)).await;
    let small = lies_there(&club, "small.pgn", THREE).await;
    assert_eq!(
        (state(&mut anna, big).await, state(&mut anna, small).await),
        (json!("waiting"), json!("waiting"))
    );
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    assert_eq!(ended(&mut anna, small).await["games"], 2);
    assert_eq!(ended(&mut anna, big).await["games"], 5_000);
    assert_eq!(state(&mut anna, big).await, "done");
    // Numbers are given in the order in which games come in.
    let page = anna.get("/api/v1/library/games?player=bernd").await.expect(200);
    let number = page["games"][0]["number"].as_i64().unwrap();
    assert!((1..4_000).contains(&number), "behind a batch of the big file: {number}");
    assert_eq!(total(&mut anna, "").await, 5_002);
}

#[tokio::test]
async fn a_file_that_comes_in_is_not_cut_into_small_segments() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let id = upload(&mut anna, "many.pgn", &many(6_000)).await;
    // The library looks around all the while.
    passes(&club, &mut anna, async |anna| state(anna, id).await == "done").await;
    let files = std::fs::read_dir(club.folder().join("library/index")).unwrap();
    let paths = files.map(|entry| entry.unwrap().path());
    let segments: Vec<std::path::PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|kind| kind == "games")).collect();
    assert_eq!(segments.len(), 1, "{segments:?}");
}

#[tokio::test]
async fn games_of_a_commit_whose_answer_is_lost_can_be_found_soon() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    club.store().lose_next_answer_for_test();
    let id = upload(&mut anna, "many.pgn", &many(300)).await;
    passes(&club, &mut anna, async |anna| state(anna, id).await == "done").await;
    let told = ended(&mut anna, id).await;
    assert_eq!((&told["games"], &told["duplicates"]), (&json!(300), &json!(0)));
    passes(&club, &mut anna, async |anna| total(anna, "").await == 300).await;
    import(&mut anna, "three.pgn", THREE).await;
    assert_eq!(total(&mut anna, "").await, 302);
}
