//! No way leads to genomes that one may not know: every route of the table is walked by everybody else.

use serde_json::{Value, json};
use server::http::access::TABLE;

use crate::client::Browser;
use crate::club::{Club, blitz};

/// A rook that mutates whenever it moves, and may walk around the edges.
const CHANGELING: &str = "AHHHSHHCCCHACHACHAHHASASAAAAAAAAA";

/// Whether a request of this method changes nothing.
fn is_reading(method: &str) -> bool {
    method == "GET"
}

/// A game of GMO in which White's rook on a2 is nobody else's business.
struct Game {
    club: Club,
    anna: Browser,
    bert: Browser,
    id: String,
    /// What nobody but Anna may read.
    secrets: Vec<String>,
    code: String,
}

impl Game {
    async fn with(club: Club, reveal: &str) -> Game {
        let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
        let terms =
            json!({"variant": "gmo", "time": blitz(), "color": "white", "gmo": {"reveal": reveal}});
        let id = anna.challenge(terms).await;
        bert.accept(&id).await.expect(200);
        let stored = anna.request("POST", "/genome", Some(CHANGELING.to_owned())).await.expect(201);
        let code = stored["code"].as_str().unwrap().to_owned();
        let army = format!("/api/v1/games/{id}/army");
        let preset = format!("{code}-knight-bishop-queen-king-bishop-knight-rook");
        anna.post(&army, json!({"preset": preset, "kings": ["e1"]})).await.expect(200);
        bert.post(&army, json!({"preset": "classic", "kings": ["e8"]})).await.expect(200);
        let moves = format!("/api/v1/games/{id}/moves");
        anna.post(&moves, json!({"ply": 0, "uci": "a1a2"})).await.expect(200);
        bert.post(&moves, json!({"ply": 1, "uci": "b8c6"})).await.expect(200);
        anna.post(&moves, json!({"ply": 2, "uci": "b1c3"})).await.expect(200);
        let known = anna.get(&format!("/api/v1/games/{id}/genomes")).await.expect(200);
        let mutant = known["pieces"].as_array().unwrap().iter().find(|it| it["square"] == "a2");
        let mutant = mutant.unwrap()["dna"].as_str().unwrap().to_owned();
        assert_ne!(mutant, CHANGELING);
        let secrets = vec![CHANGELING.to_owned(), mutant];
        Game { club, anna, bert, id, secrets, code }
    }

    /// A route with everything filled in that leads to this game, its players and their genomes.
    fn address(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for (name, value) in [
            ("{id}", self.id.as_str()),
            ("{game}", &self.id),
            ("{code}", &self.code),
            ("{hash}", &self.code),
            ("{name}", "anna"),
            ("{other}", "bert"),
            ("{variant}", "gmo"),
            ("{speed}", "blitz"),
            ("{account}", "AAAAAAAA"),
        ] {
            path = path.replace(name, value);
        }
        for number in ["{number}", "{round}", "{board}", "{table}", "{item}", "{version}"] {
            path = path.replace(number, "1");
        }
        path
    }

    fn check(&self, who: &str, what: &str, text: &str) {
        for secret in &self.secrets {
            assert!(!text.contains(secret), "{who} reads {secret} by {what}: {text}");
        }
        // Who names the code of a genome knows it already.
        let names_code = what.contains(&self.code);
        assert!(
            names_code || !text.contains(&self.code),
            "{who} learns the code by {what}: {text}"
        );
    }

