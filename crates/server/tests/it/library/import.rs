use serde_json::json;

use super::{THREE, ended, import, many, total, total_becomes, upload};
use crate::club::{Club, settings};

#[tokio::test]
async fn good_games_come_in_and_bad_ones_are_listed_with_line_and_reason() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let told = import(&mut anna, "three.pgn", THREE).await;
    assert_eq!(told["state"], "done");
    assert_eq!(
        (&told["games"], &told["bad"], &told["duplicates"]),
        (&json!(2), &json!(1), &json!(0))
    );
    assert_eq!(told["bytes_done"], told["bytes"]);
    let url = format!("/api/v1/library/imports/{}/problems", told["id"]);
    let problems = anna.get(&url).await.expect(200);
    assert_eq!(problems["problems"][0]["line"], 17);
    assert_eq!(problems["problems"][0]["reason"], "“Ke3”: this move is not legal here");
    let page = anna.get("/api/v1/library/games").await.expect(200);
    assert_eq!(page["total"], 2);
    assert_eq!(page["games"][0]["white"]["name"], "Carla", "the newest first");
    assert_eq!(page["games"][1]["white"], json!({"name": "Anna", "rating": 1900}));
    assert_eq!(page["games"][1]["opening"], "Ruy Lopez: Morphy Defense");
    assert_eq!(page["games"][1]["opening_ply"], 6);
    assert_eq!(page["games"][1]["speed"], "blitz");
}

#[tokio::test]
async fn the_same_file_twice_brings_nothing_new() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "a.pgn", THREE).await;
    let again = import(&mut anna, "b.pgn", THREE).await;
    assert_eq!((&again["games"], &again["duplicates"]), (&json!(0), &json!(2)));
    assert_eq!(total(&mut anna, "").await, 2);
}

#[tokio::test]
async fn a_file_arrives_in_pieces_and_only_in_their_order() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let mut ben = club.player("Bert").await;
    let new = json!({"file_name": "x.pgn", "bytes": 10});
    let id = anna.post("/api/v1/library/imports", new).await.expect(200)["id"].as_i64().unwrap();
    let url = |offset: usize| format!("/api/v1/library/imports/{id}/file?offset={offset}");
    anna.request("PUT", &url(0), Some("1. e4".to_owned())).await.expect(200);
    anna.request("PUT", &url(0), Some("1. e4".to_owned()))
        .await
        .expect_problem(409, "wrong_offset");
    anna.request("PUT", &url(5), Some("123456".to_owned())).await.expect_problem(413, "too_big");
    ben.request("PUT", &url(5), Some("x".to_owned())).await.expect_problem(404, "unknown_import");
    let there = anna.get(&format!("/api/v1/library/imports/{id}")).await.expect(200);
    assert_eq!((&there["state"], &there["bytes_arrived"]), (&json!("uploading"), &json!(5)));
    anna.request("PUT", &url(5), Some(" e5 *".to_owned())).await.expect(200);
    assert_eq!(ended(&mut anna, id).await["games"], 1);
    anna.request("PUT", &url(10), Some("x".to_owned())).await.expect_problem(409, "not_uploading");
}

#[tokio::test]
async fn a_piece_that_is_sent_twice_at_once_counts_once() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let file = many(2_000);
    let new = json!({"file_name": "x.pgn", "bytes": file.len()});
    let id = anna.post("/api/v1/library/imports", new).await.expect(200)["id"].as_i64().unwrap();
    let mut offset = 0;
    for piece in file.as_bytes().chunks(4_000) {
        let url = format!("/api/v1/library/imports/{id}/file?offset={offset}");
        let text = String::from_utf8(piece.to_vec()).unwrap();
        let (mut one, mut other) = (anna.clone(), anna.clone());
        let (first, second) = tokio::join!(
            one.request("PUT", &url, Some(text.clone())),
            other.request("PUT", &url, Some(text)),
        );
        assert!([first.status, second.status].contains(&200), "{}", first.text);
        offset += piece.len();
    }
    let told = ended(&mut anna, id).await;
    assert_eq!((&told["games"], &told["bad"]), (&json!(2_000), &json!(0)));
}

#[tokio::test]
async fn limits_say_what_they_are() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let huge = json!({"file_name": "x.pgn", "bytes": 1_u64 << 40});
    anna.post("/api/v1/library/imports", huge).await.expect_problem(413, "too_big");
    for _ in 0..5 {
        let new = json!({"file_name": "x.pgn", "bytes": 5});
        anna.post("/api/v1/library/imports", new).await.expect(200);
    }
    let one_more = json!({"file_name": "x.pgn", "bytes": 5});
    anna.post("/api/v1/library/imports", one_more).await.expect_problem(429, "too_many_imports");
    let mut guest = club.browser();
    let new = json!({"file_name": "x.pgn", "bytes": 5});
    guest.post("/api/v1/library/imports", new).await.expect_problem(401, "not_logged_in");
}

