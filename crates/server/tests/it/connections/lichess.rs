use serde_json::json;

use super::site::Site;
use super::{
    ask, at, becomes, check_games, connect, connected, game, has_problem, pgn, prove, sync_now,
    synced,
};
use crate::club::Club;
use crate::library::{import, total};

#[tokio::test]
async fn games_come_in_after_the_proof_and_then_only_what_is_new() {
    let site = Site::start("Anna_L").await;
    for n in 0..5 {
        site.play(game(n, "Anna_L", "Bert"));
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = connect(&mut anna, "lichess", "anna_l").await;
    prove(&mut anna, id, json!({})).await;
    has_problem(&mut anna, id, "no_code").await;
    assert_eq!(
        site.asked(),
        ["/api/user/anna_l"],
        "nothing is fetched for a name that anybody could type in"
    );
    assert_eq!(total(&mut anna, "").await, 0);
    site.says(&format!("chess {code} chess"));
    club.time.advance(10_000);
    prove(&mut anna, id, json!({})).await;
    let told = synced(&mut anna, id).await;
    assert_eq!(
        (&told["name"], &told["games"], &told["code"]),
        (&json!("Anna_L"), &json!(5), &json!(null))
    );
    assert_eq!((&told["done"], &told["total"]), (&json!(5), &json!(5)));
    check_games(&mut anna, 5).await;
    let page = anna.get("/api/v1/library/games?source=lichess").await.expect(200);
    assert_eq!(page["games"][0]["white"], json!({"name": "Anna_L", "rating": 1500}));
    let number = &page["games"][0]["number"];
    let shown = anna.get(&format!("/api/v1/library/games/{number}")).await.expect(200);
    assert_eq!(shown["source_url"], "https://lichess.org/game0004");
    assert_eq!(shown["moves"][0]["clock_ms"], 180_000);

    site.play(game(5, "Bert", "Anna_L"));
    assert_eq!(sync_now(&club, &mut anna, id).await["games"], 6);
    check_games(&mut anna, 6).await;
    site.play(game(6, "Bert", "Anna_L"));
    club.time.advance(12 * 3_600_000);
    becomes(&mut anna, id, "the visit of every twelve hours", |told| told["games"] == 7).await;
    synced(&mut anna, id).await;
    check_games(&mut anna, 7).await;
    assert_eq!(site.most_at_once(), 1);
    assert!(site.heads().iter().all(|head| head.to_lowercase().contains("user-agent: rookery/")));
}

#[tokio::test]
async fn a_game_that_was_in_a_file_before_it_came_over_is_there_once() {
    let site = Site::start("Anna_L").await;
    for n in 0..4 {
        site.play(game(n, "Anna_L", "Bert"));
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let plain: String = (0..3).map(|n| pgn(n, "Anna_L", "Bert", "")).collect();
    let annotated = pgn(3, "Anna_L", "Bert", "").replace("2. g4 ", "2. g4 {oh no} ");
    let file = format!("{plain}{annotated}");
    assert_eq!(import(&mut anna, "mine.pgn", &file).await["games"], 4);
    let id = connected(&mut anna, &site, "lichess", "anna_l").await;
    // What somebody has written into a game is nowhere else.
    for (question, games) in [("source=lichess", 4), ("source=file", 1), ("", 5)] {
        assert_eq!(total(&mut anna, question).await, games, "{question}");
    }
    let kept = anna.get("/api/v1/library/export?source=file").await.text;
    assert!(kept.contains("oh no"), "{kept}");
    let again = import(&mut anna, "again.pgn", &plain).await;
    assert_eq!((&again["games"], &again["duplicates"]), (&json!(0), &json!(3)));
    // Later visits look too.
    import(&mut anna, "next.pgn", &pgn(4, "Anna_L", "Bert", "")).await;
    site.play(game(4, "Anna_L", "Bert"));
    sync_now(&club, &mut anna, id).await;
    for (question, games) in [("source=lichess", 5), ("source=file", 1)] {
        assert_eq!(total(&mut anna, question).await, games, "{question}");
    }
}

#[tokio::test]
async fn games_that_came_over_without_an_answer_of_the_storage_can_be_found_soon() {
    let site = Site::start("Anna_L").await;
    for n in 0..5 {
        site.play(game(n, "Anna_L", "Bert"));
    }
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = connect(&mut anna, "lichess", "anna_l").await;
    site.says(&code);
    club.store().lose_next_answer_for_test();
    prove(&mut anna, id, json!({})).await;
    for _ in 0..4_000 {
        club.time.advance(2_000);
        crate::library::pause().await;
        if total(&mut anna, "").await == 5 {
            break;
        }
    }
    check_games(&mut anna, 5).await;
}

#[tokio::test]
async fn casual_games_variants_and_computers_are_taken_by_their_tags() {
    let site = Site::start("Anna_L").await;
    site.play(game(0, "Anna_L", "Bert"));
    let mut against_computer = game(1, "Anna_L", "lichess AI level 3");
    against_computer["players"]["black"] = json!({"aiLevel": 3});
    site.play(against_computer);
    let mut shuffled = game(2, "Anna_L", "Bert");
    shuffled["variant"] = json!("chess960");
    let fen = "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n[SetUp \"1\"]\n";
    shuffled["pgn"] = json!(
        pgn(2, "Anna_L", "Bert", &format!("[Variant \"Chess960\"]\n{fen}"))
            .replace("1. f3 { [%clk 0:03:00] } e5 { [%clk 0:03:00] } 2. g4 Qh4#", "1. f3 e5")
    );
    site.play(shuffled);
    let mut unknown = game(3, "Anna_L", "Bert");
    unknown["pgn"] = json!(pgn(3, "Anna_L", "Bert", "[Variant \"Martian\"]\n"));
    site.play(unknown);
    let mut nobody_moved = game(4, "Anna_L", "Bert");
    nobody_moved["pgn"] = json!("[White \"Anna_L\"]\n[Black \"Bert\"]\n[Result \"*\"]\n\n*\n");
    site.play(nobody_moved);
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let id = connected(&mut anna, &site, "lichess", "Anna_L").await;
    let told = ask(&mut anna, id).await;
    assert_eq!((&told["games"], &told["skipped"]), (&json!(3), &json!(1)), "{told}");
    assert_eq!(told["skipped_variants"], json!([{"variant": "Martian", "games": 1}]));
    assert_eq!(total(&mut anna, "opponent=computer").await, 0);
    assert_eq!(total(&mut anna, "player=AI%20level").await, 1);
    check_games(&mut anna, 3).await;
    assert_eq!(sync_now(&club, &mut anna, id).await["skipped"], 1, "counted once");
}

#[tokio::test]
async fn a_game_that_was_still_being_played_comes_in_when_it_has_ended() {
    let site = Site::start("Anna_L").await;
    let mut running = game(0, "Anna_L", "Bert");
    running["status"] = json!("started");
    site.play(running);
    site.play(game(1, "Anna_L", "Bert"));
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let id = connected(&mut anna, &site, "lichess", "Anna_L").await;
    assert_eq!(total(&mut anna, "").await, 1);
    sync_now(&club, &mut anna, id).await;
    assert_eq!(total(&mut anna, "").await, 1, "it is still being played");
    site.change(game(0, "Anna_L", "Bert"));
    sync_now(&club, &mut anna, id).await;
    check_games(&mut anna, 2).await;
    let asked = site.asked_for("_ids");
    sync_now(&club, &mut anna, id).await;
    assert_eq!(site.asked_for("_ids"), asked, "nothing is waited for any more");
}

#[tokio::test]
async fn many_games_come_in_slices_and_a_crash_loses_and_doubles_none() {
    const GAMES: i64 = 700;
    let site = Site::start("Anna_L").await;
    for n in 0..GAMES {
        site.play(game(n, "Anna_L", "Bert"));
    }
    site.mood(super::site::Mood::Hangs(250));
    let club = Club::open_as(at(&site)).await;
    let mut anna = club.player("Anna").await;
    let (id, code) = connect(&mut anna, "lichess", "Anna_L").await;
    site.says(&code);
    prove(&mut anna, id, json!({})).await;
    let told = becomes(&mut anna, id, "a part of the games", |told| told["games"] == 200).await;
    assert_eq!((&told["state"], &told["total"]), (&json!("syncing"), &json!(GAMES)));
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    let told = synced(&mut anna, id).await;
    assert_eq!(told["games"], GAMES);
    check_games(&mut anna, GAMES).await;
}