    /// Everything that can be asked without changing anything; gives how many answers there were.
    async fn look(&self, who: &str, browser: &mut Browser) -> u32 {
        let mut answers = 0;
        for (method, path, ..) in TABLE.iter().filter(|(method, ..)| is_reading(method.as_str())) {
            let path = self.address(path);
            let answer = browser.request(method.as_str(), &path, None).await;
            answers += u32::from(answer.status == 200);
            self.check(who, &path, &answer.text);
        }
        for ply in 0..3 {
            for what in ["targets", "genomes"] {
                let path = format!("/api/v1/games/{}/{what}?ply={ply}", self.id);
                self.check(who, &path, &browser.get(&path).await.expect(200).to_string());
            }
        }
        for question in [
            json!({"game": self.id}),
            json!({"game": self.id, "ply": 0}),
            json!({"game": self.id, "ply": 2, "moves": ["a2a3"]}),
        ] {
            let answer = browser.post("/api/v1/analysis/position", question.clone()).await;
            self.check(who, "analysis", &answer.text);
            answer.expect_problem(403, "hidden_genomes");
            let mut socket = browser.socket().await;
            let ask =
                json!({"t": "analyse", "id": 1, "position": question, "lines": 3, "aim": "hint"});
            socket.send(ask).await;
            let state = socket.next_of("analysis_state").await;
            assert_eq!(state["state"]["code"], "hidden_genomes", "{who}: {state}");
        }
        answers
    }

    /// Everything that changes something in games, challenges, analysis and genomes, with a body that suits all of them.
    async fn act(&self, who: &str, browser: &mut Browser) {
        let subjects = ["/games/{", "/challenges/{", "/analysis/", "/gmo/", "/genome", "/preset"];
        let body = json!({
            "game": self.id, "ply": 3, "moves": [], "uci": "a7a6", "preset": self.code, "kings": ["e8"],
            "square": "a2", "code": self.code, "dna": "AHH", "text": "hello", "name": "x", "room": "players",
            "reason": "later", "by": "position", "pieces": [], "from": "a1", "to": "a2", "lines": [],
            "act": "adjourn", "published": true, "by_code": true, "pgn": "1. e4", "note": "x",
        });
        for (method, path, ..) in TABLE.iter().filter(|(method, ..)| !is_reading(method.as_str())) {
            if !subjects.iter().any(|subject| path.contains(subject)) {
                continue;
            }
            let path = self.address(path);
            let answer = browser.request(method.as_str(), &path, Some(body.to_string())).await;
            // Who sends the code in the body is told it back.
            let text = answer.text.replace(&self.code, "CODE");
            self.check(who, &format!("{method} {path}"), &text);
        }
    }
}

/// Everybody but Anna.
async fn everybody(game: &Game) -> Vec<(&'static str, Browser)> {
    let mut boss = game.club.administrator().await;
    let judge = game.club.staff(&mut boss, "rosa", "arbiter").await;
    vec![
        ("the opponent", game.bert.clone()),
        ("nobody", game.club.browser()),
        ("a guest", game.club.guest().await),
        ("a member", game.club.player("carl").await),
        ("an arbiter", judge.browser),
        ("an administrator", boss.browser),
    ]
}

#[tokio::test]
async fn hidden_genomes_reach_nobody_on_any_route_while_the_game_runs() {
    let game = Game::with(Club::open().await, "end").await;
    for (who, mut browser) in everybody(&game).await {
        let answers = game.look(who, &mut browser).await;
        assert!(answers > 30, "{who} got only {answers} answers");
    }
    let mut anna = game.anna.clone();
    let question = json!({"game": game.id, "moves": ["a7a6"]});
    let answer = anna.post("/api/v1/analysis/position", question).await;
    answer.expect_problem(403, "hidden_genomes");
}

#[tokio::test]
async fn what_is_never_revealed_reaches_nobody_whatever_they_do_and_not_after_the_end() {
    let mut game = Game::with(Club::open().await, "never").await;
    let everybody = everybody(&game).await;
    for (who, browser) in &everybody {
        game.act(who, &mut browser.clone()).await;
    }
    let resignation = format!("/api/v1/games/{}/resignation", game.id);
    game.anna.post(&resignation, json!({})).await;
    let report = format!("/api/v1/games/{}/report", game.id);
    for (who, mut browser) in everybody {
        game.look(who, &mut browser).await;
        browser.get(&report).await.expect_problem(403, "hidden_genomes");
    }
    let path = format!("/api/v1/games/{}", game.id);
    let view = game.bert.get(&path).await.expect(200);
    assert!(view["outcome"].is_object(), "{view}");
}