#[tokio::test]
async fn a_file_that_breaks_off_keeps_the_games_before_that_place_and_says_so() {
    let mut settings = settings();
    settings.library.unpacked_bytes = 100_000;
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let told = import(&mut anna, "many.pgn", &many(2_000)).await;
    assert_eq!(told["state"], "failed");
    assert!(told["problem"].as_str().unwrap().contains("bigger than 100000 bytes"), "{told}");
    let kept = told["games"].as_u64().unwrap();
    assert!((500..1_200).contains(&kept), "{told}");
    assert_eq!(total(&mut anna, "").await, kept);
}

#[tokio::test]
async fn everybody_has_a_share_of_the_library_and_of_the_day() {
    let mut settings = settings();
    settings.library.games_per_person = 1_500;
    settings.library.imports_per_day = 3;
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let told = import(&mut anna, "many.pgn", &many(1_600)).await;
    assert_eq!((&told["state"], &told["games"]), (&json!("failed"), &json!(1_500)));
    assert!(told["problem"].as_str().unwrap().contains("1500 games"), "{told}");
    let new = json!({"file_name": "x.pgn", "bytes": 5});
    anna.post("/api/v1/library/imports", new.clone()).await.expect_problem(409, "library_full");
    let mut ben = club.player("Bert").await;
    for _ in 0..3 {
        import(&mut ben, "three.pgn", THREE).await;
    }
    let refused = ben.post("/api/v1/library/imports", new.clone()).await;
    refused.expect_problem(429, "too_many_imports_today");
    club.time.advance(24 * 3_600_000 + 1);
    ben.post("/api/v1/library/imports", new).await.expect(200);
}

#[tokio::test]
async fn an_import_that_takes_longer_than_the_club_allows_is_stopped_and_keeps_what_it_has() {
    let mut settings = settings();
    settings.library.import_hours = 0;
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let told = import(&mut anna, "many.pgn", &many(5_000)).await;
    assert_eq!(told["state"], "failed");
    assert!(told["problem"].as_str().unwrap().contains("after 0 hours"), "{told}");
    let kept = told["games"].as_u64().unwrap();
    assert!((1..5_000).contains(&kept), "{told}");
    assert_eq!(total(&mut anna, "").await, kept);
}

#[tokio::test]
async fn a_file_that_is_no_archive_after_all_fails_with_a_reason() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let told = import(&mut anna, "bad.zip", "PK\u{3}\u{4} this is not an archive").await;
    assert_eq!(told["state"], "failed");
    assert!(told["problem"].as_str().unwrap().len() > 10, "{told}");
    let text = import(&mut anna, "text.pgn", "no games at all, only words\n").await;
    assert_eq!((&text["state"], &text["games"]), (&json!("done"), &json!(0)));
}

#[tokio::test]
async fn an_import_can_be_undone_and_a_game_removed() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let first = import(&mut anna, "three.pgn", THREE).await;
    let second = import(&mut anna, "many.pgn", &many(300)).await;
    assert_eq!(total(&mut anna, "").await, 302);
    let url = format!("/api/v1/library/imports/{}?remove_games=true", second["id"]);
    assert_eq!(anna.delete(&url).await.expect(200)["games"], 0);
    assert_eq!(total(&mut anna, "").await, 2);
    let page = anna.get("/api/v1/library/games").await.expect(200);
    let game = format!("/api/v1/library/games/{}", page["games"][0]["number"]);
    let mut ben = club.player("Bert").await;
    ben.delete(&game).await.expect_problem(404, "unknown_game");
    anna.delete(&game).await.expect(204);
    anna.get(&game).await.expect_problem(404, "unknown_game");
    assert_eq!(total(&mut anna, "").await, 1);
    assert_eq!(import(&mut anna, "again.pgn", THREE).await["games"], 1, "{first}");
}

#[tokio::test]
async fn what_goes_out_comes_in_again_the_same() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    let out = anna.get("/api/v1/library/export").await;
    assert_eq!(out.header("content-type"), Some("application/x-chess-pgn; charset=utf-8"));
    assert!(
        out.text.contains("{[%clk 0:03:00] best by test}") && out.text.contains("(1... c5 2. Nf3)"),
        "{}",
        out.text
    );
    let again = import(&mut anna, "again.pgn", &out.text).await;
    assert_eq!((&again["games"], &again["duplicates"]), (&json!(0), &json!(2)));
    let mut ben = club.player("Bert").await;
    assert_eq!(import(&mut ben, "anna.pgn", &out.text).await["games"], 2);
    assert_eq!(ben.get("/api/v1/library/export").await.text, out.text);
    let bare =
        anna.get("/api/v1/library/export?clocks=false&comments=false&variations=false").await.text;
    assert!(bare.contains("1. e4 e5 2. Nf3"), "{bare}");
    let lines = anna.get("/api/v1/library/export?format=ndjson&player=carla").await.text;
    let line: serde_json::Value = serde_json::from_str(lines.trim()).unwrap();
    assert_eq!((&line["result"], &line["plies"]), (&json!("1/2-1/2"), &json!(4)));
    assert!(line["pgn"].as_str().unwrap().contains("1. d4 d5 2. c4 e6"));
}

