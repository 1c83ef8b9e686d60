use serde_json::{Value, json};

use super::without_programs;
use crate::club::Club;

const STUDIES: &str = "/api/v1/studies";

fn tree(uci: &str) -> Value {
    json!({"line": {"moves": [{"uci": uci, "notes": {"comments": ["my idea"], "nags": [5]}}]}})
}

#[tokio::test]
async fn a_study_is_kept_changed_and_thrown_away_by_its_owner_alone() {
    let club = Club::open_as(without_programs()).await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    let new = json!({"name": " King's pawn ", "tree": tree("e2e4")});
    let made = anna.post(STUDIES, new).await.expect(201);
    assert_eq!((&made["name"], &made["version"]), (&json!("King's pawn"), &json!(1)));
    let path = format!("{STUDIES}/{}", made["id"].as_str().unwrap());

    let club = club.crash_and_start_after(60_000).await;
    anna.move_to(club.address);
    berta.move_to(club.address);
    let kept = anna.get(&path).await.expect(200);
    let first = &kept["tree"]["line"]["moves"][0];
    assert_eq!((&first["san"], &first["notes"]["comments"]), (&json!("e4"), &json!(["my idea"])));
    berta.get(&path).await.expect_problem(404, "unknown_study");
    berta.delete(&path).await.expect_problem(404, "unknown_study");

    let change = |version: i64| {
        Some(json!({"version": version, "name": "Queen's pawn", "tree": tree("d2d4")}).to_string())
    };
    let card = anna.request("PUT", &path, change(1)).await.expect(200);
    assert_eq!((&card["version"], &card["name"]), (&json!(2), &json!("Queen's pawn")));
    anna.request("PUT", &path, change(1)).await.expect_problem(409, "study_changed");
    let list = anna.get(STUDIES).await.expect(200);
    assert_eq!(list["studies"].as_array().unwrap().len(), 1);
    assert_eq!(berta.get(STUDIES).await.expect(200), json!({"studies": []}));
    anna.delete(&path).await.expect(204);
    anna.get(&path).await.expect_problem(404, "unknown_study");
}

#[tokio::test]
async fn what_makes_no_study_is_refused() {
    let club = Club::open_as(without_programs()).await;
    let mut anna = club.player("Anna").await;
    for (name, uci, code) in [
        ("", "e2e4", "bad_name"),
        ("  ", "e2e4", "bad_name"),
        ("x\ny", "e2e4", "bad_name"),
        (&"x".repeat(101), "e2e4", "bad_name"),
        ("fine", "e2e5", "bad_tree"),
    ] {
        let new = json!({"name": name, "tree": tree(uci)});
        anna.post(STUDIES, new).await.expect_problem(422, code);
    }
    club.browser().get(STUDIES).await.expect_problem(401, "not_logged_in");
}
