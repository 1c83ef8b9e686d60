//! Opponents that are engines: they accept, play every variant, answer offers and survive a crash.
#![allow(
    clippy::disallowed_methods,
    reason = "engines think in real time, whatever the server's clock shows"
)]

use std::time::Duration;

use rules::{Position, Variant};
use serde_json::{Value, json};
use server::config::{BotsConfig, EnginesConfig, InstalledEngine, Settings};

use crate::client::Browser;
use crate::club::{Club, blitz, settings, unlimited};
use crate::library::{total, total_becomes};

pub(crate) fn with_bots(rated: bool) -> Settings {
    let bots = BotsConfig { rated, ..BotsConfig::default() };
    let engines = EnginesConfig { workers: 1, hash_mb: 4, ..EnginesConfig::default() };
    Settings { bots, engines, ..settings() }
}

/// Challenges a bot; gives the id of the game.
async fn challenge(browser: &mut Browser, level: u8, extra: Value) -> String {
    let mut body = json!({
        "kind": "direct", "asked": format!("Rook-{level}"), "time": unlimited(), "color": "white",
    });
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let made = browser.post("/api/v1/challenges", body).await.expect(201);
    assert_eq!(made["state"], "accepted", "{made}");
    made["id"].as_str().unwrap().to_owned()
}

/// The game once something is true of it; simulated time runs meanwhile.
async fn until(
    club: &Club,
    browser: &mut Browser,
    id: &str,
    is_so: impl Fn(&Value) -> bool,
) -> Value {
    until_at(club, browser, id, 300, is_so).await
}