#[tokio::test]
async fn an_import_can_be_stopped_before_its_file_is_there() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let new = json!({"file_name": "x.pgn", "bytes": 10});
    let id = anna.post("/api/v1/library/imports", new).await.expect(200)["id"].as_i64().unwrap();
    let told = anna.delete(&format!("/api/v1/library/imports/{id}")).await.expect(200);
    assert_eq!(told["state"], "cancelled");
    assert!(upload(&mut anna, "y.pgn", THREE).await > id);
}

#[tokio::test]
async fn an_import_that_is_undone_while_it_runs_leaves_nothing_behind() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    for waits in 0..6 {
        let id = upload(&mut anna, "many.pgn", &many(5_000)).await;
        for _ in 0..waits {
            super::pause().await;
        }
        let url = format!("/api/v1/library/imports/{id}?remove_games=true");
        assert_eq!(anna.delete(&url).await.expect(200)["games"], 0);
        ended(&mut anna, id).await;
        assert_eq!(total(&mut anna, "").await, 0, "after {waits} looks");
    }
    assert_eq!(import(&mut anna, "many.pgn", &many(10)).await["games"], 10);
    assert_eq!(total(&mut anna, "").await, 10);
    let explored = anna.get("/api/v1/library/explorer").await.expect(200);
    assert_eq!(explored["total"]["games"], 10);
}

#[tokio::test]
async fn a_damaged_game_hides_no_other_one() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    for (name, first) in [("a.pgn", "e4"), ("b.pgn", "d4"), ("c.pgn", "c4")] {
        let game = format!("[White \"{first}\"]\n[Black \"X\"]\n\n1. {first} *\n");
        assert_eq!(import(&mut anna, name, &game).await["games"], 1);
    }
    // One bundle whose game makes no sense, and one that is none.
    for (body, place) in [("000000000000000003000000ffffff", "MIN"), ("01", "MAX")] {
        let sql = format!(
            "UPDATE library_bundle SET body = x'{body}' WHERE seq = (SELECT {place}(seq) FROM library_bundle)"
        );
        club.store().run_for_test(sql).await.unwrap();
    }
    let page = anna.get("/api/v1/library/games").await.expect(200);
    let names: Vec<&str> = page["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["white"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["d4"]);
    let numbers = "/api/v1/library/export?numbers=1,2,3";
    for url in ["/api/v1/library/export", numbers] {
        let out = anna.get(url).await;
        assert_eq!((out.status, out.text.matches("[White ").count()), (200, 1), "{}", out.text);
    }
}

#[tokio::test]
async fn a_damaged_game_is_no_reason_to_build_the_index_again() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "many.pgn", &many(100)).await;
    let game = "[White \"A\"]\n[Black \"B\"]\n\n1. d4 *\n";
    assert_eq!(import(&mut anna, "one.pgn", game).await["games"], 1);
    let damage = "UPDATE library_bundle SET body = x'000000000000000003000000ffffff'
                  WHERE seq = (SELECT MAX(seq) FROM library_bundle)";
    club.store().run_for_test(damage.to_owned()).await.unwrap();
    let index = club.folder().join("library/index");
    let club = club.crash_and_do(|| std::fs::remove_dir_all(index).unwrap()).await;
    anna.move_to(club.address);
    total_becomes(&mut anna, "", 100).await;
    // A later game makes the index claim every number before it.
    assert_eq!(import(&mut anna, "later.pgn", &many(101)).await["games"], 1);
    let manifest =
        || std::fs::read_to_string(club.folder().join("library/index/manifest")).unwrap();
    let before = manifest();
    assert!(before.lines().count() > 1, "{before}");
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    while anna.get("/api/v1/library/games").await.expect(200)["is_ready"] != true {
        super::pause().await;
    }
    assert_eq!(total(&mut anna, "").await, 101);
    let after = std::fs::read_to_string(club.folder().join("library/index/manifest")).unwrap();
    assert_eq!(after, before, "the same segments as before");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_to_its_end_breaks_off() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "many.pgn", &many(300)).await;
    for format in ["pgn", "ndjson"] {
        assert!(anna.gets_all(&format!("/api/v1/library/export?format={format}")).await);
    }
    // The index still finds the games; the database does not give them.
    let sql = "ALTER TABLE library_bundle RENAME TO elsewhere";
    club.store().run_for_test(sql.to_owned()).await.unwrap();
    for format in ["pgn", "ndjson"] {
        assert!(!anna.gets_all(&format!("/api/v1/library/export?format={format}")).await);
    }
}