#[tokio::test]
async fn a_revealed_game_can_be_looked_into() {
    let mut game = Game::with(Club::open().await, "end").await;
    let resignation = format!("/api/v1/games/{}/resignation", game.id);
    let record = format!("/api/v1/games/{}/gmo", game.id);
    game.anna.get(&record).await.expect_problem(403, "hidden_genomes");
    game.anna.post(&resignation, json!({})).await.expect(200);
    let question = json!({"game": game.id});
    let seen = game.bert.post("/api/v1/analysis/position", question).await.expect(200);
    assert!(seen["fen"].as_str().unwrap().contains(&game.secrets[1]), "{seen}");
    let told = game.bert.get(&record).await.expect(200);
    assert_eq!((&told["rules"], &told["kings"]), (&json!("gmo1"), &json!(["e1", "e8"])));
    let events: Vec<&str> =
        told["events"].as_array().unwrap().iter().map(|event| event.as_str().unwrap()).collect();
    let [first, "b8c6", "b1c3"] = events[..] else { panic!("{events:?}") };
    let mutant: usize = first.strip_prefix("a1a2~").unwrap().parse().unwrap();
    assert_eq!(told["genomes"][mutant]["dna"], json!(game.secrets[1]));
    assert_eq!(told["start"].as_array().map(Vec::len), Some(32));
    assert_eq!((&told["left_ms"].as_array().map(Vec::len)), &Some(3));
    assert_eq!(told["seed"].as_str().map(str::len), Some(64));
}

/// The seed's hash, and the seed if it is known.
async fn seed_of(browser: &mut Browser, id: &str) -> (String, Value) {
    let view = browser.get(&format!("/api/v1/games/{id}")).await.expect(200);
    (view["gmo"]["seed_hash"].as_str().unwrap().to_owned(), view["gmo"]["seed"].clone())
}

#[tokio::test]
async fn a_game_that_is_reopened_goes_on_with_a_seed_that_nobody_knows() {
    let mut game = Game::with(Club::open().await, "end").await;
    let mut boss = game.club.administrator().await;
    let (before, seed) = seed_of(&mut game.bert, &game.id).await;
    assert_eq!(seed, Value::Null);
    let resignation = format!("/api/v1/games/{}/resignation", game.id);
    game.anna.post(&resignation, json!({})).await.expect(200);
    let (ended, seed) = seed_of(&mut game.bert, &game.id).await;
    assert_eq!((ended, seed.is_string()), (before.clone(), true));
    let rulings = format!("/api/v1/arbiter/games/{}/rulings", game.id);
    for act in ["reopen", "resume"] {
        let ruling = json!({"act": act, "reason": "The mouse slipped."});
        boss.browser.post(&rulings, ruling).await.expect(200);
    }
    let (reopened, seed) = seed_of(&mut game.bert, &game.id).await;
    assert_eq!(seed, Value::Null);
    assert_ne!(reopened, before, "the old seed was shown at the end");
    // It is kept: a restart goes on with it.
    let club = game.club.crash_and_start_after(1_000).await;
    game.bert.move_to(club.address);
    assert_eq!(seed_of(&mut game.bert, &game.id).await, (reopened, Value::Null));
    let moves = format!("/api/v1/games/{}/moves", game.id);
    game.bert.post(&moves, json!({"ply": 3, "uci": "a7a6"})).await.expect(200);
}

/// A rook that lands beside its target and mutates.
const STRAY: &str = "AHHHCCHSACHACHACHAHHASASAAAAAAAAA";

