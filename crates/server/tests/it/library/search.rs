use serde_json::{Value, json};

use super::{THREE, import, total, total_becomes};
use crate::client::Browser;
use crate::club::{Club, blitz};

/// 301 real games, the same that the rules are tested with.
const SAMPLE: &str = include_str!("../../../../rules/tests/data/pgn/masters.sample.pgn");

#[tokio::test]
async fn every_tag_can_be_asked_for_and_so_can_lengths_and_times() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    for (question, expected) in [
        ("tag=Event%3DCasual", 2),
        ("tag=event%3D%20CASUAL%20", 2),
        ("tag=Event%3DCasual%0AWhite%3DAnna", 1),
        ("tag=Event%3DCasua", 0),
        ("tag=Result%3D1-0", 1),
        ("tag=Result%3D1-0%0AEvent%3DCasual", 1),
        ("time_control=180%2B2", 1),
        ("time_control=180", 0),
        ("min_plies=5", 1),
        ("max_plies=5", 1),
        ("player=bern", 1),
        ("source=file", 2),
        ("source=here", 0),
    ] {
        assert_eq!(total(&mut anna, question).await, expected, "{question}");
    }
    let explored = anna.get("/api/v1/library/explorer?tag=White%3DCarla").await.expect(200);
    assert_eq!(
        (&explored["total"]["games"], &explored["moves"][0]["san"]),
        (&json!(1), &json!("d4"))
    );
    anna.get("/api/v1/library/games?tag=Event").await.expect_problem(400, "bad_query");
    let many = "Event%3Dx%0A".repeat(11);
    let refused = anna.get(&format!("/api/v1/library/games?tag={many}")).await;
    refused.expect_problem(400, "bad_query");
}

#[tokio::test]
async fn until_a_day_ends_before_the_next_one_begins() {
    // Midnight at the beginning of 5 May 2020, of the day before and of the day after.
    const DAY: i64 = 24 * 3_600_000;
    const FIFTH: i64 = 1_588_636_800_000;
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let game = |day: u32, more: &str| {
        format!(
            "[White \"{day}\"]\n[Black \"X\"]\n[Date \"2020.05.{day:02}\"]\n{more}\n1. e4 *\n\n"
        )
    };
    let late = "[UTCDate \"2020.05.04\"]\n[UTCTime \"23:59:30\"]\n";
    import(&mut anna, "days.pgn", &(game(4, "") + &game(4, late) + &game(5, ""))).await;
    for (question, expected) in [
        (format!("until={FIFTH}"), 2),
        (format!("until={}", FIFTH + DAY), 3),
        (format!("until={}", FIFTH - DAY), 0),
        (format!("since={FIFTH}"), 1),
        (format!("since={}&until={FIFTH}", FIFTH - DAY), 2),
    ] {
        assert_eq!(total(&mut anna, &question).await, expected, "{question}");
    }
}

#[tokio::test]
async fn a_file_goes_out_with_what_is_wanted_in_it() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    import(&mut anna, "three.pgn", THREE).await;
    let export = "/api/v1/library/export";
    let few = anna.get(&format!("{export}?tags=few&player=bernd")).await.text;
    assert!(few.contains("[White \"Anna\"]") && few.contains("[%clk"), "{few}");
    assert!(!few.contains("TimeControl") && !few.contains("WhiteElo"), "{few}");
    let named = anna.get(&format!("{export}?openings=true")).await.text;
    assert!(named.contains("[Opening \"Ruy Lopez: Morphy Defense\"]"), "{named}");
    assert!(named.contains("[ECO \"C70\"]"), "{named}");
    let bare = anna.get(&format!("{export}?clocks=false&player=bernd")).await.text;
    assert!(!bare.contains("%clk") && bare.contains("best by test"), "{bare}");
    let page = anna.get("/api/v1/library/games").await.expect(200);
    let number = page["games"][1]["number"].as_i64().unwrap();
    let one = anna.get(&format!("{export}?numbers={number},{}", number + 1_000)).await.text;
    assert_eq!(one.matches("[Event ").count(), 1, "{one}");
    let mut ben = club.player("Bert").await;
    assert_eq!(ben.get(&format!("{export}?numbers={number}")).await.text, "");
    for bad in ["tags=some", "numbers=x", "format=doc"] {
        anna.get(&format!("{export}?{bad}")).await.expect_problem(400, "bad_query");
    }
}

#[tokio::test]
async fn three_hundred_games_go_out_and_come_in_again_the_same() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    assert_eq!(import(&mut anna, "masters.pgn", SAMPLE).await["games"], 301);
    let out = anna.get("/api/v1/library/export").await.text;
    let again = import(&mut anna, "again.pgn", &out).await;
    assert_eq!((&again["games"], &again["duplicates"]), (&json!(0), &json!(301)));
    let mut ben = club.player("Bert").await;
    assert_eq!(import(&mut ben, "anna.pgn", &out).await["games"], 301);
    // Games of one day may stand in another order: they have other numbers.
    let sorted = |text: String| {
        let mut games: Vec<String> = text.split("[Event ").map(str::to_owned).collect();
        games.sort();
        games
    };
    assert_eq!(sorted(ben.get("/api/v1/library/export").await.text), sorted(out));
    let lines = anna.get("/api/v1/library/export?format=ndjson").await.text;
    assert_eq!(
        lines.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count(),
        301
    );
}

