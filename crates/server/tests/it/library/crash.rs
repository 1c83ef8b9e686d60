use serde_json::json;

use super::{ended, import, many, total, upload};
use crate::club::Club;

/// Every round exactly once.
async fn check_all_there(browser: &mut crate::client::Browser, games: usize) {
    let text = browser.get("/api/v1/library/export").await.text;
    let mut rounds: Vec<usize> = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]")?.parse().ok())
        .collect();
    rounds.sort_unstable();
    assert_eq!(rounds, (0..games).collect::<Vec<_>>());
    assert_eq!(total(browser, "").await, games as u64);
}

#[tokio::test]
async fn an_import_goes_on_after_a_crash_with_no_game_missing_and_none_doubled() {
    const GAMES: usize = 6_000;
    let mut club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let id = upload(&mut anna, "many.pgn", &many(GAMES)).await;
    let mut crashes = 0;
    for _ in 0..3 {
        let told = anna.get(&format!("/api/v1/library/imports/{id}")).await.expect(200);
        crashes += u32::from(told["state"] == "running");
        club = club.crash_and_start_after(1_000).await;
        anna.move_to(club.address);
    }
    assert!(crashes > 0, "the import was over before the first crash: the test has shown nothing");
    let told = ended(&mut anna, id).await;
    assert_eq!((&told["state"], &told["games"]), (&json!("done"), &json!(GAMES)));
    check_all_there(&mut anna, GAMES).await;
}

#[tokio::test]
async fn the_index_is_there_after_a_start_and_is_built_again_if_it_is_lost() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "many.pgn", &many(1_500)).await;
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    check_all_there(&mut anna, 1_500).await;
    let index = club.folder().join("library/index");
    let club = club.crash_and_do(|| std::fs::remove_dir_all(index).unwrap()).await;
    anna.move_to(club.address);
    // A file is whole from the first moment on; a list says that it is not.
    check_all_there(&mut anna, 1_500).await;
    let page = anna.get("/api/v1/library/games").await.expect(200);
    assert_eq!((&page["total"], &page["is_ready"]), (&json!(1_500), &json!(true)));
}
