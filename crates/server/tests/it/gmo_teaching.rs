//! An event of hidden rules: its players are told nothing about how genomes work, as long as it runs.

use serde_json::{Value, json};

use crate::client::Browser;
use crate::events::Desk;

const ROOK: &str = "AHHHSHHAACHACHACHAHHASASAAAAAAAAA";
const WRONG: &str = "AHHAAAHAACHA";

async fn explained(browser: &mut Browser, dna: &str) -> Value {
    browser.get(&format!("/api/v1/gmo/explanation?dna={dna}")).await.expect(200)
}

/// Whether somebody is told what a DNA does and what is wrong with another, wherever one can ask.
async fn is_taught(browser: &mut Browser) -> bool {
    let right = explained(browser, ROOK).await;
    let wrong = explained(browser, WRONG).await;
    assert_eq!(right["genome"]["code"], "1c1736", "whether it is right is always told");
    assert_eq!((&wrong["error"]["code"], &wrong["error"]["at"]), (&json!("E_OWNER"), &json!(1)));
    let is_taught = right["codons"][0]["meaning"].is_string();
    assert_eq!(right["genome"]["blocks"][0].is_object(), is_taught);
    assert_eq!(right["genome"]["debuffs"][0].is_object(), is_taught);
    assert_eq!(wrong["codons"][0].is_object(), is_taught);
    assert_eq!(wrong["error"]["text"] != "", is_taught);
    let mutation = browser.post("/api/v1/gmo/mutation", json!({"dna": WRONG})).await;
    let board = json!({"pieces": [{"square": "a1", "owner": "white", "dna": WRONG}]});
    let lab = browser.post("/api/v1/gmo/lab/targets", board).await;
    let kept = browser.post("/api/v1/gmo/genomes", json!({"text": WRONG, "name": "x"})).await;
    let stored = browser.request("POST", "/genome", Some(WRONG.to_owned())).await;
    for answer in [mutation, lab, kept, stored] {
        let problem = answer.expect(422);
        assert_eq!(problem["code"], "E_OWNER");
        assert_eq!(problem["detail"] != "this DNA cannot be read", is_taught, "{problem}");
    }
    assert_eq!(browser.get("/api/v1/me").await.expect(200)["hidden_rules"], !is_taught);
    is_taught
}

#[tokio::test]
async fn nothing_is_explained_to_the_players_of_an_event_of_hidden_rules_while_it_runs() {
    let rules = json!({"system": "round_robin", "variant": "gmo", "online": true, "hidden_rules": true,
        "pace": {"automatic": false, "no_show_seconds": 60}});
    let (club, mut desk) = Desk::open(rules).await;
    let mut carl = club.player("carl").await;
    desk.go_to("registration").await;
    let mut players = [club.player("anna").await, club.player("bert").await];
    for player in &mut players {
        player.post(&desk.path("/entry"), json!({})).await.expect(200);
        assert!(is_taught(player).await, "it has not begun");
    }
    desk.go_to("running").await;
    let [anna, bert] = &mut players;
    assert!(!is_taught(anna).await && !is_taught(bert).await);
    assert!(is_taught(&mut carl).await, "who does not play may learn");
    assert!(is_taught(&mut desk.browser).await);
    assert!(!is_taught(&mut club.browser()).await, "a player need only log out to be nobody");
    assert!(!is_taught(&mut club.guest().await).await);
    desk.publish().await;
    let game = desk.round(1).await["boards"][0]["game"].as_str().unwrap().to_owned();
    let view = anna.get(&format!("/api/v1/games/{game}")).await.expect(200);
    assert_eq!(view["gmo"]["reveal"], "never", "its games teach nothing afterwards either");
    anna.post(&format!("/api/v1/games/{game}/resignation"), json!({})).await.expect(200);
    desk.go_to("finished").await;
    assert!(is_taught(anna).await && is_taught(&mut club.browser()).await);
}

#[tokio::test]
async fn the_games_of_an_event_have_its_house_rules() {
    let gmo = json!({"max_blocks": 2, "no_first_strike": true, "reveal": "never"});
    let rules = json!({"system": "round_robin", "variant": "gmo", "online": true, "gmo": gmo,
        "pace": {"automatic": false, "no_show_seconds": 60}});
    let (club, mut desk) = Desk::open(rules).await;
    desk.go_to("registration").await;
    let mut players = [club.player("anna").await, club.player("bert").await];
    for player in &mut players {
        player.post(&desk.path("/entry"), json!({})).await.expect(200);
    }
    desk.go_to("running").await;
    desk.publish().await;
    let game = desk.round(1).await["boards"][0]["game"].as_str().unwrap().to_owned();
    let view = players[0].get(&format!("/api/v1/games/{game}")).await.expect(200);
    for rule in ["max_blocks", "no_first_strike", "reveal"] {
        assert_eq!(view["gmo"][rule], gmo[rule], "{view}");
    }
    assert!(is_taught(&mut players[0]).await, "hidden rules are another wish");
}
