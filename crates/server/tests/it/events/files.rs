//! Events as files.

use serde_json::json;

use super::Desk;

/// A Swiss of seven with everything that can happen in a round.
async fn lively() -> (crate::club::Club, Desk) {
    let (club, mut desk) =
        Desk::open(json!({"rounds": 4, "first_color": "white", "place": "Town hall"})).await;
    desk.enter(7).await;
    let bye = desk.path("/players/3/byes/2");
    desk.browser.put(&bye, json!({"bye": "half"})).await.expect(200);
    desk.go_to("running").await;
    for (round, results) in
        [(1, ["1-0", "1/2-1/2", "-+"]), (2, ["0-0", "--", "1-0"]), (3, ["1/2-0", "0-1", "1-0"])]
    {
        desk.publish().await;
        let boards = desk.round(round).await["boards"].as_array().unwrap().len();
        for (board, result) in (1..=boards).zip(results) {
            desk.result(round, board as u64, result).await;
        }
    }
    (club, desk)
}

#[tokio::test]
async fn an_event_comes_back_from_its_own_reports_with_the_same_table() {
    let (_club, mut desk) = lively().await;
    let before = desk.standings().await;
    for path in ["/export.trf?form=26", "/export.trf?form=16", "/export.json"] {
        let text = desk.browser.get(&desk.path(path)).await.text;
        let made =
            desk.browser.post("/api/v1/events/import", json!({"text": text})).await.expect(201);
        let mut again =
            Desk { browser: desk.browser.clone(), id: made["id"].as_str().unwrap().to_owned() };
        assert_eq!(made["state"], "running", "{path}");
        assert_eq!(made["warnings"], json!([]), "{path}");
        if path.contains("form=16") {
            // TRF16 has no place for tie-breaks: those of the house apply, and the points are the same.
            assert_eq!(
                super::column(&again.standings().await, "points"),
                super::column(&before, "points")
            );
        } else {
            assert_eq!(again.standings().await["rows"], before["rows"], "{path}");
        }
        again.publish().await;
    }
}

#[tokio::test]
async fn a_report_says_who_ran_the_event_with_which_clocks_and_on_which_days() {
    let (_club, mut desk) = lively().await;
    let text = desk.browser.get(&desk.path("/export.trf")).await.text;
    let record = |code: &str| text.lines().find(|line| line.starts_with(code)).unwrap_or_default();
    assert_eq!(record("102"), "102 boss");
    assert_eq!((record("122"), record("222")), ("122 15 min + 10 s/move", "222 900+10"));
    // Eight columns for a day, two between them; the first under the first round of the players.
    let days = record("132");
    let day = |round: usize| days.get(91 + 10 * round..99 + 10 * round).unwrap_or_default();
    for round in 0..3 {
        let parts: Vec<usize> = day(round).split('/').map(str::len).collect();
        assert_eq!(parts, [2, 2, 2], "{days}");
    }
    assert_eq!(days.len(), 91 + 28, "{days}");
}