/// The same with so many simulated milliseconds for twenty real ones.
async fn until_at(
    club: &Club,
    browser: &mut Browser,
    id: &str,
    pace: i64,
    is_so: impl Fn(&Value) -> bool,
) -> Value {
    for _ in 0..1_500 {
        let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
        if is_so(&view) {
            return view;
        }
        club.time.advance(pace);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!(
        "the bot does nothing: {}",
        browser.get(&format!("/api/v1/games/{id}")).await.expect(200)
    );
}

fn moves(view: &Value) -> usize {
    view["moves"].as_array().unwrap().len()
}

/// Plays the first move that the rules allow, for the side whose turn it is.
async fn play_any(browser: &mut Browser, id: &str, view: &Value) {
    let fen = view["fen"].as_str().unwrap();
    let variant: Variant = serde_json::from_value(view["variant"].clone()).unwrap();
    let position = match variant {
        Variant::Standard => Position::from_fen(fen),
        Variant::Chess960 => Position::from_fen_chess960(fen),
        Variant::Defender => Position::from_fen_defender(fen),
        // What GMO's pieces are is no player's to read: the legal moves are told.
        Variant::Gmo => return play_told(browser, id, view).await,
    };
    let action = position.unwrap().actions()[0];
    let body = json!({"ply": moves(view), "uci": action.to_string()});
    browser.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
}

/// Plays the first of the moves that the view names.
async fn play_told(browser: &mut Browser, id: &str, view: &Value) {
    let dests = view["dests"].as_str().unwrap();
    let body = json!({"ply": moves(view), "uci": &dests[..4]});
    browser.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
}

#[tokio::test]
async fn there_is_a_bot_for_every_level_and_it_says_what_it_is() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let list = browser.get("/api/v1/bots").await.expect(200);
    let levels: Vec<i64> =
        list["bots"].as_array().unwrap().iter().map(|bot| bot["level"].as_i64().unwrap()).collect();
    assert_eq!(levels, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(list["rated"], false);
    let profile = browser.get("/api/v1/players/Rook-3").await.expect(200);
    assert_eq!((&profile["player"]["bot"], &profile["online"]), (&json!(true), &json!(true)));
    // A second start makes no second ones.
    let club = club.restart_as(with_bots(false)).await;
    let again = club.browser().get("/api/v1/bots").await.expect(200);
    assert_eq!(again["bots"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn a_bot_plays_every_variant_by_the_rules() {
    let gmo = Position::gmo_default().fen();
    for (variant, level, start) in [
        ("standard", 1, None),
        ("standard", 5, None),
        ("chess960", 2, None),
        ("defender", 3, Some("8/8/8/8/8/8/8/8 w - - 0 1 5/5")),
        ("gmo", 1, Some(gmo.as_str())),
    ] {
        let club = Club::open_as(with_bots(false)).await;
        let mut browser = club.browser();
        let extra = json!({"variant": variant, "start": start});
        let id = challenge(&mut browser, level, extra).await;
        for _ in 0..5 {
            let is_mine = |view: &Value| view["to_act"] == "white" || !view["outcome"].is_null();
            let view = until(&club, &mut browser, &id, is_mine).await;
            if !view["outcome"].is_null() {
                break;
            }
            play_any(&mut browser, &id, &view).await;
        }
        let view = until(&club, &mut browser, &id, |view| moves(view) >= 9).await;
        assert_eq!(view["players"]["black"]["bot"], true, "{variant}");
    }
}

#[tokio::test]
async fn a_bot_hands_in_an_army_and_plays_with_it_to_the_end() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let id = challenge(&mut browser, 1, json!({"variant": "gmo"})).await;
    until(&club, &mut browser, &id, |view| view["gmo"]["ready"]["black"] == true).await;
    let army = json!({"preset": "classic", "kings": ["e1"]});
    browser.post(&format!("/api/v1/games/{id}/army"), army).await.expect(200);
    for _ in 0..3 {
        let is_mine = |view: &Value| view["to_act"] == "white" || !view["outcome"].is_null();
        let view = until(&club, &mut browser, &id, is_mine).await;
        if view["outcome"].is_null() {
            play_told(&mut browser, &id, &view).await;
        }
    }
    let view = until(&club, &mut browser, &id, |view| moves(view) >= 6).await;
    assert!(view["moves"][1]["by"] == "black", "{view}");
    browser.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["outcome"]["winner"], "black");
}

#[tokio::test]
async fn a_game_against_a_bot_is_in_the_library_of_both() {
    let club = Club::open_as(with_bots(false)).await;
    let mut anna = club.player("Anna").await;
    let id = challenge(&mut anna, 1, json!({})).await;
    let view = until(&club, &mut anna, &id, |view| view["to_act"] == "white").await;
    play_any(&mut anna, &id, &view).await;
    until(&club, &mut anna, &id, |view| moves(view) == 2).await;
    anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
    total_becomes(&mut anna, "scope=mine&side=white&score=loss", 1).await;
    for (question, games) in [
        ("scope=player:Rook-1", 1),
        ("scope=player:Rook-1&side=black&score=win", 1),
        ("scope=player:Rook-1&side=white", 0),
        ("scope=player:Rook-2", 0),
    ] {
        assert_eq!(total(&mut anna, question).await, games, "{question}");
    }
}

#[tokio::test]
async fn a_bot_goes_on_after_a_crash() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let id = challenge(&mut browser, 1, json!({})).await;
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    play_any(&mut browser, &id, &view).await;
    // Simulated time stands, so the bot still pretends to think when the lights go out.
    let club = club.crash_and_start_after(5_000).await;
    browser.move_to(club.address);
    until(&club, &mut browser, &id, |view| moves(view) == 2).await;
}

#[tokio::test]
async fn a_bot_answers_offers_and_plays_again() {
    let club = Club::open_as(with_bots(false)).await;
    let mut browser = club.browser();
    let id = challenge(&mut browser, 2, json!({})).await;
    let game = format!("/api/v1/games/{id}");
    let view = browser.get(&game).await.expect(200);
    play_any(&mut browser, &id, &view).await;
    until(&club, &mut browser, &id, |view| moves(view) == 2).await;
    let mut socket = browser.socket().await;
    socket.join_game(&id).await;
    socket.send(json!({"t": "offer_draw", "game": id})).await;
    socket.next_change("draw_offered").await;
    // The position is level: nobody who plays for fun wants a draw now.
    assert_eq!(socket.next_change("draw_declined").await["change"]["by"], "black");
    socket.send(json!({"t": "offer_takeback", "game": id})).await;
    assert_eq!(socket.next_change("taken_back").await["change"]["ply"], 0);
    socket.play(&id, 0, "e2e4").await;
    socket.send(json!({"t": "resign", "game": id})).await;
    socket.next_change("ended").await;
    browser.post(&format!("{game}/rematch"), json!({})).await.expect(200);
    let again =
        until(&club, &mut browser, &id, |view| !view["around"]["rematch"]["game"].is_null());
    let next = again.await["around"]["rematch"]["game"].as_str().unwrap().to_owned();
    // Now the bot has White, and begins.
    let view = until(&club, &mut browser, &next, |view| moves(view) == 1).await;
    assert_eq!(view["you"], "black");
}

#[tokio::test]
async fn games_against_bots_count_only_if_the_owner_says_so() {
    let rated = json!({
        "kind": "direct", "asked": "Rook-1", "time": blitz(), "color": "white", "rated": true,
    });
    for (is_rated, status) in [(false, 403), (true, 201)] {
        let club = Club::open_as(with_bots(is_rated)).await;
        let mut member = club.player("Tester").await;
        let answer = member.post("/api/v1/challenges", rated.clone()).await;
        let answer = answer.expect(status);
        if is_rated {
            let id = answer["id"].as_str().unwrap();
            let view = member.get(&format!("/api/v1/games/{id}")).await.expect(200);
            assert_eq!(view["rated"], true);
        } else {
            assert_eq!(answer["code"], "bots_play_casual");
        }
    }
}

#[tokio::test]
async fn a_pool_can_count_games_against_bots_where_others_do_not() {
    let rules = ratings::PoolRules { includes_bots: true, ..ratings::PoolRules::default() };
    let own = [("standard/blitz".parse().unwrap(), rules)].into();
    let ratings = ratings::Pools { own, ..ratings::Pools::default() };
    let club = Club::open_as(Settings { ratings, ..with_bots(false) }).await;
    let mut member = club.player("Tester").await;
    let asked = |time| json!({"kind": "direct", "asked": "Rook-1", "time": time, "color": "white", "rated": true});
    let game = member.post("/api/v1/challenges", asked(blitz())).await.expect(201);
    let path = format!("/api/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(member.get(&path).await.expect(200)["rated"], true);
    let rapid = json!({"kind": "fischer", "initial_ms": 900_000, "increment_ms": 0});
    let refused = member.post("/api/v1/challenges", asked(rapid)).await;
    refused.expect_problem(403, "bots_play_casual");
    assert_eq!(member.get("/api/v1/bots").await.expect(200)["rated"], true);
}

#[tokio::test]
async fn a_club_without_bots_says_so() {
    let club = Club::open().await;
    let list = club.browser().get("/api/v1/bots").await.expect(200);
    assert_eq!(list["bots"], json!([]));
}

#[tokio::test]
async fn a_bot_whose_engine_fails_plays_on_with_the_built_in_one() {
    let broken = InstalledEngine {
        name: "broken".to_owned(),
        path: "/bin/false".into(),
        arguments: Vec::new(),
        variants: vec![Variant::Standard],
        files: Vec::new(),
        options: std::collections::BTreeMap::new(),
    };
    let mut settings = with_bots(false);
    settings.engines.installed = vec![broken];
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let start = "7k/8/8/8/8/8/p7/6K1 w - - 0 1";
    let game = challenge(&mut anna, 8, json!({"time": blitz(), "start": start})).await;
    for ply in [0, 2] {
        let view = anna.get(&format!("/api/v1/games/{game}")).await.expect(200);
        play_any(&mut anna, &game, &view).await;
        until(&club, &mut anna, &game, |view| moves(view) == ply + 2).await;
    }
}

/// Engines that greet as they should and then do something else than answering, each with what it does.
const HOSTILE: [(&str, &str); 8] = [
    ("silent", "sleep 99999"),
    ("crash", "exit 1"),
    ("illegal", "echo bestmove e2e5"),
    ("endless_info", "while :; do echo info depth 1 score cp 20 nodes 20 pv h7h6; done"),
    ("long_line", "head -c 10485760 /dev/zero | tr '\\0' x; echo"),
    (
        "ignores_stop",
        "while :; do echo info depth 1 score cp 20 nodes 20 pv h7h6; sleep 0.02; done",
    ),
    ("forks", "sleep 99999 & exit 1"),
    // Within what a jail would let it have: the machine is needed for other tests.
    ("allocates", "ulimit -v 200000; text=x; while :; do text=$text$text; done"),
];

/// A shell that speaks UCI until it is asked for a move; the tag is in its command, and in that of what it starts.
fn hostile_engine(name: &str, deed: &str, tag: &str) -> InstalledEngine {
    let deed = deed.replace("99999", &format!("99999.{tag}"));
    let script = format!(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
         go) {deed};; quit) exit;; esac; done"
    );
    InstalledEngine {
        name: name.to_owned(),
        path: "/bin/bash".into(),
        arguments: vec!["-c".to_owned(), script, tag.to_owned()],
        variants: vec![Variant::Standard],
        files: Vec::new(),
        options: std::collections::BTreeMap::new(),
    }
}