#[tokio::test]
async fn statistics_know_time_trouble() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let hasty = "[White \"Anna\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[TimeControl \"60+0\"]\n\n\
                 1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:59]} 2. Nf3 {[%clk 0:00:02]} 0-1\n";
    import(&mut anna, "hasty.pgn", &format!("{hasty}\n{THREE}")).await;
    let sums = anna.get("/api/v1/library/statistics").await.expect(200);
    assert_eq!(
        sums["by_clock"],
        json!([{"name": "0", "wins": 0, "draws": 0, "losses": 1}, {"name": "50", "wins": 1, "draws": 0, "losses": 0}])
    );
    assert_eq!(sums["ratings"], json!([]), "no game was played here");
}

#[tokio::test]
async fn statistics_are_about_the_player_whom_the_filter_finds() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n"
        )
    };
    let text = [
        game("Anand, Viswanathan", "Carlsen, Magnus", "0-1"),
        game("M\u{fc}ller, Karsten", "Carlsen, Magnus", "1-0"),
        game("Hanna", "Anna", "1/2-1/2"),
        game("Hanna", "Bert", "1-0"),
    ];
    assert_eq!(import(&mut anna, "names.pgn", &text.concat()).await["games"], 4);
    for (question, [wins, draws, losses]) in [
        ("player=magnus%20carlsen", [1, 0, 1]),
        ("player=Carlsen,Magnus", [1, 0, 1]),
        ("player=muller", [1, 0, 0]),
        ("player=carlsen&opponent=m%C3%BCller", [0, 0, 1]),
        ("player=hanna&side=white", [1, 1, 0]),
        ("", [0, 1, 0]),
    ] {
        let sums = anna.get(&format!("/api/v1/library/statistics?{question}")).await.expect(200);
        let expected = json!({"wins": wins, "draws": draws, "losses": losses});
        assert_eq!(sums["total"], expected, "{question}");
    }
}

/// A game of a variant that one side gives up.
async fn given_up(club: &Club, terms: Value, first: &str) -> (Browser, String) {
    let (mut white, mut black) = (club.player("Anna").await, club.player("Bert").await);
    let made = white.post("/api/v1/challenges", terms).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    black.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    if made["variant"] == "gmo" {
        for (player, king) in [(&mut white, "e1"), (&mut black, "e8")] {
            let army = json!({"preset": "classic", "kings": [king]});
            player.post(&format!("/api/v1/games/{id}/army"), army).await.expect(200);
        }
    }
    let path = format!("/api/v1/games/{id}");
    white.post(&format!("{path}/moves"), json!({"ply": 0, "uci": first})).await.expect(200);
    black.post(&format!("{path}/resignation"), json!({})).await.expect(200);
    (white, id)
}

#[tokio::test]
async fn games_of_the_club_s_own_variants_are_in_the_library() {
    for (variant, first, has_moves) in [("gmo", "e2e3", false), ("defender", "N@f3", true)] {
        let club = Club::open().await;
        let terms = json!({"variant": variant, "time": blitz(), "color": "white"});
        let (mut anna, id) = given_up(&club, terms, first).await;
        total_becomes(&mut anna, "scope=mine", 1).await;
        let page = anna.get("/api/v1/library/games").await.expect(200);
        let game = &page["games"][0];
        assert_eq!(
            (&game["game_id"], &game["result"], &game["has_moves"]),
            (&json!(id), &json!("1-0"), &json!(has_moves)),
            "{variant}"
        );
        assert!(game["variant"].is_string() && game["plies"].as_u64() > Some(0), "{game}");
        let url = format!("/api/v1/library/games/{}", game["number"]);
        if has_moves {
            anna.get(&url).await.expect(200);
        } else {
            anna.get(&url).await.expect_problem(422, "no_pgn");
            assert_eq!(anna.get("/api/v1/library/export").await.text, "");
        }
        let explored = anna.get("/api/v1/library/explorer?scope=club").await.expect(200);
        assert_eq!(explored["total"]["games"], 0, "no position of {variant} is one of chess");
        // Built again, the index holds as many games as the database.
        let club = club.crash_and_start_after(1_000).await;
        anna.move_to(club.address);
        total_becomes(&mut anna, "scope=mine", 1).await;
    }
}

#[tokio::test]
async fn positions_have_pictures_that_other_sites_may_show() {
    let club = Club::open().await;
    let mut guest = club.browser();
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let svg = guest.get(&format!("/api/v1/pictures/position.svg?fen={fen}&last=e2e4")).await;
    assert_eq!(svg.header("content-type"), Some("image/svg+xml"));
    assert_eq!(svg.header("cross-origin-resource-policy"), Some("cross-origin"));
    assert_eq!(svg.text.matches("<g ").count(), 32);
    let url = format!("/api/v1/pictures/position.png?fen={fen}&side=black&size=64");
    // The body is no text: its head is enough here.
    let png = guest.request("HEAD", &url, None).await;
    assert_eq!(png.header("content-type"), Some("image/png"));
    for bad in ["fen=x", "fen=8/8"] {
        let refused = guest.get(&format!("/api/v1/pictures/position.png?{bad}")).await;
        refused.expect_problem(422, "bad_position");
    }
    let other = guest.get("/api/v1/library/games").await;
    assert_eq!(other.header("cross-origin-resource-policy"), Some("same-origin"));
}

#[tokio::test]
async fn only_pages_made_for_it_are_shown_inside_other_sites() {
    let club = Club::open().await;
    let mut guest = club.browser();
    for (path, frames, option) in [
        ("/embed/library/1", "frame-ancestors *", None),
        ("/library/game/1", "frame-ancestors 'none'", Some("DENY")),
        ("/api/v1/library/games", "frame-ancestors 'none'", Some("DENY")),
    ] {
        let answer = guest.get(path).await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains(frames), "{path}: {policy}");
        assert_eq!(answer.header("x-frame-options"), option, "{path}");
    }
}