#[tokio::test]
async fn a_report_in_the_middle_of_a_round_ends_with_the_round_before() {
    let (_club, mut desk) = lively().await;
    let complete = desk.browser.get(&desk.path("/export.trf?form=16")).await.text;
    desk.publish().await;
    desk.result(4, 1, "1-0").await;
    let text = desk.browser.get(&desk.path("/export.trf?form=16")).await.text;
    assert_eq!(text, complete, "nobody was absent in a round that is still played");
    let made = desk.browser.post("/api/v1/events/import", json!({"text": text})).await.expect(201);
    assert_eq!(made["rounds"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_file_that_makes_no_sense_is_refused_with_a_reason() {
    let (_club, mut desk) = Desk::open(json!({})).await;
    for text in ["", "001 nonsense", "{\"rookery_event\": 99}", "{\"rookery_event\": 1}"] {
        let answer = desk.browser.post("/api/v1/events/import", json!({"text": text})).await;
        answer.expect_problem(422, "bad_file");
    }
}

#[tokio::test]
async fn spreadsheets_and_game_databases_can_read_an_event() {
    let (_club, mut desk) = lively().await;
    let standings = desk.browser.get(&desk.path("/export.csv")).await;
    assert!(
        standings.text.starts_with("Rank,Name,Rating,Federation,Club,Points,BH/C1"),
        "{}",
        standings.text
    );
    assert_eq!(standings.text.lines().count(), 8);
    let pairings = desk.browser.get(&desk.path("/export.csv?what=pairings")).await.text;
    assert!(pairings.contains("1,1,\"P01, Test\",\"P04, Test\",1-0"), "{pairings}");
    let games = desk.browser.get(&desk.path("/export.pgn")).await.text;
    assert_eq!(games.matches("[Event \"Autumn Cup\"]").count(), 9);
    assert!(games.contains("[Round \"1.1\"]") && games.contains("[White \"P01, Test\"]"));
}

#[tokio::test]
async fn a_pasted_list_is_looked_at_before_anybody_is_entered() {
    let (_club, mut desk) = Desk::open(json!({})).await;
    let path = desk.path("/players/reading");
    let read = desk
        .browser
        .post(&path, json!({"text": "Name;Elo\nOne, Test;1500\nTwo;x\n"}))
        .await
        .expect(200);
    assert_eq!(read["people"].as_array().unwrap().len(), 1);
    assert_eq!(read["problems"].as_array().unwrap().len(), 1);
    assert_eq!(desk.show().await["players"], json!([]));
    let players = desk.path("/players");
    desk.browser.post(&players, json!({"people": read["people"]})).await.expect(201);
    assert_eq!(desk.show().await["players"][0]["rating"], 1500);
}

#[tokio::test]
async fn a_report_keeps_its_days_its_clock_and_its_arbiters_when_it_is_read_again() {
    let (_club, mut desk) = lively().await;
    let mut regulations = desk.show().await["regulations"].clone();
    regulations["report"] = json!({
        "federation": "SVK", "chief_arbiter": "Judge, Chief", "deputies": ["Judge, Second", "Judge, Third"],
    });
    let start = 1_795_262_400_000_i64;
    let form = json!({"name": "Autumn Cup", "starts_at": start, "regulations": regulations});
    desk.browser.put(&desk.path(""), form).await.expect(200);
    for form in [16, 26] {
        let export = format!("/export.trf?form={form}");
        let text = desk.browser.get(&desk.path(&export)).await.text;
        let record =
            |code: &str| text.lines().find(|line| line.starts_with(code)).unwrap_or_default();
        assert_eq!(record("032"), "032 SVK");
        assert_eq!(record("092"), "092 Individual: Swiss-System");
        assert_eq!((record("042"), record("102")), ("042 2026/11/21", "102 Judge, Chief"));
        assert_eq!(text.matches("\n112 Judge, ").count(), 2, "{text}");
        let import = json!({"text": text});
        let made = desk.browser.post("/api/v1/events/import", import).await.expect(201);
        assert_eq!(made["regulations"]["report"], regulations["report"]);
        assert_eq!(made["regulations"]["time"], regulations["time"], "form {form}");
        let again =
            Desk { browser: desk.browser.clone(), id: made["id"].as_str().unwrap().to_owned() };
        let written = desk.browser.get(&again.path(&export)).await.text;
        assert_eq!(written, text, "a report of a report is the same report");
    }
}

#[tokio::test]
async fn what_of_a_report_is_not_kept_is_told_to_whoever_brings_it() {
    let (_club, mut desk) = lively().await;
    let text = desk.browser.get(&desk.path("/export.trf")).await.text;
    let system = text.lines().find(|line| line.starts_with("192")).unwrap();
    let told = async |desk: &mut Desk, text: String| {
        let import = json!({"text": text});
        let made = desk.browser.post("/api/v1/events/import", import).await.expect(201);
        made["warnings"].to_string()
    };
    let gift = format!("299  {:7}{:>5}  {:>3} {:>4}", "", "1.0", 1, 1);
    let family = format!("260 {:>3} {:>3} {:>4} {:>4}", 1, 2, 1, 2);
    for (line, word) in [
        (gift.as_str(), "special points (299) are left out"),
        (gift.as_str(), "P01, Test has"),
        (family.as_str(), "will not meet in any"),
        ("013 A team of two", "left out: 013"),
        ("212 XYZ", "`XYZ`"),
    ] {
        let warnings = told(&mut desk, format!("{text}\n{line}\n")).await;
        assert!(warnings.contains(word), "{line}: {warnings}");
    }
    let bracket = text.replace(system, "").replace("Swiss-System", "Knockout");
    let warnings = told(&mut desk, bracket).await;
    assert!(
        warnings.contains("Individual: Knockout` is paired and counted as a Swiss"),
        "{warnings}"
    );
}

#[tokio::test]
async fn clocks_with_several_stages_come_back_from_a_report() {
    let (_club, mut desk) = lively().await;
    let text = desk.browser.get(&desk.path("/export.trf")).await.text;
    let text = text.replace("222 900+10", "222 40/5400+30:1800+30");
    let made = desk.browser.post("/api/v1/events/import", json!({"text": text})).await.expect(201);
    let stages = &made["regulations"]["time"]["white"];
    assert_eq!((&stages[0]["moves"], &stages[0]["time_ms"]), (&json!(40), &json!(5_400_000)));
    assert_eq!(stages[1]["time_ms"], 1_800_000);
    assert_eq!(stages[1]["bonus"], json!({"kind": "fischer", "ms": 30_000}));
}

#[tokio::test]
async fn a_round_robin_comes_back_from_the_older_form_as_one() {
    let (_club, mut desk) =
        Desk::open(json!({"system": "round_robin", "first_color": "white"})).await;
    desk.enter(4).await;
    desk.go_to("running").await;
    desk.publish().await;
    desk.finish(1, "1-0").await;
    let text = desk.browser.get(&desk.path("/export.trf?form=16")).await.text;
    let made = desk.browser.post("/api/v1/events/import", json!({"text": text})).await.expect(201);
    assert_eq!(made["regulations"]["system"], "round_robin");
    let mut again =
        Desk { browser: desk.browser.clone(), id: made["id"].as_str().unwrap().to_owned() };
    desk.publish().await;
    again.publish().await;
    assert_eq!(desk.round(2).await["boards"], again.round(2).await["boards"]);
}
