//! A game of GMO: hidden armies, shown at once; faces for everybody, DNA only for those who know it.

use serde_json::{Value, json};

use crate::client::{Browser, Socket};
use crate::club::{Club, blitz, unlimited};

/// A rook that mutates whenever it moves, and may walk around the edges.
const CHANGELING: &str = "AHHHSHHCCCHACHACHAHHASASAAAAAAAAA";

struct Table {
    club: Club,
    white: Browser,
    black: Browser,
    id: String,
    /// The changeling's code.
    code: String,
}

impl Table {
    /// Two players before they hand in; White keeps a changeling that nobody else knows.
    async fn lay() -> Table {
        Table::lay_with(blitz()).await
    }

    async fn lay_with(time: Value) -> Table {
        let club = Club::open().await;
        let (mut white, mut black) = (club.browser(), club.browser());
        let terms = json!({"variant": "gmo", "time": time, "color": "white"});
        let made = white.post("/api/v1/challenges", terms).await.expect(201);
        let id = made["id"].as_str().unwrap().to_owned();
        black.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
        let stored =
            white.request("POST", "/genome", Some(CHANGELING.to_owned())).await.expect(201);
        let code = stored["code"].as_str().unwrap().to_owned();
        Table { club, white, black, id, code }
    }

    fn path(&self, what: &str) -> String {
        format!("/api/v1/games/{}/{what}", self.id)
    }

    /// White's army has a changeling on a1 and its king on e1; Black's is the built-in one.
    async fn begin(&mut self) {
        let path = self.path("army");
        let preset = format!("{}-knight-bishop-queen-king-bishop-knight-rook", self.code);
        let army = json!({"preset": preset, "kings": ["e1"]});
        self.white.post(&path, army).await.expect(200);
        self.black.post(&path, json!({"preset": "classic", "kings": ["e8"]})).await.expect(200);
    }

    async fn socket(&self, browser: &Browser) -> Socket {
        let mut socket = browser.socket().await;
        socket.send(json!({"t": "join", "room": format!("game:{}", self.id)})).await;
        socket
    }

    async fn view(&mut self) -> Value {
        self.white.get(&format!("/api/v1/games/{}", self.id)).await.expect(200)
    }

    /// The squares whose genomes a browser may read.
    async fn known(&self, browser: &mut Browser) -> Vec<(String, String)> {
        let told = browser.get(&self.path("genomes")).await.expect(200);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let pieces = told["pieces"].as_array().unwrap().iter();
        pieces.map(|piece| (text(&piece["square"]), text(&piece["dna"]))).collect()
    }
}

/// Everything a socket hears until a change of this kind.
async fn until(socket: &mut Socket, kind: &str) -> Vec<Value> {
    let mut heard = Vec::new();
    loop {
        let frame = socket.next().await;
        let is_last = frame["change"]["kind"] == kind;
        heard.push(frame);
        if is_last {
            return heard;
        }
    }
}

#[tokio::test]
async fn armies_stay_hidden_until_both_are_there() {
    let mut table = Table::lay().await;
    let mut black = table.socket(&table.black).await;
    let path = table.path("army");
    table
        .white
        .post(&path, json!({"preset": "classic", "kings": []}))
        .await
        .expect_problem(409, "K_NONE");
    table
        .white
        .post(&path, json!({"preset": "000000", "kings": ["e1"]}))
        .await
        .expect_problem(404, "S_NOT_FOUND");
    table
        .white
        .post(&path, json!({"preset": "classic", "kings": ["e8"]}))
        .await
        .expect_problem(409, "K_NOT_OWN");
    table.white.post(&path, json!({"preset": "default", "kings": ["d1"]})).await.expect(200);
    let view = table.view().await;
    assert_eq!(
        (&view["fen"], &view["gmo"]["ready"]),
        (&json!("faces - w 0 -"), &json!({"white": true, "black": false}))
    );
    assert_eq!(view["clocks"]["running"], json!(null));
    // Who handed in sees it again after a reload; nobody else is told anything.
    let mine = &view["gmo"]["mine"];
    let default = "1c1736-fd6171-17dcf1-117a63-0c5567-17dcf1-fd6171-1c1736";
    let hashes = mine["preset"].as_str().unwrap().to_owned();
    assert!(
        hashes.split('-').zip(default.split('-')).all(|(sha, code)| sha.starts_with(code)),
        "{mine}"
    );
    assert_eq!(mine["kings"], json!(["d1"]));
    let again = json!({"preset": hashes, "kings": ["d1"]});
    table.white.post(&path, again).await.expect(200);
    assert_eq!(mine["looks"].as_array().map(Vec::len), Some(8));
    for browser in [&mut table.black.clone(), &mut table.club.browser()] {
        let view = browser.get(&format!("/api/v1/games/{}", table.id)).await.expect(200);
        assert_eq!(view["gmo"]["mine"], json!(null));
    }
    table.begin().await;
    let heard = until(&mut black, "started").await;
    assert!(heard.iter().all(|frame| !frame.to_string().contains("1c1736")), "{heard:?}");
    let kinds: Vec<&Value> =
        heard.iter().map(|frame| &frame["change"]["kind"]).filter(|kind| !kind.is_null()).collect();
    assert_eq!(kinds, ["handed_in", "handed_in", "handed_in", "handed_in", "started"]);
    let view = table.view().await;
    assert_eq!((&view["to_act"], &view["clocks"]["running"]), (&json!("white"), &json!("white")));
    assert_eq!(view["gmo"]["mine"], json!(null), "it stands on the board now");
    table
        .white
        .post(&path, json!({"preset": "classic", "kings": ["e1"]}))
        .await
        .expect_problem(409, "K_TOO_LATE");
}

