use serde_json::json;

use super::{THREE, import, many, total};
use crate::club::Club;

#[tokio::test]
async fn the_explorer_counts_moves_and_walks_on() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    import(&mut anna, "many.pgn", &many(50)).await;
    let start = anna.get("/api/v1/library/explorer").await.expect(200);
    assert_eq!(start["total"]["games"], 52);
    let moves: Vec<_> = start["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["san"].clone(), m["games"].clone()))
        .collect();
    assert_eq!(moves, [(json!("e4"), json!(51)), (json!("d4"), json!(1))]);
    assert_eq!((&start["moves"][0]["white"], &start["moves"][1]["draws"]), (&json!(51), &json!(1)));
    let after = anna.get("/api/v1/library/explorer?play=e4").await.expect(200);
    assert_eq!(
        (&after["played"]["san"], &after["opening"]),
        (&json!("e4"), &json!("King's Pawn Game"))
    );
    let fen = after["fen"].as_str().unwrap().replace(' ', "%20");
    let next = anna.get(&format!("/api/v1/library/explorer?fen={fen}&play=e7e5")).await.expect(200);
    assert_eq!((&next["total"]["games"], &next["moves"][0]["uci"]), (&json!(51), &json!("g1f3")));
    assert_eq!(total(&mut anna, &format!("fen={fen}")).await, 51);
    let strong = anna.get("/api/v1/library/explorer?min_rating=1700").await.expect(200);
    assert_eq!(
        (&strong["total"]["games"], &strong["moves"][0]["average_rating"]),
        (&json!(1), &json!(1850))
    );
    assert_eq!(strong["moves"][0]["performance"], 2600, "1800 and 800 for a clean sheet");
}

#[tokio::test]
async fn nonsense_is_refused_with_a_reason() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    for (question, status, code) in [
        ("explorer?fen=nonsense", 422, "bad_position"),
        ("explorer?play=e5", 422, "illegal_move"),
        ("explorer?scope=everybody", 400, "bad_query"),
        ("explorer?scope=player:Nobody", 404, "unknown_player"),
        ("games?result=2-0", 400, "bad_query"),
        ("games?before=yesterday", 400, "bad_query"),
        ("games?speed=quick", 400, "bad_query"),
        ("games/77", 404, "unknown_game"),
        ("games/77/pgn", 404, "unknown_game"),
        ("export?format=docx", 400, "bad_query"),
    ] {
        anna.get(&format!("/api/v1/library/{question}")).await.expect_problem(status, code);
    }
    let mut guest = club.browser();
    guest.get("/api/v1/library/games?scope=mine").await.expect_problem(401, "not_logged_in");
}

#[tokio::test]
async fn filters_find_what_they_say_page_by_page() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    import(&mut anna, "many.pgn", &many(60)).await;
    for (question, games) in [
        ("player=anna", 2),
        ("player=anna&side=white", 1),
        ("player=anna&score=win", 1),
        ("player=anna&opponent=carla", 1),
        ("result=1/2-1/2", 1),
        ("speed=blitz", 1),
        ("opening=ruy%20lopez", 1),
        ("opening=D3", 1),
        ("source=file", 62),
        ("source=here", 0),
        ("min_plies=5", 1),
        ("since=1600000000000", 1),
        ("until=1600000000000", 1),
        ("max_rating=2000", 1),
    ] {
        assert_eq!(total(&mut anna, question).await, games, "{question}");
    }
    let mut seen = Vec::new();
    let mut question = "limit=25".to_owned();
    loop {
        let page = anna.get(&format!("/api/v1/library/games?{question}")).await.expect(200);
        seen.extend(
            page["games"].as_array().unwrap().iter().map(|game| game["number"].as_i64().unwrap()),
        );
        let Some(next) = page["next"].as_str() else { break };
        question = format!("limit=25&before={next}");
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!((seen.len(), count), (62, 62));
}

#[tokio::test]
async fn side_and_score_are_those_of_whose_games_are_asked_for() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    // Anna wins with White and draws with Black; the games of others in her file are won by White too.
    import(&mut anna, "three.pgn", THREE).await;
    import(&mut anna, "many.pgn", &many(10)).await;
    for (question, games) in [
        ("side=white", 1),
        ("side=black", 1),
        ("score=win", 1),
        ("score=draw", 1),
        ("score=loss", 0),
        ("side=white&score=draw", 0),
        ("side=white&opponent=bernd", 1),
        ("side=black&opponent=bernd", 0),
        ("scope=all&side=white", 1),
        ("side=white&player=bernd", 0),
        ("opponent=bernd", 1),
        ("", 12),
    ] {
        assert_eq!(total(&mut anna, question).await, games, "{question}");
        let explored = anna.get(&format!("/api/v1/library/explorer?{question}")).await.expect(200);
        assert_eq!(explored["total"]["games"], games, "{question}");
    }
    let sums = anna.get("/api/v1/library/statistics?side=black").await.expect(200);
    assert_eq!(sums["total"], json!({"wins": 0, "draws": 1, "losses": 0}));
    assert_eq!(
        sums["by_color"],
        json!([{"name": "black", "wins": 0, "draws": 1, "losses": 0}]),
        "one colour and not both"
    );
}

#[tokio::test]
async fn a_game_is_shown_with_everything_in_it() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    let page = anna.get("/api/v1/library/games?player=bernd").await.expect(200);
    let number = &page["games"][0]["number"];
    let game = anna.get(&format!("/api/v1/library/games/{number}")).await.expect(200);
    assert_eq!(game["summary"]["own"], true);
    let first = &game["moves"][0];
    assert_eq!((&first["san"], &first["clock_ms"]), (&json!("e4"), &json!(180_000)));
    assert_eq!(first["comments"], json!(["best by test"]));
    let variation = &game["moves"][1]["variations"][0]["moves"];
    assert_eq!((&variation[0]["san"], &variation[1]["ply"]), (&json!("c5"), &json!(3)));
    assert!(game["moves"][5]["fen"].as_str().unwrap().starts_with("r1bqkbnr/1ppp1ppp/p1n5/1B2p3"));
    let pgn = anna.get(&format!("/api/v1/library/games/{number}/pgn")).await;
    assert!(pgn.text.starts_with("[Event \"Casual\"]"), "{}", pgn.text);
}

#[tokio::test]
async fn statistics_are_seen_from_the_player() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    let sums = anna.get("/api/v1/library/statistics").await.expect(200);
    assert_eq!(sums["total"], json!({"wins": 1, "draws": 1, "losses": 0}));
    assert_eq!(sums["by_color"][0], json!({"name": "white", "wins": 1, "draws": 0, "losses": 0}));
    assert_eq!(sums["by_month"][0]["name"], "2020-05");
    assert_eq!(sums["by_strength"][0]["name"], "-100");
}
