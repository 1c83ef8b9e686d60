//! The store of genomes and presets, and everybody's library.

use serde_json::json;

use crate::client::{Answer, Browser};
use crate::club::Club;

const ROOK: &str = "AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA";
/// A rook for which the side edges are joined and which walks once.
const SNAIL: &str = "AHHHSHHACCHACHACHAHHASAS";

async fn put(browser: &mut Browser, path: &str, body: &str) -> Answer {
    browser.request("POST", path, Some(body.to_owned())).await
}

async fn code_of(browser: &mut Browser, dna: &str) -> String {
    let stored = put(browser, "/genome", dna).await.expect(201);
    stored["code"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_genome_is_stored_once_and_read_without_white_space() {
    let club = Club::open().await;
    let mut somebody = club.browser();
    let spaced = SNAIL.chars().flat_map(|letter| [letter, ' ']).collect::<String>();
    let stored = put(&mut somebody, "/genome", &spaced).await.expect(201);
    let (code, sha) = (stored["code"].as_str().unwrap(), stored["sha"].as_str().unwrap());
    assert!(sha.starts_with(code) && code.len() == 6, "{stored}");
    let again = put(&mut somebody, &format!("/genome/{}", &sha[..20]), SNAIL).await.expect(200);
    assert_eq!(again, json!({"code": code, "sha": sha, "created": false}));
    let read = somebody.get(&format!("/genome/{code}")).await;
    assert_eq!((read.status, read.text.as_str()), (200, SNAIL));
    // Six digits in either case, the whole hash, and the names of built-in pieces.
    for name in [code.to_uppercase().as_str(), sha] {
        assert_eq!(somebody.get(&format!("/genome/{name}")).await.text, SNAIL);
    }
    let rook = club.browser().get("/genome/veza").await;
    assert_eq!((rook.status, rook.text), (200, ROOK.replace(' ', "")));
}

#[tokio::test]
async fn what_cannot_be_stored_or_read_is_refused_with_the_code_of_the_rules() {
    let club = Club::open().await;
    let mut somebody = club.browser();
    let long = "S".repeat(4_097);
    for (path, body, status, code) in [
        ("/genome", "AHH", 422, "E_TRUNCATED"),
        ("/genome", "", 422, "E_EMPTY"),
        ("/genome", "xyz", 422, "E_ALPHABET"),
        ("/genome", long.as_str(), 413, "S_TOO_LARGE"),
        ("/genome/abcdef", SNAIL, 422, "S_CODE_MISMATCH"),
        ("/genome/rook", SNAIL, 400, "S_CODE_FORMAT"),
        ("/genome/12345", SNAIL, 400, "S_CODE_FORMAT"),
        ("/preset", "rook-rook", 422, "P_COUNT"),
        ("/preset", "x-rook-rook-rook-rook-rook-rook-rook", 422, "P_CODE_FORMAT"),
        ("/preset", "000000-rook-rook-rook-rook-rook-rook-rook", 422, "P_UNKNOWN_GENOME"),
    ] {
        put(&mut somebody, path, body).await.expect_problem(status, code);
    }
    somebody.get("/genome/000000").await.expect_problem(404, "S_NOT_FOUND");
    somebody.get("/genome/zz").await.expect_problem(400, "S_CODE_FORMAT");
    somebody.get("/preset/rook").await.expect_problem(400, "S_CODE_FORMAT");
}

#[tokio::test]
async fn a_refusal_tells_its_facts_to_programs_too() {
    let club = Club::open().await;
    let mut somebody = club.browser();
    let mut check = async |path: &str, body: &str, field: &str, fact: serde_json::Value| {
        let problem = put(&mut somebody, path, body).await.expect(422);
        assert_eq!(problem[field], fact, "{problem}");
    };
    check("/genome", "AHH HSH HAA", "codon", json!(3)).await;
    check("/genome", "AHH HSH HAA CHA XXX", "codon", json!(4)).await;
    check("/preset", "rook-x-rook-rook-rook-rook-rook-rook", "file", json!("b")).await;
    check("/preset", "rook-rook-rook-rook-rook-rook-rook-000000", "file", json!("h")).await;
    let plain = put(&mut somebody, "/preset", "rook").await.expect(422);
    assert!(plain.get("file").is_none() && plain.get("codon").is_none(), "{plain}");
}

#[tokio::test]
async fn a_preset_is_stored_and_read_by_its_hash() {
    let club = Club::open().await;
    let (mut keeper, mut other) = (club.browser(), club.browser());
    let snail = code_of(&mut keeper, SNAIL).await;
    let text = format!("{snail}-rook-rook-rook-rook-rook-rook-rook");
    let codes = format!("{snail}{}", "-1c1736".repeat(7));
    put(&mut keeper, "/preset/abcdef", &text).await.expect_problem(422, "S_CODE_MISMATCH");
    let stored = put(&mut keeper, "/preset", &text).await.expect(201);
    let sha = stored["sha"].as_str().unwrap();
    let again = put(&mut keeper, &format!("/preset/{sha}"), &codes).await.expect(200);
    assert_eq!((&again["created"], &again["code"]), (&json!(false), &stored["code"]));
    let address = format!("/preset/{}", stored["code"].as_str().unwrap());
    let read = keeper.get(&address).await;
    assert_eq!((read.status, read.text), (200, codes));
    other.get(&address).await.expect_problem(403, "S_PRIVATE");
    other.get("/preset/000000").await.expect_problem(404, "S_NOT_FOUND");
    assert_eq!(other.get("/preset/classic").await.status, 200);
}

#[tokio::test]
async fn published_presets_stand_in_a_list_with_what_one_may_play() {
    let club = Club::open().await;
    let (mut keeper, mut other) = (club.player("anna").await, club.browser());
    let snail = code_of(&mut keeper, SNAIL).await;
    let new = json!({"text": format!("{snail}{}", "-rook".repeat(7)), "name": "Snails"});
    let code = keeper.post("/api/v1/gmo/presets", new).await.expect(200)["code"].clone();
    let list = "/api/v1/gmo/published-presets";
    assert_eq!(other.get(list).await.expect(200)["presets"], json!([]));
    let address = format!("/api/v1/gmo/presets/{}", code.as_str().unwrap());
    let share = json!({"published": true}).to_string();
    keeper.request("PATCH", &address, Some(share)).await.expect(204);
    let told = other.get(list).await.expect(200);
    let preset = &told["presets"][0];
    assert_eq!((&preset["name"], &preset["keeper"]), (&json!("Snails"), &json!("anna")));
    assert_eq!((&preset["usable"][0], &preset["usable"][1]), (&json!(false), &json!(true)));
    assert_eq!(told["next"], json!(null));
}

#[tokio::test]
async fn a_genome_is_its_keeper_s_until_it_is_published() {
    let club = Club::open().await;
    let (mut keeper, mut other) = (club.browser(), club.browser());
    let code = code_of(&mut keeper, SNAIL).await;
    let address = format!("/api/v1/gmo/genomes/{code}");
    let preset = format!("{code}-rook-rook-rook-rook-rook-rook-rook");
    other.get(&format!("/genome/{code}")).await.expect_problem(403, "S_PRIVATE");
    other.get(&address).await.expect_problem(403, "S_PRIVATE");
    put(&mut other, "/preset", &preset).await.expect_problem(422, "P_UNKNOWN_GENOME");
    let change = |field: &str| json!({field: true}).to_string();
    keeper.request("PATCH", &address, Some(change("by_code"))).await.expect(204);
    other.get(&format!("/genome/{code}")).await.expect_problem(403, "S_PRIVATE");
    assert_eq!(other.get(&address).await.expect(200)["dna"], json!(null));
    put(&mut other, "/preset", &preset).await.expect(201);
    keeper.request("PATCH", &address, Some(change("published"))).await.expect(204);
    assert_eq!(other.get(&format!("/genome/{code}")).await.text, SNAIL);
    let gallery = other.get("/api/v1/gmo/published").await.expect(200);
    assert_eq!(gallery["genomes"][0]["code"], json!(code));
    // Another who has written the same DNA publishes it too: the gallery has it once.
    let mut twin = club.browser();
    put(&mut twin, "/genome", SNAIL).await.expect(200);
    twin.request("PATCH", &address, Some(change("published"))).await.expect(204);
    let gallery = twin.get("/api/v1/gmo/published").await.expect(200);
    assert_eq!(gallery["genomes"].as_array().map(Vec::len), Some(1));
    twin.get("/api/v1/gmo/published?before=yesterday").await.expect_problem(400, "bad_cursor");
    // Nobody else decides about it, and who is nobody has no library.
    other
        .request("PATCH", &address, Some(change("published")))
        .await
        .expect_problem(404, "S_NOT_FOUND");
    other.request("DELETE", &address, None).await.expect_problem(404, "S_NOT_FOUND");
    club.browser().request("DELETE", &address, None).await.expect_problem(401, "no_account");
}

#[tokio::test]
async fn a_library_has_names_and_forgets_on_request() {
    let club = Club::open().await;
    let mut somebody = club.browser();
    let new = json!({"text": SNAIL, "name": "  My   snail "});
    let code = somebody.post("/api/v1/gmo/genomes", new).await.expect(200)["code"].clone();
    let preset =
        json!({"text": "rook-knight-bishop-queen-king-bishop-knight-rook", "name": "Chess"});
    let stored = somebody.post("/api/v1/gmo/presets", preset).await.expect(200);
    assert_eq!(
        stored["code"], "7d8241",
        "every genome stands under its own code: it is the built-in preset"
    );
    let mine = format!("{}-rook-rook-rook-rook-rook-rook-rook", code.as_str().unwrap());
    somebody.post("/api/v1/gmo/presets", json!({"text": mine, "name": "Snails"})).await.expect(200);
    let list = somebody.get("/api/v1/gmo/genomes").await.expect(200);
    assert_eq!(
        (&list["genomes"][0]["name"], &list["genomes"][0]["dna"]),
        (&json!("My snail"), &json!(SNAIL))
    );
    let presets = somebody.get("/api/v1/gmo/presets").await.expect(200);
    assert_eq!(presets["presets"][0]["name"], "Snails");
    assert_eq!(presets["presets"][0]["looks"][0], list["genomes"][0]["look"]);
    let address = format!("/api/v1/gmo/genomes/{}", code.as_str().unwrap());
    let needed = somebody.request("DELETE", &address, None).await;
    needed.expect_problem(409, "genome_in_preset");
    let preset = presets["presets"][0]["code"].as_str().unwrap();
    somebody.request("DELETE", &format!("/api/v1/gmo/presets/{preset}"), None).await.expect(204);
    somebody.request("DELETE", &address, None).await.expect(204);
    assert_eq!(somebody.get("/api/v1/gmo/genomes").await.expect(200)["genomes"], json!([]));
    let stranger = club.browser().get("/api/v1/gmo/genomes").await.expect(200);
    assert_eq!(stranger["genomes"], json!([]));
}

#[tokio::test]
async fn a_preset_is_shared_with_its_genomes_if_its_keeper_says_so() {
    let club = Club::open().await;
    let (mut keeper, mut other) = (club.browser(), club.browser());
    let code = code_of(&mut keeper, SNAIL).await;
    let text = format!("{code}-rook-rook-rook-rook-rook-rook-rook");
    let stored = put(&mut keeper, "/preset", &text).await.expect(201);
    let address = format!("/api/v1/gmo/presets/{}", stored["code"].as_str().unwrap());
    let mut usable = json!([true, true, true, true, true, true, true, true]);
    assert_eq!(keeper.get(&address).await.expect(200)["usable"], usable);
    let share = |with_genomes| json!({"by_code": true, "with_genomes": with_genomes}).to_string();
    keeper.request("PATCH", &address, Some(share(false))).await.expect(204);
    usable[0] = json!(false);
    assert_eq!(other.get(&address).await.expect(200)["usable"], usable, "the snail is private");
    keeper.request("PATCH", &address, Some(share(true))).await.expect(204);
    usable[0] = json!(true);
    assert_eq!(other.get(&address).await.expect(200)["usable"], usable);
    other.get(&format!("/genome/{code}")).await.expect_problem(403, "S_PRIVATE");
    // What is not one's own is not one's to share.
    put(&mut other, "/preset", &text).await.expect(200);
    let publish = json!({"published": true, "with_genomes": true}).to_string();
    other.request("PATCH", &address, Some(publish)).await.expect(204);
    other.get(&format!("/genome/{code}")).await.expect_problem(403, "S_PRIVATE");
}

#[tokio::test]
async fn built_in_pieces_have_names_codes_and_looks() {
    let club = Club::open().await;
    let known = club.browser().get("/api/v1/gmo/known").await.expect(200);
    let names: Vec<&str> = known["genomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|genome| genome["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["rook", "knight", "bishop", "king", "queen", "pawn"]);
    let classic = &known["presets"][1];
    assert_eq!((&classic["name"], &classic["code"]), (&json!("classic"), &json!("7d8241")));
    assert_eq!(classic["looks"][0], known["genomes"][0]["look"]);
}