#[tokio::test]
async fn an_army_that_hits_at_once_is_told_which_squares() {
    let club = Club::open().await;
    let (mut white, mut black) = (club.browser(), club.browser());
    let house = json!({"max_blocks": 3, "no_first_strike": true});
    let terms = json!({"variant": "gmo", "time": blitz(), "color": "white", "gmo": house});
    let id = white.challenge(terms).await;
    black.accept(&id).await.expect(200);
    let striker = "AHHHSHHSHHHHCHACHAHHAAAACSASACCAS".to_owned();
    let stored = white.request("POST", "/genome", Some(striker)).await.expect(201);
    let preset = format!("{}{}", stored["code"].as_str().unwrap(), "-rook".repeat(7));
    let army = json!({"preset": preset, "kings": ["e1"]});
    let refused = white.post(&format!("/api/v1/games/{id}/army"), army).await.expect(409);
    assert_eq!((&refused["code"], &refused["file"]), (&json!("P_FIRST_STRIKE"), &json!("a")));
    assert_eq!(refused["squares"], json!(["b7", "h7", "c8", "g8"]));
    assert_eq!(refused["detail"], "the genome for file a hits b7, h7, c8, g8 on the first move");
}

#[tokio::test]
async fn armies_that_do_not_come_abort_the_game() {
    const DAY: i64 = 86_400_000;
    for (time, wait) in [(blitz(), 900_000), (json!({"kind": "days", "per_move_ms": DAY}), DAY)] {
        let mut table = Table::lay_with(time).await;
        let path = table.path("army");
        let army = json!({"preset": "classic", "kings": ["e1"]});
        let view = table.white.post(&path, army).await.expect(200);
        let begun = view["created_at"].as_i64().unwrap();
        assert_eq!(view["gmo"]["hand_in_by"], begun + wait);
        let mut ear = table.socket(&table.black).await;
        ear.next_of("state").await;
        table.club.time.advance(wait);
        let ended = until(&mut ear, "ended").await;
        let aborted = json!({"kind": "aborted", "by": "no_first_move"});
        assert_eq!(ended.last().unwrap()["change"]["outcome"], aborted);
    }
    let mut for_ever = Table::lay_with(unlimited()).await;
    assert_eq!(for_ever.view().await["gmo"]["hand_in_by"], json!(null));
}