/// How many processes have this word in their command.
fn processes(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").expect("this test needs /proc").flatten();
    let commands = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|command| String::from_utf8_lossy(command).contains(word)).count()
}

async fn play_against(name: &str, deed: &str, tag: String) {
    let mut settings = with_bots(false);
    settings.engines.installed = vec![hostile_engine(name, deed, &tag)];
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let id = challenge(&mut anna, 8, json!({"time": blitz()})).await;
    for ply in [0, 2] {
        let view = anna.get(&format!("/api/v1/games/{id}")).await.expect(200);
        play_any(&mut anna, &id, &view).await;
        let goes_on = |view: &Value| moves(view) == ply + 2 || !view["outcome"].is_null();
        // An engine is given up in real time: the clock does not run much faster, or it would be too late for the rest.
        let view = until_at(&club, &mut anna, &id, 40, goes_on).await;
        let outcome = &view["outcome"];
        if !outcome.is_null() {
            assert!(outcome["by"] == "time" || outcome["kind"] == "aborted", "{name}: {view}");
            break;
        }
    }
    drop(club);
    for _ in 0..500 {
        if processes(&tag) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{} processes of {name} are left", processes(&tag));
}

#[tokio::test]
async fn a_game_against_a_hostile_engine_goes_on_or_ends_by_rule() {
    let games = HOSTILE.iter().zip(0..).map(|((name, deed), number)| {
        play_against(name, deed, format!("{}{number:02}", std::process::id()))
    });
    futures_util::future::join_all(games).await;
}

/// A game of two moves against a bot of the lowest level, which is the built-in engine, in a club with a silent one.
async fn with_silent_engine(tag: &str) -> (Club, Browser, String) {
    let mut settings = with_bots(false);
    settings.engines.installed = vec![hostile_engine("silent", "sleep 99999", tag)];
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let id = challenge(&mut anna, 1, json!({})).await;
    let view = anna.get(&format!("/api/v1/games/{id}")).await.expect(200);
    play_any(&mut anna, &id, &view).await;
    until(&club, &mut anna, &id, |view| moves(view) == 2).await;
    (club, anna, id)
}

#[tokio::test]
async fn a_silent_engine_holds_up_neither_a_draw_nor_a_report() {
    /// Far less than the longest search may take, and more than a busy machine needs for the rest.
    const BOUND: Duration = Duration::from_mins(2);
    let draw = async {
        let (_club, anna, id) = with_silent_engine(&format!("{}90", std::process::id())).await;
        let mut socket = anna.socket().await;
        socket.join_game(&id).await;
        socket.send(json!({"t": "offer_draw", "game": id})).await;
        socket.next_change("draw_offered").await;
        socket.next_change("draw_declined").await;
    };
    let report = async {
        let (_club, mut anna, id) = with_silent_engine(&format!("{}91", std::process::id())).await;
        anna.post(&format!("/api/v1/games/{id}/resignation"), json!({})).await.expect(200);
        let path = format!("/api/v1/games/{id}/report");
        let mut view = anna.post(&path, json!({})).await.expect(200);
        while view["state"] != "done" {
            assert_ne!(view["state"], "failed", "{view}");
            tokio::time::sleep(Duration::from_millis(50)).await;
            view = anna.get(&path).await.expect(200);
        }
        assert!(view["report"]["engine"].as_str().unwrap().contains("built-in"), "{view}");
    };
    let both = async { tokio::join!(draw, report) };
    tokio::time::timeout(BOUND, Box::pin(both)).await.expect("a silent engine is not waited for");
}

/// On the board of a rated game, White to move, and the position a move before.
const AT_STAKE: &str = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5";
const BEFORE: &str = "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 4";

#[tokio::test]
async fn a_bot_does_not_play_somebodys_rated_game_for_them() {
    let club = Club::open_as(with_bots(false)).await;
    let (mut anna, mut berta) = (club.player("Anna").await, club.player("Berta").await);
    // Long enough for an engine on a busy machine.
    let time = json!({"kind": "fischer", "initial_ms": 10_800_000, "increment_ms": 0});
    let asked = json!({"time": time, "color": "white", "rated": true});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let rated = made["id"].as_str().unwrap().to_owned();
    berta.post(&format!("/api/v1/challenges/{rated}/acceptance"), json!({})).await.expect(200);
    let line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"];
    crate::analysis::play(&mut anna, &mut berta, &rated, &line).await;
    for start in [AT_STAKE.to_owned(), AT_STAKE.replace(" w ", " b ")] {
        let ask = json!({"kind": "direct", "asked": "Rook-1", "time": unlimited(), "color": "black", "start": start});
        anna.post("/api/v1/challenges", ask).await.expect_problem(403, "fair_play");
    }
    // A game that comes to the same position is answered once the rated game has gone on.
    let game = challenge(&mut anna, 1, json!({"color": "black", "start": BEFORE})).await;
    let reply = json!({"ply": 0, "uci": "g8f6"});
    anna.post(&format!("/api/v1/games/{game}/moves"), reply).await.expect(200);
    let says_why = |view: &Value| {
        let said = view["chat"][0]["text"].as_str().unwrap_or_default();
        said.contains("engines are not allowed")
    };
    let view = until(&club, &mut anna, &game, says_why).await;
    assert_eq!(moves(&view), 1, "the bot has answered: {view}");
    club.time.advance(5_000);
    let view = anna.get(&format!("/api/v1/games/{game}")).await.expect(200);
    assert_eq!(moves(&view), 1, "the bot has answered: {view}");
    let castles = json!({"ply": 8, "uci": "e1g1"});
    anna.post(&format!("/api/v1/games/{rated}/moves"), castles).await.expect(200);
    until(&club, &mut anna, &game, |view| moves(view) == 2).await;
}

#[tokio::test]
async fn a_bot_comes_to_quick_pairing_where_somebody_would_like_one() {
    let club = Club::open_as(with_bots(false)).await;
    let mut anna = club.player("Anna").await;
    let mut at_anna = anna.socket().await;
    at_anna.send(json!({"t": "queue_join", "time": blitz(), "bots": true})).await;
    assert_eq!(at_anna.next_of("queue").await["waiting"]["bot_at_ms"], 15_000);
    let berta = club.player("Berta").await;
    let mut at_berta = berta.socket().await;
    // Who wants people alone, or a game that counts, waits for them.
    let rated = json!({"t": "queue_join", "time": blitz(), "rated": true, "bots": true});
    at_berta.send(rated).await;
    assert_eq!(at_berta.next_of("queue").await["waiting"]["bot_at_ms"], Value::Null);
    club.time.advance(14_000);
    assert_eq!(anna.get("/api/v1/games").await.expect(200)["games"], json!([]));
    club.time.advance(1_500);
    let begun = at_anna.next_of("begin").await;
    let game = begun["game"].as_str().unwrap();
    let view = anna.get(&format!("/api/v1/games/{game}")).await.expect(200);
    let bots = [&view["players"]["white"]["bot"], &view["players"]["black"]["bot"]];
    assert!(bots.contains(&&json!(true)) && view["rated"] == false, "{view}");
}

#[tokio::test]
async fn a_bot_accepts_an_open_seek_where_the_owner_wants_it() {
    let mut settings = with_bots(false);
    settings.bots.seek_seconds = 30;
    let club = Club::open_as(settings).await;
    let mut anna = club.player("Anna").await;
    let mut socket = anna.socket().await;
    let seek = json!({"kind": "seek", "time": blitz(), "color": "white"});
    let id = anna.post("/api/v1/challenges", seek).await.expect(201)["id"].clone();
    let rated = json!({"kind": "seek", "time": blitz(), "color": "white", "rated": true});
    let counts = anna.post("/api/v1/challenges", rated).await.expect(201)["id"].clone();
    club.time.advance(29_000);
    let at = |id: &Value| format!("/api/v1/challenges/{}", id.as_str().unwrap());
    assert_eq!(anna.get(&at(&id)).await.expect(200)["state"], "open");
    club.time.advance(3_000);
    assert_eq!(socket.next_of("begin").await["game"], id);
    assert_ne!(anna.get(&at(&counts)).await.expect(200)["state"], "accepted");
}