#[tokio::test]
async fn the_record_of_a_game_replays_by_its_seeds_though_it_was_opened_again() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.challenge(json!({"variant": "gmo", "time": blitz(), "color": "white"})).await;
    bert.accept(&id).await.expect(200);
    let stored = anna.request("POST", "/genome", Some(STRAY.to_owned())).await.expect(201);
    let stray = stored["code"].as_str().unwrap();
    let path = format!("/api/v1/games/{id}");
    let preset = format!("{stray}-knight-{stray}-queen-king-bishop-knight-{stray}");
    let army = json!({"preset": preset, "kings": ["e1"]});
    anna.post(&format!("{path}/army"), army).await.expect(200);
    let army = json!({"preset": "classic", "kings": ["e8"]});
    bert.post(&format!("{path}/army"), army).await.expect(200);
    let moves = format!("{path}/moves");
    for (ply, uci) in [(0, "a1a2"), (1, "b8c6"), (2, "h1h2"), (3, "c6b8")] {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut bert };
        mover.post(&moves, json!({"ply": ply, "uci": uci})).await.expect(200);
    }
    bert.post(&format!("{path}/resignation"), json!({})).await.expect(200);
    for act in ["reopen", "resume"] {
        let ruling = json!({"act": act, "reason": "The mouse slipped."});
        boss.browser
            .post(&format!("/api/v1/arbiter{}/rulings", &path[7..]), ruling)
            .await
            .expect(200);
    }
    let view = anna.post(&moves, json!({"ply": 4, "uci": "c1c2"})).await.expect(200);
    let san = view["moves"][4]["san"].as_str().unwrap();
    assert!(san.starts_with("c1c2>") && san.ends_with('~'), "it deviates and mutates: {san}");
    anna.post(&format!("{path}/resignation"), json!({})).await.expect(200);

    let record = bert.get(&format!("{path}/gmo")).await;
    let replay = rules::gmo::replay(&record.text).unwrap();
    assert_eq!((replay.moves, replay.deviations, replay.mutations), (5, 3, 3));
    let seen = bert.post("/api/v1/analysis/position", json!({"game": id})).await.expect(200);
    assert_eq!(json!(replay.position.to_string()), seen["fen"]);
    let mut told = record.expect(200);
    let from: Vec<&Value> =
        told["seeds"].as_array().unwrap().iter().map(|it| &it["from"]).collect();
    assert_eq!(from, [0, 4], "the second one begins with the first move after the ruling");
    // The last seed alone does not explain what came before.
    told["seeds"][0] = json!({"from": 0, "seed_hash": told["seed_hash"], "seed": told["seed"]});
    let wrong = rules::gmo::replay(&told.to_string()).unwrap_err();
    assert!(matches!(wrong, rules::gmo::ReplayError::Chance { number: 0, .. }), "{wrong}");
}

#[tokio::test]
async fn what_a_published_genome_became_is_known_to_everybody() {
    let mut game = Game::with(Club::open().await, "end").await;
    let known = async |browser: &mut Browser| {
        let told = browser.get(&format!("/api/v1/games/{}/genomes", game.id)).await.expect(200);
        let pieces = told["pieces"].as_array().unwrap();
        pieces.iter().find(|it| it["square"] == "a2").map(|it| it["dna"].clone())
    };
    let mut watcher = game.club.browser();
    assert_eq!((known(&mut game.bert).await, known(&mut watcher).await), (None, None));
    let address = format!("/api/v1/gmo/genomes/{}", game.code);
    let publish = json!({"published": true}).to_string();
    game.anna.request("PATCH", &address, Some(publish)).await.expect(204);
    let mutant = Some(json!(game.secrets[1]));
    assert_eq!((known(&mut game.bert).await, known(&mut watcher).await), (mutant.clone(), mutant));
}

#[tokio::test]
async fn a_rematch_draws_a_new_seed() {
    let mut game = Game::with(Club::open().await, "never").await;
    let resignation = format!("/api/v1/games/{}/resignation", game.id);
    game.anna.post(&resignation, json!({})).await.expect(200);
    let rematch = format!("/api/v1/games/{}/rematch", game.id);
    game.anna.post(&rematch, json!({})).await.expect(200);
    let view = game.bert.post(&rematch, json!({})).await.expect(200);
    let next = view["around"]["rematch"]["game"].as_str().unwrap().to_owned();
    let (first, _) = seed_of(&mut game.bert, &game.id).await;
    let (second, seed) = seed_of(&mut game.bert, &next).await;
    assert_ne!(first, second);
    assert_eq!(seed, Value::Null);
    let view = game.bert.get(&format!("/api/v1/games/{next}")).await.expect(200);
    assert_eq!(view["gmo"]["reveal"], "never", "what was agreed on stays");
}