#[tokio::test]
async fn the_dna_of_unknown_genomes_reaches_no_one_else() {
    let mut table = Table::lay().await;
    let mut ears = [table.socket(&table.black).await, table.socket(&table.club.browser()).await];
    table.begin().await;
    let mut white = table.socket(&table.white).await;
    white.play(&table.id, 0, "a1a2").await;
    let mut black = table.socket(&table.black).await;
    black.play(&table.id, 1, "b8c6").await;
    white.play(&table.id, 2, "b1c3").await;
    let mutant = table.known(&mut table.white.clone()).await;
    let mutant = mutant
        .into_iter()
        .find(|(square, _)| square == "a2")
        .expect("its keeper knows what it became")
        .1;
    assert_ne!(mutant, CHANGELING);
    // A view, a list, a resumed room: all ways by which a position leaves the server.
    let mut texts = Vec::new();
    for browser in [&mut table.black.clone(), &mut table.club.browser()] {
        for path in [
            format!("/api/v1/games/{}", table.id),
            "/api/v1/games".to_owned(),
            table.path("targets"),
            table.path("genomes"),
        ] {
            texts.push(browser.get(&path).await.text);
        }
        let known = table.known(browser).await;
        assert!(!known.iter().any(|(square, _)| square == "a2"), "{known:?}");
        assert!(
            known.iter().any(|(square, _)| square == "h8"),
            "built-in pieces are known to everybody"
        );
    }
    let mut late = table.socket(&table.black).await;
    texts.push(late.next().await.to_string());
    table.white.post(&table.path("resignation"), json!({})).await.expect(200);
    for ear in &mut ears {
        texts.extend(until(ear, "ended").await.iter().map(Value::to_string));
    }
    assert!(texts.iter().any(|text| text.contains("a1a2~")), "that it mutated is told");
    for text in &texts {
        for secret in [CHANGELING, mutant.as_str(), table.code.as_str()] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
    for text in texts.iter().filter(|text| !text.contains("\"pieces\"")) {
        assert!(!text.contains("AHH"), "any DNA in {text}");
    }
    // After the end everything is revealed, and the seed with it.
    let known = table.known(&mut table.black.clone()).await;
    assert!(known.contains(&("a2".to_owned(), mutant)), "{known:?}");
    let view = table.view().await;
    assert_eq!(view["gmo"]["seed"].as_str().map(str::len), Some(64));
    assert_eq!(view["gmo"]["seed_hash"].as_str().map(str::len), Some(64));
}

#[tokio::test]
async fn the_seed_is_told_with_the_end_and_not_a_frame_earlier() {
    let mut table = Table::lay().await;
    let ears = [table.socket(&table.black).await, table.socket(&table.club.browser()).await];
    table.begin().await;
    let mut white = table.socket(&table.white).await;
    white.play(&table.id, 0, "a1a2").await;
    table.black.post(&table.path("resignation"), json!({})).await.expect(200);
    let seed = table.view().await["gmo"]["seed"].as_str().unwrap().to_owned();
    for mut ear in ears {
        let heard = until(&mut ear, "ended").await;
        let (end, before) = heard.split_last().unwrap();
        assert_eq!(end["change"]["seed"], seed.as_str());
        assert!(before.iter().all(|frame| !frame.to_string().contains(&seed)), "{before:?}");
    }
}

#[tokio::test]
async fn what_is_usable_by_code_is_played_and_never_read() {
    let mut table = Table::lay().await;
    let address = format!("/api/v1/gmo/genomes/{}", table.code);
    let by_code = json!({"by_code": true}).to_string();
    table.white.request("PATCH", &address, Some(by_code)).await.expect(204);
    let path = table.path("army");
    table.white.post(&path, json!({"preset": "classic", "kings": ["e1"]})).await.expect(200);
    // Black plays with White's changeling, whose code it was told.
    let preset = format!("{}-knight-bishop-queen-king-bishop-knight-rook", table.code);
    table.black.post(&path, json!({"preset": preset, "kings": ["e8"]})).await.expect(200);
    let (mut white, mut black) =
        (table.socket(&table.white).await, table.socket(&table.black).await);
    white.play(&table.id, 0, "e2e3").await;
    black.play(&table.id, 1, "a8a7").await;
    let check = async |table: &Table, moment: &str| {
        for browser in [&mut table.black.clone(), &mut table.club.browser()] {
            let known = table.known(browser).await;
            assert!(!known.iter().any(|(square, _)| square == "a7"), "{moment}: {known:?}");
            assert!(known.iter().any(|(square, _)| square == "h8"), "{moment}: {known:?}");
            let told = browser.get(&format!("{}?ply=1", table.path("genomes"))).await.text;
            assert!(!told.contains(CHANGELING), "{moment}: {told}");
        }
    };
    check(&table, "while the game runs").await;
    table.black.post(&table.path("resignation"), json!({})).await.expect(200);
    check(&table, "after its end").await;
    let question = json!({"game": table.id});
    let answer = table.black.post("/api/v1/analysis/position", question.clone()).await;
    answer.expect_problem(403, "hidden_genomes");
    // Its keeper may look at everything, and so may everybody once it is published.
    let known = table.known(&mut table.white.clone()).await;
    assert!(known.iter().any(|(square, _)| square == "a7"), "{known:?}");
    table.white.post("/api/v1/analysis/position", question.clone()).await.expect(200);
    let publish = json!({"published": true}).to_string();
    table.white.request("PATCH", &address, Some(publish)).await.expect(204);
    table.black.post("/api/v1/analysis/position", question).await.expect(200);
}

#[tokio::test]
async fn a_queen_freezes_the_game_for_everybody() {
    let mut table = Table::lay().await;
    table.begin().await;
    let (mut white, mut black) =
        (table.socket(&table.white).await, table.socket(&table.black).await);
    white.play(&table.id, 0, "e2e3").await;
    black.play(&table.id, 1, "e7e6").await;
    let frozen = white.play(&table.id, 2, "d1g4").await;
    assert_eq!(frozen["clocks"]["frozen_ms"], 5_000);
    assert_eq!(frozen["clocks"]["white_ms"], 180_000 + 3 * 2_000 - 5_000 - 2_000, "the mover pays");
    black.send(json!({"t": "move", "game": table.id, "ply": 3, "uci": "a7a6"})).await;
    assert_eq!(black.next_of("rejected").await["code"], "M_FROZEN");
    table.club.time.advance(2_000);
    let early = json!({"ply": 3, "uci": "a7a6"});
    let refused = table.black.clone().post(&table.path("moves"), early).await.expect(409);
    assert_eq!((&refused["code"], &refused["remaining_ms"]), (&json!("M_FROZEN"), &json!(3_000)));
    table.club.time.advance(3_000);
    let thawed = black.play(&table.id, 3, "a7a6").await;
    assert_eq!(thawed["clocks"]["frozen_ms"], json!(null));
    assert_eq!((&frozen["freezes"], &thawed["freezes"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn without_a_clock_a_freeze_is_told_and_costs_nothing() {
    let mut table = Table::lay_with(unlimited()).await;
    table.begin().await;
    let (mut white, mut black) =
        (table.socket(&table.white).await, table.socket(&table.black).await);
    white.play(&table.id, 0, "e2e3").await;
    black.play(&table.id, 1, "e7e6").await;
    let frozen = white.play(&table.id, 2, "d1g4").await;
    let told = (&frozen["freezes"], &frozen["clocks"]["frozen_ms"]);
    assert_eq!(told, (&json!(true), &json!(null)));
    assert_eq!(black.play(&table.id, 3, "a7a6").await["freezes"], json!(false));
}

#[tokio::test]
async fn a_preview_is_for_the_pieces_of_both_sides() {
    let mut table = Table::lay().await;
    let targets = table.path("targets");
    table.white.get(&targets).await.expect_problem(404, "not_gmo");
    table.begin().await;
    let told = table.black.get(&targets).await.expect(200);
    let groups: Vec<&str> = told["targets"].as_str().unwrap().split(' ').collect();
    for piece in ["b1", "g8", "e2", "e7"] {
        assert!(groups.iter().any(|group| group.starts_with(piece)), "{piece}: {told}");
    }
}

#[tokio::test]
async fn the_handicaps_of_known_genomes_are_told_with_them() {
    let mut table = Table::lay().await;
    table.begin().await;
    let told = table.black.get(&table.path("genomes")).await.expect(200);
    let pieces = told["pieces"].as_array().unwrap();
    let queen = pieces.iter().find(|piece| piece["square"] == "d8").unwrap();
    let names: Vec<&Value> =
        queen["debuffs"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert!(names.contains(&&json!("FREEZE")), "{queen}");
}

#[tokio::test]
async fn a_pawn_is_promoted_by_code_and_only_to_what_its_owner_may_use() {
    let mut table = Table::lay().await;
    table.begin().await;
    let (mut white, mut black) =
        (table.socket(&table.white).await, table.socket(&table.black).await);
    // The pawn walks up the a-file; Black's knight goes out and back, to be taken at home.
    let moves = [
        "a2a3", "a7a6", "b2b3", "b7b6", "a3a4", "a6a5", "b3b4", "a5b4", "a4a5", "b8c6", "a5a6",
        "c6b8", "a6a7", "h7h6",
    ];
    for (uci, ply) in moves.iter().zip(0..) {
        let socket = if ply % 2 == 0 { &mut white } else { &mut black };
        socket.play(&table.id, ply, uci).await;
    }
    let ply = u32::try_from(moves.len()).unwrap();
    let told = white.play(&table.id, ply, "a7b8").await;
    assert!(told["fen"].as_str().unwrap().ends_with(" b8"), "{told}");
    assert_eq!(told["to_act"], "white", "a promotion comes before the next move");
    let path = table.path("promotion");
    let promotion = |code: &str| json!({"ply": ply + 1, "square": "b8", "code": code});
    table.black.post(&path, promotion("queen")).await.expect_problem(409, "R_NOT_YOURS");
    table.white.post(&path, promotion("000000")).await.expect_problem(409, "R_UNKNOWN_GENOME");
    let view = table.white.post(&path, promotion(&table.code.clone())).await.expect(200);
    assert_eq!((&view["to_act"], &view["ply"]), (&json!("black"), &json!(ply + 2)));
    let told = black.play(&table.id, ply + 2, "h6h5").await;
    assert_eq!(told["by"], "black");
    let view = table.view().await;
    let last: Vec<&str> =
        view["moves"].as_array().unwrap().iter().map(|it| it["by"].as_str().unwrap()).collect();
    assert_eq!(last[last.len() - 4..], ["black", "white", "white", "black"], "nobody is mixed up");
    let known = table.known(&mut table.white.clone()).await;
    assert!(known.contains(&("b8".to_owned(), CHANGELING.to_owned())), "{known:?}");
    let known = table.known(&mut table.black.clone()).await;
    assert!(!known.iter().any(|(square, _)| square == "b8"), "{known:?}");
}
